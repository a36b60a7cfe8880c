package eos

import "github.com/roceplan/roceplan/emit"

// Public sources of EOS's capabilities, in addition to those of the platforms.
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
var capabilities = []emit.Capability{
	emit.Cell(emit.Yes, emit.DSCPMap, "", byQoS),
	emit.Cell(emit.No, emit.Remapping, "", "no text of Arista that is public has a line for it", RemappingLost),
	emit.Cell(emit.Yes, emit.EdgeMarking, "", byEdge),
	emit.Cell(emit.Part, emit.Rewriting, "all ports alike, and all traffic classes", byQoS, RewritingLost),
	emit.Cell(emit.No, emit.FreeNumbers, "one number for all", byNumber, Priority),
	emit.Cell(emit.Yes, emit.PFC, "", byPFC),
	emit.Cell(emit.Part, emit.Headroom, xgsOnly, bySchema, NoMMU),
	emit.Cell(emit.No, emit.PortHeadroom, "all ports get the largest", bySchema, Widened, NoMMU),
	emit.Cell(emit.Part, emit.HeadroomPool, "from Trident 3 and Tomahawk on, not on Jericho", bySchema, NoMMU),
	emit.Cell(emit.No, emit.XOnLevel, "the device decides", byNone, DeviceDecides),
	emit.Cell(emit.Part, emit.XOnOffset, xgsOnly, bySchema, NoMMU),
	emit.Cell(emit.Part, emit.PGReserve, xgsOnly, bySchema, NoMMU),
	emit.Cell(emit.Part, emit.PGAlpha, inMenu, byAlphas, Threshold, NoMMU),
	emit.Cell(emit.No, emit.PGStatic, "", byAlphas, Threshold, NoMMU),
	emit.Cell(emit.No, emit.PortAlpha, "one profile for the switch", bySchema, Conflict, NoMMU),
	emit.Cell(emit.No, emit.PoolSize, "the device decides", byNone, DeviceDecides),
	emit.Cell(emit.No, emit.PortBound, "", byNone, NoMMU),
	emit.Cell(emit.No, emit.Calculator, "", byNone, NoMMU),
	emit.Cell(emit.Yes, emit.QueueMap, "", byQoS),
	emit.Cell(emit.Part, emit.QueueReserve, xgsOnly, bySchema, NoMMU),
	emit.Cell(emit.Part, emit.QueueAlpha, inMenu, byAlphas, Threshold, NoMMU),
	emit.Cell(emit.No, emit.QueueStatic, "", byAlphas, Threshold, NoMMU),
	emit.Cell(emit.Part, emit.Strict, "above queues that share by weight", byOrder, StrictOrder),
	emit.Cell(emit.Part, emit.Weights, "100 in sum at most, else scaled", byPercent, Rounded),
	emit.Cell(emit.Yes, emit.Shaper, "", byQoS),
	emit.Cell(emit.Part, emit.ECN, "Pmax in whole per cent", byPercent, Rounded),
	emit.Cell(emit.Yes, emit.Watchdog, "", byWatchdog),
	emit.Cell(emit.No, emit.WatchdogPass, "", byWatchdog, Watchdog),
	emit.Cell(emit.Yes, emit.WatchdogAlert, "", byWatchdog),
	emit.Cell(emit.No, emit.Trimming, "", "Arista TOI, 2025-10-16, packet trimming: by ingress traffic policy; no line is public", TrimmingLost),
	emit.Cell(emit.Yes, emit.MTU, "", byMTU),
	emit.Cell(emit.Part, emit.Flowlets, "from Trident 3 and Tomahawk on, not on Jericho", byDLB, LoadBalancing),
	emit.Cell(emit.No, emit.Adaptive, "", byDLB, LoadBalancing),
	emit.Cell(emit.No, emit.Spray, "", byDLB, LoadBalancing),
}
