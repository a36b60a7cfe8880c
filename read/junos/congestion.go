package junos

import (
	"strconv"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// A congestion is a congestion notification profile: which packets make a port pause
// its peer, and which queues the peer's pauses stop.
type congestion struct {
	at       diag.Range
	cable    units.Length
	cableAt  diag.Range
	points   map[uint8]*pausePoint
	tags     map[uint8]*pausePoint // by the priority of VLAN tags
	queues   map[uint8]stop        // by PFC priority
	watchdog *plan.Watchdog
	periods  int64 // of the watchdog's detection
}

// A pausePoint is a code point with PFC.
type pausePoint struct {
	at    diag.Range
	pfc   bool
	mru   units.Bytes
	xon   int64 // cells
	xonAt diag.Range
}

// A stop is a queue that a pause stops.
type stop struct {
	queue uint8
	at    diag.Range
}

func (r *reader) congestionProfile(c *cursor) {
	name := c.next()
	known := r.congestion[name.text]
	if known == nil {
		known = &congestion{at: c.s.at, points: map[uint8]*pausePoint{}, tags: map[uint8]*pausePoint{}, queues: map[uint8]stop{}}
		r.congestion[name.text] = known
	}
	switch {
	case c.is("pfc-watchdog"):
		r.watchdog(c, known)
	case c.is(row.Of(row.Cable).Names()...):
		if n, at, ok := c.leaf(row.Cable); ok {
			known.cable, known.cableAt = units.Length(row.Of(row.Cable).Means(n)), at
			c.modelled()
		}
	case c.is(row.Of(row.Point).Names()...):
		r.pausePoint(c, known.points, false)
	case c.is(row.Of(row.Stop).Names()...):
		r.stop(c, known)
	case c.is("input", "ieee-802.1", "code-point"):
		r.pausePoint(c, known.tags, true)
	case c.over():
		c.modelled()
	default:
		c.touches(read.Scope{}, "a part of a congestion notification profile that is not known here")
	}
}

// pausePoint reads `code-point P { pfc; mru B; xon CELLS; }`.
func (r *reader) pausePoint(c *cursor, points map[uint8]*pausePoint, tag bool) {
	w := c.next()
	d, ok := codePoint(w.text)
	if n, err := strconv.ParseUint(w.text, 2, 3); tag {
		d, ok = uint8(n), err == nil && len(w.text) == 3
	}
	if !ok && tag {
		r.found.Errorf(Number, w.at, "%q is not an 802.1p code point of three bits", clip(w.text)).Fixf("write three bits such as 011")
		c.modelled()
		return
	}
	if !ok {
		r.found.Errorf(Number, w.at, "%q is not a code point", clip(w.text)).Fixf("write six bits such as 011010, or a name such as ef or af31")
		c.modelled()
		return
	}
	p := points[d]
	if p == nil {
		p = &pausePoint{at: c.s.at}
		points[d] = p
	}
	for !c.over() {
		switch option := c.next(); option.text {
		case "pfc":
			p.pfc, p.at = true, c.s.at
		case row.Of(row.MRU).Name():
			n, _, _ := c.leaf(row.MRU)
			p.mru = units.Bytes(n)
		case row.Of(row.XOn).Name():
			p.xon, p.xonAt, _ = c.leaf(row.XOn)
		default:
			c.touches(read.Scope{DSCPs: 1 << d}, "a property of a paused code point that is not known here")
			return
		}
	}
	c.modelled()
}

// stop reads `code-point 011 { flow-control-queue 4; }`.
func (r *reader) stop(c *cursor, known *congestion) {
	w := c.next()
	priority, err := strconv.ParseUint(w.text, 2, 3)
	if err != nil || len(w.text) != 3 {
		r.found.Errorf(Number, w.at, "%q is not an 802.1p code point of three bits", clip(w.text)).Fixf("write three bits such as 011")
		c.modelled()
		return
	}
	if !c.is(row.Of(row.StopQueue).Name()) {
		c.touches(read.Scope{}, "the effect of a pause here is not known")
		return
	}
	queue, at, ok := c.leaf(row.StopQueue)
	if !ok {
		return
	}
	if before, again := known.queues[uint8(priority)]; again && before.queue != uint8(queue) {
		c.touches(read.Scope{Queues: 1<<queue | 1<<before.queue}, "the pause stops a second queue, but a plan has only one")
		return
	}
	known.queues[uint8(priority)] = stop{uint8(queue), at}
	c.modelled()
}

// absent returns the time that holds without the leaf of a row.
func absent(id format.ID) plan.Derived[units.Time] {
	return plan.Of(units.Time(row.Of(id).Default()), nil)
}

// watchdog reads the timers; what is left out has Junos' default.
func (r *reader) watchdog(c *cursor, known *congestion) {
	if known.watchdog == nil {
		known.periods = row.Of(row.Detection).Absent
		known.watchdog = &plan.Watchdog{
			Poll: absent(row.Poll), Restoration: absent(row.Recovery),
			Action: plan.WatchdogDrop, Range: c.s.at,
		}
	}
	for !c.over() {
		switch w := c.next(); w.text {
		case row.Of(row.Poll).Name():
			if n, at, ok := c.leaf(row.Poll); ok {
				known.watchdog.Poll = of(units.Time(row.Of(row.Poll).Means(n)), "polling interval", at)
			}
		case row.Of(row.Detection).Name():
			if n, at, ok := c.leaf(row.Detection); ok {
				known.periods, known.watchdog.Detection = n, of(units.Time(0), "detection time", at)
			}
		case row.Of(row.Recovery).Name():
			if n, at, ok := c.leaf(row.Recovery); ok {
				known.watchdog.Restoration = of(units.Time(row.Of(row.Recovery).Means(n)), "restoration time", at)
			}
		case row.Of(row.Action).Name():
			r.action(c, known.watchdog)
		default:
			c.touches(read.Scope{}, "a property of the PFC watchdog that is not known here")
			return
		}
	}
	c.modelled()
}

func (r *reader) action(c *cursor, w *plan.Watchdog) {
	switch at := c.next(); at.text {
	case "drop", "forward":
		w.Action, w.Range = plan.WatchdogAction(at.text), at.at
	default:
		r.found.Errorf(Number, at.at, "the action of the PFC watchdog is drop or forward, not %q", clip(at.text)).Fixf("write drop or forward")
	}
}

// planWatchdog takes the watchdog of the first profile that has one; its action holds for
// the whole box, and a plan has one set of timers.
func (r *reader) planWatchdog(used []*congestion) {
	for _, profile := range used {
		if profile.watchdog == nil {
			continue
		}
		w := *profile.watchdog
		w.Detection.Value = units.Time(profile.periods) * w.Poll.Value
		if r.sw.Watchdog == nil {
			r.sw.Watchdog = &w
			continue
		}
		first := r.sw.Watchdog
		if w.Detection.Value != first.Detection.Value || w.Restoration.Value != first.Restoration.Value || w.Action != first.Action || w.Poll.Value != first.Poll.Value {
			r.found.Errorf(Differs, w.Range, "the PFC watchdogs of two profiles differ; all ports of a box must agree").Fixf("give both profiles the same poll-interval, detection and recovery").Notef(first.Range, "the first is here")
		}
	}
}
