package main

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/host"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/sonic"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
	"github.com/roceplan/roceplan/way"
)

// A rolling is a rollout that is turned into files: for each step and device the change from its
// settings before the step to those after it.
type rolling struct {
	catalogue *chips.Catalogue
	keep      units.Ratio
	running   map[string]*plan.Switch // the settings of each device so far
	patched   map[string]*patch.Device
	fleet     *patch.Fleet
	strange   map[string]string // settings of devices that roceplan does not write
	ends      [2]*plan.Plan
	files     []whole.Text // below the folder of the steps
	step      int          // its number
	found     diag.List
	judged    map[judged]map[string]bool
	drains    map[string]string            // why devices are drained in the step
	drained   map[string]bool              // in any step
	wholes    map[string]string            // why devices take their whole configuration, in any step
	bySteps   map[string]map[string]string // drains of each step
	waves     strings.Builder              // the devices drained, by wave
	builder   *way.Builder
	way       *way.Result // of all states that the order allows
}

// judged is a configuration of a switch on its way to the new one.
type judged struct {
	to     *plan.Switch
	config [sha256.Size]byte
}

// newRolling works all files out. With an error among the findings they are not complete.
func newRolling(catalogue *chips.Catalogue, d difference, keep units.Ratio) (*rolling, error) {
	o := &rolling{catalogue: catalogue, keep: keep, running: map[string]*plan.Switch{}, patched: map[string]*patch.Device{}, fleet: patch.NewFleet(), judged: map[judged]map[string]bool{}, drained: map[string]bool{}, wholes: map[string]string{}, bySteps: map[string]map[string]string{}, ends: [2]*plan.Plan{d.before, d.after}}
	o.builder = way.New(catalogue, d.before, d.after, &d.result.Rollout)
	for _, sw := range d.before.Switches {
		for _, name := range sw.Names {
			o.running[name] = sw
		}
	}
	maps.Copy(o.patched, d.patched)
	if d.start != nil {
		o.strange = notWritten(d.start)
		for name := range o.running {
			if runs := d.start.Patched(name); runs != nil {
				o.patched[name] = runs
			}
		}
	}
	for i, step := range d.result.Rollout.Steps {
		folder := fmt.Sprintf("%02d-%s", i+1, step.Action)
		o.drains = map[string]string{}
		for _, told := range step.Told {
			if told.Switch != nil {
				if err := o.prove(folder, told); err != nil {
					return nil, err
				}
			}
			for _, device := range told.Devices {
				if told.Switch != nil {
					o.step = i + 1
					o.device(filepath.Join(folder, device), device, o.running[device], told.Switch)
				}
				o.running[device] = told.Switch
			}
		}
		for _, nic := range step.NICs {
			o.nic(folder, nic)
		}
		if step.Action == diff.Upgrade {
			o.upgrade(d.after, &step)
			o.list(folder, step.Devices, []string{"the installation of a release restarts the switch"})
		}
		o.divide(folder)
	}
	var err error
	if o.way, err = o.builder.Prove(); err != nil {
		return nil, err
	}
	o.found = append(o.found, o.way.Found...)
	o.files = append(o.files, whole.Text{Path: "steps.txt", Text: []byte(d.result.Text() + o.way.Way.Text() + o.waves.String())})
	o.found = o.found.Sorted()
	return o, nil
}

// prove reads back the settings of a switch after a step, and proves them. A failure at an end of
// the change as well is not a fault of the way between.
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
			o.found.Errorf(d.Code, told.Switch.Range, "after step %s, the configuration of %s would not hold: %s", step, diff.Fold(told.Devices), d.Message).
				Fixf("change the fabric in two parts, or drain the switch")
		}
	}
	return nil
}

// failing returns the errors of a switch's settings, read back from its files. Priority groups that no
// traffic class is mapped to yet hold nothing, and are left out.
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
			qos.PGs = stable.Delete(slices.Clone(qos.PGs), func(g plan.PG) bool { return !used[g.ID&7] })
		}
	}
}

// upgrade says what a release changes for later steps.
func (o *rolling) upgrade(after *plan.Plan, step *diff.Step) {
	release := step.Changes[0]
	for _, sw := range after.Switches {
		if !slices.Contains(step.Devices, sw.Names[0]) {
			continue
		}
		more, less := patch.Upgrade(release.Old, release.New, sw.HwSKU, sw.Chip)
		says := ""
		if more != nil {
			says += "; config apply-patch takes " + strings.Join(more, ", ") + " then, which it refuses before"
		}
		if less != nil {
			says += "; config apply-patch refuses " + strings.Join(less, ", ") + " then, which it takes before"
		}
		if says == "" {
			says = "; config apply-patch takes the same changes"
		}
		o.found.Warnf(RolloutRelease, sw.Range, "the release of %s changes from %s to %s%s", diff.Fold(sw.Names), release.Old, release.New, says).
			Fixf("install %s before the other steps, which are written for it; commands make what its config apply-patch refuses", release.New)
	}
}

// divide puts the files of devices that the step drains into a folder for each wave.
func (o *rolling) divide(folder string) {
	if len(o.drains) == 0 {
		return
	}
	o.bySteps[folder] = o.drains
	for device, why := range o.drains {
		o.drained[device] = true
		o.builder.Drain(o.step, device, why)
	}
	o.list(folder, slices.Collect(maps.Keys(o.drains)), slices.Compact(slices.Sorted(maps.Values(o.drains))))
}

// list adds the waves of a step to those that steps.txt has, and puts the files of its devices into a folder for each.
func (o *rolling) list(folder string, devices, because []string) {
	if o.waves.Len() == 0 {
		o.waves.WriteString("\nDrained, one wave after another; all other devices stay in service:\n")
	}
	fmt.Fprintf(&o.waves, "\n%s\n", folder)
	for i, wave := range diff.Waves(o.ends[0], devices, o.keep) {
		name := fmt.Sprintf("wave-%02d", i+1)
		if i == 0 && len(wave.Devices) < len(devices) {
			name += "-canary"
		}
		fmt.Fprintf(&o.waves, "   %s: %s\n", name, diff.Fold(wave.Devices))
		if wave.Cut != nil {
			fmt.Fprintf(&o.waves, "      %s: no way over other devices meanwhile\n", diff.Fold(wave.Cut))
		}
		for _, device := range wave.Devices {
			o.move(filepath.Join(folder, device), filepath.Join(folder, name, device))
		}
	}
	for _, why := range because {
		fmt.Fprintf(&o.waves, "   because %s\n", why)
	}
}

// move puts the files of a folder into another.
func (o *rolling) move(from, to string) {
	for i := range o.files {
		if below, ok := strings.CutPrefix(o.files[i].Path, from+string(filepath.Separator)); ok {
			o.files[i].Path = filepath.Join(to, below)
		}
	}
}

// device writes the files of a device for a step, and those that undo them.
func (o *rolling) device(folder, device string, from, to *plan.Switch) {
	if from != nil {
		if other := exchanged(from, to); other != "" {
			o.drain(folder, device, to, to.Range, other)
			return
		}
	}
	for _, name := range to.Targets {
		if from == nil {
			o.whole(folder, device, name, to)
			continue
		}
		if why := o.strange[device]; why != "" && name != "sonic" { // patches begin at what runs
			delete(o.strange, device)
			o.drain(folder, device, to, to.Range, why)
			return
		}
		told, _ := target.Find(name)
		if told.Change == nil {
			o.patches(folder, device, from, to)
			continue
		}
		o.add(folder, device)(told.Change(from, to))
		o.add(filepath.Join(folder, "undo"), device)(told.Change(to, from))
	}
}

// exchanged says what makes a switch another one, "" where it stays.
func exchanged(from, to *plan.Switch) string {
	for _, is := range [][3]string{{"system", from.OS, to.OS}, {"chip", from.Chip, to.Chip}, {"platform", from.Platform, to.Platform}, {"HwSKU", from.HwSKU, to.HwSKU}} {
		if is[1] != is[2] {
			return fmt.Sprintf("the %s changes from %q to %q, so this is another switch", is[0], is[1], is[2])
		}
	}
	return ""
}

// drain writes the whole configuration of a switch that is out of service meanwhile.
func (o *rolling) drain(folder, device string, to *plan.Switch, at diag.Range, why string) {
	o.drains[device], o.wholes[device] = why, why
	o.found.Warnf(RolloutWhole, at, "no patch makes this change, so switches get their whole configuration at once: %s", why).
		Fixf("drain them before the step, wave by wave as steps.txt says, and load the whole file (SONiC: config reload)")
	for _, name := range to.Targets {
		o.whole(folder, device, name, to)
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
		runs, found = o.fleet.NewDevice(from, device)
		o.patched[device] = runs
	}
	var p *patch.Patch
	if runs != nil {
		v := verify.New(verify.Options{Catalogue: o.catalogue})
		p, found = o.fleet.Change(runs, to, func(config []byte) (map[string]bool, error) {
			// The configuration of a switch does not hold its name, so those of one shape are judged once.
			key := judged{to, sha256.Sum256(config)}
			if faults, ok := o.judged[key]; ok {
				return faults, nil
			}
			faults, err := v.Fails(to, "sonic", device, config)
			o.judged[key] = faults
			return faults, err
		})
	}
	if p == nil {
		delete(o.patched, device)
		o.drain(folder, device, to, found[0].Subject, found[0].Message)
		return
	}
	o.found = append(o.found, found...)
	o.builder.Passes(o.step, device, p)
	for _, d := range found {
		if d.Code == patch.Interrupted {
			o.drains[device] = d.Message
		}
	}
	for _, f := range p.Files() {
		o.files = append(o.files, whole.Text{Path: filepath.Join(folder, f.Path), Text: f.Text})
	}
}

// nic writes the scripts of NICs for a step, and those that undo it.
func (o *rolling) nic(folder string, nic diff.NIC) {
	if nic.Is == nil {
		return
	}
	folder = filepath.Join(folder, nic.Is.Name)
	o.add(folder, "")(host.Emit(nic.Is))
	if nic.Was != nil {
		o.add(filepath.Join(folder, "undo"), "")(host.Emit(nic.Was))
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
