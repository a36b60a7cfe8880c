package pattern

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/bound"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/workload"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// wired is hosts with 1 us of cable at 100 Gb/s, so many at each switch, and so many links of 100 Gb/s
// between each two of the switches in a row.
func wired(hosts, each, between int) *fabric.Network {
	net := hall(hosts)
	sc := &net.Scenario
	sc.Transport = sim.Transport{Payload: 1000, AckInterval: 1, NackInterval: 500 * us}
	sc.Buffer = sim.HPCCBuffer{Size: 32 * units.MiB, Reserve: 4 * units.KiB, ResumeOffset: 3 * units.KiB, AlphaShift: 3, HeadroomDelays: 3}
	sc.Wire = sim.Ethernet()
	link := func(a, b int) {
		sc.Links = append(sc.Links, sim.Link{A: a, B: b, Rate: 100 * units.Gbps, Delay: us})
	}
	switches := (hosts + each - 1) / each
	sc.Nodes = make([]sim.Node, hosts, hosts+switches)
	for host := range hosts {
		net.Hosts[host].Switch, net.Hosts[host].Port = fmt.Sprint("s", host/each), fmt.Sprint("p", host%each)
		link(host, hosts+host/each)
	}
	for i := range switches {
		sc.Nodes = append(sc.Nodes, sim.Switch)
		for range between {
			if i > 0 {
				link(hosts+i-1, hosts+i)
			}
		}
	}
	return net
}

// unnamed leaves ports without names, which a network by hand has not.
var unnamed = []func(sc *sim.Scenario, messages int){func(sc *sim.Scenario, _ int) { sc.Ports = nil }}

// once makes one run of some traffic.
func once(t *testing.T, net *fabric.Network, s *Scenario) Outcome {
	t.Helper()
	out := must.Get((&Job{Scenario: s, Network: net, Seed: 1, Prepare: unnamed}).Once(context.Background(), 1))(t)
	return out
}

// Hosts that each send to one other fill their ports: in the steady state links carry what they can,
// and a packet takes its two cables, 2 us, twice its own time, 1,048 B or 83.84 ns and what it may wait
// for, which are packets in the air and acknowledgements.
func TestSteadyStateOfAPermutation(t *testing.T) {
	s := &Scenario{Name: "all", Time: 400 * us, Traffic: []Traffic{{Kind: "permutation", QueuePairs: 1}}, Goals: Goals{Throughput: 90 * units.Percent, MaxLatency: 4 * us, UsualLatency: 4 * us}}
	out := once(t, wired(4, 4, 0), s)
	st := out.Steady
	if st == nil || !st.Settled || !out.Judged || out.Unasked != "" || len(out.Missed) > 0 {
		t.Fatalf("%+v", out)
	}
	if st.Throughput < 0.97 || st.Throughput > 1.001 || out.Throughput < 0.9 || out.Throughput > 1 {
		t.Errorf("throughput %v in the steady state, %v of all", st.Throughput, out.Throughput)
	}
	if st.LatencyMax < 2.167 || st.LatencyMax > 3 || st.LatencyBelowUsual != 1 {
		t.Errorf("latency up to %v us, %v of packets below 4 us", st.LatencyMax, st.LatencyBelowUsual)
	}
	// All are done within a packet's time of each other, after 400 us of data with headers and acknowledgements.
	if st.Until < 400 || st.Until > 500 || st.WarmUp > st.Until/2 || st.WarmUp != math.Trunc(st.WarmUp/5)*5 {
		t.Errorf("from %v to %v us", st.WarmUp, st.Until)
	}
	if out.Flows != 4 || out.Bytes != 4*5_000_000 || out.Pattern != "all" || out.Seed != 1 || out.Time != 400 { // 400 us at 100 Gb/s are 5 MB
		t.Errorf("%+v", out)
	}
	// Under half of what each packet takes, none is usual; 99.9 % of links cannot be had beside the wait for the start.
	s.Goals.UsualLatency, s.Goals.MaxLatency, s.Goals.Throughput = 2*us, 2*us, units.One
	out = once(t, wired(4, 4, 0), s)
	if out.Steady.LatencyBelowUsual != 0 || !slices.Contains(out.Missed, UsualLatency) || !slices.Contains(out.Missed, MaxLatency) {
		t.Errorf("%+v, missed %v", out.Steady, out.Missed)
	}
}

// Traffic of a load is what the scenario says until its time is over; a figure of throughput is none of it.
// A run that leaves steady time out has no search for one, nor probes.
func TestSteadyStateOfALoad(t *testing.T) {
	s := &Scenario{Time: 300 * us, Traffic: []Traffic{{Kind: "poisson", QueuePairs: 1, Copies: 1, Message: 2000, Load: 10 * units.Percent}}, Goals: Goals{MaxLatency: units.Second, UsualLatency: units.Second}}
	out := once(t, wired(4, 4, 0), s)
	if st := out.Steady; st == nil || st.Until != 300 || st.Throughput != 0 || out.Judged || out.Unasked != ByLoad {
		t.Errorf("%+v, %+v", out.Steady, out)
	}
	if out.MessageLatencyMax == 0 || out.Details != nil {
		t.Errorf("probes take %v, details %v", out.MessageLatencyMax, out.Details)
	}
	j := &Job{Scenario: s, Network: wired(4, 4, 0), Seed: 1, SkipSteady: true, Detailed: true, Prepare: unnamed}
	out, err := j.Once(context.Background(), 1)
	if err != nil || out.Steady != nil || out.MessageLatencyMax != 0 || out.Details == nil || len(out.Details.FlowResults) != out.Flows || len(out.Details.Queues) > 0 {
		t.Errorf("%v %+v", err, out)
	}
}

// A time in which nothing begins is no run; what is about to be run is shown before; a simulator's error
// is told with the scenario's name.
func TestOnceWithout(t *testing.T) {
	s := &Scenario{Name: "few", Time: 1, Traffic: []Traffic{{Kind: "poisson", QueuePairs: 1, Copies: 1, Message: 1_000_000, Load: units.Percent}}}
	if out := once(t, wired(4, 4, 0), s); out.Skipped != "has no message that begins in 1ps" || len(out.Missed) != 0 {
		t.Errorf("%+v", out)
	}
	if s.Asked = true; !slices.Equal(once(t, wired(4, 4, 0), s).Missed, []string{NotRun}) {
		t.Error("it was asked for")
	}
	s = &Scenario{Name: "broken", Time: us, Traffic: []Traffic{{Kind: "shift", QueuePairs: 1, Message: 5000}}}
	shown := 0
	j := &Job{Scenario: s, Network: wired(4, 4, 0), Seed: 1, Prepare: []func(*sim.Scenario, int){func(sc *sim.Scenario, messages int) {
		shown = messages
		sc.Transport.Payload = 0
	}}}
	if _, err := j.Once(context.Background(), 1); err == nil || !strings.HasPrefix(err.Error(), "broken: ") || shown != 4 {
		t.Errorf("%v, %d messages", err, shown)
	}
}

// What a run is bounded by, and whether a goal is beyond it.
func TestBoundsOfRuns(t *testing.T) {
	find := func(o *Outcome, kind string) *Bound {
		for i := range o.Bounds {
			if o.Bounds[i].Kind == kind {
				return &o.Bounds[i]
			}
		}
		return nil
	}
	judge := func(net *fabric.Network, s *Scenario, o Outcome) (*Outcome, *bound.Traffic) {
		j := &Job{Scenario: s, Network: net, Seed: 1}
		sc, messages := j.Build()
		j.Judge(&o, sc, messages)
		return &o, bound.Of(sc, messages)
	}
	incast := func() *Scenario {
		return &Scenario{Time: 80 * us, Traffic: []Traffic{{Kind: "incast", Senders: 3, Receivers: 1, QueuePairs: 1, Message: 1_000_000, Every: 60 * us}}}
	}
	net := wired(4, 4, 0)
	_, traffic := judge(net, incast(), Outcome{})
	start := traffic.Start().Latency
	for _, c := range []struct {
		goal   units.Time
		steady *Steady
		beyond bool
	}{{start, nil, false}, {start - 1, nil, true}, {start - 1, &Steady{}, true}} {
		s := incast()
		s.Goals.MaxLatency = c.goal
		o, _ := judge(net, s, Outcome{Steady: c.steady})
		b := find(o, LineRateStart)
		if b == nil || b.Goal != MaxLatency || b.Value != float64(start)/1e6 || b.Beyond != c.beyond || !strings.HasPrefix(b.Why, "3 hosts begin to send to one at line rate") {
			t.Errorf("%+v: %+v", c, b)
		}
	}
	// 3 MB each 60 us are four times what a port carries, and with 82 B beside each 1,000 B that much more: there is no end of it.
	if o, _ := judge(net, incast(), Outcome{}); find(o, LinkCapacity) == nil || find(o, LinkCapacity).Value != 4.328 || !find(o, LinkCapacity).Beyond || find(o, LinkCapacity).Goal != Finish ||
		find(o, LinkCapacity).Why != "the receivers of the incast are offered 433 % of what their port carries: what waits grows without end, and there is no steady state to judge" {
		t.Errorf("%+v", o.Bounds)
	}
	full := incast()
	for every, more := range map[units.Time]bool{240 * us: true, 259_680 * units.Nanosecond: false} { // of payload no more; as much as a port carries
		full.Traffic[0].Every = every
		if o, _ := judge(net, full, Outcome{}); (find(o, LinkCapacity) != nil) != more {
			t.Errorf("each %v: %+v", every, o.Bounds)
		}
	}

	// DCQCN: the whole run counts, whatever its steady state is.
	net.Scenario.Congestion = sim.Congestion{Algorithm: sim.UseDCQCN, DCQCN: sim.DCQCN{LeastKept: 0.5}}
	net.Scenario.Transport.CNPInterval = 4 * us
	_, traffic = judge(net, incast(), Outcome{})
	cuts, ok := traffic.Cuts()
	wave := traffic.Wave(cuts)
	if !ok || cuts.Kept != 0.5 {
		t.Fatalf("%+v", cuts)
	}
	for name, c := range map[string]struct {
		goal   units.Time
		steady *Steady
		beyond bool
	}{"a burst": {wave.Latency - 1, nil, true}, "as long": {wave.Latency, nil, false}, "with a steady state": {wave.Latency - 1, &Steady{Settled: true}, true}} {
		s := incast()
		s.Goals.MaxLatency = c.goal
		o, _ := judge(net, s, Outcome{Steady: c.steady})
		b := find(o, SlowestCuts)
		if b == nil || b.Goal != MaxLatency || b.Beyond != c.beyond || !b.Judged {
			t.Errorf("%s: %+v", name, b)
			continue
		}
		if b.Value != float64(wave.Latency)/1e6 || !strings.HasPrefix(b.Why, "3 hosts begin over 3 queue pairs; with a CNP every 4us, and 50 % of the rate left by each, they have sent") {
			t.Errorf("%s: %+v", name, b)
		}
	}
	tcp := incast()
	tcp.Traffic[0].Message = 1000
	net.Scenario.Congestion = sim.Congestion{}
	if o, _ := judge(net, tcp, Outcome{}); find(o, SlowestCuts) != nil {
		t.Errorf("without DCQCN: %+v", o.Bounds)
	}

	// Four hosts send over the one link to another switch, each to a host of its own.
	net = wired(8, 4, 1)
	_, traffic = judge(net, &Scenario{Time: 80 * us, Traffic: []Traffic{{Kind: "shift", QueuePairs: 1}}}, Outcome{})
	o, _ := judge(net, &Scenario{Time: 80 * us, Traffic: []Traffic{{Kind: "shift", QueuePairs: 1}}, Goals: Goals{MaxLatency: us}}, Outcome{Missed: []string{MaxLatency}})
	if b, blind := find(o, LineRateStart), traffic.Wave(bound.Cuts{}); blind.Last || blind.Latency <= traffic.Start().Latency || b.Value != float64(blind.Latency)/1e6 || !b.Beyond ||
		!strings.HasPrefix(b.Why, "4 hosts begin to send at line rate over 4 queue pairs, and before anything comes back they send") {
		t.Errorf("%+v, %+v", b, blind)
	}

	// Eight hosts of two switches over two links by their hash: some share one.
	net = wired(8, 4, 2)
	fills := &Scenario{Time: 80 * us, Traffic: []Traffic{{Kind: "shift", QueuePairs: 1}}}
	_, traffic = judge(net, fills, Outcome{})
	even := traffic.Even()
	least, flows := traffic.Hashed()
	share, shared := traffic.Collisions(even.Rate)
	for name, c := range map[string]struct {
		o     Outcome
		value float64
		why   string
	}{
		"a whole run":     {Outcome{Judged: true}, float64(even.Least) / float64(least), fmt.Sprintf("%d flows share a link by their hash, which takes %v", flows, least)},
		"one not settled": {Outcome{Judged: true, Steady: &Steady{}}, float64(even.Least) / float64(least), fmt.Sprintf("%d flows share a link", flows)},
		"a steady state":  {Outcome{Judged: true, Steady: &Steady{Settled: true}}, share, fmt.Sprintf("of the flows that share a link by their hash, up to %d have more to send than it carries", shared)},
	} {
		if c.value >= 1 {
			t.Fatalf("%s: %v: the hash shares no link, so that there is nothing to test", name, c.value)
		}
		for goal, beyond := range map[units.Ratio]bool{units.Ratio(c.value*float64(units.One)) - 1: false, units.Ratio(c.value*float64(units.One)) + 2: true} {
			fills.Goals.Throughput = goal
			o, _ := judge(net, fills, c.o)
			b := find(o, ECMPCollisions)
			if b == nil || b.Value != c.value || b.Goal != Throughput || b.Beyond != beyond || !strings.HasPrefix(b.Why, c.why) {
				t.Errorf("%s with a goal of %v: %+v, want %v", name, goal, b, c.value)
			}
		}
	}
	if o, _ := judge(net, fills, Outcome{}); find(o, ECMPCollisions) != nil {
		t.Errorf("where throughput is no goal: %+v", o.Bounds)
	}
	if o, _ := judge(wired(8, 8, 0), fills, Outcome{Judged: true}); find(o, ECMPCollisions) != nil {
		t.Errorf("where none share a link: %+v", o.Bounds)
	}
	net.Scenario.Balancing.Mode = balance.Spray
	if o, _ := judge(net, fills, Outcome{Judged: true}); find(o, ECMPCollisions) != nil {
		t.Errorf("without a hash: %+v", o.Bounds)
	}
}

// A goal is out of reach where a bound is beyond it that the run misses; without an end nothing is in
// reach.
func TestInfeasible(t *testing.T) {
	latency, capacity := Bound{Kind: LineRateStart, Goal: MaxLatency, Beyond: true}, Bound{Kind: LinkCapacity, Goal: Finish, Beyond: true}
	within := latency
	within.Beyond = false
	cuts := latency
	cuts.Kind = SlowestCuts
	if o := (&Outcome{Bounds: []Bound{latency, cuts}, Missed: []string{MaxLatency}}); o.BeyondCuts() == nil || o.BeyondCuts().Kind != SlowestCuts {
		t.Errorf("%+v", o.BeyondCuts())
	}
	if o := (&Outcome{Bounds: []Bound{latency, cuts}, Missed: []string{Throughput}}); o.BeyondCuts() != nil {
		t.Errorf("latency is met: %+v", o.BeyondCuts())
	}
	for name, c := range map[string]struct {
		o       Outcome
		bound   string
		inReach bool
	}{
		"nothing is missed":           {Outcome{Bounds: []Bound{latency, capacity}}, "", false},
		"another goal is missed":      {Outcome{Bounds: []Bound{latency}, Missed: []string{Throughput}}, "", true},
		"that goal is missed":         {Outcome{Bounds: []Bound{within, latency}, Missed: []string{Throughput, MaxLatency}}, LineRateStart, false},
		"it is within the bound":      {Outcome{Bounds: []Bound{within}, Missed: []string{MaxLatency}}, "", true},
		"more is offered":             {Outcome{Bounds: []Bound{capacity}, Missed: []string{Throughput}}, LinkCapacity, false},
		"it was not run":              {Outcome{Skipped: "x", Missed: []string{NotRun}}, "", false},
		"no bound, and one is missed": {Outcome{Missed: []string{Throughput}}, "", true},
		"other NICs cut deeper":       {Outcome{Bounds: []Bound{cuts}, Missed: []string{MaxLatency}}, "", true},
	} {
		b := c.o.Infeasible()
		if (b == nil) != (c.bound == "") || b != nil && b.Kind != c.bound || c.o.MissedInReach() != c.inReach {
			t.Errorf("%s: %+v, in reach %v", name, b, c.o.MissedInReach())
		}
	}
}

// How far a run is from each goal, by the whole run or by its steady state. Two cables are 2 us, and 1,000 B take 80 ns on each of two links: no
// packet takes less than 2.16 us. Of throughput and latency the strictest bound of what is judged is told, and that of NIC constants beside.
func TestFarFromGoals(t *testing.T) {
	s := &Scenario{Goals: Goals{Throughput: 90 * units.Percent, MaxLatency: 80 * us, Slowdown: 4, SlowdownP99: 100, Steps: 10}}
	sc := &wired(4, 4, 0).Scenario
	sc.Flows = []sim.Flow{{Src: 0, Dst: 1, Bytes: 5000}}
	traffic := bound.Of(sc, 1)
	whole := &Outcome{Throughput: 0.5, LatencyMax: 100, LatencyBelowUsual: 0.7, PauseWindows: 200, WindowsOver: 50, Unfinished: 3, LosslessDrops: 4, LosslessLost: 5}
	whole.Completion = &Completion{Spread: Spread{SlowdownMean: 7, SlowdownP99: 200}, Blocks: []Block{{Least: 2, Steps: 3}, {Least: 3, Steps: 12}, {}}}
	steady := *whole
	steady.Steady = &Steady{Settled: true, Figures: Figures{Throughput: 0.6, LatencyMax: 90, LatencyBelowUsual: 0.8, PauseWindows: 100, WindowsOver: 10}}
	for goal, c := range map[string]struct {
		whole, steady, asked, bound float64
		by, text                    string
	}{
		Throughput:      {0.5, 0.6, 0.9, 1, LinkCapacity, "throughput: bound 100.0 % by link-capacity, reached 50.0 %, asked 90.0 %"},
		MaxLatency:      {100, 100, 80, 2.16, EmptyWay, "max-latency: bound 2.2 us by empty-way, reached 100.0 us, asked 80.0 us"},
		UsualLatency:    {0.7, 0.7, 0.9, 0, "", "usual-latency: no bound proved, reached 70.0 %, asked 90.0 %"},
		PausesPerSecond: {0.25, 0.25, 0.01, 0, "", "pauses-per-second: no bound proved, reached 25.0 %, asked 1.0 %"},
		Finish:          {3, 3, 0, 0, "", "all-flows-finish: no bound proved, reached 3, asked 0"},
		LosslessDrops:   {4, 4, 0, 0, "", "zero-lossless-drops: no bound proved, reached 4, asked 0"},
		LosslessLosses:  {5, 5, 0, 0, "", "zero-lossless-losses: no bound proved, reached 5, asked 0"},
		MeanSlowdown:    {7, 7, 4, 1, EmptyWay, "slowdown: bound 1.0 times by empty-way, reached 7.0 times, asked 4.0 times"},
		SlowdownP99:     {200, 200, 100, 1, EmptyWay, "slowdown-p99: bound 1.0 times by empty-way, reached 200.0 times, asked 100.0 times"},
		StepsTime:       {12, 12, 10, 1, LeastSteps, "steps: bound 1.0 times by least-steps, reached 12.0 times, asked 10.0 times"},
	} {
		for o, did := range map[*Outcome]float64{whole: c.whole, &steady: c.steady} {
			if got := s.far(o, goal, traffic); got.Goal != goal || got.Did != did || math.Abs(got.Asked-c.asked) > 1e-12 || got.Bound != c.bound || got.By != c.by || o == whole && got.String() != c.text {
				t.Errorf("%s: %+v, want %+v", got, got, c)
			}
		}
		more, less := Far{Goal: goal, Did: 2}, Far{Goal: goal, Did: 1}
		if least := goal == Throughput || goal == UsualLatency; more.Worse(less) == least || less.Worse(more) != least || more.Worse(more) {
			t.Errorf("%s: of 2 and 1 the worse", goal)
		}
	}
	if got := s.far(&Outcome{WindowsOver: 1}, PausesPerSecond, traffic); got.Did != 1 {
		t.Errorf("without windows: %+v", got)
	}
	for name, c := range map[string]struct {
		goal  string
		bound Bound
		want  string
	}{
		"less can be had":        {Throughput, Bound{Kind: ECMPCollisions, Goal: Throughput, Value: 0.8, Judged: true}, "bound 80.0 % by ecmp-collisions, reached"},
		"of what is not judged":  {Throughput, Bound{Kind: ECMPCollisions, Goal: Throughput, Value: 0.8}, "bound 100.0 % by link-capacity, reached"},
		"of another goal":        {Throughput, Bound{Kind: LinkCapacity, Goal: Finish, Value: 0.7, Judged: true}, "bound 100.0 % by link-capacity, reached"},
		"later":                  {MaxLatency, Bound{Kind: LineRateStart, Goal: MaxLatency, Value: 70, Judged: true}, "bound 70.0 us by line-rate-start, reached"},
		"no later than alone":    {MaxLatency, Bound{Kind: LineRateStart, Goal: MaxLatency, Value: 2, Judged: true}, "bound 2.2 us by empty-way, reached"},
		"of NIC constants":       {MaxLatency, Bound{Kind: SlowestCuts, Goal: MaxLatency, Value: 91, Judged: true}, "bound 2.2 us by empty-way (of these NIC constants 91.0 us by dcqcn-cuts), reached"},
		"of NICs, of the start":  {MaxLatency, Bound{Kind: SlowestCuts, Goal: MaxLatency, Value: 91}, "bound 2.2 us by empty-way, reached"},
		"of NICs, and no better": {MaxLatency, Bound{Kind: SlowestCuts, Goal: MaxLatency, Value: 2, Judged: true}, "bound 2.2 us by empty-way, reached"},
	} {
		o := *whole
		o.Bounds = []Bound{c.bound}
		if got := s.far(&o, c.goal, traffic).String(); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Room is of the goal that is closest: 97.5 % is half-way from 95 % to all, 60 us leave a quarter of 80 us, 95 % of packets half of the way from
// 90 %, one window of 200 half of the 2 that may be over. What is missed leaves none, and what is no goal counts for nothing.
func TestRoom(t *testing.T) {
	all := Outcome{Judged: true, Throughput: 1, LatencyBelowUsual: 1, PauseWindows: 200}
	for name, c := range map[string]struct {
		spoil func(*Outcome, *Goals)
		want  float64
	}{
		"all":              {func(*Outcome, *Goals) {}, 1},
		"more than all":    {func(o *Outcome, _ *Goals) { o.Throughput = 1.2 }, 1},
		"throughput":       {func(o *Outcome, _ *Goals) { o.Throughput = 0.975 }, 0.5},
		"none is asked":    {func(o *Outcome, _ *Goals) { o.Throughput, o.Judged = 0.1, false }, 1},
		"latency":          {func(o *Outcome, _ *Goals) { o.LatencyMax, o.Throughput = 60, 0.975 }, 0.25},
		"usual":            {func(o *Outcome, _ *Goals) { o.LatencyBelowUsual = 0.95 }, 0.5},
		"of scenarios":     {func(o *Outcome, g *Goals) { o.LatencyBelowUsual, g.OfScenarios = 0.95, true }, 1},
		"pauses":           {func(o *Outcome, _ *Goals) { o.WindowsOver = 1 }, 0.5},
		"missed":           {func(o *Outcome, _ *Goals) { o.Missed = []string{Finish} }, 0},
		"the steady state": {func(o *Outcome, _ *Goals) { o.Steady = &Steady{Settled: true, Figures: Figures{0.96, 79, 1, 10, 0}} }, 0.2},
		"slowdown": {func(o *Outcome, g *Goals) {
			g.Slowdown, o.Completion = 11, &Completion{Spread: Spread{SlowdownMean: 6}}
		}, 0.5},
		"no such goal": {func(o *Outcome, g *Goals) { o.Completion = &Completion{Spread: Spread{SlowdownMean: 6}} }, 1},
	} {
		o, g := all, goals
		c.spoil(&o, &g)
		if got := g.room(&o); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A scenario runs on the network of others unless it asks for something of its own.
func TestPlain(t *testing.T) {
	if !(&Scenario{Processes: 3, Traffic: []Traffic{{Kind: "shift"}}, Events: []Event{{Kind: PFCStorm}}}).plain() {
		t.Error("it asks for nothing")
	}
	end := hall(2).Hosts[1].End()
	for i, s := range []Scenario{
		{Hosts: hallEnds(1)}, {LoadBalancing: "spray"}, {CongestionControl: "hpcc"}, {Transport: "dc"}, {DC: &fabric.DC{}}, {Swift: &fabric.Swift{}}, {RTTCC: &sim.RTTCC{}},
		{Polling: fabric.Polling{Period: 1}}, {Polling: fabric.Polling{Weight: 1}}, {ECNByPart: true},
		{Traffic: []Traffic{{Src: end}}}, {Traffic: []Traffic{{Dst: end}}}, {Events: []Event{{Where: end}}},
	} {
		if s.plain() {
			t.Errorf("%d asks for something of its own", i)
		}
	}
	s := Scenario{Traffic: []Traffic{{Src: end}, {Dst: end}}, Events: []Event{{Where: end}, {}}}
	if got := s.named(); len(got) != 3 {
		t.Errorf("it names %v", got)
	}
}

// What befalls a run is laid where it is said, or where the seed draws it among what is there, and the
// run lasts until hosts have given up: 7 tries of 67.1 ms, twice.
func TestWhatBefalls(t *testing.T) {
	net := wired(8, 4, 2) // links 8 and 9 are between the switches
	flows := []sim.Flow{{Src: 0, Dst: 5}, {Src: 1, Dst: 6}}
	const timeout = 67_108_864 * units.Nanosecond
	s := &Scenario{Events: []Event{
		{Kind: LinkFailure, At: 3 * us, Until: 9 * us, Convergence: 5 * us}, {Kind: LinkFailure, At: 4 * us, Until: 7 * us, Convergence: 2 * us},
		{Kind: PFCStorm, At: us, Until: 11 * us}, {Kind: PFCStorm, Where: net.Hosts[2].End(), At: 2 * us, Until: 8 * us},
		{Kind: SlowReceiver, Where: net.Hosts[3].End(), Buffer: 500_000, Rate: units.Gbps, Until: us},
	}}
	links, hosts := map[int]bool{}, map[int]bool{}
	for seed := range uint64(30) {
		sc := net.Scenario
		sc.Flows = flows
		s.befall(&sc, net, seed, flows)
		if len(sc.Outages) != 2 || len(sc.Storms) != 2 || len(sc.Receivers) != 1 {
			t.Fatalf("%+v", sc)
		}
		o, w := sc.Outages[0], sc.Storms[0]
		links[o.Link], hosts[w.Host] = true, true
		if o.Down != 3*us || o.Up != 9*us || w.From != us || w.To != 11*us || w.Class != 3 || sc.Storms[1] != (sim.Storm{Host: 2, Class: 3, From: 2 * us, To: 8 * us}) || sc.Receivers[0].Host != 3 {
			t.Errorf("%+v, %+v, %+v", o, sc.Storms, sc.Receivers)
		}
		if sc.Convergence != 5*us || sc.Transport.AckTimeout != timeout || sc.Transport.Retries != 7 || sc.Stop != 11*us+14*timeout {
			t.Errorf("convergence %v, timeout %v, stop %v", sc.Convergence, sc.Transport.AckTimeout, sc.Stop)
		}
	}
	if fmt.Sprint(links, hosts) != "map[8:true 9:true] map[5:true 6:true]" {
		t.Errorf("links %v, hosts %v", links, hosts)
	}
	sc := net.Scenario
	(&Scenario{}).befall(&sc, net, 1, flows)
	if sc.Transport.AckTimeout != 0 || sc.Stop != 0 {
		t.Errorf("nothing befalls it: %+v", sc.Transport)
	}
}

// What the simulator is to run: how long at most, and what of it is asked for.
func TestBuild(t *testing.T) {
	build := func(net *fabric.Network, s *Scenario, edit func(*Job)) *sim.Scenario {
		j := &Job{Scenario: s, Network: net, Seed: 5}
		if edit != nil {
			edit(j)
		}
		sc, messages := j.Build()
		if messages == 0 || j.SkipSteady != (len(sc.Flows) == messages) {
			t.Errorf("%d messages of %d", messages, len(sc.Flows))
		}
		return sc
	}
	ms := units.Millisecond
	shift := &Scenario{Time: 40 * us, Traffic: []Traffic{{Kind: "shift", QueuePairs: 1}}, Goals: Goals{UsualLatency: 9}}
	sc := build(wired(4, 4, 0), shift, nil)
	if sc.Stop != 102*ms || sc.Seed != 5 || sc.Observe.Usual != 9 || sc.Observe.Buffers || sc.SkipSteady { // 50 · 40 us and 100 ms
		t.Errorf("%+v, stop %v", sc.Observe, sc.Stop)
	}
	if sc = build(wired(4, 4, 0), shift, func(j *Job) { j.Detailed = true }); !sc.Observe.Buffers {
		t.Error("buffers are not asked for")
	}
	if sc = build(wired(4, 4, 0), shift, func(j *Job) { j.Detailed, j.SkipSteady = true, true }); sc.Observe.Buffers || !sc.SkipSteady {
		t.Error("buffers of a run that leaves time out")
	}
	faulty := wired(4, 4, 0)
	faulty.Faults = make([]fabric.Injected, 1)
	if sc = build(faulty, shift, nil); sc.Stop != 102*ms+14*67_108_864*units.Nanosecond {
		t.Errorf("with a fault it stops at %v", sc.Stop)
	}
	gpus := &Scenario{Time: 40 * us, Traffic: []Traffic{{Kind: "collective", Message: 4000, Repeat: 1, QueuePairs: 1, Collective: &Collective{Kind: workload.AllReduce, Stride: 1}}}}
	if sc = build(wired(4, 4, 0), gpus, nil); sc.Stop != 102*ms+100*units.Second {
		t.Errorf("with GPUs it stops at %v", sc.Stop)
	}
}

// About how often packets are sent over links: 4 hosts at 100 Gb/s begin 400 packets of 1,000 B and
// headers in some us, over two links where they are at one switch, with as many acknowledgements.
func TestPacketHops(t *testing.T) {
	wire := sim.Ethernet()
	data, _ := wire.Taken()
	packets := int64(4*100_000*80/8) / int64(1000+data) // 80 us, 100,000 bits per us
	for each, links := range map[int]int64{4: 2, 2: 4} {
		j := &Job{Scenario: &Scenario{Time: 80 * us}, Network: wired(4, each, 1)}
		must.Equalf(t, j.PacketHops(), 2*links*packets, "%d hosts at a switch:", each)
	}
}

// An error of a run ends all; runs that are made again end with the last that could be made.
func TestSettleErrors(t *testing.T) {
	failed := errors.New("failed")
	runs := 0
	j := Job{Scenario: &Scenario{Time: 10 * us}, Longest: 1000 * us}
	_, err := j.settle(context.Background(), 1, func(context.Context, *Job, int) (Outcome, error) {
		if runs++; runs == 2 {
			return Outcome{}, failed
		}
		return Outcome{Missed: []string{Throughput}, Steady: &Steady{}}, nil
	})
	if !errors.Is(err, failed) || runs != 2 {
		t.Errorf("%v after %d runs", err, runs)
	}
	// What no setting can meet, longer runs do not either; a figure within 1 % of half as long a run's is known.
	for name, c := range map[string]struct {
		o      Outcome
		before float64
		want   bool
	}{
		"beyond a bound":      {Outcome{Missed: []string{Throughput}, Steady: &Steady{}, Bounds: []Bound{{Kind: LinkCapacity, Beyond: true}}}, 0, false},
		"within a per cent":   {Outcome{Missed: []string{Throughput}, Steady: &Steady{Settled: true, Figures: Figures{Throughput: 0.5}}}, 0.4951, false},
		"more":                {Outcome{Missed: []string{Throughput}, Steady: &Steady{Settled: true, Figures: Figures{Throughput: 0.5}}}, 0.4949, true},
		"more on the way":     {Outcome{Missed: []string{Throughput}, Steady: &Steady{Settled: true, Figures: Figures{Throughput: 0.5}}}, 0.51, true},
		"no throughput":       {Outcome{Missed: []string{Throughput}, Steady: &Steady{Settled: true}}, 0.5, false},
		"the first of them":   {Outcome{Missed: []string{Throughput}, Steady: &Steady{Settled: true, Figures: Figures{Throughput: 0.5}}}, -1, true},
		"meets all its goals": {Outcome{Steady: &Steady{}}, -1, false},
	} {
		must.Equalf(t, j.restless(&c.o, c.before), c.want, "%s:", name)
	}
}

// Sizes lie on the lines between the points: of 1,000 to 3,000 B half are below 2,000; where the
// distribution jumps, the upper end; no message is below 64 B.
func TestSizesByHand(t *testing.T) {
	s := &Sizes{Bytes: []int64{10, 1000, 1000, 3000, 9000}, CDF: []float64{0, 0, 50, 100, 100}}
	for percent, want := range map[float64]units.Bytes{0: 1000, 25: 1000, 50: 1000, 75: 2000, 100: 3000} {
		must.Equalf(t, s.at(percent), want, "%v %%:", percent)
	}
	s = &Sizes{Bytes: []int64{0, 200}, CDF: []float64{0, 99}}
	for percent, want := range map[float64]units.Bytes{0: 64, 9.9: 64, 49.5: 100, 99: 200, 100: 200} {
		must.Equalf(t, s.at(percent), want, "%v %%:", percent)
	}
}

func hallEnds(n int) (list []plan.LinkEnd) {
	for _, h := range hall(n).Hosts {
		list = append(list, h.End())
	}
	return list
}

// What a run counted is told: what never arrived beside what was stranded, and each way to lose packets.
func TestCountersOfRuns(t *testing.T) {
	r := &sim.Result{Observed: &sim.Observed{WindowUS: 1}}
	r.UnfinishedFlows, r.WatchdogEvents, r.ECNMarks, r.CNPs, r.Drops = 3, 5, 6, 7, 8
	r.LostOnWire, r.Flushed, r.Unrouted, r.Overrun, r.WatchdogDrops = 1, 20, 300, 4000, 50_000
	r.PeakEgressQueue, r.PeakHeadroom, r.PacketHops, r.Events, r.WallSeconds, r.PeakMemory, r.SkippedUS = 9, 10, 11, 12, 13, 14, 15
	net := wired(4, 4, 0)
	sc := net.Scenario
	sc.Flows, sc.Storms = []sim.Flow{{Src: 0, Dst: 1}, {Src: 2, Dst: 3}}, []sim.Storm{{Host: 3}}
	var o Outcome
	o.measure(&measured{net: net, sc: &sc, r: r, goals: &Goals{}, messages: 2})
	if o.Unfinished != 2 || o.Stranded != 1 || o.Lost != 54_321 || o.Watchdog != 5 || o.Marks != 6 || o.CNPs != 7 || o.Drops != 8 ||
		o.PeakEgressQueue != 9 || o.PeakHeadroom != 10 || o.PacketHops != 11 || o.Events != 12 || o.WallSeconds != 13 || o.PeakMemory != 14 || o.SkippedUS != 15 {
		t.Errorf("%+v", o)
	}
}

// A scenario that counts GPUs runs on as many servers as the size has hosts for, and at least on those that
// it needs: of two NICs and four GPUs each, two for eight GPUs.
func TestServersOfScenarios(t *testing.T) {
	p := &plan.Plan{}
	for i := range 6 {
		p.Servers = append(p.Servers, plan.Server{GPUs: 4, NICs: []plan.LinkEnd{{Switch: "s", Port: fmt.Sprint(2 * i)}, {Switch: "s", Port: fmt.Sprint(2*i + 1)}}})
	}
	eight := &Scenario{Traffic: []Traffic{{Kind: "collective", Collective: &Collective{Group: 8, Stride: 1}}}}
	for size, want := range map[fabric.Size]int{{Edges: 1, HostsPerEdge: 3}: 4, {Edges: 2, HostsPerEdge: 2}: 4, {Edges: 1, HostsPerEdge: 5}: 4, {Edges: 2, HostsPerEdge: 3}: 6, {Edges: 2, HostsPerEdge: 4}: 8, {Edges: 9, HostsPerEdge: 9}: 12} {
		if got := eight.servers(p, size); len(got) != want || got[want-1] != p.Servers[want/2-1].NICs[1] {
			t.Errorf("%v: %v, want %d", size, got, want)
		}
	}
	if got := (&Scenario{Traffic: []Traffic{{Kind: "shift"}}}).servers(p, fabric.Size{Edges: 9, HostsPerEdge: 9}); got != nil {
		t.Errorf("without GPUs %v", got)
	}
}

// Operations of GPUs begin with their traffic, and are on queue pairs of their own: those of the second
// traffic from 1,025 on. A ring keeps no number; it repeats messages.
func TestOperationsOfTraffic(t *testing.T) {
	net := hall(4)
	computes := Traffic{Kind: "collective", Message: 4000, QueuePairs: 1, Copies: 1, Repeat: 1, Start: 5 * us, Collective: &Collective{Kind: workload.AllReduce, Algorithm: workload.Ring, Stride: 1, Compute: 3 * us}}
	for _, f := range laid(computes, net) {
		if len(f.After) == 0 && len(f.Each) == 0 && f.Start != 8*us || f.Src != f.Dst && f.QueuePair != 0 {
			t.Errorf("%+v", f)
		}
	}
	at := computes
	at.Collective = &Collective{Kind: workload.AllReduce, Algorithm: workload.Ring, Stride: 1}
	for _, f := range laid(at, net) { // nothing is computed
		if f.Src == f.Dst && f.Delay > 0 || f.Start != 5*us {
			t.Errorf("%+v", f)
		}
	}
	net.Scenario.Transport.Selective = true // no trains
	flows, first := lay(&Scenario{Time: 80 * us, Traffic: []Traffic{at, at}}, net, 7)
	pairs := [2]map[int]bool{{}, {}}
	for i, f := range flows {
		if f.Src != f.Dst {
			pairs[i/first][f.QueuePair] = true
		}
	}
	for i, own := range pairs {
		if len(own) != 4 || !own[1+1024*i] || !own[4+1024*i] {
			t.Errorf("traffic %d on %v", i, own)
		}
	}
}

// Five million operations of a trace are taken, one million messages of others; where messages cannot be
// repeated each time counts.
func TestMostMessages(t *testing.T) {
	net := hall(4)
	trace := func(pairs int) *Scenario {
		return &Scenario{Time: 80 * us, Traffic: []Traffic{{Kind: "trace", QueuePairs: pairs, Workload: &workload.Workload{Ranks: 4, Nodes: make([]workload.Node, 1000)}}}}
	}
	must.Equal(t, trace(5000).unfit(net), "")
	must.Equal(t, trace(5001).unfit(net), "is 5001000 messages of trace, above 5000000")
	// 5 · 4 messages, or 4 · 6 and what joins at each, over 40,000 queue pairs.
	ring := &Scenario{Time: 80 * us, Traffic: []Traffic{{Kind: "collective", Message: 4000, QueuePairs: 40_000, Repeat: 1, Collective: &Collective{Kind: workload.AllReduce, Algorithm: workload.Ring, Stride: 1}}}}
	must.Equal(t, ring.unfit(net), "")
	net.Scenario.Transport.Selective = true
	must.Equal(t, ring.unfit(net), "is 1120000 messages of collective, above 1000000")
}

// Trees keep their queue pairs: of two traffics with two each, 1 and 2, and 1,025 and 1,026.
func TestQueuePairsOfTrees(t *testing.T) {
	tree := Traffic{Kind: "tree_all_reduce", Message: 8000, QueuePairs: 2}
	flows, first := lay(&Scenario{Time: 80 * us, Traffic: []Traffic{tree, tree}}, hall(4), 7)
	for i, f := range flows {
		must.Equalf(t, f.QueuePair, 1+1024*(i/first)+i%2, "message %d on", i)
	}
}
