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

// No run beats a bound, neither under DCQCN, of cards as they leave the factory and of such that leave a hundredth of the rate in a cut, nor
// under a control with a window. And the bound is no
// idle one: 31 hosts that fill 60 us of a port send 1.94 us each, all before anything comes back, so
// the last packet waits for 30 times 1.94 us; their run is within a tenth of that. Nor is a ring of all hosts, whose messages meet
// no others, half as long again as its bound: that leaves headers, and what hosts take for each message, uncounted.
func TestNoRunBeatsItsBound(t *testing.T) {
	started, waves, steps, far := 0, 0, 0, 0
	for _, c := range []struct{ control, nic string }{{"dcqcn", ""}, {"hpcc", ""}, {"dcqcn", `
  dcqcn {
    constants       = derived
    rpg_gd          = 10
    rpg_min_dec_fac = "1%"
  }
`}} {
		control := c.control
		catalogue, _ := chips.Load()
		f, p := plantest.Text(t, catalogue, strings.Replace(fmt.Sprintf(pod, control), `{ model = "connectx-6" }`, "{\n  model = \"connectx-6\""+c.nic+"\n}", 1))
		for _, o := range run(t, jobs(t, p, whole, Traces(nil).All(f), 60*units.Microsecond)) {
			for _, b := range o.Bounds {
				switch b.Kind {
				case pattern.LineRateStart:
					started++
					if o.LatencyMax < b.Value {
						t.Errorf("%s, %s: %.1f us are below %.1f us: %s", o.Pattern, control, o.LatencyMax, b.Value, b.Why)
					}
				case pattern.SlowestCuts:
					waves++
					if control != "dcqcn" || o.LatencyMax < b.Value && o.Pauses == 0 {
						t.Errorf("%s, %s: %.1f us are below %.1f us: %s", o.Pattern, control, o.LatencyMax, b.Value, b.Why)
					}
				case pattern.LeastSteps:
					steps++
					if o.Duration < b.Value {
						t.Errorf("%s, %s: %.1f us are below %.1f us: %s", o.Pattern, control, o.Duration, b.Value, b.Why)
					}
					if strings.HasPrefix(o.Pattern, "ring-all-reduce-") && o.Duration > 1.5*b.Value {
						t.Errorf("%s, %s: %.1f us, bound %.1f us", o.Pattern, control, o.Duration, b.Value)
					}
				case pattern.ECMPCollisions:
					if o.Throughput > b.Value {
						t.Errorf("%s, %s: %.3f of the ports are above %.3f: %s", o.Pattern, control, o.Throughput, b.Value, b.Why)
					}
				}
			}
			for _, f := range o.Far {
				far++
				if f.Goal == pattern.MaxLatency && f.Did < f.Bound || f.Goal == pattern.Throughput && f.Did > f.Bound || f.OfNICs > f.Did && o.Pauses == 0 {
					t.Errorf("%s, %s: %v", o.Pattern, control, f)
				}
				if (f.Goal == pattern.MaxLatency || f.Goal == pattern.Throughput) && f.By == "" {
					t.Errorf("%s, %s: %v names no bound", o.Pattern, control, f)
				}
			}
			if o.Pattern == "incast-31" && (o.Bounds[0].Value < 30*1.9 || o.LatencyMax > 1.1*o.Bounds[0].Value) {
				t.Errorf("31 senders: %.1f us, bound %.1f us", o.LatencyMax, o.Bounds[0].Value)
			}
		}
	}
	if started < 80 || waves < 40 || steps != 3*10 || far < 20 {
		t.Errorf("%d runs have a bound of their start, %d of DCQCN's cuts, %d of steps; %d goals are missed", started, waves, steps, far)
	}
}

// 15 hosts send 256 KB each to one every 200 us: 63 packets of up to 4,096 B with 82 B beside them, 261,166 B on the wire,
// which is 156.7 Gb/s for a port of 100 Gb/s. The last of ten such bursts is 39.2 MB behind the first one's begin, 3.13 ms of
// the port: no run ends earlier.
func TestMoreThanALinkCarries(t *testing.T) {
	f, p := compiled(t, "dcqcn", `
scenario "too-much" {
  time = "2ms"
  incast {
    senders = 15
    message = "256KB"
    every   = "200us"
  }
}
`)
	list := slices.DeleteFunc(Traces(nil).All(f), func(s pattern.Scenario) bool { return s.Name != "too-much" })
	o := run(t, jobs(t, p, whole, list, 2*units.Millisecond))[0]
	b := o.Infeasible()
	if b == nil || b.Kind != pattern.LinkCapacity || math.Abs(b.Value-15*261_166*8/20e6) > 1e-9 {
		t.Fatalf("missed %v, bounds %+v", o.Missed, o.Bounds)
	}
	if o.Duration < 3133.992 {
		t.Errorf("it took %.0f us", o.Duration)
	}
}

// Three flows of 64 KB every 13 us are 39 Gb/s each, or 40 where KB are KiB. To three hosts of 100
// Gb/s they are more than one port carries together, and less than a half of each.
func TestFlowsToSeveralHosts(t *testing.T) {
	text := "scenario \"flows\" {\n"
	for _, port := range []string{"Ethernet0", "Ethernet4", "Ethernet8"} {
		text += fmt.Sprintf("flow {\nsrc = \"leaf-1:%s\"\ndst = \"leaf-2:%s\"\nmessage = \"64KB\"\nrepeat = 7\nevery = \"13us\"\n}\n", port, port)
	}
	f, p := compiled(t, "dcqcn", text+"}\n")
	list := slices.DeleteFunc(Traces(nil).All(f), func(s pattern.Scenario) bool { return s.Name != "flows" })
	o := run(t, jobs(t, p, whole, list, 100*units.Microsecond))[0]
	for _, b := range o.Bounds {
		if b.Kind == pattern.LinkCapacity {
			t.Errorf("%+v", b)
		}
	}
	if o.Skipped != "" || o.Flows != 21 {
		t.Errorf("%d flows, %s", o.Flows, o.Skipped)
	}
}

// Of a run that settles late, the longer one is judged; of one that meets its goals, the first. The latency of a start stays
// what it is, however long the run.
func TestSettle(t *testing.T) {
	f, p := compiled(t, "dcqcn", "")
	list := slices.DeleteFunc(Traces(nil).All(f), func(s pattern.Scenario) bool { return s.Name != "incast-12-to-4" && s.Name != "neighbours" })
	all := jobs(t, p, whole, list, 2*units.Millisecond)
	for i := range all {
		all[i].Longest = pattern.LongestUsual
	}
	for _, o := range run(t, all) {
		switch {
		case slices.ContainsFunc(o.Missed, func(goal string) bool { return goal != pattern.MaxLatency }) || o.Steady == nil || !o.Steady.Settled:
			t.Errorf("%s: %+v, missed %v", o.Pattern, o.Steady, o.Missed)
		case (o.Pattern == "neighbours") != (o.Time == 2000):
			t.Errorf("%s: %v us", o.Pattern, o.Time)
		}
	}
}
