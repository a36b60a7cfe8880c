package adversary

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model"
)

// poolOverrun pauses every group of a slice and floods them all: the packets that follow all these
// pauses must find room in the headroom pool, the egress pool and the memory. Groups are filled
// first and flooded then, or one after another, the neediest or those first whose thresholds fall,
// and also with lossy traffic having taken what it can before.
func poolOverrun(g *game, opts Options) (list []attack) {
	for slice := range g.config.Slices {
		for _, lossy := range []bool{false, true} {
			for _, wide := range []bool{false, true} {
				name := fmt.Sprintf("all groups of slice %d", slice)
				list = append(list,
					attack{name + ", filled first", func(g *game) { g.allAtOnce(slice, opts, lossy, wide) }},
					attack{name + ", in turn", func(g *game) { g.inTurn(g.chosen(slice, opts, wide), slice, lossy) }})
			}
			for spare := int64(0); spare <= mostSpare; spare += 1 + spare/2 {
				list = append(list, attack{fmt.Sprintf("all groups of slice %d, filled evenly", slice), func(g *game) { g.evenly(g.chosen(slice, opts, true), slice, lossy, spare) }})
			}
		}
		for _, head := range g.climbers(slice, func(to target) (target, bool) { return to, true }) {
			name := fmt.Sprintf("all groups of slice %d, xon of %s PG %d first", slice, g.sw.Ports[head.port].Name, head.pg)
			list = append(list, attack{name, func(g *game) {
				g.fill(head, g.brim())
				g.climb(head, head)
				g.inTurn(g.chosen(slice, opts, true), slice, false)
			}})
		}
	}
	return list
}

// mostSpare is the largest room of the first group that is tried.
const mostSpare = 20

// chosen returns the groups that may be paused at once, the neediest of them.
func (g *game) chosen(slice int, opts Options, wide bool) []target {
	list := g.lossless(slice)
	sortBy(list, func(t target) int64 {
		var cells int64
		for _, bytes := range g.cutOf(t.port) {
			cells += g.buffer.Cells(bytes)
		}
		return -cells
	})
	if opts.PausedPGs > 0 {
		list = list[:min(len(list), opts.PausedPGs)]
	}
	if wide {
		g.fallingFirst(list)
	}
	return list
}

// fallingFirst sorts by threshold: those that are dynamic leave least when they come first, and of
// them the narrowest, since what a wide one leaves is rounded up by less.
func (g *game) fallingFirst(list []target) {
	sortBy(list, func(t target) int64 {
		limit := g.pg(t.port, t.pg).Limit
		if limit.Dynamic {
			return -1<<50 + int64(limit.Alpha)
		}
		return -int64(limit.StaticCells)
	})
}

func (g *game) allAtOnce(slice int, opts Options, lossy, wide bool) {
	list := g.chosen(slice, opts, wide)
	for _, to := range list {
		if lossy && wide && g.pg(to.port, to.pg).Limit.Dynamic {
			g.fill(to, g.brim()) // lossy traffic takes a part of what is left, and static limits do not
		}
	}
	if lossy {
		g.lossyFirst(slice)
	}
	for _, to := range list {
		g.fill(to, g.brim())
	}
	for _, to := range list {
		g.squeeze(to, true)
		g.flood(to)
	}
}

// evenly gives all groups a packet each, over and over, until the next one would fill one up; the
// first keeps some room to spare. Its next packet then fills up all others, which have not paused
// yet. Then it floods them.
func (g *game) evenly(list []target, slice int, lossy bool, spare int64) {
	if lossy {
		g.lossyFirst(slice)
	}
	for sent := true; sent; {
		sent = false
		for i, to := range list {
			room, frame, keep := g.room(to.port, to.pg), int(g.sw.Ports[to.port].Link.LosslessFrame), g.brim()
			if i == 0 {
				keep += spare
			}
			if room < int64(2*len(list))*g.buffer.Cells(frame) {
				frame = int(model.SmallestFrame)
			}
			if room-g.buffer.Cells(frame) < keep {
				continue
			}
			v, ok := g.send(to.packet(frame))
			sent = sent || ok && !v.Dropped()
		}
	}
	rest := slices.Clone(list)
	for len(rest) > 0 {
		next := 0 // that with most room: what it takes of it is taken from the others too
		for i, to := range rest {
			if g.room(to.port, to.pg) > g.room(rest[next].port, rest[next].pg) {
				next = i
			}
		}
		g.fill(rest[next], g.brim())
		g.flood(rest[next])
		rest = slices.Delete(rest, next, next+1)
	}
}

// inTurn fills and floods one group after another.
func (g *game) inTurn(list []target, slice int, lossy bool) {
	if lossy {
		g.lossyFirst(slice)
	}
	for _, to := range list {
		g.fill(to, g.brim())
		g.flood(to)
	}
}
