package tune

import (
	"context"
	"math"
	"slices"

	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
)

// HeldOut is what became of a choice, and of the compiled settings, in runs that the search has
// not seen: its scenarios with other seeds, and scenarios of its own.
type HeldOut struct {
	Scenarios []string `json:"patterns"` // that were run and the search did not see at all
	Seeds     int      `json:"seeds"`    // of each scenario
	First     uint64   `json:"first_seed"`
	Judged    int      `json:"goals_judged"` // runs but those whose goals lie beyond a bound
	Compiled  int      `json:"compiled_met"`
	Chosen    int      `json:"chosen_met"`
	// Gain is in the share of runs that meet all goals, with its confidence interval of 95 %.
	Gain float64 `json:"gain"`
	Low  float64 `json:"gain_low"`
	High float64 `json:"gain_high"`

	Short []Short `json:"short"` // of what is left, by scenario
}

// Short is a scenario of which the chosen settings do not meet all goals in every run.
type Short struct {
	Scenario string        `json:"pattern"`
	Runs     int           `json:"runs"`
	Missed   int           `json:"missed"` // within reach
	Goals    []string      `json:"goals"`  // that these miss
	Far      []pattern.Far `json:"far"`    // of each of these, the worst of the runs, with its bound
	Bounds   []string      `json:"bounds"` // kinds of those beyond which goals of the others lie
	Beyond   int           `json:"beyond"` // runs with such a goal, which are not judged
}

// holdOut runs the chosen point and the compiled settings where the search has not been.
func (s *search) holdOut(ctx context.Context, compiled *plan.Plan) error {
	seen := s.seen() + uint64(s.report.More)
	h := &HeldOut{Seeds: s.HeldOutSeeds, First: seen + 1, Scenarios: []string{}, Short: []Short{}}
	all := slices.Concat(s.Scenarios, s.HeldOut)
	before, err := s.fresh(ctx, compiled, all, s.HeldOutSeeds, seen, s.claimed())
	after := before
	if point := s.report.Chosen.Point; point != nil && err == nil {
		chosen, _ := s.space.plan(point)
		after, err = s.fresh(ctx, chosen, all, s.HeldOutSeeds, seen, s.claimed())
	}
	if err != nil {
		return err
	}
	for _, of := range s.HeldOut {
		if slices.ContainsFunc(before, func(o pattern.Outcome) bool { return o.Pattern == of.Name && o.Skipped == "" }) {
			h.Scenarios = append(h.Scenarios, of.Name)
		}
	}
	h.compare(before, after)
	s.report.HeldOut = h
	return nil
}

// shorten notes a run that misses goals.
func (h *HeldOut) shorten(o *pattern.Outcome) {
	k := slices.IndexFunc(h.Short, func(s Short) bool { return s.Scenario == o.Pattern })
	if k < 0 {
		k, h.Short = len(h.Short), append(h.Short, Short{Scenario: o.Pattern, Goals: []string{}, Far: []pattern.Far{}, Bounds: []string{}})
	}
	s := &h.Short[k]
	s.Runs++
	if b := o.Infeasible(); b != nil {
		s.Beyond++
		s.Bounds = with(s.Bounds, b.Kind)
	} else if len(o.Missed) > 0 {
		s.Missed++
		for _, goal := range o.Missed {
			s.Goals = with(s.Goals, goal)
		}
		for _, f := range o.Far {
			s.further(f)
		}
	}
}

// further keeps the worst of the runs.
func (s *Short) further(f pattern.Far) {
	k := slices.IndexFunc(s.Far, func(o pattern.Far) bool { return o.Goal == f.Goal })
	switch {
	case k < 0:
		s.Far = append(s.Far, f)
	case f.Worse(s.Far[k]):
		s.Far[k] = f
	}
}

func with(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// compare counts pairs of runs and gives the gain its interval: the adjusted Wald interval of
// paired proportions, with z of 95 % (D. G. Bonett and R. M. Price, "Adjusted Wald Confidence
// Interval for a Difference of Binomial Proportions Based on Paired Data", Journal of Educational
// and Behavioral Statistics 37(4), 2012): one is added to the pairs in which only one of the two
// met its goals, either way.
func (h *HeldOut) compare(compiled, chosen []pattern.Outcome) {
	better, worse := 1.0, 1.0
	for i := range compiled {
		if compiled[i].Skipped != "" {
			continue
		}
		h.shorten(&chosen[i])
		if len(compiled[i].Missed) > 0 && (compiled[i].Infeasible() != nil || chosen[i].Infeasible() != nil) {
			continue // beyond a bound under one is beyond it under the other, whichever of them settled
		}
		before, after := len(compiled[i].Missed) == 0, len(chosen[i].Missed) == 0
		h.Judged++
		switch {
		case after && !before:
			better++
		case before && !after:
			worse++
		}
		if before {
			h.Compiled++
		}
		if after {
			h.Chosen++
		}
	}
	h.Short = slices.DeleteFunc(h.Short, func(s Short) bool { return s.Missed+s.Beyond == 0 })
	if h.Judged == 0 {
		return
	}
	const z = 1.959964
	n := float64(h.Judged) + 2
	p, q := better/n, worse/n
	half := z * math.Sqrt((p+q-(p-q)*(p-q))/n)
	h.Gain = float64(h.Chosen-h.Compiled) / float64(h.Judged)
	h.Low, h.High = max(-1, p-q-half), min(1, p-q+half)
}
