package tune

import (
	"math"
	"slices"

	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// An Aim says what is to finish sooner: the kinds that the purpose of a fabric weighs, or scenarios of the
// author's, each by the mean and the 99th percentile of its slowdowns.
type Aim struct {
	Purpose completion.Purpose
	Own     []string // scenarios; nil: the kinds of the purpose
}

// A part is the content of a column: some kinds together.
type part struct {
	name  string
	kinds []completion.Kind
}

// An unseen scenario is like those of a kind, of which the search sees none.
type unseen struct {
	name string
	like completion.Kind
}

// others returns the unseen scenarios of a purpose.
func others(p completion.Purpose) []unseen {
	switch p {
	case completion.Training:
		return []unseen{{"gpu-all-gather", completion.Collective}, {"ring-all-reduce-1mb", completion.Collective}}
	case completion.ForReads:
		return []unseen{{"storage-write-1mb", completion.Storage}, {"storage-read-64kb", completion.Small}}
	case completion.Requests:
		return []unseen{{"hadoop-70", completion.Small}, {"storage-read-64kb", completion.Small}}
	}
	return []unseen{{"hadoop-70", completion.Small}, {"storage-write-1mb", completion.Storage}, {"gpu-all-gather", completion.Collective}, {"incast-15", completion.Incast}}
}

// searched returns the scenarios by which points are compared.
func (a Aim) searched() []string {
	if a.Own != nil {
		return a.Own
	}
	return completion.Scenarios(a.Purpose.Kinds())
}

// shown returns the further scenarios that show what the best points cost at the other end.
func (a Aim) shown() []string {
	if a.Own != nil {
		return nil
	}
	return stable.Delete(completion.Scenarios([]completion.Kind{completion.Small}), func(name string) bool { return slices.Contains(a.searched(), name) })
}

// heldOut returns the scenarios that the search does not see.
func (a Aim) heldOut() []unseen {
	return stable.Delete(others(a.Purpose), func(u unseen) bool { return slices.Contains(a.Own, u.name) })
}

// Scenarios returns all that a search takes, by name.
func (a Aim) Scenarios() []string {
	list := slices.Concat(a.searched(), a.shown())
	for _, u := range a.heldOut() {
		list = append(list, u.name)
	}
	return list
}

// meanOf and tailOf are the kinds that a scenario of the author's is judged by.
func meanOf(scenario string) completion.Kind { return completion.Kind(scenario + " mean") }
func tailOf(scenario string) completion.Kind { return completion.Kind(scenario + " p99") }

// likeKind returns the kind of an unseen scenario.
func likeKind(scenario string) completion.Kind { return completion.Kind(scenario + " unseen") }

// An objective is an aim with the scenarios that fit.
type objective struct {
	parts []part            // in columns
	aim   []completion.Kind // judged together
	ends  [2]part           // of the front
}

// objective returns the objective of a search over these scenarios.
func (a Aim) objective(searched []string) (o objective) {
	if a.Own == nil {
		return kindsOf(a.Purpose, searched)
	}
	for _, name := range searched {
		both := []completion.Kind{meanOf(name), tailOf(name)}
		o.parts = append(o.parts, part{name, both})
		o.aim = append(o.aim, both...)
		o.ends[0].kinds, o.ends[1].kinds = append(o.ends[0].kinds, both[0]), append(o.ends[1].kinds, both[1])
	}
	o.ends[0].name, o.ends[1].name = "mean", "p99"
	return o
}

// kindsOf returns the objective of a purpose, whose other end is short messages or, for these, long
// ones. A kind is left out unless all of its scenarios are searched.
func kindsOf(p completion.Purpose, searched []string) objective {
	without := func(kinds []completion.Kind) []completion.Kind {
		return stable.Delete(kinds, func(k completion.Kind) bool {
			return slices.ContainsFunc(k.Scenarios(), func(name string) bool { return !slices.Contains(searched, name) })
		})
	}
	one := func(k completion.Kind) part { return part{string(k), []completion.Kind{k}} }
	small, long := one(completion.Small), part{"long", without([]completion.Kind{completion.Large, completion.Storage, completion.Collective})}
	o := objective{aim: without(p.Kinds())}
	for _, k := range o.aim {
		o.parts = append(o.parts, one(k))
	}
	switch p {
	case completion.Requests:
		o.ends = [2]part{small, one(completion.Large)}
		o.parts = append(o.parts, o.ends[1])
	case completion.Mixed, "":
		o.ends = [2]part{small, long}
	default:
		o.ends = [2]part{{string(p.Kinds()[0]), o.aim}, small}
		o.parts = append(o.parts, small)
	}
	return o
}

// An outcome holds a run's figures of completion, and the goals that it misses.
type outcome struct {
	completion.Run
	Means      []float64 `json:"means"` // by block of traffic: of slowdowns, or in us until a collective operation has ended
	Tails      []float64 `json:"tails"` // the same with the 99th percentile
	LatencyMax float64   `json:"latency_max_us"`
	Missed     []string  `json:"missed"`
}

// outcomeOf takes from the outcome of a detailed job what counts.
func outcomeOf(o *pattern.Outcome) outcome {
	out := outcome{Run: completion.RunOf(o), LatencyMax: o.LatencyMax, Missed: o.Missed}
	if o.Completion == nil {
		return out
	}
	for i := range o.Completion.Blocks {
		switch b := &o.Completion.Blocks[i]; {
		case b.Messages > 0 && b.Least == 0:
			out.Means, out.Tails = append(out.Means, b.SlowdownMean), append(out.Tails, b.SlowdownP99)
		case b.Duration > 0:
			out.Means, out.Tails = append(out.Means, b.Duration), append(out.Tails, b.Duration)
		}
	}
	return out
}

// setOf makes figures of outcomes.
func (a Aim) setOf(list []outcome) completion.Set {
	var made []completion.Run
	for i := range list {
		made = append(made, list[i].Run)
	}
	set := completion.Of(made)
	for i := range list {
		o := &list[i]
		set[o.Seed][meanOf(o.Scenario)] = o.figure(o.Means)
		set[o.Seed][tailOf(o.Scenario)] = o.figure(o.Tails)
		for _, u := range a.heldOut() {
			if u.name == o.Scenario {
				set[o.Seed][likeKind(u.name)] = o.figure(o.Values(u.like))
			}
		}
	}
	return set
}

// figure returns the geometric mean of values of a run.
func (o *outcome) figure(values []float64) completion.Figure {
	switch {
	case o.Unusable != "":
		return completion.Figure{Unusable: o.Scenario + " " + o.Unusable}
	case len(values) == 0:
		return completion.Figure{Unusable: o.Scenario + " has no message of this kind"}
	}
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v) / float64(len(values))
	}
	return completion.Figure{Value: math.Exp(sum)}
}

// breach says what a run does that it must not: flows that do not finish, lost packets, a goal missed that the
// compiled settings meet in the same run, or more pauses or latency where they miss that too. Empty: nothing.
func (o *outcome) breach(compiled *outcome) string {
	switch {
	case o.Unusable != "":
		return o.Unusable
	case o.Pauses > compiled.Pauses && slices.Contains(o.Missed, pattern.PausesPerSecond):
		return pattern.PausesPerSecond
	case o.LatencyMax > compiled.LatencyMax && slices.Contains(o.Missed, pattern.MaxLatency):
		return pattern.MaxLatency
	}
	for _, goal := range o.Missed {
		if !slices.Contains(compiled.Missed, goal) {
			return goal
		}
	}
	return ""
}

// never is a latency that no packet reaches.
const never = units.Time(math.MaxInt64)

// stated leaves a scenario those goals of time that its author stated: a default bounds no choice. The goals
// that pauses are rare, no lossless packet is lost and all flows finish always remain.
func stated(f *policy.Fabric, s *pattern.Scenario) {
	own := policy.Targets{}
	for _, of := range f.Scenarios {
		if of.Name == s.Name {
			own = of.Goals
		}
	}
	given := func(at func(*policy.Targets) bool) bool { return at(&own) || at(&f.Targets) }
	g := &s.Goals
	g.Throughput = 0
	if !given(func(t *policy.Targets) bool { return t.MaxLatency.Set }) {
		g.MaxLatency = never
	}
	if !given(func(t *policy.Targets) bool { return t.UsualLatency.Set }) {
		g.UsualLatency = never
	}
	g.OfScenarios = false
	if !given(func(t *policy.Targets) bool { return t.Slowdown.Set }) {
		g.Slowdown = 0
	}
	if !given(func(t *policy.Targets) bool { return t.SlowdownP99.Set }) {
		g.SlowdownP99 = 0
	}
	if !given(func(t *policy.Targets) bool { return t.Steps.Set }) {
		g.Steps = 0
	}
}
