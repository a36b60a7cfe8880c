package deadlock

import "slices"

func (g *graph) check(failed []int) Verdict {
	for _, i := range failed {
		g.down[i] = true
	}
	verdict := g.converged()
	for _, i := range failed {
		g.down[i] = false
	}
	return verdict
}

func (g *graph) converged() Verdict {
	if g.t.ValleyFree {
		return Verdict{Cut: g.valleyFreeCut()}
	}
	return g.examine(g.use(g.table()))
}

// converging has no circle where no table of any device sends a packet up that came down.
func (g *graph) converging(failed int) Verdict {
	if g.t.ValleyFree {
		return Verdict{}
	}
	before := g.table()
	g.down[failed] = true
	after := g.table()
	verdict := g.examine(g.use(before, after))
	g.down[failed] = false
	return verdict
}

// examine first looks for a bounce. Without one, every path goes up and then down;
// numbering upward links by tier and downward links after them, from the top, orders
// all links so that each waits for a later one: there is no circle. With one, it
// searches.
func (g *graph) examine(u *usage) Verdict {
	verdict := Verdict{Cut: u.cut}
	if verdict.Bounce = g.bounce(u); verdict.Bounce == nil {
		return verdict
	}
	for _, l := range g.cycle(u) {
		verdict.Cycle = append(verdict.Cycle, g.hop(l))
	}
	return verdict
}

// bounce finds a downward link that is followed by an upward one: both, or nil.
func (g *graph) bounce(u *usage) []Hop {
	up := make([]uint64, u.words)
	for device := range g.out {
		clear(up)
		for _, l := range g.out[device] {
			if g.upward(l) {
				for i, word := range u.row(l) {
					up[i] |= word
				}
			}
		}
		for _, l := range g.out[device] {
			arriving := l ^ 1
			if g.upward(arriving) && g.tier[g.from(arriving)] != g.tier[device] {
				continue // it came up
			}
			if !meet(u.row(arriving), up) {
				continue // nothing of it goes up, whatever the link
			}
			for _, l := range g.out[device] {
				if g.upward(l) && meet(u.row(arriving), u.row(l)) {
					return []Hop{g.hop(arriving), g.hop(l)}
				}
			}
		}
	}
	return nil
}

// Marks of the depth-first search.
const (
	unseen = iota
	open   // on the current path
	done
)

// cycle is a depth-first search over links for one that leads back to the path it is
// on, with an explicit stack.
func (g *graph) cycle(u *usage) []int32 {
	mark := make([]uint8, 2*len(g.t.Links))
	type frame struct {
		link int32
		next int // index into the links that leave where link ends
	}
	var path []frame
	for start := range mark {
		if mark[start] != unseen {
			continue
		}
		mark[start] = open
		path = append(path[:0], frame{link: int32(start)})
		for len(path) > 0 {
			top := &path[len(path)-1]
			follow := g.out[g.to(top.link)]
			if top.next == len(follow) {
				mark[top.link] = done
				path = path[:len(path)-1]
				continue
			}
			l := follow[top.next]
			top.next++
			if mark[l] == done || !meet(u.row(top.link), u.row(l)) {
				continue
			}
			if mark[l] == open {
				from := slices.IndexFunc(path, func(f frame) bool { return f.link == l })
				var circle []int32
				for _, f := range path[from:] {
					circle = append(circle, f.link)
				}
				return circle
			}
			mark[l] = open
			path = append(path, frame{link: l})
		}
	}
	return nil
}
