package junos

import "github.com/roceplan/roceplan/emit"

// Public sources of Junos Evolved's capabilities.
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
var capabilities = []emit.Capability{
	emit.Cell(emit.Yes, emit.DSCPMap, "", byDesign),
	emit.Cell(emit.No, emit.Remapping, "", "Juniper/yang 24.4R1: no module has it", RemappingLost),
	emit.Cell(emit.No, emit.EdgeMarking, "by DSCP alone, and rewritten where it leaves", byFiveStage, MarkingLost),
	emit.Cell(emit.Yes, emit.Rewriting, "", byFiveStage),
	emit.Cell(emit.Part, emit.FreeNumbers, "the group has the number of the priority", byDesign, DeviceDecides),
	emit.Cell(emit.Yes, emit.PFC, "", byDesign),
	emit.Cell(emit.No, emit.Headroom, "computed from cable and largest frame", byCLI, DeviceDecides),
	emit.Cell(emit.No, emit.PortHeadroom, "computed from cable and largest frame", byCLI, DeviceDecides),
	emit.Cell(emit.No, emit.HeadroomPool, "in whole per cent", byPools, DeviceDecides),
	emit.Cell(emit.No, emit.XOnLevel, "", byCLI, DeviceDecides),
	emit.Cell(emit.Yes, emit.XOnOffset, "in cells", byCLI),
	emit.Cell(emit.No, emit.PGReserve, "", byPools, DeviceDecides),
	emit.Cell(emit.Part, emit.PGAlpha, "1/128 to 8", byAlpha, Threshold),
	emit.Cell(emit.No, emit.PGStatic, "", byAlpha, Threshold),
	emit.Cell(emit.No, emit.PortAlpha, "one for the switch", byAlpha, Conflict),
	emit.Cell(emit.No, emit.PoolSize, "in whole per cent", byPools, DeviceDecides),
	emit.Cell(emit.No, emit.PortBound, "", byPools, DeviceDecides),
	emit.Cell(emit.No, emit.Calculator, "", byCLI, Calculator),
	emit.Cell(emit.Yes, emit.QueueMap, "", byDesign),
	emit.Cell(emit.No, emit.QueueReserve, "", byPools, DeviceDecides),
	emit.Cell(emit.Part, emit.QueueAlpha, "1/128 to 8; lossless queues have that of their partition", byAlpha, Threshold),
	emit.Cell(emit.No, emit.QueueStatic, "", byAlpha, Threshold),
	emit.Cell(emit.Yes, emit.Strict, "", byDesign),
	emit.Cell(emit.Part, emit.Weights, "100 in sum at most, else scaled", byFiveStage, Rounded),
	emit.Cell(emit.Yes, emit.Shaper, "", byFiveStage),
	emit.Cell(emit.No, emit.ECN, "in whole per cent of what the queue may hold", byDesign, Rounded),
	emit.Cell(emit.Yes, emit.Watchdog, "", byYANG),
	emit.Cell(emit.Yes, emit.WatchdogPass, "", byYANG),
	emit.Cell(emit.No, emit.WatchdogAlert, "", byWatchdog, Watchdog),
	emit.Cell(emit.No, emit.Trimming, "", "Juniper/yang 24.4R1: no module has it", TrimmingLost),
	emit.Cell(emit.Yes, emit.MTU, "", byDesign),
	emit.Cell(emit.Yes, emit.Flowlets, "", byDLB),
	emit.Cell(emit.Yes, emit.Adaptive, "per packet, by the quality of links", byDLB),
	emit.Cell(emit.No, emit.Spray, "", byDLB, LoadBalancing),
}
