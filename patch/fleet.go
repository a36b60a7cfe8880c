package patch

import (
	"bytes"

	"github.com/roceplan/roceplan/diag"
	emitter "github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/plan"
)

// A Fleet is devices many of which run and get the same. A change is worked out for one of each shape, and holds for the others: no file
// of a patch has the name of its device, and no configuration whose text is without it.
type Fleet struct {
	begun map[*plan.Switch]*Device
	known map[alike]*known
	named map[*plan.Switch]bool // configurations that hold the name of their device
}

// alike holds the inputs on which a change depends.
type alike struct {
	running  *Running
	sent, to *plan.Switch
}

type known struct {
	patch *Patch
	found diag.List
	after *Running
}

// NewFleet has no devices yet.
func NewFleet() *Fleet {
	return &Fleet{map[*plan.Switch]*Device{}, map[alike]*known{}, map[*plan.Switch]bool{}}
}

// NewDevice does the same as the function of the package.
func (f *Fleet) NewDevice(sw *plan.Switch, name string) (*Device, diag.List) {
	if d := f.begun[sw]; d != nil {
		return &Device{name, sw, d.running}, nil
	}
	d, found := NewDevice(sw, name)
	if d != nil && !f.holdsName(sw) {
		f.begun[sw] = d
		d = &Device{name, sw, d.running}
	}
	return d, found
}

// Change does the same as that of the device.
func (f *Fleet) Change(d *Device, to *plan.Switch, judge Judge) (*Patch, diag.List) {
	key := alike{d.running, d.sent, to}
	if k := f.known[key]; k != nil {
		p := *k.patch
		p.Switch, d.sent, d.running = d.name, to, k.after
		return &p, k.found
	}
	p, found := d.Change(to, judge)
	if p != nil && !f.holdsName(to) {
		f.known[key] = &known{p, found, d.running}
	}
	return p, found
}

func (f *Fleet) holdsName(sw *plan.Switch) bool {
	named, is := f.named[sw]
	if is {
		return named
	}
	files, _ := emitter.Overlay(sw)
	named = len(files) > 0 && !bytes.Equal(files[0].Body.AppendFor(nil, "a"), files[0].Body.AppendFor(nil, "b"))
	f.named[sw] = named
	return named
}
