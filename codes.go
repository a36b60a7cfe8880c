package roceplan

import "github.com/roceplan/roceplan/diag"

// Findings of this package.
const (
	// A switch is called like the folder in which the hosts' files lie.
	//
	//	switch "hosts" { … }
	HostsTaken diag.Code = "hosts-taken"
)
