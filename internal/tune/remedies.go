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

// Remedies are the changes that are tried, in this order: constants of the NICs, the curve, alpha, how
// load is balanced, the congestion control. What is compiled breaks no inequality that the compiled
// settings keep; what a fabric has already is left out. The error is that of a fabric that marks
// nothing.
func Remedies(f *policy.Fabric, compiled *plan.Plan) (list []Remedy, err error) {
	s, err := newSpace(f, compiled)
	if err != nil {
		return nil, err
	}
	points := s.remedies()
	for i := range points {
		if p, broken := s.plan(&points[i]); broken == "" {
			kind, what := s.says(&points[i])
			list = append(list, Remedy{Remedy: pattern.Remedy{Kind: kind, Change: what}, plan: p})
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

// remedies are the points that change one thing: constants that the fabric has not, two curves, one that
// marks early and much and one that marks late and little, and alpha one step up and one down.
func (s *space) remedies() (list []Point) {
	derived := slices.ContainsFunc(s.nics, func(n *policy.NIC) bool { return n.Reaction.Derived.Value })
	if len(s.nics) > 0 {
		for _, c := range nicSteps(s.speed)[1:] {
			if !derived || c.Derived && c.AIRate > 0 {
				list = append(list, Point{Marks: Marks{Derived: true}, NIC: c})
			}
		}
	}
	list = append(list,
		Point{Marks: *s.early()},
		Point{Marks: *s.late()})
	for _, alpha := range []units.Alpha{s.alpha + 1, s.alpha - 1} {
		list = append(list, Point{Marks: Marks{Derived: true, OwnAlpha: true, Alpha: alpha}})
	}
	return list
}

// says puts a point that changes one thing into words.
func (s *space) says(p *Point) (kind, what string) {
	switch {
	case p.NIC != Constants{}:
		return "nic", "dcqcn of the NICs: " + p.NIC.String()
	case p.OwnAlpha:
		return "alpha", fmt.Sprintf("alpha = %v", p.Alpha)
	}
	return "curve", fmt.Sprintf("kmin = %v, kmax = %v, pmax = %v", p.KMin, p.KMax, p.PMax)
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
