package hpcc

import (
	"testing"

	"github.com/roceplan/roceplan/model/sim"
)

// BenchmarkRecorded runs the workloads whose speed in other simulators is recorded:
// ns-3.18 makes 0.85 million packet-hops a second on b_leafspine, 1.14 million at best.
func BenchmarkRecorded(b *testing.B) {
	for _, workload := range []string{"a_incast", "b_leafspine", "c1_one", "c2_two"} {
		for _, control := range []string{"none", "dcqcn", "timely", "hpcc", "dctcp"} {
			b.Run(workload+"/"+control, func(b *testing.B) {
				benchmark(b, recorded(b, workload, control))
			})
		}
	}
}

func benchmark(b *testing.B, path string) {
	in, err := Read(path, sim.NS3Times)
	if err != nil || len(in.Found) > 0 {
		b.Fatal(err, in)
	}
	sc := in.Scenario
	sc.Seed = 1
	b.ReportAllocs()
	var hops, events int64
	for b.Loop() {
		r, err := sim.Run(b.Context(), sc)
		if err != nil {
			b.Fatal(err)
		}
		hops += r.PacketHops
		events += r.Events
	}
	b.ReportMetric(float64(hops)/b.Elapsed().Seconds(), "hops/s")
	b.ReportMetric(float64(events)/float64(hops), "events/hop")
}

// BenchmarkObserved measures the cost of measuring more, on the leaf-spine with DCQCN.
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
