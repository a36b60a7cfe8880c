package eos

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Holds returns what remains of a switch in its EOS configuration, for a switch that
// [Emit] accepts: reading the configuration of its first name gives this back, except
// for Whys and ranges. It changes nothing in s.
//
// Chip, cell size, platform, pools but the headroom pool, speeds, cables and congestion
// control are not there; the role and the targets neither.
func Holds(s *plan.Switch) *plan.Switch {
	rules, _ := rulesFor(s.Chip)
	h := &holder{s: s, mmu: rules.mmu}
	for _, p := range s.Ports {
		if p.QoS != nil {
			h.lossless |= p.QoS.PFC
		}
	}
	out := &plan.Switch{Names: s.Names[:1], OS: "eos", Maps: h.maps()}
	if slices.ContainsFunc(s.Ports, func(p plan.Port) bool { return p.QoS != nil && p.QoS.Trust == plan.TrustNone }) {
		out.Marking = s.Marking
	}
	if s.LoadBalancing == "flowlet" && rules.dynamic {
		out.LoadBalancing = "flowlet"
	}
	out.Classes = h.classes(out.Maps)
	if pool := (&builder{s: s}).headroomPool(); pool > 0 && rules.mmu {
		out.Pools = []plan.Pool{{Name: "headroom_pool", Direction: plan.Ingress, Dynamic: true, Headroom: value(units.Bytes(pool))}}
	}
	out.Watchdog = watchdogHeld(s.Watchdog)
	for _, p := range s.Ports {
		if p.QoS != nil {
			out.Ports = append(out.Ports, plan.Port{Name: p.Name, MTU: p.MTU, Routed: p.Routed, QoS: h.qos(p.QoS)})
		}
	}
	return out
}

type holder struct {
	s        *plan.Switch
	mmu      bool
	lossless uint8 // priorities with PFC on any port
}

func value[T any](v T) plan.Derived[T] { return plan.Derived[T]{Value: v} }

// maps keeps DSCPs and queues. Where a pause of a priority acts and in which group a
// class lies follows from its number; lossy classes lie in group 0 after reading.
func (h *holder) maps() plan.Maps {
	m := plan.Maps{DSCPToTC: h.s.Maps.DSCPToTC, TCToQueue: h.s.Maps.TCToQueue}
	m.TCToQueue[7] = 7
	m.PFCToQueue = m.TCToQueue
	for p := range uint8(8) {
		if h.lossless&(1<<p) != 0 {
			m.TCToPG[p], m.PFCToPG[p] = p, p
		}
	}
	return m
}

// classes keeps the first class of each traffic class that has a name or a code point.
func (h *holder) classes(m plan.Maps) (out []plan.Class) {
	for tc := range uint8(8) {
		c := plan.Class{Name: fmt.Sprintf("tc-%d", tc), TrafficClass: tc, Queue: m.TCToQueue[tc], DSCPs: m.DSCPsOf(tc)}
		i := slices.IndexFunc(h.s.Classes, func(c plan.Class) bool { return c.TrafficClass == tc })
		if i < 0 && c.DSCPs == nil {
			continue
		}
		if i >= 0 {
			c.Name = h.s.Classes[i].Name
		}
		if h.lossless&(1<<tc) != 0 {
			c.Lossless, c.PFC, c.PG = true, tc, tc
		}
		out = append(out, c)
	}
	return out
}

func watchdogHeld(w *plan.Watchdog) *plan.Watchdog {
	if w == nil {
		return nil
	}
	return &plan.Watchdog{
		Detection:   value((w.Detection.Value + 10*units.Millisecond - 1) / (10 * units.Millisecond) * (10 * units.Millisecond)),
		Restoration: value((w.Restoration.Value + 10*units.Millisecond - 1) / (10 * units.Millisecond) * (10 * units.Millisecond)),
		Poll:        value(w.Poll.Value / units.Millisecond * units.Millisecond),
		Action:      w.Action,
	}
}

func (h *holder) qos(q *plan.PortQoS) *plan.PortQoS {
	out := &plan.PortQoS{Trust: q.Trust, PFC: q.PFC, Watchdog: q.Watchdog}
	for id := range uint8(8) {
		if g, ok := h.pg(id, q.PFC&(1<<id) != 0); ok {
			out.PGs = append(out.PGs, g)
		}
	}
	weights := make([]int64, len(q.Queues))
	for i, queue := range q.Queues {
		if !queue.Scheduler.Strict {
			weights[i] = queue.Scheduler.Weight.Value
		}
	}
	percent := map[uint8]int64{}
	for i, p := range emit.Percentages(weights) {
		percent[q.Queues[i].ID] = p
	}
	shared := false // a higher queue has a weight
	for id := 7; id >= 0; id-- {
		at := slices.IndexFunc(q.Queues, func(q plan.Queue) bool { return int(q.ID) == id })
		switch {
		case at >= 0:
			out.Queues = append(out.Queues, h.queue(q.Queues[at], percent[uint8(id)]))
			shared = shared || !q.Queues[at].Scheduler.Strict
		case h.mmu && h.anyHas(uint8(id)):
			out.Queues = append(out.Queues, h.queue(plan.Queue{ID: uint8(id), Scheduler: plan.Scheduler{Strict: !shared}}, 0))
		}
	}
	slices.Reverse(out.Queues)
	return out
}

// pg joins a priority group over all ports. A lossless one is there where the port
// has PFC, a lossy one on all ports: nothing in EOS bounds it to some.
func (h *holder) pg(id uint8, pfc bool) (out plan.PG, found bool) {
	out = plan.PG{ID: id, Lossless: pfc}
	if !h.mmu || !pfc && h.lossless&(1<<id) != 0 {
		return out, pfc
	}
	for _, p := range h.s.Ports {
		if p.QoS == nil {
			continue
		}
		for _, g := range p.QoS.PGs {
			if g.Lossless {
				out.Headroom.Value = max(out.Headroom.Value, g.Headroom.Value)
				out.XOnOffset.Value = max(out.XOnOffset.Value, g.XOnOffset.Value)
			}
			if g.ID == id {
				found = true
				out.Reserved.Value = max(out.Reserved.Value, g.Reserved.Value)
				out.Limit.Value = h.limit(g.Limit.Value)
			}
		}
	}
	if !pfc {
		out.Headroom.Value, out.XOnOffset.Value = 0, 0
	}
	return out, found
}

// limit returns EOS's form of a limit: one that only its pool bounds becomes the
// largest threshold. Emit refuses all other static ones.
func (h *holder) limit(l plan.Limit) plan.Limit {
	if !l.Dynamic {
		return plan.Limit{Dynamic: true, Alpha: 3}
	}
	return l
}

// anyHas reports whether some port has a queue: then the buffer profile names it, and
// reading finds it on all ports, under the default scheduler where a port is silent.
func (h *holder) anyHas(id uint8) bool {
	return slices.ContainsFunc(h.s.Ports, func(p plan.Port) bool {
		return p.QoS != nil && slices.ContainsFunc(p.QoS.Queues, func(q plan.Queue) bool { return q.ID == id })
	})
}

// larger joins the limit of a queue on one port with what the ports before it have:
// the larger counts. A lossless queue may be without limit.
func (h *holder) larger(queue uint8, have, l plan.Limit) plan.Limit {
	lossless := false
	for p, q := range h.s.Maps.TCToQueue {
		lossless = lossless || q == queue && h.lossless&(1<<p) != 0
	}
	switch {
	case have.Static == plan.NoLimit, lossless && !l.Dynamic:
		return plan.Limit{Static: plan.NoLimit}
	case have.Dynamic && have.Alpha >= h.limit(l).Alpha:
		return have
	}
	return h.limit(l)
}

func (h *holder) queue(q plan.Queue, percent int64) plan.Queue {
	out := plan.Queue{ID: q.ID, Scheduler: plan.Scheduler{Strict: q.Scheduler.Strict, Weight: value(percent)}}
	if q.Scheduler.Strict {
		out.Scheduler.Weight.Value = 0
	}
	out.Scheduler.MaxRate.Value = (q.Scheduler.MaxRate.Value + units.Kbps - 1) / units.Kbps * units.Kbps
	if e := q.ECN; e != nil {
		out.ECN = &plan.ECN{KMin: value(e.KMin.Value), KMax: value(e.KMax.Value), PMax: value(units.Ratio(format.WholePerCent.Fit(int64(e.PMax.Value))) * units.Percent)}
	}
	if !h.mmu {
		return out
	}
	for _, p := range h.s.Ports {
		if p.QoS == nil {
			continue
		}
		for _, other := range p.QoS.Queues {
			if other.ID == q.ID {
				out.Reserved.Value = max(out.Reserved.Value, other.Reserved.Value)
				out.Limit.Value = h.larger(q.ID, out.Limit.Value, other.Limit.Value)
			}
		}
	}
	return out
}
