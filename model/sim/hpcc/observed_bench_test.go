package hpcc

import (
	"testing"

	"github.com/roceplan/roceplan/model/sim"
)

// BenchmarkObserved is what measuring more costs, on the leaf-spine with DCQCN.
func BenchmarkObserved(b *testing.B) {
	for _, c := range []struct {
		name    string
		observe *sim.Observation
	}{{"off", nil}, {"latency and pauses", &sim.Observation{}}, {"queues too", &sim.Observation{Buffers: true}}} {
		b.Run(c.name, func(b *testing.B) {
			in, err := Read(recorded(b, "b_leafspine", "dcqcn"), sim.NS3Times)
			if err != nil || len(in.Found) > 0 {
				b.Fatal(err, in)
			}
			sc := in.Scenario
			sc.Seed, sc.Observe = 1, c.observe
			var hops int64
			for b.Loop() {
				r, err := sim.Run(b.Context(), sc)
				if err != nil {
					b.Fatal(err)
				}
				hops += r.PacketHops
			}
			b.ReportMetric(float64(hops)/b.Elapsed().Seconds(), "hops/s")
		})
	}
}
