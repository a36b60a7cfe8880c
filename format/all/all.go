// Package all lists the systems of switches. A new one goes in here.
package all

import "github.com/roceplan/roceplan/format"

// Systems lists them in the order in which the language does.
func Systems() []format.System {
	return append([]format.System{
		{OS: "sonic", Name: "sonic", Title: "SONiC", Own: true},
		{OS: "eos", Name: "eos", Title: "Arista EOS", Own: true},
		{OS: "cumulus", Name: "nvue", Title: "Cumulus Linux", Own: true},
		{OS: "openconfig", Name: "openconfig", Title: "OpenConfig", Own: true},
		{OS: "junos", Name: "junos", Title: "Junos Evolved", Own: true},
		{OS: "srlinux", Name: "srlinux", Title: "Nokia SR Linux", Own: true},
	}, tagged()...)
}

// OfRows lists those of which rows say all.
func OfRows() (all []format.System) {
	for _, s := range Systems() {
		if !s.Own {
			all = append(all, s)
		}
	}
	return all
}
