package sim

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/units"
)

// A control that is a class's does what it does as that of all.
func TestControlOfAClass(t *testing.T) {
	for _, control := range slices.Sorted(maps.Keys(controls)) {
		run := func(change func(sc *Scenario)) *Result {
			sc := scenario(leafSpine(3, 4, 2), "incast", control, 300*units.KB)
			change(sc)
			r := mustRun(t, sc)
			r.WallSeconds, r.PeakMemory = 0, 0
			return r
		}
		all := run(func(*Scenario) {})
		own := run(func(sc *Scenario) {
			sc.Classes[3] = &ClassControl{sc.Congestion, sc.Transport.Window, sc.Transport.VariableWindow}
			sc.Congestion, sc.Transport.Window, sc.Transport.VariableWindow = Congestion{}, NoWindow, false
		})
		if diff := cmp.Diff(all, own); diff != "" {
			t.Errorf("%s (-of all +of the class):\n%s", control, diff)
		}
	}
}

// Each class obeys its own control: of two that share a port with equal weights, the one without a control fills its
// queue and pauses; HPCC, DCQCN and Swift hold theirs short, and all messages come.
func TestControlsSideBySide(t *testing.T) {
	for _, control := range []string{"dcqcn", "hpcc", "swift", "dctcp"} {
		sc := leafSpine(2, 9, 4)
		sc.Congestion.MinRate = 100 * units.Mbps
		controls[control](sc)
		sc.Classes[4] = &ClassControl{}
		sc.Observe = &Observation{Buffers: true}
		for src := 1; src < 17; src++ {
			sc.flow(src, 0, 2*units.MB, 0)
			sc.Flows[len(sc.Flows)-1].Class = uint8(3 + src%2)
		}
		r := mustRun(t, sc)
		peak := map[uint8]float64{}
		for _, q := range r.Queues {
			if q.Port == "18.1" {
				peak[q.Number] = q.Mean
			}
		}
		if r.UnfinishedFlows > 0 || peak[3] == 0 || peak[4] < 5*peak[3] {
			t.Errorf("%s: %d unfinished; mean queues of %v", control, r.UnfinishedFlows, peak)
		}
	}
}
