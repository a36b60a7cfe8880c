package hpcc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/model/sim"
)

// measured is what the HPCC simulator's runs were recorded with, in us and bytes.
type measured struct {
	Workload string
	CC       string
	Flows    int
	FCT      spread `json:"fct_us"`
	Slowdown spread
	Pauses   int64 `json:"pfc_pauses"`
	Queue    int64 `json:"peak_egress_queue_bytes"`
	Headroom int64 `json:"peak_headroom_bytes"`
	Marks    int64 `json:"ecn_marks"`
	Drops    int64
	Data     int64 `json:"data_packet_hops"`
	Acks     int64 `json:"ack_packet_hops"`
}

type spread struct{ Mean, P50, P90, P99, Max float64 }

func newSpread(v []float64) spread {
	slices.Sort(v)
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	at := func(p float64) float64 { return v[min(len(v)-1, int(p*float64(len(v))))] }
	return spread{sum / float64(len(v)), at(0.5), at(0.9), at(0.99), at(1)}
}

func recordedRuns(t *testing.T) (runs []measured) {
	text := must.Get(os.ReadFile(oracle.Figures(t, "sim/results.json")))(t)
	must.Do(t, json.Unmarshal(text, &runs))
	return runs
}

func run(t *testing.T, path string, seed uint64) *sim.Result {
	t.Helper()
	in, err := Read(path, sim.NS3Times)
	if err != nil || len(in.Found) > 0 {
		t.Fatal(err, in)
	}
	sc := in.Scenario
	sc.Seed = seed
	r := must.Get(sim.Run(t.Context(), sc))(t)
	return r
}

func measure(r *sim.Result) measured {
	var fct, slowdown []float64
	for _, f := range r.Flows {
		fct = append(fct, f.FCTUS)
		slowdown = append(slowdown, f.Slowdown)
	}
	return measured{
		Flows: len(r.Flows), FCT: newSpread(fct), Slowdown: newSpread(slowdown),
		Pauses: r.PFCPauses, Queue: r.PeakEgressQueue, Headroom: r.PeakHeadroom,
		Marks: r.ECNMarks, Drops: r.Drops,
		Data: r.PacketHops / 2, Acks: r.PacketHops / 2, // without loss each packet has one
	}
}

// TestRecordedRuns checks every number of every recorded run against ours. Means are
// recorded to the nanosecond, slowdowns to the fourth digit, so that is how close ours
// must be; the rest must be equal.
func TestRecordedRuns(t *testing.T) {
	var report bytes.Buffer
	report.WriteString(reportHead)
	for _, want := range recordedRuns(t) {
		got := measure(run(t, recorded(t, want.Workload, want.CC), 1))
		got.Workload, got.CC = want.Workload, want.CC
		got.Slowdown = spread{Mean: got.Slowdown.Mean, P99: got.Slowdown.P99} // all that is recorded
		must.NoDiffIn(t, cmp.Diff(want, got, cmp.Comparer(closeTo)), "%s/%s (-recorded +ours):", want.Workload, want.CC)
		fmt.Fprintf(&report, "%-14s %-7s %12.3f %12.3f %12.3f %12.3f %7d %10d %9d %8d\n", want.Workload, want.CC,
			want.FCT.Mean, got.FCT.Mean, want.FCT.P99, got.FCT.P99, got.Pauses, got.Queue, got.Headroom, got.Marks)
	}
	golden(t, "sim_recorded.txt", report.Bytes())
}

func closeTo(a, b spread) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 0.0005001 }
	return near(a.Mean, b.Mean) && near(a.P50, b.P50) && near(a.P90, b.P90) && near(a.P99, b.P99) && near(a.Max, b.Max)
}

// TestEachFlow compares each flow's completion time in nanoseconds, in the order in which
// flows complete.
func TestEachFlow(t *testing.T) {
	for _, workload := range []string{"a_incast", "a2_incast32MB", "c1_one", "c2_two"} {
		want := must.Get(os.ReadFile(oracle.Figures(t, "sim/"+workload+"/fct_none.txt")))(t)
		r := run(t, recorded(t, workload, "none"), 1)
		slices.SortFunc(r.Flows, func(a, b sim.FlowResult) int { return int(math.Round((a.FCTUS - b.FCTUS) * 1000)) })
		var got strings.Builder
		for _, f := range r.Flows {
			ns := func(us float64) int64 { return int64(math.Round(us * 1000)) }
			fmt.Fprintf(&got, "0b00%02x01 0b00%02x01 10000 100 %d %d %d %d\n", f.Src, f.Dst, f.Bytes,
				ns(f.StartUS), ns(f.FCTUS), ns(f.FCTUS/f.Slowdown))
		}
		must.NoDiffIn(t, cmp.Diff(string(want), got.String()), "%s (-recorded +ours):", workload)
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "golden", name)
	if *diagtest.Update {
		must.Do(t, os.WriteFile(path, got, 0o644))
		return
	}
	want := must.Get(os.ReadFile(path))(t)
	must.NoDiffIn(t, cmp.Diff(string(want), string(got)), "%s (-golden +got); -update rewrites it:", name)
}

const reportHead = `The HPCC simulator's recorded runs and ours

Recorded: ns-3.18 of alibaba-edu/High-Precision-Congestion-Control, default random run.
Ours: roceplan sim --hpcc config_CC.txt --ns3-times, seed 1. Times in microseconds.

All runs agree to the nanosecond, all counts exactly: completion times (mean, median, 90th
and 99th percentile, maximum), slowdowns, pauses, peak egress queue, peak headroom, marks,
drops, packet-hops. What it takes:

- Events of the same nanosecond happen in the order in which they were scheduled. roceplan
  makes two thirds of the events, and draws the places in that order for the others too.
- Transmission times are cut to whole nanoseconds through ns-3's 64.64 fixed-point numbers.
- ECMP hashes as SwitchNode::EcmpHash, with source ports counted per pair of hosts.
- Round robin over a host's queue pairs keeps its position when finished ones are removed.
- A host's wake-up for the next paced packet is not moved when another could go earlier.
- Each random decision takes the first number of the next stream of MRG32k3a; before the
  first one, ns-3 has used six streams per node and two more.

                                FCT mean                  FCT p99
workload       control     recorded         ours     recorded         ours  pauses peak queue  headroom    marks
`
