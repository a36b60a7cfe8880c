package sim

import "slices"

// topology is the network as the route computation sees it.
type topology struct {
	nodes []Node
	links []Link
	ports [][]int32 // of each node, in the order in which next hops are listed
}

// newTopology lists each node's ports by the number of the node at their other end,
// the highest first. The order decides which way ECMP's hash sends a flow; the HPCC
// simulator orders by the address in memory, and a switch there is so large that each
// new one lies below the last.
func newTopology(sc *Scenario) *topology {
	t := &topology{sc.Nodes, sc.Links, make([][]int32, len(sc.Nodes))}
	for i, l := range sc.Links {
		t.ports[l.A] = append(t.ports[l.A], int32(2*i))
		t.ports[l.B] = append(t.ports[l.B], int32(2*i+1))
	}
	for _, ports := range t.ports {
		slices.SortStableFunc(ports, func(a, b int32) int { return t.node(a^1) - t.node(b^1) })
	}
	return t
}

// node is where a port is.
func (t *topology) node(port int32) int {
	if l := &t.links[port/2]; port%2 == 0 {
		return l.A
	} else {
		return l.B
	}
}

// tree is the shortest paths from all nodes to one host. Hosts do not forward.
type tree struct {
	root     int
	order    []int     // nodes by distance
	distance []int     // in links, -1 where unreachable
	nextHops [][]int32 // ports of each node that lead to the root
	delay    []int64   // one way along the first path found, ps
	payload  []int64   // transmission time of a full payload on each link of it, ps
	slowest  []int64   // its lowest rate, bit/s
}

// shortestPaths searches breadth first from a host.
func (t *topology) shortestPaths(root int, payload int64, clock clock) *tree {
	n := len(t.nodes)
	r := &tree{
		root: root, order: []int{root}, distance: make([]int, n), nextHops: make([][]int32, n),
		delay: make([]int64, n), payload: make([]int64, n), slowest: make([]int64, n),
	}
	for i := range r.distance {
		r.distance[i] = -1
	}
	r.distance[root], r.slowest[root] = 0, 1<<63-1
	for i := 0; i < len(r.order); i++ {
		now := r.order[i]
		if now != root && t.nodes[now] == Host {
			continue
		}
		for _, port := range t.ports[now] {
			next := t.node(port ^ 1)
			if r.distance[next] < 0 {
				l := &t.links[port/2]
				r.order = append(r.order, next)
				r.distance[next] = r.distance[now] + 1
				r.delay[next] = r.delay[now] + int64(l.Delay)
				r.payload[next] = r.payload[now] + clock.whole(payload*8, int64(l.Rate))
				r.slowest[next] = min(r.slowest[now], int64(l.Rate))
			}
			if r.distance[next] == r.distance[now]+1 {
				r.nextHops[next] = append(r.nextHops[next], port^1)
			}
		}
	}
	return r
}

// baseRTT is the round trip of one full payload without queues: the delay twice, and the
// payload's transmission on the way there. The acknowledgement's is left out, as in the
// HPCC simulator (scratch/third.cc).
func (r *tree) baseRTT(from int) int64 { return 2*r.delay[from] + r.payload[from] }

// bdp is base RTT times the slowest link in bytes.
func (r *tree) bdp(from int) int64 {
	return bytesIn(r.baseRTT(from), r.slowest[from])
}

// largest is the largest base RTT and BDP of the hosts that reach the root.
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
func (r *tree) path(t *topology, from int, key flowKey) []int32 {
	var path []int32
	for node := from; node != r.root; {
		hops := r.nextHops[node]
		if len(hops) == 0 {
			return nil
		}
		port := hops[key.hash(uint32(node))%uint32(len(hops))]
		path = append(path, port)
		node = t.node(port ^ 1)
	}
	return path
}
