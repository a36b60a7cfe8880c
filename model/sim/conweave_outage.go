package sim

import (
	"slices"
)

// reweave finds the paths of all queue pairs again, and the ways of their acknowledgements. Packets
// under way keep theirs.
func (s *engine) reweave(topo *topology) {
	towards, back := make([][]int, len(topo.nodes)), make([][]int, len(topo.nodes)) // queue pairs by host
	for pair := range s.flows {
		f := &s.flows[pair]
		src, dst := topo.node(f.port), topo.node(f.receiver)
		towards[dst], back[src] = append(towards[dst], pair), append(back[src], pair)
	}
	w, r := newWeaverBuilder(s), &tree{}
	for root := range topo.nodes {
		if len(towards[root])+len(back[root]) == 0 {
			continue
		}
		r.find(topo, root, s.transport.payload, s.clock)
		for _, pair := range towards[root] {
			w.again(pair, topo, r)
		}
		for _, pair := range back[root] {
			s.reverse(pair, topo, r)
		}
	}
}

// again gives a queue pair between two leaves its paths, and lets it begin a new epoch if they are
// others than before.
func (w *weaverBuilder) again(pair int, topo *topology, tree *tree) {
	s, f := w.s, &w.s.flows[pair]
	if f.dataRoute != unwoven {
		return
	}
	before := s.woven[pair].ports(s.routes)
	paths := w.find(pair, topo, tree, f.receiver^1, s.weaver.RTT(int32(pair)))
	route := &s.woven[pair]
	after := route.ports(s.routes)
	others := !slices.Equal(before, after)
	if others && route.count > 0 {
		paths.RTT = w.rtt(after[:route.hops])
	}
	s.weaver.SetPaths(int32(pair), paths, others)
}

// reverse gives a queue pair's acknowledgements the way to the root of a tree.
func (s *engine) reverse(pair int, topo *topology, tree *tree) {
	f, there := &s.flows[pair], &s.inbound[pair]
	path := tree.path(topo, topo.node(f.receiver), s.outages.keys[pair].Reversed())
	switch {
	case path == nil || path[0] != f.receiver:
		there.ackRoute = noRoute
	case there.ackRoute == noRoute || !s.isRoute(there.ackRoute, path[1:]):
		there.ackRoute = s.addRoute(path[1:])
	}
}

// isRoute reports whether a route begins with these ports.
func (s *engine) isRoute(at int32, ports []int32) bool {
	route := s.routes[at:]
	return len(route) >= len(ports) && slices.Equal(route[:len(ports)], ports)
}

// noRoute is the route that leads nowhere.
const noRoute = 0
