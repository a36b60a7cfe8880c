package roceplan

import "github.com/roceplan/roceplan/diag"

// Findings of this package.
const (
	// A switch has the same name as the folder for host files.
	//
	//	switch "hosts" { … }
	HostsTaken diag.Code = "hosts-taken"
)
