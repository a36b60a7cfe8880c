package sonic

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
)

// Public sources of what ConfigDB can be told.
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
func capabilities() []emit.Capability {
	yes := func(intent emit.Intent, note, evidence string) emit.Capability {
		return emit.Capability{Intent: intent, Support: emit.Yes, Note: note, Evidence: evidence}
	}
	part := func(intent emit.Intent, code diag.Code, note, evidence string) emit.Capability {
		return emit.Capability{Intent: intent, Support: emit.Part, Codes: []diag.Code{code}, Note: note, Evidence: evidence}
	}
	no := func(intent emit.Intent, code diag.Code, note, evidence string) emit.Capability {
		return emit.Capability{Intent: intent, Support: emit.No, Codes: []diag.Code{code}, Note: note, Evidence: evidence}
	}
	return []emit.Capability{
		yes(emit.DSCPMap, "", byQoSYANG),
		yes(emit.Remapping, "", byTunnel),
		part(emit.EdgeMarking, MarkingLost, "by DSCP alone, not by UDP port", byNoACL),
		part(emit.FreeNumbers, PGNotPriority, "the group has the number of the priority", byManager),
		yes(emit.PFC, "", byQoSYANG),
		yes(emit.Headroom, "", byBufferYANG),
		yes(emit.PortHeadroom, "", byBufferYANG),
		yes(emit.HeadroomPool, "", byBufferYANG),
		yes(emit.XOnLevel, "", byBufferYANG),
		yes(emit.XOnOffset, "", byBufferYANG),
		yes(emit.PGReserve, "", byBufferYANG),
		yes(emit.PGAlpha, "", byBufferYANG),
		yes(emit.PGStatic, "", byBufferYANG),
		yes(emit.PortAlpha, "", byBufferYANG),
		yes(emit.PoolSize, "", byBufferYANG),
		yes(emit.PortBound, "", byBufferYANG),
		yes(emit.Calculator, "", byDynamic),
		yes(emit.QueueMap, "", byQoSYANG),
		yes(emit.QueueReserve, "", byBufferYANG),
		yes(emit.QueueAlpha, "", byBufferYANG),
		yes(emit.QueueStatic, "", byBufferYANG),
		yes(emit.Strict, "", byQoSYANG),
		yes(emit.Weights, "", byQoSYANG),
		yes(emit.Shaper, "", byQoSYANG),
		part(emit.ECN, Rounded, "Pmax in whole per cent", byWRED),
		yes(emit.Watchdog, "", byPFCWD),
		yes(emit.WatchdogPass, "", byPFCWD),
		yes(emit.WatchdogAlert, "", byPFCWD),
		part(emit.Trimming, TrimmingLost, "to 206 B on Tomahawk 5, 256 to 4084 B on Spectrum-4 and 5; elsewhere by what STATE_DB says", byTrimming),
		yes(emit.MTU, "", byPort),
		no(emit.Flowlets, LoadBalancingLost, "form ars, unmerged", byNoARS),
		no(emit.Adaptive, LoadBalancingLost, "form ars, unmerged", byNoARS),
		no(emit.Spray, LoadBalancingLost, "", byNoARS),
	}
}
