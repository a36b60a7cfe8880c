package sonic

// Tables of ConfigDB that a RoCE fabric uses.
const (
	TableBreakout          = "BREAKOUT_CFG"
	TableBufferPG          = "BUFFER_PG"
	TableBufferPool        = "BUFFER_POOL"
	TableBufferPortEgress  = "BUFFER_PORT_EGRESS_PROFILE_LIST"
	TableBufferPortIngress = "BUFFER_PORT_INGRESS_PROFILE_LIST"
	TableBufferProfile     = "BUFFER_PROFILE"
	TableBufferQueue       = "BUFFER_QUEUE"
	TableCableLength       = "CABLE_LENGTH"
	TableDefaultLossless   = "DEFAULT_LOSSLESS_BUFFER_PARAMETER"
	TableDeviceMetadata    = "DEVICE_METADATA"
	TableDSCPToTC          = "DSCP_TO_TC_MAP"
	TableLosslessPattern   = "LOSSLESS_TRAFFIC_PATTERN"
	TablePFCToQueue        = "MAP_PFC_PRIORITY_TO_QUEUE"
	TablePFCToPG           = "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"
	TablePFCWatchdog       = "PFC_WD"
	TablePort              = "PORT"
	TablePortQoSMap        = "PORT_QOS_MAP"
	TableQueue             = "QUEUE"
	TableScheduler         = "SCHEDULER"
	TableTrimming          = "SWITCH_TRIMMING"
	TableSystemDefaults    = "SYSTEM_DEFAULTS"
	TableTCToDSCP          = "TC_TO_DSCP_MAP"
	TableTCToPG            = "TC_TO_PRIORITY_GROUP_MAP"
	TableTCToQueue         = "TC_TO_QUEUE_MAP"
	TableTunnel            = "TUNNEL"
	TableWREDProfile       = "WRED_PROFILE"
)

// Rows and values with a meaning of their own.
const (
	Localhost      = "localhost" // row of DEVICE_METADATA
	GlobalQoS      = "global"    // row of PORT_QOS_MAP for the whole switch
	GlobalWatchdog = "GLOBAL"    // row of PFC_WD for the whole switch
	GlobalTrimming = "GLOBAL"    // row of SWITCH_TRIMMING
	Trimmed        = "trim"      // packet_discard_action
	NullProfile    = "NULL"      // profile of a PG that the switch computes itself
	Strict         = "STRICT"
	DWRR           = "DWRR"

	// MainMap is SONiC's name for its one map of each kind; scripts in the field look for the name.
	MainMap = "AZURE"
	// EdgeMap is the DSCP_TO_TC_MAP of ports that do not trust the sender.
	EdgeMap = "EDGE"
	// TunnelMap is the name of the maps of a tunnel that SONiC makes itself (sonic-config-engine
	// minigraph.py, get_tunnel_entries).
	TunnelMap = "AZURE_TUNNEL"
	// TunnelRemap is the row of SYSTEM_DEFAULTS without which templates make no such maps.
	TunnelRemap = "tunnel_qos_remap"
	// Pipe is the dscp_mode in which code points inside stay.
	Pipe      = "pipe"
	SwitchVOQ = "voq"   // switch_type of DEVICE_METADATA
	FirstASIC = "asic0" // its name on a box with one chip (sonic-swss-common, asic_name)
	PoolBoth  = "both"  // type of a pool that accounts groups and queues
	// FirstKept is the first traffic class that is not one of the eight of queues.
	FirstKept = 8
)

// TunnelMaps are the fields of TUNNEL that name maps, in the order of plan.Tunnel.
var TunnelMaps = [4]struct{ Field, Table string }{
	{"decap_dscp_to_tc_map", TableDSCPToTC},
	{"decap_tc_to_pg_map", TableTCToPG},
	{"encap_tc_to_queue_map", TableTCToQueue},
	{"encap_tc_to_dscp_map", TableTCToDSCP},
}

// FECModes are the values of fec in PORT.
var FECModes = []string{"rs", "fc", "none", "auto"}

// routers are the values of DEVICE_METADATA type for the roles that have one.
var routers = [...]struct{ role, router string }{
	{"tor", "ToRRouter"}, {"leaf", "LeafRouter"}, {"spine", "SpineRouter"},
}

// Router returns the device type of a role, or "" where SONiC has none.
func Router(role string) string {
	for _, r := range routers {
		if r.role == role {
			return r.router
		}
	}
	return ""
}

// Role returns the role of a device type, or "" where no role matches.
func Role(router string) string {
	for _, r := range routers {
		if r.router == router {
			return r.role
		}
	}
	return ""
}
