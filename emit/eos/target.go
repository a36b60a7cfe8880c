package eos

import "github.com/roceplan/roceplan/emit"

// Target declares what EOS is told by.
func Target() emit.Target {
	return emit.Target{
		Name: "eos", Title: "Arista EOS",
		Forms: []emit.Form{
			{Name: emit.Full, File: File, Help: "lines in the order of a running-config", Emit: Emit},
		},
	}
}
