package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/roceplan/roceplan/cmd/roceplan/record"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/tune"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/plan"
)

type tuneCmd struct {
	Files []string `arg:"" name:"file" help:"Fabric files; a folder means all its *.hcl, - is standard input."`
	sourceFlags
	patternFlags

	Purpose string `enum:",training,storage,requests,mixed" default:"" placeholder:"PURPOSE" help:"Tune for the workloads of this purpose: training, storage, requests or mixed (default: the fabric's scenarios, else its purpose)."`
	Budget  int    `placeholder:"RUNS" default:"400" help:"Number of all runs: compiled settings, search, random search, and held out (default: 400)."`
	Seeds   int    `placeholder:"N" help:"Compare the best points with N seeds, from 1 on (default: 4, or 2 if each takes more than two runs)."`
	HeldOut int    `name:"held-out" placeholder:"N" help:"Number of unseen seeds, and of runs in unseen scenarios, for the best point of each search and the compiled settings (default: a third of the budget, 4 to 12)."`
	Runs    string `placeholder:"FOLDER" help:"Folder that stores runs, which are not repeated; an interrupted search continues (default: roceplan/runs in the user's cache folder; - stores nothing)."`
	Point   int    `placeholder:"K" help:"Print the lines of the fabric for point K of the result, and nothing else."`
}

func (tuneCmd) Help() string {
	return `Searches Kmin, Kmax, Pmax and alpha of the lossless classes, settable DCQCN constants of NICs, and the load balancing that every switch supports, for settings under which traffic finishes sooner.

    roceplan tune fabric.hcl
    roceplan tune fabric.hcl --purpose storage --budget 200
    roceplan tune fabric.hcl --pattern checkpoint --pattern training-step
    roceplan tune fabric.hcl --point 2
    roceplan tune fabric.hcl --shard 3/8 --json-lines >part-3.jsonl

The objective is the completion time of the scenarios of --pattern or of the fabric, or of the traffic of the purpose, as compare measures it. It is measured by the mean and the 99th percentile of slowdowns, or by the time of collective operations. Ratios to the compiled settings are geometric means over runs of the same messages: below 1 is sooner. A point is rejected if it breaks an inequality that the compiled settings satisfy, if a lossless packet is lost, a flow does not finish, pauses are frequent, or a stated goal is missed that the compiled settings meet.

FRONT has the points that no other beats in both ENDS. The best point, and the best of a random search with as many runs, are run with seeds and in scenarios that neither has seen; one is chosen only if its objective finishes sooner there by more than the difference between seeds, and nothing else finishes later. Else the compiled settings stay, and the last line says why. Equal calls give equal results, interrupted or not. docs/tune.md says how the search works.

Exit codes: 0 done; 1 the fabric has errors; 2 the call was wrong, or the fabric cannot be tuned; 130 a signal ended it: then the best point so far is printed.`
}

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
	options, err := c.options(l, p)
	if err != nil {
		return err
	}
	var leader best
	step, stop := t.watch("runs", c.Budget, leader.String)
	options.Done, options.Better = step, leader.better
	report, err := tune.Search(t, l.Policy, p, options)
	stop()
	if err != nil && (!errors.Is(err, context.Canceled) || c.JSONLines || c.Point > 0) {
		return err
	}
	if c.JSONLines {
		return record.Write(t.out, c.sweepOf(l), c.header("tune", l.Policy.Name), []record.Line{{Tuning: report}})
	}
	return errors.Join((&tuning{nonNil(found), report}).print(t, c.Point), err)
}

// sweepOf returns the digest of what the results of all parts depend on.
func (c tuneCmd) sweepOf(l *loaded) string {
	own := c.patternFlags
	if c.Purpose != "" {
		own.Pattern = []string{"--purpose=" + c.Purpose}
	}
	return own.sweep(l, "tune", c.Seeds, c.Budget, c.HeldOut)
}

// options returns the options of the search.
func (c tuneCmd) options(l *loaded, p *plan.Plan) (tune.Options, error) {
	aim := tune.Aim{Purpose: completion.Purpose(cmp.Or(c.Purpose, l.Policy.Purpose.Value)), Own: c.own(l)}
	all := c.patternFlags
	all.Pattern = aim.Scenarios()
	chosen, err := all.choose(l)
	if err != nil {
		return tune.Options{}, err
	}
	store, err := storeOf(c.Runs)
	return tune.Options{
		Aim: aim, Scenarios: chosen, Size: fabric.Size(c.Size), Budget: c.Budget, Seeds: c.Seeds, HeldOut: c.HeldOut,
		Stream: uint64(c.Shard.index), Balancing: carried(p), Chip: l.Catalogue.Find, Store: store,
	}, err
}

// own returns the scenarios that are judged each by itself: those that are asked for or, where no purpose is, those
// of the fabric; nil where it has none.
func (c tuneCmd) own(l *loaded) []string {
	if len(c.Pattern) > 0 || c.Purpose != "" {
		return c.Pattern
	}
	var names []string
	for _, s := range l.Policy.Scenarios {
		names = append(names, s.Name)
	}
	return names
}

func (c tuneCmd) check() error {
	switch {
	case c.Seeds < 0 || c.Seeds > 1000:
		return misusef("--seeds is %d, which is outside of 1 to 1000", c.Seeds)
	case c.Budget < 1 || c.Budget > 1_000_000:
		return misusef("--budget is %d, which is outside of 1 to 1000000", c.Budget)
	case c.HeldOut < 0 || c.HeldOut == 1 || c.HeldOut > 1000:
		return misusef("--held-out is %d, which is outside of 2 to 1000: one seed does not show the difference between seeds", c.HeldOut)
	case c.Purpose != "" && len(c.Pattern) > 0:
		return misusef("--purpose and --pattern cannot go together: each sets the objective")
	case c.JSONLines && c.Point > 0:
		return misusef("--point and --json-lines cannot go together")
	case c.Point < 0:
		return misusef("--point is %d; points are counted from 1", c.Point)
	}
	return c.checkTime()
}

// carried returns the ways to balance load, other than the plan's, that one target of every switch
// supports; none where no switch leads to another.
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

// storeOf returns the store of runs: a folder, "-" for nowhere, or empty for the usual one.
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
