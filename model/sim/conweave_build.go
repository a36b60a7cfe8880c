package sim

import "math"

// maxPaths is how many paths between two leaves ConWeave chooses among.
const maxPaths = 256

// weaverBuilder finds the paths of queue pairs. Queue pairs of the same leaves share what is
// known of the paths, those of the same leaf and host the routes.
type weaverBuilder struct {
	*weaver
	s      *engine
	paths  map[[2]int]int32 // by leaves: first of the avoided
	routes map[[2]int]int32 // by source's leaf and last port
}

// newWeaver is nil where another way to balance load is chosen.
func newWeaver(s *engine, sc *Scenario) *weaverBuilder {
	if sc.Balancing.Mode != UseConWeave {
		return nil
	}
	b := &weaverBuilder{
		weaver: &weaver{
			ConWeave: sc.Balancing.ConWeave, flows: make([]woven, len(s.flows)), holding: make([]int32, len(s.ports)),
		},
		s: s, paths: map[[2]int]int32{}, routes: map[[2]int]int32{},
	}
	s.tags = make([]tag, 0)
	return b
}

// done starts ConWeave for the flows whose paths were found.
func (b *weaverBuilder) done() {
	if b != nil {
		b.s.weaver, b.s.balancer = b.weaver, &balancer{mode: UseConWeave}
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
	leaf, last := topo.node(f.port^1), route[f.hops-1]
	w := &b.flows[pair]
	*w = woven{
		hops: f.hops, rtt: b.rtt(route), usedAt: math.MinInt64 / 2, deadline: never, flushPlanned: never,
	}
	key := [2]int{leaf, int(last)}
	at, known := b.routes[key]
	ways := waysFrom(topo, tree, leaf, last, nil, nil)
	if !known {
		at = int32(len(s.routes))
		b.routes[key] = at
		for _, way := range ways {
			s.routes = append(s.routes, way...)
		}
	}
	leaves := [2]int{leaf, topo.node(last)}
	first, known := b.paths[leaves]
	if !known {
		first = int32(len(b.avoided))
		b.paths[leaves] = first
		b.avoided = append(b.avoided, make([]int64, len(ways))...)
	}
	w.route, w.paths, w.count = at, first, int32(len(ways))
	f.dataRoute = unwoven
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
