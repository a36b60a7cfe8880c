package main

import "github.com/roceplan/roceplan/diag"

// Findings of the command line itself.
const (
	// A patch cannot make this step, because the buffer model or the switch hardware changes.
	RolloutWhole diag.Code = "rollout-whole"
	// The release of a SONiC switch changes, which a person installs. It changes what config apply-patch
	// takes on the running switch.
	RolloutRelease diag.Code = "rollout-release"
	// The running configuration of a switch in the rollout is missing, unreadable or from an
	// unsupported system.
	RolloutUnknown diag.Code = "rollout-unknown"
	// A switch carries lossless traffic on ports that the fabric does not have. No step changes
	// these ports.
	RolloutLeft diag.Code = "rollout-left"
	// A folder that compile wrote differs from its manifest, .roceplan.json. A file was edited, is
	// missing, or is read as configuration and not listed, or compile was interrupted.
	NotAsWritten diag.Code = "not-as-written"
)
