package nvue

import "github.com/roceplan/roceplan/emit"

// Public sources of what Cumulus Linux can be told.
const (
	byGuide     = "Cumulus Linux 5.14 user guide, Quality of Service"
	byTuning    = "Cumulus Linux user guide, Quality of Service, Advanced Buffer Tuning: settings for the default-global profile alone"
	byReference = "NVUE command reference, QoS (Cumulus Linux 5.17)"
	byTrimming  = "Cumulus Linux 5.15 user guide, Quality of Service, Packet Trimming; NVUE command reference, Packet Trimming"
	byRouting   = "Cumulus Linux user guide, Equal Cost Multipath Load Sharing, Adaptive Routing"
	byAttribute = "Cumulus Linux 5.14 user guide, Switch Port Attributes"
)

// capabilities says of every intent what Cumulus Linux carries of it.
func capabilities() []emit.Capability {
	cell := emit.Cell
	return []emit.Capability{
		cell(emit.Yes, emit.DSCPMap, "", byGuide),
		cell(emit.No, emit.Remapping, "", "Cumulus Linux 5.15 user guide: no command for it", RemappingLost),
		cell(emit.Part, emit.EdgeMarking, "by DSCP alone, not by UDP port", byGuide, MarkingLost),
		cell(emit.No, emit.FreeNumbers, "one number for all", byGuide, Priority),
		cell(emit.Yes, emit.PFC, "", byGuide),
		cell(emit.Yes, emit.Headroom, "", byGuide),
		cell(emit.Yes, emit.PortHeadroom, "", byGuide),
		cell(emit.No, emit.HeadroomPool, "", byReference, HeadroomPool),
		cell(emit.Yes, emit.XOnLevel, "as a distance below the reserve", byGuide),
		cell(emit.Part, emit.XOnOffset, "at most the reserve", byGuide, DeviceDecides),
		cell(emit.Yes, emit.PGReserve, "", byGuide),
		cell(emit.Yes, emit.PGAlpha, "", byGuide),
		cell(emit.Yes, emit.PGStatic, "in a pool without dynamic ones", byGuide),
		cell(emit.No, emit.PortAlpha, "one profile for the switch", byTuning, Conflict),
		cell(emit.No, emit.PoolSize, "in per cent", byGuide, DeviceDecides),
		cell(emit.Yes, emit.PortBound, "", byGuide),
		cell(emit.No, emit.Calculator, "", byGuide, Calculator),
		cell(emit.Yes, emit.QueueMap, "", byGuide),
		cell(emit.Yes, emit.QueueReserve, "", byReference),
		cell(emit.Yes, emit.QueueAlpha, "", byReference),
		cell(emit.Yes, emit.QueueStatic, "in a pool without dynamic ones", byGuide),
		cell(emit.Yes, emit.Strict, "", byGuide),
		cell(emit.Part, emit.Weights, "100 in sum at most", byGuide, Weights),
		cell(emit.Yes, emit.Shaper, "", byGuide),
		cell(emit.Part, emit.ECN, "Pmax in whole per cent", byReference, Rounded),
		cell(emit.No, emit.Watchdog, "all but the restoration time", byGuide, Watchdog),
		cell(emit.No, emit.WatchdogPass, "", byGuide, Watchdog),
		cell(emit.No, emit.WatchdogAlert, "", byGuide, Watchdog),
		cell(emit.Part, emit.Trimming, "from Spectrum-4 on, 256 to 1024 B in fours", byTrimming, TrimmingLost),
		cell(emit.Yes, emit.MTU, "", byAttribute),
		cell(emit.No, emit.Flowlets, "", byRouting, LoadBalancing),
		cell(emit.Part, emit.Adaptive, "from Spectrum-4 on, not at 800G there", byRouting, LoadBalancing),
		cell(emit.No, emit.Spray, "", byRouting, LoadBalancing),
	}
}
