package tune

import (
	"context"
	"runtime"
	"slices"

	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
)

// A batch is runs of settings that are asked for together, so that cores share them.
type batch struct {
	jobs []pattern.Job
	at   []*[]outcome // where the outcome of each goes
}

// add asks for the runs of a plan: scenarios by name, with so many seeds from the first on.
func (s *search) add(b *batch, p *plan.Plan, into *[]outcome, names []string, first, seeds int) (*fabric.Network, error) {
	var list []pattern.Scenario
	for _, sc := range s.Scenarios {
		if slices.Contains(names, sc.Name) {
			stated(s.space.fabric, &sc)
			list = append(list, sc)
		}
	}
	net, jobs, err := pattern.Jobs(p, s.Chip, fabric.Options{Size: s.Size}, list, seeds)
	for i := range jobs {
		jobs[i].Seed += uint64(first - 1)
		completion.Detail(&jobs[i])
		b.jobs, b.at = append(b.jobs, jobs[i]), append(b.at, into)
	}
	return net, err
}

// run makes the runs of a batch that the store does not have.
func (s *search) run(ctx context.Context, b *batch) error {
	out := make([]outcome, len(b.jobs))
	cores := runtime.GOMAXPROCS(0)
	err := parallel.Each(ctx, cores, len(b.jobs), func(i int) (err error) {
		out[i], err = runs.Kept(s.Store, "tune", &b.jobs[i], func() (outcome, error) {
			made, err := b.jobs[i].Once(ctx, max(1, cores/len(b.jobs)))
			return outcomeOf(&made), err
		})
		if s.Done != nil && err == nil {
			s.Done()
		}
		return err
	})
	if err != nil {
		return err
	}
	for i, to := range b.at {
		*to = append(*to, out[i])
	}
	s.report.Runs += len(b.jobs)
	return nil
}
