package main

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model/sim/pattern"
)

// goodput returns the payload that each GPU of a run sent while the run lasted, in Gb/s; 0 where it is not done.
func goodput(o *pattern.Outcome) (gbps float64) {
	if o.Skipped != "" || o.Unfinished > 0 || o.Duration == 0 {
		return 0
	}
	return float64(o.Bytes) * 8e-3 / o.Duration / float64(o.GPUs)
}

// collapse returns the index of the first run in which a GPU gets less than half of what it got in one before; -1:
// none.
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

// linesOf returns the runs of each scenario and seed, by the value, without those that do not compile.
func linesOf(outcomes []pattern.Outcome) (lines [][]*pattern.Outcome) {
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
	lines := linesOf(outcomes)
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
