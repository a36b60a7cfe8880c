package adversary

import (
	"cmp"
	"fmt"
	"slices"

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
			for _, before := range []string{"", "lossy", "others"} {
				list = append(list, attack{name, func(g *game) { g.crowd(slice, goal, opts, before) }})
			}
			for _, head := range g.climbers(slice) {
				list = append(list, attack{fmt.Sprintf("%s, xon of %s PG %d first", name, g.sw.Ports[head.port].Name, head.pg), func(g *game) {
					if head.port != goal.out && g.sw.Ports[head.port].Queues[head.pg]>>goal.queue&1 == 1 {
						head.out, head.queue = goal.out, goal.queue
						g.fill(head, g.brim())
						g.climb(head, head)
						g.crowd(slice, goal, opts, "")
					}
				}})
			}
		}
	}
	return list
}

// goals lists one queue of each kind that lossless groups feed, in every slice.
func (g *game) goals() (list []target) {
	type kind struct {
		slice, number int
		queue         mmu.Queue
	}
	seen := map[kind]bool{}
	for out := range g.config.Ports {
		for number, queue := range g.config.Ports[out].Queues {
			k := kind{g.config.Ports[out].Slice, number, queue}
			if !seen[k] {
				seen[k] = true
				list = append(list, target{out: out, queue: number})
			}
		}
	}
	return list
}

func (g *game) crowd(slice int, goal target, opts Options, before string) {
	var senders, others []target
	for _, to := range g.lossless(slice) {
		if to.port != goal.out && g.sw.Ports[to.port].Queues[to.pg]>>goal.queue&1 == 1 {
			senders = append(senders, target{to.port, to.pg, goal.out, goal.queue})
		} else {
			others = append(others, to)
		}
	}
	sortBy(senders, func(t target) int64 { return -int64(len(g.cutOf(t.port))) })
	if opts.FanIn > 0 {
		senders = first(senders, opts.FanIn)
	}
	g.widestFirst(senders)
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
	slices.SortStableFunc(list, func(a, b target) int { return cmp.Compare(key(a), key(b)) })
}
