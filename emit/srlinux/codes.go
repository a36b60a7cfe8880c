package srlinux

import "github.com/roceplan/roceplan/diag"

const (
	// No 7220 IXR that has PFC is built with the chip.
	//
	//	switch "leaf-1" {
	//	  chip = "spectrum4"
	//	  os   = srlinux
	//	}
	Platform diag.Code = "srlinux-platform"

	// A port is not named as SR Linux names ports, or a class is called like one of its own.
	//
	//	port_group "servers" { ports = "Ethernet[0..31]" }
	Name diag.Code = "srlinux-name"

	// SR Linux leaves this to the device: reserves, the sizes of pools, the level at which a
	// paused peer may send again.
	DeviceDecides diag.Code = "srlinux-device-decides"

	// A dynamic threshold is written as the static limit that it comes to, or a limit is
	// outside of what SR Linux takes.
	//
	//	alpha = "1/4"
	Threshold diag.Code = "srlinux-threshold"

	// A value was rounded to the whole per cent or millisecond that SR Linux takes.
	Rounded diag.Code = "srlinux-rounded"

	// A timer or an action of the PFC watchdog that SR Linux does not have.
	//
	//	pfc_watchdog { action = "drop" }
	Watchdog diag.Code = "srlinux-watchdog"

	// Ports differ in more ways than there can be mappings of PFC, or two priorities share a
	// group or a queue.
	Mappings diag.Code = "srlinux-mappings"

	// Packets are dropped that the plan cuts: the models of SR Linux have no leaf for that.
	//
	//	trimming {
	//	  size = "256B"
	//	  dscp = 48
	//	}
	TrimmingLost diag.Code = "srlinux-trimming-lost"

	// Packets that a switch of a pair sends back stay in their class, and all ports classify
	// alike: no line for anything else is public.
	RemappingLost diag.Code = "srlinux-remapping-lost"

	// A part of the marking rules is lost: senders are classified by DSCP alone.
	//
	//	marking { udp_port = 4791 }
	MarkingLost diag.Code = "srlinux-marking-lost"

	// SR Linux hashes flows over equal paths, and has no other way of balancing load.
	//
	//	fabric "pod" { load_balancing = "spray" }
	LoadBalancing diag.Code = "srlinux-load-balancing"

	// The dynamic buffer model is SONiC's.
	//
	//	buffer_model = "dynamic"
	Calculator diag.Code = "srlinux-calculator"
)
