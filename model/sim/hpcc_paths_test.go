package sim

import (
	"testing"

	"github.com/roceplan/roceplan/units"
)

// HPCC compares records of one port, whatever way each packet takes: where packets spread over
// all ways and the fabric carries them all, it is as fast as where no flow shares a way.
func TestHPCCOverAllWays(t *testing.T) {
	alone := func() float64 {
		sc := scenario(leafSpine(1, 9, 0), "permutation", "hpcc", 4*units.MB)
		r, err := Run(t.Context(), sc)
		if err != nil || r.UnfinishedFlows > 0 {
			t.Fatal(err)
		}
		return slowest(r)
	}()
	for balancing := range balancings {
		sc := balanced(leafSpine(4, 4, 4), balancing, "permutation", "hpcc", 4*units.MB)
		sc.Stop = 100 * units.Millisecond
		r, err := Run(t.Context(), sc)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v us, alone %v us", balancing, slowest(r), alone)
		most := 4. // flows may share a way
		if balancing == "spray" || balancing == "adaptive" || balancing == "global per packet" {
			most = 1.25
		}
		if r.UnfinishedFlows > 0 || slowest(r) > most*alone {
			t.Errorf("%s: %d messages unfinished, the last after %v us, alone %v us", balancing, r.UnfinishedFlows, slowest(r), alone)
		}
	}
}
