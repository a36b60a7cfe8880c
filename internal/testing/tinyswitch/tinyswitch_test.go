package tinyswitch

import (
	"math/rand/v2"
	"testing"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Whatever comes in and leaves, the states are those that package mmu counts, packet by packet.
func TestStatesAreThoseOfTheBuffer(t *testing.T) {
	lost := map[string]bool{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		sw := Draw(r, Kind{Lossy: seed%2 == 0, Xon: seed%3 == 0, Bounds: seed%5 < 2, Slices: seed%7 == 0, Pools: seed%7 == 3, Tight: seed%4 > 0})
		config := *sw.Config
		config.SliceCells = 0
		buffer, err := mmu.New(&config)
		if err != nil {
			t.Fatal(seed, err)
		}
		w, _ := Visit(sw, 0, nil)
		var s State
		for range 300 {
			i := r.IntN(len(w.Groups))
			g := &w.Groups[i]
			packet := mmu.Packet{InPort: g.Port, PG: g.Number, OutPort: len(config.Ports) - 1, Queue: g.Queue, Bytes: 64}
			w.seen, w.todo, w.Lost = map[State]bool{}, nil, map[string]bool{}
			if r.IntN(3) == 0 {
				if s[i].Below+s[i].Above == 0 {
					continue
				}
				w.leave(s, i)
				buffer.Dequeue(&packet)
			} else {
				if w.arrive(s, i); g.pg.Lossless && len(w.todo) == 0 {
					continue // its peer is silent
				}
				v := buffer.Enqueue(&packet)
				delete(w.Lost, Memory)
				if dropped := v.Dropped() && g.pg.Lossless; dropped != w.Lost[v.Outcome.String()] || len(w.Lost) > 1 {
					t.Fatalf("seed %d: %v of a packet of %+v, and %v", seed, v.Outcome, *g, w.Lost)
				}
				for why := range w.Lost {
					lost[why] = true
				}
			}
			if len(w.todo) > 0 {
				s = w.todo[0]
			}
			for j, g := range w.Groups {
				pg := buffer.PG(g.Port, g.Number)
				if pg.Reserved+pg.Shared != units.Cells(s[j].Below) || pg.Headroom != units.Cells(s[j].Above) || pg.Paused != s[j].paused {
					t.Fatalf("seed %d: %+v, and %+v in %+v", seed, pg, s[j], config)
				}
			}
		}
	}
	if len(lost) != 5 {
		t.Errorf("packets are lost for %v", lost)
	}
}

// Two groups of a pool of 4 with an alpha of 1 hold 2 and 1 cells below their thresholds at most, and three
// each above: the packet that fills one is among the three that come in.
func TestVisitByHand(t *testing.T) {
	pg := mmu.PG{Lossless: true, Limit: mmu.DynamicLimit(0), HeadroomCells: 3}
	sw := &model.Switch{
		Config: &mmu.Config{
			CellBytes: 256, Slices: 1, IngressPools: []mmu.Pool{{SharedCells: 4}}, EgressPools: []mmu.Pool{{SharedCells: Plenty}},
			Ports: []mmu.Port{{PGs: []mmu.PG{pg}}, {PGs: []mmu.PG{pg}}, {Queues: []mmu.Queue{{Limit: mmu.StaticLimit(Plenty)}}}},
		},
		Ports: []model.Port{{Link: Link(1), Pausable: 1, Queues: [mmu.MaxPGs]uint16{1}}, {Link: Link(1), Pausable: 1, Queues: [mmu.MaxPGs]uint16{1}}, {}},
	}
	most, above := int64(0), uint8(0)
	w, ok := Visit(sw, 10_000, func(w *Walk, s *State) {
		most = max(most, w.Held(s, func(*Group) bool { return true }))
		above = max(above, s[0].Above)
	})
	// One of them has 2 of 4; the other takes 1 of 2 with a packet of its own, and so both have two above; where the
	// other is filled up by the first, three of its own come in above.
	if !ok || len(w.Lost) > 0 || most != 2+1+2+2 || above != 3 {
		t.Errorf("%v, %d states, lost %v, %d cells, %d above", ok, w.States, w.Lost, most, above)
	}
	if _, ok := Visit(sw, 10, nil); ok {
		t.Error("there are ten states")
	}
}
