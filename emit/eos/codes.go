package eos

import "github.com/roceplan/roceplan/diag"

const (
	// EOS does not run on the chip, or nothing public says which lines it takes there.
	//
	//	switch "leaf-1" {
	//	  chip = "spectrum4"
	//	  os   = "eos"
	//	}
	Platform diag.Code = "eos-platform"

	// The spelling of the queue lines on this chip rests on analogy with a sibling,
	// not on a configuration that was seen.
	//
	//	switch "leaf-1" {
	//	  chip = "trident3"
	//	  os   = "eos"
	//	}
	PlatformAssumed diag.Code = "eos-platform-assumed"

	// A name is not valid in an EOS configuration.
	//
	//	port_group "servers" { ports = "swp[1..32]" }
	Name diag.Code = "eos-name"

	// EOS has no lines for buffers on this platform, so headroom, thresholds and
	// reserves of the plan would be lost. An error where a lossless class depends on
	// them, a warning otherwise, and on chips with virtual output queues, which divide
	// their memory themselves.
	//
	//	switch "spine-1" {
	//	  chip = "jericho2"
	//	  os   = "eos"
	//	}
	NoMMU diag.Code = "eos-no-mmu"

	// One buffer profile is printed for the whole switch; ports that need less headroom,
	// reserve or resume offset than others get the largest. Switches in production have a
	// profile for each speed, applied at interfaces (Cerebras deployment_manager, switch.py),
	// but no public source shows the line that does so.
	//
	//	port_group "servers" { cable = "5m" }
	//	port_group "uplinks" { cable = "100m" }
	Widened diag.Code = "eos-widened"

	// EOS applies one buffer profile to the whole switch, and two port groups want
	// different thresholds for the same priority group or queue.
	Conflict diag.Code = "eos-conflict"

	// A threshold that EOS does not offer: dynamic ones go from 1/128 to 8, and there
	// are no static ones.
	//
	//	traffic_class "rdma" { alpha = "16" }
	Threshold diag.Code = "eos-threshold"

	// A priority group or queue that nothing but its pool should bound: EOS has no line
	// for that. It gets the largest threshold; a lossless queue is left to EOS.
	Unbounded diag.Code = "eos-unbounded"

	// EOS sets these values itself, and offers no line for them: the size of a pool, the
	// absolute XON level.
	DeviceDecides diag.Code = "eos-device-decides"

	// EOS pauses priority N for traffic class N, and counts it in priority group N. A
	// lossless class that uses three different numbers cannot be said.
	//
	//	traffic_class "rdma" {
	//	  queue = 5
	//	  pfc   = 3
	//	}
	Priority diag.Code = "eos-priority"

	// Traffic class 7 and queue 7 belong together on EOS, and cannot be parted.
	//
	//	traffic_class "cnp" {
	//	  traffic_class = 7
	//	  queue         = 6
	//	}
	QueueSeven diag.Code = "eos-queue-seven"

	// A strict queue below one that shares by weight: EOS shares a queue by weight
	// whenever it shares a higher one, whatever the queue itself says.
	//
	//	traffic_class "cnp"  { queue = 2  scheduling = strict }
	//	traffic_class "rdma" { queue = 5  weight = 60 }
	StrictOrder diag.Code = "eos-strict-order"

	// A timer or an action of the PFC watchdog that EOS does not take.
	//
	//	pfc_watchdog { action = "forward" }
	Watchdog diag.Code = "eos-watchdog"

	// The PFC watchdog watches only queues with guaranteed bandwidth, and no public
	// configuration or manual shows that EOS takes `bandwidth guaranteed` on this chip. The
	// line is left out, and whether the queues are watched must be seen on a switch.
	//
	//	switch "spine-1" {
	//	  chip = "jericho2"
	//	  os   = "eos"
	//	}
	//	pfc_watchdog { action = "drop" }
	Unguaranteed diag.Code = "eos-unguaranteed"

	// Packets are dropped that the plan cuts: Arista publishes that EOS can, by traffic policy, and not by which lines.
	//
	//	trimming {
	//	  size = "256B"
	//	  dscp = 48
	//	}
	TrimmingLost diag.Code = "eos-trimming-lost"

	// Packets that a switch of a pair sends back stay in their class, and all ports classify
	// alike: no line for anything else is public.
	RemappingLost diag.Code = "eos-remapping-lost"

	// A largest frame that EOS cannot be told: `mtu` goes from 68 B to 9214 B of packet.
	//
	//	fabric "pod" { mtu = "9.5KiB" }
	MTU diag.Code = "eos-mtu"

	// Ports are printed as EOS has them by itself, switched, and `mtu` is obeyed by routed ports
	// alone (EOS user manual, Ethernet Ports): larger frames than the fabric uses pass.
	//
	//	port_group "uplinks" { speed = "100Gbps" } # without routed = true
	Switched diag.Code = "eos-switched"

	// A way of balancing load that EOS does not offer on this platform.
	//
	//	fabric "pod" { load_balancing = "spray" }
	LoadBalancing diag.Code = "eos-load-balancing"

	// A value was rounded to the step that EOS takes.
	//
	//	traffic_class "rdma" { pmax = "0.5%" }
	Rounded diag.Code = "eos-rounded"
)
