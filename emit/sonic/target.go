package sonic

import "github.com/roceplan/roceplan/emit"

// Target declares the target SONiC.
func Target() emit.Target {
	return emit.Target{
		Name: "sonic", Title: "SONiC",
		Forms: []emit.Form{
			{Name: emit.Full, File: Path, Help: "ports, QoS and buffers, without management, MAC and features: not a complete config_db.json", Load: "merge it with config load -y; it must not replace /etc/sonic/config_db.json, which also has management, MAC and features", Emit: Emit},
			{Name: "overlay", File: OverlayPath, Help: "its QoS and buffer tables, for `config load` over a running configuration", Load: "merge it: config load -y lays it over what runs, and removes nothing", Emit: Overlay},
			{Name: "ars", File: ARSPath, Help: "tables of adaptive routing, for `config load` on builds that have it; SONiC's releases do not", Load: "merge it: config load -y, on builds that have the tables", Emit: ARS},
			{Name: "enterprise", File: EnterprisePath, Help: "lines of sonic-cli for Broadcom's and Dell's Enterprise SONiC, marked as unproved", Load: "merge it: paste the lines into sonic-cli; the first restarts the switch", Emit: EmitEnterprise},
		},
		Can: capabilities,
	}
}
