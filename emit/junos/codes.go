package junos

import "github.com/roceplan/roceplan/diag"

const (
	// No QFX with Junos Evolved is built with the chip.
	//
	//	switch "leaf-1" {
	//	  chip = "spectrum4"
	//	  os   = junos
	//	}
	Platform diag.Code = "junos-platform"

	// A name cannot stand in a Junos configuration, or a port is not named as Junos names
	// ports.
	//
	//	port_group "servers" { ports = "Ethernet[0..31]" }
	Name diag.Code = "junos-name"

	// More classes than Junos has, or a lossless class that shares its queue.
	Classes diag.Code = "junos-classes"

	// The switch computes this itself: the headroom of a port from the length of its
	// cable, the sizes of pools from whole per cents.
	DeviceDecides diag.Code = "junos-device-decides"

	// Two port groups want different values of what the switch has once.
	//
	//	port_group "gpus"    { alpha = "1" }
	//	port_group "uplinks" { alpha = "1/4" }
	Conflict diag.Code = "junos-conflict"

	// A threshold that Junos does not offer: dynamic ones go from 1/128 to 8, and static
	// ones cannot be said.
	Threshold diag.Code = "junos-threshold"

	// The headroom of all ports takes more than the shared buffer.
	Partitions diag.Code = "junos-partitions"

	// A value was rounded to the step that Junos takes.
	Rounded diag.Code = "junos-rounded"

	// A timer or an action of the PFC watchdog that Junos does not have.
	//
	//	pfc_watchdog { action = "alert" }
	Watchdog diag.Code = "junos-watchdog"

	// Packets are dropped that the plan cuts: nothing is published of lines for that in Junos.
	//
	//	trimming {
	//	  size = "256B"
	//	  dscp = 48
	//	}
	TrimmingLost diag.Code = "junos-trimming-lost"

	// Packets that a switch of a pair sends back stay in their class, and all ports classify
	// alike: no line for anything else is public.
	RemappingLost diag.Code = "junos-remapping-lost"

	// A part of the marking rules is lost: classification by UDP port needs a firewall
	// filter, which is not written.
	//
	//	marking { udp_port = 4791 }
	MarkingLost diag.Code = "junos-marking-lost"

	// A way of balancing load that Junos does not offer.
	//
	//	fabric "pod" { load_balancing = "spray" }
	LoadBalancing diag.Code = "junos-load-balancing"

	// The dynamic buffer model is SONiC's.
	//
	//	buffer_model = "dynamic"
	Calculator diag.Code = "junos-calculator"
)
