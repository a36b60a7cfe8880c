package adversary

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/mmu"
)

const maxPGs = mmu.MaxPGs

// crowded sends from all ports of a slice to one queue, whose limit has to take all of
// it: with nothing else in the buffer, after lossy traffic, and after the groups that do
// not feed the queue; and with a group first that climbs.
func crowded(g *game, opts Options) (list []attack) {
	for slice := range g.config.Slices {
		for _, goal := range g.goals() {
			name := fmt.Sprintf("queue %d of %s from slice %d", goal.queue, g.sw.Ports[goal.out].Name, slice)
			if goal.whole {
				name = fmt.Sprintf("all queues of %s from slice %d", g.sw.Ports[goal.out].Name, slice)
			}
			for _, before := range []string{"", "lossy", "others"} {
				list = append(list, attack{name, func(g *game) { g.crowd(slice, goal, opts, before) }})
			}
			for _, head := range g.climbers(slice, func(from target) (target, bool) { return g.wayTo(from, goal) }) {
				list = append(list, attack{fmt.Sprintf("%s, xon of %s PG %d first", name, g.sw.Ports[head.port].Name, head.pg), func(g *game) {
					g.fill(head, g.brim())
					g.climb(head, head)
					g.crowd(slice, goal, opts, "")
				}})
			}
		}
	}
	return list
}

// A goal is a queue to crowd, or all queues of a pool of a port that is bounded there.
type goal struct {
	out, queue int
	whole      bool
	pool       int
}

// goals lists one queue of each kind that lossless groups feed, in every slice, and one port
// of each kind that is bounded as a whole.
func (g *game) goals() (list []goal) {
	type kind struct {
		slice, number int
		queue         mmu.Queue
		bound         mmu.Bound
	}
	seen := map[kind]bool{}
	add := func(k kind, to goal) {
		if !seen[k] {
			seen[k] = true
			list = append(list, to)
		}
	}
	for out := range g.config.Ports {
		port := &g.config.Ports[out]
		for number, queue := range port.Queues {
			add(kind{slice: port.Slice, number: number, queue: queue}, goal{out: out, queue: number})
			if b, ok := mmu.BoundOf(port.Egress, queue.Pool); ok {
				add(kind{port.Slice, number, queue, mmu.Bound{Pool: queue.Pool, Limit: b}}, goal{out: out, whole: true, pool: queue.Pool})
			}
		}
	}
	return list
}

// wayTo returns the way of a group to a goal. False if there is none.
func (g *game) wayTo(from target, to goal) (target, bool) {
	for _, way := range g.ways(from.port, from.pg) {
		queue := g.config.Ports[way.out].Queues[way.queue]
		if way.out == to.out && (way.queue == to.queue && !to.whole || to.whole && queue.Pool == to.pool) {
			return way, true
		}
	}
	return target{}, false
}

func (g *game) crowd(slice int, to goal, opts Options, before string) {
	var senders, others []target
	for _, from := range g.lossless(slice) {
		if way, ok := g.wayTo(from, to); ok {
			senders = append(senders, way)
		} else {
			others = append(others, from)
		}
	}
	sortBy(senders, func(t target) int64 { return -int64(len(g.cutOf(t.port))) })
	if opts.FanIn > 0 {
		senders = first(senders, opts.FanIn)
	}
	g.fallingFirst(senders)
	if before == "others" {
		g.inTurn(others, slice, false)
	}
	g.inTurn(senders, slice, before == "lossy")
}

// first keeps the targets of the first n ports.
func first(list []target, n int) (kept []target) {
	var ports []int
	for _, to := range list {
		if !slices.Contains(ports, to.port) {
			if len(ports) == n {
				continue
			}
			ports = append(ports, to.port)
		}
		kept = append(kept, to)
	}
	return kept
}

func sortBy(list []target, key func(target) int64) {
	stable.Sort(list, func(a, b target) int { return cmp.Compare(key(a), key(b)) })
}
