package sonic

import "github.com/roceplan/roceplan/emit"

// Target declares what SONiC is told by.
func Target() emit.Target {
	return emit.Target{
		Name: "sonic", Title: "SONiC",
		Forms: []emit.Form{
			{Name: emit.Full, File: Path, Help: "the whole ConfigDB of a switch", Emit: Emit},
			{Name: "overlay", File: OverlayPath, Help: "its QoS and buffer tables, for `config load` over a running configuration", Emit: Overlay},
			{Name: "ars", File: ARSPath, Help: "tables of adaptive routing, for `config load` on builds that have it; SONiC's releases do not", Emit: ARS},
		},
		Can: capabilities(),
	}
}
