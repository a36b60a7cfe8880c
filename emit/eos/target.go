package eos

import "github.com/roceplan/roceplan/emit"

// Target declares the target EOS.
func Target() emit.Target {
	return emit.Target{
		Name: "eos", Title: "Arista EOS",
		Forms: []emit.Form{
			{Name: emit.Full, File: File, Help: "lines in the order of a running-config", Load: "merge it: copy the lines into a configuration session (--form session is one); configure replace would remove management, users and routing", Emit: Emit},
			{Name: "session", File: SessionFile, Help: "a script for the CLI: a configuration session that EOS takes back after ten minutes unless it is confirmed", Load: "merge it: paste it, look at the difference, confirm within ten minutes", Emit: EmitSession},
			{Name: "avd", File: AVDFile, Help: "structured configuration for Arista AVD's role eos_cli_config_gen", Load: "merge it into the structured configuration of the device", Emit: EmitAVD},
		},
		Change: EmitChange,
		Can:    capabilities,
	}
}
