package srlinux

import "github.com/roceplan/roceplan/emit"

// Public sources of what SR Linux can be told.
const (
	byModel      = "nokia/srlinux-yang-models v25.3.1, srl_nokia-qos 2025-03-31"
	byInterfaces = "nokia/srlinux-yang-models v25.3.1, srl_nokia-interfaces"
	byGuide      = "Nokia SR Linux 25.10 QoS guide, priority-based flow control"
	byBalancing  = "nokia/srlinux-yang-models v25.3.1, srl_nokia-load-balancing: hashing alone"
)

// capabilities says of every intent what SR Linux carries of it.
func capabilities() []emit.Capability {
	cell := emit.Cell
	return []emit.Capability{
		cell(emit.Yes, emit.DSCPMap, "", byModel),
		cell(emit.No, emit.Remapping, "", "nokia/srlinux-yang-models: no module has it", RemappingLost),
		cell(emit.No, emit.EdgeMarking, "by DSCP alone, and rewritten where it leaves", byModel, MarkingLost),
		cell(emit.Yes, emit.FreeNumbers, "", byModel),
		cell(emit.Yes, emit.PFC, "", byModel),
		cell(emit.Yes, emit.Headroom, "in bytes", byModel),
		cell(emit.Yes, emit.PortHeadroom, "in bytes", byModel),
		cell(emit.No, emit.HeadroomPool, "in whole per cent", byModel, Rounded),
		cell(emit.No, emit.XOnLevel, "on 7250 IXR alone", byGuide, DeviceDecides),
		cell(emit.No, emit.XOnOffset, "on 7250 IXR alone", byGuide, DeviceDecides),
		cell(emit.No, emit.PGReserve, "", byModel, DeviceDecides),
		cell(emit.No, emit.PGAlpha, "as a static limit", byModel, Threshold),
		cell(emit.Yes, emit.PGStatic, "", byModel),
		cell(emit.No, emit.PortAlpha, "as static limits", byModel, Threshold),
		cell(emit.No, emit.PoolSize, "", byModel, DeviceDecides),
		cell(emit.No, emit.PortBound, "", byModel, DeviceDecides),
		cell(emit.No, emit.Calculator, "", byModel, Calculator),
		cell(emit.Yes, emit.QueueMap, "", byModel),
		cell(emit.No, emit.QueueReserve, "", byModel, DeviceDecides),
		cell(emit.No, emit.QueueAlpha, "as a static limit", byModel, Threshold),
		cell(emit.Yes, emit.QueueStatic, "", byModel),
		cell(emit.Yes, emit.Strict, "", byModel),
		cell(emit.Yes, emit.Weights, "", byModel),
		cell(emit.Yes, emit.Shaper, "in whole per cent of the port's rate", byModel),
		cell(emit.Part, emit.ECN, "Kmin and Kmax in bytes, Pmax in whole per cent", byModel, Rounded),
		cell(emit.No, emit.Watchdog, "it forwards: pauses are ignored", byGuide, Watchdog),
		cell(emit.No, emit.WatchdogPass, "timers of 10 to 1,500 ms, without a polling interval", byGuide, Watchdog),
		cell(emit.No, emit.WatchdogAlert, "", byGuide, Watchdog),
		cell(emit.No, emit.Trimming, "", "nokia/srlinux-yang-models: no module has it", TrimmingLost),
		cell(emit.Yes, emit.MTU, "", byInterfaces),
		cell(emit.No, emit.Flowlets, "", byBalancing, LoadBalancing),
		cell(emit.No, emit.Adaptive, "", byBalancing, LoadBalancing),
		cell(emit.No, emit.Spray, "", byBalancing, LoadBalancing),
	}
}
