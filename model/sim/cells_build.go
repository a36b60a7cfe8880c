package sim

import (
	"slices"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/cells"
	"github.com/roceplan/roceplan/units"
)

// fused returns the scenario whose leaves have one link each, to the first of the spines, and the links that each
// replaces. On these links packets take the latency of the spine and half of that of both leaves.
func (sc *Scenario) fused() (_ *Scenario, members []cells.Member) {
	own := *sc
	own.Links, members = slices.Clone(sc.Links), make([]cells.Member, len(sc.Links))
	edge, spine := sc.edges(), -1
	up := map[int]int{} // by leaf
	for i := range own.Links {
		l := &own.Links[i]
		members[i].Trunk = cells.None
		if sc.Nodes[l.A] == Host || sc.Nodes[l.B] == Host || l.Unrouted {
			continue
		}
		l.Unrouted, l.Egress = true, [2]*Egress{}
		leaf, other := &l.A, &l.B
		if !edge[*leaf] {
			leaf, other = other, leaf
		}
		if !edge[*leaf] || edge[*other] {
			continue
		}
		if spine < 0 {
			spine = *other
		}
		first, ok := up[*leaf]
		if !ok {
			first = i
			l.Delay += units.Time(sc.pipeline(*leaf)+sc.pipeline(spine)) / 2
			*other, l.Unrouted = spine, false
			up[*leaf] = i
		} else {
			own.Links[first].Rate += l.Rate
		}
		members[i] = cells.Member{Trunk: int32(first), Rate: int64(sc.Links[i].Rate)}
	}
	return &own, members
}

// edges returns the switches with hosts, by node.
func (sc *Scenario) edges() []bool {
	edge := make([]bool, len(sc.Nodes))
	for _, l := range sc.Links {
		if sc.Nodes[l.A] == Host {
			edge[l.B] = true
		} else if sc.Nodes[l.B] == Host {
			edge[l.A] = true
		}
	}
	return edge
}

// buildCells sets up the credits of a fused scenario.
func (s *builder) buildCells(members []cells.Member) {
	if s.sc.Balancing.Mode != balance.Cells {
		return
	}
	c := &cellFabric{out: make([]int32, len(s.ports)), leaf: make([]int32, len(s.sc.Nodes))}
	var leaves []cells.Leaf
	var outs []cells.Out
	for node, edge := range s.sc.edges() {
		if c.leaf[node] = none; edge {
			c.leaf[node] = int32(len(leaves))
			leaves = append(leaves, cells.Leaf{Latency: s.sc.pipeline(node)})
		}
	}
	for i := range s.ports {
		p := &s.ports[i]
		c.out[i] = none
		leaf := c.leaf[p.node]
		switch {
		case p.nic >= 0 || leaf == none:
		case s.ports[i^1].nic >= 0:
			c.out[i] = int32(len(outs))
			c.ports = append(c.ports, int32(i))
			outs = append(outs, cells.Out{Leaf: leaf, Rate: s.configs[i].rate})
		case !s.sc.Links[i/2].Unrouted:
			leaves[leaf].Delay, leaves[leaf].Rate = p.delay-leaves[leaf].Latency/2, s.configs[i].rate
		}
	}
	c.Fabric = cells.New(&s.sc.Balancing.Cells, leaves, outs, members)
	c.voqs = make([]list, len(leaves)*len(outs)*cells.Classes)
	s.cells, s.cameAt = c, make([]int64, 0)
}
