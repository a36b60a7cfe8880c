package hpcc

import "github.com/roceplan/roceplan/diag"

const (
	// roceplan cannot read the configuration or a file that it names.
	//
	//	TOPOLOGY_FILE missing.txt
	Unreadable diag.Code = "hpcc-unreadable"

	// A value is missing, out of range, or not a number, rate or time of the expected form.
	//
	//	BUFFER_SIZE big
	BadValue diag.Code = "hpcc-bad-value"

	// The HPCC simulator does not know this key and silently ignores the line.
	//
	//	BUFER_SIZE 12
	UnknownKey diag.Code = "hpcc-unknown-key"

	// roceplan does not support this feature of the HPCC simulator.
	//
	//	CC_MODE 10
	Unsupported diag.Code = "hpcc-unsupported"

	// roceplan implements this differently from the HPCC simulator, so results differ.
	//
	//	LINK_DOWN 100 20 24
	Approximate diag.Code = "hpcc-approximate"

	// Two values contradict each other. For example, a switch sends a flow, a link has a rate
	// without ECN thresholds, or HPCC has no window.
	//
	//	HAS_WIN 0
	Inconsistent diag.Code = "hpcc-inconsistent"
)
