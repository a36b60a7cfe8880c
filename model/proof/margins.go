package proof

import (
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Margin is the distance of the ports of one group with cables of one length from breaking an
// obligation, everything else left as it is.
type Margin struct {
	Group   string       `json:"group"`    // port group, or port where it has none
	Now     units.Length `json:"cable_mm"` // that the ports have
	Cable   units.Length `json:"longest_cable_mm"`
	FanIn   int          `json:"largest_fan_in"`        // ports that may send to one of these
	Classes int          `json:"most_lossless_classes"` // of the switch, like the ones it has
	MTU     units.Bytes  `json:"largest_mtu"`
	// Limits name, by dimension, the obligation that breaks one step beyond; empty where
	// none does up to the bound of the search.
	CableBreaks, FanInBreaks, ClassesBreak, MTUBreaks string
}

// Bounds of the search.
const (
	longestCable = 100_000 // metres
	largestMTU   = units.Bytes(16 * 1024)
	mostClasses  = 8
)

// Margins finds them for every port group with lossless classes and each length of its cables, in
// the order of their first ports. The configuration stays as it is. The world around it changes,
// and for classes the number of groups that need the buffer.
func Margins(sw *plan.Switch, chip *chips.Chip, ctx Context) ([]Margin, error) {
	report, err := Prove(sw, chip, ctx)
	if err != nil {
		return nil, err
	}
	s := &margins{sw: ctx.known(sw), chip: chip, ctx: ctx.trust(report)}
	var found []Margin
	for i := range s.sw.Ports {
		port := &s.sw.Ports[i]
		own := alike{portOrGroup(port), port.Cable}
		known := slices.ContainsFunc(found, func(m Margin) bool { return own == alike{m.Group, m.Now} })
		if port.QoS != nil && port.QoS.PFC != 0 && !known {
			found = append(found, s.of(own))
		}
	}
	return found, nil
}

// alike are the ports of a group that have cables of one length.
type alike struct {
	group string
	cable units.Length
}

func (a alike) has(p *plan.Port) bool { return portOrGroup(p) == a.group && p.Cable == a.cable }

type margins struct {
	sw   *plan.Switch
	chip *chips.Chip
	ctx  Context
}

// breaks returns the first obligation that fails; empty if none does.
func (s *margins) breaks(sw *plan.Switch, ctx Context) string {
	report, err := Prove(sw, s.chip, ctx)
	if err != nil {
		return err.Error()
	}
	for i := range report.Obligations {
		if o := &report.Obligations[i]; o.Verdict == Fails || o.Verdict == Conditional && timed(o) {
			return o.ID
		}
	}
	return ""
}

// timed reports whether an obligation asks for a shorter time or another mix of packets than
// the switch as it is.
func timed(o *Obligation) bool {
	return slices.ContainsFunc(o.Conditions, func(c Condition) bool { return c.Bound > 0 && c.ID != PausedGroups })
}

// trust returns the context in which what a report is conditional on holds: a margin is how far
// the switch is from needing more than that.
func (c Context) trust(report *Report) Context {
	if report.Model == nil {
		return c
	}
	c.trusted = map[string]model.Link{}
	for i := range report.Model.Ports {
		c.trusted[report.Model.Ports[i].Name] = report.Model.Ports[i].Link
	}
	return c
}

// largest bisects for the largest n from a value on that holds up to a bound with which
// nothing breaks, and what does with one more.
func (s *margins) largest(from, bound int64, with world) (n int64, breaks string) {
	low, high := from, bound+1
	for high-low > 1 {
		middle := (low + high) / 2
		sw, ctx := with(middle)
		if broken := s.breaks(sw, ctx); broken == "" {
			low = middle
		} else {
			high, breaks = middle, broken
		}
	}
	return low, breaks
}

func (s *margins) of(ports alike) Margin {
	cable, cableBreaks := s.largest(0, longestCable, s.cables(ports))
	fanIn, fanInBreaks := s.largest(0, int64(max(1, len(s.sw.Ports)-1)), s.senders)
	mtu, mtuBreaks := s.largest(s.mtu(ports), int64(largestMTU), s.frames(ports))
	classes, classesBreak := s.largest(0, mostClasses, s.classes)
	return Margin{
		Group: ports.group, Now: ports.cable, Cable: units.Length(cable) * units.Metre, FanIn: int(fanIn), Classes: int(classes), MTU: units.Bytes(mtu),
		CableBreaks: cableBreaks, FanInBreaks: fanInBreaks, ClassesBreak: classesBreak, MTUBreaks: mtuBreaks,
	}
}

// mtu returns the MTU of ports as they are, 0 where they do not even hold with that.
func (s *margins) mtu(ports alike) int64 {
	for i := range s.sw.Ports {
		if port := &s.sw.Ports[i]; ports.has(port) && s.breaks(s.frames(ports)(int64(port.MTU))) == "" {
			return int64(port.MTU)
		}
	}
	return 0
}

// A world is the switch with n of something: metres of cable, senders, bytes, classes.
type world = func(n int64) (*plan.Switch, Context)

func (s *margins) cables(ports alike) world {
	return func(n int64) (*plan.Switch, Context) {
		return s.changed(ports.has, func(p *plan.Port) { p.Cable = units.Length(n) * units.Metre }), s.ctx
	}
}

func (s *margins) senders(n int64) (*plan.Switch, Context) {
	ctx := s.ctx
	ctx.FanIn = int(n)
	return s.sw, ctx
}

func (s *margins) frames(ports alike) world {
	return func(n int64) (*plan.Switch, Context) {
		return s.changed(ports.has, func(p *plan.Port) { setMTU(p, units.Bytes(max(64, n))) }), s.ctx
	}
}

func (s *margins) classes(n int64) (*plan.Switch, Context) { return s.withClasses(int(n)), s.ctx }

// setMTU makes frames of a port larger or smaller, lossless ones in proportion.
func setMTU(p *plan.Port, mtu units.Bytes) {
	if p.Assumed != nil && p.MTU > 0 && p.Assumed.LosslessFrame.Value > 0 {
		own := *p.Assumed
		own.LosslessFrame.Value = max(64, units.Bytes(units.CeilMulDiv(int64(own.LosslessFrame.Value), int64(mtu), int64(p.MTU))))
		p.Assumed = &own
	}
	p.MTU = mtu
}

// changed returns the switch with some of its ports changed.
func (s *margins) changed(of func(*plan.Port) bool, change func(*plan.Port)) *plan.Switch {
	own := *s.sw
	own.Ports = slices.Clone(s.sw.Ports)
	for i := range own.Ports {
		if of(&own.Ports[i]) {
			declared := s.ctx.declared(&own.Ports[i])
			own.Ports[i].Assumed = &declared
			change(&own.Ports[i])
		}
	}
	return &own
}

// withClasses gives all lossless ports n lossless groups like their first, since a class
// goes through the whole switch, and makes room in the headroom pools for what they need, at the cost of the shared parts.
func (s *margins) withClasses(n int) *plan.Switch {
	built := map[*plan.PortQoS]*plan.PortQoS{}
	addedHeadroom := units.Bytes(0)
	sw := s.changed(func(*plan.Port) bool { return true }, func(p *plan.Port) {
		if p.QoS == nil || p.QoS.PFC == 0 {
			return
		}
		if built[p.QoS] == nil {
			built[p.QoS] = s.multiplied(p.QoS, n)
		}
		addedHeadroom += headroomOf(built[p.QoS]) - headroomOf(p.QoS)
		p.QoS = built[p.QoS]
	})
	sw.Pools = slices.Clone(sw.Pools)
	for i := range sw.Pools {
		if pool := &sw.Pools[i]; pool.Headroom.Value > 0 {
			pool.Headroom.Value = max(0, pool.Headroom.Value+addedHeadroom)
			if s.chip.PoolSize.Or(chips.Gross) == chips.Net {
				pool.Size.Value = max(0, pool.Size.Value-addedHeadroom)
			}
		}
	}
	sw.Maps = plan.Maps{} // number to number: each class has a group and a queue of its own
	return sw
}

func headroomOf(qos *plan.PortQoS) (sum units.Bytes) {
	for _, pg := range qos.PGs {
		if pg.Lossless {
			sum += pg.Headroom.Value
		}
	}
	return sum
}

// multiplied has n lossless groups and queues like the first, and no others.
func (s *margins) multiplied(qos *plan.PortQoS, n int) *plan.PortQoS {
	own := *qos
	own.PGs, own.Queues, own.PFC, own.TCToQueue = nil, nil, 0, nil
	first := slices.IndexFunc(qos.PGs, func(pg plan.PG) bool { return pg.Lossless })
	if first < 0 {
		return &own
	}
	pg := qos.PGs[first]
	fed := slices.IndexFunc(qos.Queues, func(q plan.Queue) bool { return routed(s.sw, qos, pg.ID, q.ID) })
	for id := range n {
		pg.ID = uint8(id)
		own.PGs = append(own.PGs, pg)
		own.PFC |= 1 << id
		if fed >= 0 {
			queue := qos.Queues[fed]
			queue.ID = uint8(id)
			own.Queues = append(own.Queues, queue)
		}
	}
	return &own
}

// routed reports whether a priority group feeds a queue of ports with this qos.
func routed(sw *plan.Switch, qos *plan.PortQoS, pg, queue uint8) bool {
	m, leave := &sw.Maps, sw.QueuesOf(qos)
	if *m == (plan.Maps{}) {
		return pg == queue
	}
	for tc := range m.TCToPG {
		if m.TCToPG[tc] == pg && leave[tc] == queue {
			return true
		}
	}
	return false
}
