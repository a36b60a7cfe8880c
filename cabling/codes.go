package cabling

import "github.com/roceplan/roceplan/diag"

const (
	// The file has no known format for cabling.
	Unknown diag.Code = "cabling-format-unknown"

	// roceplan cannot read a cabling file, or a line in it.
	Invalid diag.Code = "cabling-invalid"

	// No cable was checked. The fabric has none of the devices in the files, or no links between
	// switches.
	NotCompared diag.Code = "cabling-not-compared"

	// Two sources contradict each other about a port.
	//
	//	leaf-1 sees spine-1:Ethernet0 at its Ethernet48, and spine-1 sees leaf-2 there
	Contradiction diag.Code = "cabling-contradiction"

	// The ends of two cables of the fabric are swapped.
	Swapped diag.Code = "cabling-swapped"

	// The files cover at least one port of a cable, but show the cable at neither of its ports.
	Missing diag.Code = "cabling-missing"

	// A port is not connected to the device that the fabric gives.
	WrongPeer diag.Code = "cabling-wrong-peer"

	// A port is connected to the right device, but to the wrong port.
	WrongPort diag.Code = "cabling-wrong-port"

	// A NIC of a server is connected to the leaf of the wrong rail.
	WrongRail diag.Code = "cabling-wrong-rail"

	// A port has a neighbour, but the fabric has no link there.
	Unplanned diag.Code = "cabling-unplanned"

	// The speed of a port differs from the speed that its buffer was computed for.
	WrongSpeed diag.Code = "cabling-wrong-speed"

	// A cable is longer than the length that its headroom was computed for.
	TooLong diag.Code = "cabling-too-long"

	// There is no data from either end of some cables, so roceplan did not check them.
	Unheard diag.Code = "cabling-unheard"
)
