package openconfig

import "github.com/roceplan/roceplan/emit"

// Public sources of what the models carry and EOS accepts.
const (
	byModel = "openconfig/public openconfig-qos 2.2.0 @94f58962"
	byMTU   = "openconfig/public openconfig-interfaces: mtu, 1514 for a packet of 1500 B"
	// Arista has PFC in models of its own, but no headroom, so the EOS target says both.
	byAugments = byModel + "; aristanetworks/yang arista-qos-augments 0.0.4 has PFC and watchdog without headroom, and the EOS target says all of it"
	byEOS      = "aristanetworks/yang EOS-4.36.1F: arista-qos-deviations, not-supported"
)

// otherThanEOS is the note on leaves of the models that EOS refuses.
const otherThanEOS = "not on EOS, which refuses the leaves"

// capabilities says of every intent what the models carry of it.
var capabilities = []emit.Capability{
	emit.Cell(emit.Yes, emit.DSCPMap, "", byModel),
	emit.Cell(emit.No, emit.Remapping, "", byModel, Lost),
	emit.Cell(emit.Part, emit.EdgeMarking, otherThanEOS, byEOS, Refused),
	emit.Cell(emit.No, emit.Rewriting, "", byModel, Lost),
	emit.Cell(emit.No, emit.FreeNumbers, "", byModel, Lost),
	emit.Cell(emit.No, emit.PFC, "", byAugments, Lost),
	emit.Cell(emit.No, emit.Headroom, "", byModel, Lost),
	emit.Cell(emit.No, emit.PortHeadroom, "", byModel, Lost),
	emit.Cell(emit.No, emit.HeadroomPool, "", byModel, Lost),
	emit.Cell(emit.No, emit.XOnLevel, "", byModel, Lost),
	emit.Cell(emit.No, emit.XOnOffset, "", byModel, Lost),
	emit.Cell(emit.No, emit.PGReserve, "", byModel, Lost),
	emit.Cell(emit.No, emit.PGAlpha, "", byModel, Lost),
	emit.Cell(emit.No, emit.PGStatic, "", byModel, Lost),
	emit.Cell(emit.No, emit.PortAlpha, "", byModel, Lost),
	emit.Cell(emit.No, emit.PoolSize, "", byModel, Lost),
	emit.Cell(emit.No, emit.PortBound, "", byModel, Lost),
	emit.Cell(emit.No, emit.Calculator, "", byModel, Lost),
	emit.Cell(emit.Yes, emit.QueueMap, "", byModel),
	emit.Cell(emit.Part, emit.QueueReserve, otherThanEOS, byEOS, Refused),
	emit.Cell(emit.Part, emit.QueueAlpha, otherThanEOS, byEOS, Refused),
	emit.Cell(emit.Part, emit.QueueStatic, otherThanEOS, byEOS, Refused),
	emit.Cell(emit.Yes, emit.Strict, "", byModel),
	emit.Cell(emit.Yes, emit.Weights, "", byModel),
	emit.Cell(emit.Part, emit.Shaper, "of strict queues", byModel, Lost),
	emit.Cell(emit.Part, emit.ECN, "Pmax in whole per cent", byModel, Rounded),
	emit.Cell(emit.No, emit.Watchdog, "", byAugments, Lost),
	emit.Cell(emit.No, emit.WatchdogPass, "", byAugments, Lost),
	emit.Cell(emit.No, emit.WatchdogAlert, "", byAugments, Lost),
	emit.Cell(emit.No, emit.Trimming, "", byModel, Lost),
	emit.Cell(emit.Part, emit.MTU, "not on EOS, whose mtu counts packets", byMTU, Lost),
	emit.Cell(emit.No, emit.Flowlets, "", byModel, Lost),
	emit.Cell(emit.No, emit.Adaptive, "", byModel, Lost),
	emit.Cell(emit.No, emit.Spray, "", byModel, Lost),
}
