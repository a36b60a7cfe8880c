package adversary

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/roceplan/roceplan/model"
)

// steps is the number of moves of a random attack.
const steps = 200

// mixed plays moves at random: it fills, floods, lets some leave, and sends packets of one size,
// also of sizes that just take a cell more, wherever it likes.
func mixed(g *game, opts Options) (list []attack) {
	ways := slices.Concat(g.routes...)
	if len(ways) == 0 {
		return nil
	}
	for i := range opts.Random {
		list = append(list, attack{fmt.Sprintf("random %d", i), func(g *game) {
			r := rand.New(rand.NewPCG(opts.Seed, uint64(i)))
			for range steps {
				if g.packets > opts.Packets {
					return
				}
				g.step(r, ways[r.IntN(len(ways))])
			}
		}})
	}
	return list
}

func (g *game) step(r *rand.Rand, way target) {
	switch r.IntN(4) {
	case 0:
		g.fill(way, int64(r.IntN(3)))
	case 1:
		g.flood(way)
	case 2:
		for range r.IntN(200) {
			g.leave(way.out, way.queue)
		}
	case 3:
		frame := int(g.sw.Ports[way.port].Link.LosslessFrame)
		sizes := append(g.shortest(frame), frame, int(model.SmallestFrame)+r.IntN(frame-int(model.SmallestFrame)+1))
		bytes := sizes[r.IntN(len(sizes))]
		for range r.IntN(50) {
			g.send(way.packet(bytes))
		}
	}
}
