package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/cmd/roceplan/record"
	"github.com/roceplan/roceplan/cmd/roceplan/tune"
	"github.com/roceplan/roceplan/diag"
)

// A tuning is what tune --json prints, and merge of the parts of a search.
type tuning struct {
	Diagnostics json.RawMessage `json:"diagnostics"` // a diag.List
	Notes       []string        `json:"notes"`
	record.Search
	Compiled record.Trial   `json:"compiled"`
	Beaten   bool           `json:"compiled_beaten"` // by a point that is nowhere worse
	Pareto   []record.Trial `json:"pareto"`          // without the compiled settings
}

func newTuning(found diag.List, r *tune.Report) (*tuning, error) {
	diagnostics, err := json.Marshal(nonNil(found))
	if err != nil {
		return nil, err
	}
	out := &tuning{Diagnostics: diagnostics, Notes: append([]string{}, r.Notes...), Search: record.NewSearch(r), Compiled: record.NewTrial(r.Class, r.Compiled)}
	var points []record.Trial
	for _, p := range r.Points {
		points = append(points, record.NewTrial(r.Class, p))
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
}

// print prints the result, or, if point is above 0, what to write for that one.
func (r *tuning) print(t *terminal, point int) error {
	switch {
	case point > len(r.Pareto):
		return misusef("there is no point %d: the result has %d", point, len(r.Pareto))
	case point > 0:
		t.printf("%s", r.Pareto[point-1].Point.HCL)
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
	t.printf("\nTo be written for traffic_class %q:\n%s", r.Class, r.points())
	t.printf("The same call with --point K prints the block for point K.\n")
	return nil
}

func (r *tuning) rejections() string {
	var parts []string
	for _, id := range slices.Sorted(maps.Keys(r.Rejected)) {
		parts = append(parts, fmt.Sprintf("%d break %s", r.Rejected[id], id))
	}
	if r.Lossy > 0 {
		parts = append(parts, fmt.Sprintf("%d lose packets", r.Lossy))
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
	rows.add("POINT", "KMIN", "KMAX", "PMAX", "ALPHA", "THROUGHPUT", "P99", "PAUSES")
	r.each(func(name string, t *record.Trial) {
		rows.add(append([]string{name, t.KMin.String(), t.KMax.String(), t.PMax, t.Alpha}, scoreCells(t.Score)...)...)
	})
	return rows
}

func (r *tuning) costs() table {
	var rows table
	rows.add("PATTERN", "POINT", "THROUGHPUT", "P99", "PAUSES")
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
	var rows table
	rows.add("POINT", "kmin", "kmax", "pmax", "alpha")
	for i, t := range r.Pareto {
		alpha := t.Point.Alpha
		if alpha == "" {
			alpha = "derived"
		}
		rows.add(fmt.Sprint(i+1), t.Point.KMin, t.Point.KMax, t.Point.PMax, alpha)
	}
	return rows
}

func scoreCells(s tune.Score) []string {
	return []string{fmt.Sprintf("%.1f %%", 100*s.Throughput), us(s.LatencyP99), fmt.Sprint(s.Pauses)}
}
