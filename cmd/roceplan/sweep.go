package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

// A sweep is the numbers of GPUs that scenarios run on, ascending; none: all that the fabric has.
type sweep []int

// Bounds of a sweep.
const (
	mostSweeps    = 20
	mostSweptGPUs = 1 << 20
)

// UnmarshalText reads "gpus=8,16,64", or "gpus=8..64", which doubles.
func (s *sweep) UnmarshalText(text []byte) error {
	list, ok := strings.CutPrefix(string(text), "gpus=")
	if from, to, doubling := strings.Cut(list, ".."); ok && doubling {
		n, errN := strconv.Atoi(from)
		last, errLast := strconv.Atoi(to)
		if ok = errN == nil && errLast == nil && n > 0 && last <= mostSweptGPUs; ok {
			for ; n <= last; n *= 2 {
				*s = append(*s, n)
			}
		}
	} else if ok {
		for _, word := range strings.Split(list, ",") {
			n, err := strconv.Atoi(word)
			if ok = ok && err == nil && n <= mostSweptGPUs; ok {
				*s = append(*s, n)
			}
		}
	}
	for i, n := range *s {
		ok = ok && n >= 2 && (i == 0 || n > (*s)[i-1])
	}
	if !ok || len(*s) == 0 || len(*s) > mostSweeps {
		return fmt.Errorf("%q is not at most %d ascending numbers of GPUs from 2 to %d, such as gpus=8,16,64, nor a range that doubles, such as gpus=8..64", text, mostSweeps, mostSweptGPUs)
	}
	return nil
}

// checkSweep refuses what a sweep does not go with.
func (c *simCmd) checkSweep() error {
	switch {
	case len(c.Sweep) == 0:
		return nil
	case c.Size != cutSize{} || c.Shard != shard{} || c.JSONLines || c.Workload != "" || c.Try || c.Settle != nil || c.Series != "" || c.Counters != "" || len(c.Fault) > 0 || c.List:
		return misusef("--sweep chooses the GPUs and compares the runs by their number; it does not go with --size, --shard, --json-lines, --workload, --remedies, --settle, --series, --counters, --fault and --list")
	case len(c.Pattern) == 0:
		return misusef("--sweep needs the scenario, such as --pattern all-to-all-64kb")
	}
	return nil
}

// runSweep runs the scenarios on the first so many GPUs of the fabric, for each number.
func (c *simCmd) runSweep(t *terminal, l *loaded) (*roceplan.Simulation, error) {
	all := &roceplan.Simulation{}
	choice := c.choice()
	var gpus []int
	for _, n := range c.Sweep {
		run, err := roceplan.Prepare(l.Fabric, roceplan.SimulateOptions{
			Scenarios: choice.Names, Time: choice.Time, Control: choice.Control, Seed: c.Seed, Seeds: c.seeds(0), SkipSteady: c.SkipSteady, Detailed: t.json, GPUs: n,
		})
		if err != nil {
			return nil, err
		}
		for range run.Jobs {
			gpus = append(gpus, n)
		}
		all.Hosts, all.Notes, all.Jobs = run.Hosts, run.Notes, append(all.Jobs, run.Jobs...)
	}
	step, stop := t.watch("runs", len(all.Jobs))
	outcomes, err := pattern.Run(t, all.Jobs, step)
	stop()
	for i := range outcomes {
		outcomes[i].GPUs = gpus[i]
	}
	all.Outcomes = outcomes
	return all, err
}

// printSwept runs a sweep, and prints and draws it.
func (c *simCmd) printSwept(t *terminal, l *loaded, found diag.List) error {
	run, err := c.runSweep(t, l)
	if err != nil {
		return misnamed(err)
	}
	if c.Plots != "" {
		if err := plotSweep(t, c.Plots, run.Jobs, run.Outcomes); err != nil {
			return err
		}
	}
	diagnostics, err := json.Marshal(nonNil(found))
	if err != nil {
		return err
	}
	result := jsonPatterns{Diagnostics: diagnostics, Hosts: run.Hosts, Notes: run.Notes, Patterns: run.Outcomes}
	if t.json {
		if err := t.printJSON(&result); err != nil {
			return err
		}
		return result.verdict(c.Strict)
	}
	for _, note := range result.Notes {
		t.printf("note: %s\n", note)
	}
	printSweep(t, result.Patterns)
	printSkipped(t, result.Patterns)
	return result.verdict(c.Strict)
}

// goodput is what each GPU of a run sent while it lasted, in Gb/s of payload; 0 where it is not done.
func goodput(o *pattern.Outcome) (gbps float64) {
	if o.Skipped != "" || o.Unfinished > 0 || o.Duration == 0 {
		return 0
	}
	return float64(o.Bytes) * 8e-3 / o.Duration / float64(o.GPUs)
}

// collapse is the index of the first run in which a GPU gets less than half of what it got in one before; -1: none.
func collapse(runs []*pattern.Outcome) (at, best int) {
	for i, o := range runs {
		if g := goodput(o); 2*g < goodput(runs[best]) {
			return i, best
		} else if g > goodput(runs[best]) {
			best = i
		}
	}
	return -1, best
}

// swept are the runs of each scenario and seed, by GPUs.
func swept(outcomes []pattern.Outcome) (lines [][]*pattern.Outcome) {
	for i := range outcomes {
		o := &outcomes[i]
		k := slices.IndexFunc(lines, func(line []*pattern.Outcome) bool { return line[0].Pattern == o.Pattern && line[0].Seed == o.Seed })
		if k < 0 {
			lines, k = append(lines, nil), len(lines)
		}
		lines[k] = append(lines[k], o)
	}
	return lines
}

// printSweep prints a row for each number of GPUs, and where it collapses.
func printSweep(t *terminal, outcomes []pattern.Outcome) {
	var rows table
	rows.add("PATTERN", "SEED", "GPUS", "FLOWS", "TIME", "PER GPU", "SLOWDOWN", "P99", "LATENCY MAX", "PAUSES", "LOST")
	lines := swept(outcomes)
	for _, line := range lines {
		for _, o := range line {
			if o.Skipped == "" {
				rows.add(o.Pattern, fmt.Sprint(o.Seed), fmt.Sprint(o.GPUs), fmt.Sprint(o.Flows), us(o.Duration), fmt.Sprintf("%.1f Gb/s", goodput(o)),
					slowdown(o.Completion.Messages, o.Completion.SlowdownMean), slowdown(o.Completion.Messages, o.Completion.SlowdownP99), us(o.LatencyMax), fmt.Sprint(o.Pauses), fmt.Sprint(o.Drops+o.Lost))
			}
		}
	}
	t.printf("%s", rows)
	for _, line := range lines {
		at, best := collapse(line)
		if o := line[max(at, 0)]; at >= 0 {
			t.printf("%s, seed %d: of %d GPUs each gets %.1f Gb/s, less than half of the %.1f Gb/s of %d\n", o.Pattern, o.Seed, o.GPUs, goodput(o), goodput(line[best]), line[best].GPUs)
		} else {
			t.printf("%s, seed %d: up to %d GPUs each gets at least half of the most, %.1f Gb/s of %d\n", o.Pattern, o.Seed, line[len(line)-1].GPUs, goodput(line[best]), line[best].GPUs)
		}
	}
}
