package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/cmd/roceplan/record"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/tune"
)

// A tuning is what tune --json prints, and merge of the parts of a search.
type tuning struct {
	Diagnostics json.RawMessage `json:"diagnostics"` // a diag.List
	Notes       []string        `json:"notes"`
	record.Search
	Compiled record.Trial   `json:"compiled"`
	Beaten   bool           `json:"compiled_beaten"` // by a point that is nowhere worse
	Pareto   []record.Trial `json:"pareto"`          // without the compiled settings
	Chosen   int            `json:"chosen"`          // place in Pareto, from 1 on, of the point with most runs that meet their goals; 0: the compiled settings
	HeldOut  *tune.HeldOut  `json:"held_out,omitempty"`
}

func newTuning(found diag.List, r *tune.Report) (*tuning, error) {
	diagnostics, err := json.Marshal(nonNil(found))
	if err != nil {
		return nil, err
	}
	out := &tuning{Diagnostics: diagnostics, Notes: append([]string{}, r.Notes...), Search: record.NewSearch(r), Compiled: record.NewTrial(r, r.Compiled), HeldOut: r.HeldOut}
	var points []record.Trial
	for _, p := range r.Points {
		points = append(points, record.NewTrial(r, p))
	}
	out.keep(points)
	return out, nil
}

// mergeTrials is the result of a search whose parts are all there: what a part found to be
// beaten is beaten in the whole.
func mergeTrials(parts []record.Part) (*tuning, error) {
	h := &parts[0].Header
	out := &tuning{Diagnostics: h.Diagnostics, Notes: h.Notes}
	var points []record.Trial
	for i, p := range parts {
		if p.Search == nil || len(p.Results) == 0 || p.Results[0].Trial.Point != nil {
			return nil, fmt.Errorf("part %d/%d has no account of its search, or no compiled settings", p.Shard, p.Of)
		}
		if i == 0 {
			out.Search, out.Compiled = *p.Search, *p.Results[0].Trial
		} else {
			out.Search.Add(p.Search)
		}
		for _, l := range p.Results[1:] {
			points = append(points, *l.Trial)
		}
	}
	out.keep(points)
	return out, nil
}

// keep takes over the points that neither another nor the compiled settings beat.
func (r *tuning) keep(points []record.Trial) {
	score := func(t record.Trial) tune.Score { return t.Score }
	r.Pareto = slices.DeleteFunc(tune.Pareto(append([]record.Trial{r.Compiled}, points...), score), func(t record.Trial) bool { return t.Point == nil })
	r.Beaten = slices.ContainsFunc(r.Pareto, func(t record.Trial) bool { return t.Score.Dominates(r.Compiled.Score) })
	if r.Pareto == nil {
		r.Pareto = []record.Trial{}
	}
	r.Chosen = tune.Choose(r.places(), func(i int) tune.Score { return r.at(i).Score }, func(i int) *tune.Score { return r.at(i).Again })
}

// places are 0 for the compiled settings, and those in Pareto from 1 on.
func (r *tuning) places() (list []int) {
	for i := range len(r.Pareto) + 1 {
		list = append(list, i)
	}
	return list
}

func (r *tuning) at(place int) *record.Trial {
	if place == 0 {
		return &r.Compiled
	}
	return &r.Pareto[place-1]
}

// print prints the result, or, if point is above 0, what to write for that one.
func (r *tuning) print(t *terminal, point int) error {
	switch {
	case point > len(r.Pareto):
		return misusef("there is no point %d: the result has %d", point, len(r.Pareto))
	case point > 0:
		t.printf("%s", remarked(r.Pareto[point-1].Point.HCL, r.account(point)))
		return nil
	case t.json:
		return t.printJSON(r)
	}
	for _, note := range r.Notes {
		t.printf("note: %s\n", note)
	}
	for _, s := range r.Skipped {
		t.printf("not run: %s\n", s)
	}
	t.printf("%d runs; %d of %d points compiled%s\n\n", r.Runs, r.Planned, r.Grid, r.rejections())
	t.printf("%s\n", r.trials())
	t.printf("%s", r.costs())
	if len(r.Pareto) == 0 {
		t.printf("\nNo point beats the compiled settings in anything.\n")
		return nil
	}
	if r.Beaten {
		t.printf("\nThe compiled settings are beaten: a point above is nowhere worse, and somewhere better.\n")
	}
	t.printf("\nTo be written for traffic_class %s%s:\n%s", quoted(r.Classes), r.ofNICs(), r.points())
	t.printf("The same call with --point K prints the blocks for point K.\n")
	r.verdict(t)
	return nil
}

// account says in a line what runs speak for a point; explain prints it beside the values.
func (r *tuning) account(point int) string {
	own := r.at(point)
	text := fmt.Sprintf("roceplan tune: %d of %s of %s meet all goals, as compiled %d", own.Met, natural.Count(own.Judged, "run", "runs"), natural.Count(len(own.Costs), "scenario", "scenarios"), r.Compiled.Met)
	if h := r.HeldOut; h != nil && point == r.Chosen {
		text += fmt.Sprintf("; held out, %s: %d of %d, as compiled %d", heldSeeds(h), h.Chosen, h.Judged, h.Compiled)
	}
	return text
}

// remarked puts a comment above each value that stands in a block, and above each block of values.
func remarked(text, comment string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		rest := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(rest)]
		value := len(indent) == 2 && strings.Contains(rest, " = ")
		if value || rest == "ecn {\n" || rest == "dcqcn {\n" {
			lines[i] = indent + "# " + comment + "\n" + line
		}
	}
	return strings.Join(lines, "")
}

func quoted(names []string) string {
	var out []string
	for _, name := range names {
		out = append(out, strconv.Quote(name))
	}
	return strings.Join(out, ", ")
}

func (r *tuning) ofNICs() string {
	if len(r.NICs) == 0 {
		return ""
	}
	return " and nic " + quoted(r.NICs)
}

// verdict says which settings meet most goals, and what they did where the search has not been.
func (r *tuning) verdict(t *terminal) {
	name, best := "the compiled settings", r.at(r.Chosen)
	if r.Chosen > 0 {
		name = fmt.Sprintf("point %d", r.Chosen)
	}
	own, compiled, seeds := best.Score, r.Compiled.Score, ""
	if best.Again != nil {
		own, compiled = *best.Again, *r.Compiled.Again
		seeds = fmt.Sprintf(" with %s", natural.Count(r.More, "more seed", "more seeds"))
	}
	t.printf("\nMost goals are met by %s: all of them in %d of %d runs%s, as compiled in %d.\n", name, own.Met, own.Judged, seeds, compiled.Met)
	h := r.HeldOut
	if h == nil || h.Judged == 0 {
		return
	}
	t.printf("Held out, %s of the same scenarios", heldSeeds(h))
	if len(h.Scenarios) > 0 {
		t.printf(" and of %s", strings.Join(h.Scenarios, ", "))
	}
	t.printf(": %d of %d runs", h.Chosen, h.Judged)
	if r.Chosen > 0 {
		t.printf(", as compiled %d; a gain of %s, with 95 %% confidence between %s and %s", h.Compiled, percents(h.Gain), percents(h.Low), percents(h.High))
	}
	t.printf(".\n")
	for _, s := range h.Short {
		if s.Missed > 0 {
			t.printf("  missed: %s, %d of %s: %s\n", s.Scenario, s.Missed, natural.Count(s.Runs, "run", "runs"), strings.Join(far(&s), "; "))
		}
		if s.Beyond > 0 {
			t.printf("  infeasible: %s, %d of %s: %s\n", s.Scenario, s.Beyond, natural.Count(s.Runs, "run", "runs"), strings.Join(s.Bounds, ", "))
		}
	}
}

// heldSeeds names the seeds that were held out.
func heldSeeds(h *tune.HeldOut) string {
	if h.Seeds == 1 {
		return fmt.Sprintf("seed %d", h.First)
	}
	return fmt.Sprintf("seeds %d to %d", h.First, h.First+uint64(h.Seeds)-1)
}

// far are the goals that a scenario misses, with the worst of its runs.
func far(s *tune.Short) (goals []string) {
	for _, f := range s.Far {
		goals = append(goals, f.String())
	}
	return goals
}

func (r *tuning) rejections() string {
	var parts []string
	for _, id := range slices.Sorted(maps.Keys(r.Rejected)) {
		parts = append(parts, fmt.Sprintf("%d break %s", r.Rejected[id], id))
	}
	if r.Lossy > 0 {
		parts = append(parts, fmt.Sprintf("%d lose packets, or a goal or a tenth of the throughput of the fabric's own scenarios", r.Lossy))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, ", ")
}

// each calls a function for the compiled settings and for each point, with its name.
func (r *tuning) each(visit func(name string, t *record.Trial)) {
	visit("compiled", &r.Compiled)
	for i := range r.Pareto {
		visit(fmt.Sprint(i+1), &r.Pareto[i])
	}
}

func (r *tuning) trials() table {
	var rows table
	rows.add("POINT", "KMIN", "KMAX", "PMAX", "ALPHA", "GOALS MET", "THROUGHPUT", "P99", "PAUSES")
	r.each(func(name string, t *record.Trial) {
		rows.add(append([]string{name, t.KMin.String(), t.KMax.String(), t.PMax, t.Alpha}, scoreCells(t.Score)...)...)
	})
	return rows
}

func (r *tuning) costs() table {
	var rows table
	rows.add("PATTERN", "POINT", "GOALS MET", "THROUGHPUT", "P99", "PAUSES")
	for _, c := range r.Compiled.Costs {
		r.each(func(name string, t *record.Trial) {
			for _, own := range t.Costs {
				if own.Scenario == c.Scenario {
					rows.add(append([]string{c.Scenario, name}, scoreCells(own.Score)...)...)
				}
			}
		})
	}
	return rows
}

func (r *tuning) points() table {
	head := []string{"POINT", "kmin", "kmax", "pmax", "alpha", "dcqcn"}
	type column struct {
		name string
		of   func(*record.Point) string
	}
	further := []column{
		{"above", func(p *record.Point) string { return p.Above }},
		{"load_balancing", func(p *record.Point) string { return p.Ways }},
		{"congestion_control", func(p *record.Point) string { return p.Hosts }},
	}
	further = slices.DeleteFunc(further, func(f column) bool {
		return !slices.ContainsFunc(r.Pareto, func(t record.Trial) bool { return f.of(t.Point) != "" })
	})
	for _, f := range further {
		head = append(head, f.name)
	}
	var rows table
	rows.add(head...)
	for i, t := range r.Pareto {
		derived := func(v string) string { return cmp.Or(v, "derived") }
		p := t.Point
		cells := []string{fmt.Sprint(i + 1), derived(p.KMin), derived(p.KMax), derived(p.PMax), derived(p.Alpha), p.NIC}
		for _, f := range further {
			cells = append(cells, cmp.Or(f.of(p), "as it is"))
		}
		rows.add(cells...)
	}
	return rows
}

func scoreCells(s tune.Score) []string {
	return []string{fmt.Sprintf("%d of %d", s.Met, s.Judged), fmt.Sprintf("%.1f %%", 100*s.Throughput), us(s.LatencyP99), fmt.Sprint(s.Pauses)}
}
