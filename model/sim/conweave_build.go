package sim

import (
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/conweave"
)

// maxPaths is the largest number of paths between two leaves among which ConWeave chooses.
const maxPaths = 256

// wovenRoute is the place of the ways from a leaf to a host in [engine.routes]: count of length
// hops.
type wovenRoute struct{ at, hops, count int32 }

// way returns the index at which a path begins.
func (r *wovenRoute) way(path int32) int32 { return r.at + path*r.hops }

// ports returns all that they lead through.
func (r *wovenRoute) ports(routes []int32) []int32 { return routes[r.at : r.at+r.count*r.hops] }

// weaverBuilder finds the paths of queue pairs. Queue pairs of the same leaves share what is
// known of the paths, those of the same leaf and host the routes.
type weaverBuilder struct {
	s      *engine
	paths  map[[2]int]int32 // by leaves: see [conweave.Weaver.Reserve]
	routes map[[2]int]built // by source's leaf and last port
}

// built is a route and the ports that its ways begin with.
type built struct {
	wovenRoute
	first []int32
}

func newWeaverBuilder(s *engine) *weaverBuilder {
	return &weaverBuilder{s, map[[2]int]int32{}, map[[2]int]built{}}
}

// startWeaver is nil where another way to balance load is chosen.
func startWeaver(s *engine, sc *Scenario) *weaverBuilder {
	if sc.Balancing.Mode != balance.ConWeave {
		return nil
	}
	s.weaver = conweave.New(&sc.Balancing.ConWeave, len(s.flows), len(s.ports))
	s.woven, s.heldBack, s.tags = make([]wovenRoute, len(s.flows)), make([]list, len(s.flows)), make([]conweave.Tag, 0)
	return newWeaverBuilder(s)
}

// add finds all paths of a queue pair to the root of a tree that end as its route does.
func (w *weaverBuilder) add(pair int, topo *topology, tree *tree) {
	if w == nil {
		return
	}
	s, f := w.s, &w.s.flows[pair]
	if f.hops < 2 {
		return // within a leaf
	}
	route := s.routes[f.dataRoute : f.dataRoute+f.hops]
	s.weaver.SetPaths(int32(pair), w.find(pair, topo, tree, route[f.hops-1], w.rtt(route)), true)
	f.dataRoute = unwoven
}

// find gives a queue pair all ways to the root of a tree by its last port.
func (w *weaverBuilder) find(pair int, topo *topology, tree *tree, last int32, rtt int64) conweave.Paths {
	s, leaf := w.s, topo.node(w.s.flows[pair].port^1)
	key := [2]int{leaf, int(last)}
	route, ok := w.routes[key]
	if !ok {
		ways := waysFrom(topo, tree, leaf, last, nil, nil)
		route.at, route.count = int32(len(s.routes)), int32(len(ways))
		for _, way := range ways {
			route.hops = int32(len(way))
			route.first = append(route.first, way[0])
			s.routes = append(s.routes, way...)
		}
		w.routes[key] = route
	}
	s.woven[pair] = route.wovenRoute
	leaves := [2]int{leaf, topo.node(last)}
	first, ok := w.paths[leaves]
	if !ok && route.count > 0 {
		first = s.weaver.Reserve(int(route.count))
		w.paths[leaves] = first
	}
	return conweave.Paths{First: route.first, At: first, RTT: rtt}
}

// waysFrom lists up to maxPaths shortest paths from a node to a tree's root by its last port.
func waysFrom(topo *topology, tree *tree, node int, last int32, before []int32, ways [][]int32) [][]int32 {
	for _, port := range tree.nextHops(topo, node, nil) {
		way := append(append([]int32{}, before...), port)
		switch next := topo.node(port ^ 1); {
		case len(ways) == maxPaths:
			return ways
		case next != tree.root:
			ways = waysFrom(topo, tree, next, last, way, ways)
		case port == last:
			ways = append(ways, way)
		}
	}
	return ways
}

// rtt returns the time of a full packet between the leaves without queues, and of the reply back.
func (w *weaverBuilder) rtt(route []int32) (time int64) {
	s := w.s
	full := int32(s.transport.payload) + s.transport.dataHeader
	for _, port := range route[:len(route)-1] {
		p := &s.ports[port]
		times := s.txTimes[p.rateIndex]
		time += int64(times[full]) + int64(times[signalBytes]) + 2*p.delay
	}
	return time
}
