package junos

import "github.com/roceplan/roceplan/diag"

const (
	// No QFX with Junos Evolved uses the chip.
	//
	//	switch "leaf-1" {
	//	  chip = "spectrum4"
	//	  os   = junos
	//	}
	Platform diag.Code = "junos-platform"

	// The name is not valid in a Junos configuration, or the port does not have a Junos port name.
	//
	//	port_group "servers" { ports = "Ethernet[0..31]" }
	Name diag.Code = "junos-name"

	// The fabric has more classes than Junos supports, or a lossless class shares its queue.
	Classes diag.Code = "junos-classes"

	// The switch computes this value itself. Junos derives the headroom of a port from the cable
	// length, and pool sizes from whole percentages.
	DeviceDecides diag.Code = "junos-device-decides"

	// Two port groups need different values of a setting that the switch has only once.
	//
	//	port_group "gpus"    { alpha = "1" }
	//	port_group "uplinks" { alpha = "1/4" }
	Conflict diag.Code = "junos-conflict"

	// Junos does not support this threshold. Dynamic thresholds range from 1/128 to 8. Static
	// thresholds cannot be configured.
	Threshold diag.Code = "junos-threshold"

	// The headroom of all ports exceeds the shared buffer.
	Partitions diag.Code = "junos-partitions"

	// The value was rounded to the resolution of Junos.
	Rounded diag.Code = "junos-rounded"

	// Junos does not support this timer or action of the PFC watchdog.
	//
	//	pfc_watchdog { action = "alert" }
	Watchdog diag.Code = "junos-watchdog"

	// The switch drops packets that the plan trims. Junos has no public configuration for
	// trimming.
	//
	//	trimming {
	//	  size = "256B"
	//	  dscp = 48
	//	}
	TrimmingLost diag.Code = "junos-trimming-lost"

	// Packets that the switch sends back through the tunnel stay in their class, and all ports use
	// the same classification. Junos has no public configuration for remapping in tunnels or for
	// classification per port.
	RemappingLost diag.Code = "junos-remapping-lost"

	// roceplan does not write some marking rules. Classification by UDP port needs a firewall
	// filter, which roceplan does not support.
	//
	//	marking { udp_port = 4791 }
	MarkingLost diag.Code = "junos-marking-lost"

	// Junos does not support this load balancing.
	//
	//	fabric "pod" { load_balancing = "spray" }
	LoadBalancing diag.Code = "junos-load-balancing"

	// Only SONiC has the dynamic buffer model.
	//
	//	buffer_model = "dynamic"
	Calculator diag.Code = "junos-calculator"
)
