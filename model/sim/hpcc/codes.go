package hpcc

import "github.com/roceplan/roceplan/diag"

const (
	// A file that the configuration names, or the configuration itself, cannot be read.
	//
	//	TOPOLOGY_FILE missing.txt
	Unreadable diag.Code = "hpcc-unreadable"

	// A value is missing, or is not a number, rate or time of the expected form or
	// range.
	//
	//	BUFFER_SIZE big
	BadValue diag.Code = "hpcc-bad-value"

	// A key that the HPCC simulator does not know. It skips such a line without a word.
	//
	//	BUFER_SIZE 12
	UnknownKey diag.Code = "hpcc-unknown-key"

	// A feature of the HPCC simulator that roceplan does not have.
	//
	//	CC_MODE 10
	Unsupported diag.Code = "hpcc-unsupported"

	// What roceplan does otherwise than the HPCC simulator, so that results differ.
	//
	//	LINK_DOWN 100 20 24
	Approximate diag.Code = "hpcc-approximate"

	// Values that are fine alone do not fit together: a flow from a switch, a link of a
	// rate without ECN thresholds, HPCC without a window.
	//
	//	HAS_WIN 0
	Inconsistent diag.Code = "hpcc-inconsistent"
)
