package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// Options say what the search may do.
type Options struct {
	Aim       Aim
	Scenarios []pattern.Scenario // the scenarios of [Aim.Scenarios]
	Size      fabric.Size        // that the fabric is cut to; zero: 4 edge switches with 8 hosts each, as package completion does
	Budget    int                // runs in all: as compiled, of the search, of the random one, held out
	Seeds     int                // with which the best points are compared; 0: as many as suits the budget
	HeldOut   int                // seeds that the search does not see; 0: as many as suits the budget
	Stream    uint64             // of random numbers: searches of several machines differ by it
	Balancing []string           // ways to balance load that are tried in addition to the fabric's: those that its switches support
	Chip      func(name string) (*chips.Chip, bool)
	Store     *runs.Store // of runs that were made before; nil: none
	Done      func()      // is called after each run; may be nil
	Better    func(Ratio) // is called with the objective of the best point so far; may be nil
}

// Ratio is the ratio of package completion.
type Ratio = completion.Ratio

const (
	finalists  = 3 // points of the search that are compared with all seeds
	fewest     = 4 // points that a search has at least
	parents    = 4 // of whom children descend, and that get a further seed
	brood      = 8 // points that run at once
	shownSeeds = 2 // at most, of scenarios that are only shown
)

// search is a search in progress.
type search struct {
	*Options
	space     *space
	plan      *plan.Plan // as compiled
	objective objective
	searched  []string // scenarios that fit
	shown     []string
	unseen    []string
	compiled  candidate
	seen      map[string]bool // points, by their keys
	report    Report
}

// A candidate is a point with its runs.
type candidate struct {
	genome genome
	point  *Point // nil: as compiled
	plan   *plan.Plan
	by     string
	seeds  int       // with which it was run
	runs   []outcome // of the scenarios that are searched, and of those only shown
	held   []outcome
	ratio  Ratio  // of the objective
	broken string // the forbidden event in a run
}

// Search looks for settings under which the objective finishes sooner than under the compiled ones, by Bayesian
// optimization: points by chance, then those of which a model of all that were tried hopes most. As many runs go
// into points that are drawn by chance alone. In both the four best get a further seed after each eight points, up
// to all. The best of both are run where neither has been, and chosen only if they finish sooner there. The result
// depends on nothing but the fabric and the options. The error is that of a fabric that cannot be tuned or
// simulated, of a budget that is too small, or of the context: then the report has what was found until then.
func Search(ctx context.Context, f *policy.Fabric, compiled *plan.Plan, o Options) (*Report, error) {
	o.Size, o.Aim.Purpose = cmp.Or(o.Size, completion.UsualSize()), cmp.Or(o.Aim.Purpose, completion.Mixed)
	o.share()
	space, err := newSpace(f, compiled, o.Balancing)
	if err != nil {
		return nil, err
	}
	s := &search{Options: &o, space: space, plan: compiled}
	s.compiled = candidate{genome: space.compiled(), plan: compiled}
	s.describe()
	if err := s.baseline(ctx); err != nil {
		return &s.report, s.interrupted(nil, err)
	}
	each, err := s.divide()
	if err != nil {
		return nil, err
	}
	return &s.report, s.compare(ctx, each)
}

// share gives seeds where their number is not given: four for the search where a point has one or two runs with each,
// else two, and a third of the budget to what is held out, of 4 to 12 seeds.
func (o *Options) share() {
	if o.Seeds == 0 {
		o.Seeds = 2
		if len(o.Aim.searched()) <= 2 {
			o.Seeds = 4
		}
	}
	if o.HeldOut == 0 {
		o.HeldOut = min(max(o.Budget/3/(3*(len(o.Aim.searched())+len(o.Aim.heldOut()))), 4), 12)
	}
}

// describe says what is searched.
func (s *search) describe() {
	r := &s.report
	*r = Report{Purpose: s.Aim.Purpose, Own: s.Aim.Own != nil, Searched: s.Aim.searched(), Notes: []string{}, Skipped: []string{}, Classes: []string{}, NICs: []string{}, Axes: []string{},
		Budget: s.Budget, Rejected: map[string]int{}, Dropped: map[string]int{}, Seeds: s.Seeds, Front: []*Trial{}, Compiled: &Trial{Settings: s.space.settings(s.plan)}}
	for _, c := range s.space.classes {
		r.Classes = append(r.Classes, c.Name)
	}
	for _, n := range s.space.settable {
		r.NICs = append(r.NICs, n.Name)
	}
	for _, a := range s.space.axes {
		r.Axes = append(r.Axes, a.name)
	}
}

// baseline runs the compiled settings, and finds out which scenarios say something.
func (s *search) baseline(ctx context.Context) error {
	var b batch
	net, err := s.add(&b, s.plan, &s.compiled.runs, s.Aim.searched(), 1, s.Seeds)
	if err != nil {
		return err
	}
	if _, err := s.add(&b, s.plan, &s.compiled.runs, s.Aim.shown(), 1, s.shownSeeds()); err != nil {
		return err
	}
	s.report.Notes, s.report.Hosts = pattern.Notes(net, b.jobs), len(net.Hosts)
	if err := s.run(ctx, &b); err != nil {
		return err
	}
	s.report.Spent.Compiled = len(b.jobs)
	s.searched, s.shown = s.usable(s.Aim.searched()), s.usable(s.Aim.shown())
	s.report.Searched, s.report.Beside = s.searched, s.shown
	s.objective = s.Aim.objective(s.searched)
	if len(s.objective.aim) == 0 {
		return fmt.Errorf("the compiled settings have no completion to compare: %s", s.report.Skipped[0])
	}
	s.report.Ends = [2]string{s.objective.ends[0].name, s.objective.ends[1].name}
	for _, p := range s.objective.parts {
		s.report.Parts = append(s.report.Parts, p.name)
	}
	s.report.Compiled = s.trial(&s.compiled)
	s.compiled.ratio = s.report.Compiled.Aim
	return nil
}

// usable returns the scenarios in which all runs as compiled say something.
func (s *search) usable(names []string) (list []string) {
	for _, name := range names {
		k := slices.IndexFunc(s.compiled.runs, func(o outcome) bool { return o.Scenario == name && o.Unusable != "" })
		if k < 0 {
			list = append(list, name)
			continue
		}
		s.report.Skipped = append(s.report.Skipped, name+" "+s.compiled.runs[k].Unusable)
	}
	return list
}

// divide says how many runs each of the two searches has. The error is that of a budget that is too small.
func (s *search) divide() (each int, err error) {
	for _, u := range s.Aim.heldOut() {
		s.unseen = append(s.unseen, u.name)
	}
	held := 3 * s.HeldOut * (len(s.searched) + len(s.unseen))
	each = (s.Budget - s.report.Runs - held) / 2
	if least := (fewest+parents)*len(s.searched) + finalists*s.further(); each < least {
		return 0, fmt.Errorf("a budget of %d runs is too small: the compiled settings take %d, what is held out %d, and each of the two searches at least %d; %d runs would do", s.Budget, s.report.Runs, held, least, s.report.Runs+held+2*least)
	}
	return each, nil
}

// further returns the largest number of further runs of a point that is compared with all seeds, beyond those of the
// first one.
func (s *search) further() int {
	return (s.Seeds-1)*len(s.searched) + s.shownSeeds()*len(s.shown)
}

// shownSeeds returns the number of seeds of the scenarios that are only shown.
func (s *search) shownSeeds() int { return min(s.Seeds, shownSeeds) }

// compare searches both ways, and tries the best of both where neither has been.
func (s *search) compare(ctx context.Context, each int) error {
	r := &s.report
	found, n, err := s.explore(ctx, BySearch, each-finalists*s.further(), s.guided())
	r.Points, r.Spent.Search = n, r.Runs-r.Spent.Compiled
	if err != nil {
		return s.interrupted(found, err)
	}
	drawn, n, err := s.explore(ctx, ByRandom, each-s.further(), s.chance())
	r.Drawn, r.Spent.Random = n, r.Runs-r.Spent.Compiled-r.Spent.Search
	if err != nil {
		return s.interrupted(append(found, drawn...), err)
	}
	all := s.finalists(found)
	for _, of := range []struct {
		list  []*candidate
		spent *int
	}{{all, &r.Spent.Search}, {drawn[:min(1, len(drawn))], &r.Spent.Random}} {
		before := r.Runs
		if err := s.finals(ctx, of.list); err != nil {
			return s.interrupted(append(found, drawn...), err)
		}
		*of.spent += r.Runs - before
	}
	all = append(all, drawn[:min(1, len(drawn))]...)
	best, before := s.best(all), r.Runs
	if err := s.holdOut(ctx, best); err != nil {
		return s.interrupted(all, err)
	}
	r.Spent.HeldOut = r.Runs - before
	s.conclude(all, best)
	return nil
}

// interrupted keeps the best point that was found until the context ended.
func (s *search) interrupted(found []*candidate, err error) error {
	s.report.Interrupted = true
	s.report.Why = "the search was interrupted"
	if list := ranked(found); len(list) > 0 && list[0].ratio.Ratio < 1 {
		t := s.trial(list[0])
		t.Best = true
		s.report.Front = []*Trial{t}
	}
	return err
}

// ranked are candidates that have a ratio, the best first.
func ranked(list []*candidate) []*candidate {
	list = stable.Delete(slices.Clone(list), func(c *candidate) bool { return c.ratio.Unusable != "" })
	stable.Sort(list, func(a, b *candidate) int { return cmp.Compare(a.ratio.Ratio, b.ratio.Ratio) })
	return list
}

// A source gives genomes to try, the most promising first, given those that were tried. left is the
// share of runs left.
type source func(tried []*candidate, left float64) []genome

const (
	learning = 2.0 / 3 // of the runs are left when points are no longer drawn by chance alone
	pool     = 200     // genomes among which the model chooses
	bad      = 1.5     // the ratio of a point that breaks a limit
)

// guided gives the compiled curve moved as a whole and points by chance, then what a model of those that were tried
// hopes most of, among children of the best and others by chance.
func (s *search) guided() source {
	r := rand.New(rand.NewPCG(s.Stream, 0x74756e65))
	first := s.space.moves()
	return func(tried []*candidate, left float64) (list []genome) {
		if len(first) > 0 {
			list, first = first, nil
		}
		for range pool {
			list = append(list, s.space.drawn(r))
		}
		if left > learning {
			return list
		}
		return s.promising(tried, append(list, s.children(r, tried)...))
	}
}

// children are descendants of the best points.
func (s *search) children(r *rand.Rand, tried []*candidate) (list []genome) {
	of := ranked(append(slices.Clone(tried), &s.compiled))
	of = of[:min(parents, len(of))]
	for range pool {
		list = append(list, s.space.child(r, of[r.IntN(len(of))].genome, of[r.IntN(len(of))].genome))
	}
	return list
}

// promising orders genomes by what a model hopes of them. Each that is taken counts as tried, with the value that
// the model expects, so that the next is another one (Ginsbourger, Le Riche and Carraro, "Kriging is well-suited to
// parallelize optimization", 2010: the kriging believer).
func (s *search) promising(tried []*candidate, list []genome) (best []genome) {
	at, values := []genome{s.compiled.genome}, []float64{0}
	for _, c := range tried {
		at, values = append(at, c.genome), append(values, c.value())
	}
	for len(best) < 2*brood && len(list) > 0 {
		m := fit(at, values)
		k := 0
		hopes := make([]float64, len(list))
		for i, g := range list {
			if hopes[i] = m.hope(g); hopes[i] < hopes[k] {
				k = i
			}
		}
		expected, _ := m.expect(list[k])
		at, values, best = append(at, list[k]), append(values, expected), append(best, list[k])
		list = slices.Delete(list, k, k+1)
	}
	return append(best, list...) // where these break inequalities
}

// value returns the logarithm of a ratio, or a bad one where there is none.
func (c *candidate) value() float64 {
	if c.broken != "" || c.ratio.Unusable != "" {
		return math.Log(bad)
	}
	return math.Log(c.ratio.Ratio)
}

// chance draws genomes.
func (s *search) chance() source {
	r := rand.New(rand.NewPCG(s.Stream, 0x72616e64))
	return func([]*candidate, float64) (list []genome) {
		for range pool {
			list = append(list, s.space.drawn(r))
		}
		return list
	}
}

// explore spends so many runs on points of a source, and returns those that break nothing, the best first, and how
// many were run. After each brood the best get a further seed: of many points some are the best of one seed by
// chance.
func (s *search) explore(ctx context.Context, by string, budget int, next source) (list []*candidate, points int, err error) {
	s.seen = map[string]bool{}
	var all []*candidate
	end := s.report.Runs + budget
	for {
		left := end - s.report.Runs
		n := min(brood, (left-parents*len(s.searched))/len(s.searched))
		if n < 1 {
			return list, len(all), nil
		}
		born := s.feasible(by, n, next(all, float64(left)/float64(budget)))
		if len(born) == 0 {
			return list, len(all), nil
		}
		all = append(all, born...)
		if err := s.more(ctx, born); err != nil {
			return list, len(all), err
		}
		list = s.sound(append(list, born...))
		if err := s.more(ctx, list[:min(parents, len(list))]); err != nil {
			return list, len(all), err
		}
		list = s.sound(list)
		s.tell(list)
	}
}

// more runs points with the next seed, those that have not had all.
func (s *search) more(ctx context.Context, list []*candidate) error {
	var b batch
	for _, c := range list {
		if c.seeds == s.Seeds {
			continue
		}
		c.seeds++
		if _, err := s.add(&b, c.plan, &c.runs, s.searched, c.seeds, 1); err != nil {
			return err
		}
	}
	return s.run(ctx, &b)
}

// sound keeps the points that do nothing that they must not, the best first.
func (s *search) sound(list []*candidate) []*candidate {
	return ranked(stable.Delete(list, func(c *candidate) bool {
		if c.broken = breach(c.runs, s.compiled.runs); c.broken != "" {
			s.report.Dropped[c.broken]++
		}
		c.ratio = s.ratio(c, s.objective.aim)
		return c.broken != ""
	}))
}

// tell says how good the best point is.
func (s *search) tell(list []*candidate) {
	if s.Better != nil && len(list) > 0 {
		s.Better(list[0].ratio)
	}
}

// feasible compiles genomes of a list until so many break no inequality.
func (s *search) feasible(by string, n int, list []genome) (out []*candidate) {
	for _, g := range list {
		if len(out) == n {
			break
		}
		p := s.space.point(g)
		key := p.key()
		if s.seen[key] || key == (&Point{}).key() {
			continue
		}
		s.seen[key] = true
		made, broken := s.space.plan(p)
		if broken != "" {
			s.report.Rejected[broken]++
			continue
		}
		out = append(out, &candidate{genome: g, point: p, plan: made, by: by})
	}
	return out
}

// breach returns the first of a list of runs, see [outcome.breach], by the same runs as compiled.
func breach(own, compiled []outcome) string {
	for i := range own {
		k := slices.IndexFunc(compiled, func(o outcome) bool { return o.Scenario == own[i].Scenario && o.Seed == own[i].Seed })
		if k < 0 || compiled[k].Unusable != "" {
			continue
		}
		if broken := own[i].breach(&compiled[k]); broken != "" {
			return broken
		}
	}
	return ""
}

// ratio compares a candidate with the compiled settings, with the seeds that both have.
func (s *search) ratio(c *candidate, kinds []completion.Kind) Ratio {
	if len(kinds) == 0 {
		return Ratio{Unusable: "no scenario of it says something"}
	}
	return completion.Compare(s.Aim.setOf(c.runs), without(s.Aim.setOf(s.compiled.runs), kinds), kinds...)
}

// finalists returns the best points by the objective, and the best by each end that was measured.
func (s *search) finalists(found []*candidate) (list []*candidate) {
	add := func(c *candidate) {
		if len(list) < finalists && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	for _, c := range found[:min(finalists/2, len(found))] {
		add(c)
	}
	for _, end := range s.objective.ends {
		by := func(c *candidate) Ratio { return s.ratio(c, end.kinds) }
		measured := stable.Delete(slices.Clone(found), func(c *candidate) bool { return by(c).Unusable != "" })
		stable.Sort(measured, func(a, b *candidate) int { return cmp.Compare(by(a).Ratio, by(b).Ratio) })
		for _, c := range measured[:min(1, len(measured))] {
			add(c)
		}
	}
	for _, c := range found {
		add(c)
	}
	return list
}

// finals runs the best points with the seeds that they lack, and in the scenarios of the other end.
func (s *search) finals(ctx context.Context, list []*candidate) error {
	for range s.Seeds {
		if err := s.more(ctx, list); err != nil {
			return err
		}
	}
	var b batch
	for _, c := range list {
		if _, err := s.add(&b, c.plan, &c.runs, s.shown, 1, s.shownSeeds()); err != nil {
			return err
		}
	}
	if err := s.run(ctx, &b); err != nil {
		return err
	}
	for _, c := range list {
		c.ratio = s.ratio(c, s.objective.aim)
	}
	return nil
}

// best is, of each search, the point that finishes soonest with all seeds and breaks nothing, if it does so
// sooner than the compiled settings.
func (s *search) best(list []*candidate) (best []*candidate) {
	for _, c := range ranked(list) {
		again := slices.ContainsFunc(best, func(o *candidate) bool { return o.by == c.by })
		if !again && c.ratio.Ratio < 1 && breach(c.runs, s.compiled.runs) == "" {
			best = append(best, c)
		}
	}
	return best
}

// trial says what became of a candidate.
func (s *search) trial(c *candidate) *Trial {
	t := &Trial{By: c.by, Settings: s.space.settings(c.plan), Parts: map[string]Ratio{}, Aim: s.ratio(c, s.objective.aim), Warned: s.space.warned(c.plan)}
	if c.point != nil {
		t.Point = s.space.lines(c.point)
	}
	for _, p := range s.objective.parts {
		t.Parts[p.name] = s.ratio(c, p.kinds)
	}
	for i, end := range s.objective.ends {
		t.Ends[i] = s.ratio(c, end.kinds)
	}
	for i := range c.runs {
		t.Pauses += c.runs[i].Pauses
	}
	return t
}
