package verify

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Between returns what is wrong between the switches of the fabric: those that have no file,
// files that have no switch or cannot say what it is to do, links with different ends.
func (v *Verifier) Between(all []*Switch) diag.List {
	_, found := v.links(all)
	return append(append(v.missing(all), v.lost(all)...), found...)
}

// between judges the links between the switches of a fabric.
func (v *Verifier) between(r *Report) (err error) {
	r.Links = len(v.Fabric.Plan.Links)
	var found diag.List
	r.Findings = append(append(r.Findings, v.missing(r.Switches)...), v.lost(r.Switches)...)
	r.Switches, found = v.links(r.Switches)
	says, order, files := endings(r.Switches)
	speakers := speakersOf(v.Fabric.Plan, says)
	ends, err := v.linkEnds(r.Switches, says, order, speakers, files)
	if err != nil {
		return err
	}
	r.Findings = append(append(r.Findings, found...), ends...)
	if r.Deadlock, found, err = checkDeadlock(v.Fabric.Plan, v.Surveyed); err != nil {
		return err
	}
	led, err := v.routes(r.Deadlock, r.Switches, says, order, speakers)
	r.Findings = slices.Concat(r.Findings, found, led)
	return err
}

// routes judges which ways packets take between the switches, and takes back what files contradict of d.
func (v *Verifier) routes(d *Deadlock, all []*Switch, says map[plan.LinkEnd]*ending, order []plan.LinkEnd, speakers []speaker) (diag.List, error) {
	if d == nil {
		return nil, nil
	}
	joined := joints(v.Fabric.Plan)
	return v.inParallel(
		func() diag.List {
			found, passed := v.reachHosts(all, says, order, speakers, joined)
			return append(found, d.askFiles(joined, all, passed)...)
		},
		func() diag.List { return v.unspoken(speakers) },
		func() diag.List { return v.idle(all, joined) },
		func() diag.List { return v.vlans(all, joined) },
		func() diag.List { return cutOff(v.Fabric.Plan, all, joined, speakers) },
		func() diag.List { return unspread(v.Fabric.Plan, all, says, speakers, joined) },
		func() diag.List { return v.together(all, speakers, joined) },
	)
}

// inParallel returns what judges find, in their order. They must not change what another one reads.
func (v *Verifier) inParallel(judges ...func() diag.List) (diag.List, error) {
	found := make([]diag.List, len(judges))
	err := parallel.Each(v.Context, parallel.Few, len(judges), func(i int) error {
		found[i] = judges[i]()
		return nil
	})
	return slices.Concat(found...), err
}

// agree compares with what the fabric compiles to.
func (v *Verifier) agree(s *Switch, planned *plan.Switch) diag.List {
	want, err := v.compiled(planned, s.shape.Switch, s.Format, path.Base(filepath.ToSlash(s.shape.First())))
	silent := s.shape.Format.Silent != ""
	if len(s.shape.Switch.Ports) == 0 && want != nil && (!silent || s.shape.Found.HasErrors()) {
		return nil // nothing could be read, which is reported already; the fabric's plan does not replace it
	}
	if want == nil {
		return diag.List{{Code: TargetOther, Message: fmt.Sprintf("in the fabric, %s is not configured by %s: %v", s.Names[0], s.shape.Format.Title, err),
			Fix: "give a file of a target that the fabric names, or add the target to its switch block"}}
	}
	agree := lint.Agree
	if silent {
		agree = lint.AgreeExactly
	}
	return agree(atSpeed(s.shape.Switch, want, planned), atSpeed(want, want, planned))
}

// lost reports what the fabric says and no file of a target can, once for all files of a shape:
// queues by port, tunnels, and packets that are cut. Such files do not differ from what the fabric
// compiles to, but from the fabric.
func (v *Verifier) lost(all []*Switch) (lost diag.List) {
	seen := map[expectedKey]bool{}
	for _, s := range all {
		planned := v.planned[s.Names[0]]
		key := expectedKey{sw: planned, target: s.Format}
		i := slices.IndexFunc(v.Fabric.Targets, func(t emit.Target) bool { return t.Name == s.Format })
		if planned == nil || i < 0 || seen[key] {
			continue
		}
		seen[key] = true
		target := v.Fabric.Targets[i]
		if can := target.Of(emit.Remapping); can.Support == emit.No {
			emit.RemappingLost(&lost, can.Codes[0], planned, can.Evidence)
		}
		if can := target.Of(emit.Rewriting); can.Support == emit.No {
			emit.RewritingLost(&lost, can.Codes[0], planned, can.Evidence)
		}
		lost = append(lost, trimmingLost(target, planned)...)
	}
	return lost
}

// trimmingLost returns compile's findings about packets that a target cannot cut, or not on this chip or to
// this size.
func trimmingLost(target emit.Target, planned *plan.Switch) diag.List {
	if planned.Trim == nil {
		return nil
	}
	_, found := target.Forms[0].Emit(planned)
	codes := target.Of(emit.Trimming).Codes
	return stable.Delete(found, func(d diag.Diagnostic) bool {
		return d.Subject != planned.Trim.Range || !slices.Contains(codes, d.Code)
	})
}

// atSpeed gives ports that say no speed the one of the fabric, where what the fabric compiles
// to says none either.
func atSpeed(sw, want, planned *plan.Switch) *plan.Switch {
	speeds := map[string]units.BitRate{}
	for _, port := range planned.Ports {
		speeds[port.Name] = port.Speed
	}
	for _, port := range want.Ports {
		if port.Speed != 0 {
			delete(speeds, port.Name)
		}
	}
	own := *sw
	own.Ports = slices.Clone(sw.Ports)
	for i := range own.Ports {
		setIfZero(&own.Ports[i].Speed, speeds[own.Ports[i].Name])
	}
	return &own
}

// An expectedKey is a shape of the fabric in the language of one target, in one form.
type expectedKey struct {
	sw           *plan.Switch
	target, form string
}

// compiled returns the switch that a shape of the fabric compiles to for a target, read back: in the form that
// has this file name, or else in full. The text of a file, and only then its name, decides whether it
// is compared with a form that leaves headroom to the device.
func (v *Verifier) compiled(planned, told *plan.Switch, target, file string) (*plan.Switch, error) {
	if !slices.Contains(planned.Targets, target) {
		return nil, fmt.Errorf("its targets are %s", strings.Join(planned.Targets, ", "))
	}
	i := slices.IndexFunc(v.Fabric.Targets, func(t emit.Target) bool { return t.Name == target })
	if i < 0 {
		return nil, errors.New("nothing writes it")
	}
	forms := v.Fabric.Targets[i].Forms
	want, err := v.inForm(planned, target, forms[max(0, slices.IndexFunc(forms, func(f emit.Form) bool { return f.File == file }))])
	left := LeavesHeadroom(told)
	if format, _ := FormatOf(target); err != nil || format.OwnHeadroom == "" || LeavesHeadroom(want) == left {
		return want, err
	}
	for _, form := range forms {
		if other, err := v.inForm(planned, target, form); err == nil && LeavesHeadroom(other) == left {
			return other, nil
		}
	}
	return want, nil
}

// LeavesHeadroom reports whether a file has lossless groups and gives none of them headroom.
func LeavesHeadroom(sw *plan.Switch) bool {
	lossless := 0
	for i := range sw.Ports {
		if qos := sw.Ports[i].QoS; qos != nil {
			for j := range qos.PGs {
				if qos.PGs[j].Lossless && qos.PGs[j].Headroom.Why != nil {
					return false
				} else if qos.PGs[j].Lossless {
					lossless++
				}
			}
		}
	}
	return lossless > 0
}

// inForm renders a shape of the fabric in one form, once, and reads it back.
func (v *Verifier) inForm(planned *plan.Switch, target string, form emit.Form) (*plan.Switch, error) {
	v.lock.Lock()
	defer v.lock.Unlock()
	key := expectedKey{planned, target, form.Name}
	if sw, ok := v.expected[key]; ok {
		return sw, nil
	}
	files, found := form.Emit(planned)
	if found.HasErrors() {
		return nil, errors.New("it does not compile")
	}
	v.expected[key] = readBack(planned, target, files[0]).Switch
	return v.expected[key], nil
}

// readBack reads a file that was rendered for a switch.
func readBack(planned *plan.Switch, target string, f emit.File) *Shape {
	format, _ := FormatOf(target)
	shape := &Shape{Format: format, Devices: planned.Names[:1], Files: []string{f.Path}, Text: f.Body.AppendFor(nil, planned.Names[0])}
	shape.parse(planned.Cell)
	return shape
}

// missing reports switches that have no file, and of files that have no switch.
func (v *Verifier) missing(all []*Switch) (found diag.List) {
	have := map[string]bool{}
	for _, s := range all {
		for i, name := range s.Names {
			have[name] = true
			if v.planned[name] == nil {
				found.Warnf(SwitchUnknown, diag.Top(s.Files[i]), "%s is not a switch of the fabric, so it is judged by itself", name).Fixf("describe it in the fabric, or leave its file out")
			}
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(v.planned), natural.Compare) {
		if !have[name] {
			found.Errorf(SwitchMissing, v.planned[name].Range, "the switch %s of the fabric has no file", name).Fixf("give its file too, or remove the switch from the fabric")
		}
	}
	return found
}

// misplaced reports files that are in the folder of another device, and of devices that have two
// files of one name. Where no folder is called like a device, folders say nothing.
func (v *Verifier) misplaced(seen []sighting) (found diag.List) {
	devices := map[string]bool{}
	for name := range v.planned {
		devices[name] = true
	}
	for i := range seen {
		if seen[i].named {
			devices[seen[i].device] = true
		}
	}
	first := map[[2]string]string{}
	for i := range seen {
		s := &seen[i]
		if s.at.Filename != "" && devices[s.folder] {
			found.Errorf(DeviceMisplaced, s.at, "this file is in the folder of %s, but names the device %s", s.folder, s.device).
				Fixf("put the file of %s there", s.folder)
		}
		key := [2]string{s.device, path.Base(filepath.ToSlash(s.file.Name))}
		if other, twice := first[key]; twice && s.named {
			found.Errorf(DeviceTwice, cmp.Or(s.at, diag.Top(s.file.Name)), "%s names the device %s, and so does %s", s.file.Name, s.device, other).
				Fixf("leave out the file that is not of %s", s.device)
		} else {
			first[key] = s.file.Name
		}
	}
	return found
}
