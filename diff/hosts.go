package diff

import (
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// A NIC is the NICs of one kind before and after a step; nil where the kind is new or gone.
type NIC struct{ Was, Is *plan.Host }

// Resends reports whether RDMA traffic is sent with another ToS.
func (n NIC) Resends() bool {
	return n.Was != nil && n.Is != nil && tosOf(n.Was) >= 0 && tosOf(n.Was) != tosOf(n.Is)
}

// tosOf returns the ToS of RDMA traffic, −1 where there is none.
func tosOf(h *plan.Host) int {
	if c := h.RDMA(); c != nil {
		return c.ToS()
	}
	return -1
}

func tosText(h *plan.Host) string {
	if tos := tosOf(h); tos >= 0 {
		return strconv.Itoa(tos)
	}
	return ""
}

// addHosts adds the changes of NICs in up to three parts.
func (o *orderer) addHosts(before, after *plan.Plan) {
	for _, name := range bothNames(before.Hosts, after.Hosts, func(h *plan.Host) string { return h.Name }) {
		was, is := before.Host(name), after.Host(name)
		states := hostStates(was, is)
		for i, level := range []int{levelReady, levelHosts, levelShrink} {
			nic := NIC{states[i], states[i+1]}
			m := newMerger()
			m.hosts(&plan.Plan{Hosts: hostList(nic.Was)}, &plan.Plan{Hosts: hostList(nic.Is)})
			changes := m.finish()
			if len(changes) == 0 {
				continue
			}
			action := Host
			switch {
			case level == levelReady && (nic.Was.Priorities != nic.Is.Priorities || nic.Was.Lossless() != nic.Is.Lossless()):
				action = Accept
			case level == levelShrink:
				action = Drop
			}
			o.hosts = append(o.hosts, &node{less: level == levelReady && is.MTU < was.MTU, level: level, first: level, rank: -1, name: name, after: map[*node]bool{}, why: map[Rule]bool{},
				step: Step{Action: action, Devices: []string{name}, Changes: changes, NICs: []NIC{nic}}})
		}
	}
	stable.Sort(o.hosts, compareNodes)
	o.nodes = append(o.nodes, o.hosts...)
}

func hostList(h *plan.Host) []*plan.Host {
	if h == nil {
		return nil
	}
	return []*plan.Host{h}
}

// hostStates returns the states of NICs in turn. Before switches change, NICs get smaller frames, a larger
// receive buffer with its inputs, and the classes that they will receive. They receive the classes that they
// no longer send until the end.
func hostStates(was, is *plan.Host) [4]*plan.Host {
	if was == nil || is == nil {
		return [4]*plan.Host{was, was, is, is}
	}
	ready, sent := accepting(was, is, " (new)"), accepting(is, was, " (old)")
	ready.MTU = min(was.MTU, is.MTU)
	if is.Buffer.Value > was.Buffer.Value {
		ready.Buffer, ready.Cable, ready.Speed = is.Buffer, is.Cable, is.Speed
	}
	return [4]*plan.Host{was, ready, sent, is}
}

// accepting returns a NIC that sends as it does, and also takes in what is lossless for another. A class that it
// does not send in is strict: it needs no share. If the two cannot be had together, because a priority is
// lossless for one alone, or code points would be sent otherwise, the NIC is left as it is.
func accepting(h, other *plan.Host, which string) *plan.Host {
	all := *h
	all.Classes = slices.Clone(h.Classes)
	lossless, theirs := h.Lossless(), other.Lossless()
	var own [64]bool // code points that are lossless already
	for d, p := range h.Priorities {
		own[d] = lossless>>(p&7)&1 == 1
	}
	for i := range h.Classes {
		for _, d := range h.Classes[i].DSCPs {
			own[d&63] = own[d&63] || h.Classes[i].Lossless
		}
	}
	for i := range other.Classes {
		c := &other.Classes[i]
		if !c.Lossless {
			continue
		}
		same := slices.IndexFunc(all.Classes, func(o plan.HostClass) bool { return o.Name == c.Name && o.Priority == c.Priority })
		if same >= 0 {
			all.Classes[same].Lossless = true
		}
		var more []uint8
		for _, d := range c.DSCPs {
			if !own[d&63] && !(same >= 0 && slices.Contains(all.Classes[same].DSCPs, d)) {
				more = append(more, d)
			}
		}
		for i := range all.Classes {
			all.Classes[i].DSCPs = stable.Delete(slices.Clone(all.Classes[i].DSCPs), func(d uint8) bool { return slices.Contains(more, d) })
		}
		for _, d := range more {
			all.Priorities[d&63] = c.Priority
		}
		switch {
		case same >= 0:
			all.Classes[same].DSCPs = append(all.Classes[same].DSCPs, more...)
		case len(more) > 0 || lossless>>(c.Priority&7)&1 == 0:
			added := *c
			added.Name, added.DSCPs, added.Strict, added.Share = c.Name+which, more, true, 0
			all.Classes = append(all.Classes, added)
		}
	}
	mixed := slices.ContainsFunc(all.Classes, func(c plan.HostClass) bool { return !c.Lossless && theirs>>(c.Priority&7)&1 == 1 })
	if mixed || tosOf(&all) != tosOf(h) {
		all = *h
	}
	return &all
}

// afterAll puts a part of a NIC's change after the earlier parts of all NICs: all receive a lossless class
// before one sends it, and drop it when none sends it any more.
func (o *orderer) afterAll(h *node) {
	for _, n := range o.hosts {
		rule := ClassFirst
		switch {
		case n.step.Action == Accept && h.level == levelHosts:
		case n.level == levelHosts && h.step.Action == Drop:
			rule = UnusedLast
		default:
			continue
		}
		h.after[n] = true
		h.why[rule], n.why[rule] = true, true
	}
}
