package proof

import (
	"fmt"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// admits reports whether package mmu admits a cell: the account holds s before it, and so many are free.
func admits(rule mmu.Admission, l mmu.Limit, s, free int64) bool {
	threshold := func(free int64) int64 {
		switch {
		case !l.Dynamic:
			return int64(l.StaticCells)
		case l.Alpha < 0:
			return free >> -l.Alpha
		}
		return free << l.Alpha
	}
	switch rule {
	case mmu.BeforeCell:
		return free > 0 && s < threshold(free)
	case mmu.BelowWithCell:
		return free > 0 && s+1 < threshold(free-1)
	}
	return free > 0 && s+1 <= threshold(free-1)
}

// fewest returns the fewest cells that are ever free when accounts take and give back cells of a pool in any
// order: every state that can be reached is visited.
func fewest(rule mmu.Admission, pool int64, limits [][]mmu.Limit) int64 {
	seen, least := map[string]bool{}, pool
	var visit func(held []int64, free int64)
	visit = func(held []int64, free int64) {
		if key := fmt.Sprint(held); seen[key] {
			return
		} else {
			seen[key] = true
		}
		least = min(least, free)
		for i := range held {
			if !slices.ContainsFunc(limits[i], func(l mmu.Limit) bool { return !admits(rule, l, held[i], free) }) {
				held[i]++
				visit(held, free-1)
				held[i]--
			}
			if held[i] > 0 {
				held[i]--
				visit(held, free+1)
				held[i]++
			}
		}
	}
	visit(make([]int64, len(limits)), pool)
	return least
}

// What accounts leave that fill in the worst order, each until it is full, is the fewest that any arrivals
// and departures leave, whatever limits they have.
func TestLeavesIsTheWorstOrder(t *testing.T) {
	of := []mmu.Limit{mmu.DynamicLimit(-2), mmu.DynamicLimit(-1), mmu.DynamicLimit(0), mmu.DynamicLimit(1), mmu.DynamicLimit(3), mmu.StaticLimit(0), mmu.StaticLimit(1), mmu.StaticLimit(4), mmu.StaticLimit(30)}
	for _, rule := range []mmu.Admission{mmu.WithCell, mmu.BelowWithCell, mmu.BeforeCell} {
		for pool := int64(0); pool <= 14; pool++ {
			for i, a := range of {
				for j, b := range of[:i+1] {
					for _, list := range [][]mmu.Limit{{a}, {a, b}, {a, b, of[(i+j+int(pool))%len(of)]}} {
						var limits [][]mmu.Limit
						var bounds []bound
						for _, l := range list {
							limits, bounds = append(limits, []mmu.Limit{l}), append(bounds, bound{limit: l})
						}
						sortBounds(bounds)
						if got, want := leaves(worstOrder(bounds, rule, pool), rule, pool), fewest(rule, pool, limits); got != want {
							t.Fatalf("%v, %v of %d: at least %d are left, and the worst order leaves %d", rule, list, pool, got, want)
						}
						var drawers []drawer
						for k, b := range bounds {
							drawers = append(drawers, drawer{bound: b, port: k})
						}
						if got := visited(drawers, rule, pool); got != leaves(bounds, rule, pool) {
							t.Fatalf("%v, %v of %d: in turn %d are left", rule, list, pool, got)
						}
					}
				}
			}
		}
	}
}

// An account with two limits, its own and its port's, of which neither is always the lower one.
func TestTwoLimits(t *testing.T) {
	for _, rule := range []mmu.Admission{mmu.WithCell, mmu.BelowWithCell, mmu.BeforeCell} {
		for pool := int64(0); pool <= 20; pool++ {
			for _, own := range []mmu.Limit{mmu.DynamicLimit(-1), mmu.DynamicLimit(1), mmu.StaticLimit(0), mmu.StaticLimit(5), mmu.StaticLimit(9)} {
				for _, whole := range []mmu.Limit{mmu.DynamicLimit(-2), mmu.DynamicLimit(0), mmu.DynamicLimit(2), mmu.StaticLimit(0), mmu.StaticLimit(4), mmu.StaticLimit(11)} {
					port := []mmu.Bound{{Pool: 1, Limit: whole}}
					b := newBound(own, port, 1)
					for n := 1; n <= 2; n++ {
						want := fewest(rule, pool, slices.Repeat([][]mmu.Limit{{own, whole}}, n))
						if got := leaves(slices.Repeat([]bound{b}, n), rule, pool); got != want {
							t.Fatalf("%v, %d of %v and %v in %d: %d are left, want %d", rule, n, own, whole, pool, got, want)
						}
					}
					empty := func(l mmu.Limit) bool { return !l.Dynamic && l.StaticCells == 0 }
					if b.none() != (empty(own) || empty(whole)) || b.dynamic() != (own.Dynamic || whole.Dynamic) {
						t.Fatalf("%v and %v: nothing gets in: %v; falls: %v", own, whole, b.none(), b.dynamic())
					}
					if other := newBound(own, port, 2); other != (bound{limit: own}) {
						t.Fatalf("a bound in another pool counts: %v", other)
					}
				}
			}
		}
	}
}

// Of dynamic bounds the narrower go first, those of two limits behind those of one; static ones last.
func TestOrderOfBounds(t *testing.T) {
	d := func(alpha int) mmu.Limit { return mmu.DynamicLimit(units.Alpha(alpha)) }
	want := []bound{
		{limit: d(-1)}, {limit: d(0)}, {limit: d(2)},
		{limit: mmu.StaticLimit(3), port: d(1), two: true}, {limit: d(1), port: mmu.StaticLimit(4), two: true}, {limit: d(1), port: mmu.StaticLimit(9), two: true},
		{limit: mmu.StaticLimit(7)}, {limit: mmu.StaticLimit(8)},
	}
	for turn := range want {
		got := slices.Concat(want[turn:], want[:turn])
		slices.Reverse(got)
		sortBounds(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%v\nwant %v", got, want)
		}
		var drawers []drawer
		for port, b := range slices.Concat(want[turn:], want[:turn]) {
			drawers = append(drawers, drawer{bound: b, port: port})
		}
		sortDrawers(drawers)
		for i := range drawers {
			if drawers[i].bound != want[i] {
				t.Fatalf("%v\nwant %v", drawers, want)
			}
		}
	}
	if mixedKinds(want[:4]) || !mixedKinds(want) || mixedKinds(want[:3]) || mixedKinds([]bound{want[3], want[3]}) {
		t.Error("bounds of two limits differ where they do not, or do not where they do")
	}
	if !severalFall(want[:2]) || severalFall(want[:1]) || severalFall(want[5:]) || !severalFall(want[2:4]) || severalFall([]bound{want[6], want[1], want[7], want[1]}) || severalFall(want[6:]) {
		t.Error("dynamic bounds differ where they do not, or do not where they do")
	}
	// Those that differ count as what falls: the order is then by alpha alone.
	if got := widen(slices.Clone(want)); !slices.Equal(got, []bound{{limit: d(-1)}, {limit: d(0)}, {limit: d(1)}, {limit: d(1)}, {limit: d(1)}, {limit: d(2)}, want[6], want[7]}) {
		t.Errorf("%v", got)
	}
	if got := widen([]bound{want[6], want[3], want[3]}); !slices.Equal(got, []bound{want[3], want[3], want[6]}) {
		t.Errorf("%v", got)
	}
}

// Where there are too many of several kinds to try every order, more is taken for sure, and the order is one of as many.
func TestManyOfSeveralKinds(t *testing.T) {
	for _, rule := range []mmu.Admission{mmu.WithCell, mmu.BelowWithCell, mmu.BeforeCell} {
		for _, count := range []int{20, 60, 200} {
			var list []bound
			for _, l := range []mmu.Limit{mmu.DynamicLimit(-7), mmu.DynamicLimit(-4), mmu.DynamicLimit(-3), mmu.DynamicLimit(1), mmu.StaticLimit(5)} {
				list = append(list, slices.Repeat([]bound{{limit: l}}, count)...)
			}
			two := bound{limit: mmu.DynamicLimit(-2), port: mmu.StaticLimit(40), two: true}
			list = append(list, slices.Repeat([]bound{two}, count)...)
			sortBounds(list)
			order := worstOrder(list, rule, 1<<20)
			if len(order) != len(list) {
				t.Fatalf("%d accounts of %d", len(order), len(list))
			}
			least := leaves(order, rule, 1<<20)
			for range 6 {
				if got := leaves(list, rule, 1<<20); got < least {
					t.Errorf("%v, %d of each: an order leaves %d, and the worst is said to leave %d", rule, count, got, least)
				}
				list = slices.Concat(list[count:], list[:count])
			}
		}
	}
}

// What n accounts hold that fill at one pace when the first is full, by filling them round by round.
func TestEvenly(t *testing.T) {
	for _, rule := range []mmu.Admission{mmu.WithCell, mmu.BelowWithCell, mmu.BeforeCell} {
		for free := int64(0); free <= 40; free++ {
			for n := int64(1); n <= 4; n++ {
				for _, l := range []mmu.Limit{mmu.DynamicLimit(-1), mmu.DynamicLimit(0), mmu.DynamicLimit(2), mmu.StaticLimit(0), mmu.StaticLimit(6), mmu.StaticLimit(60)} {
					want := int64(0)
					for left := free; left >= n && admits(rule, l, want, left-n+1); left -= n {
						want++ // the last of a round is asked with the fewest free
					}
					if got := evenly(bound{limit: l}, rule, free, n); got != want {
						t.Fatalf("%v: %d with %v in %d hold %d, want %d", rule, n, l, free, got, want)
					}
				}
			}
		}
	}
	must.Equal(t, evenly(bound{limit: mmu.StaticLimit(7), port: mmu.DynamicLimit(0), two: true}, mmu.WithCell, 40, 4), 7)
	if got := evenly(bound{limit: mmu.StaticLimit(9), port: mmu.DynamicLimit(0), two: true}, mmu.WithCell, 40, 4); got != 8 { // s ≤ 40 - 4s
		t.Errorf("%d", got)
	}
	must.Equal(t, evenly(bound{limit: mmu.StaticLimit(9)}, mmu.WithCell, 40, 0), 9)
}

// A group of which all but one of its 6 cells are there, of a pool of 20: 15 are free. Another one of its port
// fills it where both together would need more than the whole port may have.
func TestPortFills(t *testing.T) {
	static, dynamic := mmu.StaticLimit, mmu.DynamicLimit
	lossless := func(l mmu.Limit) mmu.PG { return mmu.PG{Lossless: true, Limit: l} }
	lossy := func(l mmu.Limit) mmu.PG { return mmu.PG{Limit: l} }
	for _, c := range []struct {
		what                string
		whole               mmu.Limit
		others              []mmu.PG
		queued, foreign     int64 // what lossy traffic can have on its way out, and what another port's group takes
		any, surely, inPool bool
	}{
		{"6 + 4 = 10", static(10), []mmu.PG{lossless(static(4))}, 0, 0, false, false, true},
		{"6 + 5 > 10", static(10), []mmu.PG{lossless(static(5))}, 0, 0, true, true, true},
		{"another pool", static(10), []mmu.PG{lossless(static(5))}, 0, 0, false, false, false},
		{"nothing beside it", static(6), nil, 0, 0, false, false, true},
		{"6 + 4 + 1 > 10", static(10), []mmu.PG{lossless(static(4)), lossless(static(1))}, 0, 0, true, true, true},
		{"lossy ones are bounded by their queues", static(10), []mmu.PG{lossy(static(9))}, 4, 0, false, false, true},
		{"6 + 5 of the queues > 10", static(10), []mmu.PG{lossy(static(9))}, 5, 0, true, true, true},
		{"6 + 4 ≤ 15 - 4 - 1", dynamic(0), []mmu.PG{lossless(static(4))}, 0, 0, false, false, true},
		{"6 + 5 > 15 - 5 - 1", dynamic(0), []mmu.PG{lossless(static(5))}, 0, 0, true, true, true},
		{"6 + 4 > 14 - 4 - 1", dynamic(0), []mmu.PG{lossless(static(4))}, 0, 1, true, false, true},
		{"half of 15 rounded down is 7, half of 8 is 4: 6 + 11 = 17", static(17), []mmu.PG{lossless(dynamic(0)), lossless(dynamic(0))}, 0, 0, true, false, true},
		{"6 + 11 > 16", static(16), []mmu.PG{lossless(dynamic(0)), lossless(dynamic(0))}, 0, 0, true, true, true},
		{"behind it 6 + 14 = 20, before it 6 + 10 + 10", static(20), []mmu.PG{lossless(dynamic(0)), lossless(dynamic(0))}, 0, 0, true, false, true},
		{"before it 6 + 10 + 10 = 26", static(26), []mmu.PG{lossless(dynamic(0)), lossless(dynamic(0))}, 0, 0, false, false, true},
	} {
		port := mmu.Port{PGs: append([]mmu.PG{lossless(static(6))}, c.others...), Ingress: []mmu.Bound{{Limit: c.whole}}}
		if !c.inPool {
			port.PGs[1].Pool = 1
		}
		foreign := lossless(static(units.Cells(c.foreign)))
		p := &prover{
			config: &mmu.Config{Ports: []mmu.Port{port, {PGs: []mmu.PG{foreign}}}},
			slices: []slicePart{{lossyEgress: c.queued, lossySurely: c.queued, sure: []account{{number: 1}}}},
		}
		a := account{pg: &p.config.Ports[0].PGs[0], bound: newBound(static(6), port.Ingress, 0), joint: true}
		p.slices[0].lossless = []account{a, {port: 1, pg: &foreign, bound: bound{limit: foreign.Limit}}}
		if any, surely := p.portFills(0, a, 20, 6, false), p.portFills(0, a, 20, 6, true); any != c.any || surely != c.surely {
			t.Errorf("%s: %v, and surely %v", c.what, any, surely)
		}
	}
}

// What lossy traffic has on its way out counts as it can be, or as it surely is.
func TestPortFillsSurely(t *testing.T) {
	pgs := []mmu.PG{{Lossless: true, Limit: mmu.StaticLimit(6)}, {Limit: mmu.StaticLimit(9)}}
	p := &prover{
		config: &mmu.Config{Ports: []mmu.Port{{PGs: pgs, Ingress: []mmu.Bound{{Limit: mmu.StaticLimit(10)}}}}},
		slices: []slicePart{{lossyEgress: 5, lossySurely: 4, sure: []account{{number: 1}}}},
	}
	a := account{pg: &pgs[0], bound: bound{limit: pgs[0].Limit}, joint: true}
	if any, surely := p.portFills(0, a, 20, 6, false), p.portFills(0, a, 20, 6, true); !any || surely {
		t.Errorf("6 + 5 > 10: %v; 6 + 4 = 10, surely: %v", any, surely)
	}
}

// Others fill up a group that has all but its last cell. Of a pool of 20 one with an alpha of 1 has 9 of 10 then, and 11
// are free: with one less the tenth would be more than is left behind it. A fixed limit of 10 does not fall: others have
// to take all, more than 10 cells, to the very last, which no falling limit admits.
func TestOthersFillUp(t *testing.T) {
	static, dynamic := mmu.StaticLimit, mmu.DynamicLimit
	for _, c := range []struct {
		what       string
		own, other mmu.Limit
		lossy      bool
		queued     int64
		want       bool
	}{
		{"nobody", dynamic(0), static(0), false, 0, false}, {"one cell", dynamic(0), static(1), false, 0, true}, {"a lossy one", dynamic(0), static(1), true, 1, true},
		{"a lossy one that no queue takes", dynamic(0), static(1), true, 0, false},
		{"to the last", static(10), static(11), false, 0, true}, {"as much as is left", static(10), static(10), false, 0, false}, {"a falling one", static(10), dynamic(4), false, 0, false},
		{"a lossy one to the last", static(10), static(11), true, 11, true}, {"a lossy one and its queue", static(10), static(11), true, 10, false},
		{"nothing of the pool", static(0), static(20), false, 0, false},
	} {
		pgs := []mmu.PG{{Lossless: true, Limit: c.own}, {Lossless: !c.lossy, Limit: c.other}}
		a, b := account{port: 0, pg: &pgs[0], bound: bound{limit: c.own}}, account{port: 1, pg: &pgs[1], bound: bound{limit: c.other}}
		p := &prover{config: &mmu.Config{Ports: make([]mmu.Port, 2)}, slices: []slicePart{{lossless: []account{a}, lossyEgress: c.queued, lossySurely: c.queued}}}
		if part := &p.slices[0]; c.lossy {
			part.lossy, part.sure = []account{b}, []account{b}
		} else {
			part.lossless = append(part.lossless, b)
		}
		for _, surely := range []bool{false, true} {
			must.Equalf(t, p.others(0, a, 20, takes(a.bound, mmu.WithCell, 20), surely), c.want, "%s, surely %v:", c.what, surely)
		}
	}
}

// Lossy traffic fills up all that are nearly full if it moves the narrowest threshold by a cell from wherever it stands:
// with 3 cells one of an alpha of 1, with 6 one of 1/4.
func TestSqueezable(t *testing.T) {
	d := mmu.DynamicLimit
	for _, c := range []struct {
		lossless []mmu.Limit
		lossy    units.Cells
		queued   int64
		want     bool
	}{
		{[]mmu.Limit{d(0)}, 3, 9, true}, {[]mmu.Limit{d(0)}, 2, 9, false}, {[]mmu.Limit{d(0)}, 9, 3, true}, {[]mmu.Limit{d(0)}, 9, 2, false},
		{[]mmu.Limit{d(0), d(-2)}, 6, 9, true}, {[]mmu.Limit{d(0), d(-2)}, 5, 9, false}, {[]mmu.Limit{d(-2), d(3)}, 6, 6, true}, {[]mmu.Limit{d(0), mmu.StaticLimit(4)}, 9, 9, false},
	} {
		p := &prover{config: &mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 100}}}, slices: []slicePart{{lossyEgress: 99, lossySurely: c.queued}}}
		part := &p.slices[0]
		for _, l := range c.lossless {
			part.lossless = append(part.lossless, account{pg: &mmu.PG{}, bound: bound{limit: l}})
		}
		part.sure = []account{{pg: &mmu.PG{}, bound: bound{limit: mmu.StaticLimit(c.lossy)}}}
		part.lossy = append([]account{{pg: &mmu.PG{}, bound: bound{limit: mmu.StaticLimit(50)}}}, part.sure...) // the other one may find its queues full
		must.Equalf(t, p.squeezable(0, 0), c.want, "%+v:", c)
		part.lossless[0].joint = true
		if p.squeezable(0, 0) {
			t.Errorf("%+v with others of its port", c)
		}
		part.lossless[0].joint, part.lossless[0].bound.two = false, true
		if p.squeezable(0, 0) {
			t.Errorf("%+v with a second limit", c)
		}
	}
}
