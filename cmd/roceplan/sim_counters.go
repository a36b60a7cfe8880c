package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/internal/counters"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// counterFlags ask for the devices' counters, and for faults.
type counterFlags struct {
	Counters string      `placeholder:"DIR" help:"Write each switch's COUNTERS_DB and each NIC's counters at every poll into this new folder; for one run."`
	Interval *units.Time `placeholder:"TIME" help:"Time between two polls of the counters (default: 60s, as SONiC polls watermarks; a shorter run is polled at its end)."`
	Fault    []string    `placeholder:"KIND" sep:"none" help:"Difference from the fabric: cable, response, kmin, no_pfc, no_cnp, swap or storm, as in cable@leaf-1:Ethernet0=80m; without a place the seed draws one. May be repeated."`
}

// mostReadings keeps a recording within memory.
const mostReadings = 300

func (c counterFlags) check() error {
	switch {
	case c.Interval == nil:
		return nil
	case c.Counters == "":
		return misusef("--interval goes with --counters")
	case *c.Interval < units.Microsecond || *c.Interval > 3600*units.Second:
		return misusef("--interval is %v, which is outside of 1us to 3600s", *c.Interval)
	}
	return nil
}

// spoil gives the networks of runs the faults that are asked for, and says which those are.
func (c counterFlags) spoil(run *roceplan.Simulation, seed uint64) error {
	if len(c.Fault) == 0 {
		return nil
	}
	made := map[*fabric.Network]*fabric.Network{}
	for i := range run.Jobs {
		net := run.Jobs[i].Network
		if made[net] == nil {
			var err error
			if made[net], err = c.faulty(net, seed); err != nil {
				return err
			}
			for _, f := range made[net].Faults {
				if note := faultNote(f); !slices.Contains(run.Notes, note) {
					run.Notes = append(run.Notes, note)
				}
			}
		}
		run.Jobs[i].Network = made[net]
	}
	return nil
}

func (c counterFlags) faulty(net *fabric.Network, seed uint64) (*fabric.Network, error) {
	var faults []fabric.Fault
	for i, text := range c.Fault {
		f, err := fabric.ParseFault(text)
		if err == nil {
			f, err = net.Draw(f, seed+uint64(i))
		}
		if err != nil {
			return nil, misusef("--fault %s: %v", text, err)
		}
		faults = append(faults, f)
	}
	spoilt, err := net.Faulty(faults...)
	if err != nil {
		return nil, misusef("--fault: %v", err)
	}
	return spoilt, nil
}

// faultNote returns a fault for people.
func faultNote(f fabric.Injected) string {
	s := fmt.Sprintf("fault: %s at %s", f.Kind, f.At)
	if f.With != "" {
		s += " with " + f.With
	}
	if f.Told != "" {
		s += fmt.Sprintf(": %s instead of %s", f.Real, f.Told)
	}
	return s
}

// record asks a run for its counters. write writes them.
func (c counterFlags) record(t *terminal, job *pattern.Job) (write func() error) {
	var files []counters.File
	o := counters.Options{}
	if c.Interval != nil {
		o.Interval = *c.Interval
	}
	readings := 0
	r := counters.NewRecorder(job.Network, o, func(r *counters.Reading) error {
		if readings++; readings > mostReadings {
			return fmt.Errorf("%d polls have come to %v of the run; ask for fewer with a longer --interval", mostReadings, r.At)
		}
		files = append(files, r.Files()...)
		return nil
	})
	job.Prepare = append(job.Prepare, r.Prepare)
	return func() error {
		files = append(append(files, counters.Cabling(job.Network)...), counters.Truth(job.Network))
		texts := make([]whole.Text, len(files))
		for i, f := range files {
			texts[i] = whole.Text{Path: filepath.FromSlash(f.Path), Text: f.Text}
		}
		return writeFolder(t, c.Counters, texts)
	}
}
