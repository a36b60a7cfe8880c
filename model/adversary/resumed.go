package adversary

import (
	"fmt"

	"github.com/roceplan/roceplan/model"
)

// resumed floods a group with a fixed xon while everybody else holds what they can, lets
// packets leave until it resumes, and floods it again, for some rounds: if it resumes with
// its headroom in use, each window finds less of it. Smallest packets make it resume to the cell.
func resumed(g *game, _ Options) (list []attack) {
	for _, to := range g.kinds() {
		if g.pg(to.port, to.pg).XonCells == 0 {
			continue
		}
		list = append(list, attack{fmt.Sprintf("xon of %s PG %d", g.sw.Ports[to.port].Name, to.pg), func(g *game) {
			slice := g.config.Ports[to.port].Slice
			g.lossyFirst(slice)
			others := g.lossless(slice)
			g.widestFirst(others)
			for _, other := range others {
				if other.port != to.port || other.pg != to.pg {
					g.fill(other, 0)
				}
			}
			g.trickle(to)
			for range rounds {
				g.flood(to)
				g.drain(to)
			}
		}})
	}
	return list
}

const rounds = 20

// trickle fills a group to the brim with smallest packets.
func (g *game) trickle(to target) {
	for g.loss == nil && g.room(to.port, to.pg) > g.brim() {
		if _, ok := g.send(to.packet(int(model.SmallestFrame))); !ok {
			return
		}
	}
}

// drain lets packets leave the way of a group until it resumes.
func (g *game) drain(to target) {
	for g.pauses[to.port*maxPGs+to.pg].on {
		if !g.leave(to.out, to.queue) {
			return
		}
	}
}
