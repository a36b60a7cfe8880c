package adversary

import (
	"fmt"
	"sort"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// leveled fills every group of a slice so that one cell is left to it, all but one: what that one
// takes then of the shared part lowers the thresholds of the others by that cell. They are full and
// have not paused yet, so their whole window must fit in their headroom. The levels are solved for
// together, since each group changes the thresholds of all.
func leveled(g *game, opts Options) (list []attack) {
	if g.brim() == 0 {
		return nil // it pauses with the first packet that finds no cell
	}
	for slice := range g.config.Slices {
		for _, last := range g.squeezers(slice) {
			if !g.crammed(slice, g.pg(last.port, last.pg).Pool) {
				continue
			}
			if l, ok := g.level(slice, last, opts); ok {
				name := fmt.Sprintf("all groups of slice %d to the cell, PG %d of %s last", slice, last.pg, g.sw.Ports[last.port].Name)
				list = append(list, attack{name, func(g *game) { g.sink(l) }})
			}
		}
	}
	return list
}

// crammed reports whether the groups of a slice have more headroom than the pool of it.
func (g *game) crammed(slice, pool int) bool {
	sum := units.Cells(0)
	for _, to := range g.lossless(slice) {
		if pg := g.pg(to.port, to.pg); pg.HeadroomPooled && pg.Pool == pool {
			sum += pg.HeadroomCells
		}
	}
	return sum > g.config.IngressPools[pool].HeadroomCells
}

// squeezers returns the groups of a slice, one of each kind, that may take what others then lack.
func (g *game) squeezers(slice int) (list []target) {
	type kind struct {
		number int
		pg     mmu.PG
	}
	seen := map[kind]bool{}
	for _, to := range append(g.groups(slice, false), g.lossless(slice)...) {
		if k := (kind{to.pg, *g.pg(to.port, to.pg)}); !seen[k] {
			seen[k] = true
			list = append(list, to)
		}
	}
	return list
}

// Levels are the cells of the shared part that each group has before the last group takes the rest
// of its part.
type levels struct {
	last   target
	first  int64 // of the last one, before
	others []target
	cells  []int64
}

// level solves for the cells that are free at the end, f, and that the last one takes then, k:
// every other group has a cell of room with f + k free, and none with f.
func (g *game) level(slice int, last target, opts Options) (levels, bool) {
	pool := g.pg(last.port, last.pg).Pool
	shared := int64(g.config.IngressPools[pool].SharedCells)
	l := levels{last: last}
	for _, to := range g.chosen(slice, opts, false) {
		if pg := g.pg(to.port, to.pg); to != last && pg.Pool == pool {
			l.others = append(l.others, to)
		}
	}
	own := g.pg(last.port, last.pg)
	keep := int64(1)
	if !own.Lossless {
		keep = 0
	}
	for k := int64(1); k <= shared; k += 1 + k/4 {
		rest := func(f int64) (cells, most int64) { // of the last one, where the others have most
			_, high := g.between(l.others, f, k)
			return shared - f - high, g.mostOf(own.Limit, f, keep)
		}
		from := sort.Search(int(shared), func(f int) bool { cells, most := rest(int64(f)); return cells <= most })
		for f := int64(from); f < int64(from)+tried; f++ {
			low, high := g.between(l.others, f, k)
			cells, most := rest(f)
			if low < 0 || most < k || high-low < k-cells {
				continue
			}
			l.first = max(0, cells-k)
			spare := max(0, k-cells)
			for _, to := range l.others {
				least, most := g.span(to, f, k)
				less := min(spare, most-least)
				spare -= less
				l.cells = append(l.cells, most-less)
			}
			return l, true
		}
	}
	return levels{}, false
}

// tried is for how many counts of free cells levels are looked for with each count that the last
// one takes: thresholds fall by steps, and not with every cell.
const tried = 16

// between sums the least and the most cells of groups, see span; low is less than 0 where one has
// no such count.
func (g *game) between(list []target, f, k int64) (low, high int64) {
	fits := true
	for _, to := range list {
		least, most := g.span(to, f, k)
		fits = fits && least <= most
		low, high = low+least, high+most
	}
	if !fits {
		low = -1
	}
	return low, high
}

// span returns the least and the most cells with which a group has room for one more with f + k
// cells free and not with f. One with a fixed limit keeps its last cell.
func (g *game) span(to target, f, k int64) (least, most int64) {
	limit := g.pg(to.port, to.pg).Limit
	switch most = g.mostOf(limit, f+k, 1); {
	case most < 0:
		return 0, 0 // it has no part of the pool at all
	case !limit.Dynamic:
		return most, most
	}
	return g.mostOf(limit, f, 1) + 1, most
}

// mostOf returns the most cells that a limit lets an account have with so many free and room for
// some more of them; less than 0 if it lets it have none.
func (g *game) mostOf(limit mmu.Limit, free, room int64) int64 {
	if free < room {
		return -1
	}
	return max(-1, g.most(limit, free-room)-room)
}

// sink fills all groups to their levels, has the last one take its own, and floods them.
func (g *game) sink(l levels) {
	for i, to := range l.others {
		g.raise(to, l.cells[i])
	}
	g.raise(l.last, l.first)
	for _, to := range l.others {
		g.press(l.last.port, l.last.pg, to, g.brim())
	}
	for _, to := range append(l.others, l.last) {
		if g.pg(to.port, to.pg).Lossless {
			g.flood(to)
		}
	}
}

// raise gives a group so many cells of the shared part, the last ones with smallest packets.
func (g *game) raise(to target, cells int64) {
	frame := int(g.sw.Ports[to.port].Link.LosslessFrame)
	for {
		missing := cells - int64(g.buffer.PG(to.port, to.pg).Shared)
		room := g.room(to.port, to.pg) - g.brim()
		if missing <= 0 || room <= 0 {
			return
		}
		bytes := frame
		if most := g.buffer.Cells(frame); most > missing || most > room {
			bytes = int(model.SmallestFrame)
		}
		if v, ok := g.send(to.packet(bytes)); !ok || v.Dropped() {
			return
		}
	}
}
