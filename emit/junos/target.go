package junos

import "github.com/roceplan/roceplan/emit"

// Target declares the target Junos Evolved.
func Target() emit.Target {
	return emit.Target{
		Name: "junos", Title: "Junos Evolved",
		Forms: []emit.Form{
			{Name: emit.Full, File: File, Help: "text in braces for `load merge`, then `commit confirmed`", Load: "merge it with load merge, then commit confirmed; load override would remove management and routing", Emit: Emit},
			{Name: "set", File: SetFile, Help: "the same as set commands, for `load set`", Load: "merge it: load set, then commit confirmed", Emit: EmitSet},
		},
		Change: EmitChange,
		Can:    capabilities,
	}
}
