package diff

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A portView has the properties of a port that matter for lossless traffic over its cable.
type portView struct {
	pfc, lossless, marked uint8 // PFC priorities; PGs and queues by number
	headroom              [8]units.Bytes
	speed                 units.BitRate
	mtu                   units.Bytes
	maps                  plan.Maps
}

// bits are which parts of a switch's change matter on a port, and whether they change what is
// lossless or only how much comes.
type bits struct{ matters, classes [3]bool }

func (b *bits) add(c bits) {
	for i := range b.matters {
		b.matters[i] = b.matters[i] || c.matters[i]
		b.classes[i] = b.classes[i] || c.classes[i]
	}
}

// views looks at the ports of a group in all its states. Ports that are lossless in
// none are left out.
func (g *group) views() map[string]bits {
	all := map[string]*[4]portView{}
	for s, sw := range g.states {
		if sw == nil {
			continue
		}
		for i := range sw.Ports {
			name := sw.Ports[i].Name
			if all[name] == nil {
				all[name] = &[4]portView{}
			}
			all[name][s] = view(sw, &sw.Ports[i])
		}
	}
	var resent [3]bool // returned packets change class
	for i := range resent {
		from, to := g.states[i], g.states[i+1]
		resent[i] = from != nil && to != nil && !from.Tunnel.Says(to.Tunnel)
	}
	out := make(map[string]bits, len(all))
	for name, v := range all {
		if v[0].pfc|v[1].pfc|v[2].pfc|v[3].pfc == 0 {
			continue
		}
		var b bits
		for i := range b.matters {
			from, to := v[i], v[i+1]
			b.matters[i] = from != to || resent[i]
			b.classes[i] = resent[i] || from.pfc != to.pfc || from.lossless != to.lossless || from.marked != to.marked || from.maps != to.maps
		}
		out[name] = b
	}
	return out
}

func view(sw *plan.Switch, port *plan.Port) portView {
	v := portView{speed: port.Speed, mtu: port.MTU, maps: sw.Maps}
	v.maps.DSCPToTC, v.maps.TCToQueue = *sw.ClassifiedBy(port.QoS), *sw.QueuesOf(port.QoS)
	if port.QoS == nil {
		return v
	}
	v.pfc = port.QoS.PFC
	for _, pg := range port.QoS.PGs {
		if pg.Lossless {
			v.lossless |= 1 << (pg.ID & 7)
			v.headroom[pg.ID&7] = pg.Headroom.Value
		}
	}
	for _, q := range port.QoS.Queues {
		if q.ECN != nil {
			v.marked |= 1 << (q.ID & 7)
		}
	}
	return v
}

// depend adds what has to come before what.
func (o *orderer) depend() {
	views := map[*group]map[string]bits{}
	whole := map[*group]bits{}
	for _, g := range o.groups {
		if !g.differs {
			continue
		}
		views[g] = g.views()
		var sum bits
		for _, b := range views[g] {
			sum.add(b)
		}
		whole[g] = sum
		g.chain()
	}
	o.overCables(views)
	if len(o.cables) == 0 {
		o.overAll(whole)
	}
	for _, n := range o.nodes {
		for _, end := range n.ends {
			for _, port := range end.ports {
				n.between(end.group, views[end.group][port])
			}
		}
	}
	for _, h := range o.hosts {
		o.cablesOf(h)
		for _, g := range o.groups {
			h.between(g, whole[g])
		}
		o.afterAll(h)
	}
	o.markers(whole)
}

// chain puts the parts of one device in order.
func (g *group) chain() {
	var last *node
	for _, part := range g.parts {
		if part != nil && last != nil {
			part.after[last] = true
		}
		if part != nil {
			last = part
		}
	}
}

// overCables lets the two ends of each cable wait for one another.
func (o *orderer) overCables(views map[*group]map[string]bits) {
	type joint struct {
		a, b   *group
		pa, pb string
	}
	seen := map[joint]bool{}
	for _, c := range o.cables {
		j := joint{o.of[c.a.Switch], o.of[c.b.Switch], c.a.Port, c.b.Port}
		if j.a == nil || j.b == nil || seen[j] {
			continue
		}
		seen[j] = true
		neighbours(j.a, views[j.a][j.pa], j.b, views[j.b][j.pb])
	}
}

// overAll takes every switch for a neighbour of every other, and of those of its shape.
func (o *orderer) overAll(whole map[*group]bits) {
	for i, a := range o.groups {
		for _, b := range o.groups[i:] {
			if a != b || len(a.names) > 1 {
				neighbours(a, whole[a], b, whole[b])
			}
		}
	}
}

func neighbours(a *group, x bits, b *group, y bits) {
	for i := range 3 {
		for j := i + 1; j < 3; j++ {
			if x.matters[i] && y.matters[j] {
				wait(a, i, b, j, x.classes[i] || y.classes[j])
			}
			if y.matters[i] && x.matters[j] {
				wait(b, i, a, j, y.classes[i] || x.classes[j])
			}
		}
	}
}

// wait lets part j of one group wait for part i of another.
func wait(a *group, i int, b *group, j int, classes bool) {
	from, to := a.parts[i], b.parts[j]
	if from == nil || to == nil {
		return
	}
	rule := UnusedLast
	switch {
	case i == 0 && classes:
		rule = ClassFirst
	case i == 0 && j == 1:
		rule = HeadroomFirst
	case i == 1:
		rule = LessFirst
	}
	from.why[rule], to.why[rule] = true, true
	if a == b {
		a.apart[i][j] = true
		return
	}
	to.after[from] = true
}

// between puts cables or hosts between the parts of a switch that matter to them.
// Longer cables wait for headroom, and headroom waits for shorter ones.
func (n *node) between(g *group, b bits) {
	for i, part := range g.parts {
		first, then := part, n
		if part != nil && part.level > n.level {
			first, then = n, part
		}
		apart := n.step.Action == Accept && part != nil && part.level != levelGrow || n.step.Action == Drop && part != nil && part.level != levelShrink
		if part == nil || apart || !b.matters[i] || n.level == levelCables && n.less != (first == n) {
			continue
		}
		rule := HeadroomFirst
		switch {
		case n.step.Action == Accept:
			rule = ClassFirst
		case n.level >= levelHosts && first == n, n.level == levelShrink:
			rule = UnusedLast
		case n.less:
			rule = LessFirst
		case first == part && b.classes[i]:
			rule = ClassFirst
		}
		then.after[first] = true
		first.why[rule], then.why[rule] = true, true
	}
}

// cablesOf puts a part of a NIC's change before or after the cables to it.
func (o *orderer) cablesOf(h *node) {
	for _, n := range o.nodes {
		if n.level == h.level || !slices.ContainsFunc(n.ends, func(e spanEnd) bool { return e.serves(h.name) }) {
			continue
		}
		first, then, rule := h, n, HeadroomFirst
		if n.level < h.level {
			first, then, rule = n, h, LessFirst
		}
		then.after[first] = true
		first.why[rule], then.why[rule] = true, true
	}
}

// serves reports whether NICs of a kind are at these ports.
func (e spanEnd) serves(host string) bool {
	return slices.ContainsFunc(e.ports, func(port string) bool {
		was, is := e.group.at(0, port), e.group.at(3, port)
		return was != nil && was.Peer == host || is != nil && is.Peer == host
	})
}

// markers lets switches whose edge classifies in another way wait for the classes, and
// classes that go wait for them.
func (o *orderer) markers(whole map[*group]bits) {
	for _, m := range o.groups {
		if m.parts[1] == nil || !remarks(m.states[1], m.states[2]) {
			continue
		}
		for _, g := range o.groups {
			if g == m && len(m.names) == 1 {
				continue
			}
			if whole[g].classes[0] {
				wait(g, 0, m, 1, true)
			}
			if whole[g].classes[2] {
				wait(m, 1, g, 2, true)
			}
		}
	}
}

// remarks reports whether rules or trust of a port are different, or what is sent back has
// other code points.
func remarks(a, b *plan.Switch) bool {
	if show(marks(a)) != show(marks(b)) || !a.Tunnel.Says(b.Tunnel) {
		return true
	}
	was := a.PortsByName()
	for i := range b.Ports {
		port := &b.Ports[i]
		if before := was[port.Name]; before != nil && before.QoS != nil && port.QoS != nil && before.QoS.Trust != port.QoS.Trust {
			return true
		}
	}
	return false
}

func marks(sw *plan.Switch) plan.Marking {
	if sw.Marking == nil {
		return plan.Marking{}
	}
	return *sw.Marking
}
