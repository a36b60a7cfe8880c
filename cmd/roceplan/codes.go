package main

import "github.com/roceplan/roceplan/diag"

// Findings of the command line itself.
const (
	// The language knows the target, and this version cannot write its files.
	//
	//	os = cumulus
	TargetUnwritten diag.Code = "target-unwritten"
)
