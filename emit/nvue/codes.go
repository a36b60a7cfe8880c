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

	// A name is not valid in an NVUE command.
	//
	//	port_group "servers" { ports = "Ethernet[0..31]" }
	Name diag.Code = "nvue-name"

	// Cumulus Linux has one number, the switch priority, for the PFC priority and the
	// traffic class, and pauses the queue that it maps to.
	//
	//	traffic_class "rdma" {
	//	  traffic_class = 4
	//	  pfc           = 3
	//	}
	Priority diag.Code = "nvue-priority"

	// Cumulus Linux has one lossless priority group on a port.
	//
	//	traffic_class "rdma"  { pfc = 3 }
	//	traffic_class "store" { pfc = 4 }
	OneLossless diag.Code = "nvue-one-lossless"

	// Thresholds and reserves are those of the whole switch, and two port groups want
	// different ones.
	Conflict diag.Code = "nvue-conflict"

	// A threshold that Cumulus Linux does not offer: dynamic ones go from 1/128 to 64,
	// and a pool has either dynamic or static ones.
	//
	//	traffic_class "rdma" { alpha = "1/256" }
	Threshold diag.Code = "nvue-threshold"

	// A pool is less than 1 % of what is shared: Cumulus Linux takes whole per cent, and a pool
	// of 0 % shares nothing.
	//
	//	lossy_pool = "100kB"
	PoolTooSmall diag.Code = "nvue-pool-too-small"

	// DWRR weights are per cent of the rate, and must not add up to more.
	//
	//	traffic_class "rdma" { weight = 90 }
	//	traffic_class "rest" { weight = 30 }
	Weights diag.Code = "nvue-weights"

	// A timer or an action of the PFC watchdog that Cumulus Linux does not have.
	//
	//	pfc_watchdog { action = "forward" }
	Watchdog diag.Code = "nvue-watchdog"

	// A part of the marking rules is lost: a mapping knows code points alone, and remarking
	// one code point for each switch priority.
	//
	//	marking { udp_port = 4791 }
	MarkingLost diag.Code = "nvue-marking-lost"

	// A way of balancing load that Cumulus Linux does not offer, or not on these ports.
	//
	//	fabric "pod" { load_balancing = "spray" }
	LoadBalancing diag.Code = "nvue-load-balancing"

	// Headroom is left to the switch, which computes it from speed and length of the cable by
	// figures that nobody publishes, so that nothing of it can be proved.
	HeadroomLeft diag.Code = "nvue-headroom-left"

	// Packets are dropped that the plan cuts: the chip cannot, or not to this size.
	//
	//	trimming {
	//	  size = "2kB"
	//	  dscp = 48
	//	}
	TrimmingLost diag.Code = "nvue-trimming-lost"

	// Packets that a switch of a pair sends back stay in their class, and all ports classify
	// alike: no line for anything else is public.
	RemappingLost diag.Code = "nvue-remapping-lost"

	// A headroom pool, which NVUE has from release 5.17 on and this version does not print.
	HeadroomPool diag.Code = "nvue-headroom-pool"

	// The dynamic buffer model is SONiC's; what the plan computed is written.
	//
	//	buffer_model = "dynamic"
	Calculator diag.Code = "nvue-calculator"

	// The switch sets this value itself.
	DeviceDecides diag.Code = "nvue-device-decides"

	// A value was rounded to the step that Cumulus Linux takes.
	//
	//	traffic_class "rdma" { pmax = "0.5%" }
	Rounded diag.Code = "nvue-rounded"
)
