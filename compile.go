package roceplan

import (
	"context"
	"errors"
	"path"
	"slices"
	"sync"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/host"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

// ErrFindings is the error of work that was not done for what is among the findings.
var ErrFindings = errors.New("there are errors among the findings")

// HostsFolder is the folder of the files of NICs, next to the folders of switches.
const HostsFolder = "hosts"

// CompileOptions say what is rendered.
type CompileOptions struct {
	// Forms of output that are wanted; a target that has none of them gives its whole one.
	Forms []string
	// Unproved leaves out reading back and proving what was rendered.
	Unproved bool
	// enough ends planning when it takes findings for all that are wanted; nil: all are.
	enough func(diag.List) bool
	// Step is called when a shape is rendered, from several goroutines; it may be nil.
	Step func()
}

// A Compiled is a fabric's configuration.
type Compiled struct {
	Plan     *plan.Plan
	Shapes   []Shape     // in the order of Plan.Switches; empty where there are errors
	Hosts    []emit.File // of NICs, below [HostsFolder]
	Findings diag.List
	// Written and Proof are the findings in two parts: of the plan and of what is written, as [Check] has them,
	// and of reading back and proving.
	Written, Proof diag.List
}

// A Shape is the configuration of switches that differ only in their names.
type Shape struct {
	Switch *plan.Switch
	Files  []emit.File // the device's name is left open in them
	// Verdict on the files as they were read back; nil where they were not.
	Verdict *verify.Switch
}

// Verdict returns the worst on all shapes whose files were read back.
func (c *Compiled) Verdict() verify.Verdict {
	worst := verify.Proved
	for i := range c.Shapes {
		if v := c.Shapes[i].Verdict; v != nil {
			worst = max(worst, v.Verdict)
		}
	}
	return worst
}

// Configs returns the files of all switches, as [Verify] reads them, below a folder for each device.
func (c *Compiled) Configs() []verify.File {
	var files []verify.File
	for _, shape := range c.Shapes {
		for _, name := range shape.Switch.Names {
			for _, f := range shape.Files {
				if _, whole := target.Whole(f); whole {
					files = append(files, verify.Text(path.Join(name, f.Path), f.Body.AppendFor(nil, name)))
				}
			}
		}
	}
	return files
}

// Check returns all that [Compile] would find wrong, without proving anything.
func Check(ctx context.Context, f *Fabric) (diag.List, error) { return checkUntil(ctx, f, nil) }

// checkUntil is Check unless some findings are enough for who asks, which are then all that it returns.
func checkUntil(ctx context.Context, f *Fabric, enough func(diag.List) bool) (diag.List, error) {
	c, err := Compile(ctx, f, CompileOptions{Unproved: true, enough: enough})
	if err != nil {
		return nil, err
	}
	return c.Findings, nil
}

// Compile renders the configuration of every switch and NIC, reads it back and proves it. With
// an error among the findings there are no files.
func Compile(ctx context.Context, f *Fabric, o CompileOptions) (*Compiled, error) {
	p, found, err := f.planUntil(ctx, o.enough)
	if err != nil {
		return nil, err
	}
	c := &Compiled{Plan: p, Findings: found, Written: found}
	if p == nil || found.HasErrors() {
		return c, nil
	}
	r := NewRenderer(f, o)
	shapes := make([]Shape, len(p.Switches))
	err = parallel.Each(ctx, parallel.Few, len(shapes), func(i int) (err error) {
		sw := p.Switches[i]
		shapes[i].Switch = sw
		shapes[i].Files, err = r.Switch(sw)
		shapes[i].Verdict = r.Verdict(sw)
		return unlessFound(err)
	})
	hosts, failed := r.Hosts()
	c.Findings = slices.Concat(found, r.Findings()).Sorted()
	c.Written, c.Proof = slices.Concat(found, r.found).Sorted(), r.proof.Sorted()
	err = errors.Join(err, unlessFound(failed))
	if err == nil && !c.Findings.HasErrors() {
		c.Shapes, c.Hosts = shapes, hosts
	}
	return c, err
}

// unlessFound drops the error that says that all is among the findings.
func unlessFound(err error) error {
	if errors.Is(err, ErrFindings) {
		return nil
	}
	return err
}

// A Renderer prints the files of a fabric's shapes one by one, for callers to whom [Compile]
// would hold too many at once. It may be used by several goroutines.
type Renderer struct {
	plan     *plan.Plan
	options  CompileOptions
	verifier *verify.Verifier // nil: nothing is verified

	lock     sync.Mutex
	found    diag.List // of what is written
	proof    diag.List // of reading back and proving
	verdicts map[*plan.Switch]*verify.Switch
}

// NewRenderer makes a renderer of a fabric whose plan has no errors.
func NewRenderer(f *Fabric, o CompileOptions) *Renderer {
	p, _ := f.Plan()
	if o.Step == nil {
		o.Step = func() {}
	}
	r := &Renderer{plan: p, options: o, verdicts: map[*plan.Switch]*verify.Switch{}}
	if !o.Unproved {
		r.verifier = NewVerifier(f)
	}
	return r
}

// Switch prints a shape for each of its targets, and proves what it printed. The error
// ErrFindings says that there are no files.
func (r *Renderer) Switch(sw *plan.Switch) ([]emit.File, error) {
	defer r.options.Step()
	var files []emit.File
	var found diag.List
	for _, name := range sw.Targets {
		more, told := target.Render(sw, target.Forms(name, r.options.Forms))
		files, found = append(files, more...), append(found, told...)
	}
	var wrong diag.List
	if r.verifier != nil && !found.HasErrors() {
		var err error
		if files, wrong, err = r.proven(sw, files); err != nil {
			return nil, err
		}
	}
	r.add(found, wrong)
	if found.HasErrors() || wrong.HasErrors() {
		return nil, ErrFindings
	}
	return files, nil
}

// Hosts prints the scripts of every kind of NIC, below a folder for each. A switch whose folder
// would be [HostsFolder] is an error among the findings.
func (r *Renderer) Hosts() ([]emit.File, error) {
	var files []emit.File
	var found diag.List
	for _, sw := range r.plan.Switches {
		if len(r.plan.Hosts) > 0 && slices.Contains(sw.Names, HostsFolder) {
			found.Errorf(HostsTaken, sw.Range, "a switch is called %q, which is the folder of the hosts' files", HostsFolder).
				Fixf("give the switch another name")
		}
	}
	for _, h := range r.plan.Hosts {
		more, told := host.Emit(h)
		for _, f := range more {
			files = append(files, emit.File{Path: path.Join(h.Name, f.Path), Body: f.Body})
		}
		found = append(found, told...)
	}
	r.add(found, nil)
	if found.HasErrors() {
		return nil, ErrFindings
	}
	return files, nil
}

func (r *Renderer) add(found, proof diag.List) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.found, r.proof = append(r.found, found...), append(r.proof, proof...)
}

// Findings returns the findings of all files printed so far, sorted, each once: shapes that differ
// lose the same at one line.
func (r *Renderer) Findings() diag.List {
	r.lock.Lock()
	defer r.lock.Unlock()
	return slices.Concat(r.found, r.proof).Sorted()
}

// Verdict returns the verdict on the files of a shape as they were read back; nil where they were
// not.
func (r *Renderer) Verdict(sw *plan.Switch) *verify.Switch {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.verdicts[sw]
}
