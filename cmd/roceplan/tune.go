package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/cmd/roceplan/record"
	"github.com/roceplan/roceplan/cmd/roceplan/scenario"
	"github.com/roceplan/roceplan/cmd/roceplan/tune"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/policy"
)

type tuneCmd struct {
	Files []string `arg:"" name:"file" help:"Fabric files; a folder means all its *.hcl, - is standard input."`
	sourceFlags
	patternFlags

	Seeds  *int `placeholder:"N" help:"Run each scenario with N seeds from 1 on (default: the scenario's)."`
	Budget int  `placeholder:"RUNS" default:"200" help:"Runs of the simulator that may be spent (default: 200)."`
	Point  int  `placeholder:"K" help:"Print the lines of the fabric for point K of the result, and nothing else."`
}

func (tuneCmd) Help() string {
	return `Searches Kmin, Kmax, Pmax and alpha of the lossless class for settings that no other beats: in throughput, in the latency of small messages, in PFC pauses. Every candidate is compiled, and rejected if it breaks an inequality. Beside each stands what it costs in each scenario, and what the compiled settings give there.

    roceplan tune fabric.hcl
    roceplan tune fabric.hcl --pattern incast-8 --pattern websearch-50 --seeds 3 --budget 500
    roceplan tune fabric.hcl --point 2
    roceplan tune fabric.hcl --shard 3/8 --json-lines >part-3.jsonl

Without --pattern the fabric's own scenarios are run, or, where it has none, six of the library. THROUGHPUT is bytes over the time until the last message is done, as compiled = 100 %; P99 the latency of probes; both means over runs. Equal calls give equal results. docs/tune.md tells how the search works.

Exit codes: 0 done; 1 the fabric has errors; 2 the call was wrong, or the fabric cannot be tuned.`
}

// tuned is what a fabric is tuned for that says nothing of its own: a steady incast, bursts,
// a fabric that is full, and sizes as they were measured with bursts on top.
var tuned = []string{"incast-4", "incast-8", "burst-8-64kb", "permutation", "websearch-50-burst", "hadoop-50-burst"}

// Run searches and prints what it found.
func (c tuneCmd) Run(t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	l, err := c.load(t, c.Files)
	if err != nil {
		return err
	}
	p, found, err := l.planned(t)
	if err != nil {
		return err
	}
	chosen, err := c.scenarios(l.fabric)
	if err != nil {
		return err
	}
	catalogue, _, _, err := loadChips(c.Chips)
	if err != nil {
		return err
	}
	seeds := 0
	if c.Seeds != nil {
		seeds = *c.Seeds
	}
	step, stop := t.watch("runs at most", c.Budget)
	report, err := tune.Search(t, l.fabric, p, tune.Options{
		Scenarios: chosen, Seeds: seeds, Budget: c.Budget, Size: simulatedSize, Chip: catalogue.Find, Done: step,
		Part: func(all []tune.Point) []tune.Point { return part(c.Shard, all) },
	})
	stop()
	if err != nil {
		return err
	}
	if c.JSONLines {
		return c.printLines(t, l, seeds, report)
	}
	return c.print(t, found, report)
}

// printLines prints the part of the sweep that was searched.
func (c tuneCmd) printLines(t *terminal, l *loaded, seeds int, r *tune.Report) error {
	h := c.header("tune", l.fabric.Name)
	search := record.NewSearch(r)
	h.Notes, h.Search = append(h.Notes, r.Notes...), &search
	var lines []record.Line
	for _, trial := range append([]*tune.Trial{r.Compiled}, r.Points...) {
		own := record.NewTrial(r.Class, trial)
		lines = append(lines, record.Line{Trial: &own})
	}
	return record.Write(t.out, c.sweep(l, "tune", seeds, c.Budget), h, lines)
}

func (c tuneCmd) check() error {
	switch {
	case c.Seeds != nil && (*c.Seeds < 1 || *c.Seeds > 1000):
		return misusef("--seeds is %d, which is outside of 1 to 1000", *c.Seeds)
	case c.Budget < 1 || c.Budget > 1_000_000:
		return misusef("--budget is %d, which is outside of 1 to 1000000", c.Budget)
	case c.JSONLines && c.Point > 0:
		return misusef("--point and --json-lines cannot go together")
	case c.Point < 0:
		return misusef("--point is %d; points are counted from 1", c.Point)
	}
	return c.checkTime()
}

// scenarios are those that are asked for, the fabric's own, or else those in tuned.
func (c tuneCmd) scenarios(f *policy.Fabric) ([]pattern.Scenario, error) {
	if len(c.Pattern) == 0 {
		c.Pattern = tuned
		if len(f.Scenarios) > 0 {
			c.Pattern = nil
			for _, s := range f.Scenarios {
				c.Pattern = append(c.Pattern, s.Name)
			}
		}
	}
	return c.choose(scenario.All(f))
}

// A jsonTuning is what tune --json prints.
type jsonTuning struct {
	Diagnostics diag.List `json:"diagnostics"`
	Notes       []string  `json:"notes"`
	record.Search
	Compiled record.Trial   `json:"compiled"`
	Beaten   bool           `json:"compiled_beaten"`
	Pareto   []record.Trial `json:"pareto"`
}

func (c tuneCmd) print(t *terminal, found diag.List, r *tune.Report) error {
	switch {
	case c.Point > len(r.Points):
		return misusef("there is no point %d: the result has %d", c.Point, len(r.Points))
	case c.Point > 0:
		t.printf("%s", r.Points[c.Point-1].Point.HCL(r.Class))
		return nil
	case t.json:
		j := jsonTuning{
			Diagnostics: nonNil(found), Notes: append([]string{}, r.Notes...), Search: record.NewSearch(r),
			Compiled: record.NewTrial(r.Class, r.Compiled), Beaten: r.Beaten(), Pareto: []record.Trial{},
		}
		for _, p := range r.Points {
			j.Pareto = append(j.Pareto, record.NewTrial(r.Class, p))
		}
		return t.printJSON(j)
	}
	printTuning(t, r)
	return nil
}

func printTuning(t *terminal, r *tune.Report) {
	for _, note := range r.Notes {
		t.printf("note: %s\n", note)
	}
	for _, s := range r.Skipped {
		t.printf("not run: %s\n", s)
	}
	t.printf("%d runs; %d of %d points compiled%s\n\n", r.Runs, r.Planned, r.Grid, rejections(r))
	t.printf("%s\n", trialTable(r))
	t.printf("%s", costTable(r))
	if len(r.Points) == 0 {
		t.printf("\nNo point beats the compiled settings in anything.\n")
		return
	}
	if r.Beaten() {
		t.printf("\nThe compiled settings are beaten: a point above is nowhere worse, and somewhere better.\n")
	}
	t.printf("\nTo be written for traffic_class %q:\n%s", r.Class, lineTable(r))
	t.printf("The same call with --point K prints the block for point K.\n")
}

func lineTable(r *tune.Report) table {
	var rows table
	rows.add("POINT", "kmin", "kmax", "pmax", "alpha")
	for i, p := range r.Points {
		alpha := "derived"
		if p.Point.OwnAlpha {
			alpha = p.Point.Alpha.String()
		}
		rows.add(fmt.Sprint(i+1), p.Point.KMin.String(), p.Point.KMax.String(), p.Point.PMax.String(), alpha)
	}
	return rows
}

func rejections(r *tune.Report) string {
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
func each(r *tune.Report, visit func(name string, t *tune.Trial)) {
	visit("compiled", r.Compiled)
	for i, p := range r.Points {
		visit(fmt.Sprint(i+1), p)
	}
}

func trialTable(r *tune.Report) table {
	var rows table
	rows.add("POINT", "KMIN", "KMAX", "PMAX", "ALPHA", "THROUGHPUT", "P99", "PAUSES")
	each(r, func(name string, p *tune.Trial) {
		s := p.Settings
		rows.add(append([]string{name, s.KMin.String(), s.KMax.String(), s.PMax.String(), s.Alpha}, scoreCells(p.Score)...)...)
	})
	return rows
}

func costTable(r *tune.Report) table {
	var rows table
	rows.add("PATTERN", "POINT", "THROUGHPUT", "P99", "PAUSES")
	for _, c := range r.Compiled.Costs {
		each(r, func(name string, p *tune.Trial) {
			for _, own := range p.Costs {
				if own.Scenario == c.Scenario {
					rows.add(append([]string{c.Scenario, name}, scoreCells(own.Score)...)...)
				}
			}
		})
	}
	return rows
}

func scoreCells(s tune.Score) []string {
	return []string{fmt.Sprintf("%.1f %%", 100*s.Throughput), us(s.LatencyP99), fmt.Sprint(s.Pauses)}
}
