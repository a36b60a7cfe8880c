package main

import (
	"cmp"
	"fmt"
	"sort"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/hpcc"
)

type simCmd struct {
	Files []string `arg:"" name:"file" optional:"" help:"Fabric files; a folder means all its *.hcl, - is standard input."`
	sourceFlags
	fabricFlags
	seriesFlags
	counterFlags

	HPCC       string `name:"hpcc" placeholder:"CONFIG" help:"Configuration file of the HPCC simulator; the files that it names are in the same folder."`
	NS3Times   bool   `name:"ns3-times" help:"Cut transmission times to whole nanoseconds, as ns-3 does."`
	SkipSteady bool   `name:"skip-steady" help:"Leave out steady time: faster, with errors of completion times up to 5 % in the mean and 10 % for one flow; goals of a fabric are judged by the rest."`
	Fidelity   string `placeholder:"NAME" enum:"auto,packet,fluid" default:"auto" help:"packet sends packets; fluid makes messages flows that share links, ten to hundreds of times as fast: it computes when they are done, and judges no goal. auto sends packets where that takes about a minute at most, and else through a part of the fabric, and runs the whole as flows; a larger workload it runs as flows (default: auto)."`
	Sweep      sweep  `placeholder:"NAME=VALUE,…" help:"Run the scenarios of --pattern with each value of a variable of the fabric, as in load=30%,50%, and find those that meet all goals; or with gpus=8,16,64 on the first N GPUs, one at each host or as blocks server say, and find where each GPU gets less than half. gpus=8..64 doubles."`
	Seeds      *int   `placeholder:"N" help:"Run with N seeds from 1 on, or from --seed on; with --hpcc the first run is printed, with --json also the mean and each run (default: 1, or the scenario's)."`
}

func (simCmd) Help() string {
	return `Simulates a fabric packet by packet. With the files of the HPCC simulator (ns-3), the results equal that simulator's; an option rounds times as it does:

    roceplan sim --hpcc mix/config.txt --ns3-times --json
    roceplan sim --hpcc mix/config.txt --skip-steady

With a fabric, ` + patternHelp
}

// Run simulates a fabric, or what a configuration of the HPCC simulator says.
func (c simCmd) Run(t *terminal) error {
	switch {
	case c.HPCC == "" && len(c.Files) == 0 && c.List:
		return c.listLibrary(t)
	case c.HPCC == "" && len(c.Files) == 0:
		return misusef("sim needs the files of a fabric, or --hpcc with a configuration of the HPCC simulator")
	case c.HPCC == "" && c.NS3Times:
		return misusef("--ns3-times goes with --hpcc")
	case c.SkipSteady && (c.Series != "" || c.Plots != "" || c.Counters != ""):
		return misusef("--skip-steady leaves out time that --series, --plots and --counters sample: use one of them")
	case c.SkipSteady && c.Settle != nil:
		return misusef("--skip-steady leaves out the time that --settle needs: use one of them")
	case c.Seeds != nil && (*c.Seeds < 1 || *c.Seeds > 1_000_000):
		return misusef("--seeds is %d, which is outside of 1 to 1000000", *c.Seeds)
	}
	if err := cmp.Or(c.seriesFlags.check(), c.counterFlags.check(), c.checkSweep(), c.checkFidelity()); err != nil {
		return err
	}
	switch {
	case c.HPCC == "":
		return c.runFabric(t)
	case len(c.Files) > 0:
		return misusef("sim takes the files of a fabric or --hpcc, not both")
	case len(c.Pattern) > 0 || c.Size != cutSize{} || c.Control != "" || c.Time != nil || c.Strict || c.Settle != nil || c.Seed != 1 || c.List || c.Try || c.Workload != "" || c.JSONLines || c.Shard != shard{} || c.Sweep.name != "":
		return misusef("--pattern, --size, --congestion-control, --time, --seed, --list, --workload, --sweep, --shard, --json-lines, --settle, --remedies and --strict go with a fabric, not with --hpcc")
	case c.Counters != "" || len(c.Fault) > 0:
		return misusef("--counters and --fault go with a fabric, not with --hpcc")
	case c.Plots != "":
		return misusef("--plots goes with a fabric, not with --hpcc")
	case c.Series != "" && c.seeds(1) > 1:
		return misusef("--series is of one run, and --seeds asks for %d", c.seeds(1))
	}
	return c.runHPCC(t)
}

// seeds returns the number of runs that are asked for.
func (c simCmd) seeds(otherwise int) int {
	if c.Seeds == nil {
		return otherwise
	}
	return *c.Seeds
}

// runHPCC reads the configuration, runs it, and prints the result.
func (c simCmd) runHPCC(t *terminal) error {
	times := sim.ExactTimes
	if c.NS3Times {
		times = sim.NS3Times
	}
	in, err := hpcc.Read(c.HPCC, times)
	if err != nil {
		return err
	}
	if in.Scenario == nil {
		if t.json {
			err = t.printJSON(findings{nonNil(in.Found)})
		} else {
			err = t.tell(in.Found, in.Sources)
		}
		if err != nil {
			return err
		}
		return errFindings
	}
	if err := t.tell(in.Found, in.Sources); err != nil {
		return err
	}
	in.Scenario.SkipSteady = c.SkipSteady
	result, err := c.simulateHPCC(t, in.Scenario)
	if err != nil {
		return err
	}
	if t.json {
		return t.printJSON(result)
	}
	printSimulation(t, result.Result)
	return nil
}

// simulateHPCC runs a scenario, with samples if they are asked for.
func (c simCmd) simulateHPCC(t *terminal, sc *sim.Scenario) (*hpcc.Report, error) {
	if c.Series == "" {
		return hpcc.Simulate(t, sc, c.seeds(1))
	}
	file, err := newCSV(t, c.Series)
	if err != nil {
		return nil, err
	}
	sc.Observe = &sim.Observation{Series: []*sim.Series{file.series(&c.seriesFlags)}}
	result, err := hpcc.Simulate(t, sc, 1)
	return result, file.end(err)
}

func printSimulation(t *terminal, r *sim.Result) {
	var out table
	fct := make([]float64, len(r.Flows))
	for i, f := range r.Flows {
		fct[i] = f.FCTUS
	}
	sort.Float64s(fct)
	if n := len(fct); n > 0 {
		sum := 0.0
		for _, v := range fct {
			sum += v
		}
		out.add("completion time, mean", fmt.Sprintf("%.3f us", sum/float64(n)))
		out.add("completion time, median", fmt.Sprintf("%.3f us", fct[n/2]))
		out.add("completion time, 99 %", fmt.Sprintf("%.3f us", fct[n*99/100]))
		out.add("completion time, longest", fmt.Sprintf("%.3f us", fct[n-1]))
	}
	out.add("flows finished", fmt.Sprint(len(fct)))
	out.add("flows unfinished", fmt.Sprint(r.UnfinishedFlows))
	if r.SkippedUS > 0 {
		out.add("steady time left out", fmt.Sprintf("%.3f us", r.SkippedUS))
	}
	out.add("pause frames", fmt.Sprint(r.PFCPauses))
	out.add("peak egress queue", fmt.Sprintf("%d B", r.PeakEgressQueue))
	out.add("peak headroom in use", fmt.Sprintf("%d B", r.PeakHeadroom))
	out.add("packets marked", fmt.Sprint(r.ECNMarks))
	out.add("packets dropped", fmt.Sprint(r.Drops))
	out.add("packet-hops", fmt.Sprint(r.PacketHops))
	t.printf("%s", out)
}
