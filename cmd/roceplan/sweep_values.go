package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

// printValues prints a row for each value of a variable, one for each block of traffic where there are several, and which values meet
// all goals.
func printValues(t *terminal, name string, outcomes []pattern.Outcome) {
	var rows, blocks table
	column := strings.ToUpper(name)
	rows.add("PATTERN", "SEED", column, "FLOWS", "TIME", "THROUGHPUT", "FCT P99", "SLOWDOWN", "P99", "LATENCY MAX", "PAUSES", "LOST", "VERDICT")
	blocks.add("PATTERN", "SEED", column, "BLOCK", "NUMBER", "UNFINISHED", "FCT MEAN", "P99", "SLOWDOWN", "P99")
	lines := linesOf(outcomes)
	several := false
	for _, line := range lines {
		for _, o := range line {
			if o.Skipped != "" {
				continue
			}
			both, c := bothFigures(o), o.Completion
			rows.add(o.Pattern, fmt.Sprint(o.Seed), o.Swept, fmt.Sprint(o.Flows), us(o.Duration), both.throughput, us(o.FCTP99), slowdown(c.Messages, c.SlowdownMean), slowdown(c.Messages, c.Spread.SlowdownP99),
				us(o.LatencyMax), fmt.Sprint(o.Pauses), fmt.Sprint(o.Drops+o.Lost), outcomeVerdict(o))
			several = several || len(c.Blocks) > 1
			for k := range c.Blocks {
				b := &c.Blocks[k]
				blocks.add(o.Pattern, fmt.Sprint(o.Seed), o.Swept, b.Name, fmt.Sprint(b.Messages), fmt.Sprint(b.Unfinished), us(b.FCTMean), us(b.FCTP99), slowdown(b.Messages, b.SlowdownMean), slowdown(b.Messages, b.SlowdownP99))
			}
		}
	}
	t.printf("%s", rows)
	if several {
		t.printf("%s", blocks)
	}
	for _, line := range lines {
		sayMet(t, name, line)
		for _, s := range sufferers(line) {
			t.printf("%s, seed %d: with %s=%s, %s: 99 %% of the messages take up to %.1f times what they take alone, more than twice the %.1f with %s=%s\n",
				line[0].Pattern, line[0].Seed, name, line[s.at].Swept, s.block, s.tail, s.first, name, line[s.from].Swept)
		}
	}
}

// sayMet names the values with which all goals are met.
func sayMet(t *terminal, name string, line []*pattern.Outcome) {
	var met []string
	for _, o := range line {
		if o.Skipped == "" && len(o.Missed) == 0 {
			met = append(met, o.Swept)
		}
	}
	which := "no value meets all goals"
	if len(met) > 0 {
		which = "all goals are met with " + name + "=" + strings.Join(met, ", ")
	}
	t.printf("%s, seed %d: %s\n", line[0].Pattern, line[0].Seed, which)
}

// A sufferer is a block of traffic whose slowdown of 99 % doubles: the run that has it first, that run, and the first one in which it
// is more than twice that.
type sufferer struct {
	block       string
	from, at    int
	first, tail float64
}

// sufferers returns the sufferers of a line of runs, in the order of blocks.
func sufferers(line []*pattern.Outcome) (list []sufferer) {
	for i, o := range line {
		if o.Skipped != "" {
			continue
		}
		for k := range o.Completion.Blocks {
			b := &o.Completion.Blocks[k]
			at := slices.IndexFunc(list, func(s sufferer) bool { return s.block == b.Name })
			switch {
			case b.Messages == 0:
			case at < 0:
				list = append(list, sufferer{block: b.Name, from: i, at: -1, first: b.SlowdownP99})
			case list[at].at < 0 && b.SlowdownP99 > 2*list[at].first:
				list[at].at, list[at].tail = i, b.SlowdownP99
			}
		}
	}
	return stable.Delete(list, func(s sufferer) bool { return s.at < 0 })
}
