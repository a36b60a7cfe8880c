package dcb

import "github.com/roceplan/roceplan/diag"

// What a file says that cannot be read.
const (
	// The text is not JSON, or is much longer than the output of dcb.
	JSON diag.Code = "dcb-json"

	// A value does not have the form that dcb prints, such as eight values or pairs of numbers, or
	// a key occurs twice.
	Shape diag.Code = "dcb-shape"

	// roceplan does not check this setting, such as the order of trust or a rate limit. The NIC
	// may use it.
	Unread diag.Code = "dcb-unread"
)

// What a NIC does otherwise than its switches expect.
const (
	// The file lacks a part of the output of dcb, so roceplan did not check that part.
	Missing diag.Code = "dcb-missing"

	// PFC is off for a priority that the switches pause, or on for a priority that they do not
	// pause.
	PFC diag.Code = "dcb-pfc"

	// ConnectX sizes its receive buffer for another cable length than the plan.
	Cable diag.Code = "dcb-cable"

	// The NIC has no entry for any code point, so it uses the priority in the VLAN tag.
	Trust diag.Code = "dcb-trust"

	// A code point has another priority than in the plan.
	DSCP diag.Code = "dcb-dscp"

	// A lossless class shares its traffic class with other classes, or CNPs share theirs.
	Queue diag.Code = "dcb-queue"

	// A traffic class has another share of the bandwidth than in the plan.
	Share diag.Code = "dcb-share"

	// The NIC accepts the DCBX settings of its link partner.
	Willing diag.Code = "dcb-willing"

	// The receive buffer of a lossless priority is too small, or it also holds lossy traffic.
	Buffer diag.Code = "dcb-buffer"
)
