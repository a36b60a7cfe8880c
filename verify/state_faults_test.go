package verify

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/model/proof"
)

// A slice's memory that an inequality refutes, and one that it leaves open and a counterexample refutes, are one fault: two
// states that differ by that alone share it. What no counterexample shows stays not judged.
func TestFaultsByCounterexample(t *testing.T) {
	const slice = "memory does not hold in slice 0"
	by := func(refute bool, obligations ...proof.Obligation) []string {
		report := &proof.Report{Obligations: obligations}
		if refute {
			report.Refute(proof.Memory, "memory of slice 0", "all groups", 100, 1, 100)
		}
		s := &Switch{Obligations: report.Obligations}
		return slices.Sorted(maps.Keys(s.faults()))
	}
	fails := proof.Obligation{ID: proof.Memory, Where: "slice 0", Lossless: true, Verdict: proof.Fails}
	open := proof.Obligation{ID: proof.Memory, Where: "slice 0", Lossless: true, Verdict: proof.Unjudged, Because: "the order decides"}
	other := proof.Obligation{ID: proof.Memory, Where: "slice 1", Lossless: true, Verdict: proof.Unjudged, Because: "the order decides"}
	for name, c := range map[string]struct{ got, want []string }{
		"by an inequality":      {by(false, fails), []string{slice}},
		"by a counterexample":   {by(true, open), []string{slice}},
		"open":                  {by(false, open), []string{"memory is not judged in slice 0"}},
		"open in another slice": {by(true, open, other), []string{slice, "memory is not judged in slice 1"}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
