package hpcc

import "github.com/roceplan/roceplan/model/sim"

// islands says which hosts can reach which. Hosts do not forward, so two of them are
// connected by a common island of switches or by a link of their own.
type islands struct {
	parent []int // of each node; a root is its own
	near   map[int][]int
}

func newIslands(sc *sim.Scenario) *islands {
	s := &islands{parent: make([]int, len(sc.Nodes)), near: map[int][]int{}}
	for i := range s.parent {
		s.parent[i] = i
	}
	for _, l := range sc.Links {
		if sc.Nodes[l.A] == sim.Switch && sc.Nodes[l.B] == sim.Switch {
			s.parent[s.root(l.A)] = s.root(l.B)
			continue
		}
		s.near[l.A] = append(s.near[l.A], l.B)
		s.near[l.B] = append(s.near[l.B], l.A)
	}
	return s
}

func (s *islands) root(node int) int {
	for s.parent[node] != node {
		s.parent[node] = s.parent[s.parent[node]]
		node = s.parent[node]
	}
	return node
}

// connect reports whether packets can go from one host to another.
func (s *islands) connect(a, b int) bool {
	for _, n := range s.near[a] {
		if n == b {
			return true
		}
		for _, m := range s.near[b] {
			if m != a && s.root(n) == s.root(m) {
				return true
			}
		}
	}
	return false
}
