//go:build unix

package roceplan_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/oracle"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/model/sim/workload"
)

// BenchmarkLeafSpine is the speed of a compiled fabric: the recorded workload b_leafspine, whose fabric
// testdata/leafspine.hcl says in HCL, in packet-hops per second of processor time on one core. The same flows
// under the HPCC simulator's switch are b_leafspine/dcqcn of BenchmarkRecorded in model/sim/hpcc.
func BenchmarkLeafSpine(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	jobs := leafSpine(b)
	var hops, events int64
	var used time.Duration
	for b.Loop() {
		before := processorTime()
		outcomes, err := pattern.Run(b.Context(), jobs, nil)
		if err != nil {
			b.Fatal(err)
		}
		used += processorTime() - before
		hops += outcomes[0].PacketHops
		events += outcomes[0].Events
	}
	b.ReportMetric(float64(hops)/used.Seconds(), "hops/cpu-s")
	b.ReportMetric(float64(events)/float64(hops), "events/hop")
}

// leafSpine is the run of the recorded flows on the fabric.
func leafSpine(tb testing.TB) []pattern.Job {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "leafspine.hcl"))
	if err != nil {
		tb.Fatal(err)
	}
	catalogue, _ := chips.Load()
	f := roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "leafspine.hcl", Text: text}}, Catalogue: catalogue})
	flows := oracle.Figures(tb, "sim/b_leafspine/flow.txt")
	w, found, _ := workload.Read(os.DirFS(filepath.Dir(flows)), []string{filepath.Base(flows)})
	if w == nil {
		tb.Fatal(found)
	}
	run, err := roceplan.Prepare(f, roceplan.SimulateOptions{Workload: w, Size: fabric.Size{Edges: 8, HostsPerEdge: 16}})
	if err != nil {
		tb.Fatal(err)
	}
	return run.Jobs
}

// processorTime is what the process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
