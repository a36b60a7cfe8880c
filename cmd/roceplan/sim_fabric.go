package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// patternFlags are those of sim with a fabric.
type patternFlags struct {
	Pattern []string    `placeholder:"NAME" sep:"none" help:"Run this pattern of the library; may be repeated (default: all that fit)."`
	Time    *units.Time `placeholder:"TIME" help:"How long messages begin (default: 2ms)."`
	Seed    uint64      `placeholder:"N" default:"1" help:"Start of the random numbers: equal seeds give equal results (default: 1)."`
	Strict  bool        `help:"Exit with 1 if any goal is missed, not only if a lossless packet is lost."`
}

const patternHelp = `the compiled fabric is run under a library of traffic patterns and judged by the fabric's targets:

    roceplan sim fabric.hcl
    roceplan sim fabric.hcl --pattern incast-8 --pattern websearch-50 --time 2ms

Switches have the buffers, thresholds and ECN of the plan; links the delay of their cables. A large fabric is cut to a size that a run can take, which is said. PAUSES/S is the mean over the run and all switch ports; LATENCY is from posting a message of one packet until its acknowledgement, of nine in ten and of all.

Exit codes: 0 no lossless packet was lost; 1 one was, or flows did not finish, or with --strict a goal was missed; 2 the call was wrong, or the fabric cannot be simulated.`

// defaultWindow is long enough for DCQCN to settle at 100G and more.
const defaultWindow = 2 * units.Millisecond

// simulatedSize is what a fabric is cut to: 50 patterns take a minute on two cores.
var simulatedSize = fabric.Size{Edges: 4, HostsPerEdge: 16}

// runFabric compiles the fabric, runs the patterns, and prints what they did.
func (c simCmd) runFabric(t *terminal) error {
	chosen, err := c.choose()
	if err != nil {
		return err
	}
	window := defaultWindow
	if c.Time != nil {
		window = *c.Time
	}
	if window < units.Microsecond || window > units.Second {
		return misusef("--time is %v, which is outside of 1us to 1s", window)
	}
	l, err := c.load(t, c.Files)
	if err != nil {
		return err
	}
	p, found, err := l.planned(t)
	if err != nil {
		return err
	}
	catalogue, _, _, err := loadChips(c.Chips)
	if err != nil {
		return err
	}
	net, err := fabric.New(p, catalogue.Find, simulatedSize)
	if err != nil {
		return err
	}
	step, stop := t.watch("patterns", len(chosen))
	outcomes, err := pattern.Run(t, net, chosen, pattern.Options{Window: window, Seed: c.Seed, Goals: goalsOf(l.fabric), Done: step})
	stop()
	if err != nil {
		return err
	}
	return c.printOutcomes(t, found, net, window, outcomes)
}

// choose finds the patterns that are asked for, in the order of the library.
func (c patternFlags) choose() ([]pattern.Pattern, error) {
	all := pattern.Library()
	if len(c.Pattern) == 0 {
		return all, nil
	}
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	for _, name := range c.Pattern {
		if !slices.Contains(names, name) {
			return nil, misusef("there is no pattern %q; there are %s", name, strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(all, func(p pattern.Pattern) bool { return !slices.Contains(c.Pattern, p.Name) }), nil
}

func goalsOf(f *policy.Fabric) pattern.Goals {
	g := &f.Targets
	return pattern.Goals{
		Throughput: g.Throughput.Value, PausesPerSecond: g.PausesPerSecond.Value,
		MaxLatency: g.MaxLatency.Value, UsualLatency: g.UsualLatency.Value,
	}
}

// A jsonPatterns is what sim FABRIC --json prints.
type jsonPatterns struct {
	Diagnostics diag.List         `json:"diagnostics"`
	Hosts       int               `json:"hosts"`
	Notes       []string          `json:"notes"`
	Seed        uint64            `json:"seed"`
	Window      units.Time        `json:"time_ps"`
	Patterns    []pattern.Outcome `json:"patterns"`
}

func (c patternFlags) printOutcomes(t *terminal, found diag.List, net *fabric.Network, window units.Time, outcomes []pattern.Outcome) error {
	if t.json {
		notes := append([]string{}, net.Notes...)
		if err := t.printJSON(jsonPatterns{nonNil(found), len(net.Hosts), notes, c.Seed, window, outcomes}); err != nil {
			return err
		}
	} else {
		for _, note := range net.Notes {
			t.printf("note: %s\n", note)
		}
		t.printf("%s", outcomeTable(outcomes))
		printSkipped(t, outcomes)
	}
	for _, o := range outcomes {
		if slices.Contains(o.Missed, pattern.LosslessDrops) || slices.Contains(o.Missed, pattern.Finish) || c.Strict && len(o.Missed) > 0 {
			return errFindings
		}
	}
	return nil
}

func outcomeTable(outcomes []pattern.Outcome) table {
	var rows table
	rows.add("PATTERN", "FLOWS", "THROUGHPUT", "FCT P99", "SLOWDOWN P99", "LATENCY P90", "MAX", "PAUSES", "PAUSES/S", "MARKS", "DROPS", "PEAK QUEUE", "VERDICT")
	for _, o := range outcomes {
		if o.Skipped != "" {
			continue
		}
		carried, verdict := "-", "met"
		if o.Throughput > 0 {
			carried = fmt.Sprintf("%.1f %%", 100*o.Throughput)
		}
		if len(o.Missed) > 0 {
			verdict = "missed: " + strings.Join(o.Missed, ", ")
		}
		rows.add(o.Pattern, fmt.Sprint(o.Flows), carried, us(o.FCTP99), fmt.Sprintf("%.1f", o.SlowdownP99), us(o.LatencyP90), us(o.LatencyMax),
			fmt.Sprint(o.Pauses), fmt.Sprintf("%.0f", o.PauseRate), fmt.Sprint(o.Marks), fmt.Sprint(o.Drops), fmt.Sprintf("%d B", o.PeakEgressQueue), verdict)
	}
	return rows
}

func us(v float64) string { return fmt.Sprintf("%.1f us", v) }

func printSkipped(t *terminal, outcomes []pattern.Outcome) {
	for _, o := range outcomes {
		if o.Skipped != "" {
			t.printf("not run: %s %s\n", o.Pattern, o.Skipped)
		}
	}
}
