package sim

import (
	"maps"
	"slices"
)

// severed reports whether the first link of a path is down, which the source's leaf knows.
func (w *weaver) severed(s *engine, f *woven, path int32) bool {
	return s.outages != nil && s.ports[s.routes[f.route+path*f.hops]].trouble&down != 0
}

// leavePath takes the next path whose first link is up, if there is one.
func (w *weaver) leavePath(s *engine, f *woven) {
	for i := range f.count {
		if path := (f.path + 1 + i) % f.count; !w.severed(s, f, path) {
			w.takePath(s, f, path)
			return
		}
	}
}

// reweave finds the paths of all queue pairs again, and the ways of their acknowledgements. What is
// under way goes on by the way that it has.
func (w *weaver) reweave(s *engine, topo *topology) {
	towards, back := map[int][]int{}, map[int][]int{} // queue pairs by host
	for pair := range s.flows {
		f := &s.flows[pair]
		src, dst := topo.node(f.port), topo.node(f.receiver)
		towards[dst], back[src] = append(towards[dst], pair), append(back[src], pair)
	}
	b, r := w.builder(s), &tree{}
	for _, root := range slices.Sorted(maps.Keys(towards)) {
		r.find(topo, root, s.transport.payload, s.clock)
		for _, pair := range towards[root] {
			b.again(pair, topo, r)
		}
	}
	r = &tree{}
	for _, root := range slices.Sorted(maps.Keys(back)) {
		r.find(topo, root, s.transport.payload, s.clock)
		for _, pair := range back[root] {
			s.reverse(pair, topo, r)
		}
	}
}

// again gives a queue pair between two leaves its paths, and lets it begin a new epoch if they are
// others than before.
func (b *weaverBuilder) again(pair int, topo *topology, tree *tree) {
	f, w := &b.s.flows[pair], &b.flows[pair]
	if f.dataRoute != unwoven {
		return
	}
	before := b.ways(w)
	b.find(pair, topo, tree, f.receiver^1)
	after := b.ways(w)
	if slices.Equal(before, after) {
		return
	}
	w.usedAt = longAgo
	if w.path = min(w.path, max(0, w.count-1)); w.count > 0 {
		w.rtt = b.rtt(after[:w.hops])
	}
}

// ways are all ports of a queue pair's paths.
func (b *weaverBuilder) ways(w *woven) []int32 {
	return b.s.routes[w.route : w.route+w.count*w.hops]
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
