package proof

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// shares is a group that has its headroom in a pool.
func shares(limit mmu.Limit, reserve, headroom units.Cells) mmu.PG {
	pg := paused(limit, reserve, headroom)
	pg.HeadroomPooled = true
	return pg
}

// Three cells come in at each of two groups of a headroom pool, or as many as their headroom has; where not all are paused at once,
// at the neediest. With a limit that does not fall a cell of each is below the threshold.
func TestHeadroomPoolByHand(t *testing.T) {
	s, d := mmu.StaticLimit, mmu.DynamicLimit
	for _, c := range []struct {
		what        string
		pgs         []mmu.PG
		size        units.Cells
		pausedPGs   int
		why         string // nothing is known of the first, because …
		left, below int64
		verdict     Verdict
		fits        int64
	}{
		{"it has a cell more", []mmu.PG{shares(s(5), 0, 9), shares(s(5), 0, 9)}, 5, 0, "", 4, 2, Holds, 2},
		{"it fits", []mmu.PG{shares(s(5), 0, 9), shares(s(5), 0, 9)}, 4, 0, "", 4, 2, Holds, 2},
		{"one of them", []mmu.PG{shares(s(5), 0, 9), shares(s(5), 0, 9)}, 3, 0, "", 4, 2, Fails, 1},
		{"two of three", []mmu.PG{shares(s(5), 0, 9), shares(s(5), 0, 9), shares(s(5), 0, 9)}, 5, 0, "", 9 - 3, 3, Conditional, 2},
		{"two of four", []mmu.PG{shares(s(5), 0, 9), shares(s(5), 0, 9), shares(s(5), 0, 9), shares(s(5), 0, 9)}, 4, 0, "", 12 - 4, 4, Conditional, 2},
		{"none of them", []mmu.PG{shares(s(5), 0, 9), shares(s(5), 0, 9)}, 1, 0, "", 4, 2, Fails, 0},
		{"less headroom", []mmu.PG{shares(s(5), 0, 1), shares(s(5), 0, 9)}, 9, 0, "", 3 + 2 - 2, 2, Holds, 2},
		{"two that fill each other up", []mmu.PG{shares(d(0), 0, 9), shares(d(0), 0, 9)}, 5, 0, "", 5, 1, Holds, 1},
		{"one at once", []mmu.PG{shares(d(0), 0, 2), shares(d(0), 0, 9)}, 3, 1, "", 3, 0, Holds, 1},
		{"more at once than there are", []mmu.PG{shares(s(5), 0, 9), shares(s(5), 0, 9)}, 4, 3, "", 4, 2, Holds, 2},
		{"nothing is known, and it may be too small", []mmu.PG{shares(d(0), 0, 9), shares(d(0), 0, 9)}, 11, 0, "x", 0, 0, Unjudged, 0},
		{"nothing is known, and it has all", []mmu.PG{shares(d(0), 0, 9), shares(d(0), 0, 9)}, 12, 0, "x", 11, 1, Holds, 2},
	} {
		var ports []mmu.Port
		for _, pg := range c.pgs {
			ports = append(ports, mmu.Port{PGs: []mmu.PG{pg}})
		}
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{Name: "in", SharedCells: 20, HeadroomCells: c.size}, {Name: "own", SharedCells: 20}}}, ports...)
		p.ctx.PausedPGs, p.groups[0].why = c.pausedPGs, c.why
		p.headroomPool(0)
		if len(p.report.Obligations) != 1 {
			t.Errorf("%s: %v", c.what, p.report.Obligations)
			continue
		}
		o := &p.report.Obligations[0]
		if o.ID != HeadroomPool || o.Where != "slice 0, pool in" || o.Verdict != c.verdict || o.Verdict == Unjudged && o.Because != c.why {
			t.Errorf("%s: %v", c.what, o)
		}
		if o.Verdict == Unjudged {
			continue
		}
		q := o.Terms[slices.IndexFunc(o.Terms, func(t Term) bool { return t.Symbol == "Q" })]
		if o.Left.Value != c.left || q.Value != c.below || !strings.HasPrefix(o.Note, fmt.Sprintf("it holds %d of %d groups with packets in it at once", c.fits, len(c.pgs))) {
			t.Errorf("%s: %v, %d below, %q", c.what, o, q.Value, o.Note)
		}
		for _, err := range recheck(o, map[string]*big.Int{}) {
			t.Errorf("%s: %v", c.what, err)
		}
		if c.verdict == Conditional {
			if k := o.Conditions[0]; k.ID != PausedGroups || k.Bound != c.fits || k.Worst != int64(len(c.pgs)) || k.Short != c.left-int64(c.size) {
				t.Errorf("%s: %+v", c.what, k)
			}
		}
	}
}

// A pool holds as many of the neediest groups as fit, and those that need less only where all of these do.
func TestNeediestOfAPool(t *testing.T) {
	of := func(headrooms ...units.Cells) (*prover, []account) {
		var ports []mmu.Port
		for _, cells := range headrooms {
			ports = append(ports, mmu.Port{PGs: []mmu.PG{shares(mmu.DynamicLimit(0), 0, cells), shares(mmu.DynamicLimit(0), 0, cells)}})
		}
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 0}}}, ports...)
		for _, g := range p.groups {
			g.need = 9
		}
		return p, p.slices[0].lossless
	}
	for _, c := range []struct {
		headrooms []units.Cells // of two groups each
		size      int64
		want      string // groups of each part
		fits      int
	}{
		{[]units.Cells{4, 2}, 12, "2 2", 4}, {[]units.Cells{4, 2}, 11, "2 1", 3}, {[]units.Cells{4, 2}, 10, "2 1", 3}, {[]units.Cells{4, 2}, 9, "2 0", 2}, {[]units.Cells{4, 2}, 7, "1 0", 1},
		{[]units.Cells{2, 4}, 7, "0 1", 1}, {[]units.Cells{2, 4}, 3, "0 0", 0}, {[]units.Cells{4, 2}, 0, "0 0", 0},
		{[]units.Cells{3, 1}, 5, "1 0", 1}, {[]units.Cells{3, 1}, 7, "2 1", 3}, {[]units.Cells{1}, 1, "1", 1}, {[]units.Cells{1}, 2, "2", 2}, {[]units.Cells{0}, 2, "2", 2},
	} {
		p, list := of(c.headrooms...)
		uses, fits := p.poolUses(list, c.size)
		var counts []string
		for i, u := range uses {
			counts = append(counts, fmt.Sprint(u.count))
			if u.cells != int64(c.headrooms[i]) || u.symbol != fmt.Sprint(i+1) || u.name != p.groups[i].name {
				t.Errorf("%+v: %+v", c, u)
			}
		}
		if got := strings.Join(counts, " "); got != c.want || fits != c.fits {
			t.Errorf("%+v: %s, %d in all", c, got, fits)
		}
	}
}

// Under the condition that so many are paused no cell is taken off, and each part has its cells and its groups.
func TestPausedAtOnce(t *testing.T) {
	o := &Obligation{Where: "here", Left: Side{Value: 9}, Right: Side{Value: 7}}
	for below, terms := range map[int64]int{0: 2, 1: 3, 2: 3} {
		c := pausedAtOnce(o, []poolUse{{symbol: "1", name: "g", cells: 4, count: 2}}, 2, 5, below)
		if c.Where != "here" || c.Bound != 2 || c.Worst != 5 || c.Short != 2 || len(c.Terms) != terms || !strings.HasPrefix(c.Assumes, "at most 2 of the 5 priority groups of the pool") {
			t.Errorf("%+v", c)
		}
		if q := c.Terms[0]; below > 0 && (q.Symbol != "Q" || q.Value != 0) {
			t.Errorf("%+v", q)
		}
		if n := c.Terms[terms-2:]; n[0].Symbol != "N1" || n[0].Value != 4 || n[1].Symbol != "n1" || n[1].Value != 2 {
			t.Errorf("%+v", n)
		}
	}
}

// What groups take of their headroom, and how many of each kind: what comes in, at most all that is there, with the cell that
// is below the threshold; all of it where the peer is not known or bounded by a condition.
func TestWhatGroupsTake(t *testing.T) {
	port := func() mmu.Port { return mmu.Port{PGs: []mmu.PG{shares(mmu.StaticLimit(5), 0, 7)}} }
	p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 90}}}, port(), port(), port(), port(), port(), port())
	for i, g := range []group{{need: 3}, {need: 3, extra: 2}, {need: 8}, {need: 9}, {need: 3, why: "x"}, {need: 3, conditions: []Condition{{}}}} {
		p.groups[i].need, p.groups[i].extra, p.groups[i].why, p.groups[i].conditions = g.need, g.extra, g.why, g.conditions
	}
	list := p.slices[0].lossless
	sum := int64(0)
	for i, want := range []int64{3, 5, 8, 8, 8, 8} {
		sum += want
		must.Equalf(t, p.takesOf(list[i]), want, "group %d takes", i)
	}
	must.Equal(t, p.sumNeeds(list), sum)
	own := list[0]
	own.port = 1 // of the same group as port 0
	parts := p.partsOf([]account{list[0], list[1], own, list[2]})
	var got []string
	for _, part := range parts {
		got = append(got, fmt.Sprintf("%d × %d", part.count, part.takes))
	}
	if want := []string{"2 × 3", "1 × 5", "1 × 8"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	list[1].group = list[0].group // and with another headroom it is another part
	if list[1].pg.HeadroomCells = 1; len(p.partsOf(list[:2])) != 2 {
		t.Errorf("%+v", p.partsOf(list[:2]))
	}
	if unknown(list) != "x" || unknown(list[:4]) != "" || len(ofKnownPorts(list)) != 5 {
		t.Errorf("%q, %q, %d", unknown(list), unknown(list[:4]), len(ofKnownPorts(list)))
	}
}

// One of all groups of a headroom pool has a cell below its threshold in any case, if nobody else fills the last one up.
func TestOneIsBelow(t *testing.T) {
	s, d := mmu.StaticLimit, mmu.DynamicLimit
	resumed := shares(d(0), 0, 3)
	resumed.XonCells = 1 // half of the 10 that the other one leaves are 5, and so it is not resumed while it is full
	early := resumed
	early.XonCells = 5
	elsewhere := mmu.PG{Pool: 1, Limit: s(5)}
	for _, c := range []struct {
		what   string
		pgs    []mmu.PG
		shared units.Cells
		n      int
		pause  mmu.Pause
		want   int64
	}{
		{"two that fall", []mmu.PG{shares(d(0), 0, 3), shares(d(0), 0, 3)}, 20, 2, mmu.WhenFull, 1},
		{"of which one is paused", []mmu.PG{shares(d(0), 0, 3), shares(d(0), 0, 3)}, 20, 1, mmu.WhenFull, 0},
		{"with the first packet above", []mmu.PG{shares(d(0), 0, 3), shares(d(0), 0, 3)}, 20, 2, mmu.OnExcess, 0},
		{"of no cells", []mmu.PG{shares(d(0), 0, 3), shares(d(0), 0, 3)}, 0, 2, mmu.WhenFull, 0},
		{"of one cell", []mmu.PG{shares(d(0), 0, 3), shares(d(1), 0, 3)}, 2, 2, mmu.WhenFull, 1},
		{"one that is resumed", []mmu.PG{shares(d(0), 0, 3), resumed}, 20, 2, mmu.WhenFull, 1},
		{"one that is resumed while it is full", []mmu.PG{shares(d(0), 0, 3), early}, 20, 2, mmu.WhenFull, 0},
		{"a lossy one beside", []mmu.PG{shares(d(0), 0, 3), shares(d(0), 0, 3), {Limit: d(0)}}, 20, 2, mmu.WhenFull, 0},
		{"a lossy one that takes nothing", []mmu.PG{shares(d(0), 0, 3), shares(d(0), 0, 3), {Limit: s(0)}}, 20, 2, mmu.WhenFull, 1},
		{"a lossy one of another pool", []mmu.PG{shares(d(0), 0, 3), shares(d(0), 0, 3), elsewhere}, 20, 2, mmu.WhenFull, 1},
		{"a lossless one with headroom of its own", []mmu.PG{shares(d(0), 0, 3), shares(d(0), 0, 3), paused(s(1), 0, 3)}, 20, 2, mmu.WhenFull, 0},
		{"one that is fixed, which takes the last cell", []mmu.PG{shares(d(0), 0, 3), shares(s(30), 0, 3)}, 20, 2, mmu.WhenFull, 1},
		{"one that falls beside them, and does not take it", []mmu.PG{shares(d(0), 0, 3), shares(s(30), 0, 3), {Limit: d(0)}}, 20, 2, mmu.WhenFull, 1},
		{"one beside them that takes it", []mmu.PG{shares(d(0), 0, 3), shares(s(30), 0, 3), {Limit: s(1)}}, 20, 2, mmu.WhenFull, 0},
		{"one with nothing but its own, and one alone", []mmu.PG{shares(d(0), 0, 3), shares(s(0), 1, 3)}, 20, 2, mmu.WhenFull, 2},
		{"one that takes nothing", []mmu.PG{shares(d(0), 0, 3), shares(d(0), 0, 3), shares(s(0), 0, 3)}, 20, 3, mmu.WhenFull, 0},
		{"a fixed one that is full before", []mmu.PG{shares(d(0), 0, 3), shares(s(5), 0, 3)}, 20, 2, mmu.WhenFull, 1},
	} {
		var ports []mmu.Port
		for _, pg := range c.pgs {
			ports = append(ports, mmu.Port{PGs: []mmu.PG{pg}})
		}
		p := ofPorts(mmu.Config{IngressPools: []mmu.Pool{{SharedCells: c.shared}, {SharedCells: 20}}, Rules: mmu.Rules{Pause: c.pause}}, ports...)
		must.Equalf(t, p.belowAll(0, 0, p.pooled(0, 0), c.n), c.want, "%s:", c.what)
	}
}

// Whether a cell for each group decides.
func TestSingleCells(t *testing.T) {
	for _, c := range []struct {
		pause         mmu.Pause
		surely, limit int64
		open          bool
	}{{mmu.WhenFull, 12, 10, true}, {mmu.WhenFull, 13, 10, true}, {mmu.WhenFull, 14, 10, false}, {mmu.OnExcess, 11, 10, false}, {mmu.OnExcess, 10, 10, true}} {
		p := ofPorts(mmu.Config{Rules: mmu.Rules{Pause: c.pause}})
		for _, v := range []Verdict{Fails, Holds} {
			o := &Obligation{Verdict: v}
			p.openIfSingleCells(o, c.surely, 3, func(int64) int64 { return c.limit })
			if o.open != (c.open && v == Fails) || o.open && o.Because != singleCells {
				t.Errorf("%+v, %v: %+v", c, v, o)
			}
		}
	}
}
