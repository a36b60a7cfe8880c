package adopt

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A tally counts values and gives the one that is most usual, of equal ones the first.
type tally[T comparable] struct {
	count map[T]int
	order []T
}

func (t *tally[T]) add(v T, n int) {
	if t.count == nil {
		t.count = map[T]int{}
	}
	if t.count[v] == 0 {
		t.order = append(t.order, v)
	}
	t.count[v] += n
}

func (t *tally[T]) usual() (best T, ok bool) {
	for _, v := range t.order {
		if !ok || t.count[v] > t.count[best] {
			best, ok = v, true
		}
	}
	return best, ok
}

// classesOf takes the classes that most devices have, of formats that can say losslessness
// where there are any: a fabric has one set of classes.
func classesOf(shapes []*Shape, reserved func(name string) bool) []*class {
	var votes tally[string]
	first := map[string]*Shape{}
	lossless := slices.ContainsFunc(shapes, func(s *Shape) bool { return s.lossless() })
	for _, s := range shapes {
		if len(s.Said.Classes) == 0 || lossless && !s.lossless() {
			continue
		}
		key := ""
		for _, c := range s.Said.Classes {
			key += fmt.Sprintln(c.TrafficClass, c.Queue, c.PG, c.PFC, c.Lossless, c.DSCPs)
		}
		votes.add(key, len(s.Names))
		if first[key] == nil {
			first[key] = s
		}
	}
	best, ok := votes.usual()
	if !ok {
		return nil
	}
	var classes []*class
	for _, c := range first[best].Said.Classes {
		classes = joinClass(classes, &class{Class: c})
	}
	classes = othersOf(&first[best].Said.Maps, classes)
	classes = sendBack(classes, shapes)
	chooseRest(classes)
	selectors(classes)
	for _, c := range classes {
		c.measure(shapes)
	}
	nameClasses(classes, reserved)
	stable.Sort(classes, func(a, b *class) int { return cmp.Compare(place(a), place(b)) })
	return classes
}

// othersOf adds the class of code points that go to a queue of which the files make no class, as to the default one.
func othersOf(m *plan.Maps, classes []*class) []*class {
	for tc := range uint8(8) {
		has := func(c *class) bool { return c.TrafficClass == tc || c.Queue == m.TCToQueue[tc] }
		if dscps := m.DSCPsOf(tc); len(dscps) > 0 && !slices.ContainsFunc(classes, has) {
			classes = append(classes, &class{Class: plan.Class{TrafficClass: tc, Queue: m.TCToQueue[tc], PG: m.TCToPG[tc], DSCPs: dscps}})
		}
	}
	return classes
}

func (s *Shape) lossless() bool {
	return slices.ContainsFunc(s.Said.Classes, func(c plan.Class) bool { return c.Lossless })
}

// place returns the order in which people write classes: CNPs, lossless ones, others, the rest.
func place(c *class) int {
	switch {
	case c.rest:
		return 300
	case c.scheduler.Strict && !c.Lossless:
		return int(c.TrafficClass)
	case c.Lossless:
		return 100 + int(c.TrafficClass)
	}
	return 200 + int(c.TrafficClass)
}

// joinClass adds a class, or its code points to one that has its queue already and is lossy:
// two traffic classes of one queue differ in nothing that a packet feels.
func joinClass(all []*class, c *class) []*class {
	for _, have := range all {
		if have.Queue == c.Queue && !have.Lossless && !c.Lossless && have.PG == c.PG {
			have.DSCPs = append(slices.Clone(have.DSCPs), c.DSCPs...)
			slices.Sort(have.DSCPs)
			return all
		}
	}
	return append(all, c)
}

// chooseRest finds the lossy class that takes what others leave: the one with most code
// points.
func chooseRest(classes []*class) {
	var best *class
	for _, c := range classes {
		if !c.Lossless && len(c.DSCPs) > 0 && (best == nil || len(c.DSCPs) > len(best.DSCPs)) {
			best = c
		}
	}
	if best != nil {
		best.rest = true
	}
}

// selectors gives classes that the files fill by 802.1p priority alone the class selector of their traffic class, where
// no other class but the rest takes it: those of a fabric are of code points.
func selectors(classes []*class) {
	for _, c := range classes {
		dscp := 8 * (c.TrafficClass & 7)
		taken := slices.ContainsFunc(classes, func(o *class) bool { return !o.rest && slices.Contains(o.DSCPs, dscp) })
		if c.byPriority = len(c.DSCPs) == 0; c.byPriority && !taken {
			c.DSCPs = []uint8{dscp}
		}
	}
}

// measure takes what most ports say of the queue and the group of a class.
func (c *class) measure(shapes []*Shape) {
	type schedule struct {
		strict bool
		weight int64
		cap    units.BitRate
	}
	var schedules tally[schedule]
	var curves tally[curve]
	var alphas tally[units.Alpha]
	var fills tally[plan.Levels]
	for _, s := range shapes {
		for i := range s.Said.Ports {
			q := s.Said.Ports[i].QoS
			if q == nil {
				continue
			}
			for j := range q.Queues {
				queue := &q.Queues[j]
				if queue.ID != c.Queue {
					continue
				}
				if sch := queue.Scheduler; sch.Strict || sch.Weight.Value > 0 {
					schedules.add(schedule{sch.Strict, sch.Weight.Value, sch.MaxRate.Value}, len(s.Names))
				}
				if e := queue.ECN; e != nil {
					curves.add(said(e), len(s.Names))
				}
				if queue.Curve != "" {
					fills.add(queue.Curve, len(s.Names))
				}
			}
			for _, g := range q.PGs {
				if c.Lossless && g.ID == c.PG && g.Limit.Value.Dynamic {
					alphas.add(g.Limit.Value.Alpha, len(s.Names))
				}
			}
		}
	}
	best, ok := schedules.usual()
	c.scheduler = plan.Scheduler{Strict: best.strict, Weight: plan.Of(min(best.weight, 100), nil), MaxRate: plan.Of(best.cap, nil)}
	if !ok { // the default of SAI: saischeduler.h, SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT
		c.scheduler.Weight, c.unweighed = plan.Of(int64(1), nil), true
	}
	if e, ok := curves.usual(); ok {
		c.curve = &plan.ECN{KMin: plan.Of(e.kmin, nil), KMax: plan.Of(e.kmax, nil), PMax: plan.Of(e.pmax, nil)}
	}
	if alpha, ok := alphas.usual(); ok {
		c.alpha = &alpha
	}
	c.fill, c.byFill = fills.usual()
}

// unscheduled reports whether no file says how the queue of a class is served, and it is above all that share by weight.
func (s *sketch) unscheduled(c *class) bool {
	return c.unweighed && !slices.ContainsFunc(s.classes, func(o *class) bool {
		return !o.unweighed && !o.scheduler.Strict && o.Queue > c.Queue
	})
}

// timed finds the delays that give all curves of a class, where there are such.
func (c *class) timed(blocks []*block) {
	low, high := delays{}, delays{units.Second, units.Second}
	seen := false
	for _, b := range blocks {
		if b.chip == nil {
			continue
		}
		step := markingStep(b.chip)
		for _, g := range b.groups {
			for _, p := range g.ports {
				if e := curveOf(p, c.Queue); e != nil && g.speed > 0 {
					seen = true
					narrow(&low.expected, &high.expected, e.KMin.Value, step, g.speed)
					narrow(&low.tolerable, &high.tolerable, e.KMax.Value, step, g.speed)
				}
			}
		}
	}
	expected, okMin := roundest(low.expected, high.expected)
	tolerable, okMax := roundest(low.tolerable, high.tolerable)
	if seen && okMin && okMax && expected < tolerable {
		c.delays = delays{expected, tolerable}
	}
}

// bySpeed finds the usual curve of the ports of each speed, where it is not that of the class.
func (c *class) bySpeed(blocks []*block) {
	if c.curve == nil {
		return
	}
	all := map[units.BitRate]*tally[curve]{}
	for _, b := range blocks {
		for _, g := range b.groups {
			for _, p := range g.ports {
				if e := curveOf(p, c.Queue); e != nil && g.speed > 0 {
					if all[g.speed] == nil {
						all[g.speed] = &tally[curve]{}
					}
					all[g.speed].add(said(e), 1)
				}
			}
		}
	}
	for _, speed := range stable.Sorted(maps.Keys(all), cmp.Compare) {
		if e, ok := all[speed].usual(); ok && e != said(c.curve) {
			c.curvesAt = append(c.curvesAt, curveAt{speed, e})
		}
	}
}

func said(e *plan.ECN) curve { return curve{e.KMin.Value, e.KMax.Value, e.PMax.Value} }

func markingStep(chip *chips.Chip) units.Bytes {
	return max(1, chip.ECNGranularity.Or(chip.CellSize.Or(1)))
}

func curveOf(p *plan.Port, queue uint8) *plan.ECN {
	if p.QoS == nil {
		return nil
	}
	for i := range p.QoS.Queues {
		if q := &p.QoS.Queues[i]; q.ID == queue {
			return q.ECN
		}
	}
	return nil
}

// curvesText is equal for ports whose queues mark alike.
func curvesText(p *plan.Port) (text string) {
	if p.QoS == nil {
		return ""
	}
	for i := range p.QoS.Queues {
		if q := &p.QoS.Queues[i]; q.ECN != nil {
			text += fmt.Sprintln(q.ID, said(q.ECN))
		}
	}
	return text
}

// narrow keeps the delays that give a threshold at a rate: from that of the threshold up to
// that of the next step, exclusively.
func narrow(low, high *units.Time, threshold, step units.Bytes, rate units.BitRate) {
	*low = max(*low, rate.CeilTime(threshold))
	*high = min(*high, rate.CeilTime(threshold+step)-1)
}

// roundest finds the delay between two that people would write, in tenths of microseconds at
// the finest; false where there is none.
func roundest(low, high units.Time) (units.Time, bool) {
	for _, step := range []units.Time{100 * units.Microsecond, 50 * units.Microsecond, 10 * units.Microsecond, 5 * units.Microsecond, units.Microsecond, 500 * units.Nanosecond, 100 * units.Nanosecond} {
		if t := units.Time(units.CeilMulDiv(int64(low), 1, int64(step))) * step; t >= low && t <= high && t > 0 {
			return t, true
		}
	}
	return 0, false
}

// cnpDSCP is the code point of CNPs on NVIDIA's NICs, by which a strict class is named.
const cnpDSCP = 48

// reserves reports whether a system of the files keeps a name for a queue or class of its own: fc3 of SR Linux, which files
// have for its own classes.
func (im *importer) reserves(name string) bool {
	return slices.ContainsFunc(im.Targets, func(t emit.Target) bool {
		return t.Reserves != nil && t.Reserves(name) && slices.ContainsFunc(im.shapes, func(s *Shape) bool { return s.As.Name == t.Name })
	})
}

// nameClasses names those that have no name of their own, or one that says a number only or is reserved.
func nameClasses(classes []*class, reserved func(name string) bool) {
	lossless := 0
	for _, c := range classes {
		if c.Lossless {
			lossless++
		}
	}
	taken := map[string]bool{}
	for _, c := range classes {
		name := c.Name
		switch {
		case name != "" && isName(name) && !isNumbered(name) && !reserved(name):
		case c.Lossless && lossless == 1:
			name = "rdma"
		case c.Lossless:
			name = fmt.Sprintf("lossless-%d", c.PFC)
		case c.rest:
			name = "rest"
		case c.scheduler.Strict && slices.Contains(c.DSCPs, cnpDSCP):
			name = "cnp"
		case c.scheduler.Strict:
			name = fmt.Sprintf("strict-%d", c.Queue)
		default:
			name = fmt.Sprintf("queue-%d", c.Queue)
		}
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", name, n)
		}
		taken[name] = true
		c.Name = name
	}
}
