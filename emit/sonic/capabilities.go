package sonic

import "github.com/roceplan/roceplan/emit"

// Public sources of ConfigDB's capabilities.
const (
	byBufferYANG = "sonic-buildimage sonic-yang-models: sonic-buffer-profile, sonic-buffer-pg, sonic-buffer-queue, sonic-buffer-pool"
	byQoSYANG    = "sonic-buildimage sonic-yang-models: sonic-port-qos-map, sonic-dscp-tc-map, sonic-tc-queue-map, sonic-scheduler"
	byDynamic    = "sonic-swss cfgmgr/buffermgrdyn.cpp, buffer_pool_mellanox.lua; sonic-yang-models sonic-default-lossless-buffer-parameter"
	byPFCWD      = "sonic-yang-models sonic-pfcwd; sonic-utilities pfcwd"
	byNoACL      = "sonic-swss orchagent/aclorch.h: no ACL action sets a traffic class"
	byManager    = "sonic-swss cfgmgr/buffermgr.cpp: takes pfc_enable for numbers of priority groups"
	byWRED       = "sonic-yang-models sonic-wred-profile: probabilities in whole per cent"
	byTrimming   = "sonic-yang-models sonic-trimming, sonic-buffer-profile: packet_discard_action; sonic-swss orchagent/bufferorch.cpp takes it of queues alone"
	byTunnel     = "sonic-yang-models sonic-tunnel, sonic-tc-dscp-map; SONiC doc/qos/tunnel_dscp_remapping.md rev 0.2"
	byPort       = "sonic-yang-models sonic-port: mtu"
	byNoARS      = "SONiC doc/ARS/Local_ARS_HLD.md rev 1.4: tables that sonic-buildimage's YANG models and orchagent do not have"
)

// capabilities says of every intent what ConfigDB carries of it.
var capabilities = []emit.Capability{
	emit.Cell(emit.Yes, emit.DSCPMap, "", byQoSYANG),
	emit.Cell(emit.Yes, emit.Remapping, "", byTunnel),
	emit.Cell(emit.Part, emit.EdgeMarking, "by DSCP alone, not by UDP port", byNoACL, MarkingLost),
	emit.Cell(emit.Yes, emit.Rewriting, "", byTunnel),
	emit.Cell(emit.Part, emit.FreeNumbers, "the group has the number of the priority", byManager, PGNotPriority),
	emit.Cell(emit.Yes, emit.PFC, "", byQoSYANG),
	emit.Cell(emit.Yes, emit.Headroom, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.PortHeadroom, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.HeadroomPool, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.XOnLevel, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.XOnOffset, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.PGReserve, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.PGAlpha, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.PGStatic, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.PortAlpha, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.PoolSize, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.PortBound, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.Calculator, "", byDynamic),
	emit.Cell(emit.Yes, emit.QueueMap, "", byQoSYANG),
	emit.Cell(emit.Yes, emit.QueueReserve, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.QueueAlpha, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.QueueStatic, "", byBufferYANG),
	emit.Cell(emit.Yes, emit.Strict, "", byQoSYANG),
	emit.Cell(emit.Yes, emit.Weights, "", byQoSYANG),
	emit.Cell(emit.Yes, emit.Shaper, "", byQoSYANG),
	emit.Cell(emit.Part, emit.ECN, "Pmax in whole per cent", byWRED, Rounded),
	emit.Cell(emit.Yes, emit.Watchdog, "", byPFCWD),
	emit.Cell(emit.Yes, emit.WatchdogPass, "", byPFCWD),
	emit.Cell(emit.Yes, emit.WatchdogAlert, "", byPFCWD),
	emit.Cell(emit.Part, emit.Trimming, "to 206 B on Tomahawk 5, 256 to 4084 B on Spectrum-4 and 5; elsewhere by what STATE_DB says", byTrimming, TrimmingLost),
	emit.Cell(emit.Yes, emit.MTU, "", byPort),
	emit.Cell(emit.No, emit.Flowlets, "form ars, unmerged", byNoARS, LoadBalancingLost),
	emit.Cell(emit.No, emit.Adaptive, "form ars, unmerged", byNoARS, LoadBalancingLost),
	emit.Cell(emit.No, emit.Spray, "", byNoARS, LoadBalancingLost),
}
