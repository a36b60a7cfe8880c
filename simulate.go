package roceplan

import (
	"context"
	"fmt"

	"github.com/roceplan/roceplan/internal/scenario"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/model/sim/workload"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// SimulateOptions choose what runs on a fabric.
type SimulateOptions struct {
	// Scenarios by name, of the fabric or of the library; empty: all. One that is asked for and
	// does not fit the fabric is in the result with its reason.
	Scenarios []string
	// Size that the fabric is cut to; zero: it is taken whole, however long that takes: see [PacketHops].
	Size fabric.Size
	// Seed of the random numbers of each scenario's first run; equal seeds give equal results. 0 is 1.
	Seed uint64
	// Seeds is the number of runs of each scenario; 0: as the scenario says.
	Seeds int
	// Time in which messages begin; 0: the scenario's.
	Time units.Time
	// Longest, if positive, is the time up to which a run is made again, twice as long each time,
	// while it has not settled and misses a goal: see [pattern.Job].
	Longest units.Time
	// Control of congestion in every scenario, such as "dcqcn"; empty: the scenario's or the class's.
	Control string
	// GPUs, if positive, lets scenarios that name no hosts run on the first so many GPUs of the fabric, as its servers have them or one
	// at each host, switch by switch.
	GPUs int
	// Workload runs instead of scenarios, on as many servers as it has GPUs; nil: none.
	Workload *workload.Workload
	// SkipSteady leaves out time in which all goes on as it is: see [pattern.Job].
	SkipSteady bool
	// Fluid makes messages flows instead of packets: outcomes have when they are done, and no goal is judged. See [pattern.Job].
	Fluid bool
	// Detailed adds the results of single flows.
	Detailed bool
	// Step is called when a run has ended, from several goroutines; it may be nil.
	Step func()
}

// A Simulation holds the results of scenarios on a fabric.
type Simulation struct {
	Hosts    int               // that were simulated
	Part     *Part             // of the fabric that was prepared; nil: all of what was asked for
	Notes    []string          // the cuts, and the files by which switches are simulated
	Jobs     []pattern.Job     // the runs, in the order of the scenarios and seeds
	Outcomes []pattern.Outcome // of the runs
}

// PacketHops is about how often runs will send a packet over a link, of which a core makes some millions a second. It
// counts what the hosts of each can send at line rate while its messages begin, and an acknowledgement of each packet:
// a scenario with a load sends less, one of large messages may send for longer.
func PacketHops(runs []pattern.Job) (sum int64) {
	for i := range runs {
		sum += runs[i].PacketHops()
	}
	return sum
}

// Simulate runs scenarios packet by packet on the fabric, whose switches have the buffers that
// their files say. The fabric must have no errors.
func Simulate(ctx context.Context, f *Fabric, o SimulateOptions) (*Simulation, error) {
	run, err := Prepare(f, o)
	if err != nil {
		return nil, err
	}
	return run, run.Run(ctx, o.Step)
}

// Run makes the runs that were prepared; step is called when one has ended, and may be nil.
func (s *Simulation) Run(ctx context.Context, step func()) (err error) {
	s.Outcomes, err = pattern.Run(ctx, s.Jobs, step)
	return err
}

// Prepare lists the runs of [Simulate] without making them, for callers who watch single ones or
// share them out among machines.
func Prepare(f *Fabric, o SimulateOptions) (*Simulation, error) {
	if _, found := f.Plan(); found.HasErrors() {
		return nil, fmt.Errorf("the fabric cannot be simulated: %w", ErrFindings)
	}
	all, told := f.Scenarios(), []string(nil)
	if o.Workload != nil {
		all, told = []pattern.Scenario{scenario.Workload(f.Policy, o.Workload)}, o.Workload.About()
	}
	chosen, err := scenario.Choice{Names: o.Scenarios, Time: o.Time, Control: o.Control}.Of(all)
	if err != nil {
		return nil, err
	}
	written, notes, err := AsWritten(f)
	if err != nil {
		return nil, err
	}
	if o.GPUs > 0 {
		if err := firstGPUs(written, f, o.GPUs, chosen); err != nil {
			return nil, err
		}
	}
	net, jobs, err := pattern.Jobs(written, f.Catalogue.Find, fabric.Options{Size: o.Size.OrWhole()}, chosen, o.Seeds)
	if err != nil {
		return nil, err
	}
	for i := range jobs {
		jobs[i].Seed += max(o.Seed, 1) - 1
		jobs[i].Detailed, jobs[i].Longest, jobs[i].SkipSteady, jobs[i].Fluid = o.Detailed, o.Longest, o.SkipSteady, o.Fluid
	}
	notes = append(append(notes, told...), pattern.Notes(net, jobs)...)
	return &Simulation{Hosts: len(net.Hosts), Notes: notes, Jobs: jobs}, nil
}

// A Part is the part of a fabric and its scenarios that [PrepareWithin] chose.
type Part struct {
	Size    fabric.Size // zero: all hosts are simulated
	Shorter bool        // scenarios run for [Shortest] at most
	Whole   *Simulation // the runs of the whole
	Hops    int64       // of the whole, at its full time: see [PacketHops]
}

// parts returns the sizes that a large fabric is cut to, the largest first. The smallest has sixteen hosts: most of
// the library's scenarios need so many.
func parts() []fabric.Size {
	return []fabric.Size{{Edges: 16, HostsPerEdge: 16}, {Edges: 8, HostsPerEdge: 16}, {Edges: 4, HostsPerEdge: 16}, {Edges: 4, HostsPerEdge: 8}, {Edges: 4, HostsPerEdge: 4}}
}

// Shortest is the time that longer scenarios of the smallest part are shortened to.
const Shortest = 500 * units.Microsecond

// PrepareWithin is [Prepare] of the whole fabric or, if that takes more than so many packet-hops, of the largest part
// that does not; if the smallest does too, for a shorter time. It ignores the size in o.
func PrepareWithin(f *Fabric, o SimulateOptions, most int64) (*Simulation, error) {
	o.Size = fabric.Size{}
	run, err := Prepare(f, o)
	if err != nil || PacketHops(run.Jobs) <= most {
		return run, err
	}
	part := &Part{Whole: run, Hops: PacketHops(run.Jobs)}
	for _, size := range parts() {
		if size.Edges*size.HostsPerEdge >= part.Whole.Hosts {
			continue
		}
		o.Size, part.Size = size, size
		if run, err = Prepare(f, o); err != nil || PacketHops(run.Jobs) <= most {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	if o.Time == 0 && PacketHops(run.Jobs) > most {
		for i := range run.Jobs {
			if s := run.Jobs[i].Scenario; s.Time > Shortest {
				s.Time, part.Shorter = Shortest, true
			}
		}
	}
	if part.Shorter || part.Size != (fabric.Size{}) {
		run.Part = part
	}
	return run, nil
}

// firstGPUs lets scenarios run on the first so many GPUs. The error says why there are not as many, or what else hinders it.
func firstGPUs(p *plan.Plan, f *Fabric, gpus int, chosen []pattern.Scenario) error {
	net, err := fabric.New(p, f.Catalogue.Find, fabric.Options{Size: fabric.Size{}.OrWhole()})
	if err != nil {
		return err
	}
	hosts, err := net.First(gpus)
	if err != nil {
		return err
	}
	for i := range chosen {
		if chosen[i].Hosts != nil {
			return fmt.Errorf("scenario %s names its hosts: it cannot run on the first %d GPUs", chosen[i].Name, gpus)
		}
		chosen[i].Hosts = hosts
	}
	return nil
}
