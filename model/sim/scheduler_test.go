package sim

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/units"
)

// Classes that always have something waiting share by their weights, whatever the sizes
// of their packets; a strict class has all it wants.
func TestShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := leafSpine(1, 4, 0)
		sc.ECN = nil
		weights := [3]uint8{}
		for i := range weights {
			weights[i] = rapid.Uint8Range(1, 20).Draw(t, "weight")
			sc.Scheduler.Weights[i+1] = weights[i]
			sc.flow(i+1, 0, 40*units.MB, 0)
			sc.Flows[i].Class = uint8(i + 1)
		}
		s, err := newEngine(sc)
		if err != nil {
			t.Fatal(err)
		}
		for s.now < 1_000_000_000 && s.step(never) { // 200 turns of all three classes and more
		}
		total, sum := 0.0, 0
		for i := range s.flows {
			total += float64(s.inbound[i].expected)
			sum += int(weights[i])
		}
		for i := range s.flows {
			got, want := float64(s.inbound[i].expected)/total, float64(weights[i])/float64(sum)
			if math.Abs(got-want) > 0.02 {
				t.Fatalf("class %d with weight %d of %v has %.3f of the port, want %.3f", i+1, weights[i], weights, got, want)
			}
		}
	})
}

// A strict class starves the others as long as it can fill the port.
func TestStrict(t *testing.T) {
	sc := leafSpine(1, 3, 0)
	sc.ECN = nil
	sc.Scheduler = Scheduler{Strict: 1 << 6, Weights: [classes]uint8{1: 1}}
	for src := range 2 {
		sc.flow(src+1, 0, 5*units.MB, 0)
		sc.Flows[src].Class = [2]uint8{1, 6}[src]
	}
	r, err := Run(t.Context(), sc)
	if err != nil {
		t.Fatal(err)
	}
	if r.Flows[1].Slowdown > 1.01 || r.Flows[0].Slowdown < 1.9 {
		t.Errorf("slowdown of the strict class %v, of the other %v", r.Flows[1].Slowdown, r.Flows[0].Slowdown)
	}
}
