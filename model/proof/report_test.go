package proof

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
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
			must.Equalf(t, r.verdict(), order[max(i, j)], "%v and %v make", a, b)
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
	if c = Certify(&Report{Obligations: []Obligation{{ID: Headroom, Verdict: Fails, Lossless: true}}}, nil, "", nil); c.Verdict != Fails {
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
		must.Equal(t, o.String(), c.want)
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

// A certificate is of a report where each obligation has one of the same name, sides, verdict and terms.
func TestCompareFindsEachDifference(t *testing.T) {
	report := func() *Report {
		terms := []Term{{Symbol: "h", Value: 1}, {Symbol: "i", Value: 4}}
		return &Report{Obligations: []Obligation{
			{ID: Headroom, Where: "x", Left: Side{"1", 1}, Right: Side{"2", 2}, Terms: []Term{{Symbol: "i", Value: 1}, {Symbol: "H", Value: 5, At: "f:1"}}},
			{ID: Headroom, Where: "y", Left: Side{"1", 1}, Right: Side{"2", 2}, Terms: terms},
			{ID: Memory, Where: "slice 0", Left: Side{"B + S", 3}, Right: Side{"2", 2}, Verdict: Fails}, {ID: Memory, Where: "slice 0", Verdict: Unjudged, Lossless: true, Because: "of it"},
			{ID: EgressHolds, Where: "x", Terms: terms, Verdict: Conditional, At: "f:2", Conditions: []Condition{{ID: PacketMix, Where: "g", Bound: 3}, {ID: "taken", Assumes: "it is so"}}, Under: &Inequality{Terms: terms}},
			{ID: MarkingOrder, Where: "nowhere"}, // which loses no packet
		}, Assumptions: []string{"all is well"}, Model: &model.Switch{Config: &mmu.Config{SliceCells: 5}}}
	}
	other := []string{"egress-pool-holds, x: its text differs from that of the files"}
	for _, c := range []struct {
		change func(c *Certificate)
		want   []string
	}{
		{func(*Certificate) {}, nil},
		{func(c *Certificate) { c.Obligations[0].Lines["H"] = "g:2" }, nil}, // lines may be others
		{func(c *Certificate) { c.Obligations[4].At = "g:2" }, nil},
		{func(c *Certificate) { c.Obligations[0], c.Obligations[1] = c.Obligations[1], c.Obligations[0] }, nil},
		{func(c *Certificate) { c.Obligations[0].Terms["i"]++ }, []string{"headroom, x: its text"}},
		{func(c *Certificate) { c.Obligations[0].Terms = nil }, []string{"headroom, x: its text"}},
		{func(c *Certificate) { c.Obligations[1].Left++ }, []string{"headroom, y: certified was holds: 2 ≤ 2, the files give holds: 1 ≤ 2"}},
		{func(c *Certificate) { c.Obligations[1].Right++ }, []string{"headroom, y: certified was"}},
		{func(c *Certificate) { c.Obligations[1].Verdict = Fails }, []string{"headroom, y: certified was"}},
		{func(c *Certificate) { c.Obligations = c.Obligations[1:] }, []string{"headroom, x: not in the certificate"}},
		{func(c *Certificate) { c.Obligations = slices.Delete(c.Obligations, 3, 4) }, []string{"held-at-once, slice 0: not in the certificate"}},
		{func(c *Certificate) { c.Obligations = append(c.Obligations, Claim{ID: MarkingOrder}) }, []string{"kmin-below-kmax, : in the certificate, but not in these files"}},
		{func(c *Certificate) { c.Obligations[1].Where = "z" }, []string{"headroom, y: not in the certificate", "headroom, z: in the certificate, but not"}},
		{func(c *Certificate) { c.Obligations[3].Because = "of nothing" }, []string{"held-at-once, slice 0: its text"}},
		{func(c *Certificate) { c.Obligations[4].Conditions[0].Bound++ }, other},
		{func(c *Certificate) { c.Obligations[4].Conditions[1].Says = "it is not" }, other},
		{func(c *Certificate) { c.Obligations[4].Under.Terms["h"]++ }, other},
		{func(c *Certificate) { c.Obligations[4].Under.Right++ }, other},
		{func(c *Certificate) { c.Obligations[4].Under = nil }, other},
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
