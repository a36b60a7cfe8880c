package openconfig

import (
	"cmp"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// holds returns what remains of a switch in its OpenConfig document, for a switch
// that [Emit] accepts: reading the document gives this back, except for Whys and ranges.
//
// Names of devices, PFC, priority groups, pools, the watchdog and load balancing are
// not there. Neither are the numbers of traffic classes: after reading, a class has
// the number of its queue, or the lowest free one where a class with a smaller name
// took it. On EOS, queues have no numbers either; they are counted in the order of
// their names.
func holds(s *plan.Switch) *plan.Switch {
	h := &holder{s: s, eos: s.OS == "eos"}
	h.number()
	out := &plan.Switch{OS: "openconfig", Classes: h.classes(), Marking: h.marking()}
	for i := range uint8(8) {
		out.Maps.TCToQueue[i], out.Maps.PFCToQueue[i] = i, i
	}
	for _, c := range out.Classes {
		out.Maps.TCToQueue[c.TrafficClass] = c.Queue
		for _, d := range c.DSCPs {
			out.Maps.DSCPToTC[d] = c.TrafficClass
		}
	}
	for _, p := range s.Ports {
		if p.QoS == nil {
			continue
		}
		held := plan.Port{Name: p.Name, MTU: p.MTU, QoS: h.qos(p.QoS)}
		if h.eos {
			held.MTU = 0
		}
		out.Ports = append(out.Ports, held)
	}
	slices.SortFunc(out.Ports, func(a, b plan.Port) int { return natural.Compare(a.Name, b.Name) })
	return out
}

type holder struct {
	s      *plan.Switch
	eos    bool
	groups map[string]uint8 // traffic class before, by name
	after  map[string]uint8 // traffic class after reading, by name
	queues map[uint8]uint8  // queue number after reading, by number before
}

// number renumbers queues and traffic classes as reading does.
func (h *holder) number() {
	h.groups, h.after, h.queues = map[string]uint8{}, map[string]uint8{}, map[uint8]uint8{}
	for _, c := range h.s.Classes {
		h.groups[c.Name] = c.TrafficClass
	}
	used := h.s.Maps.DSCPToTC[:]
	if h.marks() {
		used = append(slices.Clone(used), h.s.Marking.DefaultTC)
		for _, r := range h.s.Marking.Rules {
			used = append(used, r.TC)
		}
	}
	for _, tc := range used {
		h.groups[h.s.TrafficClassName(tc)] = tc
	}
	for _, tc := range h.groups {
		h.queues[h.s.Maps.TCToQueue[tc]] = h.s.Maps.TCToQueue[tc]
	}
	for _, p := range h.s.Ports {
		if p.QoS != nil {
			for _, q := range p.QoS.Queues {
				h.queues[q.ID] = q.ID
			}
		}
	}
	if h.eos {
		byName := slices.SortedFunc(maps.Keys(h.queues), func(a, b uint8) int { return cmp.Compare(h.s.QueueName(a), h.s.QueueName(b)) })
		for i, q := range byName {
			h.queues[q] = uint8(i)
		}
	}
	var taken [8]bool
	for _, name := range slices.Sorted(maps.Keys(h.groups)) {
		tc := h.queues[h.s.Maps.TCToQueue[h.groups[name]]]
		if taken[tc] {
			tc = uint8(slices.Index(taken[:], false))
		}
		h.after[name], taken[tc] = tc, true
	}
}

func (h *holder) classes() (out []plan.Class) {
	for name, tc := range h.groups {
		c := plan.Class{Name: name, TrafficClass: h.after[name], Queue: h.queues[h.s.Maps.TCToQueue[tc]]}
		if h.s.TrafficClassName(tc) == name {
			c.DSCPs = h.s.Maps.DSCPsOf(tc)
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b plan.Class) int { return cmp.Compare(a.TrafficClass, b.TrafficClass) })
	return out
}

func (h *holder) marks() bool { return (&builder{s: h.s, eos: h.eos}).marks() }

func (h *holder) marking() *plan.Marking {
	if !h.marks() {
		return nil
	}
	m := h.s.Marking
	out := &plan.Marking{Default: m.Default, DefaultTC: h.after[h.s.TrafficClassName(m.DefaultTC)]}
	for _, r := range m.Rules {
		out.Rules = append(out.Rules, plan.MarkRule{UDPPort: r.UDPPort, DSCP: r.DSCP, TC: h.after[h.s.TrafficClassName(r.TC)]})
	}
	return out
}

func (h *holder) qos(q *plan.PortQoS) *plan.PortQoS {
	out := &plan.PortQoS{Trust: q.Trust}
	for _, queue := range q.Queues {
		out.Queues = append(out.Queues, h.queue(queue))
	}
	slices.SortFunc(out.Queues, func(a, b plan.Queue) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

func value[T any](v T) plan.Derived[T] { return plan.Derived[T]{Value: v} }

func (h *holder) queue(q plan.Queue) plan.Queue {
	out := plan.Queue{ID: h.queues[q.ID], Scheduler: plan.Scheduler{Strict: q.Scheduler.Strict}}
	if q.Scheduler.Strict {
		out.Scheduler.MaxRate = value(q.Scheduler.MaxRate.Value)
	} else {
		out.Scheduler.Weight = value(q.Scheduler.Weight.Value)
	}
	if e := q.ECN; e != nil {
		out.ECN = &plan.ECN{KMin: value(e.KMin.Value), KMax: value(e.KMax.Value), PMax: value(units.Ratio(format.WholePerCent.Fit(int64(e.PMax.Value))) * units.Percent)}
	}
	if !h.eos {
		out.Reserved, out.Limit = value(q.Reserved.Value), value(q.Limit.Value)
	}
	return out
}
