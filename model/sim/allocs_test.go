package sim

import (
	"maps"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// Once a run is under way nothing is allocated: under every congestion control, with every
// way to balance load, for patterns that crowd one port, all ports or none, with the HPCC
// simulator's buffer and with a chip's.
func TestNoAllocationAnywhere(t *testing.T) {
	kinds := []string{"incast", "permutation", "all-to-all"}
	turn := 0
	for _, control := range slices.Sorted(maps.Keys(controls)) {
		for _, balancing := range slices.Sorted(maps.Keys(balancings)) {
			for _, pattern := range kinds {
				sc := balanced(leafSpine(2, 6, 3), balancing, pattern, control, 40*units.MB)
				if turn++; turn%2 == 0 && sc.Balancing.Mode != balance.Cells {
					chipBuffers(sc, 500_000)
				}
				s, err := newEngine(sc)
				if err != nil {
					t.Fatal(err)
				}
				s.room(100_000)         // the array grows with what is under way, and no further
				s.steps(never, 120_000) // until what ConWeave plans has come to its most, about 100,000 events after the beginning
				hops := s.hops
				allocs := testing.AllocsPerRun(3, func() { s.steps(never, 10_000) })
				if allocs != 0 || s.hops-hops < 10_000 {
					t.Errorf("%s, %s, %s: %v allocations in 10,000 events, %d packet-hops", control, balancing, pattern, allocs, s.hops-hops)
				}
			}
		}
	}
	t.Logf("%d combinations", turn)
}
