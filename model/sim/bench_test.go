//go:build unix

package sim

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/roceplan/roceplan/units"
)

// BenchmarkGrowth is how speed, set-up and memory change with the number of hosts: each sends one
// message across the fabric with DCQCN, 16 million packet-hops in all, on one core and on all. Speed is by
// processor time on one core, so that other work beside tells less, and by the wall's clock on all.
func BenchmarkGrowth(b *testing.B) {
	for _, size := range [][3]int{{8, 16, 8}, {16, 32, 16}, {32, 64, 32}, {128, 64, 64}, {256, 64, 64}, {512, 64, 64}} {
		hosts := size[0] * size[1]
		for _, cores := range []int{1, runtime.GOMAXPROCS(0)} {
			b.Run(fmt.Sprintf("%d-hosts/%d-cores", hosts, cores), func(b *testing.B) {
				sc := scenario(leafSpine(size[0], size[1], size[2]), "permutation", "dcqcn", 2048*units.MB/units.Bytes(hosts))
				sc.Cores = cores
				b.ReportAllocs()
				begin := time.Now()
				if _, err := newEngine(sc); err != nil {
					b.Fatal(err)
				}
				setUp, hops, before := time.Since(begin), int64(0), processorTime()
				for b.Loop() {
					r, err := Run(b.Context(), sc)
					if err != nil {
						b.Fatal(err)
					}
					hops += r.PacketHops
				}
				if cores == 1 {
					b.ReportMetric(float64(hops)/(processorTime()-before).Seconds(), "hops/cpu-s")
				} else {
					b.ReportMetric(float64(hops)/b.Elapsed().Seconds(), "hops/s")
				}
				b.ReportMetric(setUp.Seconds(), "set-up-s")
			})
		}
	}
}

// processorTime returns the processor time that the process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkSkip compares runs that skip what is steady with whole ones: the error of completion times in the
// mean and at most, the time that was skipped, and by how much less processor time they took. It is of
// all-reduces in one ring, with chunks of 16 KiB, and of a message of 20 MB from each host to another, which go on
// as they did for less of their time the more there are: all have to.
func BenchmarkSkip(b *testing.B) {
	for _, size := range [][3]int{{8, 16, 8}, {16, 32, 16}, {32, 32, 32}} {
		for _, pattern := range []string{"ring", "permutation"} {
			for _, control := range slices.Sorted(maps.Keys(controls)) {
				b.Run(fmt.Sprintf("%s-of-%d/%s", pattern, size[0]*size[1], control), func(b *testing.B) {
					sc := leafSpine(size[0], size[1], size[2])
					if pattern == "ring" {
						sc.Congestion.MinRate, sc.Transport.Payload = 100*units.Mbps, 4096
						controls[control](sc)
						ringOf(sc, size[0]*size[1], 16*units.KiB, true)
					} else {
						skipping(sc, pattern, control, 20*units.MB)
					}
					compareSkipping(b, sc)
				})
			}
		}
	}
}

// BenchmarkSkipRing compares all-reduces in a ring of many hosts, with chunks of a packet, that skip what is steady with
// whole ones, as far as these can be waited for: of the largest ring the first thousand steps of 32,766. Then all steps of
// that run, skipping.
func BenchmarkSkipRing(b *testing.B) {
	for _, c := range []struct{ leaves, perLeaf, steps int }{{16, 64, 0}, {64, 64, 2000}, {256, 64, 1000}} {
		hosts := c.leaves * c.perLeaf
		ring := func(steps int) *Scenario {
			sc := ringOf(leafSpine(c.leaves, c.perLeaf, 64), hosts, 4096, true)
			sc.Transport.Payload, sc.ECN = 4096, nil
			for i := range sc.Flows {
				if steps > 0 {
					sc.Flows[i].Repeat = steps
				}
			}
			return sc
		}
		b.Run(fmt.Sprintf("%d-hosts/whole", hosts), func(b *testing.B) { compareSkipping(b, ring(c.steps)) })
		b.Run(fmt.Sprintf("%d-hosts/all-steps", hosts), func(b *testing.B) {
			sc := ring(0)
			sc.SkipSteady = true
			before := processorTime()
			for b.Loop() {
				r := mustRun(b, sc)
				b.ReportMetric(r.SkippedUS, "skipped-us")
				b.ReportMetric(r.Flows[0].FCTUS, "fct-us")
				b.ReportMetric(float64(r.PacketHops), "hops")
			}
			b.ReportMetric((processorTime() - before).Seconds(), "cpu-s")
		})
	}
}

func compareSkipping(b *testing.B, sc *Scenario) {
	var r [2]*Result
	var took [2]time.Duration
	for b.Loop() {
		for i := range r {
			sc.SkipSteady = i == 1
			begin := processorTime()
			r[i] = mustRun(b, sc)
			took[i] = processorTime() - begin
		}
	}
	mean, worst := skipErrors(b, r[0], r[1])
	b.ReportMetric(100*mean, "mean-%")
	b.ReportMetric(100*worst, "worst-%")
	b.ReportMetric(r[1].SkippedUS, "skipped-us")
	b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "speed-up")
}
