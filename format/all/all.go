// Package all lists the systems of switches. A new one goes in here.
package all

import (
	"sync"

	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/format/nvue"
)

// Systems lists them in the order in which findings name them. Callers must not change the list.
func Systems() []format.System { return systems() }

// systems is made once: a fabric asks for it for each of its switches.
var systems = sync.OnceValue(func() []format.System {
	return append([]format.System{
		{OS: "sonic", Name: "sonic"},
		{OS: "eos", Name: "eos"},
		{OS: "cumulus", Name: "nvue", Shares: nvue.Shares()},
		{OS: "openconfig", Name: "openconfig"},
		{OS: "junos", Name: "junos", Boxes: junos.Boxes(), Lossy: junos.Lossy, QueueAlpha: junos.QueueAlpha, BoxesBy: junos.Buffers + "; " + junos.LossyBy, Shares: junos.Shares()},
		{OS: "srlinux", Name: "srlinux"},
	}, tagged()...)
})

// OfRows lists the systems that rows describe entirely.
func OfRows() (all []format.System) {
	for _, s := range Systems() {
		if s.Rows != nil {
			all = append(all, s)
		}
	}
	return all
}
