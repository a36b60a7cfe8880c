package tune

import (
	"cmp"
	"context"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Of many points some meet their goals by chance: the one that does best with one seed is a worse choice
// than it looks. So the best of them, and the compiled settings, are tried again with seeds of their own
// before one is chosen.
const (
	finalists = 3
	moreSeeds = 2
)

// reserve is how many runs of the budget the finalists get: no more than half of it.
func (s *search) reserve() int {
	each := (finalists + 1) * len(s.Scenarios) // with one seed
	if s.Part != nil {
		return 0 // other parts may have better ones
	}
	s.report.More = min(moreSeeds, s.Budget/2/each)
	return s.report.More * each
}

// seen is the last seed of the search.
func (s *search) seen() (last uint64) {
	for _, j := range s.report.Compiled.jobs {
		last = max(last, j.Seed)
	}
	return last
}

// again tries the first of a list, which is as compiled, and the best of the others with more seeds.
func (s *search) again(ctx context.Context, compiled *plan.Plan, list []*Trial) error {
	best := slices.Clone(list[1:])
	stable.Sort(best, func(a, b *Trial) int {
		return cmp.Or(-cmp.Compare(a.Score.Met, b.Score.Met), -cmp.Compare(a.Score.Room, b.Score.Room))
	})
	var than []pattern.Outcome // as compiled
	for _, t := range append(list[:1:1], best[:min(finalists, len(best))]...) {
		p := compiled
		if t.Point != nil {
			p, _ = s.space.plan(t.Point)
		}
		more, err := s.fresh(ctx, p, s.Scenarios, s.report.More, s.seen(), s.Longest)
		if err != nil {
			return err
		}
		if t.Point == nil {
			than = more
		}
		all := &Trial{outcomes: slices.Concat(t.outcomes, more)}
		beside := &Trial{outcomes: slices.Concat(s.report.Compiled.outcomes, than)}
		if all.loses(beside) {
			continue
		}
		sum, _ := score(all.outcomes, beside.outcomes, func(*pattern.Outcome) bool { return true })
		t.Again = &sum
	}
	return nil
}

// fresh runs a plan with so many seeds that follow those that were seen.
func (s *search) fresh(ctx context.Context, p *plan.Plan, scenarios []pattern.Scenario, seeds int, seen uint64, longest units.Time) ([]pattern.Outcome, error) {
	_, jobs, err := pattern.Jobs(p, s.Chip, fabric.Options{Size: s.Size}, scenarios, seeds)
	if err != nil {
		return nil, err
	}
	for k := range jobs {
		jobs[k].Seed += seen
		jobs[k].Longest = longest
	}
	s.report.Runs += len(jobs)
	return s.Store.Run(ctx, jobs, s.Done)
}
