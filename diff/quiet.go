package diff

import (
	"maps"
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// An end is one port of a switch in one state.
type end struct {
	sw   *plan.Switch
	port *plan.Port
}

func (g *group) end(state int, port string) end { return end{g.states[state], g.at(state, port)} }

func qosOf(p *plan.Port) *plan.PortQoS {
	if p == nil {
		return nil
	}
	return p.QoS
}

func (e end) pfc() uint8 {
	if qos := qosOf(e.port); qos != nil {
		return qos.PFC
	}
	return 0
}

// group returns the PG of a code point, and whether it is a lossless one.
func (e end) group(d int) (pg uint8, lossless bool) {
	pg = e.sw.Maps.TCToPG[e.sw.ClassifiedBy(qosOf(e.port))[d]&7]
	return pg, slices.ContainsFunc(pgsOf(e.port), func(g plan.PG) bool { return g.ID == pg && g.Lossless })
}

// stops reports whether a receiver can pause a code point: a priority that it sends for
// its PG stops the queue that the sender has it in.
func stops(sender, receiver end, d int) bool {
	pg, lossless := receiver.group(d)
	if !lossless {
		return false
	}
	queues, both := leavesFrom(sender, d), sender.pfc()&receiver.pfc()
	for p := range 8 {
		if both&(1<<p) != 0 && receiver.sw.Maps.PFCToPG[p] == pg {
			queues &^= 1 << (sender.sw.Maps.PFCToQueue[p] & 15)
		}
	}
	return queues == 0
}

// leavesFrom returns the set of queues that a code point leaves a port from: in the classes that it has on
// those ports on which it comes in lossless, or by the map of the switch where it does on none.
func leavesFrom(e end, d int) (queues uint16) {
	sw, leave := e.sw, e.sw.QueuesOf(qosOf(e.port))
	queue := func(tc uint8) uint16 { return 1 << (leave[tc&7] & 15) }
	var before *plan.PortQoS // ports with the same settings share it
	for i := range sw.Ports {
		port := &sw.Ports[i]
		if port.QoS == nil || port.QoS == before {
			continue
		}
		before = port.QoS
		if _, lossless := (end{sw, port}).group(d); lossless {
			queues |= queue(sw.ClassifiedBy(port.QoS)[d])
		}
	}
	if queues == 0 {
		return queue(sw.Maps.DSCPToTC[d])
	}
	return queues
}

// spoils lists the code points that enter a lossless PG and cannot be paused: they
// fill the headroom of those that can.
func spoils(sender, receiver end) (by [8][]int) {
	for d := range 64 {
		if pg, lossless := receiver.group(d); lossless && !stops(sender, receiver, d) {
			by[pg&7] = append(by[pg&7], d)
		}
	}
	return by
}

// keeps says which code points are lossless from a sender to a receiver.
func keeps(sender, receiver end) (kept [64]bool) {
	if sender.pfc()&receiver.pfc() == 0 {
		return kept
	}
	by := spoils(sender, receiver)
	for d := range kept {
		pg, _ := receiver.group(d)
		kept[d] = stops(sender, receiver, d) && len(by[pg&7]) == 0
	}
	return kept
}

// quiet finds the code points that are lossless before and after, but not between, and
// those that keep others from being so, or whose two places a system cannot have.
func (o *orderer) quiet() []Quiet {
	found := map[int][2]string{}
	for _, g := range o.groups {
		for _, d := range g.stopped {
			if _, ok := found[d]; !ok {
				found[d] = [2]string{g.names[0]}
			}
		}
	}
	type joint struct {
		a, b   *group
		pa, pb string
	}
	seen := map[joint]bool{}
	for _, c := range o.cables {
		j := joint{o.of[c.a.Switch], o.of[c.b.Switch], c.a.Port, c.b.Port}
		if j.a == nil || j.b == nil || seen[j] || !(j.a.differs || j.b.differs) {
			continue
		}
		seen[j] = true
		a, b := j.a.ends(j.pa), j.b.ends(j.pb)
		if a[0].port == nil || b[0].port == nil || a[2].port == nil || b[2].port == nil || steady(a) && steady(b) {
			continue
		}
		names := [2]string{c.a.Switch, c.b.Switch}
		for _, d := range append(unkept(a, b), unkept(b, a)...) {
			if _, ok := found[d]; !ok {
				found[d] = names
			}
		}
	}
	return quietList(found)
}

func quietList(found map[int][2]string) []Quiet {
	r := Rollout{}
	for _, d := range slices.Sorted(maps.Keys(found)) {
		r.Stop(uint8(d), found[d])
	}
	return r.Quiet
}

// Stop notes that packets with a code point are stopped for the change, because they are not lossless between two devices.
func (r *Rollout) Stop(d uint8, between [2]string) {
	i := slices.IndexFunc(r.Quiet, func(q Quiet) bool { return q.A == between[0] && q.B == between[1] })
	if i < 0 {
		i = len(r.Quiet)
		r.Quiet = append(r.Quiet, Quiet{A: between[0], B: between[1]})
	}
	r.Quiet[i].DSCPs = append(r.Quiet[i].DSCPs, d)
	slices.Sort(r.Quiet[i].DSCPs)
}

// ends returns a port before the change, grown, and after it. Moving changes no map.
func (g *group) ends(port string) [3]end {
	return [3]end{g.end(0, port), g.end(1, port), g.end(3, port)}
}

// steady reports whether nothing that classifies or pauses is different.
func steady(e [3]end) bool {
	for i := range 2 {
		x, y := view(e[i].sw, e[i].port), view(e[i+1].sw, e[i+1].port)
		if x.maps != y.maps || x.pfc != y.pfc || x.lossless != y.lossless {
			return false
		}
	}
	return true
}

// unkept goes through the states that the two ends of a cable may be in together.
func unkept(sender, receiver [3]end) (dscps []int) {
	before, after := keeps(sender[0], receiver[0]), keeps(sender[2], receiver[2])
	for _, at := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}} {
		s, r := sender[at[0]], receiver[at[1]]
		by := spoils(s, r)
		for d := range 64 {
			if !before[d] || !after[d] {
				continue
			}
			if !stops(s, r, d) {
				dscps = append(dscps, d)
			}
			pg, _ := r.group(d)
			dscps = append(dscps, by[pg&7]...)
		}
	}
	return dscps
}
