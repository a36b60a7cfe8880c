package roceplan_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/model/sim/workload"
)

// publicTraces are examples of ASTRA-sim (Chakra traces) and of SimAI. golden/traces.txt has what each of them does.
func publicTraces(t *testing.T) (paths []string) {
	t.Helper()
	shared := oracle.Data(t, "ai_traces")
	for _, operation := range []string{"all_gather", "all_reduce", "all_to_all", "reduce_scatter"} {
		for _, size := range []string{"4npus_1MB", "8npus_1MB", "16npus_1MB"} {
			paths = append(paths, filepath.Join(shared, "astra-sim", "microbenchmarks", operation, size))
		}
	}
	paths = append(paths, filepath.Join(shared, "astra-sim", "custom_ring_allreduce_8npus_1MB"), filepath.Join(shared, "simai", "microAllReduce.txt"))
	for _, name := range []string{"microAllReduce_16g", "microAllReduce_32g", "microAllReduce_128g", "microAllReduce_dp", "workload_oxc_32g", "workload_oxc_trigger", "workload_ep_test"} {
		paths = append(paths, oracle.Figures(t, "simai/"+name+".txt"))
	}
	return append(paths, filepath.Join(shared, "simai", "workload_analytical.txt"))
}

// Public examples of ASTRA-sim and SimAI run on ucloud-pod, those of up to 16 GPUs by packets and others as flows: all their messages come,
// no sooner than links, hosts and what waits for what allow, and no bus bandwidth is above the 25 Gb/s of a port. What is too large names a part that is not.
func TestPublicTraces(t *testing.T) {
	const file, port = "golden/traces.txt", 25. / 8
	in := must.Get(roceplan.In(os.DirFS("examples"), "ucloud-pod"))(t)
	f := roceplan.Load(in)
	out := &strings.Builder{}
	fmt.Fprintf(out, "Public examples of ASTRA-sim and SimAI on ucloud-pod, a GPU at each host of 25 Gb/s: up to 16 GPUs by packets, more as flows.\n\n")
	fmt.Fprintf(out, "%-44s %5s %10s %7s %12s %6s\n", "trace", "GPUs", "operations", "flows", "time, us", "least")
	for _, path := range publicTraces(t) {
		name := filepath.Base(path)
		if filepath.Ext(name) == "" {
			name = filepath.Join(filepath.Base(filepath.Dir(path)), name)
		}
		w, found, _ := workload.At(os.DirFS(filepath.Dir(path)), filepath.Base(path))
		if w == nil {
			fmt.Fprintf(out, "%-44s %s: %s\n", name, found[0].Code, found[0].Fix)
			continue
		}
		run := must.Get(roceplan.Simulate(t.Context(), f, roceplan.SimulateOptions{Workload: w, Fluid: w.Ranks > 16}))(t)
		o := &run.Outcomes[0]
		if o.Skipped != "" || o.Unfinished > 0 || o.LosslessDrops+o.LosslessLost > 0 {
			t.Errorf("%s: skipped %q, %d unfinished, %d lost", name, o.Skipped, o.Unfinished, o.LosslessDrops+o.LosslessLost)
			continue
		}
		b := &o.Completion.Blocks[0]
		if b.Duration < b.Least {
			t.Errorf("%s took %v us, less than %v", name, b.Duration, b.Least)
		}
		operations := 0
		for _, op := range b.Workload.Operations {
			if operations += op.Number; op.BusBandwidth > port {
				t.Errorf("%s: %s of %d GPUs has %v GB/s", name, op.Kind, op.GPUs, op.BusBandwidth)
			}
		}
		fmt.Fprintf(out, "%-44s %5d %10d %7d %12.1f %6.2f\n", name, w.Ranks, operations, o.Flows, b.Duration, b.Steps)
	}
	if *updatePage {
		must.Do(t, os.WriteFile(file, []byte(out.String()), 0o644))
	}
	want := must.Get(os.ReadFile(file))(t)
	must.NoDiffIn(t, cmp.Diff(string(want), out.String()), "%s (-file +runs); -update writes it:", file)
}
