package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"github.com/roceplan/roceplan/cmd/roceplan/record"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/tune"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

type tuneCmd struct {
	Files []string `arg:"" name:"file" help:"Fabric files; a folder means all its *.hcl, - is standard input."`
	sourceFlags
	patternFlags

	Seeds    *int     `placeholder:"N" help:"Run each scenario with N seeds from 1 on (default: the scenario's)."`
	Budget   int      `placeholder:"RUNS" default:"200" help:"Runs of the simulator that may be spent (default: 200)."`
	HeldOut  int      `name:"held-out" placeholder:"N" default:"6" help:"Try what was chosen, and the compiled settings, with so many seeds that the search has not seen, and in scenarios that it has not seen; 0 does not (default: 6)."`
	Controls []string `name:"control" placeholder:"NAME" enum:"timely,timely_listing,timely_patched,hpcc,swift,rttcc,rtt_template,dctcp" help:"Search this congestion control of the hosts too, beside their DCQCN: timely, timely_listing, timely_patched, hpcc, swift, rttcc, rtt_template or dctcp; may be repeated. It asks for other hosts, not for other numbers."`
	Runs     string   `placeholder:"FOLDER" help:"Keep what runs did here, and make none again that is there: an interrupted search goes on, and another one makes only what is new (default: roceplan/runs in the user's folder for caches; - keeps nothing)."`
	Point    int      `placeholder:"K" help:"Print the lines of the fabric for point K of the result, and nothing else."`
}

func (tuneCmd) Help() string {
	return `Searches Kmin, Kmax, Pmax and alpha of the lossless classes, of all switches and apart for those without servers, DCQCN's constants of the NICs, and the ways to balance load that every switch can be told, for settings that no other beats: in runs that meet all goals, in throughput, in the latency of packets, in PFC pauses. Every candidate is compiled, and rejected if it breaks an inequality that the compiled settings keep. Beside each stands what it costs in each scenario, and what the compiled settings give there.

    roceplan tune fabric.hcl
    roceplan tune fabric.hcl --pattern incast-8 --pattern websearch-50 --seeds 3 --budget 500
    roceplan tune fabric.hcl --control swift
    roceplan tune fabric.hcl --point 2
    roceplan tune fabric.hcl --shard 3/8 --json-lines >part-3.jsonl

Without --pattern the fabric's own scenarios are run, of which no point may lose a goal or a tenth of the throughput, and nine of the library. A run that has not settled and misses a goal is made again, up to 8 ms long, and where points are tried with more seeds up to 32 ms; one with a goal that no setting can meet is not counted in GOALS MET. The three points that meet most goals are tried with two more seeds before one is chosen, and that one with seeds and scenarios that the search has not seen. THROUGHPUT is bytes over the time until the last message is done, as compiled = 100 %; P99 the one-way latency of packets; both means over runs. Equal calls give equal results. docs/tune.md says how the search works.

Exit codes: 0 done; 1 the fabric has errors; 2 the call was wrong, or the fabric cannot be tuned.`
}

// tuned is what a fabric is tuned for, beside scenarios of its own: incasts that DCQCN has to
// slow down far, bursts, disks, sizes as they were measured, TCP beside.
var tuned = []string{
	"incast-4", "incast-15", "incast-31", "incast-8-qp4", "burst-8-16kb", "storage-read-64kb", "websearch-70", "hadoop-50", "tcp-beside-incast-8",
}

// heldBack are scenarios of the library that a search by it is not shown.
var heldBack = []string{"incast-8", "incast-12-to-4", "storage-write-64kb", "websearch-50", "tree-all-reduce-1mb"}

// longest is up to which time the search makes a run again that has not settled. What is tried with more seeds, and held out where the
// claim is made, is judged as sim and golden/goals.txt judge: few flows with a small increase take longer.
const longest = 8 * units.Millisecond

// Run searches and prints what it found.
func (c tuneCmd) Run(t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	l, err := c.loadTraced(t, c.Files)
	if err != nil {
		return err
	}
	p, found, err := l.planned(t)
	if err != nil {
		return err
	}
	chosen, err := c.scenarios(l)
	if err != nil {
		return err
	}
	seeds := 0
	if c.Seeds != nil {
		seeds = *c.Seeds
	}
	heldBack, err := c.notSearched(l, chosen)
	if err != nil {
		return err
	}
	store, err := storeOf(c.Runs)
	if err != nil {
		return err
	}
	step, stop := t.watch("runs at most", c.Budget+2*c.HeldOut*(len(chosen)+len(heldBack)))
	report, err := tune.Search(t, l.Policy, p, tune.Options{
		Scenarios: chosen, Own: ownNames(l), Seeds: seeds, Budget: c.Budget, Size: c.Size.orUsual(), Chip: l.Catalogue.Find, Done: step,
		Longest: longest, Store: store, HeldOut: heldBack, HeldOutSeeds: c.HeldOut, HeldOutTime: pattern.LongestUsual,
		Part: c.part(), Balancing: carried(p), Controls: c.Controls,
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

// part deals the grid out; nil if all of it is searched.
func (c tuneCmd) part() func([]tune.Point) []tune.Point {
	if c.Shard == (shard{}) {
		return nil
	}
	return func(all []tune.Point) []tune.Point { return part(c.Shard, all) }
}

// carried are the ways to balance load, beside the plan's, that every switch can be told by one of its targets;
// none where no switch leads to another.
func carried(p *plan.Plan) (ways []string) {
	if len(p.Links) == 0 {
		return nil
	}
	for _, way := range []string{"ecmp", "flowlet", "adaptive", "spray"} {
		able := func(sw *plan.Switch) bool {
			own := *sw
			own.LoadBalancing = way
			return way != cmp.Or(sw.LoadBalancing, "ecmp") && target.Balances(&own)
		}
		if !slices.ContainsFunc(p.Switches, func(sw *plan.Switch) bool { return !able(sw) }) {
			ways = append(ways, way)
		}
	}
	return ways
}

// printLines prints the part of the sweep that was searched.
func (c tuneCmd) printLines(t *terminal, l *loaded, seeds int, r *tuning) error {
	h := c.header("tune", l.Policy.Name)
	h.Notes, h.Diagnostics, h.Search = r.Notes, r.Diagnostics, &r.Search
	lines := []record.Line{{Trial: &r.Compiled}}
	for i := range r.Pareto {
		lines = append(lines, record.Line{Trial: &r.Pareto[i]})
	}
	own := c.patternFlags
	own.Pattern = slices.Concat(c.Pattern, prefixed("--control=", c.Controls))
	return record.Write(t.out, own.sweep(l, "tune", seeds, c.Budget), h, lines)
}

func prefixed(prefix string, names []string) (words []string) {
	for _, name := range names {
		words = append(words, prefix+name)
	}
	return words
}

// notSearched are the scenarios that are held out: of the library, without those that are searched.
func (c tuneCmd) notSearched(l *loaded, searched []pattern.Scenario) ([]pattern.Scenario, error) {
	if c.HeldOut == 0 {
		return nil, nil
	}
	c.Pattern = heldBack
	list, err := c.choose(l)
	return slices.DeleteFunc(list, func(s pattern.Scenario) bool {
		return slices.ContainsFunc(searched, func(o pattern.Scenario) bool { return o.Name == s.Name })
	}), err
}

// storeOf is where runs are kept: a folder, "-" for nowhere, or empty for the usual one.
func storeOf(folder string) (*runs.Store, error) {
	switch folder {
	case "-":
		return nil, nil
	case "":
		caches, err := os.UserCacheDir()
		if err != nil {
			return nil, nil // a machine without a folder for caches
		}
		folder = filepath.Join(caches, "roceplan", "runs")
		if os.MkdirAll(folder, 0o755) != nil {
			return nil, nil // one that cannot be written
		}
	}
	return runs.OfProgram(folder)
}

func (c tuneCmd) check() error {
	switch {
	case c.Seeds != nil && (*c.Seeds < 1 || *c.Seeds > 1000):
		return misusef("--seeds is %d, which is outside of 1 to 1000", *c.Seeds)
	case c.Budget < 1 || c.Budget > 1_000_000:
		return misusef("--budget is %d, which is outside of 1 to 1000000", c.Budget)
	case c.HeldOut < 0 || c.HeldOut > 1000:
		return misusef("--held-out is %d, which is outside of 0 to 1000", c.HeldOut)
	case c.JSONLines && c.Point > 0:
		return misusef("--point and --json-lines cannot go together")
	case c.Point < 0:
		return misusef("--point is %d; points are counted from 1", c.Point)
	}
	return c.checkTime()
}

// scenarios are those that are asked for, or else the fabric's own and those in tuned.
func (c tuneCmd) scenarios(l *loaded) ([]pattern.Scenario, error) {
	if len(c.Pattern) == 0 {
		c.Pattern = append(ownNames(l), tuned...)
	}
	return c.choose(l)
}

// ownNames are those of the fabric's own scenarios.
func ownNames(l *loaded) (names []string) {
	for _, s := range l.Policy.Scenarios {
		names = append(names, s.Name)
	}
	return names
}
