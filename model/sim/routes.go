package sim

import (
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim/balance"
)

// topology is the network as the route computation sees it.
type topology struct {
	nodes []Node
	links []Link
	ports [][]int32 // of each node, in the order in which next hops are listed

	latency func(node int) int64 // of switches, ps
}

// newTopology lists each node's ports by the number of the node at their other end, the highest
// first. The order decides which way ECMP's hash sends a flow; the HPCC simulator orders by the
// address in memory, and a switch there is so large that each new one is below the last.
func newTopology(sc *Scenario) *topology {
	t := &topology{sc.Nodes, sc.Links, make([][]int32, len(sc.Nodes)), sc.latency}
	for i, l := range sc.Links {
		if l.Unrouted {
			continue
		}
		t.ports[l.A] = append(t.ports[l.A], int32(2*i))
		t.ports[l.B] = append(t.ports[l.B], int32(2*i+1))
	}
	for _, ports := range t.ports {
		stable.Sort(ports, func(a, b int32) int { return t.node(b^1) - t.node(a^1) })
	}
	return t
}

// portsByNode lists the ports of each node, in the order of links.
func (sc *Scenario) portsByNode() [][]int32 {
	ports := make([][]int32, len(sc.Nodes))
	for i := range sc.Links {
		l := &sc.Links[i]
		ports[l.A], ports[l.B] = append(ports[l.A], int32(2*i)), append(ports[l.B], int32(2*i+1))
	}
	return ports
}

// latency returns the latency of a node in ps.
func (sc *Scenario) latency(node int) int64 {
	if node >= len(sc.Silicon) || sc.Silicon[node] == nil {
		return 0
	}
	return sc.pipeline(node)
}

// pipeline returns a switch's latency, whatever its buffer, in ps.
func (sc *Scenario) pipeline(node int) int64 {
	if node >= len(sc.Latency) {
		return 0
	}
	return int64(sc.Latency[node])
}

// node returns the node of a port.
func (t *topology) node(port int32) int { return t.links[port/2].Node(int(port % 2)) }

// tree is the shortest paths from all nodes to one host, along the first ones found.
// Hosts do not forward. Its arrays serve one host after another.
type tree struct {
	topo  *topology
	root  int
	order []int // nodes by distance
	steps []step
}

// step holds the distance and the delays of a node to the root.
type step struct {
	rank     int   // place in order, -1 if the root cannot be reached
	distance int   // in links
	delay    int64 // one way, with the latency of switches, ps
	least    int64 // delay of the shortest of all ways of so many links, ps
	payload  int64 // sum of the transmission times of a full payload on each link, ps
	slowest  int64 // lowest rate, bit/s
}

// find searches breadth first from a host. From a second host at the same switch, over a link
// like the first one's, all is as it was with the two exchanged: hosts do not forward. Then it
// reports that nothing was searched.
func (r *tree) find(t *topology, root int, payload int64, clock clock) (known bool) {
	if len(r.order) > 0 && r.topo == t && t.twins(r.root, root) {
		a, b := &r.steps[r.root], &r.steps[root]
		r.order[a.rank], r.order[b.rank] = root, r.root
		*a, *b = *b, *a
		r.root = root
		return true
	}
	r.topo = t
	r.root, r.order = root, append(r.order[:0], root)
	r.steps = slices.Grow(r.steps[:0], len(t.nodes))[:len(t.nodes)]
	for i := range r.steps {
		r.steps[i].rank = -1
	}
	r.steps[root] = step{slowest: 1<<63 - 1}
	for i := 0; i < len(r.order); i++ {
		now := r.order[i]
		if now != root && t.nodes[now] == Host {
			continue
		}
		from := r.steps[now]
		from.delay += t.latency(now)
		for _, port := range t.ports[now] {
			next := t.node(port ^ 1)
			l := &t.links[port/2]
			least := from.least + t.latency(now) + int64(l.Delay)
			if s := &r.steps[next]; s.rank >= 0 {
				if s.distance == from.distance+1 {
					s.least = min(s.least, least)
				}
				continue
			}
			r.steps[next] = step{
				least: least,
				rank:  len(r.order), distance: from.distance + 1, delay: from.delay + int64(l.Delay),
				payload: from.payload + clock.whole(payload*8, int64(l.Rate)), slowest: min(from.slowest, int64(l.Rate)),
			}
			r.order = append(r.order, next)
		}
	}
	return false
}

// twins reports whether two hosts have a link each, to one switch and alike.
func (t *topology) twins(a, b int) bool {
	if a == b || len(t.ports[a]) != 1 || len(t.ports[b]) != 1 || t.nodes[b] != Host {
		return false
	}
	p, q := t.ports[a][0], t.ports[b][0]
	l, m := &t.links[p/2], &t.links[q/2]
	return t.node(p^1) == t.node(q^1) && t.nodes[t.node(p^1)] == Switch && l.Rate == m.Rate && l.Delay == m.Delay
}

// nextHops lists the ports of a node that are on a shortest path, in the order in which
// the search came to the nodes behind them.
func (r *tree) nextHops(t *topology, node int, buffer []int32) []int32 {
	hops := buffer[:0]
	for _, port := range t.ports[node] {
		next := t.node(port ^ 1)
		s := &r.steps[next]
		if s.rank >= 0 && s.distance == r.steps[node].distance-1 && (next == r.root || t.nodes[next] == Switch) {
			hops = append(hops, port)
		}
	}
	later := func(a, b int32) int { return r.steps[t.node(a^1)].rank - r.steps[t.node(b^1)].rank }
	if !slices.IsSortedFunc(hops, later) { // in a fabric of leaves and spines they are
		stable.Sort(hops, later)
	}
	return hops
}

// baseRTT returns the round trip of one full payload without queues: the delay twice, and the
// payload's transmission on the way there. The acknowledgement's is left out, as in the
// HPCC simulator (scratch/third.cc).
func (r *tree) baseRTT(from int) int64 {
	s := &r.steps[from]
	return 2*s.delay + s.payload
}

// bdp is base RTT times the slowest link in bytes.
func (r *tree) bdp(from int) int64 {
	return bytesIn(r.baseRTT(from), r.steps[from].slowest)
}

// largest returns the largest base RTT and BDP of the hosts that reach the root.
func (r *tree) largest(nodes []Node) (rtt, bdp int64) {
	for _, node := range r.order {
		if nodes[node] == Host && node != r.root {
			rtt, bdp = max(rtt, r.baseRTT(node)), max(bdp, r.bdp(node))
		}
	}
	return rtt, bdp
}

// path lists the ports that a flow's packets leave by, from a host to the root; nil if
// there is none. Of several next hops the flow's hash takes one.
func (r *tree) path(t *topology, from int, key balance.Key) []int32 {
	if r.steps[from].rank < 0 {
		return nil
	}
	path, buffer := make([]int32, 0, r.steps[from].distance), make([]int32, 0, 64)
	for node := from; node != r.root; {
		hops := r.nextHops(t, node, buffer)
		port := key.Of(hops, int32(node))
		path = append(path, port)
		node = t.node(port ^ 1)
	}
	return path
}
