package junos

import (
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// A scheduler is what a queue gets of the rate and of the buffer.
type scheduler struct {
	at       diag.Range
	share    int64 // of the rate, per cent
	shareAt  diag.Range
	strict   bool
	priority diag.Range
	rate     units.BitRate
	rateAt   diag.Range
	ecn      bool
	drop     word // drop profile
	alpha    *units.Alpha
	alphaAt  diag.Range
}

// A schedulerMap binds schedulers to forwarding classes.
type schedulerMap struct {
	scheduler map[string]word // by forwarding class
	order     []word
}

// A dropProfile is a curve over fill levels in per cent.
type dropProfile struct {
	at           diag.Range
	level, share []int64
}

func (r *reader) scheduler(c *cursor) {
	name := c.next()
	known := r.schedulers[name.text]
	if known == nil {
		known = &scheduler{at: c.s.at}
		r.schedulers[name.text] = known
	}
	switch option := c.next(); option.text {
	case "":
	case "transmit-rate":
		if !c.is(strings.Fields(row.Of(row.TransmitRate).Name())[1:]...) {
			c.touches(read.Scope{}, "a guaranteed rate that is not in per cent")
			return
		}
		known.share, known.shareAt, _ = c.leaf(row.TransmitRate)
		if c.peek() != "" {
			c.touches(read.Scope{}, "a rate that is a bound as well")
			return
		}
	case "shaping-rate":
		if c.is("percent") {
			c.touches(read.Scope{}, "a cap in per cent of the port's speed")
			return
		}
		r.shape(c, known)
	case "priority":
		w := c.next()
		known.strict, known.priority = w.text == "strict-high", w.at
		if w.text != "strict-high" && w.text != "low" {
			c.touches(read.Scope{}, "a priority between low and strict-high")
			return
		}
	case "drop-profile-map":
		if !c.is("loss-priority", "any", "protocol", "any", "drop-profile") && !c.is("loss-priority", "low", "protocol", "any", "drop-profile") {
			c.touches(read.Scope{}, "a drop profile for a part of the packets")
			return
		}
		known.drop = c.next()
	case "explicit-congestion-notification":
		known.ecn = true
	case row.Of(row.Threshold).Name():
		if n, at, ok := c.leaf(row.Threshold); ok {
			alpha := row.Alpha(n)
			known.alpha, known.alphaAt = &alpha, at
		}
	case "buffer-size":
		if slices.ContainsFunc(c.s.words[c.i:], func(w word) bool { return w.text == "exact" }) {
			c.touches(read.Scope{}, "a queue without shared buffer")
			return
		}
		// The queue's share of the dedicated buffer, which the plan takes as nothing: more
		// is held, never less.
		c.s.entry.Sort, c.s.entry.Rule, c.s.entry.Why = read.Neutral, ruleQueueReserve, ""
		return
	default:
		c.touches(read.Scope{}, "a property of a scheduler that is not known here")
		return
	}
	c.modelled()
}

// shape reads a rate such as 8g, 500m or 8000000000.
func (r *reader) shape(c *cursor, known *scheduler) {
	w := c.next()
	digits, unit := w.text, units.BitRate(1)
	for suffix, rate := range map[string]units.BitRate{"k": units.Kbps, "m": units.Mbps, "g": units.Gbps} {
		if cut, ok := strings.CutSuffix(w.text, suffix); ok {
			digits, unit = cut, rate
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > int64(10_000*units.Gbps/unit) {
		r.found.Errorf(Number, w.at, "%q is not a rate in bits per second, with k, m or g", clip(w.text)).Fixf("write a rate such as 10g or 500m")
		return
	}
	known.rate, known.rateAt = units.BitRate(n)*unit, w.at
}

func (r *reader) schedulerMap(c *cursor) {
	name := c.next()
	known := r.maps[name.text]
	if known == nil {
		known = &schedulerMap{scheduler: map[string]word{}}
		r.maps[name.text] = known
	}
	if !c.is("forwarding-class") {
		return
	}
	class := c.next()
	if !c.is("scheduler") {
		return
	}
	if _, again := known.scheduler[class.text]; !again {
		known.order = append(known.order, class)
	}
	known.scheduler[class.text] = c.next()
	c.modelled()
}

func (r *reader) dropProfile(c *cursor) {
	name := c.next()
	known := r.drops[name.text]
	if known == nil {
		known = &dropProfile{at: c.s.at}
		r.drops[name.text] = known
	}
	if !c.is("interpolate") {
		c.touches(read.Scope{}, "a drop profile in steps")
		return
	}
	for !c.over() { // a command may have several leaves
		switch {
		case c.is(row.Of(row.FillLevel).Name()):
			if n, _, ok := c.leaf(row.FillLevel); ok {
				known.level = append(known.level, n)
			}
		case c.is(row.Of(row.DropProbability).Name()):
			if n, _, ok := c.leaf(row.DropProbability); ok {
				known.share = append(known.share, n)
			}
		default:
			c.touches(read.Scope{}, "a drop profile in steps")
			return
		}
	}
	c.modelled()
}

// queues returns the queues of a port with a scheduler map.
func (r *reader) queues(m *schedulerMap) (all []plan.Queue) {
	for _, name := range m.order {
		class := r.class(name.text)
		if r.multicast[name.text] {
			continue
		}
		if class == nil {
			r.undefined(name.at, "forwarding class", name.text, "forwarding-classes")
			continue
		}
		to := m.scheduler[name.text]
		s := r.schedulers[to.text]
		if s == nil {
			r.undefined(to.at, "scheduler", to.text, "schedulers")
			continue
		}
		all = append(all, r.queue(class, s))
	}
	return all
}

func (r *reader) queue(class *forwardingClass, s *scheduler) plan.Queue {
	q := plan.Queue{ID: class.queue, Pool: poolName(plan.Egress, class.noLoss), Range: s.at}
	q.Scheduler = plan.Scheduler{Strict: s.strict, Range: s.at}
	if s.share > 0 || s.shareAt.Filename != "" {
		q.Scheduler.Weight = of(s.share, "transmit rate", s.shareAt)
	}
	if s.rate > 0 {
		q.Scheduler.MaxRate = of(s.rate, "shaping rate", s.rateAt)
	}
	alpha, at := row.DefaultAlpha(true, class.noLoss), diag.Range{}
	if p := r.partitions[plan.Egress][partName(class.noLoss)]; p != nil && p.alpha != nil {
		alpha, at = *p.alpha, p.alphaAt
	}
	if s.alpha != nil {
		if class.noLoss {
			r.found.Errorf(Refused, s.alphaAt, "Junos refuses buffer-dynamic-threshold of a lossless queue").Fixf("set dynamic-threshold of the lossless partition of egress")
		}
		alpha, at = *s.alpha, s.alphaAt
	}
	q.Limit = of(plan.Limit{Dynamic: true, Alpha: alpha}, "dynamic threshold", at)
	r.curve(&q, class, s)
	return q
}

// curve looks at marking. Fill levels are per cent of what the queue may hold, and Juniper
// does not say which figure that is, so the plan has no curve: a finding says so.
func (r *reader) curve(q *plan.Queue, class *forwardingClass, s *scheduler) {
	if s.drop.text == "" {
		return
	}
	profile := r.drops[s.drop.text]
	if profile == nil {
		r.undefined(s.drop.at, "drop profile", s.drop.text, "drop-profiles")
		return
	}
	if len(profile.level) != len(profile.share) {
		r.found.Errorf(Number, profile.at, "the drop profile has %d fill levels and %d probabilities", len(profile.level), len(profile.share)).Fixf("write as many probabilities as fill levels")
	}
	if !s.ecn && class.noLoss {
		r.found.Errorf(Refused, s.drop.at, "the drop profile drops packets of the lossless class %q, since explicit-congestion-notification is missing", class.name).
			Fixf("add explicit-congestion-notification to the scheduler")
		return
	}
	if !slices.IsSorted(profile.level) {
		r.found.Errorf(Number, profile.at, "fill levels %v do not rise", profile.level).Fixf("write them in ascending order, each with its probability")
	}
	if len(profile.share) > 0 && slices.Max(profile.share) == 0 {
		r.found.Errorf(Number, profile.at, "all probabilities are 0: no packet is marked").Fixf("give the last fill level a probability of 1 at least")
	}
	q.CurveRange = profile.at
	q.Curve = plan.LevelsOf(!s.ecn, profile.level, profile.share)
	if !r.reported(NotModelled, profile.at) {
		r.found.Warnf(NotModelled, profile.at, "fill levels are percentages of a limit of the queue that Juniper does not publish, so it is not known at how many bytes marking begins")
	}
}

// reported reports whether there is a finding of a code at a place.
func (r *reader) reported(code diag.Code, at diag.Range) bool {
	for _, d := range r.found {
		if d.Code == code && d.Subject == at {
			return true
		}
	}
	return false
}
