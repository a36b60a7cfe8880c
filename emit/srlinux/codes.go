package srlinux

import "github.com/roceplan/roceplan/diag"

const (
	// No 7220 IXR with PFC uses the chip.
	//
	//	switch "leaf-1" {
	//	  chip = "spectrum4"
	//	  os   = srlinux
	//	}
	Platform diag.Code = "srlinux-platform"

	// The port does not have an SR Linux port name, or the name of a class is reserved by SR
	// Linux.
	//
	//	port_group "servers" { ports = "Ethernet[0..31]" }
	Name diag.Code = "srlinux-name"

	// The device sets this value itself, such as a reserve, a pool size or the level at which a
	// paused peer may send again.
	DeviceDecides diag.Code = "srlinux-device-decides"

	// SR Linux does not support dynamic thresholds, so roceplan writes an equal static limit. This
	// finding also reports limits that SR Linux does not support.
	//
	//	alpha = "1/4"
	Threshold diag.Code = "srlinux-threshold"

	// The value was rounded to a whole per cent or millisecond.
	Rounded diag.Code = "srlinux-rounded"

	// SR Linux does not support this timer or action of the PFC watchdog.
	//
	//	pfc_watchdog { action = "drop" }
	Watchdog diag.Code = "srlinux-watchdog"

	// The ports need more PFC mappings than SR Linux has, or two priorities share a group or a
	// queue.
	Mappings diag.Code = "srlinux-mappings"

	// The switch drops packets that the plan trims. SR Linux's models have no leaf for trimming.
	//
	//	trimming {
	//	  size = "256B"
	//	  dscp = 48
	//	}
	TrimmingLost diag.Code = "srlinux-trimming-lost"

	// Packets that the switch sends back through the tunnel stay in their class, and all ports use
	// the same classification. SR Linux has no public configuration for remapping in tunnels or
	// for classification per port.
	RemappingLost diag.Code = "srlinux-remapping-lost"

	// roceplan does not write some marking rules, because SR Linux classifies by DSCP only.
	//
	//	marking { udp_port = 4791 }
	MarkingLost diag.Code = "srlinux-marking-lost"

	// SR Linux supports no load balancing except hashing flows over equal-cost paths.
	//
	//	fabric "pod" { load_balancing = "spray" }
	LoadBalancing diag.Code = "srlinux-load-balancing"

	// Only SONiC has the dynamic buffer model.
	//
	//	buffer_model = "dynamic"
	Calculator diag.Code = "srlinux-calculator"
)
