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
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/model/sim/workload"
)

// BenchmarkLeafSpine measures the speed of a compiled fabric: the recorded workload b_leafspine, whose fabric
// is said in HCL, in packet-hops per second of processor time on one core. The same flows
// under the HPCC simulator's switch are b_leafspine/dcqcn of BenchmarkRecorded in model/sim/hpcc.
func BenchmarkLeafSpine(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	jobs := leafSpine(b)
	var hops int64
	var used time.Duration
	for b.Loop() {
		before := processorTime()
		outcomes, err := pattern.Run(b.Context(), jobs, nil)
		if err != nil {
			b.Fatal(err)
		}
		used += processorTime() - before
		hops += outcomes[0].PacketHops
	}
	b.ReportMetric(float64(hops)/used.Seconds(), "hops/cpu-s")
}

// recordedFabric is that of b_leafspine: eight leaves with sixteen hosts at 100G each, eight spines, 200G between
// them, and a microsecond of fibre on each link.
const recordedFabric = `
fabric "b-leafspine" {
  mtu             = "1500B"
}

traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 80
  congestion_control = "dcqcn"
}

nic "cx5" {
  model    = "connectx-5"
  roce_mtu = "1024B"
}

switch "leaf-[1..8]" {
  chip = "tomahawk3"
  os   = "eos"
  role = "leaf"

  port_group "hosts" {
    ports  = "Ethernet[1..16]/1"
    speed  = "100Gbps"
    cable  = "200m"
    medium = fiber
    peer   = nic.cx5
  }
  port_group "spines" {
    ports  = "Ethernet[17..24]/1"
    speed  = "200Gbps"
    cable  = "200m"
    medium = fiber
    peer   = switch.spine
  }
}

switch "spine-[1..8]" {
  chip = "tomahawk3"
  os   = "eos"
  role = "spine"

  port_group "leaves" {
    ports  = "Ethernet[1..8]/1"
    speed  = "200Gbps"
    cable  = "200m"
    medium = fiber
    peer   = switch.leaf
  }
}

clos "pod" {
  lower          = switch.leaf
  upper          = switch.spine
  lower_ports    = "spines"
  upper_ports    = "leaves"
  links_per_pair = 1
}

traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "5Gbps"
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 20
}
`

// leafSpine returns the run of the recorded flows on the fabric.
func leafSpine(tb testing.TB) []pattern.Job {
	tb.Helper()
	catalogue, _ := chips.Load()
	f := roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "leafspine.hcl", Text: []byte(recordedFabric)}}, Catalogue: catalogue})
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

// processorTime returns the processor time that the process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
