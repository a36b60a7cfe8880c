package nvue

import "github.com/roceplan/roceplan/diag"

const (
	// Cumulus Linux does not run on the chip.
	//
	//	switch "leaf-1" {
	//	  chip = "tomahawk5"
	//	  os   = "cumulus"
	//	}
	Platform diag.Code = "nvue-platform"

	// The name is not valid in an NVUE command.
	//
	//	port_group "servers" { ports = "Ethernet[0..31]" }
	Name diag.Code = "nvue-name"

	// Cumulus Linux uses one number, the switch priority, for the PFC priority and the traffic
	// class. PFC pauses the queue of the switch priority.
	//
	//	traffic_class "rdma" {
	//	  traffic_class = 4
	//	  pfc           = 3
	//	}
	Priority diag.Code = "nvue-priority"

	// A PFC profile of Cumulus Linux has one port-buffer for all its priorities. NVIDIA does not
	// document whether the switch reserves it once for each priority. roceplan assumes that it does,
	// and computes the pools by that.
	//
	//	traffic_class "rdma"  { pfc = 3 }
	//	traffic_class "store" { pfc = 4 }
	PortBuffer diag.Code = "nvue-port-buffer"

	// Thresholds and reserves apply to the whole switch, but two port groups need different
	// values.
	Conflict diag.Code = "nvue-conflict"

	// Cumulus Linux does not support this threshold. Dynamic thresholds range from 1/128 to 64.
	// The thresholds of a pool are either all dynamic or all static.
	//
	//	traffic_class "rdma" { alpha = "1/256" }
	Threshold diag.Code = "nvue-threshold"

	// A pool is less than 1 % of the shared buffer. Cumulus Linux accepts only whole percentages,
	// and a pool of 0 % has no memory.
	//
	//	lossy_pool = "100kB"
	PoolTooSmall diag.Code = "nvue-pool-too-small"

	// The DWRR weights are percentages of the rate, and their sum must not exceed 100 %.
	//
	//	traffic_class "rdma" { weight = 90 }
	//	traffic_class "rest" { weight = 30 }
	Weights diag.Code = "nvue-weights"

	// Cumulus Linux does not support this timer or action of the PFC watchdog.
	//
	//	pfc_watchdog { action = "forward" }
	Watchdog diag.Code = "nvue-watchdog"

	// roceplan does not write some marking rules, because Cumulus Linux classifies by code point
	// only and remarks each switch priority to one code point.
	//
	//	marking { udp_port = 4791 }
	MarkingLost diag.Code = "nvue-marking-lost"

	// Cumulus Linux does not support this load balancing, at least not on these ports.
	//
	//	fabric "pod" { load_balancing = "spray" }
	LoadBalancing diag.Code = "nvue-load-balancing"

	// The switch computes the headroom from speed and cable length. The formula is not published,
	// so roceplan cannot prove that the headroom suffices.
	HeadroomLeft diag.Code = "nvue-headroom-left"

	// The switch drops packets that the plan trims, because the chip does not support trimming to
	// this size, or at all.
	//
	//	trimming {
	//	  size = "2kB"
	//	  dscp = 48
	//	}
	TrimmingLost diag.Code = "nvue-trimming-lost"

	// Packets that the switch sends back through the tunnel stay in their class, and all ports use
	// the same classification. Cumulus Linux has no public commands for remapping in tunnels or
	// for classification per port.
	RemappingLost diag.Code = "nvue-remapping-lost"

	// roceplan does not write headroom pools for NVUE. NVUE has them since release 5.17.
	HeadroomPool diag.Code = "nvue-headroom-pool"

	// Only SONiC has the dynamic buffer model. roceplan writes the computed values.
	//
	//	buffer_model = "dynamic"
	Calculator diag.Code = "nvue-calculator"

	// The switch sets this value itself.
	DeviceDecides diag.Code = "nvue-device-decides"

	// The value was rounded to the resolution of Cumulus Linux.
	//
	//	traffic_class "rdma" { pmax = "0.5%" }
	Rounded diag.Code = "nvue-rounded"
)
