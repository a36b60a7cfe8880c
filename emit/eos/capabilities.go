package eos

import "github.com/roceplan/roceplan/emit"

// Public sources of what EOS can be told, beside those of the platforms.
const (
	byQoS      = "aristanetworks/avd molecule eos_cli_config_gen qos.cfg @3cac535c"
	byEdge     = "aristanetworks/avd eos/policy-maps-qos.j2 @28c3292d, ip-access-lists.j2 @095c8687"
	byPFC      = "aristanetworks/avd qos_profiles schema @095c8687; docs.habana.ai, Configuration_Files_Example_L2"
	byNumber   = "EOS user manual, DCBX and flow control: priority-flow-control priority N pauses traffic class N"
	byNone     = "no line in aristanetworks/avd platform schema @032c0c2c, nor in EOS user manual, Quality of Service"
	byAlphas   = "aristanetworks/avd platform schema @032c0c2c: thresholds from 1/128 to 8"
	byOrder    = "EOS user manual, Quality of Service: no priority acts on all lower queues"
	byPercent  = "aristanetworks/avd qos_profiles schema @095c8687: bandwidth and mark probability in per cent"
	byWatchdog = "aristanetworks/avd priority_flow_control schema @32666f05: drop, errdisable, notify-only"
	byMTU      = "aristanetworks/avd ethernet_interfaces schema @94f3aabf: mtu"
	byDLB      = "TOI 4.30.0F, Dynamic Load Balancing; aristanetworks/avd ip_hardware schema @0a29e185"
)

// Notes that several intents share.
const (
	xgsOnly = "on Trident and Tomahawk, not on Jericho"
	inMenu  = "1/128 to 8, on Trident and Tomahawk, not on Jericho"
)

// capabilities says of every intent how EOS can be configured for it.
func capabilities() []emit.Capability {
	cell := emit.Cell
	return []emit.Capability{
		cell(emit.Yes, emit.DSCPMap, "", byQoS),
		cell(emit.No, emit.Remapping, "", "no text of Arista that is public has a line for it", RemappingLost),
		cell(emit.Yes, emit.EdgeMarking, "", byEdge),
		cell(emit.No, emit.FreeNumbers, "one number for all", byNumber, Priority),
		cell(emit.Yes, emit.PFC, "", byPFC),
		cell(emit.Part, emit.Headroom, xgsOnly, bySchema, NoMMU),
		cell(emit.No, emit.PortHeadroom, "all ports get the largest", bySchema, Widened, NoMMU),
		cell(emit.Part, emit.HeadroomPool, "from Trident 3 and Tomahawk on, not on Jericho", bySchema, NoMMU),
		cell(emit.No, emit.XOnLevel, "the device decides", byNone, DeviceDecides),
		cell(emit.Part, emit.XOnOffset, xgsOnly, bySchema, NoMMU),
		cell(emit.Part, emit.PGReserve, xgsOnly, bySchema, NoMMU),
		cell(emit.Part, emit.PGAlpha, inMenu, byAlphas, Threshold, NoMMU),
		cell(emit.No, emit.PGStatic, "", byAlphas, Threshold, NoMMU),
		cell(emit.No, emit.PortAlpha, "one profile for the switch", bySchema, Conflict, NoMMU),
		cell(emit.No, emit.PoolSize, "the device decides", byNone, DeviceDecides),
		cell(emit.No, emit.PortBound, "", byNone, NoMMU),
		cell(emit.No, emit.Calculator, "", byNone, NoMMU),
		cell(emit.Yes, emit.QueueMap, "", byQoS),
		cell(emit.Part, emit.QueueReserve, xgsOnly, bySchema, NoMMU),
		cell(emit.Part, emit.QueueAlpha, inMenu, byAlphas, Threshold, NoMMU),
		cell(emit.No, emit.QueueStatic, "", byAlphas, Threshold, NoMMU),
		cell(emit.Part, emit.Strict, "above queues that share by weight", byOrder, StrictOrder),
		cell(emit.Part, emit.Weights, "100 in sum at most, else scaled", byPercent, Rounded),
		cell(emit.Yes, emit.Shaper, "", byQoS),
		cell(emit.Part, emit.ECN, "Pmax in whole per cent", byPercent, Rounded),
		cell(emit.Yes, emit.Watchdog, "", byWatchdog),
		cell(emit.No, emit.WatchdogPass, "", byWatchdog, Watchdog),
		cell(emit.Yes, emit.WatchdogAlert, "", byWatchdog),
		cell(emit.No, emit.Trimming, "", "Arista TOI, 2025-10-16, packet trimming: by ingress traffic policy; no line is public", TrimmingLost),
		cell(emit.Yes, emit.MTU, "", byMTU),
		cell(emit.Part, emit.Flowlets, "from Trident 3 and Tomahawk on, not on Jericho", byDLB, LoadBalancing),
		cell(emit.No, emit.Adaptive, "", byDLB, LoadBalancing),
		cell(emit.No, emit.Spray, "", byDLB, LoadBalancing),
	}
}
