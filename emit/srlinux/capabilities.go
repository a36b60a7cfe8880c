package srlinux

import "github.com/roceplan/roceplan/emit"

// Public sources of SR Linux's capabilities.
const (
	byModel      = "nokia/srlinux-yang-models v25.3.1, srl_nokia-qos 2025-03-31"
	byInterfaces = "nokia/srlinux-yang-models v25.3.1, srl_nokia-interfaces"
	byRewriting  = "Nokia SR Linux 24.3, Quality of Service, DSCP rewrite-rule policy configuration for output traffic"
	byGuide      = "Nokia SR Linux 25.10 QoS guide, priority-based flow control"
	byBalancing  = "nokia/srlinux-yang-models v25.3.1, srl_nokia-load-balancing: hashing alone"
)

// capabilities says of every intent what SR Linux carries of it.
var capabilities = []emit.Capability{
	emit.Cell(emit.Yes, emit.DSCPMap, "", byModel),
	emit.Cell(emit.No, emit.Remapping, "", "nokia/srlinux-yang-models: no module has it", RemappingLost),
	emit.Cell(emit.No, emit.EdgeMarking, "by DSCP alone, and rewritten where it leaves", byModel, MarkingLost),
	emit.Cell(emit.Part, emit.Rewriting, "all traffic classes", byRewriting, MarkingLost),
	emit.Cell(emit.Yes, emit.FreeNumbers, "", byModel),
	emit.Cell(emit.Yes, emit.PFC, "", byModel),
	emit.Cell(emit.Yes, emit.Headroom, "in bytes", byModel),
	emit.Cell(emit.Yes, emit.PortHeadroom, "in bytes", byModel),
	emit.Cell(emit.No, emit.HeadroomPool, "in whole per cent", byModel, Rounded),
	emit.Cell(emit.No, emit.XOnLevel, "on 7250 IXR alone", byGuide, DeviceDecides),
	emit.Cell(emit.No, emit.XOnOffset, "on 7250 IXR alone", byGuide, DeviceDecides),
	emit.Cell(emit.No, emit.PGReserve, "", byModel, DeviceDecides),
	emit.Cell(emit.No, emit.PGAlpha, "as a static limit", byModel, Threshold),
	emit.Cell(emit.Yes, emit.PGStatic, "", byModel),
	emit.Cell(emit.No, emit.PortAlpha, "as static limits", byModel, Threshold),
	emit.Cell(emit.No, emit.PoolSize, "", byModel, DeviceDecides),
	emit.Cell(emit.No, emit.PortBound, "", byModel, DeviceDecides),
	emit.Cell(emit.No, emit.Calculator, "", byModel, Calculator),
	emit.Cell(emit.Yes, emit.QueueMap, "", byModel),
	emit.Cell(emit.No, emit.QueueReserve, "", byModel, DeviceDecides),
	emit.Cell(emit.No, emit.QueueAlpha, "as a static limit", byModel, Threshold),
	emit.Cell(emit.Yes, emit.QueueStatic, "", byModel),
	emit.Cell(emit.Yes, emit.Strict, "", byModel),
	emit.Cell(emit.Yes, emit.Weights, "", byModel),
	emit.Cell(emit.Yes, emit.Shaper, "in whole per cent of the port's rate", byModel),
	emit.Cell(emit.Part, emit.ECN, "Kmin and Kmax in bytes, Pmax in whole per cent", byModel, Rounded),
	emit.Cell(emit.No, emit.Watchdog, "it forwards: pauses are ignored", byGuide, Watchdog),
	emit.Cell(emit.No, emit.WatchdogPass, "timers of 10 to 1,500 ms, without a polling interval", byGuide, Watchdog),
	emit.Cell(emit.No, emit.WatchdogAlert, "", byGuide, Watchdog),
	emit.Cell(emit.No, emit.Trimming, "", "nokia/srlinux-yang-models: no module has it", TrimmingLost),
	emit.Cell(emit.Yes, emit.MTU, "", byInterfaces),
	emit.Cell(emit.No, emit.Flowlets, "", byBalancing, LoadBalancing),
	emit.Cell(emit.No, emit.Adaptive, "", byBalancing, LoadBalancing),
	emit.Cell(emit.No, emit.Spray, "", byBalancing, LoadBalancing),
}
