package proof

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/tinyswitch"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// A lossless group holds 9 cells, and lossy traffic comes to 4 on its way in. On its way out it holds so many in all queues of the
// pool, of which a counter has counted some.
func TestWithLossyBeside(t *testing.T) {
	for _, c := range []struct{ out, counted, lossless, want int64 }{
		{0, 0, 9, 9}, {2, 0, 9, 9 + 2}, {4, 0, 9, 9 + 4}, {6, 0, 9, 13}, // no more than comes in
		{6, 2, 9, 13 - 2}, {3, 2, 9, 9 + 1}, {2, 2, 9, 9}, {1, 2, 9, 9}, {6, 5, 9, 9}, // the ones that are counted are among the 13
		{1, 0, 11, 11 + 1}, {3, 0, 11, 13}, {9, 0, 14, 14},
	} {
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}},
			mmu.Port{PGs: []mmu.PG{paused(mmu.StaticLimit(5), 1, 3)}}, mmu.Port{PGs: []mmu.PG{{Limit: mmu.StaticLimit(4)}}})
		p.slices[0].onWayOut = map[int]int64{0: c.out}
		must.Equalf(t, p.withLossyBeside(0, counter{lossy: c.counted}, p.slices[0].lossless, c.lossless), c.want, "%+v:", c)
	}
}

// What lossy traffic holds of an egress pool is the least of what its queues and its groups admit, by pool.
func TestLossyOnWayOut(t *testing.T) {
	for _, c := range []struct {
		queue units.Cells
		want  int64
	}{{0, 0}, {3, 3}, {4, 4}, {9, 4}} {
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}, EgressPools: []mmu.Pool{{SharedCells: 30}, {SharedCells: 30}}},
			mmu.Port{PGs: []mmu.PG{{Limit: mmu.StaticLimit(4)}}}, mmu.Port{Queues: []mmu.Queue{{Limit: mmu.StaticLimit(c.queue)}, {Pool: 1, Limit: mmu.StaticLimit(1)}}})
		p.slices[0].reached = []uint16{0, 3}
		for range 2 {
			must.Equalf(t, p.lossyOnWayOut(0, 0), c.want, "%+v:", c)
			must.Equalf(t, p.lossyOnWayOut(0, 1), 1, "pool 1:")
		}
	}
}

// What groups hold at once: reserves, headroom, of a pool no more than that has, and shared cells in turn. A group with a reserve of 2
// and a limit of 5 that resumes at 12 keeps 5 cells in its headroom.
func TestSumByHand(t *testing.T) {
	s, d := mmu.StaticLimit, mmu.DynamicLimit
	pooled := func(g mmu.PG) mmu.PG { g.HeadroomPooled = true; return g }
	keeps := paused(s(5), 2, 20)
	keeps.XonCells = 12
	second := pooled(paused(s(4), 0, 3))
	second.Pool = 1
	for _, c := range []struct {
		what               string
		pgs                []mmu.PG
		pool               units.Cells // headroom pool of the first
		lossy              []mmu.PG
		value, afterResume int64
	}{
		{"one", []mmu.PG{paused(s(5), 1, 3)}, 0, nil, 1 + 3 + 5, 0},
		{"less headroom than comes in", []mmu.PG{paused(s(5), 1, 2)}, 0, nil, 1 + 2 + 5, 0},
		{"more headroom than comes in", []mmu.PG{paused(s(5), 1, 9)}, 0, nil, 1 + 3 + 5, 0},
		{"two that fall", []mmu.PG{paused(d(0), 1, 3), paused(d(0), 2, 3)}, 0, nil, 3 + 6 + 15, 0},
		{"a lossy one beside", []mmu.PG{paused(d(0), 1, 3)}, 0, []mmu.PG{{Limit: d(0), ReservedCells: 2}}, 3 + 3 + 15, 0},
		{"a pool for both", []mmu.PG{pooled(paused(s(5), 0, 3)), pooled(paused(s(5), 0, 3))}, 6, nil, 6 + 10, 0},
		{"a pool for less", []mmu.PG{pooled(paused(s(5), 0, 3)), pooled(paused(s(5), 0, 3))}, 4, nil, 4 + 10, 0},
		{"two pools", []mmu.PG{pooled(paused(s(5), 0, 3)), second}, 2, nil, 2 + 3 + 5 + 4, 0},
		{"it resumes above its threshold", []mmu.PG{keeps}, 0, nil, 2 + 3 + 5, 5},
		{"in a pool of 8", []mmu.PG{pooled(keeps)}, 8, nil, 2 + 3 + 5, 5},
		{"in a pool of 7", []mmu.PG{pooled(keeps)}, 7, nil, 2 + 3 + 5, 4},
		{"in a pool of 2", []mmu.PG{pooled(keeps)}, 2, nil, 2 + 2 + 5, 0},
	} {
		var ports []mmu.Port
		for _, pg := range slices.Concat(c.pgs, c.lossy) {
			ports = append(ports, mmu.Port{PGs: []mmu.PG{pg}})
		}
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20, HeadroomCells: c.pool}, {SharedCells: 20, HeadroomCells: 9}}}, ports...)
		h := p.sum(p.slices[0].lossless, p.slices[0].lossy)
		if h.side.Value != c.value || h.surely != c.value || h.afterResume != c.afterResume {
			t.Errorf("%s: %d, surely %d, and %d where they resume; want %d and %d", c.what, h.side.Value, h.surely, h.afterResume, c.value, c.afterResume)
		}
		o := p.add(Obligation{ID: EgressHolds, Left: h.side, Terms: append(h.terms, given("S", "", 99, InCells)), Right: Side{"S", 99}})
		for _, err := range recheck(o, map[string]*big.Int{}) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// A cell below its threshold is counted twice of each group whose headroom takes all that comes in, with the frame of the last byte, and
// that keeps nothing when it resumes; unless the headroom is one pool that is too small for all.
func TestCountedTwice(t *testing.T) {
	for _, c := range []struct {
		what        string
		g           group
		headroom    units.Cells
		xon         units.Cells
		pool        units.Cells // 0: none
		limit       int64
		want, twice int64
	}{
		{"one", group{need: 3}, 3, 0, 0, 19, 19, 1}, {"it fits", group{need: 3}, 3, 0, 0, 20, 20, 0}, {"far above", group{need: 3}, 3, 0, 0, -1, 19, 1},
		{"less headroom than comes in", group{need: 4}, 3, 0, 0, 19, 20, 0}, {"with the last byte", group{need: 3, extra: 1}, 3, 0, 0, 19, 20, 0}, {"and place for that", group{need: 3, extra: 1}, 4, 0, 0, 19, 19, 1},
		{"nothing is known of it", group{need: 3, why: "x"}, 3, 0, 0, 19, 20, 0}, {"it keeps a cell", group{need: 3}, 9, 6, 0, 19, 20, 0}, {"it is resumed while it is full", group{need: 3}, 9, 5, 0, 19, 20, 0}, {"it keeps none", group{need: 3}, 9, 4, 0, 19, 19, 1},
		{"a pool", group{need: 3}, 3, 0, 3, 19, 19, 1}, {"a pool for less", group{need: 3}, 3, 0, 2, 19, 20, 0},
	} {
		pg := paused(mmu.StaticLimit(5), 0, c.headroom)
		pg.XonCells, pg.HeadroomPooled = c.xon, c.pool > 0
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20, HeadroomCells: c.pool}}}, mmu.Port{PGs: []mmu.PG{pg}})
		*p.groups[0] = c.g
		p.groups[0].ports = []int{0}
		before := []Term{given("x", "", 20, InCells)}
		h, twice := p.withoutCountedTwice(holding{side: Side{"x", 20}, terms: before}, p.slices[0].lossless, c.limit)
		if h.side.Value != c.want || twice != c.twice || len(h.terms) != 1+int(c.twice) || len(before) != 1 {
			t.Errorf("%s: %d, %d twice, %v", c.what, h.side.Value, twice, h.terms)
		}
	}
}

// What groups leave of cells that fill up in turn: those of limits that fall, lossy ones behind the lossless, then the fixed ones.
// Half of 20 are 10, half of these 5. Of 3 cells as much as is left takes 1, and half as much then none; the narrow
// one takes 1 if it comes first, and the wide one another one of the 2.
func TestLeastLeft(t *testing.T) {
	s, d := mmu.StaticLimit, mmu.DynamicLimit
	for _, c := range []struct {
		what            string
		free            int64
		lossless, lossy []mmu.Limit
		queued          int64
		left, ofLossy   int64
	}{
		{"nobody", 20, nil, nil, 9, 20, 0},
		{"one that falls", 20, []mmu.Limit{d(0)}, nil, 9, 10, 0},
		{"and a fixed one", 20, []mmu.Limit{d(0), s(3)}, nil, 9, 7, 0},
		{"two that fall", 20, []mmu.Limit{d(0), d(0)}, nil, 9, 5, 0},
		{"a lossy one", 20, []mmu.Limit{d(0)}, []mmu.Limit{d(0)}, 9, 5, 5},
		{"as its queues take", 20, []mmu.Limit{d(0)}, []mmu.Limit{d(0)}, 3, 7, 3},
		{"a fixed lossy one", 20, []mmu.Limit{d(0)}, []mmu.Limit{s(4)}, 9, 6, 4},
		{"as its queues take", 20, []mmu.Limit{d(0), s(1)}, []mmu.Limit{s(4)}, 3, 6, 3},
		{"both, and queues of 7", 20, []mmu.Limit{d(0)}, []mmu.Limit{d(0), s(4)}, 7, 3, 7},
		{"both, and queues of 9", 20, []mmu.Limit{d(0)}, []mmu.Limit{d(0), s(4)}, 9, 1, 9},
		{"a lossy one that comes first", 3, []mmu.Limit{d(0)}, []mmu.Limit{d(-1)}, 9, 1, 1},
		{"and no queue", 3, []mmu.Limit{d(0)}, []mmu.Limit{d(-1)}, 0, 2, 0},
		{"and a queue of 1", 3, []mmu.Limit{d(0)}, []mmu.Limit{d(-1)}, 1, 1, 1},
	} {
		ports := []mmu.Port{{PGs: []mmu.PG{{Lossless: true, Limit: d(2)}}}}
		for _, l := range c.lossless {
			ports = append(ports, mmu.Port{PGs: []mmu.PG{{Lossless: true, Limit: l}, {Lossless: true, Pool: 1, Limit: s(7)}}})
		}
		for _, l := range c.lossy {
			ports = append(ports, mmu.Port{PGs: []mmu.PG{{Limit: l}}})
		}
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}, {SharedCells: 20}}}, ports...)
		for _, surely := range []bool{false, true} {
			p.slices[0].lossyEgress, p.slices[0].lossySurely = c.queued, c.queued
			if surely {
				p.slices[0].lossyEgress = 99
			} else {
				p.slices[0].lossySurely = 0
			}
			r := p.leastLeft(&p.slices[0], p.slices[0].lossless[0], c.free, surely)
			if r.left != c.left || r.lossy != c.ofLossy {
				t.Errorf("%s, surely %v: %d are left, and lossy traffic has %d", c.what, surely, r.left, r.lossy)
			}
			if surely {
				must.Equal(t, r.expr, "")
				continue
			}
			e := evaluator{terms: map[string]*big.Int{"B": big.NewInt(c.free), "y": big.NewInt(r.lossy)}, memo: map[string]*big.Int{}}
			if v, err := e.evaluate(r.expr); err != nil || v.Int64() > r.left {
				t.Errorf("%s: %s is %v, %v", c.what, r.expr, v, err)
			}
		}
	}
}

// Ports whose queue is the same are of a kind, and a port does not send to itself: of equal crowds the first counts. Ports with another
// map, or without such a queue, are none of the kind.
func TestCrowds(t *testing.T) {
	queue := func(cells units.Cells) []mmu.Queue { return []mmu.Queue{{}, {Limit: mmu.StaticLimit(cells)}} }
	pg := []mmu.PG{paused(mmu.StaticLimit(5), 0, 3)}
	p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}, EgressPools: []mmu.Pool{{Name: "out", SharedCells: 90}}},
		mmu.Port{PGs: pg, Queues: queue(9)}, mmu.Port{PGs: pg, Queues: queue(9)}, mmu.Port{Queues: queue(9)}, mmu.Port{Queues: queue(8)}, mmu.Port{Queues: queue(7)}, mmu.Port{Queues: queue(6)[:1]}, mmu.Port{PGs: pg, Queues: queue(5)}, mmu.Port{Queues: queue(9)})
	p.m.Ports[4].Map = 1
	has := func(out int) bool { return len(p.config.Ports[out].Queues) > 1 && p.m.Ports[out].Map == 0 }
	var got []string
	for _, outs := range p.outsAlike(has, func(a, b int) bool { return sameQueue(p.m, 1, a, b) }) {
		kind := ""
		for _, g := range outs {
			kind += " " + g.name
		}
		for _, c := range p.crowds(0, outs, p.slices[0].lossless, p.slices[0].lossless[:1]) {
			kind += fmt.Sprintf(", %s %d %d", c.out.name, len(c.senders), len(c.lossy))
		}
		got = append(got, kind)
	}
	if want := []string{" g0 g1 g2 g7, g2 3 1, g0 2 0, g1 2 1", " g3, g3 3 1", " g6, g6 2 1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if all := p.crowds(0, p.groups[:1], p.slices[0].lossless[:1], nil); len(all) != 0 { // the only one that sends
		t.Errorf("%+v", all)
	}
}

// Of two ports with one queue either may be the one that the other sends to, whichever stands first: what comes in over 100 m is
// 17 packets after a pause, over 1 m 3. 2 cells are below the threshold, where one of those that come in lies too: 18 cells are too many for
// a queue of 17, and for a port of 17. The other one holds 4.
func TestWorstOfPortsAlike(t *testing.T) {
	for _, long := range []int{0, 1} {
		for limit, want := range map[units.Cells]Verdict{17: Fails, 18: Holds} {
			sw := &model.Switch{Config: &mmu.Config{CellBytes: 256, Slices: 1, IngressPools: []mmu.Pool{{Name: "in", SharedCells: 4}}, EgressPools: []mmu.Pool{{Name: "out", SharedCells: 1000}}}}
			for i := range 2 {
				link := tinyswitch.Link(1)
				if i == long {
					link = tinyswitch.Link(100)
				}
				sw.Config.Ports = append(sw.Config.Ports, mmu.Port{
					PGs:    []mmu.PG{{Lossless: true, Limit: mmu.StaticLimit(2), HeadroomCells: units.Cells(tinyswitch.ComesIn(sw.Config, link))}},
					Queues: []mmu.Queue{{Limit: mmu.StaticLimit(limit)}}, Egress: []mmu.Bound{{Limit: mmu.StaticLimit(limit)}},
				})
				sw.Ports = append(sw.Ports, model.Port{Name: fmt.Sprint("p", i), Link: link, Pausable: 1, Queues: [mmu.MaxPGs]uint16{1}})
			}
			p := ofModel(sw, Context{})
			p.buffer()
			judged := 0
			for _, o := range p.report.Obligations {
				if o.ID != QueueHolds && o.ID != PortHolds {
					continue
				}
				if judged++; o.Verdict != want || o.Left.Value != 18 || !strings.Contains(o.Where, fmt.Sprintf(" of p%d ", 1-long)) {
					t.Errorf("port %d has the long cable, limit %d: %v", long, limit, &o)
				}
			}
			must.Equalf(t, judged, 2, "are judged:")
		}
	}
}

// A worse verdict goes before a worse inequality, and of equals the first stays.
func TestWorstOf(t *testing.T) {
	o := func(where string, v Verdict, left int64) Obligation {
		return Obligation{Where: where, Verdict: v, Left: Side{Value: left}}
	}
	for _, c := range []struct {
		judged []Obligation
		want   string
	}{
		{nil, ""}, {[]Obligation{o("a", Holds, 3)}, "a"}, {[]Obligation{o("a", Holds, 3), o("b", Holds, 4)}, "b"}, {[]Obligation{o("a", Holds, 3), o("b", Holds, 3)}, "a"}, {[]Obligation{o("a", Holds, 3), o("b", Holds, 2)}, "a"},
		{[]Obligation{o("a", Fails, 3), o("b", Unjudged, 9)}, "a"}, {[]Obligation{o("a", Unjudged, 9), o("b", Fails, 3), o("c", Holds, 10)}, "b"}, {[]Obligation{o("a", Holds, 9), o("b", Unjudged, 3)}, "b"},
	} {
		p := &prover{report: &Report{Obligations: []Obligation{{Where: "before", Verdict: Fails, Left: Side{Value: 99}}}}}
		next := 0
		p.worstOf(make([]crowd, len(c.judged)), func(crowd) {
			p.report.Obligations = append(p.report.Obligations, c.judged[next])
			next++
		})
		got := ""
		for _, o := range p.report.Obligations[1:] {
			got += o.Where
		}
		if got != c.want || p.report.Obligations[0].Where != "before" {
			t.Errorf("%v: %q, want %q", c.judged, got, c.want)
		}
	}
}

// Where there are too many of several kinds to find the worst order, what they hold at most is more than what they surely hold: in the order by
// width.
func TestSumOfMany(t *testing.T) {
	var ports []mmu.Port
	var inTurn []bound
	for i := range 255 {
		limit := mmu.DynamicLimit(-7)
		if i >= 127 {
			limit = mmu.DynamicLimit(-5)
		}
		ports, inTurn = append(ports, mmu.Port{PGs: []mmu.PG{{Lossless: true, Limit: limit}}}), append(inTurn, bound{limit: limit})
	}
	p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 100_000}}}, ports...)
	h := p.sum(p.slices[0].lossless, nil)
	if surely := 100_000 - leaves(inTurn, mmu.WithCell, 100_000); h.surely != surely || h.side.Value <= surely {
		t.Errorf("%d, surely %d, want %d", h.side.Value, h.surely, surely)
	}
}

// Senders are in the order of what they hold without any of the shared part: their reserve, what comes in, and what they kept when they
// resumed. One that resumes at 12 over a reserve of 2 and a limit of 5 keeps 5 cells.
func TestFullestFirst(t *testing.T) {
	keeps := paused(mmu.StaticLimit(5), 2, 20)
	keeps.XonCells = 12
	p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 900}}},
		mmu.Port{PGs: []mmu.PG{paused(mmu.StaticLimit(5), 4, 3)}}, mmu.Port{PGs: []mmu.PG{keeps}}, mmu.Port{PGs: []mmu.PG{paused(mmu.StaticLimit(50), 7, 2)}}, mmu.Port{PGs: []mmu.PG{paused(mmu.StaticLimit(50), 1, 3)}})
	var got []int64
	for _, a := range p.feeding(0, func(a account) bool { return a.port < 3 }) {
		got = append(got, p.maxHeld(a))
	}
	if want := []int64{2 + 3 + 5, 7 + 2, 4 + 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
