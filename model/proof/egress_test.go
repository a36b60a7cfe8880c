package proof

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Of queues that lossy traffic fills one after another those go first whose limits fall: as much as is left of 20 cells are 10,
// and a limit of 15 then finds the other 10. Beside that they hold their reserves.
func TestWhatLossyQueuesHold(t *testing.T) {
	queues := []mmu.Queue{{Limit: mmu.StaticLimit(15), ReservedCells: 2}, {Limit: mmu.DynamicLimit(0), ReservedCells: 3}, {Pool: 1, Limit: mmu.StaticLimit(4), ReservedCells: 5}}
	p := ofPorts(mmu.Config{EgressPools: []mmu.Pool{{SharedCells: 20}, {SharedCells: 9}}}, mmu.Port{Queues: queues})
	for _, c := range []struct {
		reached      uint16
		most, surely int64
		ofFirst      int64 // reserves in the first pool
	}{{0, 0, 0, 0}, {1, 2 + 15, 2 + 15, 2}, {2, 3 + 10, 3 + 10, 3}, {3, 2 + 3 + 20, 2 + 3 + 20, 5}, {4, 5 + 4, 5 + 4, 0}, {7, 10 + 20 + 4, 10 + 20 + 4, 5}} {
		p.slices[0].reached = []uint16{c.reached}
		if most, surely := p.lossyQueued(p.slices[0].reached); most != c.most || surely != c.surely {
			t.Errorf("queues %b: %d and surely %d, want %d and %d", c.reached, most, surely, c.most, c.surely)
		}
		must.Equalf(t, p.lossyReserves(p.slices[0].reached, func(pool int) bool { return pool == 0 }), c.ofFirst, "queues %b: reserved:", c.reached)
	}
	p.config.Ports[0].Egress = []mmu.Bound{{Limit: mmu.StaticLimit(6)}} // each of them 6 by itself, and 6 together
	if most, surely := p.lossyQueued(p.slices[0].reached); most != 10+12+4 || surely != 10+6+4 {
		t.Errorf("%d and surely %d", most, surely)
	}
	p.slices[0].lossyEgress, p.slices[0].lossySurely = 7, 5
	if p.slices[0].queued(false) != 7 || p.slices[0].queued(true) != 5 {
		t.Error(p.slices[0].queued(false), p.slices[0].queued(true))
	}
}

// What lies in reserves of the queues of a port that lossless groups feed, where all of them send to the port where that is least.
// One that sends itself has another port send to one like it.
func TestKeptByQueues(t *testing.T) {
	reserves := func(cells ...units.Cells) (queues []mmu.Queue) {
		for _, n := range cells {
			queues = append(queues, mmu.Queue{ReservedCells: n})
		}
		return queues
	}
	of := func(ports ...[]mmu.Queue) *prover {
		list := []mmu.Port{{PGs: []mmu.PG{{Lossless: true}}}}
		for _, queues := range ports {
			list = append(list, mmu.Port{Queues: queues})
		}
		p := ofPorts(mmu.Config{}, list...)
		p.m.Ports[0].Queues[0] = 1<<0 | 1<<2
		return p
	}
	other := reserves(3, 50, 4)
	other[2].Pool = 1
	for _, c := range []struct {
		what  string
		ports [][]mmu.Queue
		from  []int
		want  int64
	}{
		{"queue 1 is fed by nobody", [][]mmu.Queue{reserves(3, 50, 4)}, nil, 3 + 4},
		{"queue 2 is of another pool", [][]mmu.Queue{other}, nil, 3},
		{"the least", [][]mmu.Queue{reserves(3, 50, 4), reserves(6), reserves(9)}, nil, 6},
		{"twice where it sends", [][]mmu.Queue{reserves(3, 50, 4), reserves(6)}, []int{2}, 7},
		{"once where another one sends", [][]mmu.Queue{reserves(3, 50, 4), reserves(6)}, []int{1}, 6},
		{"no queues", nil, nil, 0},
		{"nothing reserved", [][]mmu.Queue{reserves(0), reserves(6)}, []int{1}, 0},
	} {
		var list []account
		for _, port := range c.from {
			list = append(list, account{port: port})
		}
		must.Equalf(t, of(c.ports...).keptByQueues(0, list), c.want, "%s:", c.what)
	}
}

// A group with a limit of as much as is left takes 10 of 20 cells, beside a reserve of 1 and the 3 that come in after its pause; behind 8 of
// lossy traffic 6 of 12, and behind more than all of them none. In a pool without lossy traffic nothing changes.
func TestLossyFirst(t *testing.T) {
	of := func(lossyPool int) (*prover, []account) {
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}, {SharedCells: 20}}},
			mmu.Port{PGs: []mmu.PG{paused(mmu.DynamicLimit(0), 1, 3)}}, mmu.Port{PGs: []mmu.PG{{Pool: lossyPool, Limit: mmu.StaticLimit(9)}}})
		return p, p.slices[0].lossless
	}
	for _, c := range []struct {
		pool        int
		lossy, want int64
	}{{0, 0, 14}, {0, 8, 8 + 1 + 3 + 6}, {0, 20, 20 + 1 + 3}, {0, 25, 25 + 1 + 3}, {1, 8, 8 + 14}} {
		p, list := of(c.pool)
		must.Equalf(t, p.lossyFirst(0, list, c.lossy), c.want, "%+v:", c)
	}
}

// A lossless group holds 9 cells: 1 of its own, 5 shared and 3 that come in after its pause. Lossy traffic comes to 4 on its way in, and to
// what its queue takes on its way out, of which the reserve lies in no pool. A reserve of the queue of the lossless group holds
// what else would lie in the pool, and then it is not known whether both can be there at once.
func TestWithLossy(t *testing.T) {
	for _, c := range []struct {
		what               string
		size               int64
		limit, reserve     units.Cells // of the lossy queue
		kept               units.Cells // reserve of the lossless one
		left               int64
		certain            int64
		open, byOwn, clear bool
	}{
		{what: "it fits", size: 13, limit: 9, left: 13, clear: true},
		{what: "a cell less", size: 12, limit: 9, left: 13, certain: 13},
		{what: "but for a cell that is kept", size: 12, limit: 9, kept: 1, left: 13, certain: 12, open: true},
		{what: "the queue takes 2", size: 11, limit: 2, left: 11, byOwn: true, clear: true},
		{what: "a cell less than that", size: 10, limit: 2, left: 11, byOwn: true, certain: 11},
		{what: "the queue takes as much as the way in", size: 13, limit: 4, left: 13, clear: true},
		{what: "and one less", size: 12, limit: 3, left: 12, byOwn: true, clear: true},
		{what: "1 of the 4 is in the reserve", size: 12, limit: 9, reserve: 1, left: 13, certain: 12, open: true},
		{what: "all and more is in the reserve", size: 9, limit: 9, reserve: 6, left: 13, certain: 9, open: true},
	} {
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}, EgressPools: []mmu.Pool{{SharedCells: units.Cells(c.size)}, {}}},
			mmu.Port{PGs: []mmu.PG{paused(mmu.StaticLimit(5), 1, 3)}}, mmu.Port{PGs: []mmu.PG{{Limit: mmu.StaticLimit(4)}}},
			mmu.Port{Queues: []mmu.Queue{{ReservedCells: c.kept}, {Limit: mmu.StaticLimit(c.limit), ReservedCells: c.reserve}, {Pool: 1, ReservedCells: 40}}})
		p.m.Ports[1].Queues[0] = 1<<1 | 1<<2
		p.slices[0].reached = p.reachedBy(p.slices[0].lossy)
		list := p.slices[0].lossless
		own := p.sum(list, nil)
		var o Obligation
		left, terms, certain := p.withLossy(0, own, list, p.lossyQueues(p.slices[0].reached, 0), 0, &o)
		if left.Value != c.left || certain != c.certain || o.open != c.open || c.open && o.Because != together || c.clear && certain != 0 {
			t.Errorf("%s: %d, surely %d, open %v; %+v", c.what, left.Value, certain, o.open, c)
		}
		o.Left, o.Right, o.Terms = left, Side{"S", c.size}, append(terms, given("S", "", c.size, InCells))
		for _, err := range recheck(p.add(o), map[string]*big.Int{}) {
			t.Errorf("%s: %v", c.what, err)
		}
		if byOwn := left.Expr == own.side.Expr+" + y"; byOwn != c.byOwn {
			t.Errorf("%s: %s", c.what, left.Expr)
		}
		want := min(int64(c.limit), c.size)
		if !c.byOwn {
			want = 0 // on the way in it is what the group takes, which has no reserve
		}
		if y := terms[slices.IndexFunc(terms, func(t Term) bool { return t.Symbol == "y" })]; y.Value != want {
			t.Errorf("%s: %+v", c.what, y)
		}
	}
}

// A port that carries no lossless class is reached by lossy traffic on every queue where nothing is known of maps, up to the last.
func TestLossyOnEveryQueue(t *testing.T) {
	queues := slices.Repeat([]mmu.Queue{{Limit: mmu.StaticLimit(1)}}, mmu.MaxQueues)
	if got := lossyOn(&mmu.Port{Queues: queues}, 0, 0, 0, math.MaxUint16); len(got) != mmu.MaxQueues {
		t.Errorf("%d queues", len(got))
	}
}

// Of lossy groups that feed the same queues those count that surely hold most: as much as comes in, or as their queues take. Groups 0 and 2 bring
// 5 cells each to a queue of so many, and group 1 brings 9 to another one.
func TestSurest(t *testing.T) {
	for _, c := range []struct {
		first, second units.Cells
		want          []int // groups
		queued        int64
	}{{20, 20, []int{0, 2}, 20}, {8, 20, []int{1}, 20}, {9, 20, []int{0, 2}, 9}, {20, 1, []int{0, 2}, 20}, {0, 0, []int{0, 2}, 0}, {3, 2, []int{0, 2}, 3}} {
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 90}}, EgressPools: []mmu.Pool{{SharedCells: 90}}},
			mmu.Port{PGs: []mmu.PG{{Limit: mmu.StaticLimit(5)}, {Limit: mmu.StaticLimit(9)}, {Limit: mmu.StaticLimit(5)}}}, mmu.Port{Queues: []mmu.Queue{{Limit: mmu.StaticLimit(c.first)}, {Limit: mmu.StaticLimit(c.second)}}})
		p.m.Ports[0].Queues[1] = 2
		if kinds := p.alike(p.slices[0].lossy); len(kinds) != 2 || len(kinds[0]) != 2 || len(kinds[1]) != 1 {
			t.Fatalf("%+v", kinds)
		}
		sure, queued := p.surest(p.slices[0].lossy)
		var got []int
		for _, a := range sure {
			got = append(got, a.number)
		}
		if !slices.Equal(got, c.want) || queued != c.queued {
			t.Errorf("%+v: %v, %d", c, got, queued)
		}
		part := slicePart{lossy: p.slices[0].lossy, sure: sure, lossyEgress: 4, lossySurely: 3}
		if own := part.passed(0, c.want[0], 9, true); own != 3 || part.passed(0, 1-min(1, c.want[0]), 9, true) != 0 || part.passed(1, c.want[0], 9, true) != 0 || part.passed(0, 1, 9, false) != 4 || part.passed(0, c.want[0], 2, true) != 2 {
			t.Errorf("%+v: %d", c, own)
		}
		if len(part.sending(true)) != len(sure) || len(part.sending(false)) != 3 {
			t.Errorf("%+v", c)
		}
	}
	if sure, queued := ofPorts(mmu.Config{}).surest(nil); sure != nil || queued != 0 {
		t.Error(sure, queued)
	}
	// Ports with another map of queues tell groups apart that feed the same queue of the first one.
	p := ofPorts(mmu.Config{IngressPools: make([]mmu.Pool, 1)}, mmu.Port{PGs: make([]mmu.PG, 2)}, mmu.Port{})
	p.mapped, p.m.Ports[1].Map, p.m.Ports[0].Other = []int{0, 1}, 1, [][mmu.MaxPGs]uint16{{1, 2}}
	if kinds := p.alike(p.slices[0].lossy); len(kinds) != 2 {
		t.Errorf("%+v", kinds)
	}
}
