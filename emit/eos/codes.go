package eos

import "github.com/roceplan/roceplan/diag"

const (
	// EOS does not run on the chip, or no public source shows the commands for it.
	//
	//	switch "leaf-1" {
	//	  chip = "spectrum4"
	//	  os   = "eos"
	//	}
	Platform diag.Code = "eos-platform"

	// The syntax of the queue commands on this chip is assumed from a related chip, because no
	// configuration of this chip was available.
	//
	//	switch "leaf-1" {
	//	  chip = "trident3"
	//	  os   = "eos"
	//	}
	PlatformAssumed diag.Code = "eos-platform-assumed"

	// The name is not valid in an EOS configuration.
	//
	//	port_group "servers" { ports = "swp[1..32]" }
	Name diag.Code = "eos-name"

	// EOS has no buffer commands for this platform, so roceplan cannot write the headroom,
	// thresholds and reserves of the plan. The finding is an error if a lossless class depends on
	// these values, and a warning otherwise. It is always a warning on chips with virtual output
	// queues, because these chips divide their memory themselves.
	//
	//	switch "spine-1" {
	//	  chip = "jericho2"
	//	  os   = "eos"
	//	}
	NoMMU diag.Code = "eos-no-mmu"

	// roceplan writes one buffer profile for the whole switch. Ports that need less headroom,
	// reserve or resume offset get the largest values. Production switches have a profile per
	// speed, applied to interfaces (Cerebras deployment_manager, switch.py), but no public source
	// shows the command that applies it.
	//
	//	port_group "servers" { cable = "5m" }
	//	port_group "uplinks" { cable = "100m" }
	Widened diag.Code = "eos-widened"

	// EOS applies one buffer profile to the whole switch, but two port groups need different
	// thresholds for the same priority group or queue.
	Conflict diag.Code = "eos-conflict"

	// EOS does not support this threshold. EOS has dynamic thresholds from 1/128 to 8, and no
	// static thresholds.
	//
	//	traffic_class "rdma" { alpha = "16" }
	Threshold diag.Code = "eos-threshold"

	// EOS cannot leave a priority group or queue without a threshold. roceplan writes the largest
	// threshold, but leaves lossless queues to EOS.
	Unbounded diag.Code = "eos-unbounded"

	// EOS has no command for this value, such as the size of a pool or the absolute XON level. The
	// switch sets the value itself.
	DeviceDecides diag.Code = "eos-device-decides"

	// EOS uses traffic class N and priority group N for PFC priority N. EOS cannot configure a
	// lossless class with three different numbers.
	//
	//	traffic_class "rdma" {
	//	  queue = 5
	//	  pfc   = 3
	//	}
	Priority diag.Code = "eos-priority"

	// EOS always maps traffic class 7 to queue 7.
	//
	//	traffic_class "cnp" {
	//	  traffic_class = 7
	//	  queue         = 6
	//	}
	QueueSeven diag.Code = "eos-queue-seven"

	// A strict queue has a lower number than a weighted queue. EOS schedules a queue by weight if
	// a higher-numbered queue is weighted, even if the queue itself is strict.
	//
	//	traffic_class "cnp"  { queue = 2  scheduling = strict }
	//	traffic_class "rdma" { queue = 5  weight = 60 }
	StrictOrder diag.Code = "eos-strict-order"

	// EOS does not support this timer or action of the PFC watchdog.
	//
	//	pfc_watchdog { action = "forward" }
	Watchdog diag.Code = "eos-watchdog"

	// The PFC watchdog watches only queues with guaranteed bandwidth. No public configuration or
	// manual shows that EOS accepts `bandwidth guaranteed` on this chip, so roceplan does not
	// write it. Check on a switch whether EOS watches the queues.
	//
	//	switch "spine-1" {
	//	  chip = "jericho2"
	//	  os   = "eos"
	//	}
	//	pfc_watchdog { action = "drop" }
	Unguaranteed diag.Code = "eos-unguaranteed"

	// The switch drops packets that the plan trims. According to Arista, EOS can trim packets by a
	// traffic policy, but the commands are not public.
	//
	//	trimming {
	//	  size = "256B"
	//	  dscp = 48
	//	}
	TrimmingLost diag.Code = "eos-trimming-lost"

	// Packets that the switch sends back through the tunnel stay in their class, and all ports use
	// the same classification. EOS has no public commands for remapping in tunnels or for
	// classification per port.
	RemappingLost diag.Code = "eos-remapping-lost"

	// EOS rewrites the code points of all traffic classes on all ports, or of none. The pinned ones are of
	// some ports, or leave out a traffic class that has several code points, so no rewriting is written.
	//
	//	port_group "servers" {
	//	  pinned { rewrite_dscp = { "1" = 8 } } # of these ports only
	//	}
	RewritingLost diag.Code = "eos-rewriting-lost"

	// EOS does not support this MTU: `mtu` takes packets of 68 B to 9214 B.
	//
	//	fabric "pod" { mtu = "9.5KiB" }
	MTU diag.Code = "eos-mtu"

	// roceplan writes switched ports, which is EOS's default. Only routed ports obey `mtu` (EOS
	// User Manual, Ethernet Ports), so switched ports forward frames larger than the fabric uses.
	//
	//	port_group "uplinks" { speed = "100Gbps" } # without routed = true
	Switched diag.Code = "eos-switched"

	// EOS does not support this load balancing on this platform.
	//
	//	fabric "pod" { load_balancing = "spray" }
	LoadBalancing diag.Code = "eos-load-balancing"

	// The value was rounded to the resolution of EOS.
	//
	//	traffic_class "rdma" { pmax = "0.5%" }
	Rounded diag.Code = "eos-rounded"
)
