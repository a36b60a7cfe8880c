package scenario

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// Twelve senders at line rate to each of four, with an early curve and constants of the factory: DCQCN cuts them to a few per cent, and needs milliseconds
// to come back. Two milliseconds do not settle. Runs of two lengths find the same warm-up and the same
// steady state, though their means differ by how much of the start is in them: the start, and the last
// messages, leave idle what a port carries in 4 ms, which is 10 % of a run of 41 ms and 7 % of one of 55 ms
// (of eight senders it is 1.5 ms, too little to tell such runs apart). Throughput is judged by the steady state, the latencies
// of the start are not left out.
func TestSteadyState(t *testing.T) {
	catalogue, _ := chips.Load()
	const class = `congestion_control = "dcqcn"`
	early := strings.Replace(fmt.Sprintf(pod, "dcqcn"), class, class+"\n  ecn {\n    kmin = \"12544B\"\n    kmax = \"144896B\"\n    pmax = \"4%\"\n  }", 1)
	f, p := plantest.Text(t, catalogue, early)
	list := slices.DeleteFunc(Traces(nil).All(f), func(s pattern.Scenario) bool { return s.Name != "incast-12-to-4" })
	after := func(ms units.Time) pattern.Outcome {
		return run(t, jobs(t, p, whole, list, ms*units.Millisecond))[0]
	}
	if o := after(2); o.Steady == nil || o.Steady.Settled || !slices.Contains(o.Missed, pattern.Throughput) {
		t.Errorf("2 ms: %+v, missed %v", o.Steady, o.Missed)
	}
	short, long := after(36), after(50)
	for _, o := range []pattern.Outcome{short, long} {
		if s := o.Steady; s == nil || !s.Settled || s.Throughput < o.Throughput+0.05 || s.Throughput > 1 || s.LatencyMax >= o.LatencyMax || !slices.Equal(o.Missed, []string{pattern.MaxLatency}) {
			t.Fatalf("whole run %.3f and %.1f us, steady %+v, missed %v", o.Throughput, o.LatencyMax, o.Steady, o.Missed)
		}
	}
	if math.Abs(short.Steady.WarmUp-long.Steady.WarmUp) > 1000 || math.Abs(short.Steady.Throughput-long.Steady.Throughput) > 0.01 {
		t.Errorf("36 ms: %+v; 50 ms: %+v", short.Steady, long.Steady)
	}
	if math.Abs(short.Throughput-long.Throughput) < 0.03 {
		t.Errorf("whole runs %.3f and %.3f: what was to be seen is not there", short.Throughput, long.Throughput)
	}
}

// A connection of TCP that lost a packet waits for its timer, 200 ms, many times as long as this run. The incast beside
// it settles all the same: in windows of the whole of that time nothing of it would be seen.
func TestSteadyBesideTCP(t *testing.T) {
	catalogue, _ := chips.Load()
	f, p := plantest.Folder(t, catalogue, "../../examples/tomahawk-eos-pod")
	list := slices.DeleteFunc(Traces(nil).All(f), func(s pattern.Scenario) bool { return s.Name != "tcp-beside-incast-8" })
	o := run(t, jobs(t, p, whole, list, 8*units.Millisecond))[0]
	if s := o.Steady; s == nil || !s.Settled || s.LatencyMax >= o.LatencyMax || o.PauseWindow > 200 || o.Duration < 200_000 {
		t.Errorf("%+v, windows of %.0f us, whole run %.1f us until %.0f us", s, o.PauseWindow, o.LatencyMax, o.Duration)
	}
}

// A memory of 200 Gb/s is read before a message of 1,000 B is sent, after 240 ns, and written after it came: 240 ns and twice 40 ns more. One
// of 200 B goes with its request, and is written in 8 ns. A memory of 50 Gb/s holds back a link of 100.
func TestMemoryOfHosts(t *testing.T) {
	text := ""
	for _, rate := range []string{"", "200Gbps", "50Gbps"} {
		for _, size := range []int{1000, 200, 1} {
			memory := ""
			if rate != "" {
				memory = fmt.Sprintf("memory {\n    rate   = %q\n    fetch  = \"240ns\"\n    inline = \"220B\"\n  }", rate)
			}
			text += fmt.Sprintf("scenario \"s%s-%d\" {\n  %s\n  flow {\n    src = \"leaf-1:Ethernet0\"\n    dst = \"leaf-2:Ethernet0\"\n    message = \"%dB\"\n  }\n}\n", rate, size, memory, size)
		}
	}
	f, p := compiled(t, "dcqcn", text)
	all := jobs(t, p, whole, Traces(nil).All(f)[:9], 10*units.Microsecond)
	for i := range all {
		all[i].Detailed = true
	}
	took := map[string]pattern.Outcome{}
	for _, o := range run(t, all) {
		took[o.Pattern] = o
	}
	for size, more := range map[int]float64{1000: 0.320, 200: 0.008} {
		name := fmt.Sprint("-", size)
		if got := took["s200Gbps"+name].FlowResults[0].DeliveredUS - took["s"+name].FlowResults[0].DeliveredUS; math.Abs(got-more) > 1e-6 {
			t.Errorf("%d B take %v us more, want %v", size, got, more)
		}
	}
	if one, many := took["s-1"].FlowResults[0].DeliveredUS, took["s-200"].FlowResults[0].DeliveredUS; one >= many {
		t.Errorf("1 B takes %v us, 200 B %v", one, many)
	}
	if got, want := took["s50Gbps-1"].Skipped, "lets hosts read their memory at 50Gbps, more slowly than a link of 100Gbps"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
