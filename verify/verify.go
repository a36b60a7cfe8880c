package verify

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Options are facts that files cannot hold.
type Options struct {
	// Catalogue of chips; nil: the one that comes with the program.
	Catalogue *chips.Catalogue
	// Chip of all switches; nil: what the fabric says, and without one nothing is proved.
	Chip *chips.Chip
	// Fabric that the files are for; nil: there is none.
	Fabric *Fabric
	// Cables go before what files say.
	Cables Cables
	// HeadroomLimits are reported by devices for their ports; nil: unknown.
	HeadroomLimits HeadroomLimits
	// Peers is what the caller declares of all peers.
	Peers Peers
	// Step is called when a device has been judged, from several goroutines; it may be nil.
	Step func()
	// Context ends the work with its error; nil: nothing does.
	Context context.Context
	// Surveyed is called while the topology is searched for deadlocks; it may be nil.
	Surveyed func(done, all int)
}

// A Fabric is what is intended.
type Fabric struct {
	Plan *plan.Plan
	// Targets say what the plan compiles to, which files are then compared with.
	Targets []emit.Target
	// Patterns of traffic under which marking has to begin before pauses.
	Patterns []proof.Pattern
}

// Peers is what is declared of the devices at the other ends of cables.
type Peers struct {
	// Response is how long they may go on beginning frames after a pause has arrived; nil:
	// what IEEE 802.3 allows.
	Response *units.Time
	// LosslessFrame is the largest frame of lossless classes; 0: the MTU of the port.
	LosslessFrame units.Bytes
	// Of is what is declared of single ports, before what is declared of all.
	Of map[plan.LinkEnd]*plan.Assumed
}

// A Report is what was found of all files.
type Report struct {
	Switches []*Switch // one for devices that are alike, in natural order
	Findings diag.List // sorted
	Links    int       // that were compared at both ends
	Deadlock *Deadlock // nil without cabling
	// Sources are the texts that findings point into.
	Sources diag.Sources

	planned []string // devices of the fabric
}

// Judge reads files and judges the switches that they are for. The error is of files that
// cannot be read.
func Judge(files []File, o Options) (*Report, error) { return New(o).Judge(files) }

// A Verifier judges files with the same options. It may be used by several goroutines.
type Verifier struct {
	Options
	planned map[string]*plan.Switch // by device
	ports   map[*plan.Switch]map[string]bool
	context proof.Context

	lock     sync.Mutex
	expected map[expectedKey]*plan.Switch
}

// New makes a verifier.
func New(o Options) *Verifier {
	if o.Catalogue == nil {
		o.Catalogue, _ = chips.Load() // the built-in one has no faults: its tests say so
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Step == nil {
		o.Step = func() {}
	}
	v := &Verifier{Options: o, planned: map[string]*plan.Switch{}, ports: map[*plan.Switch]map[string]bool{}, expected: map[expectedKey]*plan.Switch{}}
	if o.Fabric != nil {
		v.context.Patterns = o.Fabric.Patterns
		for _, sw := range o.Fabric.Plan.Switches {
			v.ports[sw] = make(map[string]bool, len(sw.Ports))
			for i := range sw.Ports {
				v.ports[sw][sw.Ports[i].Name] = true
			}
			for _, name := range sw.Names {
				v.planned[name] = sw
			}
		}
	}
	return v
}

// Judge is [Judge] with the verifier's options.
func (v *Verifier) Judge(files []File) (*Report, error) {
	shapes, seen, err := readShapes(v.Context, files, v.usualCell())
	if err != nil {
		return nil, err
	}
	shapes = withoutDumps(shapes)
	r := &Report{Sources: diag.Sources{}, planned: slices.Collect(maps.Keys(v.planned))}
	for _, shape := range shapes {
		r.Sources[shape.First()] = shape.Text
	}
	if r.Switches, err = v.Shapes(shapes); err != nil {
		return nil, err
	}
	for _, s := range r.Switches {
		r.Findings = append(r.Findings, s.Findings...)
	}
	r.Findings = append(r.Findings, v.misplaced(seen)...)
	if v.Fabric != nil {
		if err := v.between(r); err != nil {
			return nil, err
		}
	}
	r.Findings = r.Findings.Sorted()
	return r, nil
}

// usualCell returns the cell of most files, whose switches are not known yet.
func (v *Verifier) usualCell() units.Bytes {
	switch {
	case v.Chip != nil:
		return v.Chip.CellSize.Or(0)
	case v.Fabric != nil && len(v.Fabric.Plan.Switches) > 0:
		return v.Fabric.Plan.Switches[0].Cell
	}
	return 0
}

// cellOf gives amounts in cells a meaning: that of the chip that the fabric has for a switch, that
// the caller names, or that has the name in the file. 0: none is known.
func (v *Verifier) cellOf(planned, told *plan.Switch) units.Bytes {
	switch {
	case planned != nil:
		return planned.Cell
	case v.Chip != nil:
		return v.Chip.CellSize.Or(0)
	}
	if chip, ok := v.Catalogue.ChipOf(told.Platform, told.HwSKU); ok {
		return chip.CellSize.Or(0)
	}
	return 0
}

// Shapes judges files that are read, each shape by itself, several at a time.
func (v *Verifier) Shapes(shapes []*Shape) ([]*Switch, error) {
	var all []*Switch
	for _, shape := range shapes {
		all = append(all, v.divide(shape)...)
	}
	spare(all)
	err := parallel.Each(v.Context, parallel.Few, len(all), func(i int) error {
		err := v.one(all[i])
		for range all[i].Names {
			v.Step()
		}
		return err
	})
	return all, err
}

// divide splits a shape of files by the shapes of the fabric.
func (v *Verifier) divide(shape *Shape) []*Switch {
	type sort struct {
		planned *plan.Switch
		dump    *Shape
	}
	of := map[sort]*Switch{}
	var all []*Switch
	for i, name := range shape.Devices {
		planned := v.planned[name]
		key := sort{planned, shape.seen[i].running()}
		s := of[key]
		if s == nil {
			told := shape.In(v.cellOf(planned, shape.Switch))
			if key.dump != nil {
				told = told.running(key.dump)
			}
			s = newSwitch(told, cloneSwitch(told.Switch))
			of[key] = s
			all = append(all, s)
		}
		s.Names = append(s.Names, name)
		s.Files = append(s.Files, shape.Files[i])
		s.seen = append(s.seen, shape.seen[i])
	}
	for _, s := range all {
		s.Plan.Names = s.Names
	}
	return all
}

// spare marks the switches whose format holds too little for a verdict and that have another
// file.
func spare(all []*Switch) {
	told := map[string]bool{}
	for _, s := range all {
		for _, name := range s.Names {
			told[name] = told[name] || s.Format != "" && s.shape.Format.Silent == ""
		}
	}
	for _, s := range all {
		s.spared = s.shape.Format.Silent != "" && !slices.ContainsFunc(s.Names, func(name string) bool { return !told[name] })
	}
}

// one completes, lints and proves. Findings of the reader come first: a rule that repeats one is
// left out.
func (v *Verifier) one(s *Switch) error {
	planned := v.planned[s.Names[0]]
	if !s.Findings.HasErrors() || len(s.Plan.Ports) > 0 {
		v.complete(s, planned)
		more := stable.Delete(lint.Switch(s.Plan, s.chip), v.otherCNPs)
		if planned != nil {
			more = append(more, v.agree(s, planned)...)
			more = append(more, lint.Hosts(s.Plan, v.Fabric.Plan.Hosts)...)
		} else {
			more = append(more, uncut(s)...)
		}
		for _, d := range more {
			if d.Code == lint.HeadroomMissing && s.shape.Format.Computed != "" {
				continue // none is given in bytes: see HeadroomPartition
			}
			if !said(s.shape.Found, "sonic-"+d.Code) {
				s.Findings = append(s.Findings, d)
			}
		}
	}
	if err := v.prove(s, planned); err != nil {
		return err
	}
	v.addUpHeadroom(s)
	s.place()
	return nil
}

// otherCNPs reports whether a finding rests on the usual code point of CNPs, and the NICs of
// the fabric have another.
func (v *Verifier) otherCNPs(d diag.Diagnostic) bool {
	switch d.Code {
	case lint.CNPInLossless, lint.CNPPriority, lint.CNPQueueNotStrict:
		return v.Fabric != nil && len(v.Fabric.Plan.Hosts) > 0 &&
			!slices.ContainsFunc(v.Fabric.Plan.Hosts, func(h *plan.Host) bool { return h.CNPDSCP == lint.CNPDSCP })
	}
	return false
}

func said(found diag.List, code diag.Code) bool {
	return slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == code })
}
