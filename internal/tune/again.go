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
// before one is chosen. That is judged as the claim is: what the search saw miss a goal is made again, for as long as a run may
// be there. Points whose queue pairs rise in small steps take longest to settle, and leave most room once they have.
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
	var beside *Trial // as compiled
	for _, t := range append(list[:1:1], best[:min(finalists, len(best))]...) {
		p := compiled
		if t.Point != nil {
			p, _ = s.space.plan(t.Point)
		}
		seen, err := s.longer(ctx, t)
		if err != nil {
			return err
		}
		more, err := s.fresh(ctx, p, s.Scenarios, s.report.More, s.seen(), s.claimed())
		if err != nil {
			return err
		}
		all := &Trial{outcomes: slices.Concat(seen, more)}
		if t.Point == nil {
			beside = all
		}
		if s.loses(all, beside) {
			continue
		}
		sum, _ := score(all.outcomes, beside.outcomes, func(*pattern.Outcome) bool { return true })
		t.Again = &sum
	}
	return nil
}

// claimed is how long a run may be by which a choice is judged.
func (s *search) claimed() units.Time { return max(s.Longest, s.HeldOutTime) }

// longer are the outcomes of a trial, of which those that missed a goal within reach were made again for as long as that; each
// is one run as before, however long.
func (s *search) longer(ctx context.Context, t *Trial) ([]pattern.Outcome, error) {
	list := slices.Clone(t.outcomes)
	var jobs []pattern.Job
	var at []int
	for i := range list {
		if list[i].MissedInReach() && s.claimed() > s.Longest {
			job := t.jobs[i]
			job.Longest = s.claimed()
			jobs, at = append(jobs, job), append(at, i)
		}
	}
	again, err := s.Store.Run(ctx, jobs, s.Done)
	for k, o := range again {
		list[at[k]] = o
	}
	return list, err
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
