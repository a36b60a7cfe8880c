package sim

import (
	"math"

	"github.com/roceplan/roceplan/model/sim/balance"
)

// maxPaths is how many paths between two leaves ConWeave chooses among.
const maxPaths = 256

// weaverBuilder finds the paths of queue pairs. Queue pairs of the same leaves share what is
// known of the paths, those of the same leaf and host the routes.
type weaverBuilder struct {
	*weaver
	s      *engine
	paths  map[[2]int]int32      // by leaves: first of the avoided
	routes map[[2]int]wovenRoute // by source's leaf and last port
}

// wovenRoute is where the ways from a leaf to a host stand in [engine.routes].
type wovenRoute struct{ at, hops, count int32 }

func (w *weaver) builder(s *engine) *weaverBuilder {
	return &weaverBuilder{weaver: w, s: s, paths: map[[2]int]int32{}, routes: map[[2]int]wovenRoute{}}
}

// newWeaver is nil where another way to balance load is chosen.
func newWeaver(s *engine, sc *Scenario) *weaverBuilder {
	if sc.Balancing.Mode != balance.ConWeave {
		return nil
	}
	s.tags = make([]tag, 0)
	w := &weaver{
		Config: sc.Balancing.ConWeave, flows: make([]woven, len(s.flows)), holding: make([]int32, len(s.ports)),
	}
	return w.builder(s)
}

// done starts ConWeave for the flows whose paths were found.
func (b *weaverBuilder) done() {
	if b != nil {
		b.s.weaver = b.weaver
	}
}

// add finds all paths of a queue pair to the root of a tree that end as its route does.
func (b *weaverBuilder) add(pair int, topo *topology, tree *tree) {
	if b == nil {
		return
	}
	s, f := b.s, &b.s.flows[pair]
	if f.hops < 2 {
		return // within a leaf
	}
	route := s.routes[f.dataRoute : f.dataRoute+f.hops]
	b.flows[pair] = woven{
		rtt: b.rtt(route), usedAt: longAgo, deadline: never, flushPlanned: never,
	}
	b.find(pair, topo, tree, route[f.hops-1])
	f.dataRoute = unwoven
}

// longAgo is when a queue pair was used that never was.
const longAgo = math.MinInt64 / 2

// find gives a queue pair all ways to the root of a tree by its last port.
func (b *weaverBuilder) find(pair int, topo *topology, tree *tree, last int32) {
	s, leaf := b.s, topo.node(b.s.flows[pair].port^1)
	key := [2]int{leaf, int(last)}
	known, ok := b.routes[key]
	if !ok {
		ways := waysFrom(topo, tree, leaf, last, nil, nil)
		if known = (wovenRoute{at: int32(len(s.routes)), count: int32(len(ways))}); len(ways) > 0 {
			known.hops = int32(len(ways[0]))
		}
		b.routes[key] = known
		for _, way := range ways {
			s.routes = append(s.routes, way...)
		}
	}
	w := &b.flows[pair]
	if w.route, w.hops, w.count = known.at, known.hops, known.count; known.count == 0 {
		return
	}
	leaves := [2]int{leaf, topo.node(last)}
	first, ok := b.paths[leaves]
	if !ok {
		first = int32(len(b.avoided))
		b.paths[leaves] = first
		b.avoided = append(b.avoided, make([]int64, known.count)...)
	}
	w.paths = first
}

// unwoven is the route of a packet whose path the source's leaf still has to choose.
const unwoven = -1

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

// rtt is how long a full packet takes between the leaves without queues, and the reply back.
func (b *weaverBuilder) rtt(route []int32) (time int64) {
	s := b.s
	full := int32(s.transport.payload) + s.transport.dataHeader
	for _, port := range route[:len(route)-1] {
		p := &s.ports[port]
		times := s.txTimes[p.rateIndex]
		time += int64(times[full]) + int64(times[signalBytes]) + 2*p.delay
	}
	return time
}
