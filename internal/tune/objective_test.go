package tune

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/scenario"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// What each purpose searches, shows beside it and holds out; the two ends differ, and nothing that is held out is
// searched.
func TestAims(t *testing.T) {
	for purpose, want := range map[completion.Purpose]string{
		completion.Training: "gpu-all-reduce all-to-all-256kb | websearch-50 hadoop-50 | collective small",
		completion.ForReads: "storage-read-1mb | websearch-50 hadoop-50 | storage small",
		completion.Requests: "websearch-50 hadoop-50 |  | small large",
		completion.Mixed:    "websearch-50 hadoop-50 storage-read-1mb gpu-all-reduce all-to-all-256kb incast-8 |  | small long",
	} {
		a := Aim{Purpose: purpose}
		o := a.objective(a.searched())
		must.Equalf(t, strings.Join(a.searched(), " ")+" | "+strings.Join(a.shown(), " ")+" | "+o.ends[0].name+" "+o.ends[1].name, want, "%s:", purpose)
		names := map[string]bool{}
		for _, s := range policy.Library() {
			names[s.Name] = true
		}
		for _, u := range a.heldOut() {
			if slices.Contains(a.searched(), u.name) || !names[u.name] {
				t.Errorf("%s holds out %s", purpose, u.name)
			}
		}
	}
	if o := (Aim{Purpose: completion.Mixed}).objective([]string{"storage-read-1mb", "all-to-all-256kb", "incast-8"}); !slices.Equal(o.aim, []completion.Kind{completion.Storage, completion.Incast}) || !slices.Equal(o.ends[1].kinds, o.aim[:1]) {
		t.Errorf("%+v", o)
	}
	if o := (Aim{Purpose: completion.Training}).objective(nil); len(o.aim) > 0 {
		t.Errorf("%+v", o)
	}
	own := Aim{Purpose: completion.Requests, Own: []string{"a", "hadoop-70"}}
	if got := own.Scenarios(); !slices.Equal(got, []string{"a", "hadoop-70", "storage-read-64kb"}) {
		t.Errorf("%q", got)
	}
}

// Two blocks, one of which is a collective operation: slowdowns 2 and 8, and 8 us, whose mean is √(2·8) = 4 and the tail
// √(8·8) = 8. A run that lost a packet has no figure.
func TestFiguresOfAScenario(t *testing.T) {
	o := pattern.Outcome{Pattern: "a", Seed: 3, Completion: &pattern.Completion{Blocks: []pattern.Block{
		{Spread: pattern.Spread{Messages: 5, SlowdownMean: 2, SlowdownP99: 8}, Duration: 100},
		{Spread: pattern.Spread{Messages: 5, SlowdownMean: 3, SlowdownP99: 3}, Duration: 8, Least: 4},
	}}}
	lost := o
	lost.LosslessDrops = 1
	a := Aim{Own: []string{"a"}}
	set := a.setOf([]outcome{outcomeOf(&o)})[3]
	if m, p := set[meanOf("a")].Value, set[tailOf("a")].Value; math.Abs(m-4) > 1e-9 || math.Abs(p-8) > 1e-9 {
		t.Errorf("%v, %v", m, p)
	}
	if f := a.setOf([]outcome{outcomeOf(&lost)})[3][meanOf("a")]; f.Unusable != "a lost 1 lossless packets" || f.Value != 0 {
		t.Errorf("%+v", f)
	}
	// Steps that are sent again and again are no messages with slowdowns: the time until all are sent is.
	o.Completion.Blocks = []pattern.Block{{Duration: 8}}
	if f := a.setOf([]outcome{outcomeOf(&o)})[3][tailOf("a")]; math.Abs(f.Value-8) > 1e-9 {
		t.Errorf("%+v", f)
	}
}

// A goal bounds the choice where its author states it: for the fabric, or for the scenario.
func TestStated(t *testing.T) {
	text := func(targets, goals string) string {
		return strings.Replace(strings.Replace(tiny, "\n}\ntraffic_class \"cnp\"", "\n  targets {\n"+targets+"\n  }\n}\ntraffic_class \"cnp\"", 1), "senders = 4\n  }", "senders = 4\n  }\n  goals {\n"+goals+"\n  }", 1)
	}
	for _, c := range []struct {
		targets, goals string
		want           pattern.Goals
	}{
		{"", "", pattern.Goals{PausesPerSecond: 5, MaxLatency: never, UsualLatency: never}},
		{`max_latency = "90us"`, `slowdown = 7`, pattern.Goals{PausesPerSecond: 5, MaxLatency: 90 * units.Microsecond, UsualLatency: never, Slowdown: 7}},
		{`steps = 3`, `usual_latency = "20us"`, pattern.Goals{PausesPerSecond: 5, MaxLatency: never, UsualLatency: 20 * units.Microsecond, Steps: 3}},
		{`slowdown_p99 = 9`, `throughput = "99%"`, pattern.Goals{PausesPerSecond: 5, MaxLatency: never, UsualLatency: never, SlowdownP99: 9}},
	} {
		f, _ := load(t, text(c.targets, c.goals))
		s := slices.DeleteFunc(scenario.Traces(nil).All(f), func(s pattern.Scenario) bool { return s.Name != "four" })[0]
		stated(f, &s)
		must.NoDiffIn(t, cmp.Diff(c.want, s.Goals), "%s, %s:", c.targets, c.goals)
	}
}

// A point must not do what the compiled settings do not, nor more of what they do.
func TestBreach(t *testing.T) {
	run := func(unusable string, pauses int64, latency float64, missed ...string) outcome {
		return outcome{Run: completion.Run{Unusable: unusable, Pauses: pauses}, LatencyMax: latency, Missed: missed}
	}
	for _, c := range []struct {
		own, compiled outcome
		want          string
	}{
		{run("", 0, 10), run("", 0, 5), ""},
		{run("left 3 flows unfinished", 0, 10, pattern.Finish), run("", 0, 5), "left 3 flows unfinished"},
		{run("", 2, 10, pattern.PausesPerSecond), run("", 0, 5), pattern.PausesPerSecond},
		{run("", 2, 10, pattern.PausesPerSecond), run("", 2, 5, pattern.PausesPerSecond), ""},
		{run("", 3, 10, pattern.PausesPerSecond), run("", 2, 5, pattern.PausesPerSecond), pattern.PausesPerSecond},
		{run("", 3, 10), run("", 2, 5, pattern.PausesPerSecond), ""},
		{run("", 0, 10, pattern.MaxLatency), run("", 0, 12, pattern.MaxLatency), ""},
		{run("", 0, 13, pattern.MaxLatency), run("", 0, 12, pattern.MaxLatency), pattern.MaxLatency},
		{run("", 0, 13, pattern.MeanSlowdown), run("", 0, 12), pattern.MeanSlowdown},
	} {
		must.Equalf(t, c.own.breach(&c.compiled), c.want, "%+v:", c.own)
	}
}

// Only what finishes sooner held out beyond what seeds differ, breaks nothing there and is no slower in scenarios
// that the search has not seen is worth a change.
func TestObjection(t *testing.T) {
	ratio := func(r, low, high float64) Ratio { return Ratio{Ratio: r, Low: low, High: high, Seeds: 5} }
	good, even, bad := ratio(0.8, 0.7, 0.9), ratio(0.97, 0.9, 1.04), ratio(1.2, 1.1, 1.3)
	for _, c := range []struct {
		of   HeldOut
		want string
	}{
		{HeldOut{Aim: good, Unseen: even}, ""},
		{HeldOut{Aim: good}, ""},
		{HeldOut{Aim: even, Unseen: good}, "0.97 (0.90-1.04) of what they take, which is no gain"},
		{HeldOut{Aim: bad, Unseen: good}, "1.20"},
		{HeldOut{Aim: good, Unseen: bad}, "in scenarios that the search has not seen the best point takes 1.20 (1.10-1.30)"},
		{HeldOut{Aim: good, Breach: "lost 2 lossless packets"}, "in a held-out run the best point lost 2 lossless packets"},
		{HeldOut{Aim: good, Breach: pattern.MaxLatency}, "in a held-out run the best point misses max-latency, as they do not"},
	} {
		if got := c.of.objection(); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.of, got, c.want)
		}
	}
}

// A seed of which the compiled settings have no figure does not count.
func TestWithout(t *testing.T) {
	set := completion.Set{1: {"a": {Value: 2}}, 2: {"a": {Unusable: "x"}, "b": {Value: 1}}}
	if got := without(set, []completion.Kind{"a"}); len(got) != 1 || len(set) != 2 || len(without(set, []completion.Kind{"b"})) != 2 {
		t.Errorf("%v", got)
	}
}

func point(by string, a, b float64, best bool) *Trial {
	return &Trial{By: by, Ends: [2]Ratio{{Ratio: a, Seeds: 2}, {Ratio: b, Seeds: 2}}, Aim: Ratio{Ratio: a, Seeds: 2}, Best: best, Point: &Lines{HCL: fmt.Sprint(by, a, b)}}
}

// The front has what no other beats in both ends, and the best of each search whatever beats it. As compiled is 1 and 1.
func TestFront(t *testing.T) {
	compiled := point("", 1, 1, false)
	a, b, c := point(BySearch, 0.8, 1.2, false), point(BySearch, 0.9, 0.9, false), point(BySearch, 0.95, 0.95, false)
	d, e := point(BySearch, 1.1, 1.1, false), point(ByRandom, 0.99, 1.3, true)
	f := point(BySearch, 0.7, 0, false)
	f.Ends[1].Unusable = "not run"
	same := point(BySearch, 0.9, 0.9, false)
	got := Front(compiled, []*Trial{e, d, c, b, same, a, f})
	if !slices.Equal(got, []*Trial{f, a, b, e}) {
		t.Errorf("%d points", len(got))
	}
}

// Of two parts the choice that finishes soonest held out is taken, and each search has one best point.
func TestJoin(t *testing.T) {
	part := func(aim float64, chosen int, why string) *Report {
		p := point(BySearch, aim, 1.2, true)
		p.HeldOut = &HeldOut{Aim: Ratio{Ratio: aim}}
		return &Report{Compiled: point("", 1, 1, false), Front: []*Trial{p}, Chosen: chosen, Why: why, Runs: 10, Budget: 20, Points: 3, Drawn: 4,
			Rejected: map[string]int{"x": 1}, Dropped: map[string]int{}, Spent: Spent{1, 2, 3, 4}}
	}
	for _, c := range []struct {
		a, b *Report
		want float64 // of the choice; 0: none
		why  string
	}{
		{part(0.9, 1, ""), part(0.8, 1, ""), 0.8, ""},
		{part(0.8, 1, ""), part(0.9, 1, ""), 0.8, ""},
		{part(0.8, 0, "no"), part(0.9, 1, ""), 0.9, ""},
		{part(0.8, 0, "no"), part(0.9, 0, "none"), 0, "no"},
	} {
		r := c.a
		r.Join(c.b)
		if t1 := r.chosen(); (t1 == nil) != (c.want == 0) || t1 != nil && (t1.Aim.Ratio != c.want || !t1.Best) || r.Why != c.why {
			t.Errorf("%+v, %q, want %v", t1, r.Why, c.want)
		}
		if r.Runs != 20 || r.Budget != 40 || r.Points != 6 || r.Drawn != 8 || r.Rejected["x"] != 2 || r.Spent != (Spent{2, 4, 6, 8}) {
			t.Errorf("%+v", r)
		}
		must.Equalf(t, len(slices.DeleteFunc(slices.Clone(r.Front), func(t *Trial) bool { return !t.Best })), 1, "best points:")
	}
}

// Of two points that are as good held out the one is chosen that costs less at the other end; of others the better.
func TestPrefers(t *testing.T) {
	of := func(a, b float64) *candidate {
		c := &candidate{}
		for i, v := range []float64{a, b} {
			c.held = append(c.held, outcome{Run: completion.Run{Scenario: "x", Seed: uint64(i + 1)}, Means: []float64{v}, Tails: []float64{v}})
		}
		return c
	}
	s := &search{Options: &Options{Aim: Aim{Own: []string{"x"}}}}
	s.objective = s.Aim.objective([]string{"x"})
	cheap, dear := Ratio{Ratio: 1.1}, Ratio{Ratio: 4}
	for i, c := range []struct {
		a, b       *candidate
		cost, than Ratio
		want       bool
	}{
		{of(1, 2), of(1.1, 1.9), cheap, dear, true},
		{of(1, 2), of(1.1, 1.9), dear, cheap, false},
		{of(1, 2), of(2, 4), dear, cheap, true},
		{of(2, 4), of(1, 2), cheap, dear, false},
		{of(1, 2), of(1.1, 1.9), Ratio{Unusable: "x"}, dear, false},
	} {
		must.Equalf(t, s.prefers(c.a, c.b, c.cost, c.than), c.want, "%d:", i)
	}
}
