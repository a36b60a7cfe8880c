package main

import "github.com/roceplan/roceplan/diag"

// Findings of the command line itself.
const (
	// A step of a rollout that no patch can make: the buffer model changes, or the box.
	RolloutWhole diag.Code = "rollout-whole"
	// A folder that compile wrote is not as its manifest, .roceplan.json, lists it: a file was
	// changed by hand, is missing, or a run was ended before it was done.
	NotAsWritten diag.Code = "not-as-written"
)
