package roceplan

import "github.com/roceplan/roceplan/diag"

// Findings of this package.
const (
	// The name of a switch is the name of the folder for host files.
	//
	//	switch "hosts" { … }
	HostsTaken diag.Code = "hosts-taken"
)
