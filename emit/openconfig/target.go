package openconfig

import "github.com/roceplan/roceplan/emit"

// Target declares the target OpenConfig.
func Target() emit.Target {
	return emit.Target{
		Name: "openconfig", Title: "OpenConfig",
		Forms: []emit.Form{
			{Name: emit.Full, File: File, Help: "RFC 7951 JSON of openconfig-qos and openconfig-interfaces", Load: "merge it: a gNMI update of the root; --form gnmi-replace is a request that replaces roceplan's containers alone", Emit: Emit},
			{Name: "gnmi-replace", File: ReplaceFile, Help: "a gNMI SetRequest after which the device says this and nothing else", Load: "replace by it: it names roceplan's containers alone", Emit: EmitReplace},
			{Name: "gnmi-update", File: UpdateFile, Help: "a gNMI SetRequest that adds this to what the device has", Load: "merge it: it removes nothing", Emit: EmitUpdate},
		},
		// Of nothing that another configuration left in its containers is anything kept.
		Change: EmitChange,
		Can:    capabilities,
	}
}
