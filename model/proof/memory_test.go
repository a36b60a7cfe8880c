package proof

import (
	"math/big"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// What is distributed: shared parts of 20 and 6, headroom pools of 4, reserves of 1 and 2, headroom of 9 that a group owns. Of that a group
// with a limit of 5 and 3 cells that come in can hold 9, one of the pool 3 + 5 and a lossy one 2 + 4.
func TestMemoryByHand(t *testing.T) {
	for _, c := range []struct {
		cells    units.Cells
		verdicts []Verdict
		lossless []bool
		note     bool
		because  string
	}{
		{0, []Verdict{Unjudged}, []bool{false}, false, "the catalogue does not know the packet buffer of the chip"},
		{42, []Verdict{Holds}, []bool{false}, false, ""},
		{41, []Verdict{Fails, Holds}, []bool{false, true}, true, ""},
		{23, []Verdict{Fails, Holds}, []bool{false, true}, true, ""}, // what can be held at once is
		{22, []Verdict{Fails, Unjudged}, []bool{false, true}, true, singleCells},
		{21, []Verdict{Fails, Unjudged}, []bool{false, true}, true, singleCells},
		{20, []Verdict{Fails}, []bool{true}, true, ""}, // 23 less a cell for each of two groups
	} {
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20, HeadroomCells: 4}, {SharedCells: 6}}, SliceCells: c.cells},
			mmu.Port{PGs: []mmu.PG{paused(mmu.StaticLimit(5), 1, 9), shares(mmu.StaticLimit(5), 0, 3), {Pool: 1, ReservedCells: 2, Limit: mmu.StaticLimit(4)}}})
		p.slices[0].lossyEgress, p.slices[0].lossySurely = 99, 99
		p.memory(0)
		all := p.report.Obligations
		if len(all) != len(c.verdicts) {
			t.Errorf("%d cells: %v", c.cells, all)
			continue
		}
		for i := range all {
			o := &all[i]
			if o.Verdict != c.verdicts[i] || o.Lossless != c.lossless[i] || o.Verdict == Unjudged && o.Because != c.because {
				t.Errorf("%d cells: %v, of lossless packets: %v", c.cells, o, o.Lossless)
			}
			if i > 0 && o.Verdict == Holds && (o.Left.Value != 23 || o.Where != "slice 0, held at once") {
				t.Errorf("%d cells: %v", c.cells, o)
			}
			if i == 0 && o.Verdict != Unjudged && (o.Left.Value != 42 || (o.Note == "at most 23 cells can be held at once") != c.note) {
				t.Errorf("%d cells: %d, %q", c.cells, o.Left.Value, o.Note)
			}
			for _, err := range recheck(o, map[string]*big.Int{}) {
				t.Errorf("%d cells: %v", c.cells, err)
			}
		}
		if c.cells == 0 {
			continue
		}
		held := p.report.heldAtOnce
		if len(held) != 1 || held[0].Left.Value != 23 || held[0].Right.Value != int64(c.cells) || held[0].Where != "slice 0" {
			t.Errorf("%d cells: %+v", c.cells, held)
		}
		for _, err := range recheck(p.add(held[0]), map[string]*big.Int{}) {
			t.Errorf("%d cells: %v", c.cells, err)
		}
	}
}

// Lossy traffic takes what its groups admit, and no more than its queues; a largest frame of every lossless group of the pool is beside
// it: one of 64 B with 200 B of metadata has two cells of 256 B.
func TestLossyShareByHand(t *testing.T) {
	for _, c := range []struct {
		shared   units.Cells
		queued   int64
		metadata units.Bytes
		left     int64
		verdict  Verdict
	}{{7, 99, 0, 5 + 2, Holds}, {6, 99, 0, 5 + 2, Fails}, {6, 3, 0, 3 + 2, Holds}, {9, 99, 200, 5 + 4, Holds}, {7, 99, 192, 5 + 2, Holds}, {7, 99, 193, 5 + 4, Fails}} {
		lossless := paused(mmu.StaticLimit(1), 0, 3)
		elsewhere := lossless
		elsewhere.Pool = 1
		p := ofPorts(mmu.Config{MetadataBytes: c.metadata, IngressPools: []mmu.Pool{{SharedCells: c.shared}, {SharedCells: 50}, {SharedCells: 50}}},
			mmu.Port{PGs: []mmu.PG{lossless, lossless, {Limit: mmu.StaticLimit(5)}}}, mmu.Port{PGs: []mmu.PG{elsewhere, {Pool: 2, Limit: mmu.StaticLimit(5)}}})
		p.slices[0].lossyEgress = c.queued
		p.lossyShare(0)
		if all := p.report.Obligations; len(all) != 2 || all[0].Left.Value != c.left || all[0].Right.Value != int64(c.shared) || all[0].Verdict != c.verdict || all[1].Left.Value != (c.left-p.lossyOf(0, 0))/2 {
			t.Errorf("%+v: %v", c, all)
		}
		for i := range p.report.Obligations {
			for _, err := range recheck(&p.report.Obligations[i], map[string]*big.Int{}) {
				t.Error(err)
			}
		}
	}
}

// What one of some groups gains by resuming above its threshold counts only where it breaks what holds without it.
func TestClimbed(t *testing.T) {
	pg := paused(mmu.StaticLimit(5), 2, 20)
	for _, c := range []struct {
		xon   units.Cells
		limit int64 // above which it breaks
		want  int64 // of 10 cells
	}{{12, 15, 10}, {12, 14, 15}, {12, 10, 15}, {12, 9, 10}, {8, 10, 11}, {8, 11, 10}, {7, 10, 10}, {0, 10, 10}} {
		pg.XonCells = c.xon
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}}, mmu.Port{PGs: []mmu.PG{paused(mmu.StaticLimit(0), 0, 0)}}, mmu.Port{PGs: []mmu.PG{pg}})
		list := p.slices[0].lossless[1:]
		h := p.climbed(p.sum(list, nil), list, func(cells int64) bool { return cells > c.limit })
		if h.side.Value != c.want || h.surely != c.want {
			t.Errorf("%+v: %d, surely %d", c, h.side.Value, h.surely)
		}
		o := p.add(Obligation{ID: EgressHolds, Left: h.side, Terms: append(h.terms, given("S", "", 99, InCells)), Right: Side{"S", 99}})
		for _, err := range recheck(o, map[string]*big.Int{}) {
			t.Error(err)
		}
	}
}

// However many there are of however many kinds, these are too many.
func TestStatesDoNotOverflow(t *testing.T) {
	for kinds := range 9 {
		list := slices.Repeat([]kind{{bound{}, 1 << 40}}, kinds+1)
		if n := states(list); n <= mostStates {
			t.Errorf("%d kinds: %d", len(list), n)
		}
	}
}

// Exactly as many numbers of two kinds as are tried are 128 · 128; with one more the narrow ones are taken for wide ones.
func TestMostStates(t *testing.T) {
	narrow, wide := bound{limit: mmu.DynamicLimit(-3)}, bound{limit: mmu.DynamicLimit(-1)}
	for _, more := range []int{0, 1} {
		list := slices.Concat(slices.Repeat([]bound{narrow}, 127), slices.Repeat([]bound{wide}, 127+more))
		order := worstOrder(list, mmu.WithCell, 3000)
		narrows := 0
		for _, b := range order {
			narrows += int(b2i64(b == narrow))
		}
		if want := 127 * (1 - more); narrows != want || len(order) != len(list) {
			t.Errorf("%d of %d are narrow, want %d", narrows, len(order), want)
		}
	}
}
