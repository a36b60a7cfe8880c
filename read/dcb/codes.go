package dcb

import "github.com/roceplan/roceplan/diag"

// Faults of a file.
const (
	// The text is not JSON, or is much longer than the output of dcb.
	JSON diag.Code = "dcb-json"

	// A value does not have the form that dcb prints, such as eight values or pairs of numbers, or
	// a key occurs twice.
	Shape diag.Code = "dcb-shape"

	// roceplan does not read this setting, such as the order of trust or a rate limit. The NIC may
	// use the setting.
	Unread diag.Code = "dcb-unread"
)

// Differences of a NIC from what its switches expect.
const (
	// The file lacks a part of dcb's output, so roceplan did not check that part.
	Missing diag.Code = "dcb-missing"

	// PFC is off for a priority that the switches pause, or on for a priority that they do not
	// pause.
	PFC diag.Code = "dcb-pfc"

	// The receive buffer of a ConnectX is sized for a cable length that differs from the plan.
	Cable diag.Code = "dcb-cable"

	// The NIC has no entry for any code point, so it uses the priority in the VLAN tag.
	Trust diag.Code = "dcb-trust"

	// The priority of a code point differs from the plan.
	DSCP diag.Code = "dcb-dscp"

	// A lossless class shares its traffic class with other classes, or CNPs share theirs with
	// other traffic.
	Queue diag.Code = "dcb-queue"

	// The bandwidth share of a traffic class differs from the plan.
	Share diag.Code = "dcb-share"

	// The NIC accepts the DCBX settings of its link partner.
	Willing diag.Code = "dcb-willing"

	// The receive buffer of a lossless priority is too small, or it also holds lossy traffic.
	Buffer diag.Code = "dcb-buffer"
)
