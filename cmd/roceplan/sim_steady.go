package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/model/sim/pattern"
)

// steadyCells are the cells of a run that has two figures: of all of it, and after its warm-up.
type steadyCells struct{ warmUp, throughput, slowdown, slowdownP99, latency, over string }

func bothFigures(o *pattern.Outcome) steadyCells {
	whole := cellsOf(pattern.Figures{
		Throughput: o.Throughput, LatencyMax: o.LatencyMax, PauseWindows: o.PauseWindows, WindowsOver: o.WindowsOver,
	})
	if whole.warmUp = "-"; o.Throughput == 0 {
		whole.throughput = "(" + o.Unasked + ")"
	}
	c := o.Completion
	whole.slowdown, whole.slowdownP99 = slowdown(c.Messages, c.SlowdownMean), slowdown(c.Messages, c.Spread.SlowdownP99)
	switch s := o.Steady; {
	case s == nil:
		return whole
	case !s.Settled:
		whole.warmUp = "not settled"
		return whole
	default:
		after := cellsOf(s.Figures)
		if o.Throughput > 0 {
			whole.throughput += " / " + after.throughput
		}
		whole.warmUp = us(s.WarmUp)
		if s.Messages > 0 {
			whole.slowdown += " / " + slowdown(s.Messages, s.SlowdownMean)
			whole.slowdownP99 += " / " + slowdown(s.Messages, s.SlowdownP99)
		}
		whole.latency += " / " + after.latency
		whole.over += " / " + after.over
		return whole
	}
}

func cellsOf(f pattern.Figures) steadyCells {
	c := steadyCells{latency: us(f.LatencyMax), over: percents(float64(f.WindowsOver) / float64(max(1, f.PauseWindows)))}
	if f.Throughput > 0 {
		c.throughput = percents(f.Throughput)
	}
	return c
}

func percents(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// noteSteady says what the second figures are, and which runs have none though they might.
func noteSteady(t *terminal, outcomes []pattern.Outcome) {
	settled := false
	var restless []string
	for i := range outcomes {
		switch o := &outcomes[i]; {
		case o.Steady == nil || o.Skipped != "":
		case o.Steady.Settled:
			settled = true
		case !slices.Contains(restless, o.Pattern):
			restless = append(restless, o.Pattern)
		}
	}
	if settled {
		t.printf("note: of two figures the first is of the whole run, the second of its steady state, after WARM-UP, which is found by MSER-5; throughput is judged by the second, all else by the first\n")
	}
	if len(restless) > 0 {
		t.printf("note: not settled, so that throughput is judged by the whole run: %s; --settle 32ms makes them longer\n", strings.Join(restless, ", "))
	}
}

// noteUnasked says why no throughput is a goal.
func noteUnasked(t *terminal, outcomes []pattern.Outcome) {
	means := []struct{ word, text string }{
		{pattern.ByEvents, "(event) the fabric changes during the run"},
		{pattern.BySeveral, "(several) several kinds of traffic share the ports"},
		{pattern.ByLoad, "(load) less than line rate is offered"},
		{pattern.BySize, "(size) messages have a given size"},
		{pattern.BySteps, "(steps) operations wait for one another"},
		{pattern.ByUnfinished, "(unfinished) messages are not done"},
	}
	var told []string
	for _, m := range means {
		if slices.ContainsFunc(outcomes, func(o pattern.Outcome) bool { return o.Skipped == "" && o.Unasked == m.word }) {
			told = append(told, m.text)
		}
	}
	if told != nil {
		t.printf("note: throughput is no goal where %s\n", strings.Join(told, "; "))
	}
}

// noteSkipped says how much time runs have left out.
func noteSkipped(t *terminal, outcomes []pattern.Outcome) {
	for _, o := range outcomes {
		if o.SkippedUS > 0 {
			t.printf("left out as steady: %s, seed %d: %s of %s\n", o.Pattern, o.Seed, us(o.SkippedUS), us(o.Duration))
		}
	}
}

// noteBounds says once for each scenario why no setting can meet its goals, or no other than of the
// NICs' constants.
func noteBounds(t *terminal, outcomes []pattern.Outcome) {
	told := map[string]bool{}
	for i := range outcomes {
		o := &outcomes[i]
		b, what := o.Infeasible(), "infeasible"
		if b == nil {
			b, what = o.BeyondCuts(), "infeasible with these NIC constants"
		}
		if b != nil && !told[o.Pattern] {
			told[o.Pattern] = true
			t.printf("%s: %s, by %s: %s\n", what, o.Pattern, b.Kind, b.Why)
		}
	}
}
