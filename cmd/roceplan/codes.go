package main

import "github.com/roceplan/roceplan/diag"

// Findings of the command line itself.
const (
	// A step of a rollout that no patch can make: ports come or change their speed.
	RolloutWhole diag.Code = "rollout-whole"
)
