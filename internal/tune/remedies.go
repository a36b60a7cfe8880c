package tune

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A Remedy is a fabric with one change, under which a scenario may meet goals that it misses.
type Remedy struct {
	pattern.Remedy
	plan   *plan.Plan
	change func(*pattern.Scenario) // nil: the plan is the change
}

// longestRemedy bounds a run that tries a remedy: it is made once, as long as the one that missed.
const longestRemedy = 8 * units.Millisecond

// remedyStep is the number of levels of an axis in a remedy.
const remedyStep = 2

// Remedies returns the changes that are tried: a number of what is searched two levels up or down, how
// load is balanced, the congestion control. A remedy breaks no inequality that the compiled
// settings keep; settings that the fabric has already are left out. The error is that of a fabric
// that marks nothing.
func Remedies(f *policy.Fabric, compiled *plan.Plan) (list []Remedy, err error) {
	s, err := newSpace(f, compiled, nil)
	if err != nil {
		return nil, err
	}
	for _, g := range s.singles(remedyStep) {
		p := s.point(g)
		if made, broken := s.plan(p); broken == "" {
			kind, what := p.says()
			list = append(list, Remedy{Remedy: pattern.Remedy{Kind: kind, Change: what}, plan: made})
		}
	}
	for _, way := range []string{"spray", "adaptive"} {
		if f.LoadBalancing.Value != way {
			list = append(list, Remedy{pattern.Remedy{Kind: "balancing", Change: "load_balancing = " + way}, compiled, func(s *pattern.Scenario) { s.LoadBalancing = way }})
		}
	}
	for _, control := range []string{"swift", "hpcc"} {
		if s.class.CongestionControl.Value != control {
			list = append(list, Remedy{pattern.Remedy{Kind: "control", Change: "congestion_control = " + control}, compiled, func(s *pattern.Scenario) { s.CongestionControl = control }})
		}
	}
	return list, nil
}

// says puts a point that changes one number into words.
func (p *Point) says() (kind, what string) {
	switch {
	case p.OwnAlpha:
		return "alpha", fmt.Sprintf("alpha = %v", p.Alpha)
	case p.KMax != 0:
		return "curve", fmt.Sprintf("kmin = %v, kmax = %v, pmax = %v", p.KMin, p.KMax, p.PMax)
	}
	return "nic", "dcqcn of the NICs: " + p.constants()
}

// Trials say how remedies are tried.
type Trials struct {
	Remedies []Remedy
	Size     fabric.Size
	Chip     func(name string) (*chips.Chip, bool)
	Store    *runs.Store // nil: none
}

// Try makes the run of a scenario that missed its goals once more with each remedy, for as long as that
// one was, until one meets them all. Its answer is that remedy, or one of the kind [pattern.NoRemedy].
func (t *Trials) Try(ctx context.Context, s *pattern.Scenario, missed *pattern.Outcome) (*pattern.Remedy, error) {
	var kinds []string
	for i := range t.Remedies {
		r := &t.Remedies[i]
		own := *s
		own.Time = min(units.Time(missed.Time*1e6), longestRemedy)
		if r.change != nil {
			r.change(&own)
		}
		_, jobs, err := pattern.Jobs(r.plan, t.Chip, fabric.Options{Size: t.Size}, []pattern.Scenario{own}, 1)
		if err != nil {
			return nil, err
		}
		jobs[0].Seed = missed.Seed
		out, err := t.Store.Run(ctx, jobs, nil)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(kinds, r.Kind) {
			kinds = append(kinds, r.Kind)
		}
		if o := &out[0]; o.Skipped == "" && len(o.Missed) == 0 {
			found := r.Remedy
			found.Tried = i + 1
			return &found, nil
		}
	}
	return &pattern.Remedy{Kind: pattern.NoRemedy, Change: "none alone of " + strings.Join(kinds, ", "), Tried: len(t.Remedies)}, nil
}
