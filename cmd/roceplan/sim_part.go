package main

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/model/sim/fabric"
)

// mostHops is the largest simulation that is run unasked, as [roceplan.PacketHops] counts it: about half a
// minute of two cores, since scenarios with a load send less than hosts can.
const mostHops = 1_500_000_000

// options returns the options of the flags.
func (c *simCmd) options(l *loaded, detailed bool) roceplan.SimulateOptions {
	choice := c.choice()
	return roceplan.SimulateOptions{
		Scenarios: choice.Names, Time: choice.Time, Control: choice.Control, Size: fabric.Size(c.Size),
		Workload: l.workload, Seeds: c.seeds(0), SkipSteady: c.SkipSteady, Detailed: detailed, Longest: c.longest(),
	}
}

// partOf lists the runs of packets: of the whole fabric, of the part that was asked for, or of the largest part that takes
// about a minute. all are those of the whole. The first note says which part.
func (c *simCmd) partOf(l *loaded, detailed bool) (all, run *roceplan.Simulation, err error) {
	o := c.options(l, detailed)
	if c.Size != (cutSize{}) || c.Workload != "" || c.Shard != (shard{}) {
		run, err = roceplan.Prepare(l.Fabric, o)
		return run, run, err
	}
	run, err = roceplan.PrepareWithin(l.Fabric, o, mostHops)
	if err != nil || run.Part == nil {
		return run, run, err
	}
	c.Size = cutSize(run.Part.Size)
	run.Notes = slices.Insert(run.Notes, 0, partNote(run))
	return run.Part.Whole, run, nil
}

// partNote says what is simulated, and how to run the whole.
func partNote(run *roceplan.Simulation) string {
	part, what, all := run.Part, "", "--size all"
	if size := cutSize(part.Size); size != (cutSize{}) {
		what = fmt.Sprintf("%d of %s (--size %v)", run.Hosts, natural.Count(part.Whole.Hosts, "host", "hosts"), size)
	}
	if part.Shorter {
		if what != "" {
			what += " and "
		}
		what += fmt.Sprintf("%v of each scenario that is longer", roceplan.Shortest)
		all += " or --time"
	}
	return fmt.Sprintf("a part is simulated, which takes about a minute: %s, about %d of %d million packet-hops; %s runs the whole", what,
		roceplan.PacketHops(run.Jobs)/1_000_000, part.Hops/1_000_000, all)
}
