package roceplan

import (
	"context"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/internal/scenario"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// SimulateOptions choose what runs on a fabric.
type SimulateOptions struct {
	// Scenarios by name, of the fabric or of the library; empty: all. One that is asked for and
	// does not fit the fabric is in the result with its reason.
	Scenarios []string
	// Size that the fabric is cut to; zero: 4 edge switches with 16 hosts each.
	Size fabric.Size
	// Seed of the random numbers; equal seeds give equal results. 0 is 1.
	Seed uint64
	// Seeds is how many runs each scenario has; 0: what the scenario says.
	Seeds int
	// Time in which messages begin; 0: the scenario's.
	Time units.Time
	// Control of congestion in every scenario, such as "dcqcn"; empty: the scenario's or the class's.
	Control string
	// Detailed adds the results of single flows.
	Detailed bool
	// Step is called when a run has ended, from several goroutines; nil: nobody asks.
	Step func()
}

// usualSize is what a fabric is cut to where nobody says: 60 scenarios take minutes on two cores.
var usualSize = fabric.Size{Edges: 4, HostsPerEdge: 16}

// A Simulation is what scenarios did on a fabric.
type Simulation struct {
	Hosts    int               // that were simulated
	Notes    []string          // what was cut, and by which files switches are simulated
	Outcomes []pattern.Outcome // in the order of the scenarios and seeds
}

// Simulate runs scenarios packet by packet on the fabric, whose switches have the buffers that
// their files say. The fabric must have no errors.
func Simulate(ctx context.Context, f *Fabric, o SimulateOptions) (*Simulation, error) {
	if _, found := f.Plan(); found.HasErrors() {
		return nil, fmt.Errorf("the fabric cannot be simulated: %w", ErrFindings)
	}
	chosen, err := o.chosen(f)
	if err != nil {
		return nil, err
	}
	written, notes, err := AsWritten(f)
	if err != nil {
		return nil, err
	}
	if o.Size == (fabric.Size{}) {
		o.Size = usualSize
	}
	net, jobs, err := pattern.Jobs(written, f.Catalogue.Find, fabric.Options{Size: o.Size}, chosen, o.Seeds)
	if err != nil {
		return nil, err
	}
	for i := range jobs {
		jobs[i].Seed += max(o.Seed, 1) - 1
		jobs[i].Detailed = o.Detailed
	}
	outcomes, err := pattern.Run(ctx, jobs, o.Step)
	if err != nil {
		return nil, err
	}
	return &Simulation{len(net.Hosts), append(notes, pattern.Notes(net, jobs)...), outcomes}, nil
}

// chosen finds the scenarios that are asked for, in the order of the list.
func (o *SimulateOptions) chosen(f *Fabric) ([]pattern.Scenario, error) {
	all := scenario.All(f.Policy)
	known := map[string]bool{}
	for i := range all {
		known[all[i].Name] = true
		all[i].Asked = all[i].Asked || slices.Contains(o.Scenarios, all[i].Name)
		if o.Time != 0 {
			all[i].Time = o.Time
		}
		if o.Control != "" {
			all[i].CongestionControl = o.Control
		}
	}
	for _, name := range o.Scenarios {
		if !known[name] {
			return nil, fmt.Errorf("there is no scenario %q", name)
		}
	}
	if len(o.Scenarios) == 0 {
		return all, nil
	}
	return slices.DeleteFunc(all, func(s pattern.Scenario) bool { return !slices.Contains(o.Scenarios, s.Name) }), nil
}
