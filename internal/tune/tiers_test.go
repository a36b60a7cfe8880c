package tune

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// pod is the same hosts at two leaves below a spine, with two links between leaf and spine.
var pod = strings.NewReplacer(`switch "tor" {`, `switch "leaf-[1..2]" {`, "os   = sonic", "os   = eos\n  platform = \"7050X3\"\n  role = \"leaf\"",
	`"Ethernet[0..4]"`, `"Ethernet[1..3]"`, "peer  = nic.cx5\n  }\n}", `peer  = nic.cx5
  }
  port_group "up" {
    ports = "Ethernet[49..50]/1"
    speed = "100Gbps"
    cable = "20m"
    peer  = switch.spine
  }
}
switch "spine" {
  chip = "trident3"
  os   = eos
  platform = "7050X3"
  port_group "down" {
    ports = "Ethernet[1..4]/1"
    speed = "100Gbps"
    cable = "20m"
    peer  = switch.leaf
  }
}
clos "pod" {
  lower = switch.leaf
  upper = switch.spine
  lower_ports = "up"
  upper_ports = "down"
  links_per_pair = 2
}`).Replace(tiny)

// told is what a plan tells switches of marking and pausing, by switch and port.
func told(p *plan.Plan) map[string][]string {
	out := map[string][]string{}
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			port := &sw.Ports[i]
			for _, q := range port.QoS.Queues {
				if q.ECN != nil {
					out[sw.Names[0]] = append(out[sw.Names[0]], port.Name+" "+q.ECN.KMin.Value.String()+" "+q.ECN.KMax.Value.String()+" "+q.ECN.PMax.Value.String())
				}
			}
			for _, pg := range port.QoS.PGs {
				out[sw.Names[0]] = append(out[sw.Names[0]], port.Name+" "+pg.Limit.Value.String())
			}
		}
		out[sw.Names[0]] = append(out[sw.Names[0]], sw.LoadBalancing)
	}
	return out
}

// What is printed of a point with marks of its own for the switches above, with another way to balance load
// or another congestion control compiles to what the point was tried with, on every port.
func TestLinesGiveWhatIsBeyondAClass(t *testing.T) {
	f, p := load(t, pod)
	space, err := newSpace(f, p)
	if err != nil {
		t.Fatal(err)
	}
	space.balancing, space.controls = []string{"flowlet"}, []string{"swift"}
	blocks, before := space.blocks(), told(p)
	above, control, balancing := 0, 0, 0
	for _, point := range space.grid() {
		if point.Above == nil && point.Control == "" && point.Balancing == "" {
			continue
		}
		if above >= 8 {
			break
		}
		planned, broken := space.plan(&point)
		if broken != "" {
			continue
		}
		text := written(t, pod, point.HCL(&blocks))
		g, q := load(t, text)
		if diff := cmp.Diff(told(planned), told(q)); diff != "" {
			t.Fatalf("%+v, %+v\n(-tried +written)\n%s\n%s", point, point.Above, diff, text)
		}
		if point.Control != "" {
			control++
			if c := g.Classes[slices.IndexFunc(g.Classes, func(c *policy.Class) bool { return c.Name == "rdma" })]; c.CongestionControl.Value != "swift" {
				t.Errorf("the class has %s", c.CongestionControl.Value)
			}
			if _, queue := serverPort(q, g.Classes[0]); queue != nil && queue.ECN != nil {
				t.Error("Swift is marked for")
			}
		}
		if point.Balancing != "" {
			balancing++
		}
		if point.Above != nil {
			above++
			own := told(planned)
			if cmp.Equal(own["spine"], before["spine"]) {
				t.Errorf("%+v changes nothing above", point.Above)
			}
			if point.Derived && !point.OwnAlpha && point.NIC == (Constants{}) && point.Balancing == "" && !cmp.Equal(own["leaf-1"], before["leaf-1"]) {
				t.Errorf("%+v changes what is below", point.Above)
			}
		}
	}
	if above < 8 || control == 0 || balancing == 0 {
		t.Errorf("%d points with marks above, %d with another control, %d with another way were feasible", above, control, balancing)
	}
	if diff := cmp.Diff(before, told(mustPlan(t, space))); diff != "" {
		t.Errorf("what was tried stays in the fabric:\n%s", diff)
	}
}

func mustPlan(t *testing.T, s *space) *plan.Plan {
	t.Helper()
	p, broken := s.plan(&Point{Marks: Marks{Derived: true}})
	if p == nil {
		t.Fatal(broken)
	}
	return p
}

// Switches are told apart only where nothing of them is given already, and where there are two tiers.
func TestAbove(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{pod, []string{"spine"}},
		{tiny, nil},
		{strings.Replace(pod, "os   = eos", "os   = eos\n  alpha = 1/16", 1), nil},
		{strings.Replace(pod, "ports = \"Ethernet[1..4]/1\"", "ports = \"Ethernet[1..4]/1\"\n    ecn {\n      kmin = \"1us\"\n      kmax = \"2us\"\n      pmax = \"5%\"\n    }", 1), nil},
	} {
		f, _ := load(t, c.text)
		var got []string
		for _, sw := range above(f) {
			got = append(got, sw.Label)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// A run that was kept is not taken for one of another way to balance load or of other marks above.
func TestKeptRunsAreOfTheirPoint(t *testing.T) {
	f, p := load(t, pod)
	o := options(f, 100)
	o.Size = fabric.Size{Edges: 2, HostsPerEdge: 3}
	o.Scenarios, o.Store = o.Scenarios[1:2], runs.Open(t.TempDir(), "")
	s := begun(t, f, p, &o)
	for _, point := range []Point{{}, {Balancing: "flowlet"}, {Above: &Marks{KMin: units.Microsecond, KMax: 2 * units.Microsecond, PMax: units.Percent}}, {Above: &Marks{Derived: true, OwnAlpha: true, Alpha: s.space.alpha - 1}}} {
		point.Derived = true
		planned, broken := s.space.plan(&point)
		if broken != "" {
			t.Fatalf("%+v: %s", point, broken)
		}
		found := o.Store.Found.Load()
		if _, err := s.fresh(t.Context(), planned, s.Scenarios, 1, 0, 0); err != nil {
			t.Fatal(err)
		}
		known := point.Balancing == "" && point.Above == nil // as compiled, which was run
		if again := o.Store.Found.Load() > found; again != known {
			t.Errorf("%+v: a run was found: %v", point, again)
		}
	}
}

// What missed a goal within reach in the search is made again where points are tried with more seeds, for as long as the claim is judged; what met
// its goals, or lies beyond a bound, is not, nor anything where the claim is judged no longer than the search.
func TestJudgedAsTheClaim(t *testing.T) {
	f, p := load(t, tiny)
	o := options(f, 100)
	s := begun(t, f, p, &o)
	trial := s.report.Compiled
	if len(trial.jobs) < 3 {
		t.Fatalf("%d runs", len(trial.jobs))
	}
	outcomes := make([]pattern.Outcome, len(trial.jobs))
	outcomes[0].Missed, outcomes[1].Missed = []string{pattern.Throughput}, []string{pattern.MaxLatency}
	outcomes[1].Bounds = []pattern.Bound{{Kind: pattern.LineRateStart, Goal: pattern.MaxLatency, Beyond: true}}
	for _, longest := range []units.Time{0, 4 * units.Millisecond} {
		s.HeldOutTime = longest
		before := s.report.Runs
		got, err := s.longer(t.Context(), &Trial{jobs: trial.jobs, outcomes: outcomes})
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if made := got[i].Pattern != ""; made != (i == 0 && longest > 0) {
				t.Errorf("up to %v: run %d was made again: %v", longest, i, made)
			}
		}
		if s.report.Runs != before {
			t.Errorf("up to %v: %d runs more", longest, s.report.Runs-before)
		}
	}
}

// What did best with one seed is not chosen where others did better with more.
func TestChooseByMoreSeeds(t *testing.T) {
	type trial struct {
		Score
		again *Score
	}
	met := func(n int) Score { return Score{Met: n, Throughput: 1} }
	again := func(n int) *Score { s := met(n); return &s }
	for _, c := range []struct {
		list []trial
		want int
	}{
		{[]trial{{met(3), nil}, {met(9), nil}, {met(8), nil}}, 1},
		{[]trial{{met(3), again(20)}, {met(9), again(19)}, {met(8), again(21)}, {met(7), nil}}, 2},
		{[]trial{{met(3), again(20)}, {met(9), again(20)}}, 0},
	} {
		got := Choose(indices(len(c.list)), func(i int) Score { return c.list[i].Score }, func(i int) *Score { return c.list[i].again })
		if got != c.want {
			t.Errorf("%d is chosen, want %d", got, c.want)
		}
	}
}

func scored(list []pattern.Outcome) (Score, bool) {
	return score(list, list, func(*pattern.Outcome) bool { return true })
}

// Of points that meet as many goals the one with most room is chosen, but as compiled where that meets as many. Room is no aim: it neither
// lets a point beat another nor keeps two that are equal else.
func TestChooseByRoom(t *testing.T) {
	score := func(met int, throughput, room float64) Score {
		return Score{Met: met, Judged: 9, Throughput: throughput, Room: room}
	}
	for want, list := range map[int][]Score{
		2: {score(3, 1, 0.9), score(9, 2, 0.1), score(9, 1, 0.3), score(8, 3, 0.8)},
		0: {score(9, 1, 0.1), score(9, 2, 0.9)},
	} {
		if got := Choose(indices(len(list)), func(i int) Score { return list[i] }, func(int) *Score { return nil }); got != want {
			t.Errorf("%d is chosen, want %d", got, want)
		}
	}
	a, b := score(9, 1, 0.1), score(9, 1, 0.9)
	if a.Dominates(b) || b.Dominates(a) || len(Pareto([]Score{a, b}, func(s Score) Score { return s })) != 1 {
		t.Error("room is an aim")
	}
	run := func(room float64, missed ...string) pattern.Outcome {
		return pattern.Outcome{Pattern: "a", Missed: missed, Room: room, Duration: 1}
	}
	beyond := run(0, pattern.Finish)
	beyond.Bounds = []pattern.Bound{{Kind: pattern.LinkCapacity, Beyond: true}}
	list := []pattern.Outcome{run(0.5), run(0.4), run(0, pattern.Throughput), beyond}
	if got, _ := scored(list); got.Judged != 3 || got.Met != 2 || got.Room != 0.3 {
		t.Errorf("%+v", got)
	}
}

// A point loses where a scenario of the fabric's own misses a goal that the compiled settings meet, or takes more than ten
// ninths of their time, and not where they miss it too, nor in a scenario of the library.
func TestLosesOwnGoals(t *testing.T) {
	run := func(name string, missed ...string) pattern.Outcome {
		return pattern.Outcome{Pattern: name, Missed: missed}
	}
	took := func(name string, us float64) pattern.Outcome {
		return pattern.Outcome{Pattern: name, Duration: us}
	}
	s := &search{Options: &Options{Own: []string{"own"}}}
	met, missed := run("own"), run("own", pattern.Throughput)
	for _, c := range []struct {
		point, compiled pattern.Outcome
		loses           bool
	}{
		{missed, met, true},
		{missed, missed, false},
		{met, missed, false},
		{run("websearch-50", pattern.MaxLatency), run("websearch-50"), false},
		{took("own", 899), took("own", 810), false},
		{took("own", 901), took("own", 810), true},
		{took("websearch-50", 901), took("websearch-50", 810), false},
	} {
		point := &Trial{outcomes: []pattern.Outcome{met, c.point}}
		if got := s.loses(point, &Trial{outcomes: []pattern.Outcome{met, c.compiled}}); got != c.loses {
			t.Errorf("%v beside %v: %v", c.point.Missed, c.compiled.Missed, got)
		}
	}
}
