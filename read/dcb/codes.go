package dcb

import "github.com/roceplan/roceplan/diag"

// What a file says that cannot be read.
const (
	// The text is not JSON, or far more of it than dcb prints.
	JSON diag.Code = "dcb-json"

	// A value has another form than dcb prints: eight values of a kind, or pairs of
	// numbers; or a key occurs twice.
	Shape diag.Code = "dcb-shape"

	// A setting is not read, such as the order of trust or a bound on the rate: the NIC may
	// go by it, and nobody looked.
	Unread diag.Code = "dcb-unread"
)

// What a NIC does otherwise than its switches expect.
const (
	// A part is not in the file, so it was not looked at.
	Missing diag.Code = "dcb-missing"

	// PFC is off for a priority that the switches pause, or on for one that they do not.
	PFC diag.Code = "dcb-pfc"

	// The cable that ConnectX sizes its receive buffer for is not the planned one.
	Cable diag.Code = "dcb-cable"

	// The NIC has no entry for any code point: it goes by the VLAN tag's priority.
	Trust diag.Code = "dcb-trust"

	// A code point has another priority than the plan gives it.
	DSCP diag.Code = "dcb-dscp"

	// A lossless class shares its traffic class with others, or CNPs wait for others.
	Queue diag.Code = "dcb-queue"

	// A traffic class has another share of the rate than the plan gives it.
	Share diag.Code = "dcb-share"

	// The NIC takes over what its link partner announces by DCBX.
	Willing diag.Code = "dcb-willing"

	// The receive buffer of a lossless priority is too small, or lossy traffic is let
	// into it.
	Buffer diag.Code = "dcb-buffer"
)
