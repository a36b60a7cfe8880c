package nvue

import "github.com/roceplan/roceplan/emit"

// Public sources of Cumulus Linux's capabilities.
const (
	byGuide     = "Cumulus Linux 5.14 user guide, Quality of Service"
	byTuning    = "Cumulus Linux user guide, Quality of Service, Advanced Buffer Tuning: settings for the default-global profile alone"
	byReference = "NVUE command reference, QoS (Cumulus Linux 5.17)"
	byTrimming  = "Cumulus Linux 5.15 user guide, Quality of Service, Packet Trimming; NVUE command reference, Packet Trimming"
	byRouting   = "Cumulus Linux user guide, Equal Cost Multipath Load Sharing, Adaptive Routing"
	byAttribute = "Cumulus Linux 5.14 user guide, Switch Port Attributes"
)

// capabilities says of every intent what Cumulus Linux carries of it.
var capabilities = []emit.Capability{
	emit.Cell(emit.Yes, emit.DSCPMap, "", byGuide),
	emit.Cell(emit.No, emit.Remapping, "", "Cumulus Linux 5.15 user guide: no command for it", RemappingLost),
	emit.Cell(emit.Part, emit.EdgeMarking, "by DSCP alone, not by UDP port", byGuide, MarkingLost),
	emit.Cell(emit.Yes, emit.Rewriting, "", byGuide),
	emit.Cell(emit.No, emit.FreeNumbers, "one number for all", byGuide, Priority),
	emit.Cell(emit.Yes, emit.PFC, "", byGuide),
	emit.Cell(emit.Yes, emit.Headroom, "", byGuide),
	emit.Cell(emit.Yes, emit.PortHeadroom, "", byGuide),
	emit.Cell(emit.No, emit.HeadroomPool, "", byReference, HeadroomPool),
	emit.Cell(emit.Yes, emit.XOnLevel, "as a distance below the reserve", byGuide),
	emit.Cell(emit.Part, emit.XOnOffset, "at most the reserve", byGuide, DeviceDecides),
	emit.Cell(emit.Yes, emit.PGReserve, "", byGuide),
	emit.Cell(emit.Yes, emit.PGAlpha, "", byGuide),
	emit.Cell(emit.Yes, emit.PGStatic, "in a pool without dynamic ones", byGuide),
	emit.Cell(emit.No, emit.PortAlpha, "one profile for the switch", byTuning, Conflict),
	emit.Cell(emit.No, emit.PoolSize, "in per cent", byGuide, DeviceDecides),
	emit.Cell(emit.Yes, emit.PortBound, "", byGuide),
	emit.Cell(emit.No, emit.Calculator, "", byGuide, Calculator),
	emit.Cell(emit.Yes, emit.QueueMap, "", byGuide),
	emit.Cell(emit.Yes, emit.QueueReserve, "", byReference),
	emit.Cell(emit.Yes, emit.QueueAlpha, "", byReference),
	emit.Cell(emit.Yes, emit.QueueStatic, "in a pool without dynamic ones", byGuide),
	emit.Cell(emit.Yes, emit.Strict, "", byGuide),
	emit.Cell(emit.Part, emit.Weights, "100 in sum at most", byGuide, Weights),
	emit.Cell(emit.Yes, emit.Shaper, "", byGuide),
	emit.Cell(emit.Part, emit.ECN, "Pmax in whole per cent", byReference, Rounded),
	emit.Cell(emit.No, emit.Watchdog, "all but the restoration time", byGuide, Watchdog),
	emit.Cell(emit.No, emit.WatchdogPass, "", byGuide, Watchdog),
	emit.Cell(emit.No, emit.WatchdogAlert, "", byGuide, Watchdog),
	emit.Cell(emit.Part, emit.Trimming, "from Spectrum-4 on, 256 to 1024 B in fours", byTrimming, TrimmingLost),
	emit.Cell(emit.Yes, emit.MTU, "", byAttribute),
	emit.Cell(emit.No, emit.Flowlets, "", byRouting, LoadBalancing),
	emit.Cell(emit.Part, emit.Adaptive, "from Spectrum-4 on, not at 800G there", byRouting, LoadBalancing),
	emit.Cell(emit.No, emit.Spray, "", byRouting, LoadBalancing),
}
