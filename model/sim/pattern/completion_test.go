package pattern

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/bound"
	"github.com/roceplan/roceplan/model/sim/workload"
	"github.com/roceplan/roceplan/units"
)

// Of five messages in two blocks, by hand: TCP and trains count in their blocks alone, probes nowhere.
func TestCompletionByHand(t *testing.T) {
	net := wired(4, 4, 0)
	sc := &net.Scenario
	sc.Flows = []sim.Flow{
		{Src: 0, Dst: 1, Bytes: 5000}, {Src: 0, Dst: 1, Bytes: 20_000, Start: 10 * us}, {Src: 1, Dst: 2, Bytes: 5000, TCP: true, Block: 1}, {Src: 0, Dst: 3, Bytes: 5000},
		{Src: 1, Dst: 2, Bytes: 1000, Repeat: 3, Block: 2}, {Src: 0, Dst: 1, Bytes: 5000, Block: 1}, {Src: 1, Dst: 2, Bytes: 64},
	}
	r := &sim.Result{Flows: []sim.FlowResult{
		{Index: 0, Bytes: 5000, FCTUS: 20, Slowdown: 2}, {Index: 1, Bytes: 20_000, StartUS: 10, FCTUS: 60, Slowdown: 6}, {Index: 2, Bytes: 5000, StartUS: 5, FCTUS: 90, Slowdown: 9},
		{Index: 3, Bytes: 5000, FCTUS: 800, Slowdown: 80}, {Index: 4, Bytes: 3000, FCTUS: 12, Slowdown: 3}, {Index: 6, Bytes: 64, FCTUS: 7, Slowdown: 700},
	}}
	m := &measured{net: net, sc: sc, r: r, goals: &Goals{}, messages: 6}
	s := &Scenario{Traffic: []Traffic{{Kind: "flow", Name: "reads"}, {Kind: "flow"}, {Kind: "ring_all_reduce"}}}
	got := m.completion(s, bound.Of(sc, 6))
	want := Completion{
		Spread: Spread{3, 880.0 / 3, 800, 88.0 / 3, 6, 80, 80}, LeastMean: 1, LeastP99: 1,
		Sizes: []Bin{{0, 10_000, Spread{2, 410, 800, 41, 2, 80, 80}}, {10_000, 100_000, Spread{1, 60, 60, 6, 6, 6, 6}}},
		Blocks: []Block{
			{Name: "reads", Kind: "flow", Bytes: 30_000, Spread: Spread{3, 880.0 / 3, 800, 88.0 / 3, 6, 80, 80}, Duration: 800},
			{Name: "flow", Kind: "flow", Bytes: 10_000, Unfinished: 1, Spread: Spread{1, 90, 90, 9, 9, 9, 9}},
			// Three times 1,000 B wait for themselves: 2 us of cable and 80 ns each, on both links at once.
			{Name: "ring_all_reduce", Kind: "ring_all_reduce", Bytes: 3000, Duration: 12, Least: 2.24, LeastBy: ByRow, Steps: 12 / 2.24},
		},
	}
	must.NoDiff(t, cmp.Diff(want, got))
	if late := m.after(10, 70); late.Messages != 1 || late.SlowdownMean != 6 {
		t.Errorf("of what began late: %+v", late)
	}
}

// Sizes are divided where figure 22 of DCTCP divides them.
func TestBins(t *testing.T) {
	for bytes, want := range map[int64]int{0: 0, 64: 0, 9999: 0, 10_000: 1, 99_999: 1, 100_000: 2, 999_999: 2, 1_000_000: 3, 9_999_999: 3, 10_000_000: 4, 1 << 40: 4} {
		must.Equalf(t, binOf(bytes), want, "%d B:", bytes)
	}
}

// Of 40 messages each group has two; of those of one size none is before another.
func TestBySize(t *testing.T) {
	var flows []sim.FlowResult
	for i := range 40 {
		flows = append(flows, sim.FlowResult{Bytes: int64(1000 * (40 - i)), Slowdown: float64(40 - i)})
	}
	got := bySize(flows)
	if len(got) != 20 || got[0] != (SizeGroup{2000, 2, 1, 2}) || got[19] != (SizeGroup{40_000, 2, 39, 40}) {
		t.Errorf("%+v", got)
	}
	same := []sim.FlowResult{{Bytes: 64, Slowdown: 3}, {Bytes: 64, Slowdown: 1}, {Bytes: 900, Slowdown: 7}, {Bytes: 64, Slowdown: 2}}
	if got := bySize(same); !slices.Equal(got, []SizeGroup{{64, 3, 2, 3}, {900, 1, 7, 7}}) {
		t.Errorf("%+v", got)
	}
	if got := bySize(nil); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// Blocks are called by their names or kinds, and numbered where these are the same.
func TestNamesOfBlocks(t *testing.T) {
	s := &Scenario{Traffic: []Traffic{{Kind: "incast"}, {Kind: "poisson", Name: "web"}, {Kind: "incast"}, {Kind: "poisson"}, {Kind: "flow", Name: "web"}}}
	if got := s.names(); !slices.Equal(got, []string{"incast-1", "web-1", "incast-2", "poisson", "web-2"}) {
		t.Error(got)
	}
}

// A goal is a multiple that may be reached, and 0 is none. A lost packet of a lossless class is a miss whatever it was lost to.
func TestCompletionGoals(t *testing.T) {
	done := &Completion{Spread: Spread{SlowdownMean: 5, SlowdownP99: 50}, Blocks: []Block{{Least: 1, Steps: 4}}}
	for name, c := range map[string]struct {
		goals Goals
		o     Outcome
		want  []string
	}{
		"as much as is asked": {Goals{Slowdown: 5, SlowdownP99: 50, Steps: 4}, Outcome{Completion: done}, nil},
		"more":                {Goals{Slowdown: 4.9, SlowdownP99: 49.9, Steps: 3.9}, Outcome{Completion: done}, []string{MeanSlowdown, SlowdownP99, StepsTime}},
		"no goals":            {Goals{}, Outcome{Completion: done}, nil},
		"nothing to judge":    {Goals{Slowdown: 1, SlowdownP99: 1, Steps: 1}, Outcome{Completion: &Completion{}}, nil},
		"lost on a wire":      {Goals{}, Outcome{LosslessLost: 1}, []string{LosslessLosses}},
	} {
		c.o.LatencyBelowUsual = 1
		if got := c.goals.missed(&c.o); !slices.Equal(got, append([]string{}, c.want...)) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// What each packet was lost to, and those of lossless classes.
func TestLosses(t *testing.T) {
	net := wired(4, 4, 0)
	net.Lossless = 1 << 3
	net.Scenario.Flows = []sim.Flow{{Src: 0, Dst: 1}}
	r := &sim.Result{LostOnWire: 1, Flushed: 20, Unrouted: 300, Overrun: 4000, WatchdogDrops: 50_000, Observed: &sim.Observed{WindowUS: 1, Classes: []sim.ClassResult{{Class: 1, Lost: 7}, {Class: 3, Lost: 9}}}}
	var o Outcome
	o.measure(&measured{net: net, sc: &net.Scenario, r: r, goals: &Goals{}, messages: 1})
	if o.Lost != 54_321 || *o.Losses != (Losses{1, 20, 300, 4000, 50_000}) || o.LosslessLost != 9 {
		t.Errorf("%+v, %+v", o, o.Losses)
	}
}

// A bound of slowdowns is beyond a goal that is smaller, and bounds the steps of each block by its name.
func TestBoundsOfCompletion(t *testing.T) {
	o := &Outcome{Completion: &Completion{LeastMean: 3, LeastP99: 1, Blocks: []Block{{Name: "a", Least: 5, LeastBy: ByPort}, {Name: "b"}, {Name: "c", Least: 6, LeastBy: ByRow}}}}
	for goal, beyond := range map[float64]bool{2: true, 3: false, 0: false} {
		list := (&Job{Scenario: &Scenario{Goals: Goals{Slowdown: goal}}}).completions(o)
		if len(list) != 3 || list[0].Why[:7] != "a: the " || list[1].Value != 6 || list[2] != (Bound{
			Kind: SharedPort, Goal: MeanSlowdown, Value: 3, Judged: true, Beyond: beyond,
			Why: "messages that begin at once at a port are done one after the other, and none at a host that is stuck: in the mean they take at least 3.0 times as long as alone",
		}) {
			t.Errorf("%v: %+v", goal, list)
		}
	}
}

// No run beats what is proved of it: hosts that send to one at once, of equal and of other sizes, under no control and over
// several queue pairs.
func TestRunsKeepBoundsOfCompletion(t *testing.T) {
	for _, traffic := range []Traffic{
		{Kind: "incast", Senders: 7, Receivers: 1, QueuePairs: 1, Message: 64_000}, {Kind: "incast", Senders: 4, Receivers: 4, QueuePairs: 3, Message: 5000},
		{Kind: "all_to_all", QueuePairs: 1, Message: 3000}, {Kind: "all_to_all", QueuePairs: 1, Message: 1500, Every: 20 * us},
		{Kind: "collective", QueuePairs: 1, Message: 64_000, Collective: &Collective{Kind: workload.AllReduce, Stride: 1, Compute: 7 * us}, Repeat: 3},
		{Kind: "collective", QueuePairs: 2, Message: 64_000, Collective: &Collective{Kind: workload.AllToAll, Stride: 1}, Repeat: 2}, {Kind: "tree_all_reduce", QueuePairs: 1, Message: 64_000},
		{Kind: "ring_all_reduce", QueuePairs: 1, Message: 64_000},
	} {
		s := &Scenario{Name: traffic.Kind, Time: 40 * us, Traffic: []Traffic{traffic}, Goals: Goals{MaxLatency: units.Second, UsualLatency: units.Second}}
		net := wired(8, 8, 0)
		net.Scenario.ExactIdeal = true
		o := once(t, net, s)
		c := o.Completion
		if c.SlowdownMean < c.LeastMean && c.Messages > 0 || c.Spread.SlowdownP99 < c.LeastP99 && c.Messages > 0 {
			t.Errorf("%+v: mean %v of at least %v, 99 %% %v of at least %v", traffic, c.SlowdownMean, c.LeastMean, c.Spread.SlowdownP99, c.LeastP99)
		}
		if b := c.Blocks[0]; b.Duration < b.Least || math.IsNaN(b.Steps) || kinds[traffic.Kind].operates != (b.Least > 0) {
			t.Errorf("%+v: %+v", traffic, b)
		}
		if traffic.Senders == 7 && (c.LeastMean < 2 || c.LeastP99 < 4) { // 7 · 5.46 us of what takes 8 us
			t.Errorf("%+v: bounds %v, %v are of no use", traffic, c.LeastMean, c.LeastP99)
		}
	}
}

// 252 of 256 GPUs are in groups of seven; in groups of four with three others between, 252 of 256 in blocks of twelve.
func TestIdleGPUs(t *testing.T) {
	for name, c := range map[string]struct {
		group, stride, hosts int
		want                 string
	}{
		"seven":     {7, 1, 256, "scenario s: 4 of 256 GPUs are in no group of 7, and send nothing"},
		"four":      {4, 1, 256, ""},
		"apart":     {4, 3, 256, "scenario s: 4 of 256 GPUs are in no group of 4, and send nothing"},
		"all":       {0, 1, 256, ""},
		"too large": {7, 1, 5, ""},
	} {
		s := &Scenario{Name: "s", Traffic: []Traffic{{Kind: "shift"}, {Kind: "collective", Collective: &Collective{Group: c.group, Stride: c.stride}}}}
		must.Equalf(t, s.idle(hall(c.hosts)), c.want, "%s:", name)
	}
}
