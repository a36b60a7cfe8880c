package main

import "github.com/roceplan/roceplan/diag"

// Findings of the command line itself.
const (
	// A switch is called like the folder in which the hosts' files lie.
	//
	//	switch "hosts" { … }
	HostsTaken diag.Code = "hosts-taken"

	// A step of a rollout that no patch can make: ports come or change their speed.
	RolloutWhole diag.Code = "rollout-whole"
)

// What is found when files are held against a fabric. What the proof finds has the code
// of the obligation with "proof-" before it: see docs/lint/readers.md.
const (
	// A switch of the fabric has no configuration file among those that were given.
	SwitchMissing diag.Code = "switch-missing"

	// A configuration file belongs to no switch of the fabric.
	SwitchUnknown diag.Code = "switch-unknown"

	// A file is in the language of a target that the switch does not have by the fabric.
	TargetOther diag.Code = "target-other"

	// Links wait for each other in a circle, in the fabric as it is or with one or two links failed: with
	// PFC they may stop for good.
	DeadlockCycle diag.Code = "deadlock-cycle"

	// Links can wait for each other in a circle while routing converges after a failure.
	DeadlockConverging diag.Code = "deadlock-converging"

	// A failure cuts the way between switches with hosts.
	PathCut diag.Code = "path-cut"

	// The list of cables is not a table of switch, port and cable.
	CablesInvalid diag.Code = "cables-invalid"
)
