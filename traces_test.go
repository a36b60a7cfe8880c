package roceplan_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/chakratrace"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/model/sim/workload"
)

// A trace that a scenario names runs as it does with --workload: Chakra's of each of 16 ranks, SimAI's, and a flow file
// of the HPCC simulator.
func TestTracesOfScenarios(t *testing.T) {
	step := chakratrace.Step{Tensor: 4, Data: 4, Pipeline: 1, Layers: 1, Microbatches: 1, Micros: 5, Activation: 40_000, Gradients: 80_000, Buckets: 1}
	folder := fstest.MapFS{
		"pod/fabric.hcl": {Data: []byte(fabricOfTraces + traced("chakra", "step") + traced("simai", "job.txt") + traced("flows", "flow.txt"))},
		"pod/flow.txt":   {Data: []byte("2\n0 2 3 100 1000000 0\n1 3 3 100 100000 0.000100\n")},
		"pod/job.txt": {Data: []byte("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 all_gpus: 4\n" +
			"1\nlayer -1 1000 ALLREDUCE 40000 2000 NONE 0 1000 ALLREDUCE_DP 80000 100\n")},
	}
	must.Do(t, step.Files(func(name string, content []byte) error {
		folder["pod/step/"+name] = &fstest.MapFile{Data: content}
		return nil
	}))
	in := must.Get(roceplan.In(folder, "pod"))(t)
	f := roceplan.Load(in)
	if _, found := f.Plan(); found.HasErrors() {
		t.Fatalf("%v", found)
	}
	for name, path := range map[string]string{"chakra": "pod/step", "simai": "pod/job.txt", "flows": "pod/flow.txt"} {
		w, found, _ := workload.At(folder, path)
		if w == nil {
			t.Fatalf("%v", found)
		}
		given := simulated(t, f, roceplan.SimulateOptions{Workload: w})
		named := simulated(t, f, roceplan.SimulateOptions{Scenarios: []string{name}})
		if given != named || strings.Contains(named, "skipped") || strings.HasPrefix(named, "0 ") {
			t.Errorf("%s: by a scenario %s, by a workload %s", name, named, given)
		}
	}
	in.Traces = false
	if o := simulated(t, roceplan.Load(in), roceplan.SimulateOptions{Scenarios: []string{"flows"}}); !strings.Contains(o, "not read") {
		t.Errorf("without its trace: %s", o)
	}
}

// What is wrong with a trace is told where it stands, and where it is named.
func TestBadTraceOfAScenario(t *testing.T) {
	folder := fstest.MapFS{
		"pod/fabric.hcl": {Data: []byte(fabricOfTraces + traced("flows", "flow.txt"))},
		"pod/flow.txt":   {Data: []byte("2\n0 2 3 100 1000000 0\n1 one 3 100 100000 0\n")},
	}
	in := must.Get(roceplan.In(folder, "pod"))(t)
	f := roceplan.Load(in)
	found := f.Findings()
	if len(found) != 1 || found[0].Code != workload.TraceValue || found[0].Subject.Filename != "pod/flow.txt" || found[0].Subject.Start.Line != 3 || found[0].Subject.Start.Column != 3 {
		t.Fatalf("%+v", found)
	}
	if notes := found[0].Related; len(notes) != 1 || notes[0].Range.Filename != "pod/fabric.hcl" || f.Sources["pod/flow.txt"] == nil {
		t.Errorf("notes %+v", notes)
	}
}

func simulated(t *testing.T, f *roceplan.Fabric, o roceplan.SimulateOptions) string {
	t.Helper()
	run := must.Get(roceplan.Simulate(t.Context(), f, o))(t)
	return outcome(&run.Outcomes[0])
}

func outcome(o *pattern.Outcome) string {
	if o.Skipped != "" {
		return "skipped: " + o.Skipped
	}
	return fmt.Sprintf("%d flows, %d B, %d unfinished, %g us, latency up to %g us", o.Flows, o.Bytes, o.Unfinished, o.Duration, o.LatencyMax)
}

func traced(name, path string) string {
	return fmt.Sprintf("scenario %q {\n  trace {\n    path = %q\n  }\n}\n", name, path)
}

const fabricOfTraces = `
fabric "two" {
  mtu             = "4200B"
  expected_delay  = "40us"
  tolerable_delay = "80us"
}
traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 50
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "500Mbps"
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 50
}
nic "cx5" {
  model = "connectx-5"
}
switch "tor-[1..2]" {
  chip = "trident3"
  os   = sonic
  port_group "servers" {
    ports      = "Ethernet[0..7]"
    speed      = "25Gbps"
    lanes      = 1
    first_lane = 1
    cable      = "3m"
    peer       = nic.cx5
  }
  port_group "up" {
    ports      = "Ethernet[32..36/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 33
    cable      = "10m"
    peer       = switch.leaf
  }
}
switch "leaf-[1..2]" {
  chip = "trident3"
  os   = sonic
  port_group "down" {
    ports      = "Ethernet[0..4/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 1
    cable      = "10m"
    peer       = switch.tor
  }
}
clos "pod" {
  lower       = switch.tor
  upper       = switch.leaf
  lower_ports = "up"
  upper_ports = "down"
}
`
