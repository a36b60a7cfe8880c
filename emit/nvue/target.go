package nvue

import "github.com/roceplan/roceplan/emit"

// Target declares the target Cumulus Linux.
func Target() emit.Target {
	return emit.Target{
		Name: "nvue", Title: "Cumulus Linux NVUE",
		Forms: []emit.Form{
			{Name: emit.Full, File: File, Help: "YAML for `nv config patch`", Load: "merge it with nv config patch, then nv config apply --confirm; nv config replace would remove management and routing", Emit: Emit},
			{Name: "commands", File: CommandsFile, Help: "the same as `nv set` commands, in a script", Load: "merge it: the commands set what is named, nv config apply --confirm", Emit: EmitCommands},
			{Name: "cable-length", File: CableLengthFile, Help: "the same with headroom left to the switch, which computes it from speed and cable-length, as NVIDIA advises", Load: "merge it: nv config patch, nv config apply --confirm", Emit: EmitCableLength},
		},
		Change: EmitChange,
		Can:    capabilities,
	}
}
