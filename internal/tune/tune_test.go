package tune

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/plantest"
	"github.com/roceplan/roceplan/internal/scenario"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// tiny is five hosts of 25G at one switch.
const tiny = `
fabric "tiny" {
  mtu             = "1522B"
  lossless_frame  = "1500B"
  expected_delay  = "40us"
  tolerable_delay = "80us"
  xoff_time       = "1s" # large alphas are of interest
  headroom_margin = "15%"
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "500Mbps"
}
traffic_class "rdma" {
  dscp               = [46]
  queue              = 5
  pfc                = 5
  weight             = 60
  congestion_control = dcqcn
}
traffic_class "rest" {
  dscp   = rest
  queue  = 2
  weight = 40
}
nic "cx5" {
  model        = "connectx-5"
  cnp_interval = "4us" # alpha fades between CNPs: with 50us no queue is halved in time, and no point is feasible
  dcqcn {
    constants = model
  }
}
switch "tor" {
  chip = "trident3"
  os   = sonic
  port_group "servers" {
    ports = "Ethernet[0..4]"
    speed = "25Gbps"
    cable = "15m"
    peer  = nic.cx5
  }
}
scenario "four" {
  time = "3ms"
  incast {
    senders = 4
  }
}
scenario "bursts" {
  time = "300us"
  incast {
    senders = 4
    message = "16KB"
    every   = "60us"
  }
}
scenario "burst" {
  time = "500us"
  incast {
    senders = 4
    message     = "2MB"
    queue_pairs = 8
  }
}
`

func load(t *testing.T, text string) (*policy.Fabric, *plan.Plan) {
	t.Helper()
	catalogue, _ := chips.Load()
	return plantest.Text(t, catalogue, text)
}

func options(f *policy.Fabric, budget int) Options {
	catalogue, _ := chips.Load()
	return Options{
		Scenarios: scenario.Traces(nil).All(f)[:len(f.Scenarios)], Budget: budget, Size: fabric.Size{Edges: 1, HostsPerEdge: 8}, Chip: catalogue.Find,
	}
}

// begun is a search that has run the compiled settings.
func begun(t *testing.T, f *policy.Fabric, p *plan.Plan, o *Options) *search {
	t.Helper()
	space, err := newSpace(f, p)
	if err != nil {
		t.Fatal(err)
	}
	s := &search{Options: o, space: space, report: Report{Rejected: map[string]int{}}}
	if err := s.baseline(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	return s
}

// trials runs points, and the compiled settings, in a scenario.
func trials(t *testing.T, name string, seeds int, points ...Point) []*Trial {
	t.Helper()
	f, p := load(t, tiny)
	o := options(f, 1000)
	o.Seeds = seeds
	o.Scenarios = slices.DeleteFunc(o.Scenarios, func(s pattern.Scenario) bool { return s.Name != name })
	s := begun(t, f, p, &o)
	list, err := s.feasible(points, len(points))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != len(points) {
		t.Fatalf("%d of %d points are feasible: %v", len(list), len(points), s.report.Rejected)
	}
	if list, err = s.advance(context.Background(), list, seeds); err != nil || len(list) != len(points) {
		t.Fatalf("%d points lose nothing, %v", len(list), err)
	}
	return list
}

// In DCQCN's steady state the queue stands at Kmin + p*/Pmax (Kmax - Kmin), with a marking
// probability p* that the curve does not change (Zhu et al., "ECN or Delay", CoNEXT 2016,
// section 3.1). A larger Kmin makes it longer: latency rises, and the port runs dry less
// often.
func TestLargerKMinCostsLatencyAndNoThroughput(t *testing.T) {
	var points []Point
	for _, kmin := range []units.Time{5, 20, 40} {
		points = append(points, Point{Marks: Marks{KMin: kmin * units.Microsecond, KMax: 80 * units.Microsecond, PMax: units.Percent}})
	}
	list := trials(t, "four", 4, points...)
	for i := 1; i < len(list); i++ {
		low, high := list[i-1], list[i]
		if high.Score.LatencyP99 <= low.Score.LatencyP99 {
			t.Errorf("p99 is %.1f us at Kmin %v and %.1f us at %v", low.Score.LatencyP99, low.Point.KMin, high.Score.LatencyP99, high.Point.KMin)
		}
		if high.Score.Throughput < low.Score.Throughput*0.995 { // four seeds
			t.Errorf("throughput is %.4f at Kmin %v and %.4f at %v", low.Score.Throughput, low.Point.KMin, high.Score.Throughput, high.Point.KMin)
		}
	}
}

// Pauses begin when a PG is above alpha times the free buffer. With a small alpha the first
// round of a burst, before CNPs have acted on each of its 32 flows, is paused; with a large one it
// fits the buffer.
func TestSmallerAlphaPausesMore(t *testing.T) {
	point := Point{Marks: Marks{KMin: 40 * units.Microsecond, KMax: 80 * units.Microsecond, PMax: units.Percent, OwnAlpha: true}}
	large, small := point, point
	large.Alpha, small.Alpha = 1, -6
	list := trials(t, "burst", 3, large, small)
	if list[0].Score.Pauses != 0 || list[1].Score.Pauses == 0 {
		t.Errorf("%d pauses with alpha 2, %d with alpha 1/64", list[0].Score.Pauses, list[1].Score.Pauses)
	}
}

// What the search prints for a point gives the numbers that it was tried with.
func TestLinesGiveThePoint(t *testing.T) {
	f, p := load(t, tiny)
	space, err := newSpace(f, p)
	if err != nil {
		t.Fatal(err)
	}
	blocks, tried := space.blocks(), 0
	for _, point := range space.grid() {
		planned, broken := space.plan(&point)
		if broken != "" {
			continue
		}
		text := written(t, tiny, point.HCL(&blocks))
		g, q := load(t, text)
		other, err := newSpace(g, q)
		if err != nil {
			t.Fatal(err)
		}
		if space.settings(planned).PMax != point.PMax && !point.Derived {
			t.Errorf("%+v is marked with %v", point, space.settings(planned).PMax)
		}
		if diff := cmp.Diff(space.settings(planned), other.settings(q)); diff != "" {
			t.Errorf("%+v\n%s", point, diff)
		}
		if got, want := q.Hosts[0].Reaction.AlphaInterval.Value, planned.Hosts[0].Reaction.AlphaInterval.Value; got != want {
			t.Errorf("%+v: dce_tcp_rtt is %v as written, and %v as it was tried", point, got, want)
		}
		if tried++; tried == 40 {
			return
		}
	}
	t.Errorf("%d points are feasible", tried)
}

// written puts the blocks of a point into those of a fabric that have their names.
func written(t *testing.T, text, blocks string) string {
	t.Helper()
	file, found := hclwrite.ParseConfig([]byte(text), "fabric.hcl", hcl.InitialPos)
	point, of := hclwrite.ParseConfig([]byte(blocks), "point.hcl", hcl.InitialPos)
	if found.HasErrors() || of.HasErrors() {
		t.Fatal(found, of)
	}
	merge(t, file.Body(), point.Body())
	return string(file.Bytes())
}

// merge replaces attributes, and blocks without a label.
func merge(t *testing.T, into, from *hclwrite.Body) {
	t.Helper()
	for name, a := range from.Attributes() {
		into.SetAttributeRaw(name, a.Expr().BuildTokens(nil))
	}
	for _, b := range from.Blocks() {
		own := into.FirstMatchingBlock(b.Type(), b.Labels())
		if own == nil && len(b.Labels()) > 0 {
			t.Fatalf("%s %q is no block of the fabric", b.Type(), b.Labels())
		}
		if own == nil {
			own = into.AppendNewBlock(b.Type(), nil)
		}
		merge(t, own.Body(), b.Body())
	}
}

// What the compiled settings break too is no reason to reject a point: with CNPs every 50 us no
// queue is halved in time whatever the curve is, and a search would have nothing to compare.
func TestWhatIsBrokenAsCompiled(t *testing.T) {
	f, p := load(t, strings.Replace(tiny, `cnp_interval = "4us"`, `cnp_interval = "50us"`, 1))
	space, err := newSpace(f, p)
	if err != nil {
		t.Fatal(err)
	}
	if !space.broken[check{"tor", "halved-in-time"}] {
		t.Fatalf("as compiled %v are broken: what was to be seen is not there", space.broken)
	}
	kept := 0
	for _, point := range space.grid()[:40] {
		if planned, broken := space.plan(&point); planned != nil {
			kept++
		} else if broken == "halved-in-time" {
			t.Errorf("%+v is rejected by what is broken anyway", point)
		}
	}
	if kept == 0 {
		t.Error("no point is left")
	}
}

// 40 pairs of runs, of which 10 meet their goals only with the choice and 2 only as compiled. By
// Bonett and Price p = 11/42, q = 3/42: 0.1905 ± 1.96·sqrt((0.3333 − 0.0363)/42) = 0.1905 ± 0.1648.
func TestGainOfPairs(t *testing.T) {
	var before, after []pattern.Outcome
	add := func(n int, a, b bool) {
		for range n {
			var pair [2]pattern.Outcome
			for i, met := range []bool{a, b} {
				if !met {
					pair[i].Missed = []string{pattern.MaxLatency}
				}
			}
			before, after = append(before, pair[0]), append(after, pair[1])
		}
	}
	add(10, false, true)
	add(2, true, false)
	add(20, true, true)
	add(8, false, false)
	before, after = append(before, pattern.Outcome{Skipped: "x"}), append(after, pattern.Outcome{Skipped: "x"})
	var h HeldOut
	h.compare(before, after)
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-3 }
	if h.Judged != 40 || h.Compiled != 22 || h.Chosen != 30 || !near(h.Gain, 0.2) || !near(h.Low, 0.0257) || !near(h.High, 0.3553) {
		t.Errorf("%+v", h)
	}
}

// What is left of a choice is told by scenario: what it misses within reach, and beyond which bounds
// the goals of other runs lie. A run that is beyond a bound is judged where the compiled settings met
// its goals: then they were not beyond it.
func TestShort(t *testing.T) {
	met := func(name string) pattern.Outcome { return pattern.Outcome{Pattern: name} }
	missed := func(name string, goals ...string) pattern.Outcome {
		return pattern.Outcome{Pattern: name, Missed: goals}
	}
	beyond := missed("a", pattern.MaxLatency)
	beyond.Bounds = []pattern.Bound{{Kind: pattern.LineRateStart, Goal: pattern.MaxLatency, Beyond: true}}
	before := []pattern.Outcome{missed("a", pattern.MaxLatency), met("a"), met("a"), met("b"), met("c"), met("c")}
	after := []pattern.Outcome{beyond, beyond, missed("a", pattern.Throughput, pattern.MaxLatency), met("b"), missed("c", pattern.Throughput), missed("c", pattern.Throughput)}
	far := func(goal string, did, asked, bound float64, by string) pattern.Far {
		return pattern.Far{Goal: goal, Did: did, Asked: asked, Bound: bound, By: by}
	}
	late, slow := far(pattern.MaxLatency, 91, 80, 6, pattern.EmptyWay), far(pattern.Throughput, 0.5, 0.95, 0.9, pattern.ECMPCollisions)
	none := far(pattern.Throughput, 0, 0.95, 1, pattern.LinkCapacity)
	after[2].Far, after[5].Far = []pattern.Far{none, late}, []pattern.Far{slow}
	after[4].Far = []pattern.Far{far(pattern.Throughput, 0.7, 0.95, 1, pattern.LinkCapacity)}
	h := HeldOut{}
	h.compare(before, after)
	want := []Short{
		{"a", 3, 1, []string{pattern.Throughput, pattern.MaxLatency}, []pattern.Far{none, late}, []string{pattern.LineRateStart}, 2},
		{"c", 2, 2, []string{pattern.Throughput}, []pattern.Far{slow}, []string{}, 0},
	}
	if diff := cmp.Diff(want, h.Short); diff != "" || h.Judged != 5 || h.Compiled != 5 || h.Chosen != 1 {
		t.Errorf("%+v\n%s", h, diff)
	}
}

// What lies beyond the cuts of NICs is judged, for the search may tell them to cut deeper: of four runs that all missed as compiled two
// met, and one of the two others is beyond the chosen NICs' cuts too.
func TestBeyondTheCutsOfOne(t *testing.T) {
	run := func(beyond bool, missed ...string) pattern.Outcome {
		return pattern.Outcome{Pattern: "a", Missed: missed, Bounds: []pattern.Bound{{Kind: pattern.SlowestCuts, Goal: pattern.MaxLatency, Beyond: beyond}}}
	}
	hard := run(true, pattern.MaxLatency)
	var h HeldOut
	h.compare([]pattern.Outcome{hard, hard, hard, hard}, []pattern.Outcome{run(false), run(false), run(false, pattern.MaxLatency), hard})
	if h.Judged != 4 || h.Compiled != 0 || h.Chosen != 2 || len(h.Short) != 1 || h.Short[0].Missed != 2 || h.Short[0].Beyond != 0 {
		t.Errorf("%+v", h)
	}
	full := pattern.Outcome{Pattern: "a", Missed: []string{pattern.Finish}, Bounds: []pattern.Bound{{Kind: pattern.LinkCapacity, Beyond: true}}}
	h = HeldOut{}
	if h.compare([]pattern.Outcome{full}, []pattern.Outcome{run(false)}); h.Judged != 0 {
		t.Errorf("more than links carry: %+v", h)
	}
}

// What is held out has seeds that the search has not seen, and names what was run of what it was
// not shown: 64 hosts there are not.
func TestHeldOut(t *testing.T) {
	f, p := load(t, tiny)
	o := options(f, 100)
	own := o.Scenarios
	o.Scenarios, o.HeldOut, o.HeldOutSeeds = own[1:2], slices.Concat(own[2:3], own[2:3]), 3
	o.HeldOut[1].Name, o.HeldOut[1].Traffic = "large", slices.Clone(own[2].Traffic)
	o.HeldOut[1].Traffic[0].Senders = 63
	o.Seeds = 2
	s := begun(t, f, p, &o)
	s.report.Chosen = &Trial{Point: &Point{Marks: Marks{Derived: true}}}
	if err := s.holdOut(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	h := s.report.HeldOut
	if !slices.Equal(h.Scenarios, []string{"four"}) || h.Seeds != 3 || h.First != 3 || h.Judged != 6 || h.Compiled != h.Chosen {
		t.Errorf("%+v", h)
	}
}

// Points that break an inequality are not run, the budget is kept, what is found is not
// beaten, and a second search finds the same.
func TestSearch(t *testing.T) {
	var reports [2]*Report
	for i := range reports {
		f, p := load(t, tiny)
		o := options(f, 80)
		runs := 0
		o.Done = func() { runs++ }
		o.Seeds = 2
		for i := range o.Scenarios {
			o.Scenarios[i].Time /= 3
		}
		var err error
		if reports[i], err = Search(context.Background(), f, p, o); err != nil {
			t.Fatal(err)
		}
		if r := reports[i]; r.Runs > 80 || r.Runs < 60 {
			t.Errorf("%d runs of 80", r.Runs)
		}
	}
	r := reports[0]
	same := []cmp.Option{cmpopts.IgnoreUnexported(Trial{})}
	if diff := cmp.Diff(r, reports[1], same...); diff != "" {
		t.Errorf("the second search differs:\n%s", diff)
	}
	if len(r.Rejected) == 0 || r.Grid < 500 {
		t.Errorf("%d points, %v rejected", r.Grid, r.Rejected)
	}
	for _, p := range r.Points {
		if p.Point.KMin > 40*units.Microsecond || p.Point.KMax > 80*units.Microsecond {
			t.Errorf("%+v is beyond the delays of the fabric", p.Point)
		}
		for _, o := range append(r.Points, r.Compiled) {
			if o.Score.Dominates(p.Score) {
				t.Errorf("%+v is beaten by %+v", p.Score, o.Score)
			}
		}
		if len(p.Costs) != 3 {
			t.Errorf("costs in %d scenarios", len(p.Costs))
		}
	}
}

// Of a scenario that sends nothing with some seeds no run is compared, and it is named once.
func TestWhatDoesNotFit(t *testing.T) {
	f, p := load(t, tiny+`
scenario "rare" {
  time = "300us"
  poisson {
    message = "2MB"
    load    = "30%"
  }
}
`)
	o := options(f, 100)
	o.Seeds = 4
	o.Scenarios = slices.DeleteFunc(o.Scenarios, func(s pattern.Scenario) bool { return s.Name == "four" || s.Name == "burst" })
	s := begun(t, f, p, &o)
	if len(s.report.Skipped) != 1 || !strings.HasPrefix(s.report.Skipped[0], "rare ") {
		t.Errorf("not run: %q", s.report.Skipped)
	}
	c := s.report.Compiled
	if len(c.jobs) != 4 || len(c.outcomes) != 4 {
		t.Fatalf("%d runs have %d outcomes, want 4", len(c.jobs), len(c.outcomes))
	}
	for i := range c.jobs {
		if c.outcomes[i].Pattern != c.jobs[i].Scenario.Name || c.outcomes[i].Seed != c.jobs[i].Seed {
			t.Errorf("run %d: %s has the outcome of %s", i, c.jobs[i].Scenario.Name, c.outcomes[i].Pattern)
		}
	}
}

// A point is rejected by what it breaks, not by what is told of the fabric anyway: 1/256 is below
// the menu of the chip, and a shared pool of headroom is worth a warning.
func TestRejectedByAnError(t *testing.T) {
	f, p := load(t, strings.Replace(tiny, "headroom_margin =", "headroom_sharing = \"3 groups\"\nheadroom_margin =", 1))
	space, err := newSpace(f, p)
	if err != nil {
		t.Fatal(err)
	}
	if _, broken := space.plan(&Point{Marks: Marks{Derived: true, OwnAlpha: true, Alpha: -8}}); broken != string(calc.AlphaUnsettable) {
		t.Errorf("rejected by %s", broken)
	}
}

func TestTooSmallABudget(t *testing.T) {
	f, p := load(t, tiny)
	if _, err := Search(context.Background(), f, p, options(f, 3)); err == nil || !strings.Contains(err.Error(), "too small") {
		t.Errorf("%v", err)
	}
}

// Against a search of all pairs: a front holds what nobody dominates, and whatever is left
// out is dominated by a member or equal to one.
func TestPareto(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	self := func(s Score) Score { return s }
	for range 200 {
		list := make([]Score, 1+random.IntN(12))
		for i := range list {
			list[i] = Score{random.IntN(2), 2, float64(random.IntN(4)), float64(random.IntN(4)), int64(random.IntN(3)), 0}
		}
		front := Pareto(list, self)
		for _, s := range list {
			if slices.Contains(front, s) {
				if slices.ContainsFunc(list, func(o Score) bool { return o.Dominates(s) }) {
					t.Errorf("%v of %v is dominated", s, list)
				}
			} else if !slices.ContainsFunc(front, func(o Score) bool { return o.Dominates(s) }) {
				t.Errorf("%v of %v is missing in %v", s, list, front)
			}
		}
		ranked := rank(list, self)
		for i := range ranked {
			for j := range i {
				if ranked[i].Dominates(ranked[j]) {
					t.Fatalf("%v: %v comes before %v", list, ranked[j], ranked[i])
				}
			}
		}
		if fmt.Sprint(len(ranked)) != fmt.Sprint(len(list)) {
			t.Fatalf("%d of %d are ranked", len(ranked), len(list))
		}
	}
}

// What is carried is compared in the steady state, or in runs of one length.
func TestGainOfARun(t *testing.T) {
	run := func(time, duration, steady float64) *pattern.Outcome {
		o := &pattern.Outcome{Time: time, Duration: duration}
		if steady > 0 {
			o.Steady = &pattern.Steady{Settled: true}
			o.Steady.Throughput = steady
		}
		return o
	}
	for _, c := range []struct {
		own, than *pattern.Outcome
		want      float64
	}{
		{run(8000, 9000, 0.98), run(2000, 4000, 0.49), 2},
		{run(2000, 2500, 0), run(2000, 5000, 0.5), 2},
		{run(8000, 9000, 0), run(2000, 2100, 0), 1},
	} {
		if got := gain(c.own, c.than); got != c.want {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
