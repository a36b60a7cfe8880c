package nvue

import "github.com/roceplan/roceplan/emit"

// Target declares what Cumulus Linux is told by.
func Target() emit.Target {
	return emit.Target{
		Name: "nvue", Title: "Cumulus Linux NVUE",
		Forms: []emit.Form{
			{Name: emit.Full, File: File, Help: "YAML for `nv config patch`", Emit: Emit},
			{Name: "commands", File: CommandsFile, Help: "the same as `nv set` commands, in a script", Emit: EmitCommands},
		},
		Can: capabilities(),
	}
}
