package proof

import (
	"math/big"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/tinyswitch"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Of a group with a reserve of 2 and a limit of 5 three cells come in after a pause. Resumed at 7 and below it has nothing in its
// headroom, and at 12 it has 5; then no cell below its threshold is sure.
func TestResumeByHand(t *testing.T) {
	s, d := mmu.StaticLimit, mmu.DynamicLimit
	for _, c := range []struct {
		what     string
		limit    mmu.Limit
		xon, has units.Cells
		pause    mmu.Pause
		left     int64 // -1: no obligation
		verdict  Verdict
		because  string
	}{
		{"no fixed level", s(5), 0, 0, mmu.WhenFull, -1, Holds, ""},
		{"below the threshold", s(5), 6, 2, mmu.WhenFull, 3 - 1, Holds, ""},
		{"without a cell of its headroom", s(5), 6, 1, mmu.WhenFull, 3 - 1, Unjudged, singleCells}, // Headroom says what becomes of it
		{"without two", s(5), 6, 0, mmu.WhenFull, 3 - 1, Fails, ""},
		{"at the threshold", s(5), 7, 3, mmu.WhenFull, 3, Holds, ""}, // it is resumed while it is full
		{"and a cell less", s(5), 7, 2, mmu.WhenFull, 3, Unjudged, singleCells},
		{"and two", s(5), 7, 1, mmu.WhenFull, 3, Fails, ""},
		{"with the first packet above", s(5), 7, 2, mmu.OnExcess, 3, Fails, ""},
		{"half of the pool, at the threshold", d(0), 12, 2, mmu.WhenFull, 3, Fails, ""},
		{"five above", s(5), 12, 8, mmu.WhenFull, 3 + 5, Holds, ""},
		{"and a cell less", s(5), 12, 7, mmu.WhenFull, 3 + 5, Fails, ""}, // 7 + 3 + 5 cells are more than 2 · 3: it does not hang on what leaves
	} {
		pg := paused(c.limit, 2, c.has)
		pg.XonCells = c.xon
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}, Rules: mmu.Rules{Pause: c.pause}}, mmu.Port{PGs: []mmu.PG{pg}})
		p.resume()
		if n := len(p.report.Obligations); c.left < 0 || n != 1 {
			if n != 0 || c.left >= 0 {
				t.Errorf("%s: %v", c.what, p.report.Obligations)
			}
			continue
		}
		o := &p.report.Obligations[0]
		if o.ID != Resume || o.Left.Value != c.left || o.Right.Value != int64(c.has) || o.Verdict != c.verdict || o.Because != c.because || o.open != (c.verdict == Unjudged) {
			t.Errorf("%s: %v, left %d, open %v", c.what, o, o.Left.Value, o.open)
		}
		for _, err := range recheck(o, map[string]*big.Int{}) {
			t.Errorf("%s: %v", c.what, err)
		}
		p.groups[0].why, p.report.Obligations = "x", nil
		if p.resume(); len(p.report.Obligations) > 0 {
			t.Errorf("%s: nothing is known of the link, and yet %v", c.what, p.report.Obligations)
		}
	}
}

// Of the same group of two ports the worst slice counts, whichever is first: where others take more, less is left below
// the level at which it resumes. Where a limit of 5 is left 3 of 20, a group that resumes at 12 over a reserve of 2 has 7 in its headroom.
func TestResumeInTheWorstSlice(t *testing.T) {
	pg := paused(mmu.StaticLimit(5), 2, 20)
	pg.XonCells = 12
	other := paused(mmu.StaticLimit(17), 0, 20)
	for _, crowded := range []int{0, 1} {
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}}, mmu.Port{PGs: []mmu.PG{pg}}, mmu.Port{PGs: []mmu.PG{pg}, Slice: 1}, mmu.Port{PGs: []mmu.PG{other}, Slice: crowded})
		p.groups[0].ports = []int{0, 1}
		p.groups = slices.Delete(p.groups, 1, 2)
		p.groupOf[1] = p.groups[0]
		p.resume()
		if o := &p.report.Obligations[0]; len(p.report.Obligations) != 1 || o.Left.Value != 3+7 {
			t.Errorf("slice %d: %v", crowded, p.report.Obligations)
		}
	}
}

// A cell more or less that leaves before a group resumes decides where it has few packets: less than twice what comes in, and
// a largest packet of them makes up for what is lacking.
func TestCoarse(t *testing.T) {
	for _, c := range []struct {
		what                      string
		frame                     units.Bytes
		small                     units.Ratio
		atResume, full, need, has int64
		want                      bool
	}{
		{"nothing in its headroom", 256, 0, 0, 5, 3, 9, false}, {"a cell", 256, 0, 1, 5, 3, 2, true}, {"and one less", 256, 0, 1, 5, 3, 1, false},
		{"two cells", 256, 0, 2, 5, 3, 3, true}, {"and one less", 256, 0, 2, 5, 3, 2, false}, {"packets of two", 512, 0, 2, 5, 3, 2, true}, {"three", 512, 0, 3, 5, 3, 2, false},
		{"as many as twice what comes in", 256, 0, 1, 6, 3, 2, false}, {"of a mix", 256, units.Percent, 1, 6, 3, 2, true},
	} {
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}}, mmu.Port{})
		g := p.groups[0]
		g.link.LosslessFrame, g.link.SmallPackets = c.frame, c.small
		must.Equalf(t, p.coarse(g, c.atResume, c.full, c.need, c.has), c.want, "%s:", c.what)
	}
}

// The threshold of a group when everybody else has taken what they can: its own limit of what is left, and of what its port may take
// without the other groups of it.
func TestLowest(t *testing.T) {
	s, d := mmu.StaticLimit, mmu.DynamicLimit
	for _, c := range []struct {
		what          string
		own           mmu.Limit
		whole         *mmu.Limit
		beside        []mmu.PG // of the same port
		other         mmu.Limit
		besides, want int64
	}{
		{"alone", s(5), nil, nil, s(0), 0, 5},
		{"half of what is left", d(0), nil, nil, s(6), 0, 7},
		{"less than its limit is left", s(5), nil, nil, s(17), 0, 3},
		{"a port of 8 cells", s(5), &mmu.Limit{StaticCells: 8}, []mmu.PG{paused(s(4), 0, 3)}, s(0), 4, 4},
		{"of which the other takes all", s(5), &mmu.Limit{StaticCells: 8}, []mmu.PG{paused(s(9), 0, 3)}, s(0), 8, 0},
		{"and two others more", s(5), &mmu.Limit{StaticCells: 8}, []mmu.PG{paused(s(4), 0, 3), paused(s(5), 0, 3)}, s(0), 9, 0},
		{"as much as it needs", s(5), &mmu.Limit{StaticCells: 9}, []mmu.PG{paused(s(4), 0, 3)}, s(0), 4, 5},
		{"the other is of another pool", s(5), &mmu.Limit{StaticCells: 8}, []mmu.PG{{Pool: 1, Limit: s(4), Lossless: true}, paused(s(1), 0, 3)}, s(0), 1, 5},
	} {
		port := mmu.Port{PGs: append([]mmu.PG{paused(c.own, 0, 3)}, c.beside...)}
		if c.whole != nil {
			port.Ingress = []mmu.Bound{{Limit: *c.whole}}
		}
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}, {SharedCells: 20}}}, port, mmu.Port{PGs: []mmu.PG{paused(c.other, 0, 3)}})
		a := p.slices[0].lossless[0]
		if _, got := p.lowest(a); got != c.want || p.besides(a) != c.besides && c.whole != nil {
			t.Errorf("%s: %d, with %d beside", c.what, got, p.besides(a))
		}
	}
}

// What is in the headroom of a group when it resumes, and what it may then hold beyond what it can hold otherwise.
func TestHeadroomAtResume(t *testing.T) {
	for _, c := range []struct {
		xon, reserve, has units.Cells
		why               string
		atResume, extra   int64
	}{
		{0, 2, 9, "", 0, 0}, {2, 2, 9, "", 0, 0}, {7, 2, 9, "", 0, 0}, {8, 2, 9, "", 1, 1}, {12, 2, 9, "", 5, 5}, {12, 2, 8, "", 5, 5}, {12, 2, 7, "", 5, 4}, {12, 2, 3, "", 5, 0}, {12, 2, 2, "", 5, 0},
		{12, 2, 9, "x", 5, 0}, // which has all of it in any case
	} {
		pg := paused(mmu.StaticLimit(5), c.reserve, c.has)
		pg.XonCells = c.xon
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}}, mmu.Port{PGs: []mmu.PG{pg}})
		p.groups[0].why = c.why
		for range 2 {
			a := p.slices[0].lossless[0]
			if got, extra := p.headroomAtResume(a), p.extraHeadroomAfterResume(a); got != c.atResume || extra != c.extra {
				t.Errorf("%+v: %d, %d", c, got, extra)
			}
		}
	}
}

// What holds without what groups keep when they resume is open if it does not hold with it.
func TestOpenAfterResume(t *testing.T) {
	for _, v := range []Verdict{Holds, Fails, Conditional} {
		for _, holds := range []bool{true, false} {
			o := &Obligation{Verdict: v}
			if openIfAfterResume(o, 7, holds); o.open != (v == Holds && !holds) || o.open && o.Because != "groups with a fixed xon above their threshold may keep 7 cells of headroom when they resume" {
				t.Errorf("%v, %v: %+v", v, holds, o)
			}
		}
	}
}

// With a link that is longer at the worst a cell more comes in than the headroom has, which is a condition. It is not known whether that is
// needed where the other group of the port may take 5 cells of the 9 that the port may have, and surely takes fewer: of a limit of 8 over a
// reserve of 2, resumed at 12, 4 cells are left then for sure not to take, and 6 are in the headroom beside the 3 that come in.
func TestResumeUnderACondition(t *testing.T) {
	pg := paused(mmu.StaticLimit(8), 2, 9)
	pg.XonCells = 12
	for surely, perhaps := range map[int64]bool{2: true, 4: true, 5: false} { // 4 + 3, 4 + 5 and 4 + 6 cells
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 40}}}, mmu.Port{PGs: []mmu.PG{pg, {Limit: mmu.StaticLimit(5)}}, Ingress: []mmu.Bound{{Limit: mmu.StaticLimit(9)}}})
		p.slices[0].lossyEgress, p.slices[0].lossySurely = 9, surely
		g := p.groups[0]
		g.worst, g.conditions = tinyswitch.Link(7), []Condition{{ID: PeerResponse}}
		if p.resume(); len(p.report.Obligations) != 1 || p.report.Obligations[0].Verdict != Conditional || p.report.Obligations[0].Left.Value != 4+6 || p.report.Obligations[0].Conditions[0].Perhaps != perhaps {
			t.Errorf("surely %d: %v, %+v", surely, p.report.Obligations, p.report.Obligations[0].Conditions)
		}
	}
	// One that others fill up needs the condition whatever their order.
	pg = paused(mmu.DynamicLimit(0), 0, 3)
	pg.XonCells = 1
	p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}}, mmu.Port{PGs: []mmu.PG{pg}}, mmu.Port{PGs: []mmu.PG{paused(mmu.DynamicLimit(-1), 0, 3)}})
	p.groups[0].worst, p.groups[0].conditions = tinyswitch.Link(7), []Condition{{ID: PeerResponse}}
	if p.resume(); p.report.Obligations[0].Verdict != Conditional || p.report.Obligations[0].Conditions[0].Perhaps {
		t.Errorf("%v, %+v", p.report.Obligations[0], p.report.Obligations[0].Conditions)
	}
}

// Where the chip may decide with the last byte a frame more comes in. Whether that is needed hangs on a packet of two cells where one or
// two are lacking.
func TestResumeWithTheLastByte(t *testing.T) {
	for _, c := range []struct {
		extra              int64
		undecided, perhaps bool
		conditions         int
	}{{0, true, false, 0}, {1, true, true, 1}, {2, true, true, 1}, {3, true, false, 1}, {1, false, false, 1}} {
		pg := paused(mmu.StaticLimit(1), 0, 0)
		pg.XonCells = 1 + 2
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 20}}}, mmu.Port{PGs: []mmu.PG{pg}})
		g := p.groups[0]
		g.link.LosslessFrame = 512
		g.worst, g.need, g.extra, p.undecided = g.link, p.need(g.link), c.extra, c.undecided
		p.config.Ports[0].PGs[0].HeadroomCells = units.Cells(g.need + 2)
		p.resume()
		o := &p.report.Obligations[0]
		if o.Left.Value != g.need+2 || len(o.Conditions) != c.conditions || c.conditions > 0 && o.Conditions[0].Perhaps != c.perhaps {
			t.Errorf("%+v: %v, %+v", c, o, o.Conditions)
		}
	}
}
