package proof

import (
	"math/big"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/tinyswitch"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Three cells come in after a pause, of which one lies below the threshold where nobody else fills the group up: a limit that falls
// with any cell of others, and a fixed one with the last of the pool.
func TestHeadroomByHand(t *testing.T) {
	s, d := mmu.StaticLimit, mmu.DynamicLimit
	for _, c := range []struct {
		what       string
		own, other mmu.Limit
		has        units.Cells
		pause      mmu.Pause
		left       int64
		verdict    Verdict
	}{
		{"alone", s(5), s(0), 2, mmu.WhenFull, 2, Holds}, {"and a cell less", s(5), s(0), 1, mmu.WhenFull, 2, Fails},
		{"with the first packet above", s(5), s(0), 3, mmu.OnExcess, 3, Holds}, {"and a cell less", s(5), s(0), 2, mmu.OnExcess, 3, Fails},
		{"falling, alone", d(0), s(0), 2, mmu.WhenFull, 2, Holds}, {"falling, and filled up", d(0), s(1), 3, mmu.WhenFull, 3, Holds}, {"and a cell less", d(0), s(1), 2, mmu.WhenFull, 3, Fails},
		{"fixed, and filled up", s(5), s(16), 3, mmu.WhenFull, 3, Holds}, {"and a cell less", s(5), s(16), 2, mmu.WhenFull, 3, Unjudged}, {"and two", s(5), s(16), 1, mmu.WhenFull, 3, Fails},
		{"fixed, and the pool has a cell for it", s(5), s(15), 2, mmu.WhenFull, 2, Holds},
		{"nothing at all", s(0), s(9), 3, mmu.WhenFull, 3, Holds},
	} {
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}, Rules: mmu.Rules{Pause: c.pause}}, mmu.Port{PGs: []mmu.PG{paused(c.own, 0, c.has)}}, mmu.Port{PGs: []mmu.PG{paused(c.other, 0, 9)}})
		p.headroom()
		o := &p.report.Obligations[0]
		if len(p.report.Obligations) != 2 || o.ID != Headroom || o.Left.Value != c.left || o.Right.Value != int64(c.has) || o.Verdict != c.verdict || o.Verdict == Unjudged && (o.Because != singleCells || !o.open) {
			t.Errorf("%s: %v, %d", c.what, o, o.Left.Value)
		}
		for _, err := range recheck(o, map[string]*big.Int{}) {
			t.Errorf("%s: %v", c.what, err)
		}
		p.report.Obligations, p.groups[0].why = nil, "x"
		if p.headroom(); p.report.Obligations[0].Verdict != Unjudged || p.report.Obligations[0].Because != "x" {
			t.Errorf("%s: %v", c.what, p.report.Obligations[0])
		}
	}
}

// With a link that is longer at the worst, 4 cells come in instead of 3: that is a condition, and needs none where a cell that may be below
// the threshold decides.
func TestHeadroomUnderACondition(t *testing.T) {
	for _, c := range []struct {
		has     units.Cells
		extra   int64
		verdict Verdict
	}{{4, 0, Holds}, {3, 0, Conditional}, {2, 0, Fails}, {4, 1, Holds}, {3, 1, Conditional}} {
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}}, mmu.Port{PGs: []mmu.PG{paused(mmu.DynamicLimit(0), 0, c.has)}}, mmu.Port{PGs: []mmu.PG{paused(mmu.StaticLimit(1), 0, 9)}})
		g := p.groups[0]
		g.worst, g.extra, g.conditions = tinyswitch.Link(7), c.extra, []Condition{{ID: PeerResponse}}
		p.headroom()
		if o := &p.report.Obligations[0]; o.Left.Value != 4 || o.Verdict != c.verdict {
			t.Errorf("%+v: %v", c, o)
		}
	}
}

// Nothing is unsure of what others do where limits do not fall: they leave 3 of 20 cells to a group that resumes at 5 over a reserve of 2, while it
// is full. Where limits fall and differ, another order may leave more. Where the first packet above pauses nothing lies below.
func TestUnsure(t *testing.T) {
	for _, c := range []struct {
		own, other, third mmu.Limit
		xon               units.Cells
		pause             mmu.Pause
		want              bool
	}{
		{mmu.StaticLimit(5), mmu.StaticLimit(17), mmu.StaticLimit(0), 5, mmu.WhenFull, false},
		{mmu.StaticLimit(5), mmu.DynamicLimit(2), mmu.DynamicLimit(1), 5, mmu.WhenFull, true}, // of 20 they leave 2 or so
		{mmu.StaticLimit(5), mmu.DynamicLimit(2), mmu.DynamicLimit(1), 5, mmu.OnExcess, false},
		{mmu.StaticLimit(5), mmu.DynamicLimit(2), mmu.DynamicLimit(1), 7, mmu.WhenFull, false}, // that is all that it ever has
	} {
		pg := paused(c.own, 2, 3)
		pg.XonCells = c.xon
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}, Rules: mmu.Rules{Pause: c.pause}}, mmu.Port{PGs: []mmu.PG{pg}}, mmu.Port{PGs: []mmu.PG{paused(c.other, 0, 3)}}, mmu.Port{PGs: []mmu.PG{paused(c.third, 0, 3)}})
		must.Equalf(t, p.unsure(p.slices[0].lossless[0]), c.want, "%+v:", c)
	}
}

// The least over all slices that have a group is below its threshold.
func TestBelowEverywhere(t *testing.T) {
	pg := paused(mmu.DynamicLimit(0), 0, 3)
	for _, crowded := range []int{-1, 0, 1} {
		ports := []mmu.Port{{PGs: []mmu.PG{pg}}, {PGs: []mmu.PG{pg}, Slice: 1}}
		if crowded >= 0 {
			ports = append(ports, mmu.Port{PGs: []mmu.PG{paused(mmu.StaticLimit(1), 0, 3)}, Slice: crowded})
		}
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}}, ports...)
		p.groups[0].ports = []int{0, 1}
		want := b2i64(crowded < 0)
		for range 2 {
			must.Equalf(t, p.belowEverywhere(p.account(0, 0, p.groups[0])), want, "slice %d is crowded:", crowded)
		}
		if own := p.inSlices(p.account(0, 0, p.groups[0])); len(own) != 2 || own[1].port != 1 {
			t.Errorf("%+v", own)
		}
	}
}

// What a group holds above its threshold is what comes in, with the frame of the last byte, or all that there is: where that is less, where
// nothing is known of its peer, and where it rests on a condition.
func TestMaxInHeadroom(t *testing.T) {
	for _, c := range []struct {
		g    group
		want int64
	}{{group{need: 3}, 3}, {group{need: 3, extra: 2}, 5}, {group{need: 9}, 7}, {group{need: 6, extra: 2}, 7}, {group{need: 3, why: "x"}, 7}, {group{need: 3, conditions: []Condition{{}}}, 7}} {
		must.Equalf(t, (account{group: &c.g, pg: &mmu.PG{HeadroomCells: 7}}).maxInHeadroom(), c.want, "%+v:", c)
	}
}

// What others leave is a bound that no order is known to reach where limits that fall differ, also between lossless and lossy, or groups share
// what a port may take.
func TestLoose(t *testing.T) {
	s, d := mmu.StaticLimit, mmu.DynamicLimit
	for _, c := range []struct {
		lossless, lossy mmu.PG
		whole           []mmu.Bound
		want            bool
	}{
		{paused(d(0), 0, 3), mmu.PG{Limit: d(0)}, nil, false}, {paused(d(0), 0, 3), mmu.PG{Limit: d(1)}, nil, true}, {paused(d(0), 0, 3), mmu.PG{Limit: s(1)}, nil, false},
		{paused(d(0), 0, 3), mmu.PG{Limit: d(1), Pool: 1}, nil, false}, {paused(s(3), 0, 3), mmu.PG{Limit: s(1)}, []mmu.Bound{{Limit: s(3)}}, true},
	} {
		p := ofPorts(mmu.Config{IngressPools: make([]mmu.Pool, 2)}, mmu.Port{PGs: []mmu.PG{c.lossless, c.lossy}, Ingress: c.whole})
		must.Equalf(t, p.loose(p.slices[0].lossless[0]), c.want, "%+v:", c)
	}
}
