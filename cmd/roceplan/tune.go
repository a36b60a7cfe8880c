package main

import (
	"github.com/roceplan/roceplan/cmd/roceplan/record"
	"github.com/roceplan/roceplan/cmd/roceplan/tune"
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
	return `Searches Kmin, Kmax, Pmax and alpha of the lossless class for settings that no other beats: in throughput, in the latency of packets, in PFC pauses. Every candidate is compiled, and rejected if it breaks an inequality. Beside each stands what it costs in each scenario, and what the compiled settings give there.

    roceplan tune fabric.hcl
    roceplan tune fabric.hcl --pattern incast-8 --pattern websearch-50 --seeds 3 --budget 500
    roceplan tune fabric.hcl --point 2
    roceplan tune fabric.hcl --shard 3/8 --json-lines >part-3.jsonl

Without --pattern the fabric's own scenarios are run, or, where it has none, six of the library. THROUGHPUT is bytes over the time until the last message is done, as compiled = 100 %; P99 the one-way latency of packets; both means over runs. Equal calls give equal results. docs/tune.md says how the search works.

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
	chosen, err := c.scenarios(l.Policy)
	if err != nil {
		return err
	}
	seeds := 0
	if c.Seeds != nil {
		seeds = *c.Seeds
	}
	step, stop := t.watch("runs at most", c.Budget)
	report, err := tune.Search(t, l.Policy, p, tune.Options{
		Scenarios: chosen, Seeds: seeds, Budget: c.Budget, Size: c.Size.orUsual(), Chip: l.Catalogue.Find, Done: step,
		Part: func(all []tune.Point) []tune.Point { return part(c.Shard, all) },
	})
	stop()
	if err != nil {
		return err
	}
	result, err := newTuning(found, report)
	if err != nil {
		return err
	}
	if c.JSONLines {
		return c.printLines(t, l, seeds, result)
	}
	return result.print(t, c.Point)
}

// printLines prints the part of the sweep that was searched.
func (c tuneCmd) printLines(t *terminal, l *loaded, seeds int, r *tuning) error {
	h := c.header("tune", l.Policy.Name)
	h.Notes, h.Diagnostics, h.Search = r.Notes, r.Diagnostics, &r.Search
	lines := []record.Line{{Trial: &r.Compiled}}
	for i := range r.Pareto {
		lines = append(lines, record.Line{Trial: &r.Pareto[i]})
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
	return c.choose(f)
}
