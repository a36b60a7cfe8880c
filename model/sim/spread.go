package sim

import (
	"maps"
	"slices"
)

// A Share is the part of a flow that a port carries.
type Share struct {
	Port int // 2i at A and 2i+1 at B of link i
	Part float64
}

// Spread returns the parts of a flow from one host to another that ports carry where every node divides
// what it gets evenly over the ports of its shortest ways, as packets are that take turns; nil if no
// way leads there. It is asked of pairs of hosts, whose answers are in their order.
func (sc *Scenario) Spread(pairs [][2]int) [][]Share {
	topo, clock := newTopology(sc), clock{sc.Times, int32(sc.Wire.Gap)}
	towards := make([][]int, len(sc.Nodes))
	for i, p := range pairs {
		towards[p[1]] = append(towards[p[1]], i)
	}
	out := make([][]Share, len(pairs))
	var r tree
	for dst, own := range towards {
		if len(own) == 0 {
			continue
		}
		r.find(topo, dst, int64(sc.Transport.Payload), clock)
		for _, i := range own {
			out[i] = r.spread(topo, pairs[i][0])
		}
	}
	return out
}

// spread divides what one node sends to the root, level by level.
func (r *tree) spread(t *topology, from int) (list []Share) {
	if r.steps[from].rank < 0 {
		return nil
	}
	buffer := make([]int32, 0, 64)
	for level := map[int]float64{from: 1}; len(level) > 0; {
		next := map[int]float64{}
		for _, node := range slices.Sorted(maps.Keys(level)) {
			hops := r.nextHops(t, node, buffer) // none of the root
			for _, port := range hops {
				part := level[node] / float64(len(hops))
				list = append(list, Share{int(port), part})
				next[t.node(port^1)] += part
			}
		}
		level = next
	}
	return list
}
