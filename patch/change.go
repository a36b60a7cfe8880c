package patch

import (
	"fmt"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/diag"
	emitter "github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/plan"
)

// A Device is a switch on the way through several configurations that were compiled. It runs what
// was sent to it last, and whatever else it runs stays.
type Device struct {
	name    string
	sent    *plan.Switch
	running *Running
}

// NewDevice returns a switch that runs the configuration of a plan, nil where that cannot be written.
func NewDevice(sw *plan.Switch, name string) (*Device, diag.List) {
	running, found := compiled(sw, name)
	if running == nil {
		return nil, found
	}
	return &Device{name, sw, running}, nil
}

// On returns a switch that runs a configuration that was read from it. sent is the state that was sent
// to it last, with the ports of all states that were sent: the other ports are not roceplan's.
func On(running *Running, sent *plan.Switch, name string) *Device {
	return &Device{name, sent, running}
}

// Differences lists where a running switch differs from a state, none where it runs that state.
// A port that the state does not have, and that was sent before, must have nothing. That it is
// another switch is a difference.
func (d *Device) Differences(to *plan.Switch) (all []string) {
	for _, found := range check(to, d.name, d.running) {
		if found.Severity == diag.Error || found.Code == OtherSwitch {
			all = append(all, found.Message)
		}
	}
	if all != nil {
		return all
	}
	p, _, found := d.toward(to)
	if p == nil {
		return []string{found.FirstError().Message}
	}
	for _, port := range madePorts(d.sent, to, p.Target) {
		all = append(all, "make "+port.Name)
	}
	for _, e := range order(d.running.DB, p.Target) {
		op := e.operation(d.running.DB)
		all = append(all, fmt.Sprintf("%s %s", op.Op, op.Path))
	}
	return all
}

// Change finds the patch that brings the device to another configuration, which it runs
// from then on. judge is asked of the states between its steps; nil: the [Guard] alone is. With
// an error in the list there is none, and it stays as it is.
func (d *Device) Change(to *plan.Switch, judge Judge) (*Patch, diag.List) {
	p, updaters, found := d.toward(to)
	if p == nil {
		return nil, found.Sorted()
	}
	after, interrupted, worst := p.over(d.running, d.sent, to, updaters, judge)
	if worst != "" {
		found.Errorf(Unsafe, to.Range, "there is no safe order of the changes of %s: %s", d.name, worst).
			Fixf("drain the switch and load the full configuration")
		return nil, found.Sorted()
	}
	found = append(found, interrupted...)
	found = append(found, p.consult(updaters, to.Range)...)
	d.sent, d.running = to, after
	return p, found.Sorted()
}

// toward returns a patch with the configuration that a change leads to, and as yet no steps; nil and errors where the
// change cannot be made.
func (d *Device) toward(to *plan.Switch) (p *Patch, updaters []judge, found diag.List) {
	will, found := compiled(to, d.name)
	if will == nil {
		return nil, nil, found
	}
	// The compiler gives other warnings for the ends of the change too.
	found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Code != emitter.PGNotPriority })
	checkSame(d.sent, to, &found)
	if found.HasErrors() {
		return nil, nil, found
	}
	ports := d.sent.PortsByName()
	maps.Copy(ports, to.PortsByName())
	p = &Patch{Switch: d.name, Target: target(d.running.DB, will.DB, ports)}
	updaters = judges(to, d.running.DB)
	return p, updaters, append(found, p.leave(d.running.DB, updaters, to.Range)...)
}

// compiled returns the configuration of a switch as patches write it, nil where it cannot be written.
func compiled(sw *plan.Switch, device string) (*Running, diag.List) {
	files, found := emitter.Overlay(sw)
	if found.HasErrors() {
		return nil, found
	}
	running, broken := Read(emitter.OverlayPath, files[0].Body.AppendFor(nil, device))
	if len(broken) > 0 {
		panic(fmt.Sprintf("the output of roceplan is not a ConfigDB: %v", broken))
	}
	return running, found
}

// checkSame refuses what no patch changes: the buffer model.
func checkSame(from, to *plan.Switch, found *diag.List) {
	if was, now := modelOf(from.BufferModel), modelOf(to.BufferModel); was != now {
		found.Errorf(ModelDiffers, to.Range, "the buffer model changes from %s to %s, which requires a restart of the buffer manager", was, now).
			Fixf("load the full configuration of roceplan compile with config reload")
	}
}
