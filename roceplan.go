// Package roceplan compiles the description of a RoCEv2 fabric into the configuration of its
// switches and NICs, explains every number in it, and says of configuration files, no matter
// who wrote them, whether they are lossless. It does what the command of the same name does: values in,
// values and findings out.
//
//	in, err := roceplan.In(os.DirFS("."), "fabric.hcl")
//	fabric := roceplan.Load(in)
//	compiled, err := roceplan.Compile(ctx, fabric, roceplan.CompileOptions{})
//	report, err := roceplan.Verify(ctx, compiled.Configs(), roceplan.VerifyOptions{Fabric: fabric})
//
// A fault of an input is a finding with its place ([diag.List]), and all findings are returned at
// once. An error is returned where the work could not be done: a file cannot be read, the context
// ended, there is no chip of that name. Nothing is written, nothing is printed, and files are only
// read through the [fs.FS] that the caller hands in.
//
// The functions may be called by several goroutines, also with one [Fabric].
//
// Fields of the result types are kept: they may be joined by others, and what they mean does not
// change within a major version. The packages that results come from, such as plan and verify,
// follow the same rule for exported fields that --json shows.
package roceplan

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/internal/scenario"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// A Source is the text of a file under the name that findings show.
type Source = policy.Source

// An Input is the text of a fabric, and what belongs to it.
type Input struct {
	Files    []Source          // together one fabric; their order means nothing
	Vars     map[string]string // values of variables; they go before VarFiles
	VarFiles []Source          // files of NAME = VALUE lines; a later one goes before an earlier one
	Chips    []Source          // chips and platforms that go before those of the catalogue
	// Catalogue is one that was read already, with Chips in it; nil: it is read. A caller that
	// loads again and again saves the reading of the same chips.
	Catalogue *chips.Catalogue
	// Folder is the folder from which file() in the fabric reads; nil: it is refused.
	Folder fs.FS
	// Traces says that what blocks trace name is read from Folder, which may take seconds; without it
	// their scenarios do not run.
	Traces bool
	// Memory is for a caller who loads again and again what differs little; nil: nothing is
	// remembered.
	Memory *Memory
}

// A Memory lets a fabric that was changed be read and planned again without the work for what
// did not change. The catalogue must be handed in, too, or nothing is found again. Of the fabrics
// that were loaded with a Memory only the last may be used, by one goroutine at a time. The zero
// Memory is ready to use.
type Memory struct {
	Files  policy.Parser
	Shapes calc.Memo

	trials *Memory // of texts that are tried as repairs of the one that was loaded
}

// brief returns the memory of texts that are tried.
func (m *Memory) brief() *Memory {
	if m == nil {
		m = &Memory{}
	}
	if m.trials == nil {
		m.trials = &Memory{Shapes: calc.Memo{Brief: true}}
	}
	return m.trials
}

// In gathers fabric files from a file system; the name of a folder means all *.hcl files in it.
// The folder of the first name is the Folder of the input. Only regular files are read, of 64 MiB
// together at most.
func In(fsys fs.FS, names ...string) (Input, error) {
	in := Input{Traces: true}
	var several regular.Several
	for i, name := range names {
		info, err := fs.Stat(fsys, name)
		if err != nil {
			return Input{}, err
		}
		folder, files := path.Dir(name), []string{name}
		if info.IsDir() {
			folder = name
			if files, err = fs.Glob(fsys, path.Join(name, "*.hcl")); err == nil && len(files) == 0 {
				err = fmt.Errorf("the folder %s holds no *.hcl file", name)
			}
			if err != nil {
				return Input{}, err
			}
		}
		for _, file := range files {
			text, err := several.ReadFS(fsys, file)
			if err != nil {
				return Input{}, err
			}
			in.Files = append(in.Files, Source{Name: file, Text: text})
		}
		if i == 0 {
			if in.Folder, err = fs.Sub(fsys, folder); err != nil {
				return Input{}, err
			}
		}
	}
	return in, nil
}

// A Fabric is a fabric that was read. Whether it can be compiled, its findings say.
type Fabric struct {
	Policy    *policy.Fabric // the fabric of the files; nil where they have no fabric block
	Catalogue *chips.Catalogue
	Sources   diag.Sources // the texts that findings point into

	found  diag.List // of reading
	traces scenario.Traces
	shapes *calc.Memo // nil: nothing is remembered

	planning sync.Mutex
	plan     *plan.Plan // nil until it was asked for
	planned  diag.List  // found, and what planning adds
}

// Load reads a fabric. Its faults are among the findings of [Fabric.Plan].
func Load(in Input) *Fabric {
	f := &Fabric{Sources: diag.Sources{}}
	var parser *policy.Parser
	if in.Memory != nil {
		parser, f.shapes = &in.Memory.Files, &in.Memory.Shapes
	}
	var found, more diag.List
	if f.Catalogue = in.Catalogue; f.Catalogue == nil {
		f.Catalogue, found = chips.Load(asChips(in.Chips)...)
	}
	f.Policy, more = policy.Load(policy.Options{Files: in.Files, Root: in.Folder, Vars: in.Vars, VarFiles: in.VarFiles, Catalogue: f.Catalogue, Parser: parser})
	f.found = append(found, more...)
	for _, src := range slices.Concat(in.Files, in.VarFiles, in.Chips) {
		f.Sources[src.Name] = src.Text
	}
	if f.Policy != nil {
		for _, src := range f.Policy.Texts {
			f.Sources[src.Name] = src.Text
		}
		if in.Traces && in.Folder != nil {
			f.readTraces(in.Folder)
		}
	}
	return f
}

func (f *Fabric) readTraces(folder fs.FS) {
	traces, found, texts := scenario.ReadTraces(f.Policy, folder)
	f.traces, f.found = traces, append(f.found, found...)
	maps.Copy(f.Sources, texts)
}

// Scenarios returns the scenarios of the fabric, then those of the library with other names.
func (f *Fabric) Scenarios() []pattern.Scenario { return f.traces.All(f.Policy) }

// Library returns the scenarios that every fabric has.
func Library() []pattern.Scenario { return scenario.Traces{}.All(&policy.Fabric{}) }

func asChips(texts []Source) (out []chips.Source) {
	for _, text := range texts {
		out = append(out, chips.Source(text))
	}
	return out
}

// Findings returns the findings of reading, sorted; planning may add to them.
func (f *Fabric) Findings() diag.List { return f.found.Sorted() }

// Plan returns the settings of each switch and NIC, with all findings, sorted. With an error among
// them the plan is not complete. It is computed once and must not be changed.
func (f *Fabric) Plan() (*plan.Plan, diag.List) {
	p, found, _ := f.PlanContext(context.Background()) // that context does not end
	return p, found
}

// PlanContext is Plan as long as the context lasts; the error is that of the context.
func (f *Fabric) PlanContext(ctx context.Context) (*plan.Plan, diag.List, error) {
	return f.planUntil(ctx, nil)
}

// planUntil is PlanContext unless the findings of reading or of some shape are enough for who asks. There is no plan
// then, and these are the findings. A nil function says that all are wanted.
func (f *Fabric) planUntil(ctx context.Context, enough func(diag.List) bool) (*plan.Plan, diag.List, error) {
	f.planning.Lock()
	defer f.planning.Unlock()
	if f.plan == nil {
		p, found := &plan.Plan{}, f.found
		if !f.found.HasErrors() {
			if enough != nil && enough(f.found) {
				return nil, f.Findings(), nil
			}
			computed, more, err := f.shapes.ComputeUntil(ctx, f.Policy, enough)
			if computed == nil {
				return nil, more.Sorted(), err
			}
			p, found = computed, slices.Concat(found, more)
		}
		f.plan, f.planned = p, found.Sorted()
	}
	return f.plan, slices.Clone(f.planned), nil
}

// Explain answers a question about the fabric's numbers: SWITCH, SWITCH.PORT, SWITCH.QUANTITY or
// SWITCH.PORT.QUANTITY, such as "tor-01.Ethernet32.headroom". A fabric that breaks an inequality
// is explained too. [explain.New] writes the answer out.
func Explain(f *Fabric, what string) (*explain.Asked, error) {
	p, _ := f.Plan()
	return explain.Find(p, what)
}

// Diff compares the switches' settings of two fabrics, and says in which order devices can be
// changed so that lossless traffic stays lossless on the way. Fabrics with errors have nothing to
// compare: that is an error.
func Diff(before, after *Fabric) (*diff.Result, error) {
	var plans [2]*plan.Plan
	for i, f := range []*Fabric{before, after} {
		p, found := f.Plan()
		if found.HasErrors() {
			return nil, fmt.Errorf("the %s fabric has errors, so there is no plan to compare", []string{"first", "second"}[i])
		}
		plans[i] = p
	}
	return diff.Compare(plans[0], plans[1]), nil
}
