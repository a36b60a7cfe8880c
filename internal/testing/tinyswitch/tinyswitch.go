// Package tinyswitch draws switches of which every packet fills one cell and every pool has a few,
// so that all states that their buffers can be in can be visited. Prover and adversary are held
// against what is seen there. Only tests import it.
package tinyswitch

import (
	"fmt"
	"math/rand/v2"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Plenty is more than all cells of a tiny switch.
const Plenty = 500

// A Kind says what a drawn switch may have besides lossless groups that share a pool.
type Kind struct {
	Lossy, Xon, Bounds, Slices bool
	// Pools is a second ingress pool, of another size and with a headroom pool of its own where the first has one.
	Pools bool
	// Tight limits queues, the egress pool, the headroom pool or the memory, about where they begin to suffice.
	Tight bool
}

// Draw draws a switch: ports that send, of up to three groups together, and a last one that they all
// send to, each group to one queue of it.
func Draw(r *rand.Rand, k Kind) *model.Switch {
	d := drawer{r, k}
	sw := &model.Switch{Config: &mmu.Config{CellBytes: 256, Slices: 1}}
	c := sw.Config
	c.Rules = mmu.Rules{Admission: mmu.Admission(r.IntN(3)), Pause: mmu.Pause(r.IntN(2)), Decided: mmu.Decided(d.rarely(4))}
	if k.Slices {
		c.Slices = 2
	}
	shared := 2 + r.IntN(5)
	c.IngressPools = []mmu.Pool{{Name: "in", SharedCells: units.Cells(shared)}}
	if k.Pools {
		c.IngressPools = append(c.IngressPools, mmu.Pool{Name: "in2", SharedCells: units.Cells(1 + r.IntN(4))})
	}
	c.EgressPools = []mmu.Pool{{Name: "out", SharedCells: Plenty}, {Name: "other", SharedCells: Plenty}}
	queues := make([]mmu.Queue, 3)
	for i := range queues {
		queues[i] = mmu.Queue{Limit: mmu.StaticLimit(Plenty)}
	}
	queues[2].Pool = 1
	pooled := r.IntN(2) == 0
	needs := make([]int, len(c.IngressPools)) // headroom, by pool
	for groups := 2 + d.rarely(3); groups > 0; {
		link := Link(1 + 7*d.rarely(3))
		port, own := mmu.Port{Slice: d.rarely(2) * (c.Slices - 1)}, model.Port{Name: fmt.Sprintf("p%d", len(c.Ports)), Link: link, Pausable: 1<<mmu.MaxPGs - 1}
		for n := min(groups, 1+d.rarely(3)); n > 0; n-- {
			number := len(port.PGs)
			pg := mmu.PG{Limit: d.limit(shared), ReservedCells: units.Cells(d.rarely(3)), Lossless: !k.Lossy || groups > 1, HeadroomPooled: pooled}
			if k.Pools {
				pg.Pool = r.IntN(2)
			}
			if own.Queues[number] = 1 << r.IntN(2); pg.Lossless {
				pg.HeadroomCells = units.Cells(ComesIn(c, link) + d.rarely(4) - d.rarely(3))
				needs[pg.Pool] += int(pg.HeadroomCells)
				if k.Xon && d.rarely(2) == 1 {
					pg.XonCells = units.Cells(r.IntN(7))
				}
				pg.XonOffsetCells = units.Cells(r.IntN(3))
			} else {
				pg.HeadroomPooled, own.Queues[number] = false, 1<<(1+r.IntN(2))
			}
			port.PGs = append(port.PGs, pg)
			groups--
		}
		if k.Bounds && d.rarely(2) == 1 {
			port.Ingress = []mmu.Bound{{Limit: d.limit(shared)}}
		}
		c.Ports, sw.Ports = append(c.Ports, port), append(sw.Ports, own)
	}
	sink := mmu.Port{Queues: queues}
	near := func(most int) units.Cells { return units.Cells(max(1, most-r.IntN(6))) }
	all := len(c.Ports)
	for i := range c.IngressPools {
		pool := &c.IngressPools[i]
		all += int(pool.SharedCells) + needs[i]
		if pooled {
			if pool.HeadroomCells = Plenty; k.Tight && d.rarely(2) == 1 {
				pool.HeadroomCells = near(needs[i])
			}
		}
	}
	if k.Tight {
		switch r.IntN(4) {
		case 0:
			queues[0].Limit, queues[1].Limit = mmu.StaticLimit(near(all)), mmu.StaticLimit(near(all))
		case 1:
			c.EgressPools[0].SharedCells = near(all + 1)
		case 2:
			c.SliceCells = near(all + 1)
		case 3:
			c.EgressPools[0].SharedCells = units.Cells(all)
			queues[0].Limit = mmu.DynamicLimit(units.Alpha(1 + r.IntN(3)))
		}
		if k.Bounds && d.rarely(2) == 1 {
			sink.Egress = []mmu.Bound{{Limit: mmu.StaticLimit(near(all))}}
		}
		queues[r.IntN(2)].ReservedCells = units.Cells(d.rarely(3))
	}
	if k.Pools && k.Tight && k.Lossy && d.rarely(2) == 1 { // lossy traffic is held up on its way out
		queues[1].Limit = mmu.StaticLimit(units.Cells(1 + r.IntN(3)))
	}
	c.Ports, sw.Ports = append(c.Ports, sink), append(sw.Ports, model.Port{Name: "sink", Link: Link(1)})
	return sw
}

type drawer struct {
	*rand.Rand
	kind Kind
}

// rarely is 1 one time in n, and else 0.
func (d drawer) rarely(n int) int {
	if d.IntN(n) == 0 {
		return 1
	}
	return 0
}

func (d drawer) limit(shared int) mmu.Limit {
	if d.IntN(3) == 0 {
		return mmu.StaticLimit(units.Cells(d.IntN(shared + 1)))
	}
	return mmu.DynamicLimit(units.Alpha(d.IntN(5) - 2))
}

// Link is a cable of 10 Gb/s to a peer that sends frames of 64 B and is silent at once.
func Link(metres int) model.Link {
	return model.Link{Rate: 10 * units.Gbps, Cable: units.Length(metres) * units.Metre, PortFrame: 64, LosslessFrame: 64}
}

// ComesIn returns the number of packets that come in over a link after a pause, with the one that decides
// it: 84 B on the wire are ahead of the pause and as many are the pause itself, and a metre of cable there
// and back is 10 ns, 12.5 B. One of 84 B begins at each 84 B of that, and one at its beginning. Where the
// last byte decides, the deciding one has come in before all these.
func ComesIn(c *mmu.Config, l model.Link) int {
	metres := int(l.Cable / units.Metre)
	packets := 1 + (2*84*10+125*metres)/840
	if c.Rules.Decided == mmu.AtEnd {
		packets++
	}
	return packets
}
