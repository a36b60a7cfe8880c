package deadlock

import "slices"

// A graph is a topology prepared for many examinations. Directed link 2i is link i
// from A to B, 2i+1 from B to A.
type graph struct {
	t     *Topology
	out   [][]int32 // by device: directed links that leave it
	edges []int32   // edge devices
	tier  []int32   // by device: distance from the nearest edge device
	down  []bool    // by link: failed
}

func newGraph(t *Topology) (*graph, error) {
	if err := t.validate(); err != nil {
		return nil, err
	}
	g := &graph{t: t, out: make([][]int32, len(t.Devices)), down: make([]bool, len(t.Links))}
	for i, link := range t.Links {
		g.out[link.A] = append(g.out[link.A], int32(2*i))
		g.out[link.B] = append(g.out[link.B], int32(2*i+1))
	}
	for i, device := range t.Devices {
		if device.Edge {
			g.edges = append(g.edges, int32(i))
		}
	}
	g.tier = g.distances(g.edges)
	return g, nil
}

func (g *graph) from(l int32) int32 {
	if l&1 == 0 {
		return g.t.Links[l>>1].A
	}
	return g.t.Links[l>>1].B
}

func (g *graph) to(l int32) int32 { return g.from(l ^ 1) }

func (g *graph) hop(l int32) Hop {
	return Hop{g.t.Devices[g.from(l)].Name, g.t.Devices[g.to(l)].Name}
}

// upward reports whether a link leads away from the edge. Links within a tier count as
// upward, so that two of them in a row are not taken for a proof.
func (g *graph) upward(l int32) bool { return g.tier[g.to(l)] >= g.tier[g.from(l)] }

const unreachable = int32(1) << 30

// distances is a breadth-first search from several devices over links that are up.
func (g *graph) distances(from []int32) []int32 {
	dist := make([]int32, len(g.out))
	for i := range dist {
		dist[i] = unreachable
	}
	for _, device := range from {
		dist[device] = 0
	}
	queue := slices.Clone(from)
	for head := 0; head < len(queue); head++ {
		device := queue[head]
		for _, l := range g.out[device] {
			if next := g.to(l); !g.down[l>>1] && dist[next] == unreachable {
				dist[next] = dist[device] + 1
				queue = append(queue, next)
			}
		}
	}
	return dist
}

// A usage is which destinations cross each directed link, as one row of bits per link.
type usage struct {
	words int
	bits  []uint64
	cut   int // pairs of edge devices without a path
}

func newUsage(links, destinations int) *usage {
	words := (destinations + 63) / 64
	return &usage{words: words, bits: make([]uint64, 2*links*words)}
}

func (u *usage) set(l int32, d int) { u.bits[int(l)*u.words+d>>6] |= 1 << (d & 63) }

// row returns the destinations of one link.
func (u *usage) row(l int32) []uint64 { return u.bits[int(l)*u.words : (int(l)+1)*u.words] }

// meet reports whether two rows have a destination in common.
func meet(a, b []uint64) bool {
	for i, word := range a {
		if word&b[i] != 0 {
			return true
		}
	}
	return false
}

// A table holds the distances to every edge device: what all devices route by.
type table struct {
	dist [][]int32 // by destination
	down []bool    // links that the table takes for failed
}

func (g *graph) table() table {
	tb := table{down: slices.Clone(g.down)}
	for _, d := range g.edges {
		tb.dist = append(tb.dist, g.distances([]int32{d}))
	}
	return tb
}

// next reports whether a link is a next hop for destination d.
func (g *graph) next(tb *table, l int32, d int) bool {
	dist := tb.dist[d]
	return !tb.down[l>>1] && dist[g.from(l)] != unreachable && dist[g.to(l)] == dist[g.from(l)]-1
}

// use follows the packets of all destinations from the edge devices. A device may
// route by any of the tables; packets never enter a link that is down now.
func (g *graph) use(tables ...table) *usage {
	u := newUsage(len(g.t.Links), len(g.edges))
	seen := make([]int32, len(g.out)) // 1 + last destination that reached the device
	var stack []int32
	for d, destination := range g.edges {
		stack = stack[:0]
		for _, source := range g.edges {
			if source == destination {
				continue
			}
			if tables[len(tables)-1].dist[d][source] == unreachable {
				if source < destination { // links go both ways, and so do paths
					u.cut++
				}
			}
			seen[source] = int32(d) + 1
			stack = append(stack, source)
		}
		for len(stack) > 0 {
			device := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			stack = g.forward(u, tables, d, device, seen, stack)
		}
	}
	return u
}

// forward sends the packets for d on from a device.
func (g *graph) forward(u *usage, tables []table, d int, device int32, seen, stack []int32) []int32 {
	if device == g.edges[d] {
		return stack
	}
	for _, l := range g.out[device] {
		if g.down[l>>1] || !slices.ContainsFunc(tables, func(tb table) bool { return g.next(&tb, l, d) }) {
			continue
		}
		u.set(l, d)
		if to := g.to(l); seen[to] != int32(d)+1 {
			seen[to] = int32(d) + 1
			stack = append(stack, to)
		}
	}
	return stack
}
