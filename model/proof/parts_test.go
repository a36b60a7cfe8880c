package proof

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// What is left of a time for the layers and the peer, 9 ps and 5 ps by the standard: what is declared comes first, then
// the layers in full, and where these alone take it all both share it.
func TestConditionOnTime(t *testing.T) {
	for _, c := range []struct {
		declared, known     bool
		left                units.Time
		ok                  bool
		id                  string
		interfaces, answers units.Time
		bound, worst        int64
		terms               int
	}{
		{true, true, 5, false, "", 9, 5, 0, 0, 0}, {true, true, 6, true, ChipDatum, 1, 5, 1, 9, 1}, {true, true, 9, true, ChipDatum, 4, 5, 4, 9, 1},
		{false, true, 0, false, "", 9, 5, 0, 0, 0}, {false, true, 1, true, PeerResponse, 0, 1, 1, 5, 2}, {false, true, 9, true, PeerResponse, 0, 9, 9, 5, 2},
		{false, true, 10, true, PeerResponse, 9, 1, 1, 5, 2}, {false, false, 12, true, PeerResponse, 9, 3, 3, 5, 0},
	} {
		g := &group{declared: c.declared, ports: []int{0}, worst: model.Link{Rate: 100 * units.Gbps, Interface: 9, Response: 5}}
		g.link = g.worst
		p := &prover{sw: &plan.Switch{Chip: "x", Ports: make([]plan.Port, 1)}}
		if ok := p.conditionTime(g, c.left, c.known); ok != c.ok || g.link.Interface != c.interfaces || g.link.Response != c.answers {
			t.Errorf("%+v: %v, %v and %v", c, ok, g.link.Interface, g.link.Response)
			continue
		}
		if !c.ok {
			if len(g.conditions) > 0 {
				t.Errorf("%+v: %v", c, g.conditions)
			}
			continue
		}
		got := g.conditions[0]
		if got.ID != c.id || got.Bound != c.bound || got.Worst != c.worst || len(got.Terms) != c.terms || got.Unit != InTime {
			t.Errorf("%+v: %+v", c, got)
		}
		if c.terms == 2 && (got.Terms[0].Value != int64(c.interfaces) || got.Terms[1].Value != int64(c.answers)) {
			t.Errorf("%+v: %+v", c, got.Terms)
		}
		if together := strings.Contains(got.Assumes, "together"); together != (!c.declared && c.left <= 9) {
			t.Errorf("%+v: %s", c, got.Assumes)
		}
	}
}

// What lossy traffic can fill of a pool at a port: by the limits of the queues that it reaches, and what the port may
// have in all. Where a lossless group feeds one of them, nothing of that is sure.
func TestLossyOn(t *testing.T) {
	static := mmu.StaticLimit
	port := &mmu.Port{Queues: []mmu.Queue{{Limit: static(5)}, {Limit: static(7)}, {Pool: 1, Limit: static(9)}, {Limit: static(0)}, {Limit: mmu.DynamicLimit(1)}}}
	limits := func(list []drawer) (all []bound) {
		for _, d := range list {
			must.Equalf(t, d.port, 6, "port")
			all = append(all, d.bound)
		}
		return all
	}
	got := lossyOn(port, 6, 0, 0, math.MaxUint16)
	if want := []bound{{limit: static(5)}, {limit: static(7)}, {limit: mmu.DynamicLimit(1)}}; !slices.Equal(limits(got), want) || got[0].whole != nil {
		t.Errorf("%v, want %v", got, want)
	}
	if got := lossyOn(port, 6, 0, 0, 1<<1); !slices.Equal(limits(got), []bound{{limit: static(7)}}) {
		t.Errorf("%v", got)
	}
	if got := lossyOn(port, 6, 1, 0, math.MaxUint16); !slices.Equal(limits(got), []bound{{limit: static(9)}}) {
		t.Errorf("%v", got)
	}
	port.Egress = []mmu.Bound{{Pool: 0, Limit: static(6)}}
	got = lossyOn(port, 6, 0, 0, 3)
	if want := []bound{{limit: static(5)}, {limit: static(6)}}; !slices.Equal(limits(got), want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, d := range got { // 5 and 6 alone, 6 together
		if d.whole == nil || *d.whole != static(6) {
			t.Errorf("%v", d)
		}
	}
	must.Equalf(t, visited(got, mmu.WithCell, 20), 14, "are left:")
	for fed, want := range map[uint16]mmu.Limit{1 << 1: {}, 1 << 2: static(6)} { // queue 2 is of another pool
		if got := lossyOn(port, 6, 0, fed, 3); *got[0].whole != want || *got[1].whole != want {
			t.Errorf("fed %b: %v", fed, got)
		}
	}
}

// The line of each finding is the one that has to change.
func TestPlaces(t *testing.T) {
	line := func(n int) diag.Range {
		r := diag.Range{Filename: "f"}
		r.Start.Line = n
		return r
	}
	why := func(n int) *plan.Why { return &plan.Why{Range: line(n)} }
	sw := &plan.Switch{
		Range: line(1),
		Pools: []plan.Pool{
			{Name: "out", Direction: plan.Egress, Size: plan.Of[units.Bytes](1, why(11))},
			{Name: "in", Direction: plan.Ingress, Size: plan.Of[units.Bytes](1, why(12))},
			{Name: "pooled", Direction: plan.Ingress, Size: plan.Of[units.Bytes](1, why(13)), Headroom: plan.Of[units.Bytes](1, why(14))},
		},
		Ports: []plan.Port{
			{Range: line(2), QoS: &plan.PortQoS{Pools: []plan.PortPool{{Pool: "in", Limit: plan.Of(plan.Limit{}, why(21))}}, Queues: []plan.Queue{{ID: 3, Limit: plan.Of(plan.Limit{}, why(22))}}}},
			{QoS: &plan.PortQoS{}},
		},
	}
	p := &prover{sw: sw}
	for _, c := range []struct {
		what string
		got  diag.Range
		want int
	}{
		{"pool out", p.poolPlace("out"), 11}, {"pool in", p.poolPlace("in"), 12}, {"pool pooled", p.poolPlace("pooled"), 14}, {"no pool", p.poolPlace("x"), 1},
		{"bound", p.boundPlace(0, "in"), 21}, {"no bound", p.boundPlace(0, "out"), 2}, {"no port", p.boundPlace(1, "in"), 1},
		{"queue", p.queuePlace(0, 3), 22}, {"no queue", p.queuePlace(0, 2), 2}, {"no port", p.queuePlace(1, 3), 1},
		{"memory", p.memoryPlace(&slicePart{}, false), 12},
	} {
		must.Equalf(t, c.got.Start.Line, c.want, "%s: line", c.what)
	}
	if q := p.queueOf(0, 3); q == nil || q.ID != 3 || p.queueOf(0, 4) != nil {
		t.Errorf("%v", q)
	}
	qos := func(n int) *plan.PortQoS {
		return &plan.PortQoS{PGs: []plan.PG{{Headroom: plan.Of[units.Bytes](1, why(n))}}}
	}
	part := &slicePart{lossless: []account{
		{port: 0, pg: &mmu.PG{HeadroomCells: 4}, group: &group{qos: qos(31)}}, {port: 1, pg: &mmu.PG{HeadroomCells: 6}, group: &group{qos: qos(32)}}, {port: 0, pg: &mmu.PG{HeadroomCells: 5}, group: &group{qos: qos(33)}},
	}}
	if got := p.memoryPlace(part, true); got.Start.Line != 32 {
		t.Errorf("line %d", got.Start.Line)
	}
}

// How many groups a pool holds at once, the neediest first: three of 7 cells and two of 4. One that does not fit lets
// nothing after it stand in.
func TestPoolUses(t *testing.T) {
	for _, c := range []struct {
		size       int64
		want, fits int // of the needy ones, and of all
	}{{6, 0, 0}, {7, 1, 1}, {13, 1, 1}, {20, 2, 2}, {21, 3, 3}, {24, 3, 3}, {25, 3, 4}, {28, 3, 4}, {29, 3, 5}, {99, 3, 5}, {0, 0, 0}} {
		var pooled []account
		few, many := &group{why: "not known", name: "few"}, &group{why: "not known", name: "many"}
		config := &mmu.Config{Rules: mmu.Rules{Pause: mmu.OnExcess}, Ports: make([]mmu.Port, 5)}
		for port, g := range []*group{few, many, few, many, many} {
			cells := units.Cells(7)
			if g == few {
				cells = 4
			}
			pooled = append(pooled, account{port: port, group: g, pg: &mmu.PG{HeadroomCells: cells}})
		}
		p := &prover{config: config, belowOf: map[accountKind]int64{}, atResume: map[accountKind]int64{}}
		uses, fits := p.poolUses(pooled, c.size)
		if len(uses) != 2 || uses[0].name != "few" || uses[0].cells != 4 || uses[1].cells != 7 || uses[1].count != int64(c.want) || fits != c.fits || uses[0].count != int64(c.fits-c.want) {
			t.Errorf("of %d cells: %+v, %d", c.size, uses, fits)
		}
	}
}

// What a group has in its headroom when it resumes at 12 cells over a reserve of 2, of a pool of 40: what is left of
// the 10 above its threshold then. Others of its own port fill first, up to what the port may have.
func TestSurelyAtResume(t *testing.T) {
	static := mmu.StaticLimit
	for _, c := range []struct {
		what  string
		whole units.Cells // of the port
		other mmu.PG
		far   units.Cells // what another port takes
		queue int64       // what lossy traffic surely has on its way out
		want  int64
	}{
		{"nobody else", 9, mmu.PG{Limit: static(0)}, 0, 99, 10 - 8}, // its own limit of 8
		{"a limit of 9 with 3 of another", 9, mmu.PG{Limit: static(3), Lossless: true}, 0, 0, 10 - 6},
		{"that is in another pool", 9, mmu.PG{Limit: static(3), Lossless: true, Pool: 1}, 0, 0, 10 - 8},
		{"a lossy one has what its queue has", 9, mmu.PG{Limit: static(5)}, 0, 2, 10 - 7},
		{"the pool has 40 - 35 left", 9, mmu.PG{Limit: static(0)}, 35, 0, 10 - 5},
		{"and 2 less with another", 99, mmu.PG{Limit: static(2), Lossless: true}, 35, 0, 10 - 3},
	} {
		pg := mmu.PG{Lossless: true, Limit: static(8), XonCells: 12, ReservedCells: 2}
		config := &mmu.Config{
			IngressPools: []mmu.Pool{{SharedCells: 40}, {SharedCells: 40}},
			Ports: []mmu.Port{
				{PGs: []mmu.PG{pg, c.other}, Ingress: []mmu.Bound{{Pool: 0, Limit: static(c.whole)}}},
				{PGs: []mmu.PG{{Lossless: true, Limit: static(c.far)}}},
			},
		}
		p := &prover{config: config, slices: []slicePart{{lossySurely: c.queue, sure: []account{{port: 0, number: 1, pg: &c.other}}}}}
		g := &group{}
		a := p.account(0, 0, g)
		p.slices[0].lossless = []account{a, p.account(1, 0, g)}
		if c.other.Lossless {
			p.slices[0].lossless = append(p.slices[0].lossless, p.account(0, 1, g))
		}
		must.Equalf(t, p.surelyAtResume(a), c.want, "%s:", c.what)
	}
}

// What obligations came to, counted.
func TestModelCounts(t *testing.T) {
	chip := catalogued5(t)
	report := &Report{Obligations: []Obligation{{ID: Memory, Verdict: Holds}, {Verdict: Conditional}, {Verdict: Conditional}, {Verdict: Fails}, {Verdict: Unjudged}, {Verdict: Holds}, {Verdict: Holds}}, Model: &model.Switch{Config: &mmu.Config{}}}
	m := NewModel(&plan.Switch{}, chip, report)
	if m.Holding != 3 || m.Conditional != 2 || len(m.Failing) != 1 || len(m.NotJudged) != 1 {
		t.Errorf("%+v", m)
	}
}

// Kinds of bounds, counted, and in how many numbers of each accounts can be chosen.
func TestKindsOfBounds(t *testing.T) {
	a, b, fixed := bound{limit: mmu.DynamicLimit(-1)}, bound{limit: mmu.DynamicLimit(2)}, bound{limit: mmu.StaticLimit(3)}
	kinds, static := kindsOf([]bound{a, a, b, fixed, fixed})
	if fmt.Sprint(kinds) != fmt.Sprint([]kind{{a, 2}, {b, 1}}) || !slices.Equal(static, []bound{fixed, fixed}) || states(kinds) != 3*2 {
		t.Errorf("%v, %v, %d", kinds, static, states(kinds))
	}
	if kinds, static := kindsOf([]bound{a}); len(kinds) != 1 || static != nil {
		t.Errorf("%v, %v", kinds, static)
	}
	if kinds, static := kindsOf([]bound{fixed}); kinds != nil || len(static) != 1 || states(nil) != 1 {
		t.Errorf("%v, %v", kinds, static)
	}
	if !slices.Equal(inTurn([]kind{{a, 2}, {b, 1}}), []bound{a, a, b}) {
		t.Error("in turn")
	}
	if n := states([]kind{{a, 1 << 40}, {b, 1 << 40}}); n <= mostStates {
		t.Errorf("%d", n)
	}
	two := bound{limit: mmu.DynamicLimit(1), port: mmu.StaticLimit(4), two: true}
	other := bound{limit: mmu.StaticLimit(4), port: mmu.DynamicLimit(3), two: true}
	d := func(alpha units.Alpha) bound { return bound{limit: mmu.DynamicLimit(alpha)} }
	for _, c := range []struct{ kinds, want []kind }{
		{[]kind{{d(-2), 3}, {d(1), 2}}, []kind{{d(1), 5}}}, {[]kind{{d(-2), 3}, {two, 2}}, []kind{{d(-2), 3}, {d(1), 2}}}, // one of two limits is looked at as its dynamic one first
		{[]kind{{two, 1}, {other, 2}}, []kind{{d(1), 1}, {d(3), 2}}}, {[]kind{{d(0), 1}}, []kind{{d(0), 1}}},
	} {
		if got := merged(c.kinds); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v: %v, want %v", c.kinds, got, c.want)
		}
	}
	for _, c := range []struct {
		kinds []kind
		rule  mmu.Admission
		want  bool
	}{
		{[]kind{{d(-3), 1}}, mmu.BelowWithCell, true}, {[]kind{{d(-3), 1}, {d(0), 1}}, mmu.WithCell, true}, {[]kind{{d(-3), 1}, {d(0), 1}}, mmu.BeforeCell, true}, {[]kind{{d(-3), 1}, {d(0), 1}}, mmu.BelowWithCell, false},
		{[]kind{{d(-3), 1}, {d(-1), 1}}, mmu.WithCell, false}, {[]kind{{d(0), 1}, {two, 1}}, mmu.WithCell, false},
	} {
		must.Equalf(t, rounded(c.kinds, c.rule), c.want, "%v, %v:", c.kinds, c.rule)
	}
}

// Of senders the first of so many ports, and none to itself where it is the only one of its kind.
func TestWorstSenders(t *testing.T) {
	config := &mmu.Config{Ports: []mmu.Port{{}, {}, {}, {Slice: 1}}}
	senders := []account{{port: 0}, {port: 1}, {port: 0, number: 1}, {port: 2}}
	ports := func(fanIn int, out ...int) (list []int) {
		p := &prover{config: config, ctx: &Context{FanIn: fanIn}}
		for _, a := range p.worstSenders(senders, p.hairpin(0, &group{ports: out}, senders)) {
			list = append(list, a.port)
		}
		return list
	}
	for _, c := range []struct {
		fanIn int
		out   []int
		want  []int
	}{
		{0, []int{3}, []int{0, 1, 0, 2}}, {0, []int{1}, []int{0, 0, 2}}, {0, []int{0}, []int{1, 2}}, {0, []int{0, 3}, []int{0, 1, 0, 2}}, {0, []int{0, 1}, []int{0, 0, 2}},
		{1, []int{3}, []int{0, 0}}, {2, []int{3}, []int{0, 1, 0}}, {2, []int{1}, []int{0, 0, 2}}, {3, []int{3}, []int{0, 1, 0, 2}},
	} {
		if got := ports(c.fanIn, c.out...); !slices.Equal(got, c.want) {
			t.Errorf("%d at once to %v: %v, want %v", c.fanIn, c.out, got, c.want)
		}
	}
}

// With more classes each port that has lossless ones has so many like the first; others stay as they are.
func TestMoreClasses(t *testing.T) {
	lossless := &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: 0}, {ID: 3, Lossless: true, Headroom: plan.Of[units.Bytes](100, nil)}}, Queues: []plan.Queue{{ID: 3}}}
	lossy := &plan.PortQoS{PGs: []plan.PG{{ID: 0}}}
	s := &margins{chip: catalogued5(t), sw: &plan.Switch{
		Ports: []plan.Port{{QoS: lossless}, {QoS: nil}, {QoS: lossy}, {QoS: lossless}},
		Pools: []plan.Pool{{Headroom: plan.Of[units.Bytes](1000, nil), Size: plan.Of[units.Bytes](5000, nil)}, {Size: plan.Of[units.Bytes](5000, nil)}},
	}}
	for n, headroom := range map[int]units.Bytes{0: 800, 1: 1000, 3: 1400} { // of two ports, 100 B a class
		sw := s.withClasses(n)
		own := sw.Ports[0].QoS
		if len(own.PGs) != n || len(own.Queues) != n || own.PFC != 1<<n-1 || sw.Ports[3].QoS != own {
			t.Errorf("%d classes: %+v", n, own)
		}
		for i := range own.PGs {
			if pg := own.PGs[i]; pg.ID != uint8(i) || !pg.Lossless || pg.Headroom.Value != 100 || own.Queues[i].ID != uint8(i) {
				t.Errorf("%d classes: %+v", n, own)
			}
		}
		if sw.Ports[1].QoS != nil || sw.Ports[2].QoS != lossy {
			t.Errorf("%d classes: other ports have changed", n)
		}
		if got := sw.Pools[0].Headroom.Value; got != headroom || sw.Pools[0].Size.Value != 5000 || sw.Pools[1].Headroom.Value != 0 || sw.Pools[1].Size.Value != 5000 {
			t.Errorf("%d classes: a pool of %d B, want %d", n, got, headroom)
		}
	}
	if len(lossless.PGs) != 2 || s.sw.Pools[0].Headroom.Value != 1000 {
		t.Error("the switch itself has changed")
	}
	// Where a size is without the headroom, what that gains is not there for the shared part, and no part is below nothing.
	own, _ := chips.Load()
	if s.chip, _ = own.Find("spectrum3"); s.chip.PoolSize.Or(chips.Gross) != chips.Net {
		t.Fatal(s.chip.PoolSize)
	}
	for n, want := range map[int][2]units.Bytes{0: {800, 5200}, 1: {1000, 5000}, 3: {1400, 4600}, 8: {2400, 3600}, 30: {6800, 0}} {
		if pools := s.withClasses(n).Pools; pools[0].Headroom.Value != want[0] || pools[0].Size.Value != want[1] || pools[1].Size.Value != 5000 {
			t.Errorf("%d classes: %+v, want %v", n, pools[0], want)
		}
	}
	s.sw.Pools[0].Headroom.Value = 100
	if pool := s.withClasses(0).Pools[0]; pool.Headroom.Value != 0 {
		t.Errorf("a pool of %d B", pool.Headroom.Value)
	}
}

// A group of which 6 cells come in, with a reserve of 2 and a limit of 5 of 20, that resumes at 12 has 5 cells in its headroom
// then, and 11 after the next pause: 5 are gained, if there is place. A frame of 2 cells may leave a cell of them behind. Where
// a group with an alpha of 1 comes first it takes 10 of 20, and 7 of the 15 that are left by the other one: that is 3 fewer.
func TestClimb(t *testing.T) {
	static := mmu.StaticLimit
	for _, c := range []struct {
		what  string
		own   mmu.PG
		other mmu.PG
		frame units.Bytes
		want  int64
	}{
		{"alone in its pool", mmu.PG{HeadroomCells: 20, XonCells: 12}, mmu.PG{Pool: 1, Limit: mmu.DynamicLimit(0)}, 256, 5},
		{"beside a fixed limit", mmu.PG{HeadroomCells: 20, XonCells: 12}, mmu.PG{Limit: static(4)}, 256, 5},
		{"beside one that falls", mmu.PG{HeadroomCells: 20, XonCells: 12}, mmu.PG{Limit: mmu.DynamicLimit(0)}, 256, 5 - 3},
		{"a headroom of 9", mmu.PG{HeadroomCells: 9, XonCells: 12}, mmu.PG{Limit: static(4)}, 256, 9 - 6},
		{"frames of two cells", mmu.PG{HeadroomCells: 20, XonCells: 12}, mmu.PG{Limit: static(4)}, 512, 4},
		{"one above its threshold", mmu.PG{HeadroomCells: 20, XonCells: 8}, mmu.PG{Limit: static(4)}, 256, 1},
		{"at its threshold", mmu.PG{HeadroomCells: 20, XonCells: 7}, mmu.PG{Limit: static(4)}, 256, 0},
		{"below its threshold", mmu.PG{HeadroomCells: 20, XonCells: 4}, mmu.PG{Limit: static(4)}, 256, 0},
		{"a headroom pool of 14, of which the other has 6", mmu.PG{HeadroomCells: 20, XonCells: 12, HeadroomPooled: true}, mmu.PG{Limit: static(4), HeadroomCells: 20, HeadroomPooled: true}, 256, 2},
		{"the other has it in another pool", mmu.PG{HeadroomCells: 20, XonCells: 12, HeadroomPooled: true}, mmu.PG{Pool: 1, Limit: static(4), HeadroomCells: 20, HeadroomPooled: true}, 256, 5},
		{"the other has its own", mmu.PG{HeadroomCells: 20, XonCells: 12, HeadroomPooled: true}, mmu.PG{Limit: static(4), HeadroomCells: 20}, 256, 5},
	} {
		c.own.Lossless, c.own.ReservedCells, c.own.Limit, c.other.Lossless = true, 2, static(5), true
		p := &prover{config: &mmu.Config{
			CellBytes: 256, IngressPools: []mmu.Pool{{SharedCells: 20, HeadroomCells: 14}, {SharedCells: 20, HeadroomCells: 9}},
			Ports: []mmu.Port{{PGs: []mmu.PG{c.own}}, {PGs: []mmu.PG{c.other}}},
		}, slices: make([]slicePart, 1), packings: map[units.Bytes]*packing{}}
		g := &group{need: 6, link: model.Link{LosslessFrame: c.frame}}
		list := []account{p.account(0, 0, g), p.account(1, 0, g)}
		p.slices[0].lossless = list
		must.Equalf(t, p.climb(list[0], list), c.want, "%s:", c.what)
	}
}

// What is in a headroom pool of a group is what comes in after its pause, the frame that may decide with its last byte, and
// what it kept when it resumed, or without that less the cell below its threshold; never more than its headroom.
func TestInTheHeadroomPool(t *testing.T) {
	for _, c := range []struct{ headroom, atResume, below, want int64 }{{40, 0, 0, 20 + 3}, {40, 0, 1, 20 + 3 - 1}, {40, 5, 1, 20 + 3 + 5}, {27, 5, 1, 27}, {21, 0, 1, 21}} {
		g := &group{need: 20, extra: 3}
		a := account{group: g, pg: &mmu.PG{HeadroomCells: units.Cells(c.headroom), XonCells: 9}}
		p := &prover{config: &mmu.Config{Ports: make([]mmu.Port, 1)}}
		p.atResume, p.belowOf = map[accountKind]int64{p.kind(a): c.atResume}, map[accountKind]int64{p.kind(a): c.below}
		must.Equalf(t, p.inPool(a), c.want, "%+v:", c)
	}
}

// Lossless frames grow with the MTU where somebody says how large they are, and none is shorter than 64 B.
func TestMTUOfLosslessFrames(t *testing.T) {
	for _, c := range []struct{ mtu, frame, now, want units.Bytes }{{1000, 500, 2000, 1000}, {1000, 500, 1001, 501}, {1000, 70, 500, 64}, {1000, 0, 2000, 0}, {0, 500, 2000, 500}} {
		p := plan.Port{MTU: c.mtu, Assumed: &plan.Assumed{LosslessFrame: plan.Of(c.frame, nil)}}
		if setMTU(&p, c.now); p.MTU != c.now || p.Assumed.LosslessFrame.Value != c.want {
			t.Errorf("%+v: %d", c, p.Assumed.LosslessFrame.Value)
		}
	}
	p := plan.Port{MTU: 1000}
	if setMTU(&p, 2000); p.MTU != 2000 || p.Assumed != nil {
		t.Error(p)
	}
}

// The argument that is too large is told by its number.
func TestTooLargeAnArgument(t *testing.T) {
	f := small(func([]int64) (int64, error) { return 0, nil })
	for sign := range int64(2) {
		n := (1 - 2*sign) * (1 << 30)
		if _, err := f([]*big.Int{big.NewInt(1), big.NewInt(n)}); err != nil {
			t.Error(err)
		}
		n += 1 - 2*sign
		if _, err := f([]*big.Int{big.NewInt(1), big.NewInt(n)}); err == nil || err.Error() != fmt.Sprintf("argument 2 is %d, beyond what is rechecked", n) {
			t.Error(err)
		}
	}
}
