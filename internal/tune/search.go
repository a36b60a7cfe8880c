package tune

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Options say what the search may do.
type Options struct {
	Scenarios []pattern.Scenario
	Own       []string // of these, by name: where the compiled settings meet their goals a point must, and carry nine tenths as much
	Seeds     int      // runs of each scenario; 0: its own number
	Budget    int      // runs in all
	Size      fabric.Size
	Chip      func(name string) (*chips.Chip, bool)
	Part      func([]Point) []Point // of the grid that is searched; nil: all
	Done      func()                // is called after each run; may be nil
	Longest   units.Time            // of a run that does not settle; see [pattern.Job]
	Store     *runs.Store           // of runs that were made before; nil: none

	Balancing []string // ways to balance load that are tried beside the fabric's: what its switches can carry
	Controls  []string // congestion controls that are tried beside DCQCN: they change what hosts run

	HeldOut      []pattern.Scenario // that the search does not see
	HeldOutSeeds int                // that it does not see either; 0: nothing is held out
	HeldOutTime  units.Time         // of a run there that does not settle, as Longest; 0: that
}

// A Report is what the search found.
type Report struct {
	Blocks
	Class    string         // the first one
	Grid     int            // points in all, before inequalities
	Planned  int            // points that were compiled
	Rejected map[string]int // of those, by the inequality that they break
	Lossy    int            // points under which a run lost packets, flows or what [Options.Own] keep
	Runs     int
	Notes    []string
	Skipped  []string // scenarios that do not fit the fabric, with the reason

	Compiled *Trial
	Points   []*Trial // that no other beats, by falling latency; without the compiled one
	Chosen   *Trial   // of these and the compiled settings, see [Choose]
	More     int      // seeds beyond those of the scenarios that the best points, and the compiled settings, were tried with
	HeldOut  *HeldOut // what became of the chosen one where the search has not been; nil: nobody asked
}

// A Trial is a point with what became of it.
type Trial struct {
	Point    *Point // nil: as compiled
	Settings Settings
	Score    Score
	Costs    []Cost // by scenario
	Again    *Score // with more seeds, those of Score included; nil: it was not tried so

	jobs     []pattern.Job
	outcomes []pattern.Outcome
}

// A Cost is what a point does in one scenario, over all its seeds.
type Cost struct {
	Scenario string `json:"pattern"`
	Score
}

// search is a search in progress.
type search struct {
	*Options
	space  *space
	report Report
}

// Search looks for better settings than the compiled ones by successive halving (Jamieson and
// Talwalkar, "Non-stochastic Best Arm Identification and Hyperparameter Optimization",
// AISTATS 2016): many points get few runs, the better half gets more, the best get all. The
// result depends on nothing but the fabric and the options. The error is that of a fabric
// that cannot be tuned or simulated, of a budget that is too small, or of the context.
func Search(ctx context.Context, f *policy.Fabric, compiled *plan.Plan, o Options) (*Report, error) {
	space, err := newSpace(f, compiled)
	if err != nil {
		return nil, err
	}
	space.balancing, space.controls = o.Balancing, o.Controls
	s := &search{Options: &o, space: space, report: Report{Blocks: space.blocks(), Class: space.class.Name, Rejected: map[string]int{}}}
	if err := s.baseline(ctx, compiled); err != nil {
		return nil, err
	}
	points := space.grid()
	s.report.Grid = len(points)
	if o.Part != nil {
		points = o.Part(points)
	}
	kept := s.reserve()
	steps, width := s.schedule(len(s.report.Compiled.jobs), s.Budget-s.report.Runs-kept)
	if width == 0 {
		return nil, fmt.Errorf("a budget of %d runs is too small: the compiled settings alone take %d, and a comparison as many again", o.Budget, s.report.Runs)
	}
	alive, err := s.feasible(points, width)
	if err != nil {
		return nil, err
	}
	for i, runs := range steps {
		if alive, err = s.advance(ctx, alive, runs); err != nil {
			return nil, err
		}
		if i < len(steps)-1 {
			alive = rank(alive, scoreOf)[:(len(alive)+1)/2]
		}
	}
	if err := s.conclude(ctx, compiled, alive); err != nil {
		return nil, err
	}
	if o.HeldOutSeeds > 0 && o.Part == nil {
		if err := s.holdOut(ctx, compiled); err != nil {
			return nil, err
		}
	}
	return &s.report, nil
}

func scoreOf(t *Trial) Score { return t.Score }

// baseline runs the compiled settings, and finds out which scenarios fit.
func (s *search) baseline(ctx context.Context, compiled *plan.Plan) error {
	t := &Trial{Settings: s.space.settings(compiled)}
	s.report.Compiled = t
	if err := s.load(t, compiled); err != nil {
		return err
	}
	if err := s.run(ctx, []*Trial{t}, len(t.jobs)); err != nil {
		return err
	}
	skipped := map[string]bool{}
	for _, o := range t.outcomes {
		if o.Skipped != "" && !skipped[o.Pattern] {
			skipped[o.Pattern] = true
			s.report.Skipped = append(s.report.Skipped, o.Pattern+" "+o.Skipped)
		}
	}
	s.Scenarios = slices.DeleteFunc(slices.Clone(s.Scenarios), func(p pattern.Scenario) bool { return skipped[p.Name] })
	t.jobs = slices.DeleteFunc(t.jobs, func(j pattern.Job) bool { return skipped[j.Scenario.Name] })
	t.outcomes = slices.DeleteFunc(t.outcomes, func(o pattern.Outcome) bool { return skipped[o.Pattern] })
	s.report.Runs = len(t.jobs)
	if len(t.jobs) == 0 {
		return errors.New("none of the scenarios fits the fabric")
	}
	t.judge(t)
	return nil
}

// load makes the runs of a trial: each scenario with the first seed, then each with the next.
func (s *search) load(t *Trial, p *plan.Plan) error {
	net, jobs, err := pattern.Jobs(p, s.Chip, fabric.Options{Size: s.Size}, s.Scenarios, s.Seeds)
	if err != nil {
		return err
	}
	stable.Sort(jobs, func(a, b pattern.Job) int { return int(a.Seed) - int(b.Seed) })
	for i := range jobs {
		jobs[i].Longest = s.Longest
	}
	s.report.Notes, t.jobs = pattern.Notes(net, jobs), jobs
	return nil
}

// schedule says how many of a point's runs each step goes up to, and with how many points the first one
// begins so that the budget is kept.
func (s *search) schedule(runs, budget int) (steps []int, width int) {
	for parts := 4; parts >= 1; parts /= 2 {
		if n := (runs + parts - 1) / parts; len(steps) == 0 || n > steps[len(steps)-1] {
			steps = append(steps, n)
		}
	}
	cost := func(width int) (sum int) {
		before := 0
		for _, n := range steps {
			sum += width * (n - before)
			before, width = n, (width+1)/2
		}
		return sum
	}
	for cost(width+1) <= budget {
		width++
	}
	return steps, width
}

// feasible compiles points until there are enough that break no inequality.
func (s *search) feasible(points []Point, enough int) (list []*Trial, err error) {
	for i := range points {
		if len(list) == enough {
			break
		}
		s.report.Planned++
		p, broken := s.space.plan(&points[i])
		if broken != "" {
			s.report.Rejected[broken]++
			continue
		}
		t := &Trial{Point: &points[i], Settings: s.space.settings(p)}
		if err := s.load(t, p); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// advance brings trials up to a number of runs and drops those that lost something.
func (s *search) advance(ctx context.Context, list []*Trial, upTo int) ([]*Trial, error) {
	if err := s.run(ctx, list, upTo); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(t *Trial) bool {
		t.judge(s.report.Compiled)
		if s.loses(t, s.report.Compiled) {
			s.report.Lossy++
			return true
		}
		return false
	}), nil
}

// leastOwn is how much of what a scenario of the fabric's own carries as compiled it must carry under a point: goals do not ask
// how long a training step takes. It is assumed.
const leastOwn = 0.9

// loses reports whether more is lost than as compiled, where an event may lose something too: packets, flows, or goals
// or a tenth of the throughput of the fabric's own scenarios.
func (s *search) loses(t, compiled *Trial) bool {
	for i, o := range t.outcomes {
		than := &compiled.outcomes[i]
		own := slices.Contains(s.Own, o.Pattern) && len(than.Missed) == 0
		if own && (len(o.Missed) > 0 || gain(&o, than) < leastOwn) || o.LosslessDrops > than.LosslessDrops || o.Unfinished > than.Unfinished {
			return true
		}
	}
	return false
}

// run gives each trial the runs that it lacks of a number, all at once.
func (s *search) run(ctx context.Context, list []*Trial, upTo int) error {
	var jobs []pattern.Job
	for _, t := range list {
		jobs = append(jobs, t.jobs[len(t.outcomes):upTo]...)
	}
	outcomes, err := s.Store.Run(ctx, jobs, s.Done)
	if err != nil {
		return err
	}
	s.report.Runs += len(jobs)
	for _, t := range list {
		n := upTo - len(t.outcomes)
		t.outcomes = append(t.outcomes, outcomes[:n]...)
		outcomes = outcomes[n:]
	}
	return nil
}

// judge scores a trial by the runs that it had, beside the same runs as compiled.
func (t *Trial) judge(compiled *Trial) {
	t.Score, _ = score(t.outcomes, compiled.outcomes, func(*pattern.Outcome) bool { return true })
	t.Costs = nil
	for _, j := range t.jobs {
		name := j.Scenario.Name
		if slices.ContainsFunc(t.Costs, func(c Cost) bool { return c.Scenario == name }) {
			continue
		}
		if own, ok := score(t.outcomes, compiled.outcomes, func(o *pattern.Outcome) bool { return o.Pattern == name }); ok {
			t.Costs = append(t.Costs, Cost{name, own})
		}
	}
}

// score adds up outcomes beside those of the same runs as compiled; false if there are none.
func score(own, compiled []pattern.Outcome, of func(*pattern.Outcome) bool) (s Score, some bool) {
	n := 0.0
	for i := range own {
		if o := &own[i]; of(o) && o.Skipped == "" && compiled[i].Skipped == "" {
			s.Throughput += gain(o, &compiled[i])
			if o.Infeasible() == nil {
				s.Judged++
				s.Room += o.Room
				if len(o.Missed) == 0 {
					s.Met++
				}
			}
			s.LatencyP99 += o.LatencyP99
			s.Pauses += o.Pauses
			n++
		}
	}
	if n == 0 {
		return Score{}, false
	}
	s.Throughput /= n
	s.LatencyP99 /= n
	s.Room /= float64(max(1, s.Judged))
	return s, true
}

// gain is what a run carried as a share of what another did: in the steady state where both have
// one in which ports are full. Runs of two lengths, as they come about where one did not settle at
// once, say nothing of it otherwise: they count as equal.
func gain(o, than *pattern.Outcome) float64 {
	if a, b := o.Steady, than.Steady; a != nil && b != nil && a.Throughput > 0 && b.Throughput > 0 {
		return a.Throughput / b.Throughput
	}
	if o.Time != than.Time {
		return 1
	}
	return than.Duration / o.Duration
}

// conclude keeps the points that neither another nor the compiled settings beat, and chooses one of all.
func (s *search) conclude(ctx context.Context, compiled *plan.Plan, alive []*Trial) error {
	all := append([]*Trial{s.report.Compiled}, alive...)
	for _, t := range Pareto(all, scoreOf) {
		if t.Point != nil {
			s.report.Points = append(s.report.Points, t)
		}
	}
	list := append(all[:1:1], s.report.Points...)
	if s.report.More > 0 && len(s.report.Points) > 0 {
		if err := s.again(ctx, compiled, list); err != nil {
			return err
		}
	}
	s.report.Chosen = Choose(list, scoreOf, func(t *Trial) *Score { return t.Again })
	return nil
}

// Choose is the trial with most runs that meet all goals; of several the first one of the list if it
// is one of them, which is as compiled, else the one that meets them with most room. Where some were tried again with
// more seeds, it is one of those, by what they did then.
func Choose[T any](list []T, score func(T) Score, again func(T) *Score) T {
	if tried := slices.DeleteFunc(slices.Clone(list), func(t T) bool { return again(t) == nil }); len(tried) > 0 {
		list, score = tried, func(t T) Score { return *again(t) }
	}
	best := list[0]
	first := score(best).Met
	for _, t := range list[1:] {
		if a, b := score(t), score(best); a.Met > b.Met || a.Met == b.Met && a.Met > first && a.Room > b.Room {
			best = t
		}
	}
	return best
}
