package srlinux

import "github.com/roceplan/roceplan/emit"

// Target declares the target Nokia SR Linux.
func Target() emit.Target {
	return emit.Target{
		Name: "srlinux", Title: "Nokia SR Linux",
		Forms: []emit.Form{
			{Name: emit.Full, File: File, Help: "JSON of Nokia's models, for gNMI: gnmic set --update-path / --update-file, then commit confirmed", Load: "merge it: a gNMI update of the root, then commit confirmed; a replacement of the root would take management and routing away", Emit: Emit},
		},
		Change: EmitChange,
		Can:    capabilities, Reserves: reserved.MatchString,
	}
}
