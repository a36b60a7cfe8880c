package roceplan_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

var updatePage = flag.Bool("update", false, "write the table of docs/sim-fluid.md and golden/traces.txt")

// fluidPage has a row for each run that is made by packets and as flows.
const fluidPage = "docs/sim-fluid.md"

// The table of docs/sim-fluid.md compares runs as flows with runs of packets. It is the one that comes out, and each run has all its
// messages.
func TestFluidBesidePackets(t *testing.T) {
	if testing.Short() {
		t.Skip("packets take half a minute")
	}
	var rows []string
	for _, c := range []struct {
		example   string
		size      fabric.Size
		time      units.Time
		scenarios []string
	}{
		{"ucloud-pod", fabric.Size{Edges: 4, HostsPerEdge: 16}, 2 * units.Millisecond, []string{
			"websearch-30", "websearch-50", "hadoop-30", "hadoop-50", "storage-read-64kb", "storage-read-1mb", "incast-8", "experts",
			"ring-all-reduce-1mb", "tree-all-reduce-64kb", "gpu-all-gather", "gpu-reduce-scatter"}},
		{"spectrum4-storage", fabric.Size{Edges: 4, HostsPerEdge: 16}, units.Millisecond, []string{
			"hadoop-50", "storage-read-1mb", "ring-all-reduce-4mb", "gpu-all-reduce", "tree-all-reduce-1mb"}},
		{"ucloud-pod", fabric.Size{Edges: 16, HostsPerEdge: 16}, units.Millisecond, []string{"websearch-50", "incast-8"}},
		{"tomahawk5-ai-pod", fabric.Size{Edges: 4, HostsPerEdge: 8}, 200 * units.Microsecond, []string{"websearch-50", "hadoop-30", "hadoop-50", "gpu-all-reduce", "incast-8"}},
	} {
		in := must.Get(roceplan.In(os.DirFS("examples"), c.example))(t)
		f := roceplan.Load(in)
		o := roceplan.SimulateOptions{Scenarios: c.scenarios, Size: c.size, Time: c.time}
		packets := must.Get(roceplan.Simulate(t.Context(), f, o))(t)
		o.Fluid = true
		flows := must.Get(roceplan.Simulate(t.Context(), f, o))(t)
		for i := range flows.Outcomes {
			a, b := &packets.Outcomes[i], &flows.Outcomes[i]
			if b.Skipped != "" || b.Unfinished > 0 || a.Flows != b.Flows || a.Bytes != b.Bytes {
				t.Errorf("%s: %d flows of %d B, %d unfinished; as packets %d of %d B", b.Pattern, b.Flows, b.Bytes, b.Unfinished, a.Flows, a.Bytes)
			}
			rows = append(rows, besideRows(c.example, a, b)...)
		}
	}
	text, err := os.ReadFile(fluidPage)
	must.Do(t, err)
	before, after := aroundTable(t, string(text))
	all := strings.Join(rows, "\n")
	want := before + all + fmt.Sprintf("\n\nOf %d rows %d are within these bounds.\n", len(rows), len(rows)-strings.Count(all, "(!)")) + after
	if *updatePage {
		err = os.WriteFile(fluidPage, []byte(want), 0o644)
	} else if want != string(text) {
		t.Errorf("%s is not what comes out; run this with -update:\n%s", fluidPage, all)
	}
	must.Do(t, err)
}

// aroundTable returns the page without its rows and the line that counts them.
func aroundTable(t *testing.T, text string) (before, after string) {
	t.Helper()
	const head, tail = "|---|---|---|---:|---:|---:|\n", " are within these bounds.\n"
	from, to := strings.Index(text, head), strings.Index(text, tail)
	if from < 0 || to < from {
		t.Fatalf("%s has no table", fluidPage)
	}
	return text[:from+len(head)], text[to+len(tail):]
}

// besideRows compare the time of an operation or, of messages, their slowdowns.
func besideRows(example string, a, b *pattern.Outcome) (rows []string) {
	add := func(what string, packets, flows, bound float64) {
		by, mark := 100*(flows/packets-1), ""
		if math.Abs(by) > bound {
			mark = " (!)"
		}
		rows = append(rows, fmt.Sprintf("| %s, %d hosts | %s | %s | %.5g | %.5g | %+.1f %%%s |", example, b.On, a.Pattern, what, packets, flows, by, mark))
	}
	if a.Completion.Blocks[0].Least > 0 {
		add("time of the operation, us", a.Duration, b.Duration, 2)
		return rows
	}
	add("slowdown, mean", a.Completion.SlowdownMean, b.Completion.SlowdownMean, 5)
	add("slowdown, 99 in 100", a.Completion.Spread.SlowdownP99, b.Completion.Spread.SlowdownP99, 5)
	return rows
}
