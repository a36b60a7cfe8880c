package adversary

import (
	"fmt"
	"math/rand/v2"

	"github.com/roceplan/roceplan/model"
)

// steps is how many moves a random attack makes.
const steps = 200

// mixed plays moves at random: it fills, floods, sends packets of odd sizes and lets some
// leave, wherever it likes.
func mixed(_ *game, opts Options) (list []attack) {
	for i := range opts.Random {
		list = append(list, attack{fmt.Sprintf("random %d", i), func(g *game) {
			r := rand.New(rand.NewPCG(opts.Seed, uint64(i)))
			for range steps {
				if g.loss != nil || g.packets > opts.Packets {
					return
				}
				g.step(r)
			}
		}})
	}
	return list
}

func (g *game) step(r *rand.Rand) {
	port := r.IntN(len(g.config.Ports))
	if len(g.config.Ports[port].PGs) == 0 {
		return
	}
	ways := g.ways(port, r.IntN(len(g.config.Ports[port].PGs)))
	if len(ways) == 0 {
		return
	}
	way := ways[r.IntN(len(ways))]
	link := &g.sw.Ports[port].Link
	switch r.IntN(6) {
	case 0:
		g.fill(way, int64(r.IntN(3)))
	case 1:
		if g.pg(way.port, way.pg).Lossless && g.sw.Ports[port].Pausable>>way.pg&1 == 1 {
			g.flood(way)
		}
	case 2:
		for range r.IntN(200) {
			g.leave(way.out, way.queue)
		}
	case 3:
		bytes := int(model.SmallestFrame) + r.IntN(int(link.LosslessFrame-model.SmallestFrame)+1)
		for range r.IntN(50) {
			if v, ok := g.send(way.packet(bytes)); !ok || v.Dropped() {
				return
			}
		}
	case 4:
		lengths := g.shortest(int(link.LosslessFrame))
		g.send(way.packet(lengths[r.IntN(len(lengths))]))
	case 5:
		for range r.IntN(5) {
			g.send(way.packet(int(link.LosslessFrame)))
		}
	}
}
