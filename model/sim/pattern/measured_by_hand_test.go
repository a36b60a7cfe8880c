package pattern

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// Of three messages and two probes, by hand: times of messages, latencies of probes, and what
// classes tell, of which TCP's are left out.
func TestMeasuredByHand(t *testing.T) {
	net := hall(4)
	sc := &sim.Scenario{Flows: []sim.Flow{{Src: 0, Dst: 1, Class: 3}, {Src: 2, Dst: 1, Class: 4}, {Src: 3, Dst: 1, Class: 1, TCP: true}, {Src: 1, Dst: 0, Class: 3}, {Src: 1, Dst: 2, Class: 3, Start: 50 * us}}}
	r := &sim.Result{
		Flows: []sim.FlowResult{{Index: 0, Src: 0, StartUS: 0, FCTUS: 40, Slowdown: 2}, {Index: 1, Src: 2, StartUS: 10, FCTUS: 60, Slowdown: 5}, {Index: 3, Src: 1, FCTUS: 6}, {Index: 4, Src: 1, StartUS: 50, FCTUS: 50}},
		Observed: &sim.Observed{Classes: []sim.ClassResult{
			{Class: 1, Packets: 5, P50US: 100, P90US: 100, P99US: 100, MaxUS: 100, Drops: 3},
			{Class: 3, Packets: 5, P50US: 1, P90US: 20, P99US: 3, MaxUS: 40, Below: 0.9, Drops: 2},
			{Class: 4, Packets: 0, P50US: 10, P90US: 2, P99US: 30, MaxUS: 4, Below: 0, Drops: 1},
		}},
	}
	m := &measured{net: net, sc: sc, r: r, goals: &Goals{}, messages: 3}
	var o Outcome
	o.measureFlows(m)
	o.measureClasses(m)
	for name, c := range map[string][2]any{
		"stranded": {m.stranded(), 0}, "lossless drops": {o.LosslessDrops, int64(3)},
		"duration": {o.Duration, 70.0}, "FCT": {o.FCTP99, 60.0}, "slowdown": {o.SlowdownP99, 5.0}, "probes 90": {o.MessageLatencyP90, 50.0}, "probes": {o.MessageLatencyMax, 50.0},
		"p50": {o.LatencyP50, 10.0}, "p90": {o.LatencyP90, 20.0}, "p99": {o.LatencyP99, 30.0}, "max": {o.LatencyMax, 40.0}, "below usual": {o.LatencyBelowUsual, 0.9},
		"first done": {m.firstDone(), 40 * us},
		"details":    {fmt.Sprint(len(m.details([]string{"shift"}).FlowResults), len(m.details([]string{"shift"}).Classes), len(m.details([]string{"shift"}).Hosts)), "2 3 4"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
	sc.Storms = []sim.Storm{{Host: 3}} // message 2, which did not finish, is its
	must.Equalf(t, m.stranded(), 1, "stranded:")
	if sc.Storms[0].Host = 2; m.stranded() != 0 {
		t.Error("what finished is not stranded")
	}
	values := []float64{5, 1, 4, 2, 3}
	for percent, want := range map[float64]float64{0: 1, 20: 1, 21: 2, 80: 4, 81: 5, 100: 5} {
		must.Equalf(t, percentile(values, percent), want, "%v %%:", percent)
	}
	if percentile(nil, 99) != 0 {
		t.Error("a percentile of nothing")
	}
}

// Why throughput is no goal, and whose traffic goes on.
func TestUnaskedAndLasting(t *testing.T) {
	for name, c := range map[string]struct {
		s       Scenario
		unasked string
		lasting bool
	}{
		"fills":            {Scenario{Traffic: []Traffic{{Kind: "incast"}}}, "", true},
		"later":            {Scenario{Traffic: []Traffic{{Kind: "incast", Start: 1}}}, "", false},
		"an event":         {Scenario{Traffic: []Traffic{{Kind: "incast"}}, Events: []Event{{}}}, ByEvents, false},
		"two":              {Scenario{Traffic: []Traffic{{Kind: "incast"}, {Kind: "shift"}}}, BySeveral, true},
		"one that ends":    {Scenario{Traffic: []Traffic{{Kind: "incast"}, {Kind: "flow"}}}, BySeveral, false},
		"a load":           {Scenario{Traffic: []Traffic{{Kind: "poisson", Load: units.Percent}}}, ByLoad, true},
		"a size":           {Scenario{Traffic: []Traffic{{Kind: "shift", Message: 1}}}, BySize, false},
		"a size, repeated": {Scenario{Traffic: []Traffic{{Kind: "shift", Message: 1, Every: 1}}}, BySize, true},
		"a flow":           {Scenario{Traffic: []Traffic{{Kind: "flow"}}}, BySize, false},
		"steps":            {Scenario{Traffic: []Traffic{{Kind: "ring_all_reduce", Message: 1}}}, BySteps, false},
	} {
		if got := c.s.unasked(); got != c.unasked || c.s.lasting() != c.lasting {
			t.Errorf("%s: %q, lasting %v", name, got, c.s.lasting())
		}
	}
}

// A scenario that cannot run is skipped, and a miss where somebody asks for it.
func TestSkippedRuns(t *testing.T) {
	for _, asked := range []bool{false, true} {
		j := &Job{Network: hall(2), Scenario: &Scenario{Name: "s", Asked: asked, Time: 80 * us, Traffic: []Traffic{{Kind: "incast", Senders: 2, Receivers: 1, QueuePairs: 1}}}}
		var done atomic.Int32
		out, err := Run(context.Background(), []Job{*j, *j}, func() { done.Add(1) })
		if err != nil || len(out) != 2 || out[0].Skipped != "needs 3 hosts, of which there are 2" || (fmt.Sprint(out[0].Missed) == fmt.Sprint([]string{NotRun})) != asked || len(out[1].Missed) != len(out[0].Missed) || done.Load() != 2 {
			t.Errorf("%+v, %v", out, err)
		}
		if j.Fits() {
			t.Error("it fits")
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if out, err := Run(ctx, []Job{{Network: hall(2), Scenario: &Scenario{}}}, nil); out != nil || err == nil {
		t.Errorf("%v, %v", out, err)
	}
}

// TCP is beside what goals are about, unless there is nothing else.
func TestBeside(t *testing.T) {
	rdma, tcp := sim.Flow{Class: 3}, sim.Flow{Class: 1, TCP: true}
	for _, c := range []struct {
		flows []sim.Flow
		want  uint8
	}{{[]sim.Flow{rdma, tcp, rdma}, 1 << 1}, {[]sim.Flow{tcp}, 0}, {[]sim.Flow{rdma}, 0}, {nil, 0}} {
		must.Equalf(t, ungoaled(c.flows), c.want, "%v:", c.flows)
	}
}

// Two hosts send to two others each, of which the faster one has all after 20 us, and the slower one after 60 us: until the faster one is done
// both ports are full. The probe after them says nothing.
func TestFirstDone(t *testing.T) {
	m := &measured{messages: 4, r: &sim.Result{Flows: []sim.FlowResult{
		{Index: 0, Src: 0, Dst: 2, FCTUS: 18}, {Index: 1, Src: 1, Dst: 2, StartUS: 1, FCTUS: 19},
		{Index: 2, Src: 0, Dst: 3, FCTUS: 60}, {Index: 3, Src: 1, Dst: 3, FCTUS: 50}, {Index: 4, Src: 1, Dst: 0, FCTUS: 2},
	}}}
	must.Equal(t, m.firstDone(), 20*us)
}
