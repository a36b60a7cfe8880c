package sim

import "fmt"

// A Router finds the passages of single messages, for a model that sends no packets and keeps no list of all messages. It is for
// networks in which each host has one link, to a switch, and each flow keeps to the way of ECMP's hash.
type Router struct {
	s       *builder
	towards [][][]int32 // by switch with hosts: of each node, the next hops to those hosts; nil: not searched yet
}

// NewRouter prepares one for a scenario, whose flows it does not look at. The error names a value that is out of range, or a host with
// other links.
func NewRouter(sc *Scenario) (*Router, error) {
	own := *sc
	own.Flows = nil
	if err := own.check(); err != nil {
		return nil, err
	}
	s := newBuilder(&own)
	if s.manyWays {
		return nil, fmt.Errorf("flows take several ways")
	}
	for node, kind := range sc.Nodes {
		if ports := s.topo.ports[node]; kind == Host && (len(ports) != 1 || sc.Nodes[s.topo.node(ports[0]^1)] != Switch) {
			return nil, fmt.Errorf("node %d is a host with %d links, or with one to a host", node, len(ports))
		}
	}
	return &Router{s: s, towards: make([][][]int32, len(sc.Nodes))}, nil
}

// Passage finds that of a message. It writes over the lists of ports in p.
func (r *Router) Passage(f *Flow, p *Passage) error {
	there, back := r.path(p.There[:0], f.Src, f.Dst, f), r.path(p.Back[:0], f.Dst, f.Src, f)
	if there == nil || back == nil {
		return fmt.Errorf("no path from node %d to node %d", f.Src, f.Dst)
	}
	*p = r.s.passage(f, &routed{there, back, r.s.addWay(nil, f.Src, there), r.s.addWay(nil, f.Dst, back)})
	return nil
}

// path adds the ports from a host to another on the way of a flow, as [tree.path] does; nil if there is none.
func (r *Router) path(path []int32, from, to int, f *Flow) []int32 {
	key := f.key()
	if from == f.Dst {
		key = key.Reversed()
	}
	topo := r.s.topo
	first, last := topo.ports[from][0], topo.ports[to][0]^1
	edge := topo.node(last)
	hops := r.hops(edge, to)
	path = append(path, first)
	for node := topo.node(first ^ 1); node != edge; node = topo.node(path[len(path)-1] ^ 1) {
		if len(hops[node]) == 0 {
			return nil
		}
		path = append(path, key.Of(hops[node], int32(node)))
	}
	return append(path, last)
}

// hops returns the next hops of all switches to the hosts of an edge switch. They are the same for each of its hosts;
// host is any of them.
func (r *Router) hops(edge, host int) [][]int32 {
	if r.towards[edge] == nil {
		topo, tree := r.s.topo, &tree{}
		tree.find(topo, host, r.s.transport.payload, r.s.clock)
		list := make([][]int32, len(topo.nodes))
		for node, kind := range topo.nodes {
			if kind == Switch && tree.steps[node].rank >= 0 {
				list[node] = tree.nextHops(topo, node, nil)
			}
		}
		r.towards[edge] = list
	}
	return r.towards[edge]
}
