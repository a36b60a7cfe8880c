package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/sonic"
	"github.com/roceplan/roceplan/verify"
)

// A rolling is a rollout that is turned into files: for each step and device what takes
// it from what it is told before the step to what it is told after it.
type rolling struct {
	catalogue *chips.Catalogue
	running   map[string]*plan.Switch // what each device is told so far
	patched   map[string]*patch.Device
	ends      [2]*plan.Plan
	files     []whole.Text // below the folder of the steps
	found     diag.List
}

// newRolling works all files out. With an error among the findings they are not complete.
func newRolling(catalogue *chips.Catalogue, before, after *plan.Plan, r *diff.Result) (*rolling, error) {
	o := &rolling{catalogue: catalogue, running: map[string]*plan.Switch{}, patched: map[string]*patch.Device{}, ends: [2]*plan.Plan{before, after}}
	for _, sw := range before.Switches {
		for _, name := range sw.Names {
			o.running[name] = sw
		}
	}
	for i, step := range r.Rollout.Steps {
		folder := fmt.Sprintf("%02d-%s", i+1, step.Action)
		for _, told := range step.Told {
			if told.Switch != nil {
				if err := o.prove(folder, told); err != nil {
					return nil, err
				}
			}
			for _, device := range told.Devices {
				if told.Switch != nil {
					o.device(filepath.Join(folder, device), device, o.running[device], told.Switch)
				}
				o.running[device] = told.Switch
			}
		}
	}
	o.files = append(o.files, whole.Text{Path: "steps.txt", Text: []byte(r.Text())})
	o.found = o.found.Sorted()
	return o, nil
}

// prove reads back what a switch will be told after a step, and proves it. What fails at
// an end of the change as well is not a fault of the way between.
func (o *rolling) prove(step string, told diff.Told) error {
	between, err := o.failing(told.Switch)
	if err != nil {
		return err
	}
	if len(between) == 0 {
		return nil
	}
	tolerated := map[diag.Code]bool{}
	for _, end := range o.ends {
		sw, _, _, err := explain.FindSwitch(end, told.Devices[0])
		if err != nil {
			continue // it is in one of the plans alone
		}
		fails, err := o.failing(sw)
		if err != nil {
			return err
		}
		for _, d := range fails {
			tolerated[d.Code] = true
		}
	}
	for _, d := range between {
		if !tolerated[d.Code] {
			o.found.Errorf(d.Code, told.Switch.Range, "after step %s, %s would be told what does not stand up: %s", step, diff.Fold(told.Devices), d.Message).
				Fixf("change the fabric in two parts, or drain the switch")
		}
	}
	return nil
}

// failing are the errors of what a switch is told, read back from its files. Priority groups
// that are made before any traffic class lies in them hold nothing yet, and are left out.
func (o *rolling) failing(sw *plan.Switch) (wrong diag.List, err error) {
	v := verify.New(verify.Options{Catalogue: o.catalogue})
	for _, name := range sw.Targets {
		files, found := target.Render(sw, target.Forms(name, []string{"overlay"}))
		if found.HasErrors() {
			continue // the step says so
		}
		for _, f := range files {
			if t, whole := target.Whole(f); t != name && (whole || name != "sonic") {
				continue
			}
			s, err := v.Rendered(sw, name, f, dropUnused)
			if err != nil {
				return nil, err
			}
			for _, d := range s.Findings {
				if d.Severity == diag.Error && d.Code != sonic.LosslessWithoutPFC {
					wrong = append(wrong, d)
				}
			}
		}
	}
	return wrong, nil
}

// dropUnused takes the priority groups away that no code point leads to.
func dropUnused(sw *plan.Switch) {
	var used [8]bool
	for _, tc := range sw.Maps.DSCPToTC {
		used[sw.Maps.TCToPG[tc&7]&7] = true
	}
	done := map[*plan.PortQoS]bool{}
	for i := range sw.Ports {
		if qos := sw.Ports[i].QoS; qos != nil && !done[qos] {
			done[qos] = true
			qos.PGs = slices.DeleteFunc(slices.Clone(qos.PGs), func(g plan.PG) bool { return !used[g.ID&7] })
		}
	}
}

// device writes the files of a device for a step.
func (o *rolling) device(folder, device string, from, to *plan.Switch) {
	for _, name := range to.Targets {
		if from == nil {
			o.whole(folder, device, name, to)
			continue
		}
		told, _ := target.Find(name)
		if told.Change == nil {
			o.patches(folder, device, from, to)
			continue
		}
		o.add(folder, device)(told.Change(from, to))
	}
}

// whole writes the whole configuration, of a switch that is new or cannot be patched.
func (o *rolling) whole(folder, device, name string, to *plan.Switch) {
	o.add(folder, device)(target.Render(to, target.Forms(name, nil)))
}

// patches writes the patches of a SONiC switch in their order.
func (o *rolling) patches(folder, device string, from, to *plan.Switch) {
	runs, found := o.patched[device], diag.List(nil)
	if runs == nil {
		runs, found = patch.NewDevice(from, device)
		o.patched[device] = runs
	}
	var p *patch.Patch
	if runs != nil {
		v := verify.New(verify.Options{Catalogue: o.catalogue})
		p, found = runs.Change(to, func(config []byte) (map[string]bool, error) { return v.Fails(to, "sonic", device, config) })
	}
	if p == nil {
		delete(o.patched, device)
		d := &found[0]
		o.found.Warnf(RolloutWhole, d.Subject, "no patch makes this change, so switches get their whole configuration at once: %s", d.Message).
			Fixf("drain them before the step, and load the file with config reload")
		o.whole(folder, device, "sonic", to)
		return
	}
	o.found = append(o.found, found...)
	for _, f := range p.Files() {
		o.files = append(o.files, whole.Text{Path: filepath.Join(folder, f.Path), Text: f.Text})
	}
}

// add takes the files of an emitter. Its warnings are those of compile; errors end it.
func (o *rolling) add(folder, device string) func([]emit.File, diag.List) {
	return func(files []emit.File, found diag.List) {
		for _, d := range found {
			if d.Severity == diag.Error {
				o.found = append(o.found, d)
			}
		}
		for _, f := range files {
			o.files = append(o.files, whole.Text{Path: filepath.Join(folder, f.Path), Text: f.Body.AppendFor(nil, device)})
		}
	}
}

// write fills a new folder: files of an older rollout between those of this one would be
// carried out with them.
func (o *rolling) write(t *terminal, folder string) error {
	return writeFolder(t, folder, o.files)
}
