package cabling

import "github.com/roceplan/roceplan/diag"

const (
	// Unknown: a file is of no format that tells of cables.
	Unknown diag.Code = "cabling-format-unknown"

	// Invalid: a file that tells of cables cannot be read, or a line of it cannot.
	Invalid diag.Code = "cabling-invalid"

	// NotCompared: no cable was checked. The fabric has none of the devices at their ends, or no link
	// between switches.
	NotCompared diag.Code = "cabling-not-compared"

	// Contradiction: two sources tell different things of one port.
	//
	//	leaf-1 sees spine-1:Ethernet0 at its Ethernet48, and spine-1 sees leaf-2 there
	Contradiction diag.Code = "cabling-contradiction"

	// Swapped: two cables of the fabric have exchanged ends.
	Swapped diag.Code = "cabling-swapped"

	// Missing: a cable of the fabric is at neither of its ports, and a device that would see
	// it was asked.
	Missing diag.Code = "cabling-missing"

	// WrongPeer: a port is connected to another device than the fabric says.
	WrongPeer diag.Code = "cabling-wrong-peer"

	// WrongPort: a port is connected to the right device, at another port.
	WrongPort diag.Code = "cabling-wrong-port"

	// WrongRail: a server's NIC is connected to the leaf of another rail.
	WrongRail diag.Code = "cabling-wrong-rail"

	// Unplanned: a port has a neighbour that the fabric does not have there.
	Unplanned diag.Code = "cabling-unplanned"

	// WrongSpeed: a port runs at another speed than its buffer was computed for.
	WrongSpeed diag.Code = "cabling-wrong-speed"

	// TooLong: a cable is longer than the one that headroom was computed for.
	TooLong diag.Code = "cabling-too-long"

	// Unheard: no device that was asked stands at either end of some cables, so nothing is
	// said of them.
	Unheard diag.Code = "cabling-unheard"
)
