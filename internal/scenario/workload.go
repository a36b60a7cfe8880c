package scenario

import (
	"io/fs"
	"path"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/model/sim/workload"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Traces are workloads by the paths that blocks trace name.
type Traces map[string]*workload.Workload

// ReadTraces reads what the blocks trace of a fabric name, below its folder. A trace that cannot be
// read is missing among them, with a finding in its text or at the block.
func ReadTraces(f *policy.Fabric, folder fs.FS) (Traces, diag.List, diag.Sources) {
	all, found, sources := Traces{}, diag.List(nil), diag.Sources{}
	tried := map[string]bool{}
	for _, s := range f.Scenarios {
		for i := range s.Traffic {
			named := &s.Traffic[i].Path
			if !named.Set || tried[named.Value] {
				continue
			}
			tried[named.Value] = true
			w, own, texts := workload.At(folder, path.Clean(named.Value))
			if w != nil {
				all[named.Value] = w
			}
			beside := func(name string) string { return diag.Beside(named.Range, name) }
			for name, text := range texts {
				sources[beside(name)] = text
			}
			for _, d := range own {
				found = append(found, at(d, named.Range, beside))
			}
		}
	}
	return all, found, sources
}

// at says where the file of a finding is, and who named it.
func at(d diag.Diagnostic, named diag.Range, beside func(string) string) diag.Diagnostic {
	if d.Subject.Filename == "" {
		d.Subject = named
		return d
	}
	d.Subject.Filename = beside(d.Subject.Filename)
	d.Related = slices.Clone(d.Related)
	for i := range d.Related {
		if r := &d.Related[i].Range; r.Filename != "" {
			r.Filename = beside(r.Filename)
		}
	}
	d.Notef(named, "the trace is named here")
	return d
}

// Workload returns a scenario that runs a trace once, judged by the fabric's targets.
func Workload(f *policy.Fabric, w *workload.Workload) pattern.Scenario {
	s := Traces(nil).scenario(&policy.Scenario{Name: w.Name}, f)
	s.Doc, s.Asked, s.Seeds, s.Time = "the operations of a trace", true, 1, 2*units.Millisecond
	s.Traffic = []pattern.Traffic{{Kind: "trace", QueuePairs: 1, Copies: 1, Workload: w}}
	return s
}
