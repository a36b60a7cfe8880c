package main

import (
	"fmt"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

// slowdown returns the cell of one; "-" where no message has one.
func slowdown(messages int, v float64) string {
	if messages == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", v)
}

// steps returns how many times its bound a block took whose messages wait for one another; of several blocks the most.
func steps(c *pattern.Completion) string {
	most := 0.0
	for i := range c.Blocks {
		most = max(most, c.Blocks[i].Steps)
	}
	if most == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", most)
}

// fewRuns is the most runs for which sizes and blocks are printed.
const fewRuns = 4

// printCompletion prints how messages finished, by size and by block.
func printCompletion(t *terminal, outcomes []pattern.Outcome) {
	if len(outcomes) > fewRuns {
		return
	}
	var rows table
	rows.add("PATTERN", "SEED", "MESSAGES", "NUMBER", "FCT MEAN", "P99", "SLOWDOWN", "P50", "P99", "MAX", "STEPS")
	for i := range outcomes {
		if o := &outcomes[i]; o.Skipped == "" {
			addCompletion(&rows, o)
		}
	}
	if len(rows.rows) > 1 {
		t.printf("%s", rows)
	}
}

func addCompletion(rows *table, o *pattern.Outcome) {
	add := func(what string, n int, s *pattern.Spread, steps string) {
		if n == 0 {
			rows.add(o.Pattern, fmt.Sprint(o.Seed), what, "0", "-", "-", "-", "-", "-", "-", steps)
			return
		}
		rows.add(o.Pattern, fmt.Sprint(o.Seed), what, fmt.Sprint(n), us(s.FCTMean), us(s.FCTP99), fmt.Sprintf("%.1f", s.SlowdownMean), fmt.Sprintf("%.1f", s.SlowdownP50),
			fmt.Sprintf("%.1f", s.SlowdownP99), fmt.Sprintf("%.1f", s.SlowdownMax), steps)
	}
	for i := range o.Completion.Sizes {
		b := &o.Completion.Sizes[i]
		add(sizesOf(b), b.Messages, &b.Spread, "-")
	}
	for i := range o.Completion.Blocks {
		b := &o.Completion.Blocks[i]
		own := "-"
		if b.Steps > 0 {
			own = fmt.Sprintf("%.2f: %s of %s", b.Steps, us(b.Duration), us(b.Least))
		}
		if len(o.Completion.Blocks) > 1 || b.Steps > 0 {
			add("of "+b.Name, b.Messages, &b.Spread, own)
		}
	}
}

// sizesOf names a bin.
func sizesOf(b *pattern.Bin) string {
	switch {
	case b.Below == 0:
		return "from " + kilobytes(b.From)
	case b.From == 0:
		return "below " + kilobytes(b.Below)
	}
	return kilobytes(b.From) + " to " + kilobytes(b.Below)
}

// kilobytes writes a size of whole kB or MB as the language does.
func kilobytes(n int64) string {
	if n%1_000_000 == 0 {
		return fmt.Sprintf("%dMB", n/1_000_000)
	}
	return fmt.Sprintf("%dKB", n/1000)
}

// printTraces says how long workloads took, and the bus bandwidth of collectives.
func printTraces(t *terminal, outcomes []pattern.Outcome) {
	for i := range outcomes {
		o := &outcomes[i]
		if o.Skipped != "" {
			continue
		}
		for k := range o.Completion.Blocks {
			if b := &o.Completion.Blocks[k]; b.Kind == "trace" {
				t.printf("%s\n%s", traced(o, b), operations(b.Workload))
			} else if b.BusBandwidth > 0 && len(outcomes) <= fewRuns {
				t.printf("bus bandwidth of %s in %s, seed %d: %.2f GB/s\n", b.Name, o.Pattern, o.Seed, b.BusBandwidth)
			}
		}
	}
}

// operations prints how long the operations of a workload took, and for how long GPUs do not compute.
func operations(w *pattern.Workload) string {
	if w == nil {
		return ""
	}
	var rows table
	rows.add("OPERATION", "GPUS", "BYTES", "NUMBER", "MEAN", "LONGEST", "BUS BANDWIDTH")
	for _, o := range w.Operations {
		rows.add(o.Kind, fmt.Sprint(o.GPUs), fmt.Sprint(o.Bytes), fmt.Sprint(o.Number), us(o.Mean), us(o.Longest), fmt.Sprintf("%.2f GB/s", o.BusBandwidth))
	}
	text := fmt.Sprintf("a GPU computes %s in the mean, and %s of communication and waiting for it are exposed\n", us(w.Computes), us(w.Exposed))
	if len(rows.rows) > 1 {
		text = rows.String() + text
	}
	return text
}

func traced(o *pattern.Outcome, b *pattern.Block) string {
	of := fmt.Sprintf("workload of %s, seed %d: ", o.Pattern, o.Seed)
	switch {
	case b.Unfinished > 0:
		return of + "it is not done, " + natural.Count(b.Unfinished, "message is", "messages are") + " left"
	case b.Least == 0:
		return of + fmt.Sprintf("it took %s", us(b.Duration))
	}
	return of + fmt.Sprintf("it took %s, %.2f times the least time, %s, that links, hosts and the order of operations allow", us(b.Duration), b.Steps, us(b.Least))
}
