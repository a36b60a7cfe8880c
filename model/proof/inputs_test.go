package proof

import (
	"maps"
	"math/big"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// threePorts have a lossless group each, of which 12 cells come in at least (TestComesIn), the first two in slice 0. That of
// the second has but 4 cells of headroom.
func threePorts() *requirement {
	link := model.Link{Rate: 10 * units.Gbps, Cable: units.Metre, PortFrame: 980, LosslessFrame: 280}
	config := &mmu.Config{CellBytes: 100, Slices: 2, SliceCells: 500, IngressPools: []mmu.Pool{{Name: "in", SharedCells: 70}}, EgressPools: []mmu.Pool{{Name: "out", SharedCells: 90}}}
	r := &requirement{m: &model.Switch{Config: config}, memory: 500, memo: map[string]*big.Int{}, needs: map[model.Link]int64{}}
	for i, headroom := range []units.Cells{100, 4, 100} {
		config.Ports = append(config.Ports, mmu.Port{Slice: i / 2, PGs: []mmu.PG{{}, {Lossless: true, HeadroomCells: headroom, ReservedCells: 3}, {Lossless: false, HeadroomCells: 50, ReservedCells: 1}}, Queues: []mmu.Queue{{}}})
		r.m.Ports = append(r.m.Ports, model.Port{Link: link, Queues: [mmu.MaxPGs]uint16{1: 1}})
	}
	return r
}

// A headroom pool is judged for all groups that draw on it, or for fewer by a condition that says so, and never for less than
// none or for more than there are.
func TestGroupsOfAHeadroomPool(t *testing.T) {
	r := threePorts()
	for i := range r.m.Config.Ports {
		r.m.Config.Ports[i].PGs[1].HeadroomPooled = true
	}
	for _, named := range []bool{false, true} {
		for n := int64(-3); n <= 4; n++ {
			o := &Obligation{ID: HeadroomPool, Where: "slice 0, pool in", Left: Side{Value: 99}, Terms: []Term{given("N1", "", 50, ""), given("n1", "", n-1, ""), given("n2", "", 1, "")}}
			if named {
				o.Conditions = []Condition{{ID: PeerResponse}, {ID: PausedGroups, Bound: 1}}
			}
			if errs := r.enough(o, 0); (errs == nil) != (n == 2 || named && n == 1) {
				t.Errorf("%d groups, named %v: %v", n, named, errs)
			}
		}
	}
	// Of one group alone it is the neediest: 20 cells and one below its threshold; one may be below in any case.
	o := &Obligation{ID: HeadroomPool, Where: "slice 0, pool in", Terms: []Term{given("n1", "", 1, "")}, Conditions: []Condition{{ID: PausedGroups, Bound: 1}}}
	for left, fails := range map[int64]bool{19: false, 18: true} {
		if o.Left.Value = left; (len(r.enough(o, 0)) > 0) != fails {
			t.Errorf("%d cells: %v", left, r.enough(o, 0))
		}
	}
}

// What is distributed of a slice: of all pools, and of its own ports reserves and the headroom that is in no pool. What is
// held at once is compared with the memory alone, and that not where a condition says that it is another.
func TestFiguresOfTheMemory(t *testing.T) {
	r := threePorts()
	r.m.Config.IngressPools = append(r.m.Config.IngressPools, mmu.Pool{Name: "in2", SharedCells: 5, HeadroomCells: 9})
	r.m.Config.Ports[0].PGs[2].HeadroomPooled = true // its 50 cells
	assumed := []Condition{{ID: PausedGroups}, {ID: AssumedDatum}}
	all := map[string]int64{"C": 100, "M": 0, "B0": 70, "B1": 5, "V": 500}
	first, second := maps.Clone(all), maps.Clone(all)
	maps.Copy(first, map[string]int64{"B": 75, "S": 9, "r": 2 * (3 + 1), "h": 100 + 4 + 50})
	maps.Copy(second, map[string]int64{"B": 75, "S": 9, "r": 3 + 1, "h": 100 + 50})
	for _, c := range []struct {
		o     Obligation
		slice int
		want  map[string]int64
	}{
		{Obligation{Where: "slice 0"}, 0, first}, {Obligation{Where: "slice 1"}, 1, second}, {Obligation{Where: "slice 1", Under: &Inequality{}}, 1, second}, {Obligation{Where: "slice 1", Conditions: assumed}, 1, second},
		{Obligation{Where: "slice 0, held at once"}, 0, all}, {Obligation{Where: "slice 0, held at once", Conditions: assumed[:1], Under: &Inequality{}}, 0, all},
	} {
		c.o.ID = Memory
		if got := r.shared(&c.o, c.slice); !maps.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.o, got, c.want)
		}
	}
	if _, has := r.shared(&Obligation{ID: Memory, Where: "slice 0, held at once", Conditions: assumed, Under: &Inequality{}}, 0)["V"]; has {
		t.Error("the memory is what the catalogue assumes, and a condition says that it is another")
	}
}

// The first thing that is wrong with the figures of an obligation on what groups share, and with those that it reads under
// its conditions, of which these may change some.
func TestFiguresOfSharedObligations(t *testing.T) {
	const sum = "r + h + B0 - after(B0, 0, 0, 0, 2)"
	good := func() *Obligation {
		return &Obligation{
			ID: EgressHolds, Title: meanings[EgressHolds].title, Where: "slice 0, pool out", Lossless: true, Unit: InCells, Verdict: Conditional, Conditions: []Condition{{ID: PeerResponse}},
			Terms: []Term{given("C", "", 100, ""), given("B0", "", 70, ""), given("S", "", 90, ""), given("r", "", 6, ""), given("h", "", 25, "")}, Left: Side{sum, 99}, Right: Side{"S", 90},
			Under: &Inequality{Terms: []Term{given("C", "", 100, ""), given("B0", "", 70, ""), given("S", "", 90, ""), given("k", "", 5, ""), given("r", "", 6, ""), given("h", "", 25, "")}, Left: Side{sum + " + k", 90}, Right: Side{"S", 90}},
		}
	}
	for _, c := range []struct {
		what  string
		forge func(o *Obligation)
		want  string
	}{
		{"as it is", func(*Obligation) {}, ""},
		{"another cell", func(o *Obligation) { o.Terms[0].Value = 101 }, "C is 101, and 100 in the inputs"},
		{"another shared part", func(o *Obligation) { o.Terms[1].Value = 69 }, "B0 is 69, and 70 in the inputs"},
		{"another pool", func(o *Obligation) { o.Terms[2].Value = 91 }, "S is 91, and 90 in the inputs"},
		{"another pool under its conditions", func(o *Obligation) { o.Under.Terms[2].Value = 91 }, "S is 91, and 90 in the inputs"},
		{"another cell under its conditions", func(o *Obligation) { o.Under.Terms[0].Value = 99 }, "C is 99, and 100 in the inputs"},
		// Of two groups one has 21 cells that come in, as in TestComesIn, and the other 4 of headroom.
		{"less comes in", func(o *Obligation) { o.Terms[4].Value = 24 }, "h is 24, and the groups of the model have 25"},
		{"less comes in under its conditions", func(o *Obligation) { o.Under.Terms[5].Value = 24 }, "h is 24, and the groups of the model have 25"},
		{"less is reserved", func(o *Obligation) { o.Terms[3].Value = 5 }, "r is 5, and the groups of the model have 6"},
		{"more is", func(o *Obligation) { o.Terms[3].Value, o.Terms[4].Value = 7, 26 }, ""},
		{"a group fewer", func(o *Obligation) { o.Left.Expr = "r + h + B0 - after(B0, 0, 0, 0, 1)" }, "B0 is filled by 1 accounts as wide as (0, 0), and the model has 2"},
		{"wider ones", func(o *Obligation) { o.Left.Expr = "r + h + B0 - after(after(B0, 0, 0, 9, 1), 0, 0, 0, 1)" }, ""},
		{"by another rule", func(o *Obligation) { o.Left.Expr = "r + h + B0 - after(B0, 1, 0, 0, 2)" }, "B0 fills by rule 1, and the chip admits by rule 0"},
		{"no group draws", func(o *Obligation) { o.Left.Expr = "r + h" }, "B0 is filled by 0 accounts as wide as (0, 0), and the model has 2"},
		{"something is taken off", func(o *Obligation) { o.Left.Expr = sum + " - 5" }, `"r + h + B0 - after(B0, 0, 0, 0, 2) - 5" is no sum of what groups hold`},
		{"more are counted twice than there are groups", func(o *Obligation) { o.Terms, o.Left.Expr = append(o.Terms, given("Q", "", 3, "")), sum+" - Q" }, "Q is 3, and the model has 2 groups"},
		{"what one gains is less than nothing", func(o *Obligation) { o.Under.Terms[3].Value = -1 }, "k is -1, and nothing takes less than nothing"},
		{"another side", func(o *Obligation) { o.Right.Expr = "S + 1" }, `a side is "S + 1", and "S" is wanted`},
		{"another slice", func(o *Obligation) { o.Where = "slice 2, pool out" }, "the model has no such part of the buffer"},
		{"of a slice and something else", func(o *Obligation) { o.Where = "slice 0x, pool out" }, "the model has no such part of the buffer"},
	} {
		o := good()
		c.forge(o)
		errs := threePorts().sameInputs(o)
		if c.want == "" && errs != nil || c.want != "" && (len(errs) != 1 || !strings.HasSuffix(errs[0].Error(), ": "+c.want)) {
			t.Errorf("%s: %v", c.what, errs)
		}
	}
	// A memory that the catalogue assumes may be another one under that condition.
	const held = "r + h + B0 - after(B0, 0, 0, 0, 6)" // with the lossy groups
	memory := &Obligation{
		ID: Memory, Title: meanings[Memory].title, Where: "slice 0, held at once", Lossless: true, Unit: InCells, Verdict: Conditional, Conditions: []Condition{{ID: AssumedDatum}},
		Terms: []Term{given("V", "", 500, ""), given("r", "", 8, ""), given("h", "", 25, "")}, Left: Side{held, 600}, Right: Side{"V", 500},
		Under: &Inequality{Terms: []Term{given("V", "", 600, ""), given("r", "", 8, ""), given("h", "", 25, "")}, Left: Side{held, 600}, Right: Side{"V", 600}},
	}
	if errs := threePorts().sameInputs(memory); errs != nil {
		t.Error(errs)
	}
	memory.Conditions[0].ID = PausedGroups
	if errs := threePorts().sameInputs(memory); len(errs) != 1 || !strings.HasSuffix(errs[0].Error(), "V is 600, and 500 in the inputs") {
		t.Error(errs)
	}
	// One that is on no part of the buffer is looked at for its form alone.
	marking := &Obligation{ID: MarkingOrder, Title: meanings[MarkingOrder].title, Where: "g, queue 3", Left: Side{Expr: "Kmin"}, Right: Side{Expr: "Kmax"}, Terms: []Term{given("C", "", 1, "")}}
	if errs := threePorts().sameInputs(marking); errs != nil {
		t.Error(errs)
	}
	one := &requirement{m: &model.Switch{Config: &mmu.Config{}}} // a buffer of no parts is one
	if errs := one.sameInputs(&Obligation{ID: LossyShare, Where: "slice 0, pool in", Left: Side{Expr: "y + F"}, Right: Side{Expr: "B"}}); errs != nil {
		t.Error(errs)
	}
}

// Times of a group may be longer than in the model, which has those under all conditions; what is derived of them and each
// given figure may not differ.
func TestFiguresOfAGroup(t *testing.T) {
	r := threePorts()
	r.m.Ports[1].Name, r.m.Ports[1].Link.SmallPackets, r.m.Ports[1].Link.Gearbox = "p", 60*units.Percent, 7
	r.m.Config.MetadataBytes = 21
	r.groups = []Group{{Where: "other", Ports: []string{"x"}, PG: 1}, {Where: "g", Ports: []string{"p"}, PG: 1}}
	for _, c := range []struct {
		symbol string
		value  int64
		least  bool // more will do
	}{
		{"H", 4, false}, {"C", 100, false}, {"M", 21, false}, {"R", 10_000_000_000, false}, {"L", 1000, false}, {"g", 7, false}, {"F", 280, false}, {"A", 1000, false}, {"P", 84, false}, {"v", 5, false}, {"e", 1, false},
		{"s", 600_000_000, true}, {"B", 70, false}, {"r", 3, false}, {"X", 0, false},
	} {
		for _, by := range []int64{-1, 0, 1} {
			errs := r.groupInputs(&Obligation{ID: Resume, Where: "g", Verdict: Holds, Terms: []Term{given(c.symbol, "", c.value+by, "")}})
			if (len(errs) == 0) != (by == 0 || by > 0 && c.least) {
				t.Errorf("%s of %d and %d: %v", c.symbol, c.value, by, errs)
			}
		}
	}
}

// A group is of ports that are all told the same: one of which PFC is off, or which has less headroom, is found among them.
func TestEachPortOfAGroup(t *testing.T) {
	for _, c := range []struct {
		id    string
		terms []Term
		odd   func(sw *model.Switch, port int)
		want  string
	}{
		{PauseReaches, []Term{given("on", "", 1, "")}, func(sw *model.Switch, port int) { sw.Ports[port].Pausable = 1<<0 | 1<<2 }, "on is 1, and 0 in the inputs"},
		{Headroom, []Term{given("H", "", 100, "")}, func(sw *model.Switch, port int) { sw.Config.Ports[port].PGs[1].HeadroomCells = 99 }, "H is 100, and 99 in the inputs"},
		{Headroom, []Term{given("t", "", 0, "")}, func(sw *model.Switch, port int) { sw.Ports[port].Link.Response = 7 }, "t is 0, and no less than 7 in the inputs"},
		{Resume, []Term{given("L", "", 1000, "")}, func(sw *model.Switch, port int) { sw.Ports[port].Name = "x" }, "the model has no such port or group"},
		{Headroom, nil, func(*model.Switch, int) {}, ""},
	} {
		for odd := range 3 {
			r := threePorts()
			r.groups = []Group{{Where: "g", Ports: []string{"a", "b", "c"}, PG: 1}}
			for i, name := range []string{"a", "b", "c"} {
				r.m.Ports[i].Name, r.m.Ports[i].Pausable, r.m.Config.Ports[i].PGs[1].HeadroomCells = name, 1<<1, 100
			}
			c.odd(r.m, odd)
			errs := r.groupInputs(&Obligation{ID: c.id, Where: "g", Verdict: Holds, Terms: c.terms})
			if c.want == "" && errs != nil || c.want != "" && (len(errs) != 1 || errs[0].Error() != c.id+", g: "+c.want) {
				t.Errorf("port %d: %v, want %q", odd, errs, c.want)
			}
		}
	}
}

// What an obligation is evaluated with is no more generous than the inputs, on a condition or not: times, cells of the pausing
// packet that find a place below the threshold, frames beside the window, and shares of small packets, which have to be known.
func TestGenerousFigures(t *testing.T) {
	for _, c := range []struct {
		what    string
		rules   mmu.Rules
		share   units.Ratio
		verdict Verdict
		term    Term
		fails   bool
	}{
		{"no cell below", mmu.Rules{}, 0, Holds, given("q", "", 0, ""), false}, {"a cell below", mmu.Rules{}, 0, Holds, given("q", "", 1, ""), false}, {"two cells below", mmu.Rules{}, 0, Holds, given("q", "", 2, ""), true},
		{"none below where none finds room", mmu.Rules{Pause: mmu.OnExcess}, 0, Holds, given("q", "", 0, ""), false}, {"a cell below where none finds room", mmu.Rules{Pause: mmu.OnExcess}, 0, Holds, given("q", "", 1, ""), true},
		{"a frame", mmu.Rules{}, 0, Holds, given("e", "", 1, ""), false}, {"a frame, and the last byte decides", mmu.Rules{Decided: mmu.AtEnd}, 0, Holds, given("e", "", 1, ""), true}, {"two, and the last byte decides", mmu.Rules{Decided: mmu.AtEnd}, 0, Holds, given("e", "", 2, ""), false},
		{"a share of any", mmu.Rules{}, 0, Holds, given("s", "", 999_999_999, ""), true}, {"a share", mmu.Rules{}, units.Percent, Holds, given("s", "", 10_000_000, ""), false}, {"a smaller share", mmu.Rules{}, units.Percent, Holds, given("s", "", 9_999_999, ""), true},
		{"a time on a condition", mmu.Rules{}, 0, Conditional, given("t", "", 9, ""), false}, {"a shorter time on a condition", mmu.Rules{}, 0, Conditional, given("t", "", 8, ""), true}, {"a shorter time that fails", mmu.Rules{}, 0, Fails, given("t", "", 8, ""), false}, {"a shorter time that is not judged", mmu.Rules{}, 0, Unjudged, given("t", "", 8, ""), false},
	} {
		r := threePorts()
		r.m.Config.Rules, r.m.Ports[0].Name, r.m.Ports[0].Link.SmallPackets, r.m.Ports[0].Link.Response = c.rules, "a", c.share, 9
		r.groups = []Group{{Where: "g", Ports: []string{"a"}, PG: 1}}
		if errs := r.groupInputs(&Obligation{ID: Headroom, Where: "g", Verdict: c.verdict, Terms: []Term{c.term}}); (len(errs) == 1) != c.fails {
			t.Errorf("%s: %v", c.what, errs)
		}
		if c.term.Symbol == "e" {
			continue // which no condition changes
		}
		if errs := r.groupInputs(&Obligation{ID: Headroom, Where: "g", Verdict: c.verdict, Conditions: []Condition{{}, {Terms: []Term{c.term}}}}); (len(errs) == 1) != c.fails {
			t.Errorf("%s, by a condition: %v", c.what, errs)
		}
	}
}
