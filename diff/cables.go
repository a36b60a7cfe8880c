package diff

import (
	"slices"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A cable joins two ports of switches; b is empty where it leaves the fabric.
type cable struct {
	a, b     plan.LinkEnd
	old, new bool // in which plans it is
}

// cablesOf lists the cables of both plans, each once.
func cablesOf(before, after *plan.Plan) []cable {
	index := map[[2]plan.LinkEnd]int{}
	var all []cable
	for side, links := range [2][]plan.Link{before.Links, after.Links} {
		for _, l := range links {
			ends := [2]plan.LinkEnd{l.A, l.B}
			if compareEnds(ends[1], ends[0]) < 0 && ends[1].Switch != "" {
				ends[0], ends[1] = ends[1], ends[0]
			}
			i, ok := index[ends]
			if !ok {
				i = len(all)
				index[ends] = i
				all = append(all, cable{a: ends[0], b: ends[1]})
			}
			if side == 0 {
				all[i].old = true
			} else {
				all[i].new = true
			}
		}
	}
	return all
}

func compareEnds(a, b plan.LinkEnd) int {
	if c := natural.Compare(a.Switch, b.Switch); c != 0 {
		return c
	}
	return natural.Compare(a.Port, b.Port)
}

// A span is cables between two shapes that change alike.
type span struct {
	a, b    *group // b is nil where they leave the fabric
	action  string // "cable", "connect", "disconnect"
	was, is units.Length
}

// addCables makes a node of each kind of change of cables.
func (o *orderer) addCables() {
	nodes := map[span]*spanNode{}
	var order []*spanNode
	note := func(s span, a, b plan.LinkEnd) {
		n := nodes[s]
		if n == nil {
			n = newSpanNode(s)
			nodes[s] = n
			order = append(order, n)
		}
		n.ports[0][a.Port] = true
		if b.Switch != "" {
			n.ports[1][b.Port] = true
		}
	}
	cabled := map[plan.LinkEnd]bool{}
	for _, c := range o.cables {
		cabled[c.a], cabled[c.b] = true, true
		if s, ok := o.span(c); ok {
			note(s, c.a, c.b)
		}
	}
	for _, g := range o.groups {
		for _, end := range g.loose(cabled) {
			was, is := cableAt(g, end.Port)
			note(span{a: g, action: "cable", was: was, is: is}, end, plan.LinkEnd{})
		}
	}
	for _, n := range order {
		o.nodes = append(o.nodes, n.finish())
	}
}

// span says what becomes of a cable; ok is false where it stays as it is.
func (o *orderer) span(c cable) (s span, ok bool) {
	s.a, s.b = o.of[c.a.Switch], o.of[c.b.Switch]
	if s.a == nil {
		return s, false
	}
	was, is := cableAt(s.a, c.a.Port)
	if s.b != nil {
		w, i := cableAt(s.b, c.b.Port)
		was, is = max(was, w), max(is, i)
	}
	s.was, s.is, s.action = was, is, "cable"
	switch {
	case c.old && !c.new:
		s.action, s.is = "disconnect", 0
	case c.new && !c.old:
		s.action, s.was = "connect", 0
	case was == is:
		return s, false
	}
	return s, true
}

// loose are ports with another cable whose far end no plan names.
func (g *group) loose(cabled map[plan.LinkEnd]bool) (ends []plan.LinkEnd) {
	if g.old == nil || g.new == nil {
		return nil
	}
	for i := range g.new.Ports {
		port := &g.new.Ports[i]
		end := plan.LinkEnd{Switch: g.names[0], Port: port.Name}
		if before := g.at(0, port.Name); before != nil && before.Cable != port.Cable && !cabled[end] {
			ends = append(ends, end)
		}
	}
	return ends
}

func cableAt(g *group, port string) (was, is units.Length) {
	if p := g.at(0, port); p != nil {
		was = p.Cable
	}
	if p := g.at(3, port); p != nil {
		is = p.Cable
	}
	return was, is
}

// A spanNode collects the ports of a span.
type spanNode struct {
	span
	*node
	ports [2]map[string]bool
}

func newSpanNode(s span) *spanNode {
	n := &node{level: levelCables, first: levelCables, rank: s.a.rank, name: s.a.names[0], after: map[*node]bool{}, why: map[Rule]bool{}}
	n.less = s.is < s.was
	return &spanNode{s, n, [2]map[string]bool{{}, {}}}
}

func (n *spanNode) finish() *node {
	change := Change{Quantity: n.action, Old: n.was.String(), New: n.is.String()}
	switch n.action {
	case "connect":
		change.Kind, change.Quantity, change.Old = Added, "cable", ""
	case "disconnect":
		change.Kind, change.Quantity, change.New = Removed, "cable", ""
	}
	m := newMerger()
	for i, g := range []*group{n.a, n.b} {
		if g == nil {
			continue
		}
		var ports []string
		for port := range n.ports[i] {
			ports = append(ports, port)
		}
		slices.SortFunc(ports, natural.Compare)
		m.add(finding{change: change}, g.names, portsOf(ports))
		n.step.Devices = append(n.step.Devices, g.names...)
		n.ends = append(n.ends, spanEnd{g, ports})
	}
	slices.SortFunc(n.step.Devices, natural.Compare)
	n.step.Devices = slices.Compact(n.step.Devices)
	n.step.Action, n.step.Changes = Cable, m.finish()
	return n.node
}

// A spanEnd is the ports at one end of cables that change.
type spanEnd struct {
	group *group
	ports []string
}
