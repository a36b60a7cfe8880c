package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

// mostFlows is the largest number of messages that are run as flows unasked: some seconds of one core.
const mostFlows = 50_000

// checkFidelity refuses flags that a fluid run does not support.
func (c *simCmd) checkFidelity() error {
	switch {
	case c.Fidelity != "fluid":
		return nil
	case c.HPCC != "":
		return misusef("--fidelity fluid goes with a fabric, not with --hpcc")
	case c.Strict || c.Try || c.Settle != nil:
		return misusef("--strict, --remedies and --settle need goals, but a fluid run judges none: use --fidelity packet")
	case c.Series != "" || c.Plots != "" || c.Counters != "" || len(c.Fault) > 0:
		return misusef("--series, --plots, --counters and --fault need packets, but a fluid run has none: use --fidelity packet")
	case c.SkipSteady || c.JSONLines || c.Shard != shard{} || c.Sweep.name != "":
		return misusef("--skip-steady, --json-lines, --shard and --sweep go with --fidelity packet")
	}
	return nil
}

// onlyPackets reports whether flags rule out fluid runs in addition to packets.
func (c *simCmd) onlyPackets() bool {
	return c.Fidelity == "packet" || c.Strict || c.Series != "" || c.Plots != "" || c.Counters != "" || len(c.Fault) > 0 || c.JSONLines
}

// prepare lists the runs: those that were asked for or, by auto, packets if all of them take about a minute at most. Otherwise a part
// is run by packets and the whole as flows, and a workload as flows alone. The first notes say so.
func (c *simCmd) prepare(l *loaded, detailed bool) (*roceplan.Simulation, error) {
	if c.Fidelity == "fluid" {
		run, err := roceplan.Prepare(l.Fabric, c.options(l, detailed))
		if err == nil {
			asFlows(run, "as --fidelity fluid asks")
		}
		return run, err
	}
	whole, run, err := c.partOf(l, detailed)
	switch {
	case err != nil || c.onlyPackets():
		return run, err
	case c.Workload != "":
		if hops := roceplan.PacketHops(run.Jobs); hops > mostHops {
			asFlows(run, fmt.Sprintf("since about %d million packet-hops would take more than a minute; --fidelity packet sends packets", hops/1_000_000))
		}
	case run.Hosts < whole.Hosts:
		c.addFluid(run, whole)
	}
	return run, nil
}

// asFlows makes all runs fluid ones.
func asFlows(run *roceplan.Simulation, why string) {
	for i := range run.Jobs {
		run.Jobs[i].Fluid = true
	}
	run.Notes = slices.Insert(run.Notes, 0, fmt.Sprintf("messages are flows that share links, %s: no packet is sent, and no goal is judged; docs/sim-fluid.md shows the accuracy of their times", why))
}

// addFluid adds fluid runs of the whole fabric to those of a part, if they are few enough.
func (c *simCmd) addFluid(run, whole *roceplan.Simulation) {
	fit := stable.Delete(slices.Clone(whole.Jobs), func(j pattern.Job) bool { return !j.FitsFluid() })
	messages, hosts := 0.0, natural.Count(whole.Hosts, "host", "hosts")
	for i := range fit {
		messages += fit[i].Messages()
	}
	note := fmt.Sprintf("the whole of %s is also run as flows, only for times: no goal is judged; --fidelity packet omits this run", hosts)
	switch {
	case len(fit) == 0:
		return
	case messages > mostFlows:
		note = fmt.Sprintf("--fidelity fluid runs the whole of %s as flows, about %.0f messages", hosts, messages)
	default:
		for _, j := range fit {
			j.Fluid = true
			run.Jobs = append(run.Jobs, j)
		}
	}
	run.Notes = slices.Insert(run.Notes, 1, note)
}

// split separates the outcomes of runs of packets from those of flows.
func split(all []pattern.Outcome) (packets, flows []pattern.Outcome) {
	packets = []pattern.Outcome{}
	for _, o := range all {
		if o.Fluid {
			flows = append(flows, o)
		} else {
			packets = append(packets, o)
		}
	}
	return packets, flows
}

// printFlows prints the runs of flows, and what they do not model.
func printFlows(t *terminal, outcomes []pattern.Outcome) {
	var rows table
	fair := max(0, slices.IndexFunc(outcomes, func(o pattern.Outcome) bool { return o.Fair != "" })) // the one that models least
	rows.add("AS FLOWS", "SEED", "HOSTS", "FLOWS", "TOOK", "FCT P99", "SLOWDOWN", "P99", "STEPS", "VERDICT")
	for i := range outcomes {
		o := &outcomes[i]
		if o.Skipped != "" {
			continue
		}
		s := &o.Completion.Spread
		rows.add(o.Pattern, fmt.Sprint(o.Seed), fmt.Sprint(o.On), fmt.Sprint(o.Flows), us(o.Duration), us(o.FCTP99), slowdown(s.Messages, s.SlowdownMean), slowdown(s.Messages, s.SlowdownP99), steps(o.Completion), "not judged")
	}
	if len(rows.rows) > 1 {
		t.printf("%s", rows)
		printCompletion(t, outcomes)
		printTraces(t, outcomes)
		noteLikelyPauses(t, outcomes)
		t.printf("note: not modelled by a fluid run: %s\n", strings.Join(outcomes[fair].NotModelled(), ", "))
	}
	printSkipped(t, outcomes)
}

// noteLikelyPauses names the runs whose times are too short, since packets would be paused in more than 1 % of the windows.
func noteLikelyPauses(t *terminal, outcomes []pattern.Outcome) {
	for i := range outcomes {
		if o := &outcomes[i]; 100*o.LikelyPauses > o.PauseWindows {
			t.printf("note: the times of %s (seed %d) are too short: in %s of the windows, queues are above the threshold at which a port would pause its peer; a smaller --size with --fidelity packet shows the effect\n",
				o.Pattern, o.Seed, percents(float64(o.LikelyPauses)/float64(o.PauseWindows)))
		}
	}
}
