package main

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// mostHops is how much is simulated unasked, as [roceplan.PacketHops] counts it: about half a minute of two
// cores, since scenarios with a load send less than hosts can.
const mostHops = 1_500_000_000

// parts are what a larger fabric is cut to, edge switches and hosts of each, the largest first. The smallest has
// sixteen hosts, as most of the library's scenarios need.
func parts() [][2]int { return [][2]int{{16, 16}, {8, 16}, {4, 16}, {4, 8}, {4, 4}} }

// shortest is what runs of the smallest part are shortened to at most.
const shortest = 500 * units.Microsecond

// options are what is asked for.
func (c *simCmd) options(l *loaded, detailed bool) roceplan.SimulateOptions {
	choice := c.choice()
	return roceplan.SimulateOptions{
		Scenarios: choice.Names, Time: choice.Time, Control: choice.Control, Size: fabric.Size(c.Size),
		Workload: l.workload, Seeds: c.seeds(0), SkipSteady: c.SkipSteady, Detailed: detailed, Longest: c.longest(),
	}
}

// partOf lists the runs of packets: of the whole fabric, of the part that was asked for, or of the largest part that takes
// about a minute, beside those of the whole. The first note says which part.
func (c *simCmd) partOf(l *loaded, detailed bool) (all, run *roceplan.Simulation, err error) {
	o := c.options(l, detailed)
	run, err = roceplan.Prepare(l.Fabric, o)
	if all = run; err != nil || c.Size != (cutSize{}) || c.Workload != "" || c.Shard != (shard{}) {
		return all, run, err
	}
	whole, hosts := roceplan.PacketHops(run.Jobs), run.Hosts
	for _, size := range parts() {
		if roceplan.PacketHops(run.Jobs) <= mostHops {
			break
		}
		if size[0]*size[1] >= hosts {
			continue
		}
		o.Size = fabric.Size{Edges: size[0], HostsPerEdge: size[1]}
		c.Size = cutSize(o.Size)
		if run, err = roceplan.Prepare(l.Fabric, o); err != nil {
			return nil, nil, err
		}
	}
	shorter := c.Time == nil && shorten(run.Jobs)
	if c.Size != (cutSize{}) || shorter {
		run.Notes = slices.Insert(run.Notes, 0, c.partNote(run, hosts, whole, shorter))
	}
	return all, run, nil
}

// partNote says what is simulated, and how to run the whole.
func (c *simCmd) partNote(run *roceplan.Simulation, hosts int, whole int64, shorter bool) string {
	what, all := "", "--size all"
	if c.Size != (cutSize{}) {
		what = fmt.Sprintf("%d of %s (--size %v)", run.Hosts, natural.Count(hosts, "host", "hosts"), c.Size)
	}
	if shorter {
		if what != "" {
			what += " and "
		}
		what += fmt.Sprintf("%v of each scenario that is longer", shortest)
		all += " or --time"
	}
	return fmt.Sprintf("a part is simulated, which takes about a minute: %s, about %d of %d million packet-hops; %s runs the whole", what,
		roceplan.PacketHops(run.Jobs)/1_000_000, whole/1_000_000, all)
}

// shorten cuts the time of runs that are too much together, and reports whether it did.
func shorten(jobs []pattern.Job) (shorter bool) {
	if roceplan.PacketHops(jobs) <= mostHops {
		return false
	}
	for i := range jobs {
		if s := jobs[i].Scenario; s.Time > shortest {
			s.Time, shorter = shortest, true
		}
	}
	return shorter
}
