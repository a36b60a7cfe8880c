package verify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// What fails at one line for several reasons is told of the first by name; what protects no
// lossless packet is a warning, but that memory is enough, and is not told at a line with an error.
func TestWhatFailsIsTold(t *testing.T) {
	at := func(line int) diag.Range {
		return diag.Range{Filename: "f", Start: hcl.Pos{Line: line}, End: hcl.Pos{Line: line}}
	}
	fails := func(id, where string, lossless bool, line int) proof.Obligation {
		return proof.Obligation{ID: id, Title: "it is so", Where: where, Lossless: lossless, Verdict: proof.Fails, Unit: proof.InCells, Left: proof.Side{Value: 130}, Right: proof.Side{Value: 100}, Range: at(line)}
	}
	noted := fails(proof.Resume, "b", true, 5)
	noted.Note = "by the way"
	for _, c := range []struct {
		name        string
		obligations []proof.Obligation
		blamed      []int // lines with an error
		want        []string
	}{
		{"one", []proof.Obligation{fails(proof.Headroom, "a", true, 1)}, nil, []string{"error a 1"}},
		{"two of one line", []proof.Obligation{fails(proof.Headroom, "p10", true, 1), fails(proof.Headroom, "p9", true, 1)}, nil, []string{"error p9 1"}},
		{"in the other order", []proof.Obligation{fails(proof.Headroom, "p9", true, 1), fails(proof.Headroom, "p10", true, 1)}, nil, []string{"error p9 1"}},
		{"of two lines", []proof.Obligation{fails(proof.Headroom, "a", true, 1), fails(proof.Headroom, "b", true, 2)}, nil, []string{"error a 1", "error b 2"}},
		{"of two kinds", []proof.Obligation{fails(proof.Headroom, "a", true, 1), fails(proof.Memory, "b", true, 1)}, nil, []string{"error a 1", "error b 1"}},
		{"of no lossless packet", []proof.Obligation{fails(proof.Starvation, "a", false, 1), fails(proof.Memory, "b", false, 2)}, nil, []string{"warning a 1", "error b 2"}},
		{"at a line with an error", []proof.Obligation{fails(proof.Starvation, "a", false, 1), fails(proof.Headroom, "b", true, 1), fails(proof.Starvation, "c", false, 2)}, []int{1}, []string{"error b 1", "warning c 2"}},
		{"with a note", []proof.Obligation{noted}, nil, []string{"error b 5"}},
		{"what holds or is open", []proof.Obligation{{ID: proof.Headroom, Where: "a"}, {ID: proof.Headroom, Where: "b", Verdict: proof.Unjudged}, {ID: proof.Headroom, Where: "c", Verdict: proof.Conditional}}, nil, nil},
	} {
		s := &Switch{Proof: &proof.Report{Obligations: c.obligations}}
		for _, line := range c.blamed {
			s.Findings.Errorf(proofCode("before"), at(line), "an error")
		}
		before := len(s.Findings)
		s.findings()
		var got []string
		for _, d := range s.Findings[before:] {
			severity := "error"
			if d.Severity == diag.Warning {
				severity = "warning"
			}
			where, rest, _ := strings.Cut(d.Message, ": ")
			got = append(got, fmt.Sprintf("%s %s %d", severity, where, d.Subject.Start.Line))
			want := "that it is so does not hold: 130 cells ≤ 100 cells fails by 30 cells"
			if c.name == "with a note" {
				want += "; by the way"
			}
			if rest != want || d.Fix == "" {
				t.Errorf("%s: %s; %s", c.name, rest, d.Fix)
			}
		}
		must.NoDiffIn(t, cmp.Diff(c.want, got), "%s (-want +got):", c.name)
	}
}

// What a lossless obligation takes for granted, and would lack without, is told once of each.
func TestWhatIsTakenForGrantedIsTold(t *testing.T) {
	condition := func(id, where string, short int64) proof.Condition {
		return proof.Condition{ID: id, Where: where, Assumes: "the peer is quick", Declare: "pause_response", Short: short}
	}
	obligation := func(lossless bool, conditions ...proof.Condition) proof.Obligation {
		return proof.Obligation{ID: proof.Headroom, Lossless: lossless, Verdict: proof.Conditional, Unit: proof.InCells, Right: proof.Side{Value: 100}, Conditions: conditions}
	}
	for _, c := range []struct {
		name string
		all  []proof.Obligation
		want []string
	}{
		{"one", []proof.Obligation{obligation(true, condition("r", "a", 1))}, []string{"a: the peer is quick; without that, 101 cells would be needed, but there are 100 cells"}},
		{"twice", []proof.Obligation{obligation(true, condition("r", "a", 30)), obligation(true, condition("r", "a", 40), condition("r", "b", 7))},
			[]string{"a: the peer is quick; without that, 130 cells would be needed, but there are 100 cells", "b: the peer is quick; without that, 107 cells would be needed, but there are 100 cells"}},
		{"nothing is short", []proof.Obligation{obligation(true, condition("r", "a", 0))}, nil},
		{"no lossless packet", []proof.Obligation{obligation(false, condition("r", "a", 5))}, nil},
	} {
		s := &Switch{Proof: &proof.Report{Obligations: c.all}}
		s.findings()
		var got []string
		for _, d := range s.Findings {
			got = append(got, d.Message)
			if d.Severity != diag.Warning || d.Fix != "declare pause_response" || d.Code != proofCode("assumed") {
				t.Errorf("%s: %+v", c.name, d)
			}
		}
		must.NoDiffIn(t, cmp.Diff(c.want, got), "%s (-want +got):", c.name)
	}
}

// Certificates prove where each lossless obligation of every one holds, if under conditions, and
// nothing stands against it.
func TestRecheckedProves(t *testing.T) {
	of := func(lossless bool, verdicts ...proof.Verdict) *proof.Certificate {
		c := &proof.Certificate{Switches: []string{"a", "b"}}
		id := proof.Headroom
		if !lossless {
			id = proof.Memory // more of it may be distributed than there is
		}
		for _, v := range verdicts {
			c.Obligations = append(c.Obligations, proof.Claim{ID: id, Verdict: v})
		}
		return c
	}
	but := of(true, proof.Holds)
	but.Because = []string{"of a reason"}
	for name, c := range map[string]struct {
		all  []*proof.Certificate
		want bool
	}{
		"none":             {nil, false},
		"all hold":         {[]*proof.Certificate{of(true, proof.Holds, proof.Conditional)}, true},
		"nothing to prove": {[]*proof.Certificate{of(true)}, true},
		"one fails":        {[]*proof.Certificate{of(true, proof.Holds, proof.Fails)}, false},
		"one is open":      {[]*proof.Certificate{of(true, proof.Unjudged)}, false},
		"others fail":      {[]*proof.Certificate{of(false, proof.Fails)}, true},
		"memory is open":   {[]*proof.Certificate{of(false, proof.Unjudged)}, false},
		"the first fails":  {[]*proof.Certificate{of(true, proof.Fails), of(true, proof.Holds)}, false},
		"the second fails": {[]*proof.Certificate{of(true, proof.Holds), of(true, proof.Fails)}, false},
		"two hold":         {[]*proof.Certificate{of(true, proof.Holds), of(true, proof.Conditional)}, true},
		"but":              {[]*proof.Certificate{but}, false},
	} {
		r, err := Recheck(&Certificates{Shapes: c.all}, func(string) File { return File{} }, nil)
		obligations := 0
		for _, c := range c.all {
			obligations += len(c.Obligations)
		}
		if err != nil || r.Proved != c.want || r.Certificates != len(c.all) || r.Switches != 2*len(c.all) || r.Obligations != obligations {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// A file that divides no memory has all of the chip's that is usable, or the whole buffer where that is
// not known; a chip of which neither is known has none.
func TestMemoryIsTaken(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("trident3")
	usable, err := chip.UsableBuffer.Get()
	whole, err2 := chip.PacketBuffer.Get()
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	bare, none := *chip, *chip
	bare.UsableBuffer = chips.Datum[units.Bytes]{}
	none.UsableBuffer, none.PacketBuffer = chips.Datum[units.Bytes]{}, chips.Datum[units.Bytes]{}
	for _, c := range []struct {
		chip *chips.Chip
		want units.Bytes // of the egress pool; 0: an error
	}{{chip, usable}, {&bare, whole}, {&none, 0}} {
		sw := &plan.Switch{Ports: []plan.Port{{Name: "a", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}}, Queues: []plan.Queue{{ID: 3}}}}}}
		taken, err := completePools(sw, c.chip)
		if taken != (c.want > 0) || (err == nil) != (c.want > 0) {
			t.Errorf("%v, %v", taken, err)
		}
		for _, p := range sw.Pools {
			if p.Direction == plan.Egress && p.Size.Value != c.want {
				t.Errorf("%s has %v, want %v", p.Name, p.Size.Value, c.want)
			}
		}
		if c.want > 0 && len(sw.Pools) != 2 {
			t.Errorf("%d pools", len(sw.Pools))
		}
	}
}

// Where packets are lost first, and what is tightest: of the lossless obligations that are judged, the
// first that lacks something, and the one with the least left.
func TestFirstLossAndTightest(t *testing.T) {
	of := func(id string, lossless bool, verdict proof.Verdict, left, right int64) proof.Obligation {
		return proof.Obligation{ID: id, Where: "a", Lossless: lossless, Verdict: verdict, Unit: proof.InCells, Left: proof.Side{Value: left}, Right: proof.Side{Value: right}}
	}
	h, m := proof.Headroom, proof.Memory
	for _, c := range []struct {
		all      []proof.Obligation
		drops    string
		tightest int // the right side of it; 0: none
		loses    bool
	}{
		{nil, "", 0, false},
		{[]proof.Obligation{of(h, true, proof.Holds, 5, 5)}, "", 5, false},
		{[]proof.Obligation{of(h, true, proof.Fails, 7, 5)}, "drops at a (headroom): 2 cells, if 7 lossless ports have packets in the buffer at once", 5, true},
		{[]proof.Obligation{of(h, false, proof.Fails, 9, 5)}, "", 0, false},
		{[]proof.Obligation{of(h, true, proof.Unjudged, 9, 5)}, "", 0, false},
		{[]proof.Obligation{of(h, true, proof.Conditional, 9, 5), of(m, true, proof.Fails, 9, 1)}, "drops at a (headroom): 4 cells, if 7 lossless ports have packets in the buffer at once", 5, true},
		{[]proof.Obligation{of(h, true, proof.Holds, 1, 5), of(h, true, proof.Holds, 2, 4), of(h, true, proof.Holds, 1, 3), of(m, true, proof.Holds, 1, 1)}, "", 4, false}, // of equal ones the first
	} {
		r := &proof.Report{Obligations: c.all}
		must.Equalf(t, dropsAt(r, 7), c.drops, "%+v:", c.all)
		got := 0
		if o := tightest(r, h); o != nil {
			got = int(o.Right.Value)
		}
		if got != c.tightest || r.LosesPackets() != c.loses {
			t.Errorf("%+v: tightest %d, loses %v; want %d, %v", c.all, got, r.LosesPackets(), c.tightest, c.loses)
		}
	}
}
