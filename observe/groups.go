package observe

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A held is what is known of a lossless group of a port.
type held struct {
	s        *site
	pg       plan.PG
	object   Object
	used     units.Bytes
	marked   Row // the watermark of headroom
	measured bool
	need     units.Bytes // worst case as the fabric has it; 0: unknown
	bound    Bound
	bounded  bool
}

// full reports whether no further frame found room.
func (h *held) full(frame units.Bytes) bool {
	return h.measured && h.pg.Headroom.Value > 0 && h.used+frame > h.pg.Headroom.Value
}

// exceeds reports whether more was used than the worst case.
func (h *held) exceeds() bool { return h.measured && h.need > 0 && h.used > h.need }

func (c *checker) held(s *site, pg plan.PG) *held {
	h := &held{s: s, pg: pg, object: Object{Kind: Group, Name: s.end.Port, ID: pg.ID}}
	h.need, _ = c.need(s, s.port.Cable, 0)
	h.marked, h.measured = c.r.highest(s.end.Switch, h.object, GroupHeadroom)
	h.used = units.Bytes(min(h.marked.Value, 1<<62))
	if h.measured && h.used > 0 {
		h.bound, h.bounded = c.invert(s, h.used)
	}
	return h
}

// group concludes on a lossless group of a port.
func (c *checker) group(s *site, pg plan.PG) {
	h := c.held(s, pg)
	if h.measured {
		use := Use{Device: s.end.Switch, Port: s.end.Port, Group: pg.ID, Used: h.used, Computed: h.need, Headroom: pg.Headroom.Value}
		if h.bounded {
			use.Bound = &h.bound
		}
		if at := h.marked.Until; !at.IsZero() {
			use.Until = &at
		}
		c.report.Uses = append(c.report.Uses, use)
	}
	if drops, ok := c.r.grown(s.end.Switch, h.object, GroupDropped); ok && drops.total() > 0 {
		c.drop(h, drops)
		return
	}
	if h.exceeds() {
		c.exceeded(h)
	}
	c.unpaused(h)
}

// exceeded reports a link that is worse than declared.
func (c *checker) exceeded(h *held) {
	k := Conclusion{Code: Exceeded, Assumption: AssumesLink, Worth: Bounded, severity: diag.Error}
	k.Assumption = c.whichEnd(h)
	if c.deaf(h.s.far) {
		k.Assumption = AssumesPFC
	}
	k.Message = fmt.Sprintf("%s of %s took %v after a pause, and %v is the worst case with %v of cable: %s",
		h.object, h.s.end.Switch, h.used, h.need, h.s.port.Cable, boundText(h))
	k.Fix = "measure the cable and the response; --suggest writes values with which the plan holds"
	if h.bounded {
		k.Bound = &h.bound
	}
	c.say(h.s, h.object, k, h.marked)
}

func boundText(h *held) string {
	if !h.bounded {
		return "no cable and no response within the bounds of the search explains that"
	}
	return fmt.Sprintf("the cable is at least %v long, or the peer takes at least %v to obey", h.bound.Cable, h.bound.Response)
}

// whichEnd distinguishes a long cable from a slow peer, as far as possible: where both ends used
// more than the worst case, it is the cable. Where one did, the cable is not blamed: the other end
// may not have been tried.
func (c *checker) whichEnd(h *held) Assumption {
	if h.s.far == nil {
		return AssumesLink
	}
	for _, pg := range h.s.far.lossless() {
		if far := c.held(h.s.far, pg); far.exceeds() {
			return AssumesCable
		}
	}
	return AssumesLink
}

// deaf reports whether a port of a switch used headroom and sent no pause: there is no PFC, and
// pauses that it gets are not obeyed.
func (c *checker) deaf(s *site) bool {
	if s == nil {
		return false
	}
	for _, pg := range s.lossless() {
		used, ok := c.r.highest(s.end.Switch, Object{Kind: Group, Name: s.end.Port, ID: pg.ID}, GroupHeadroom)
		priority, _, _ := s.pfcOf(pg.ID)
		sent, known := c.r.grown(s.end.Switch, Object{Kind: Port, Name: s.end.Port}, PFCSent(priority))
		if ok && known && used.Value > 0 && sent.total() == 0 {
			return true
		}
	}
	return false
}

// unpaused reports a port whose group used headroom, and which sent no pause.
func (c *checker) unpaused(h *held) {
	priority, _, ok := h.s.pfcOf(h.pg.ID)
	if !ok || !h.measured || h.used == 0 {
		return
	}
	sent, known := c.r.grown(h.s.end.Switch, Object{Kind: Port, Name: h.s.end.Port}, PFCSent(priority))
	if !known || sent.total() > 0 {
		return
	}
	c.say(h.s, h.object, Conclusion{Code: PauseOff, Assumption: AssumesPFC, Worth: Certain, severity: diag.Error,
		Message: fmt.Sprintf("%s of %s took %v beyond its threshold, and the port sent no pause of priority %d", h.object, h.s.end.Switch, h.used, priority),
		Fix:     "enable PFC at the port for this priority: `roceplan patch` shows the missing settings",
	}, h.marked, sent.Last)
}

// drop says which assumption of the proof a drop in a lossless group refutes.
func (c *checker) drop(h *held, drops growth) {
	k := Conclusion{Code: Dropped, severity: diag.Error, Worth: Certain}
	evidence := drops.evidence()
	told := fmt.Sprintf("%s of %s dropped %d packets", h.object, h.s.end.Switch, drops.Amount)
	if drops.Amount == 0 {
		told = fmt.Sprintf("%s of %s dropped %s before the first reading", h.object, h.s.end.Switch, natural.Count(int(drops.Before), "packet", "packets"))
	}
	why, rows := c.whyDropped(h, cmp.Or(drops.Amount, drops.Before), &k)
	k.Message, k.Fix = told+": "+why, cmp.Or(k.Fix, "read its watermarks too, then --suggest")
	c.say(h.s, h.object, k, append(evidence, rows...)...)
}

// whyDropped goes through the assumptions, those that counters show most surely first.
func (c *checker) whyDropped(h *held, lost uint64, k *Conclusion) (why string, evidence []Row) {
	port := Object{Kind: Port, Name: h.s.end.Port}
	priority, queue, _ := h.s.pfcOf(h.pg.ID)
	sent, sentKnown := c.r.grown(h.s.end.Switch, port, PFCSent(priority))
	if sentKnown && sent.total() == 0 {
		k.Assumption, k.Fix = AssumesPFC, "enable PFC at the port for this priority"
		return fmt.Sprintf("the port sent no pause of priority %d", priority), []Row{sent.Last}
	}
	if unheard, row := c.unheard(h.s, priority, sent, sentKnown); unheard {
		k.Assumption, k.Fix = AssumesPFC, "enable PFC at the neighbour, or find the cable that is swapped"
		return fmt.Sprintf("%v got none of the %d pauses that it sent", h.s.far, sent.total()), []Row{sent.Last, row}
	}
	frame := c.frameRoom(h.s)
	switch {
	case c.deaf(h.s.far):
		k.Assumption, k.Worth, k.Fix = AssumesPFC, Likely, "enable PFC at the neighbour for this priority"
		return fmt.Sprintf("%v sends no pause when it must, so it will not obey any either", h.s.far), []Row{h.marked}
	case h.full(frame) && sentKnown && units.Bytes(min(lost/sent.total(), 1<<40))*frame > h.pg.Headroom.Value:
		// By the pigeonhole, more was lost after one of the pauses than the headroom holds, if frames
		// are of the largest size: no delay explains that.
		k.Assumption, k.Worth, k.Fix = AssumesPFC, Likely, "enable PFC at the neighbour for this priority"
		who := "its neighbour"
		if h.s.far != nil {
			who = h.s.far.String()
		}
		return fmt.Sprintf("%s does not obey: %d packets were lost for %d pauses, more for each than the headroom of %v holds", who, lost, sent.total(), h.pg.Headroom.Value), []Row{sent.Last, h.marked}
	case h.full(frame) && h.need > h.pg.Headroom.Value:
		k.Assumption, k.Worth, k.Fix = AssumesLink, Likely, "give the group the headroom of the worst case"
		return fmt.Sprintf("its headroom of %v was full, and the worst case needs %v", h.pg.Headroom.Value, h.need), []Row{h.marked}
	case h.full(frame):
		k.Assumption, k.Worth = c.whichEnd(h), Bounded
		h.bound, h.bounded = c.invert(h.s, h.used+h.s.sw.Cell) // the packet that was lost had needed a cell more
		k.Fix = "measure the cable and the response; --suggest writes values with which the plan holds"
		if h.bounded {
			k.Bound = &h.bound
		}
		return fmt.Sprintf("its headroom of %v was full: %s", h.pg.Headroom.Value, boundText(h)), []Row{h.marked}
	}
	if full, row := c.poolFull(h.s, h.pg.Pool); full {
		k.Assumption, k.Fix = AssumesSharing, "enlarge the pool of headroom: lower headroom_sharing"
		return "the pool of headroom was full, so more groups were paused at once than it is sized for", []Row{row}
	}
	if wd, ok := c.r.grown(h.s.end.Switch, Object{Kind: Queue, Name: h.s.end.Port, ID: queue}, WatchdogDroppedRx); ok && wd.total() > 0 {
		k.Assumption, k.Worth = AssumesPFC, Likely
		k.Fix = "find who pauses the port for so long"
		return "its watchdog found a storm of pauses and drops", []Row{wd.Last}
	}
	k.Assumption = AssumesNone
	if h.measured {
		return fmt.Sprintf("it used %v of %v of headroom, so cable and response are not to blame; its pool or the egress had no room", h.used, h.pg.Headroom.Value), []Row{h.marked}
	}
	return "its headroom was not measured, so it is not known which assumption is wrong", nil
}

// unheard reports whether the neighbour got no pause although some were sent.
func (c *checker) unheard(s *site, priority uint8, sent growth, known bool) (bool, Row) {
	if !known || s.far == nil || sent.total() == 0 {
		return false, Row{}
	}
	got, ok := c.r.grown(s.far.end.Switch, Object{Kind: Port, Name: s.far.end.Port}, PFCReceived(priority))
	return ok && got.total() == 0, got.Last
}

// lost concludes on packets that a queue dropped although it is of a lossless class.
func (c *checker) lost(s *site, queue uint8) {
	i := slices.IndexFunc(s.sw.Classes, func(class plan.Class) bool { return class.Lossless && s.port.QoS.QueueOf(&class) == queue })
	if i < 0 {
		return
	}
	object := Object{Kind: Queue, Name: s.end.Port, ID: queue}
	k := Conclusion{Code: Dropped, Assumption: AssumesNone, Worth: Certain, severity: diag.Error,
		Fix: "give the queue a limit at egress that its groups cannot reach, and look for a port that shares its buffer"}
	storm := false
	for _, counter := range []Counter{WatchdogDroppedTx, WatchdogDetected} {
		of, ok := c.r.grown(s.end.Switch, object, counter)
		storm = storm || ok && of.total() > 0
	}
	why := "its limit was reached, or the buffer at egress was full"
	if storm {
		k.Assumption, k.Worth, k.Fix = AssumesPFC, Likely, "find who pauses the port for so long"
		why = "its watchdog found a storm of pauses and drops"
	}
	for _, counter := range []Counter{QueueDropped, VOQDropped, WatchdogDroppedTx} {
		drops, ok := c.r.grown(s.end.Switch, object, counter)
		if !ok || drops.total() == 0 {
			continue
		}
		before := ""
		if drops.Amount == 0 {
			before = " before the first reading"
		}
		k.Message = fmt.Sprintf("%s of %s dropped %s of the lossless class %s%s: %s", object, s.end.Switch,
			natural.Count(int(min(cmp.Or(drops.Amount, drops.Before), math.MaxInt64)), "packet", "packets"), s.sw.Classes[i].Name, before, why)
		c.say(s, object, k, drops.evidence()...)
		return
	}
}
