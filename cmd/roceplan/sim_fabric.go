package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/cmd/roceplan/record"
	"github.com/roceplan/roceplan/internal/scenario"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// patternFlags choose what runs on a fabric.
type patternFlags struct {
	Pattern []string    `placeholder:"NAME" sep:"none" complete:"scenario" help:"Run this scenario of the fabric or the library; may be repeated (default: all that fit)."`
	Time    *units.Time `placeholder:"TIME" help:"Time in which messages begin (default: the scenario's, or 2ms)."`
	Size    cutSize     `placeholder:"EDGES[xHOSTS]" help:"Largest number of edge switches, and of hosts of each; all takes the whole fabric (default for sim: the whole if it takes at most about a minute, else a part; for tune: 4x8)."`
	Control string      `name:"congestion-control" placeholder:"NAME" enum:",none,dcqcn,timely,timely_listing,timely_patched,hpcc,dctcp,swift,rttcc,rtt_template" default:"" help:"Let hosts run this congestion control in every scenario: none, dcqcn, timely, timely_listing, timely_patched, hpcc, dctcp, swift, rttcc or rtt_template (default: the scenario's, or the class's)."`
	Shard   shard       `placeholder:"I/N" help:"Of N parts of the sweep, run part I; parts are counted from 0."`

	JSONLines bool `name:"json-lines" help:"Print a line of JSON for each result, for roceplan merge, which gives the verdict too."`
}

// fabricFlags are the flags of sim with a fabric.
type fabricFlags struct {
	patternFlags
	Workload string `placeholder:"PATH" help:"Run this workload instead of scenarios: a folder of Chakra execution traces NAME.RANK.et, a workload file of SimAI, or a flow file of the HPCC simulator."`

	Seed   uint64      `placeholder:"N" default:"1" help:"Start of the random numbers: equal seeds give equal results (default: 1)."`
	Settle *units.Time `placeholder:"TIME" help:"Repeat a run that has not settled and misses a goal, twice as long each time, up to this time."`
	List   bool        `help:"List the scenarios, and run none."`
	Try    bool        `name:"remedies" help:"Repeat the first run of each scenario that misses a goal with single changes of the fabric, until one meets all goals: constants of the NICs, the curve, alpha, balancing, the congestion control."`
	Strict bool        `help:"Exit with 1 if any goal is missed, not only if a lossless packet is lost."`
}

const patternHelp = `the compiled fabric is run under its own scenarios and those of a library, and judged by the fabric's targets or the scenario's goals:

    roceplan sim fabric.hcl
    roceplan sim fabric.hcl --pattern incast-8 --pattern websearch-50 --time 2ms
    roceplan sim fabric.hcl --settle 32ms --remedies
    roceplan sim fabric.hcl --pattern incast-8 --plots plots
    roceplan sim fabric.hcl --pattern incast-8 --series incast.csv --counter queue:tor-1,rate:0
    roceplan sim fabric.hcl --pattern incast-8 --counters telemetry --interval 1ms --fault cable@tor-1:Ethernet0=80m
    roceplan sim fabric.hcl --seeds 10 --shard 3/8 --json-lines >part-3.jsonl

With --workload, GPUs follow a trace, one GPU for each rank, on the servers of the fabric (block server) or one at each host. Compute times are the trace's, collectives are NCCL's:

    roceplan sim fabric.hcl --workload traces

With --fidelity fluid, messages are flows that share links, and no packet is sent: a step of 16,384 GPUs takes seconds. It computes when messages and operations are done (docs/sim-fluid.md shows its accuracy), but no queues, pauses or losses:

    roceplan sim fabric.hcl --workload traces --fidelity fluid

With --sweep gpus=, a scenario runs on more and more GPUs, packed switch by switch, and prints the rate of each by their number. With the name of a variable of the fabric it runs with each of its values, and prints the values that meet all goals and the slowdown of each block of traffic. --plots draws it. The fabric is not cut:

    roceplan sim fabric.hcl --pattern all-to-all-64kb --sweep gpus=8..256 --plots plots
    roceplan sim fabric.hcl --pattern reads --sweep load=10%,30%,50%,70% --plots plots

Switches have the buffers, thresholds and ECN of their files, read back as verify does. Links have the delay of their cables. sim sends packets through the whole fabric if that takes at most about 1,500 million packet-hops, about half a minute on two cores. It sends packets through a part of a larger fabric, and runs the whole as flows. A part has fewer edge switches and fewer hosts of each; if even the smallest part is too large, the time is shorter. The first line names the part, and how to run another one (--size 4x16) or the whole fabric (--size all). With fewer scenarios (--pattern) the part is larger. With --shard the whole fabric is run. If a cell has two figures, the first is of the whole run, and the second of its steady state after the detected warm-up; throughput is judged by the second, all else by the first. SLOWDOWN is the completion time of messages divided by the time that each takes alone, as the mean and the 99th percentile. STEPS is the time of operations that wait for one another, divided by the least that links, hosts and their order allow. LATENCY is one-way, from the queue of the sender's NIC until the last bit arrives, as the 90th percentile and the maximum. PFC OVER is the share of the run in which the worst port had more pauses than the target allows; docs/sim-results.md describes it for runs of milliseconds. A goal that no setting can meet is infeasible, and the table ends with the bound that it breaks. --remedies searches for changes that meet each other missed goal, and names them there.

With --counters, counters/DEVICE/TIME.json has the output of sonic-db-dump -n COUNTERS_DB -y of a SONiC switch, and of rdma -j statistic and ethtool -S of a NIC, whose name is nic. and its port. lldp/ has the neighbours of switches. faults.json has the changes of --fault: a longer cable at a port, a later response to pauses, a multiple of Kmin, a port without PFC, lost CNPs to a NIC, two swapped cables, or a NIC that pauses without end from a given time on.

Exit codes: 0 no switch dropped a lossless packet; 1 one did, or flows did not finish, or a scenario of the fabric or of --pattern could not run, or with --strict a goal was missed (with --json-lines that is left to merge); 2 the call was wrong, or the fabric cannot be simulated.`

// runFabric compiles the fabric, runs the scenarios, and prints what they did.
func (c *simCmd) runFabric(t *terminal) error {
	if err := c.checkTime(); err != nil {
		return err
	}
	switch {
	case c.Settle != nil && (*c.Settle < units.Microsecond || *c.Settle > units.Second):
		return misusef("--settle is %v, which is outside of 1us to 1s", *c.Settle)
	case c.Settle != nil && (c.Series != "" || c.Counters != "" || c.Plots != ""):
		return misusef("--settle repeats runs, but --series, --counters and --plots are of one run; use --time instead")
	}
	if c.Sweep.name != "" {
		return c.printSwept(t)
	}
	l, err := c.loadTraced(t, c.Files)
	if err != nil {
		return err
	}
	_, found, err := l.planned(t)
	if err != nil {
		return err
	}
	if c.List {
		chosen, err := c.choose(l)
		if err != nil {
			return err
		}
		return listScenarios(t, chosen)
	}
	if l.workload, err = c.readWorkload(t); err != nil {
		return err
	}
	run, err := c.prepare(l, t.json || c.JSONLines)
	if err != nil {
		return misnamed(err)
	}
	for i := range run.Jobs {
		run.Jobs[i].Seed += c.Seed - 1 // --seed 0 is one of its own
	}
	if err := c.spoil(run, c.Seed); err != nil {
		return err
	}
	jobs := part(c.Shard, run.Jobs)
	outcomes, err := c.runJobs(t, jobs)
	if err != nil {
		return err
	}
	if c.Try {
		if err := c.tryRemedies(t, l, jobs, outcomes); err != nil {
			return err
		}
	}
	diagnostics, err := json.Marshal(nonNil(found))
	if err != nil {
		return err
	}
	packets, flows := split(outcomes)
	result := jsonPatterns{Diagnostics: diagnostics, Hosts: run.Hosts, Notes: append(run.Notes, mixNote(l.Policy, packets)...), Patterns: packets, flows: flows}
	if c.JSONLines {
		return c.printLines(t, l, &result)
	}
	return result.print(t, c.Strict)
}

// runJobs runs, and writes samples and plots if they are asked for.
func (c simCmd) runJobs(t *terminal, jobs []pattern.Job) (outcomes []pattern.Outcome, err error) {
	if c.Series != "" {
		if len(jobs) != 1 {
			return nil, misusef("--series is of one run, and there are %d: choose one with --pattern", len(jobs))
		}
		file, failed := newCSV(t, c.Series)
		if failed != nil {
			return nil, failed
		}
		jobs[0].Prepare = append(jobs[0].Prepare, func(sc *sim.Scenario, _ int) {
			sc.Observe.Series = append(sc.Observe.Series, file.series(&c.seriesFlags))
		})
		defer func() { err = file.end(err) }()
	}
	if c.Counters != "" {
		if len(jobs) != 1 {
			return nil, misusef("--counters is of one run, and there are %d: choose one with --pattern", len(jobs))
		}
		write := c.record(t, &jobs[0])
		defer func() {
			if err == nil && outcomes[0].Skipped == "" {
				err = write()
			}
		}()
	}
	var recorders []*recorder
	if c.Plots != "" {
		for i := range jobs {
			recorders = append(recorders, newRecorder(&jobs[i], c.Sample))
		}
	}
	step, stop := t.watch("runs", len(jobs), clockOf(jobs))
	outcomes, err = pattern.Run(t, jobs, step)
	stop()
	if err != nil || c.Plots == "" {
		return outcomes, err
	}
	return outcomes, writePlots(t, c.Plots, recorders, outcomes)
}

// clockOf says how far the one run of a call is. Several are counted.
func clockOf(jobs []pattern.Job) func() string {
	if len(jobs) != 1 {
		return func() string { return "" }
	}
	var clock atomic.Int64
	jobs[0].Network.Scenario.Clock = &clock
	return func() string {
		return fmt.Sprintf(", at %.3f ms; messages begin until %v", float64(clock.Load())/1e9, jobs[0].Scenario.Time)
	}
}

// longest is up to which time runs are made again.
func (c fabricFlags) longest() units.Time {
	if c.Settle == nil {
		return 0
	}
	return *c.Settle
}

func (c patternFlags) checkTime() error {
	if c.Time != nil && (*c.Time < units.Microsecond || *c.Time > units.Second) {
		return misusef("--time is %v, which is outside of 1us to 1s", *c.Time)
	}
	return nil
}

// choice returns the scenarios that the flags choose.
func (c patternFlags) choice() scenario.Choice {
	choice := scenario.Choice{Names: c.Pattern, Control: c.Control}
	if c.Time != nil {
		choice.Time = *c.Time
	}
	return choice
}

// choose finds the scenarios that are asked for, in the order of the list.
func (c patternFlags) choose(l *loaded) ([]pattern.Scenario, error) {
	chosen, err := c.choice().Of(l.Scenarios())
	return chosen, misnamed(err)
}

// misnamed says of a scenario that there is none what was likely meant, or how to find out.
func misnamed(err error) error {
	var unknown *scenario.Unknown
	switch {
	case !errors.As(err, &unknown):
		return err
	case unknown.Near == "":
		return misusef("there is no pattern %q; --list shows all", unknown.Name)
	}
	return misusef("there is no pattern %q; did you mean %q? --list shows all", unknown.Name, unknown.Near)
}

// scenarioList is the output of sim --json with --list.
type scenarioList struct {
	Scenarios []scenarioName `json:"scenarios"`
}

type scenarioName struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// listLibrary lists the scenarios that every fabric has.
func (c patternFlags) listLibrary(t *terminal) error {
	chosen, err := c.choice().Of(roceplan.Library())
	if err != nil {
		return misnamed(err)
	}
	return listScenarios(t, chosen)
}

func listScenarios(t *terminal, list []pattern.Scenario) error {
	if t.json {
		out := []scenarioName{}
		for i := range list {
			out = append(out, scenarioName{list[i].Name, list[i].Doc})
		}
		return t.printJSON(scenarioList{out})
	}
	var rows table
	for i := range list {
		rows.add(list[i].Name, list[i].Doc)
	}
	t.printf("%s", rows)
	return nil
}

// printLines prints the runs of a part for merge.
func (c simCmd) printLines(t *terminal, l *loaded, r *jsonPatterns) error {
	lines := make([]record.Line, len(r.Patterns))
	for i := range r.Patterns {
		lines[i].Run = &r.Patterns[i]
	}
	h := c.header("sim", l.Policy.Name)
	h.Hosts, h.Notes, h.Diagnostics = r.Hosts, r.Notes, r.Diagnostics
	return record.Write(t.out, c.sweep(l, "sim", c.seeds(0), int(c.Seed)), h, lines)
}

// A jsonPatterns is the output of sim FABRIC --json.
type jsonPatterns struct {
	Diagnostics json.RawMessage   `json:"diagnostics"` // a diag.List
	Hosts       int               `json:"hosts"`
	Notes       []string          `json:"notes"`
	Patterns    []pattern.Outcome `json:"patterns"`
	AsFlows     []pattern.AsFlows `json:"as_flows,omitempty"` // the outcomes of fluid runs
	flows       []pattern.Outcome // the same
}

func (r *jsonPatterns) print(t *terminal, strict bool) error {
	if t.json {
		for i := range r.flows {
			r.AsFlows = append(r.AsFlows, r.flows[i].AsFlows())
		}
		if err := t.printJSON(r); err != nil {
			return err
		}
		return r.verdict(strict)
	}
	for _, note := range r.Notes {
		t.printf("note: %s\n", note)
	}
	if r.flows == nil || len(r.Patterns) > 0 {
		t.printf("%s", outcomeTable(t.telling(r.Patterns)))
	}
	printCompletion(t, r.Patterns)
	printTraces(t, r.Patterns)
	printSkipped(t, r.Patterns)
	noteSteady(t, r.Patterns)
	noteUnasked(t, r.Patterns)
	noteSkipped(t, r.Patterns)
	noteBounds(t, r.Patterns)
	noteRemedies(t, r.Patterns)
	notePauses(t, r.Patterns)
	if met, judged := pattern.UsualShare(r.Patterns); judged > 0 {
		verdict := "met"
		if !pattern.UsualMet(met, judged) {
			verdict = "missed"
		}
		t.printf("usual latency: %d of %d scenarios keep nine in ten packets below the target; 90 %% of the scenarios are expected: %s\n", met, judged, verdict)
	}
	printFlows(t, r.flows)
	return r.verdict(strict)
}

// verdict is a finding if a lossless packet was lost or a message did not finish, or, if
// strict, if any goal was missed.
func (r *jsonPatterns) verdict(strict bool) error {
	if strict && !pattern.UsualMet(pattern.UsualShare(r.Patterns)) {
		return errFindings
	}
	ran := len(r.flows) > 0
	for _, o := range slices.Concat(r.Patterns, r.flows) {
		ran = ran || o.Skipped == ""
		if slices.Contains(o.Missed, pattern.NotRun) || slices.Contains(o.Missed, pattern.LosslessDrops) || slices.Contains(o.Missed, pattern.Finish) || strict && len(o.Missed) > 0 {
			return errFindings
		}
	}
	if !ran && len(r.Patterns) > 0 {
		return errFindings
	}
	return nil
}

// screenful is the most runs that are all in the table.
const screenful = 20

// telling returns the runs that a person wants to see first: of many those that miss a goal, below a line that counts
// all.
func (t *terminal) telling(outcomes []pattern.Outcome) []pattern.Outcome {
	ran := stable.Delete(slices.Clone(outcomes), func(o pattern.Outcome) bool { return o.Skipped != "" })
	if t.all || len(ran) <= screenful {
		return outcomes
	}
	missed := stable.Delete(slices.Clone(ran), func(o pattern.Outcome) bool { return len(o.Missed) == 0 })
	t.printf("%d of %d runs meet all goals; --all prints them too\n", len(ran)-len(missed), len(ran))
	return missed
}

func outcomeTable(outcomes []pattern.Outcome) table {
	var rows table
	rows.add("PATTERN", "SEED", "FLOWS", "WARM-UP", "THROUGHPUT", "FCT P99", "SLOWDOWN", "P99", "STEPS", "LATENCY P90", "MAX", "PAUSES", "PFC OVER", "MARKS", "DROPS", "LOST", "PEAK QUEUE", "VERDICT")
	for _, o := range outcomes {
		if o.Skipped != "" {
			continue
		}
		both, verdict := bothFigures(&o), outcomeVerdict(&o)
		rows.add(o.Pattern, fmt.Sprint(o.Seed), fmt.Sprint(o.Flows), both.warmUp, both.throughput, us(o.FCTP99), both.slowdown, both.slowdownP99, steps(o.Completion), us(o.LatencyP90), both.latency,
			fmt.Sprint(o.Pauses), both.over, fmt.Sprint(o.Marks), fmt.Sprint(o.Drops), fmt.Sprint(o.Lost), fmt.Sprintf("%d B", o.PeakEgressQueue), verdict)
	}
	return rows
}

// outcomeVerdict says which goals a run missed.
func outcomeVerdict(o *pattern.Outcome) string {
	switch {
	case len(o.Missed) == 0:
		return "met"
	case o.Infeasible() != nil:
		return "missed: " + strings.Join(o.Missed, ", ") + " (infeasible)"
	}
	return "missed: " + strings.Join(o.Missed, ", ")
}

// notePauses says how PFC OVER came about, where there was a pause.
func notePauses(t *terminal, outcomes []pattern.Outcome) {
	shortest, longest := math.Inf(1), 0.0
	for _, o := range outcomes {
		if o.Pauses > 0 {
			shortest, longest = min(shortest, o.PauseWindow), max(longest, o.PauseWindow)
		}
	}
	switch {
	case longest == 0:
		return
	case shortest < longest:
		t.printf("note: PFC OVER counts windows of %v to %v us, with the run", shortest, longest)
	default:
		t.printf("note: PFC OVER counts windows of %v us", longest)
	}
	t.printf("; if the target allows less than one pause in a window, a window with a pause is over; 1 %% of them may be\n")
}

func us(v float64) string { return fmt.Sprintf("%.1f us", v) }

// printSkipped names each scenario that was not run, with each reason once.
func printSkipped(t *terminal, outcomes []pattern.Outcome) {
	told := map[[2]string]bool{}
	for _, o := range outcomes {
		if own := [2]string{o.Pattern, o.Skipped}; o.Skipped != "" && !told[own] {
			told[own] = true
			t.printf("not run: %s %s\n", o.Pattern, o.Skipped)
		}
	}
}
