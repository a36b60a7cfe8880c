package adversary

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/units"
)

// roomy has headroom for all that comes in, and a pool for all that groups may take.
func roomy(sw *model.Switch) {
	sw.Config.IngressPools[0].SharedCells = 200
	for i := range sw.Config.Ports {
		sw.Config.Ports[i].PGs[0].HeadroomCells = 40
	}
}

// Where there are levels at which every group that has a part of the pool has room for a cell until the last one takes
// its own, they are found, and those that are found are such: all counts of free cells are tried.
func TestLevels(t *testing.T) {
	for _, rule := range []mmu.Admission{mmu.WithCell, mmu.BelowWithCell, mmu.BeforeCell} {
		for _, last := range []target{{port: 0, pg: 1, out: 1, queue: 1}, {port: 0, out: 1}} {
			for _, limit := range []mmu.Limit{mmu.StaticLimit(20), mmu.StaticLimit(1), mmu.DynamicLimit(0)} {
				for shared := units.Cells(1); shared <= 45; shared++ {
					g := box(t, func(sw *model.Switch) {
						sw.Config.IngressPools[0].SharedCells, sw.Config.Rules.Admission = shared, rule
						sw.Config.Ports[0].PGs[0].Limit = mmu.DynamicLimit(0)
						sw.Config.Ports[1].PGs[0].Limit, sw.Config.Ports[2].PGs[0].Limit = mmu.DynamicLimit(0), mmu.DynamicLimit(-1)
						sw.Config.Ports[0].PGs[last.pg].Limit = limit
					})
					keep := int64(0)
					if last.pg == 0 {
						keep = 1
					}
					others := slices.DeleteFunc(g.lossless(0), func(to target) bool { return to == last })
					room := func(to target, cells, free int64) bool { // for one more
						return free > 0 && cells+1 <= g.most(g.pg(to.port, to.pg).Limit, free-1)
					}
					may := func(cells, free int64) bool { // the last one, with what it keeps
						return free >= keep && cells+keep <= g.most(limit, free-keep)
					}
					upTo := map[target][]int64{} // most cells with room for one more, by free cells; -1: none
					for _, to := range others {
						for free := int64(0); free <= int64(shared); free++ {
							cells := int64(-1)
							for room(to, cells+1, free) {
								cells++
							}
							upTo[to] = append(upTo[to], cells)
						}
					}
					exists := false
					for k := int64(1); k <= int64(shared); k++ {
						for f := int64(0); f+k <= int64(shared); f++ {
							low, high, fits := int64(0), int64(0), true
							for _, to := range others {
								least, most := upTo[to][f]+1, upTo[to][f+k]
								if most < 0 { // it has no part of the pool at all
									least, most = 0, 0
								}
								low, high, fits = low+least, high+most, fits && least <= most
							}
							for sum := low; fits && sum <= high; sum++ {
								if first := int64(shared) - f - k - sum; first >= 0 && may(first+k, f) {
									exists = true
								}
							}
						}
					}
					l, ok := g.level(0, last, Options{})
					if ok && !exists || !ok && exists {
						t.Errorf("%v, %v in %d, PG %d last: found %v, and there are such %v", rule, limit, shared, last.pg, ok, exists)
					}
					if !ok {
						continue
					}
					free := int64(shared) - l.first
					for _, cells := range l.cells {
						free -= cells
					}
					right := false
					for k := int64(1); k <= free; k++ {
						all := len(l.cells) == len(others) && may(l.first+k, free-k)
						for i, to := range l.others {
							none := l.cells[i] == 0 && !room(to, 0, free)
							all = all && (none || room(to, l.cells[i], free) && !room(to, l.cells[i], free-k))
						}
						right = right || all
					}
					if !right || l.first < 0 {
						t.Errorf("%v, %v in %d, PG %d last: %+v leaves %d", rule, limit, shared, last.pg, l, free)
					}
				}
			}
		}
	}
}

// Three groups of an alpha of 1 in a pool of 50, and a last one of 20 cells. With f cells free at the end and one more
// before, each has f - 1: one more is as many as are left with f + 1 free, and more than are left with f. The last one
// has 50 - f - 3(f - 1), no more than 20 with f = 9: 17, of which it takes one at the end.
func TestLevelsByHand(t *testing.T) {
	last := target{port: 0, pg: 1, out: 1, queue: 1}
	alike := func(sw *model.Switch) {
		for i := range sw.Config.Ports {
			sw.Config.Ports[i].PGs[0].Limit = mmu.DynamicLimit(0)
		}
	}
	g := box(t, alike)
	one := func(shared units.Cells) func(sw *model.Switch) {
		return func(sw *model.Switch) {
			sw.Config.IngressPools[0].SharedCells, sw.Config.Ports[0].PGs[1].Limit = shared, mmu.StaticLimit(1)
			for i := range sw.Config.Ports {
				sw.Config.Ports[i].PGs[0].Limit = mmu.DynamicLimit(-3)
			}
		}
	}
	for _, shared := range []units.Cells{1, 9} { // all of the pool; and of nine cells the eighth part of eight is one, and of seven none
		g := box(t, one(shared))
		if l, ok := g.level(0, last, Options{}); !ok || l.first != 0 || !slices.Equal(l.cells, []int64{0, 0, 0}) {
			t.Errorf("%d cells: %+v, %v", shared, l, ok)
		}
	}
	l, ok := g.level(0, last, Options{})
	if !ok || l.last != last || l.first != 16 || !slices.Equal(l.cells, []int64{8, 8, 8}) || len(l.others) != 3 {
		t.Errorf("%+v, %v", l, ok)
	}
	// Of the 16 the last is a packet of a cell, so that the next one of three cells makes 19. What is flooded is lossless.
	if g.sink(l); g.buffer.PG(0, 1).Shared != 19 || g.events[len(g.events)-1].PG != 0 {
		t.Errorf("the last one has %d cells: %+v", g.buffer.PG(0, 1).Shared, g.events)
	}
}

// Three groups of an alpha of 2: with f free at the end and one more before, each has 2f - 2 or 2f - 1. Where the last one
// has one cell, f + 3(2f - 1) are 18 with f = 3, and of as many cells and fewer some have one less.
func TestLevelsWithLess(t *testing.T) {
	for shared, want := range map[units.Cells][]int64{19: {5, 5, 5}, 18: {4, 5, 5}, 17: {4, 4, 5}, 16: {4, 4, 4}} {
		g := box(t, func(sw *model.Switch) {
			sw.Config.IngressPools[0].SharedCells, sw.Config.Ports[0].PGs[1].Limit = shared, mmu.StaticLimit(1)
			for i := range sw.Config.Ports {
				sw.Config.Ports[i].PGs[0].Limit = mmu.DynamicLimit(1)
			}
		})
		if l, ok := g.level(0, target{port: 0, pg: 1, out: 1, queue: 1}, Options{}); !ok || l.first != 0 || !slices.Equal(l.cells, want) {
			t.Errorf("%d cells: %+v, want %v", shared, l, want)
		}
	}
}

// Lossless groups are flooded, and what a lossy one takes is what lowers their thresholds.
func TestSink(t *testing.T) {
	g := box(t, func(sw *model.Switch) {
		roomy(sw)
		sw.Config.IngressPools[0].SharedCells = 60
		for i := range sw.Config.Ports {
			sw.Config.Ports[i].PGs[0].Limit = mmu.DynamicLimit(0)
		}
	})
	l, ok := g.level(0, target{port: 0, pg: 1, out: 1, queue: 1}, Options{})
	if !ok {
		t.Fatal("no levels")
	}
	full := [3]int64{-1, -1, -1}
	g.watch = func(g *game, e *Event, v mmu.Verdict) {
		if v.PFC == mmu.XOFF {
			full[e.In] = int64(g.buffer.PG(e.In, e.PG).Shared)
		}
	}
	g.sink(l)
	for i, to := range l.others {
		if full[to.port] != l.cells[i] || g.buffer.PG(to.port, 0).Headroom == 0 {
			t.Errorf("%v has %d cells, want %d, and %d in its headroom", to, full[to.port], l.cells[i], g.buffer.PG(to.port, 0).Headroom)
		}
	}
	// With 11 cells free at the end the others have 10 each and the last one 19, of which the last is one of a packet
	// that takes both that it may still have.
	if l.first != 18 || g.buffer.PG(0, 1).Shared != 20 || g.room(0, 0) > 0 {
		t.Errorf("the last one has %d cells, of %d before", g.buffer.PG(0, 1).Shared, l.first)
	}
}

// All groups are filled at one pace, the first with some room to spare, which is the first to be full.
func TestEvenly(t *testing.T) {
	for spare := int64(0); spare <= 3; spare++ {
		g := box(t, roomy)
		var first []int64
		g.watch = func(g *game, e *Event, v mmu.Verdict) {
			if v.PFC == mmu.XOFF && first == nil {
				cells := g.shared()
				first = append([]int64{int64(e.In)}, cells[:]...)
			}
		}
		g.evenly(g.chosen(0, Options{}, true), 0, false, spare)
		if !slices.Equal(first, []int64{0, 10, 9, 9}) {
			t.Errorf("%d to spare: the port that is paused first, and what all have: %v", spare, first)
		}
		for port := range 3 {
			if !g.pauses[port*maxPGs].on || g.shared()[port] != 10 {
				t.Errorf("%d to spare: port %d has %d cells", spare, port, g.shared()[port])
			}
		}
	}
	// The others have as much as they have when the spare room is still there: a round is a packet of each.
	g := box(t, roomy)
	var turns []int
	g.watch = func(_ *game, e *Event, _ mmu.Verdict) { turns = append(turns, e.In) }
	g.evenly(g.lossless(0), 0, false, 5)
	if want := []int{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}; !slices.Equal(turns[:len(want)], want) {
		t.Errorf("%v, want %v", turns[:len(want)], want)
	}
	// Then the first has room for 6, and takes 3 and 2 of them before it is flooded.
	own := slices.DeleteFunc(slices.Clone(g.events), func(e Event) bool { return e.In != 0 || e.Bytes == 64 })
	if own[0].Bytes != 280 || own[0].Count != 1 || own[1].Bytes != 200 {
		t.Errorf("%+v", own[:2])
	}
}

// Where packets of two cells leave one group one cell of room and another one two, that with two goes first.
func TestEvenlyThoseWithMostRoomFirst(t *testing.T) {
	g := box(t, func(sw *model.Switch) {
		roomy(sw)
		sw.Config.CellBytes = 50
		sw.Config.Ports[0].PGs[0].Limit, sw.Config.Ports[1].PGs[0].Limit = mmu.StaticLimit(11), mmu.StaticLimit(10)
	})
	var paused []int
	g.watch = func(_ *game, e *Event, v mmu.Verdict) {
		if v.PFC == mmu.XOFF {
			paused = append(paused, e.In)
		}
	}
	if g.evenly(g.lossless(0)[:2], 0, false, 0); !slices.Equal(paused, []int{1, 0}) {
		t.Errorf("%v", paused)
	}
}

// Largest packets go as long as there is room for two of each group, of three cells each: 18 cells.
func TestEvenlyEndsWithSmallest(t *testing.T) {
	for limit, want := range map[units.Cells]int{17: 64, 18: 280} {
		g := box(t, func(sw *model.Switch) {
			roomy(sw)
			for i := range sw.Config.Ports {
				sw.Config.Ports[i].PGs[0].Limit = mmu.StaticLimit(limit)
			}
		})
		g.evenly(g.lossless(0), 0, false, 0)
		if g.events[0].Bytes != want || g.events[3].Bytes != 64 {
			t.Errorf("a limit of %d: %+v", limit, g.events[:4])
		}
	}
}

// Lossy traffic goes first where it is asked for, and all lossless groups are full and paused then.
func TestAllAtOnce(t *testing.T) {
	for _, lossy := range []bool{false, true} {
		for name, play := range map[string]func(g *game){
			"at once": func(g *game) { g.allAtOnce(0, Options{}, lossy, false) }, "in turn": func(g *game) { g.inTurn(g.lossless(0), 0, lossy) },
			"evenly": func(g *game) { g.evenly(g.lossless(0), 0, lossy, 0) }, "crowded": func(g *game) {
				g.crowd(0, goal{out: 2}, Options{}, map[bool]string{true: "lossy"}[lossy])
			},
		} {
			g := box(t, roomy)
			play(g)
			if first := g.events[0].PG; (first == 1) != lossy {
				t.Errorf("%s: the first packet is of PG %d", name, first)
			}
			for port := range 3 {
				want := units.Cells(0)
				if lossy || name == "at once" { // which squeezes groups with it at the end
					want = 20
				}
				if got := g.buffer.PG(port, 1).Shared; got != want {
					t.Errorf("%s: port %d has %d lossy cells, want %d", name, port, got, want)
				}
				if paused := g.pauses[port*maxPGs].on; paused != (name != "crowded" || port != 2) {
					t.Errorf("%s: port %d is paused: %v", name, port, paused)
				}
			}
		}
	}
	g := box(t, roomy)
	if g.crowd(0, goal{out: 2}, Options{FanIn: 1}, ""); g.shared() != [3]int64{10, 0, 0} {
		t.Errorf("one sender: %v", g.shared())
	}
	if g.crowd(0, goal{out: 2}, Options{}, "others"); g.shared() != [3]int64{10, 10, 10} {
		t.Errorf("others first: %v", g.shared())
	}
	if got := g.chosen(0, Options{PausedPGs: 1}, false); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// A group with a fixed xon is attacked in three ways, of which the last sends large packets by another port.
func TestResumedAttacks(t *testing.T) {
	xon := func(sw *model.Switch) {
		roomy(sw)
		sw.Config.Ports[0].PGs[0].XonCells = 5
	}
	var names []string
	list := resumed(box(t, xon), Options{})
	for _, a := range list {
		names = append(names, strings.TrimPrefix(a.name, "xon of p0 PG 0"))
	}
	if !slices.Equal(names, []string{"", ", smallest packets first", ", large packets by another way"}) {
		t.Fatalf("%q", names)
	}
	for i, a := range list {
		g := box(t, xon)
		a.play(g)
		out := map[int]bool{}
		for _, e := range g.events {
			if e.Kind == Arrive && e.In == 0 && e.PG == 0 {
				out[e.Out] = true
			}
		}
		if !out[1] || out[2] != (i == 2) {
			t.Errorf("%s: to ports %v", a.name, out)
		}
	}
	if list := resumed(box(t, roomy), Options{}); list != nil {
		t.Errorf("%d attacks without xon", len(list))
	}
	if list := resumed(box(t, func(sw *model.Switch) { xon(sw); sw.Config.Ports[0].PGs[0].XonCells = 1 }), Options{}); len(list) != 3 {
		t.Errorf("%d attacks", len(list))
	}
}

// What is left of a headroom takes packets as long as that is, as they may be: of 4 cells 280 B and then 100 B. Where a
// packet of two cells is lost unseen, one of a cell still finds a place.
func TestStuff(t *testing.T) {
	far := func(cells units.Cells) func(sw *model.Switch) {
		return func(sw *model.Switch) {
			sw.Ports[0].Link.Cable = 300 * units.Metre
			sw.Config.Ports[0].PGs[0].HeadroomCells = cells
		}
	}
	to := target{port: 0, out: 1}
	g := box(t, far(14))
	g.fill(to, 0)
	for range 10 {
		g.send(to.packet(64))
	}
	n := len(g.events)
	g.stuff(to)
	if rest := g.events[n:]; g.buffer.PG(0, 0).Headroom != 14 || len(rest) != 2 || rest[0].Bytes != 280 || rest[1].Bytes != 100 || g.loss != nil {
		t.Errorf("%d cells, %+v", g.buffer.PG(0, 0).Headroom, rest)
	}
	g = box(t, far(5))
	g.only = []string{proof.PauseReaches}
	g.fill(to, 1)
	g.flood(to)
	if got := g.buffer.PG(0, 0); got.Headroom != 5 || got.Shared != 10 {
		t.Errorf("%+v", got)
	}
	// Of 4 cells two packets of two cells leave one, since one cell of theirs was below the threshold.
	g = box(t, far(4))
	g.only, g.cuts[g.sw.Ports[0].Link] = []string{proof.PauseReaches}, cut{101, 101, 280}
	g.fill(to, 1)
	if g.flood(to); g.buffer.PG(0, 0).Headroom != 4 || g.events[len(g.events)-1].Bytes != 100 {
		t.Errorf("%+v, %+v", g.buffer.PG(0, 0), g.events)
	}
}

// Groups of more headroom than their pool has are all filled to the cell, with each kind of group as the last one; of a
// chip that pauses with the first packet that finds no cell, none.
func TestLeveledAttacks(t *testing.T) {
	crammed := func(sw *model.Switch) {
		roomy(sw)
		sw.Config.IngressPools[0].SharedCells, sw.Config.IngressPools[0].HeadroomCells = 60, 50
		for i := range sw.Config.Ports {
			sw.Config.Ports[i].PGs[0].Limit, sw.Config.Ports[i].PGs[0].HeadroomPooled = mmu.DynamicLimit(0), true
		}
	}
	g := box(t, crammed)
	var names []string
	for _, a := range leveled(g, Options{}) {
		names = append(names, a.name)
		own := box(t, crammed)
		a.play(own)
		for port := range 3 {
			if !own.pauses[port*maxPGs].on && own.loss == nil {
				t.Errorf("%s: port %d is not flooded", a.name, port)
			}
		}
	}
	if !slices.Equal(names, []string{"all groups of slice 0 to the cell, PG 1 of p0 last", "all groups of slice 0 to the cell, PG 0 of p0 last"}) {
		t.Errorf("%q", names)
	}
	g = box(t, func(sw *model.Switch) { crammed(sw); sw.Config.IngressPools[0].HeadroomCells = 120 })
	if list := leveled(g, Options{}); len(list) != 0 { // three groups of 40
		t.Errorf("%d attacks", len(list))
	}
	g = box(t, func(sw *model.Switch) { crammed(sw); sw.Config.Rules.Pause = mmu.OnExcess })
	if list := leveled(g, Options{}); len(list) != 0 || g.brim() != 0 {
		t.Errorf("%d attacks", len(list))
	}
}
