package junos

import "github.com/roceplan/roceplan/emit"

// Public sources of what Junos Evolved can be told.
const (
	byDesign    = "Juniper validated design, AI/ML multitenancy backend, QFX5240 configurations"
	byFiveStage = "Juniper validated design, 5-stage EVPN/VXLAN, QFX5130, QFX5220 and QFX5230 configurations"
	byYANG      = "Juniper/yang 24.4R1, junos-qfx-conf-class-of-service"
	byCLI       = "Junos CLI reference, congestion-notification-profile, cable-length, xon"
	byPools     = "Junos CLI reference, buffer-partition"
	byAlpha     = "Juniper TechPost, QFX5K Series Switches Packet Buffer Architecture; CLI reference, buffer-dynamic-threshold"
	byWatchdog  = "Junos AI-ML Data Center Feature Guide, PFC watchdog"
	byDLB       = "Junos AI-ML Data Center Feature Guide, Dynamic Load Balancing"
)

// capabilities says of every intent what Junos Evolved carries of it.
func capabilities() []emit.Capability {
	cell := emit.Cell
	return []emit.Capability{
		cell(emit.Yes, emit.DSCPMap, "", byDesign),
		cell(emit.No, emit.Remapping, "", "Juniper/yang 24.4R1: no module has it", RemappingLost),
		cell(emit.No, emit.EdgeMarking, "by DSCP alone, and rewritten where it leaves", byFiveStage, MarkingLost),
		cell(emit.Part, emit.FreeNumbers, "the group has the number of the priority", byDesign, DeviceDecides),
		cell(emit.Yes, emit.PFC, "", byDesign),
		cell(emit.No, emit.Headroom, "computed from cable and largest frame", byCLI, DeviceDecides),
		cell(emit.No, emit.PortHeadroom, "computed from cable and largest frame", byCLI, DeviceDecides),
		cell(emit.No, emit.HeadroomPool, "in whole per cent", byPools, DeviceDecides),
		cell(emit.No, emit.XOnLevel, "", byCLI, DeviceDecides),
		cell(emit.Yes, emit.XOnOffset, "in cells", byCLI),
		cell(emit.No, emit.PGReserve, "", byPools, DeviceDecides),
		cell(emit.Part, emit.PGAlpha, "1/128 to 8", byAlpha, Threshold),
		cell(emit.No, emit.PGStatic, "", byAlpha, Threshold),
		cell(emit.No, emit.PortAlpha, "one for the switch", byAlpha, Conflict),
		cell(emit.No, emit.PoolSize, "in whole per cent", byPools, DeviceDecides),
		cell(emit.No, emit.PortBound, "", byPools, DeviceDecides),
		cell(emit.No, emit.Calculator, "", byCLI, Calculator),
		cell(emit.Yes, emit.QueueMap, "", byDesign),
		cell(emit.No, emit.QueueReserve, "", byPools, DeviceDecides),
		cell(emit.Part, emit.QueueAlpha, "1/128 to 8; lossless queues have that of their partition", byAlpha, Threshold),
		cell(emit.No, emit.QueueStatic, "", byAlpha, Threshold),
		cell(emit.Yes, emit.Strict, "", byDesign),
		cell(emit.Part, emit.Weights, "100 in sum at most, else scaled", byFiveStage, Rounded),
		cell(emit.Yes, emit.Shaper, "", byFiveStage),
		cell(emit.No, emit.ECN, "in whole per cent of what the queue may hold", byDesign, Rounded),
		cell(emit.Yes, emit.Watchdog, "", byYANG),
		cell(emit.Yes, emit.WatchdogPass, "", byYANG),
		cell(emit.No, emit.WatchdogAlert, "", byWatchdog, Watchdog),
		cell(emit.No, emit.Trimming, "", "Juniper/yang 24.4R1: no module has it", TrimmingLost),
		cell(emit.Yes, emit.MTU, "", byDesign),
		cell(emit.Yes, emit.Flowlets, "", byDLB),
		cell(emit.Yes, emit.Adaptive, "per packet, by the quality of links", byDLB),
		cell(emit.No, emit.Spray, "", byDLB, LoadBalancing),
	}
}
