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

// otherThanEOS is what EOS refuses of the models.
const otherThanEOS = "not on EOS, which refuses the leaves"

// capabilities says of every intent what the models carry of it.
func capabilities() []emit.Capability {
	cell := emit.Cell
	no := func(intent emit.Intent) emit.Capability { return cell(emit.No, intent, "", byModel, Lost) }
	return []emit.Capability{
		cell(emit.Yes, emit.DSCPMap, "", byModel),
		no(emit.Remapping),
		cell(emit.Part, emit.EdgeMarking, otherThanEOS, byEOS, Refused),
		no(emit.FreeNumbers),
		cell(emit.No, emit.PFC, "", byAugments, Lost),
		no(emit.Headroom),
		no(emit.PortHeadroom),
		no(emit.HeadroomPool),
		no(emit.XOnLevel),
		no(emit.XOnOffset),
		no(emit.PGReserve),
		no(emit.PGAlpha),
		no(emit.PGStatic),
		no(emit.PortAlpha),
		no(emit.PoolSize),
		no(emit.PortBound),
		no(emit.Calculator),
		cell(emit.Yes, emit.QueueMap, "", byModel),
		cell(emit.Part, emit.QueueReserve, otherThanEOS, byEOS, Refused),
		cell(emit.Part, emit.QueueAlpha, otherThanEOS, byEOS, Refused),
		cell(emit.Part, emit.QueueStatic, otherThanEOS, byEOS, Refused),
		cell(emit.Yes, emit.Strict, "", byModel),
		cell(emit.Yes, emit.Weights, "", byModel),
		cell(emit.Part, emit.Shaper, "of strict queues", byModel, Lost),
		cell(emit.Part, emit.ECN, "Pmax in whole per cent", byModel, Rounded),
		cell(emit.No, emit.Watchdog, "", byAugments, Lost),
		cell(emit.No, emit.WatchdogPass, "", byAugments, Lost),
		cell(emit.No, emit.WatchdogAlert, "", byAugments, Lost),
		no(emit.Trimming),
		cell(emit.Part, emit.MTU, "not on EOS, whose mtu counts packets", byMTU, Lost),
		no(emit.Flowlets),
		no(emit.Adaptive),
		no(emit.Spray),
	}
}
