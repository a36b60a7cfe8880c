package adversary

import (
	"fmt"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/units"
)

// resumed floods a group with a fixed xon while everybody else holds what they can, lets
// packets leave until it resumes, and floods it again, as long as more of its headroom
// is in use when it resumes: each window finds less of it. Smallest packets make it resume to
// the cell: before the first pause, or in all windows but the last.
func resumed(g *game, _ Options) (list []attack) {
	for _, to := range g.kinds() {
		if g.pg(to.port, to.pg).XonCells == 0 {
			continue
		}
		add := func(how string, climb func(*game)) {
			list = append(list, attack{fmt.Sprintf("xon of %s PG %d%s", g.sw.Ports[to.port].Name, to.pg, how), func(g *game) {
				slice := g.config.Ports[to.port].Slice
				g.crush(to, slice, true)
				g.lossyFirst(slice)
				g.crush(to, slice, false)
				g.trickle(to)
				climb(g)
			}})
		}
		add("", func(g *game) { g.climb(to, to) })
		add(", smallest packets first", func(g *game) { g.creep(to); g.flood(to) })
		if ways := g.ways(to.port, to.pg); len(ways) > 1 {
			add(", large packets by another way", func(g *game) { g.climb(to, ways[1]) })
		}
	}
	return list
}

// creep is climb with smallest packets alone, so that the group resumes to the cell.
func (g *game) creep(to target) {
	var before units.Cells
	for {
		for {
			if v, ok := g.send(to.packet(int(model.SmallestFrame))); !ok || v.Dropped() {
				break
			}
		}
		g.drain(to, to)
		now := g.buffer.PG(to.port, to.pg).Headroom
		if now <= before {
			return
		}
		before = now
	}
}

// climb floods a group again whenever it has let enough leave to be resumed, as long as
// that leaves more in its headroom. It ends with a flood. Large packets go by a way of
// their own and leave first, so that it resumes to the cell.
func (g *game) climb(to, large target) {
	var before units.Cells
	for ; ; g.drain(to, large) {
		g.floodBy(to, large)
		now := g.buffer.PG(to.port, to.pg).Headroom
		if now <= before {
			return
		}
		before = now
	}
}

// crush fills every other lossless group of the slice, those with
// dynamic thresholds first, or only those.
func (g *game) crush(victim target, slice int, dynamic bool) {
	others := g.lossless(slice)
	g.fallingFirst(others)
	for _, other := range others {
		own := other.port == victim.port && other.pg == victim.pg
		if !own && (!dynamic || g.pg(other.port, other.pg).Limit.Dynamic) {
			g.fill(other, 0)
		}
	}
}

// trickle fills a group up to its limit with smallest packets.
func (g *game) trickle(to target) {
	for g.room(to.port, to.pg) > g.brim() {
		if v, ok := g.send(to.packet(int(model.SmallestFrame))); !ok || v.Dropped() {
			return
		}
	}
}

// drain lets packets leave the ways of a group until it resumes, large ones first.
func (g *game) drain(to, large target) {
	for g.pauses[to.port*maxPGs+to.pg].on {
		if (large == to || !g.leave(large.out, large.queue)) && !g.leave(to.out, to.queue) {
			return
		}
	}
}

// climbers lists the groups of a slice, one of each kind, that may resume with headroom
// in use, by the way that a function finds.
func (g *game) climbers(slice int, way func(target) (target, bool)) (list []target) {
	for _, to := range g.kindsOf(way) {
		if pg := g.pg(to.port, to.pg); g.config.Ports[to.port].Slice == slice && pg.XonCells > pg.ReservedCells {
			list = append(list, to)
		}
	}
	return list
}
