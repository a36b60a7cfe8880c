package main

import "github.com/roceplan/roceplan/diag"

// Findings of the command line itself.
const (
	// A step of a rollout that no patch can make: the buffer model changes, or the box.
	RolloutWhole diag.Code = "rollout-whole"
	// It is not known what a switch runs that a rollout would change or pass by: its configuration is
	// missing, cannot be read, or is of another system.
	RolloutUnknown diag.Code = "rollout-unknown"
	// A switch carries lossless traffic on ports that the fabric does not have. No step changes them.
	RolloutLeft diag.Code = "rollout-left"
	// A folder that compile wrote is not as its manifest, .roceplan.json, lists it: a file was
	// changed by hand, is missing, or a run was ended before it was done.
	NotAsWritten diag.Code = "not-as-written"
)
