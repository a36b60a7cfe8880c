package verify

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/smallswitch"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/proof"
)

// What an inequality refutes, and what one leaves open and a counterexample refutes, are one fault: two states that differ by
// that alone share it. What no counterexample shows stays not judged. Each seed draws a small switch that a counterexample
// refutes: a group that resumes too early beside another one that may, a headroom pool, a pool on the way out.
func TestFaultsByCounterexample(t *testing.T) {
	for seed, want := range map[int]struct{ refuted, left []string }{
		154:  {onPorts("xon-below-xoff does not hold for priority group 3 of Ethernet", 16), onPorts("xon-below-xoff is not judged for priority group 4 of Ethernet", 16)},
		441:  {refuted: []string{"headroom-pool does not hold in slice 0, pool in"}},
		1886: {refuted: []string{"egress-pool-holds does not hold in slice 0, pool lossless"}},
	} {
		s := smallswitch.Generator(t).Example(seed)
		report := must.Get(proof.Prove(s.Plan, s.Chip, proof.Context{}))(t)
		byInequality := &Switch{Proof: &proof.Report{Groups: report.Groups, Obligations: slices.Clone(report.Obligations)}}
		refuted := report.Open()[0].ID
		for i := range byInequality.Proof.Obligations {
			if o := &byInequality.Proof.Obligations[i]; o.ID == refuted && o.Verdict == proof.Unjudged {
				o.Verdict = proof.Fails
				break
			}
		}
		if result, err := adversary.Settle(report, adversary.Options{Seed: 1}); err != nil || result.Found == nil {
			t.Fatal(seed, err, result)
		}
		byCounterexample := &Switch{Proof: report}
		for what, settled := range map[string]*Switch{"an inequality": byInequality, "a counterexample": byCounterexample} {
			settled.collect()
			if diff := cmp.Diff(slices.Sorted(slices.Values(slices.Concat(want.refuted, want.left))), slices.Sorted(maps.Keys(settled.faults()))); diff != "" {
				t.Errorf("seed %d, by %s (-want +got):\n%s", seed, what, diff)
			}
			if left := settled.Groups[len(settled.Groups)-1]; seed == 154 && left.Verdict != NotJudged {
				t.Errorf("%s is %v by %s, which refutes another group", left.Where, left.Verdict, what)
			}
		}
	}
}

func onPorts(fault string, ports int) (faults []string) {
	for port := range ports {
		faults = append(faults, fault+strconv.Itoa(port))
	}
	return faults
}
