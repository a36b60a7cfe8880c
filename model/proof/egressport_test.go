package proof

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Of queues that lossless groups feed the least reserve of one is what surely does not count for the port. A port is judged for each kind of
// bound, of queues and of maps, with the most senders; not in pools that its senders do not feed.
func TestPortsHoldByHand(t *testing.T) {
	queues := []mmu.Queue{{ReservedCells: 3}, {ReservedCells: 2}, {ReservedCells: 1}, {Pool: 1}}
	other := slices.Clone(queues)
	other[0].ReservedCells = 4
	bound := func(cells units.Cells) []mmu.Bound { return []mmu.Bound{{Limit: mmu.StaticLimit(cells)}} }
	pg := []mmu.PG{paused(mmu.StaticLimit(5), 1, 3), paused(mmu.StaticLimit(4), 0, 3)}
	p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 90}}, EgressPools: []mmu.Pool{{Name: "out", SharedCells: 90}, {Name: "rest", SharedCells: 90}, {Name: "none", SharedCells: 90}}},
		mmu.Port{PGs: pg, Queues: queues, Egress: bound(20)}, mmu.Port{PGs: pg, Queues: queues, Egress: bound(20)},
		mmu.Port{Queues: queues, Egress: bound(20)}, mmu.Port{Queues: queues, Egress: bound(21)}, mmu.Port{Queues: other, Egress: bound(20)},
		mmu.Port{Queues: queues, Egress: []mmu.Bound{{Pool: 2, Limit: mmu.StaticLimit(1)}}}, mmu.Port{Queues: queues[:1], Egress: bound(9)})
	for i := range 2 {
		p.m.Ports[i].Queues = [mmu.MaxPGs]uint16{1<<0 | 1<<3, 1 << 1}
	}
	p.portsHold(0)
	var got []string
	for i := range p.report.Obligations {
		o := &p.report.Obligations[i]
		got = append(got, fmt.Sprintf("%s: %d ≤ %d", o.Where, o.Left.Value, o.Right.Value))
		for _, err := range recheck(o, map[string]*big.Int{}) {
			t.Error(err)
		}
	}
	// One port holds 1 + 3 + 5 and 3 + 4 cells: 32 of both, less the 4 that are counted twice where that is above the bound.
	want := []string{
		"slice 0, pool out of g2, 4 senders: 28 ≤ 22", "slice 0, pool out of g3, 4 senders: 28 ≤ 23", "slice 0, pool out of g4, 4 senders: 28 ≤ 22", "slice 0, pool out of g6, 2 senders: 16 ≤ 12",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for i, want := range map[int][]bool{0: {true, true, false}, 6: {true, false, false}} { // queue 0 and 3 of them; queue 0 alone
		for pool := range want {
			must.Equalf(t, p.feedsPool(p.slices[0].lossless[0], i, pool), want[pool], "port %d, pool %d:", i, pool)
		}
	}
}

// What surely counts for a port is what is not in any of its queues' reserves: 9 cells less those. Where lossy traffic has a queue of the port,
// which takes 4 cells, it is not known whether both are there at once; it holds no more than comes in, and the port sends nothing to itself.
func TestPortHoldsToTheCell(t *testing.T) {
	for _, c := range []struct {
		reserves [2]units.Cells
		limit    units.Cells
		lossy    [2]units.Cells // that the port and another one let in
		verdict  Verdict
	}{
		{limit: 8, verdict: Holds}, {limit: 7, verdict: Fails}, // a cell is counted twice
		{reserves: [2]units.Cells{2, 1}, limit: 7, verdict: Holds}, {reserves: [2]units.Cells{2, 1}, limit: 6, verdict: Unjudged}, {reserves: [2]units.Cells{2, 1}, limit: 5, verdict: Unjudged}, {reserves: [2]units.Cells{2, 1}, limit: 4, verdict: Fails},
		{limit: 13, lossy: [2]units.Cells{0, 9}, verdict: Holds}, {limit: 12, lossy: [2]units.Cells{0, 9}, verdict: Unjudged}, {limit: 8, lossy: [2]units.Cells{0, 9}, verdict: Unjudged}, {limit: 7, lossy: [2]units.Cells{0, 9}, verdict: Fails},
		{limit: 11, lossy: [2]units.Cells{0, 2}, verdict: Holds}, {limit: 10, lossy: [2]units.Cells{0, 2}, verdict: Unjudged}, {limit: 8, lossy: [2]units.Cells{0, 2}, verdict: Unjudged}, {limit: 7, lossy: [2]units.Cells{0, 2}, verdict: Fails},
		{limit: 8, lossy: [2]units.Cells{9, 0}, verdict: Holds}, {limit: 7, lossy: [2]units.Cells{9, 0}, verdict: Fails}, {limit: 11, lossy: [2]units.Cells{9, 2}, verdict: Holds}, {limit: 10, lossy: [2]units.Cells{9, 2}, verdict: Unjudged},
	} {
		lossy := func(cells units.Cells) []mmu.PG { return []mmu.PG{{Limit: mmu.StaticLimit(cells)}} }
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 40}}, EgressPools: []mmu.Pool{{SharedCells: 90}}},
			mmu.Port{PGs: []mmu.PG{paused(mmu.StaticLimit(5), 1, 3)}},
			mmu.Port{PGs: lossy(c.lossy[0]), Queues: []mmu.Queue{{ReservedCells: c.reserves[0]}, {ReservedCells: c.reserves[1]}, {Limit: mmu.StaticLimit(4)}}, Egress: []mmu.Bound{{Limit: mmu.StaticLimit(c.limit)}}},
			mmu.Port{PGs: lossy(c.lossy[1])})
		p.m.Ports[0].Queues[0], p.m.Ports[1].Queues[0], p.m.Ports[2].Queues[0] = 3, 1<<2, 1<<2
		p.slices[0].reached = p.reachedBy(p.slices[0].lossy)
		p.portsHold(0)
		if o := &p.report.Obligations[0]; o.Verdict != c.verdict || len(p.report.Obligations) != 1 {
			t.Errorf("%+v: %v", c, o)
		}
	}
}
