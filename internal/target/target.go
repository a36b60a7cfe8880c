// Package target lists the emitters that there are. Each declares its capabilities itself; the
// tests of this package check all declarations against what the files of compiled plans say.
package target

import (
	"slices"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/eos"
	"github.com/roceplan/roceplan/emit/junos"
	"github.com/roceplan/roceplan/emit/nvue"
	"github.com/roceplan/roceplan/emit/openconfig"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/emit/srlinux"
	systems "github.com/roceplan/roceplan/format/all"
	"github.com/roceplan/roceplan/format/system"
)

// All lists all targets: emitters with Go code, and systems that rows describe entirely. A new emitter
// with Go code goes in here.
func All() []emit.Target {
	all := []emit.Target{sonic.Target(), eos.Target(), openconfig.Target(), nvue.Target(), junos.Target(), srlinux.Target()}
	for _, s := range systems.OfRows() {
		all = append(all, system.Target(s))
	}
	return all
}

// Find returns the target that fabric files call by that name.
func Find(name string) (emit.Target, bool) {
	all := All()
	if i := slices.IndexFunc(all, func(t emit.Target) bool { return t.Name == name }); i >= 0 {
		return all[i], true
	}
	return emit.Target{}, false
}

// Names lists the names of all.
func Names() []string {
	var names []string
	for _, t := range All() {
		names = append(names, t.Name)
	}
	return names
}
