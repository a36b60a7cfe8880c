package proof

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

func TestVerdictNames(t *testing.T) {
	for v, name := range []string{"holds", "conditional", "fails", "cannot be judged"} {
		text, err := Verdict(v).MarshalText()
		if err != nil || string(text) != name || Verdict(v).String() != name {
			t.Errorf("%d is %q, %v", v, text, err)
		}
		read := Verdict(99)
		if err := read.UnmarshalText([]byte(name)); err != nil || read != Verdict(v) {
			t.Errorf("%q is %d, %v", name, read, err)
		}
	}
	var v Verdict
	if err := v.UnmarshalText([]byte("proved")); err == nil || err.Error() != `"proved" is none of [holds conditional fails cannot be judged]` {
		t.Error(err)
	}
}

// The worst verdict of lossless obligations counts: Fails, then Unjudged, Conditional, Holds. What else fails
// loses no packet.
func TestVerdictOfTheWhole(t *testing.T) {
	order := []Verdict{Holds, Conditional, Unjudged, Fails}
	for i, a := range order {
		for j, b := range order {
			r := &Report{Obligations: []Obligation{{Verdict: a, Lossless: true}, {Verdict: Fails}, {Verdict: b, Lossless: true}}}
			if got, want := r.verdict(), order[max(i, j)]; got != want {
				t.Errorf("%v and %v make %v, want %v", a, b, got, want)
			}
			if lost := r.LosesPackets(); lost != (a == Fails || b == Fails) || r.Holds() {
				t.Errorf("%v and %v: packets are lost: %v; nothing fails: %v", a, b, lost, r.Holds())
			}
		}
	}
	c := Certify(&Report{}, []string{"s"}, "chip", map[string][]byte{"f": []byte("abc")})
	// SHA-256 of abc: FIPS 180-2, B.1.
	if c.Verdict != Holds || c.Files["f"] != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Errorf("%v %v", c.Verdict, c.Files)
	}
	if c.Stand(Standing{Because: []string{"a statement"}}); c.Verdict != Unjudged || len(c.Because) != 1 {
		t.Errorf("%v", c.Verdict)
	}
	if c.Stand(Standing{}); c.Verdict != Holds {
		t.Errorf("%v", c.Verdict)
	}
	if c = Certify(&Report{Obligations: []Obligation{{Verdict: Fails, Lossless: true}}}, nil, "", nil); c.Verdict != Fails {
		t.Errorf("%v", c.Verdict)
	}
	if c.Stand(Standing{Because: []string{"a statement"}}); c.Verdict != Fails {
		t.Errorf("what is refuted is %v", c.Verdict)
	}
}

func TestObligationText(t *testing.T) {
	o := Obligation{ID: "headroom", Where: "g, PG 3", Left: Side{Value: 5}, Right: Side{Value: 7}, Unit: InCells}
	for _, c := range []struct {
		verdict Verdict
		want    string
	}{
		{Holds, "headroom, g, PG 3: holds: 5 ≤ 7 cells, slack 2"}, {Fails, "headroom, g, PG 3: fails: 5 ≤ 7 cells, slack 2"},
		{Conditional, "headroom, g, PG 3: conditional: 5 ≤ 7 cells if pigs fly"}, {Unjudged, "headroom, g, PG 3: cannot be judged: nobody knows"},
	} {
		o.Verdict, o.Because, o.Conditions = c.verdict, "nobody knows", []Condition{{Assumes: "pigs fly"}, {Assumes: "cows too"}}
		if got := o.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := (Coverage{Ports: 1, Lossless: 1, Groups: 2, Classes: 1, LosslessClasses: 1, LosslessDSCPs: "24-26", Modelled: 3, Neutral: 4, Unmodelled: 5}).String(); got != "1 port, 1 lossless with 2 priority groups, 1 of 1 class lossless, DSCP 24-26; statements: 3 modelled, 4 neutral, 5 not modelled" {
		t.Error(got)
	}
	if got := (Coverage{Ports: 2, Groups: 1, Classes: 2}).String(); got != "2 ports, 0 lossless with 1 priority group, 0 of 2 classes lossless; statements: 0 modelled, 0 neutral, 0 not modelled" {
		t.Error(got)
	}
}

// Of the conditions of lossless obligations each is told once, with its strictest bound; that they may not
// be needed only where none of them is.
func TestConditionsAreMerged(t *testing.T) {
	c := func(id, where string, bound int64, perhaps bool) Condition {
		return Condition{ID: id, Where: where, Declare: "d", Bound: bound, Perhaps: perhaps}
	}
	r := &Report{Obligations: []Obligation{
		{Lossless: true, Conditions: []Condition{c("a", "x", 5, true), c("b", "x", 1, false)}},
		{Conditions: []Condition{c("lossy", "x", 1, false)}},
		{Lossless: true, Conditions: []Condition{c("a", "x", 3, true), c("a", "y", 9, true)}},
		{Lossless: true, Conditions: []Condition{c("a", "x", 4, true), c("a", "y", 8, false)}},
		{Lossless: true, Conditions: []Condition{c("b", "x", 1, true), {ID: "a", Where: "x", Declare: "other", Bound: 1}}},
	}}
	want := []Condition{c("a", "x", 3, true), c("b", "x", 1, false), c("a", "y", 8, false), {ID: "a", Where: "x", Declare: "other", Bound: 1}}
	if got := r.Conditions(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	r.Obligations[3].Conditions[0].Perhaps = false
	want[0].Perhaps = false
	if got := r.Conditions(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	r.Obligations[0].perhaps()
	if !r.Obligations[0].Conditions[0].Perhaps || !r.Obligations[0].Conditions[1].Perhaps {
		t.Error("a condition is needed for sure")
	}
}

// Open is what the order of packets decides, of lossless packets alone.
func TestOpenObligations(t *testing.T) {
	r := &Report{Obligations: []Obligation{
		{ID: QueueHolds, Lossless: true, Verdict: Unjudged, open: true}, {ID: Headroom, Lossless: true, Verdict: Unjudged},
		{ID: LossyShare, Verdict: Unjudged, open: true}, {ID: Memory, Lossless: true, Verdict: Holds, open: true},
	}}
	if open := r.Open(); len(open) != 1 || open[0].ID != QueueHolds || len(r.Unjudged()) != 3 {
		t.Fatalf("%v", open)
	}
}

// A certificate is of a report where each obligation has one of the same name, sides, verdict and terms, in
// order where two have the same name.
func TestCompareFindsEachDifference(t *testing.T) {
	report := func() *Report {
		return &Report{Obligations: []Obligation{
			{ID: "a", Where: "x", Left: Side{"1", 1}, Right: Side{"2", 2}, Terms: []Term{{Symbol: "C", Value: 1, At: "f:1"}}},
			{ID: "a", Where: "y", Left: Side{"1", 1}, Right: Side{"2", 2}},
			{ID: "m", Where: "x", Left: Side{"3", 3}, Right: Side{"2", 2}, Verdict: Fails, Lossless: true}, {ID: "m", Where: "x", Verdict: Unjudged},
			{ID: "c", Where: "x", Verdict: Conditional, At: "f:2", Conditions: []Condition{{Assumes: "it is so", Bound: 3, Terms: []Term{{Symbol: "t", At: "f:1"}}}}, Under: &Inequality{Terms: []Term{{Symbol: "t", At: "f:1"}}}},
		}, Groups: []Group{{Where: "g", Ports: []string{"p"}}}, Assumptions: []string{"all is well"}, Model: &model.Switch{Config: &mmu.Config{SliceCells: 5}}}
	}
	other := []string{"c, x: what it says is not what the files give"}
	for _, c := range []struct {
		change func(c *Certificate)
		want   []string
	}{
		{func(*Certificate) {}, nil},
		{func(c *Certificate) { c.Obligations[0].Terms[0].At = "g:2" }, nil},
		{func(c *Certificate) { c.Obligations[0], c.Obligations[1] = c.Obligations[1], c.Obligations[0] }, nil},
		{func(c *Certificate) { c.Obligations[0].Terms[0].Value++ }, []string{"a, x: certified was"}},
		{func(c *Certificate) { c.Obligations[0].Terms[0].Name = "other" }, []string{"a, x: certified was"}},
		{func(c *Certificate) { c.Obligations[0].Terms = nil }, []string{"a, x: certified was"}},
		{func(c *Certificate) { c.Obligations[1].Left.Value++ }, []string{"a, y: certified was"}},
		{func(c *Certificate) { c.Obligations[1].Right.Expr = "1 + 1" }, []string{"a, y: certified was"}},
		{func(c *Certificate) { c.Obligations[1].Verdict = Fails }, []string{"a, y: certified was"}},
		{func(c *Certificate) { c.Obligations = c.Obligations[1:] }, []string{"a, x: not in the certificate"}},
		{func(c *Certificate) { c.Obligations = slices.Delete(c.Obligations, 3, 4) }, []string{"m, x: not in the certificate"}},
		{func(c *Certificate) { c.Obligations = append(c.Obligations, c.Obligations[0]) }, []string{"a, x: in the certificate, but not of these files"}},
		{func(c *Certificate) { c.Obligations[1].Where = "z" }, []string{"a, y: not in the certificate", "a, z: in the certificate, but not"}},
		{func(c *Certificate) { // lines may lie elsewhere
			o := &c.Obligations[4]
			o.At, o.Conditions[0].Terms[0].At, o.Under.Terms[0].At = "g:2", "g:2", "g:2"
		}, nil},
		{func(c *Certificate) { c.Obligations[4].Conditions[0].Bound++ }, other},
		{func(c *Certificate) { c.Obligations[4].Conditions[0].Assumes = "it is not" }, other},
		{func(c *Certificate) { c.Obligations[4].Conditions[0].Terms[0].Value++ }, other},
		{func(c *Certificate) { c.Obligations[4].Under.Terms[0].Value++ }, other},
		{func(c *Certificate) { c.Obligations[4].Under.Right.Value++ }, other},
		{func(c *Certificate) { c.Obligations[4].Under = nil }, other},
		{func(c *Certificate) { c.Obligations[4].Note = "x" }, nil}, // which Recheck refuses
		{func(c *Certificate) { c.Obligations[2].Lossless = false }, []string{"m, x: what it says is not what the files give"}},
		{func(c *Certificate) { c.Groups[0].PG++ }, []string{"the groups of the certificate are not those of these files"}},
		{func(c *Certificate) { c.Model.Config.SliceCells++ }, []string{"the buffer and the links of the certificate are not those of these files"}},
		{func(c *Certificate) { c.Assumptions = nil }, []string{"the assumptions of the certificate are not those of these files"}},
	} {
		certificate := Certify(report(), nil, "", nil)
		c.change(certificate)
		errs := Compare(certificate, report())
		if len(errs) != len(c.want) {
			t.Errorf("%v, want %q", errs, c.want)
			continue
		}
		for i, err := range errs {
			if !strings.HasPrefix(err.Error(), c.want[i]) {
				t.Errorf("%v, want %q", err, c.want[i])
			}
		}
	}
}

// Files are those that were certified, no more, no less, and unchanged.
func TestRecheckFiles(t *testing.T) {
	c := Certify(&Report{}, nil, "", map[string][]byte{"a": []byte("1"), "b": []byte("2")})
	for _, tt := range []struct {
		files map[string][]byte
		want  int
	}{
		{map[string][]byte{"a": []byte("1"), "b": []byte("2")}, 0}, {map[string][]byte{"a": []byte("1")}, 1}, {nil, 2},
		{map[string][]byte{"a": []byte("1"), "b": []byte("3")}, 1}, {map[string][]byte{"a": []byte("1"), "b": []byte("2"), "c": nil}, 1}, {map[string][]byte{"c": nil}, 3},
	} {
		if errs := recheckFiles(c, tt.files); len(errs) != tt.want {
			t.Errorf("%v: %v, want %d", tt.files, errs, tt.want)
		}
	}
}

// What an obligation reads under its conditions has the same given figures, but for those that they change.
func TestRecheckUnder(t *testing.T) {
	of := func(id string, value int64) *Obligation {
		return &Obligation{
			Verdict: Conditional, Conditions: []Condition{{ID: id}}, Terms: []Term{given("h", "", 9, ""), given("V", "", 5, ""), given("r", "", 1, ""), step("x", "", 10, "", "h + r")},
			Left: Side{"x", 10}, Right: Side{"V", 5},
			Under: &Inequality{Terms: []Term{given("h", "", value, ""), given("V", "", 5, ""), given("r", "", 1, ""), step("x", "", value+1, "", "h + r")}, Left: Side{"x", value + 1}, Right: Side{"V", 5}},
		}
	}
	for _, c := range []struct {
		o    *Obligation
		want string
	}{
		{of(PeerResponse, 4), ""}, {of(PeerResponse, 5), "under its conditions: 6 ≤ 5"}, {of(AssumedDatum, 4), "under its conditions h is 4, and no condition changes that"},
	} {
		errs := recheck(c.o, nil)
		if c.want == "" && errs != nil || c.want != "" && (len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), c.want)) {
			t.Errorf("%v, want %q", errs, c.want)
		}
	}
	memory := of(AssumedDatum, 9)
	memory.Under.Terms[1].Value, memory.Under.Right.Value = 10, 10
	if errs := recheck(memory, nil); errs != nil {
		t.Error(errs)
	}
	none := of(PeerResponse, 4)
	none.Conditions = nil
	if errs := recheck(none, nil); len(errs) != 1 || !strings.Contains(errs[0].Error(), "no condition is given") {
		t.Error(errs)
	}
}

// Without more to read, an obligation is evaluated again with the terms of its conditions.
func TestRecheckConditions(t *testing.T) {
	of := func(under int64) *Obligation {
		return &Obligation{
			Verdict: Conditional, Conditions: []Condition{{ID: PeerResponse, Terms: []Term{given("t", "", under, "")}}},
			Terms: []Term{given("t", "", 9, ""), given("H", "", 8, ""), step("N", "", 18, "", "2 * t")}, Left: Side{"N", 18}, Right: Side{"H", 8},
		}
	}
	if errs := recheck(of(4), nil); errs != nil {
		t.Error(errs)
	}
	if errs := recheck(of(5), nil); len(errs) != 1 || errs[0].Error() != `under its conditions 10 ≤ 8, and the verdict is "conditional"` {
		t.Error(errs)
	}
	broken := of(4)
	broken.Conditions[0].Terms[0] = step("N", "", 1, "", "2 *")
	if errs := recheck(broken, nil); len(errs) == 0 {
		t.Error("no problem")
	}
	twice := of(4)
	twice.Terms = append(twice.Terms, given("t", "", 9, ""))
	if errs := recheck(twice, nil); len(errs) != 1 || errs[0].Error() != `term "t" occurs twice` {
		t.Error(errs)
	}
}

// What is derived, counts, and is called so is what an obligation is about.
func TestShapes(t *testing.T) {
	good := func() *Obligation {
		return &Obligation{
			ID: Headroom, Title: meanings[Headroom].title, Lossless: true, Unit: InCells, Left: Side{Expr: "N - q"}, Right: Side{Expr: "H"},
			Terms:      []Term{{Symbol: "w", Expr: rename(windowExpr, "")}, {Symbol: "W", Expr: rename(bytesExpr, "")}, {Symbol: "N", Expr: rename(mixedExpr+wholeExpr, "")}, {Symbol: "i", Value: 9}},
			Conditions: []Condition{{ID: PeerResponse, Bound: 7, Terms: []Term{{Symbol: "t", Value: 7}, {Symbol: "i", Value: 9}}}, {ID: PacketMix, Terms: []Term{{Symbol: "s"}, {Symbol: "N"}}}},
		}
	}
	for _, c := range []struct {
		what   string
		change func(o *Obligation)
		errs   int
	}{
		{"as it is", func(*Obligation) {}, 0},
		{"packed", func(o *Obligation) { o.Terms[2].Expr = rename(packedExpr+wholeExpr, "") }, 0},
		{"given", func(o *Obligation) { o.Terms[2].Expr = "" }, 1},
		{"another suffix", func(o *Obligation) { o.Terms[0].Symbol = "w1" }, 1},
		{"another sum", func(o *Obligation) { o.Left.Expr = "N - q - q" }, 1},
		{"another limit", func(o *Obligation) { o.Right.Expr = "H + H" }, 1},
		{"another window", func(o *Obligation) { o.Terms[0].Expr = "1" }, 1},
		{"other bytes", func(o *Obligation) { o.Terms[1].Expr = "1" }, 1},
		{"a longer time", func(o *Obligation) { o.Conditions[0].Terms[0].Value = 8 }, 1},
		{"a shorter time", func(o *Obligation) { o.Conditions[0].Terms[0].Value = 6 }, 1},
		{"slower layers", func(o *Obligation) { o.Conditions[0].Terms[1].Value = 10 }, 1},
		{"faster layers", func(o *Obligation) { o.Conditions[0].Terms[1].Value = 8 }, 1},
		{"layers with the response", func(o *Obligation) { o.Conditions[0].Terms[1].Value = 0 }, 0},
		{"as long as they take", func(o *Obligation) {
			o.Conditions[0].Terms[1].Value, o.Conditions[0].Terms[0].Value, o.Conditions[0].Bound = 0, 9, 9
		}, 0},
		{"longer than they take", func(o *Obligation) {
			o.Conditions[0].Terms[1].Value, o.Conditions[0].Terms[0].Value, o.Conditions[0].Bound = 0, 10, 10
		}, 1},
		{"another term", func(o *Obligation) { o.Conditions[1].Terms[0].Symbol = "t" }, 1},
		{"an unknown condition", func(o *Obligation) { o.Conditions[1].ID = "x" }, 2},
		{"another ID", func(o *Obligation) { o.ID = "x" }, 3}, // and both sides
		{"nothing lost", func(o *Obligation) { o.Lossless = false }, 1},
		{"under", func(o *Obligation) { o.Under = &Inequality{Left: Side{Expr: "N - q"}, Right: Side{Expr: "H"}} }, 1},
		{"under others", func(o *Obligation) { o.Under = &Inequality{Left: Side{Expr: "N"}, Right: Side{Expr: "q"}} }, 3},
		{"of a queue", func(o *Obligation) {
			*o = Obligation{ID: QueueHolds, Title: meanings[QueueHolds].title, Lossless: true, Unit: InCells, Left: Side{Expr: "r + h + B0"}, Right: Side{Expr: "u + l"}, Under: &Inequality{Left: Side{Expr: "r + h"}, Right: Side{Expr: "u + l - 1"}}}
		}, 0},
		{"of a pool", func(o *Obligation) {
			*o = Obligation{ID: HeadroomPool, Title: meanings[HeadroomPool].title, Lossless: true, Unit: InCells, Left: Side{Expr: "n1 * N1 - Q"}, Right: Side{Expr: "S"}, Terms: []Term{{Symbol: "N1"}}, Conditions: []Condition{{ID: PausedGroups, Terms: []Term{{Symbol: "n12"}, {Symbol: "Q"}}}}}
		}, 0},
	} {
		o := good()
		if c.change(o); len(shaped(o))+len(sameMeaning(o)) != c.errs {
			t.Errorf("%s: %v %v, want %d", c.what, shaped(o), sameMeaning(o), c.errs)
		}
	}
	all := []Obligation{*good(), *good()}
	if errs := twice(all); len(errs) != 1 {
		t.Errorf("%v", errs)
	}
	all[1].Where = "y"
	if errs := twice(all); errs != nil {
		t.Errorf("%v", errs)
	}
}

// What is added is judged by its sides, unless it is known to be unknown.
func TestOpen(t *testing.T) {
	o := Obligation{Left: Side{Value: 5}, Right: Side{Value: 4}}
	p := &prover{report: &Report{}}
	if p.add(o).Verdict != Fails {
		t.Error("5 ≤ 4 holds")
	}
	if o.Right.Value = 5; p.add(o).Verdict != Holds {
		t.Error("5 ≤ 5 fails")
	}
	if o.Conditions = []Condition{{}}; p.add(o).Verdict != Conditional {
		t.Error("it needs its condition")
	}
	if o.Verdict = Unjudged; p.add(o).Verdict != Unjudged || len(p.report.Obligations) != 4 {
		t.Error("it is judged")
	}
	for surely, want := range []Verdict{Unjudged, Unjudged, Unjudged, Unjudged, Unjudged, Fails} {
		o := Obligation{Verdict: Fails}
		if o.openIfLoose(int64(surely), 4); o.Verdict != want {
			t.Errorf("%d of 4 surely: %v", surely, o.Verdict)
		}
	}
	held := Obligation{}
	held.openIfLoose(0, 4)
	held.unjudgedBy("a reason")
	if held.Verdict != Holds {
		t.Error("what holds is taken back")
	}
	failed := Obligation{Verdict: Fails}
	if failed.unjudgedBy(""); failed.Verdict != Fails {
		t.Error("nothing takes it back")
	}
	if failed.unjudgedBy("a reason"); failed.Verdict != Unjudged || failed.Because != "a reason" || failed.open {
		t.Errorf("%+v", failed)
	}
	for _, holds := range []bool{true, false} {
		o := Obligation{}
		if openIfAfterResume(&o, 3, holds); (o.Verdict == Holds) != holds || (o.Because == "") != holds {
			t.Errorf("%v: %+v", holds, o)
		}
		o = Obligation{Verdict: Fails}
		if openIfAfterResume(&o, 3, holds); o.Verdict != Fails {
			t.Errorf("%v: %+v", holds, o)
		}
	}
	p.ctx = &Context{Silent: map[string]string{Headroom: "the file has none"}}
	p.report.Obligations = []Obligation{{ID: Headroom, Verdict: Fails}, {ID: Headroom, Verdict: Holds}, {ID: Memory, Verdict: Fails}}
	p.silence()
	if got := p.report.Obligations; got[0].Verdict != Unjudged || got[0].Because != "the file has none" || got[1].Verdict != Holds || got[2].Verdict != Fails {
		t.Errorf("%v", got)
	}
}

// The stricter of two links has the shorter times and the smaller share of small packets, of which 0 is any.
func TestStrictest(t *testing.T) {
	for _, c := range []struct{ a, b, want units.Ratio }{{0, 0, 0}, {0, 1, 1}, {1, 5, 1}, {0, 5, 5}, {5, 0, 5}, {5, 7, 5}, {7, 5, 5}} {
		l := model.Link{Interface: 3, Response: 9, SmallPackets: c.a}
		if strictest(&l, model.Link{Interface: 4, Response: 8, SmallPackets: c.b}); l != (model.Link{Interface: 3, Response: 8, SmallPackets: c.want}) {
			t.Errorf("%v and %v: %v", c.a, c.b, l)
		}
	}
	if !slices.Equal(changedBy(AssumedDatum), []string{"V"}) || slices.Contains(changedBy(PeerResponse), "V") {
		t.Error("a condition changes something else")
	}
}

// The first thing that is wrong with an obligation on a group, by name.
func TestGroupInputs(t *testing.T) {
	config := &mmu.Config{CellBytes: 100, IngressPools: []mmu.Pool{{Name: "in", SharedCells: 7}}, Ports: []mmu.Port{{PGs: make([]mmu.PG, 4)}}}
	config.Ports[0].PGs[3] = mmu.PG{Lossless: true, HeadroomCells: 50, XonCells: 5, ReservedCells: 2}
	sw := &model.Switch{Config: config, Ports: []model.Port{{Name: "p", Link: model.Link{Rate: 1000, Cable: 3, PortFrame: 80, LosslessFrame: 70, Response: 9, Interface: 8}}}}
	r := &requirement{m: sw, groups: []Group{{Where: "g, PG 3", Ports: []string{"p"}, PG: 3}, {Where: "none", PG: 3}, {Where: "other", Ports: []string{"q"}, PG: 3}, {Where: "beyond", Ports: []string{"p"}, PG: 4}, {Where: "below", Ports: []string{"p"}, PG: -1}}}
	for _, c := range []struct {
		id, where string
		term      Term
		verdict   Verdict
		want      string
	}{
		{Headroom, "g, PG 3", given("H", "", 50, ""), Holds, ""}, {Headroom, "g, PG 3", given("H", "", 51, ""), Holds, "headroom, g, PG 3: H is 51, and 50 in the inputs"},
		{Headroom, "x", given("H", "", 50, ""), Holds, "headroom, x: no group is called so"}, {Headroom, "none", given("H", "", 50, ""), Holds, "headroom, none: no group is called so"},
		{Headroom, "other", given("H", "", 50, ""), Holds, "headroom, other: the model has no such port or group"}, {Headroom, "beyond", given("H", "", 50, ""), Holds, "headroom, beyond: the model has no such port or group"}, {Headroom, "below", given("H", "", 50, ""), Holds, "headroom, below: the model has no such port or group"},
		{Headroom, "g, PG 3", given("C", "", 99, ""), Holds, "headroom, g, PG 3: C is 99, and 100 in the inputs"}, {Headroom, "g, PG 3", given("R", "", 999, ""), Holds, "headroom, g, PG 3: R is 999, and 1000 in the inputs"},
		{Headroom, "g, PG 3", given("L", "", 2, ""), Holds, "headroom, g, PG 3: L is 2, and 3 in the inputs"}, {Headroom, "g, PG 3", given("A", "", 100, ""), Holds, ""}, {Headroom, "g, PG 3", given("A", "", 80, ""), Holds, "headroom, g, PG 3: A is 80, and 100 in the inputs"},
		{Headroom, "g, PG 3", given("P", "", 84, ""), Holds, ""}, {Headroom, "g, PG 3", given("P", "", 64, ""), Holds, "headroom, g, PG 3: P is 64, and 84 in the inputs"}, {Headroom, "g, PG 3", given("v", "", 4, ""), Holds, "headroom, g, PG 3: v is 4, and 5 in the inputs"}, {Headroom, "g, PG 3", given("F", "", 71, ""), Holds, "headroom, g, PG 3: F is 71, and 70 in the inputs"},
		{Headroom, "g, PG 3", given("t", "", 9, ""), Holds, ""}, {Headroom, "g, PG 3", given("t", "", 10, ""), Holds, ""}, {Headroom, "g, PG 3", given("t", "", 8, ""), Holds, "headroom, g, PG 3: t is 8, and no less than 9 in the inputs"}, {Headroom, "g, PG 3", given("t", "", 8, ""), Fails, ""},
		{Headroom, "g, PG 3", given("i", "", 7, ""), Holds, "headroom, g, PG 3: i is 7, and no less than 8 in the inputs"}, {Headroom, "g, PG 3", given("X", "", 9, ""), Holds, ""},
		{Resume, "g, PG 3", given("X", "", 5, ""), Holds, ""}, {Resume, "g, PG 3", given("X", "", 9, ""), Holds, "xon-below-xoff, g, PG 3: X is 9, and 5 in the inputs"}, {Resume, "g, PG 3", given("r", "", 3, ""), Holds, "xon-below-xoff, g, PG 3: r is 3, and 2 in the inputs"}, {Resume, "g, PG 3", given("B", "", 8, ""), Holds, "xon-below-xoff, g, PG 3: B is 8, and 7 in the inputs"},
	} {
		errs := r.groupInputs(&Obligation{ID: c.id, Where: c.where, Verdict: c.verdict, Terms: []Term{c.term}})
		if c.want == "" && errs != nil || c.want != "" && (len(errs) != 1 || errs[0].Error() != c.want) {
			t.Errorf("%s of %s, %s = %d: %v, want %q", c.id, c.where, c.term.Symbol, c.term.Value, errs, c.want)
		}
	}
}

// What pools have is what the obligations on them rest on, each on its own. Of a port that lacks a cable nothing is
// known to come in.
func TestSharedInputs(t *testing.T) {
	link := model.Link{Rate: 1000, PortFrame: 80, LosslessFrame: 70, Response: 1}
	pgs := []mmu.PG{{Lossless: true, HeadroomCells: 9, HeadroomPooled: true}}
	config := &mmu.Config{
		CellBytes: 100, MetadataBytes: 3, Slices: 1,
		IngressPools: []mmu.Pool{{Name: "in", SharedCells: 7, HeadroomCells: 5}, {Name: "in2", SharedCells: 8, HeadroomCells: 6}},
		EgressPools:  []mmu.Pool{{Name: "out", SharedCells: 20}, {Name: "out2", SharedCells: 30}},
		Ports:        []mmu.Port{{PGs: pgs}},
	}
	r := &requirement{m: &model.Switch{Config: config, Ports: []model.Port{{Name: "p", Link: link}}}}
	for where, want := range map[[2]string]map[string]int64{
		{HeadroomPool, "slice 0, pool in"}:  {"C": 100, "M": 3, "B0": 7, "B1": 8, "S": 5},
		{HeadroomPool, "slice 0, pool in2"}: {"C": 100, "M": 3, "B0": 7, "B1": 8, "S": 6},
		{EgressHolds, "slice 0, pool out"}:  {"C": 100, "M": 3, "B0": 7, "B1": 8, "S": 20},
		{EgressHolds, "slice 0, pool out2"}: {"C": 100, "M": 3, "B0": 7, "B1": 8, "S": 30},
		{QueueHolds, "slice 0, pool out"}:   {"C": 100, "M": 3, "B0": 7, "B1": 8},
	} {
		if got := r.shared(&Obligation{ID: where[0], Where: where[1]}, 0); !maps.Equal(got, want) {
			t.Errorf("%v: %v, want %v", where, got, want)
		}
	}
	// No cable: 0 cells come in, and a sum of 0 less the cell below a threshold is no more than -1.
	o := &Obligation{ID: HeadroomPool, Where: "slice 0, pool in", Terms: []Term{given("n1", "", 1, "")}}
	for left, want := range map[int64]int{0: 0, -1: 0, -2: 1} {
		o.Left.Value = left
		if errs := r.enough(o, 0); len(errs) != want {
			t.Errorf("%d: %v", left, errs)
		}
	}
}
