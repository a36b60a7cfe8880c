package sonic

import "github.com/roceplan/roceplan/read"

// neutralRules returns the rules for what no lossless packet can feel.
func neutralRules() []read.NeutralRule { return append(boundRules(), patternRules()...) }

// patternRules are those that hold for a value wherever it is. A pattern is a table, or
// TABLE|row|field, of which row and field may be "*" and a field may have a value:
// "PORT|*|autoneg=off". By default, the evidence is the YANG model of the table in sonic-buildimage
// src/sonic-yang-models, which says what each leaf means.
func patternRules() []read.NeutralRule {
	const yang = "sonic-buildimage src/sonic-yang-models/yang-models/sonic-"
	return []read.NeutralRule{
		{ID: "management", Pattern: "AAA, TACPLUS, TACPLUS_SERVER, RADIUS, RADIUS_SERVER, LDAP, LDAP_SERVER, LDAP_TYPE, PASSW_HARDENING, SSH_SERVER, SERIAL_CONSOLE, BANNER_MESSAGE, CONSOLE_PORT, CONSOLE_SWITCH, FIPS, MGMT_INTERFACE, MGMT_PORT, MGMT_VRF_CONFIG, NTP, NTP_SERVER, NTP_KEY, DNS_NAMESERVER, DNS_OPTIONS, SNMP, SNMP_COMMUNITY, SNMP_USER, SNMP_AGENT_ADDRESS_CONFIG, RESTAPI, GNMI, GNMI_CLIENT_CERT, TELEMETRY, TELEMETRY_CLIENT, GRPCCLIENT, ZTP, KUBERNETES_MASTER, KDUMP, BMP",
			Reason: "how operators reach the switch, over its management port", Evidence: yang + "system-aaa, -ntp, -snmp, -mgmt_port and so on"},
		{ID: "reports", Pattern: "SYSLOG_SERVER, SYSLOG_CONFIG, SYSLOG_CONFIG_FEATURE, LOGGER, AUTO_TECHSUPPORT, AUTO_TECHSUPPORT_FEATURE, ALARM, ALARM_STATS, EVENT, EVENT_STATS, ASIC_SENSORS, CRM, DEBUG_COUNTER, DEBUG_COUNTER_DROP_REASON, DEBUG_DROP_MONITOR, MEMORY_STATISTICS, HEARTBEAT, STORMOND_CONFIG, XCVRD_LOG, SUPPRESS_ASIC_SDK_HEALTH_EVENT, HIGH_FREQUENCY_TELEMETRY_PROFILE, HIGH_FREQUENCY_TELEMETRY_GROUP, SFLOW, SFLOW_COLLECTOR, SFLOW_SESSION, FLOW_COUNTER_ROUTE_PATTERN",
			Reason: "counters, samples and reports; packets are not changed", Evidence: yang + "crm, -syslog, -sflow, -debug-counter and so on"},
		{ID: "routing", Pattern: "BGP_NEIGHBOR, BGP_NEIGHBOR_AF, BGP_INTERNAL_NEIGHBOR, BGP_VOQ_CHASSIS_NEIGHBOR, BGP_MONITORS, BGP_PEER_RANGE, BGP_PEER_GROUP, BGP_PEER_GROUP_AF, BGP_GLOBALS, BGP_GLOBALS_AF, BGP_GLOBALS_AF_AGGREGATE_ADDR, BGP_GLOBALS_AF_NETWORK, BGP_GLOBALS_LISTEN_PREFIX, BGP_AGGREGATE_ADDRESS, BGP_ALLOWED_PREFIXES, BGP_BBR, BGP_DEVICE_GLOBAL, BGP_SENTINELS, PREFIX_LIST, PREFIX_SET, PREFIX, COMMUNITY_SET, EXTENDED_COMMUNITY_SET, AS_PATH_SET, ROUTE_MAP, ROUTE_MAP_SET, ROUTE_REDISTRIBUTE, LEAK_CONTROL_POLICY, LEAK_PROFILE, STATIC_ROUTE, VRF, INTERFACE, LOOPBACK_INTERFACE, PORTCHANNEL_INTERFACE, VLAN_INTERFACE, VLAN_SUB_INTERFACE, NEIGH, SAG",
			Reason: "the path of packets; class, queue and group come from the DSCP on any path, and every port is judged for the worst", Evidence: "sonic-swss orchagent/qosorch.cpp: classes are bound to physical ports; " + yang + "bgp-neighbor, -interface and so on"},
		{ID: "switching", Pattern: "VLAN, VLAN_MEMBER, STP, STP_VLAN, STP_VLAN_PORT, STP_PORT, STP_MST, STP_MST_INST, STP_MST_PORT, MCLAG_DOMAIN, MCLAG_INTERFACE, MCLAG_UNIQUE_IP, MAC_MOVE_GUARD, PORTCHANNEL_MEMBER",
			Reason: "the path of packets; a member of a bundle keeps its own PFC, groups and queues", Evidence: "sonic-swss orchagent/qosorch.cpp and bufferorch.cpp: QoS is bound to physical ports; " + yang + "vlan, -spanning-tree, -mclag"},
		{ID: "bundle", Pattern: "PORTCHANNEL|*|admin_status, PORTCHANNEL|*|min_links, PORTCHANNEL|*|lacp_key, PORTCHANNEL|*|fallback, PORTCHANNEL|*|fast_rate, PORTCHANNEL|*|description, PORTCHANNEL|*|static, PORTCHANNEL|*|mode, PORTCHANNEL|*|system_mac, PORTCHANNEL|*|members, PORTCHANNEL|*|",
			Reason: "when a bundle is up; its members keep their own PFC, groups and queues", Evidence: yang + "portchannel"},
		{ID: "balancing", Pattern: "SWITCH_HASH, FG_NHG, FG_NHG_PREFIX, FG_NHG_MEMBER, PBH_HASH, PBH_HASH_FIELD, ARS_PROFILE, ARS_OBJECT, ARS_INTERFACES, SWITCH|*|ecmp_hash_seed, SWITCH|*|lag_hash_seed, SWITCH|*|ecmp_hash_offset, SWITCH|*|lag_hash_offset, SWITCH|*|ordered_ecmp, SWITCH|*|fdb_aging_time",
			Reason: "which of equal paths a packet takes; every port is judged for the worst", Evidence: yang + "hash, -fine-grained-ecmp; SONiC doc/ARS/Local_ARS_HLD.md"},
		{ID: "neighbours", Pattern: "DEVICE_NEIGHBOR, DEVICE_NEIGHBOR_METADATA, LLDP, LLDP_PORT, MUX_LINKMGR, MUXLOGGER",
			Reason: "notes on neighbours; cable lengths are in CABLE_LENGTH", Evidence: yang + "device_neighbor, -lldp"},
		{ID: "hosts", Pattern: "DHCP_SERVER, DHCP_RELAY, DHCPV4_RELAY, DHCP_SERVER_IPV4, DHCP_SERVER_IPV4_CUSTOMIZED_OPTIONS, DHCP_SERVER_IPV4_RANGE, DHCP_SERVER_IPV4_PORT",
			Reason: "addresses for hosts; the CPU answers", Evidence: yang + "dhcp-server, -dhcpv4-relay"},
		{ID: "cpu", Pattern: "COPP_GROUP, COPP_TRAP, POLICER",
			Reason: "limits on packets to the CPU; a policer acts only if a rule or session binds it, and these are not modelled", Evidence: yang + "copp, -policer"},
		{ID: "acl-table", Pattern: "ACL_TABLE, ACL_TABLE_TYPE, PBH_TABLE",
			Reason: "a table without rules matches nothing; its rules are judged one by one", Evidence: yang + "acl"},
		{ID: "services", Pattern: "FEATURE|*, VERSIONS, WARM_RESTART, CONFIG_DB_INITIALIZED, MACSEC_PROFILE, SWITCH_FAST_LINKUP, SYSTEM_DEFAULTS|swss_zmq, SYSTEM_DEFAULTS|async_rec, SYSTEM_DEFAULTS|software_bfd, SYSTEM_DEFAULTS|tunnel_qos_remap|status=disabled, SYSTEM_DEFAULTS|mux_tunnel_egress_acl|status=disabled",
			Reason: "which programs run on the switch's CPU and how they start; a MACsec profile does nothing until PORT binds it", Evidence: yang + "feature, -versions, -warm-restart, -macsec, -system-defaults"},
		{ID: "unbound-maps", Pattern: "DOT1P_TO_TC_MAP, EXP_TO_FC_MAP, MPLS_TC_TO_TC_MAP, DSCP_TO_FC_MAP",
			Reason: "a map acts only if PORT_QOS_MAP binds it, and these fields are not modelled", Evidence: "sonic-swss orchagent/qosorch.cpp"},
		{ID: "counters", Pattern: "FLEX_COUNTER_TABLE|BUFFER_POOL_WATERMARK, FLEX_COUNTER_TABLE|DEBUG_COUNTER, FLEX_COUNTER_TABLE|PG_DROP, FLEX_COUNTER_TABLE|PG_WATERMARK, FLEX_COUNTER_TABLE|PORT, FLEX_COUNTER_TABLE|PORT_RATES, FLEX_COUNTER_TABLE|PORT_BUFFER_DROP, FLEX_COUNTER_TABLE|PORT_PHY_ATTR, FLEX_COUNTER_TABLE|QUEUE, FLEX_COUNTER_TABLE|QUEUE_WATERMARK, FLEX_COUNTER_TABLE|RIF, FLEX_COUNTER_TABLE|RIF_RATES, FLEX_COUNTER_TABLE|ACL, FLEX_COUNTER_TABLE|FLOW_CNT_TRAP, FLEX_COUNTER_TABLE|FLOW_CNT_ROUTE, FLEX_COUNTER_TABLE|TUNNEL, FLEX_COUNTER_TABLE|WRED_ECN_QUEUE, FLEX_COUNTER_TABLE|WRED_ECN_PORT, FLEX_COUNTER_TABLE|SRV6, FLEX_COUNTER_TABLE|SWITCH, FLEX_COUNTER_TABLE|PFCWD|FLEX_COUNTER_STATUS=enable",
			Reason: "counters that are polled; the PFC watchdog's, which it needs, is enabled", Evidence: yang + "flex_counter; sonic-swss orchagent/flexcounterorch.cpp"},
		{ID: "identity", Pattern: "DEVICE_METADATA|localhost|mac, DEVICE_METADATA|localhost|bgp_asn, DEVICE_METADATA|localhost|bgp_router_id, DEVICE_METADATA|localhost|default_bgp_status, DEVICE_METADATA|localhost|docker_routing_config_mode, DEVICE_METADATA|localhost|frr_mgmt_framework_config, DEVICE_METADATA|localhost|deployment_id, DEVICE_METADATA|localhost|cloudtype, DEVICE_METADATA|localhost|region, DEVICE_METADATA|localhost|cluster, DEVICE_METADATA|localhost|timezone, DEVICE_METADATA|localhost|synchronous_mode, DEVICE_METADATA|localhost|yang_config_validation, DEVICE_METADATA|localhost|mgmt_type, DEVICE_METADATA|localhost|dhcp_server, DEVICE_METADATA|localhost|bgp_adv_lo_prefix_as_128, DEVICE_METADATA|localhost|suppress-fib-pending, DEVICE_METADATA|localhost|rack_mgmt_map, DEVICE_METADATA|localhost|chassis_hostname, DEVICE_METADATA|localhost|slice_type, DEVICE_METADATA|localhost|location_type, DEVICE_METADATA|localhost|nexthop_group, DEVICE_METADATA|localhost|ring_thread_enabled, DEVICE_METADATA|localhost|t2_group_asns, DEVICE_METADATA|localhost|anchor_route_source, DEVICE_METADATA|localhost|orch_northbond_dash_zmq_enabled, DEVICE_METADATA|localhost|syslog_with_osversion, DEVICE_METADATA|localhost|syslog_counter, DEVICE_METADATA|localhost|has_sonic_dhcpv4_relay, DEVICE_METADATA|localhost|zebra_nexthop, DEVICE_METADATA|localhost|use_template_render_for_restore, DEVICE_METADATA|localhost|dpu_auto_recovery, DEVICE_METADATA|localhost|asic_id, DEVICE_METADATA|localhost|supporting_bulk_counter_groups, DEVICE_METADATA|localhost|create_only_config_db_buffers, DEVICE_METADATA|localhost|switch_type=npu, DEVICE_METADATA|localhost|default_pfcwd_status",
			Reason: "the identity of the switch, its programs and the counters of its buffers; PFC_WD, not minigraph, has the watchdog here", Evidence: yang + "device_metadata"},
		{ID: "chassis", Pattern: "DEVICE_METADATA|localhost|switch_id, DEVICE_METADATA|localhost|max_cores, PORT|*|core_id, PORT|*|core_port_id, PORT|*|num_voq=8",
			Reason: "the numbers of chip, cores and ports in a chassis, and a virtual output queue for each of eight queues; switch_type and SYSTEM_PORT say that it is one", Evidence: yang + "device_metadata, -port"},
		{ID: "port-state", Pattern: "PORT|*|admin_status",
			Reason: "a port that is down carries no packet; it is judged as if it were up, which is the worse case", Evidence: yang + "port"},
		{ID: "port-physics", Pattern: "PORT|*|link_training, PORT|*|dom_polling, PORT|*|tx_power, PORT|*|laser_freq, PORT|*|fast_linkup, PORT|*|interface_type, PORT|*|adv_interface_types, PORT|*|dhcp_rate_limit, PORT|*|asic_port_name, PORT|*|mode, PORT|*|parent_port, PORT|*|media_type",
			Reason: "how the link comes up, and its names; the speed is in speed, and the DHCP limit is for the CPU", Evidence: yang + "port"},
		{ID: "port-default", Pattern: "PORT|*|autoneg=off, PORT|*|pfc_asym=off, PORT|*|mux_cable=false, PORT|*|role=Ext, PORT|*|macsec=, PORT|*|tpid=0x8100, PORTCHANNEL|*|tpid=0x8100",
			Reason: "the value is the default", Evidence: yang + "port"},
		{ID: "advertised-unused", Pattern: "PORT|*|adv_speeds",
			Reason: "advertised values count only with autoneg, which is not modelled", Evidence: yang + "port"},
		{ID: "profile-default", Pattern: "BUFFER_PROFILE|*|packet_discard_action=drop, BUFFER_PROFILE|*|headroom_type=static",
			Reason: "the value is the default", Evidence: yang + "buffer-profile"},
		{ID: "profile-mode", Pattern: "BUFFER_PROFILE|*|mode",
			Reason: "the mode of a threshold follows from its pool, or from static_th or dynamic_th; orchagent reads no such field of a profile", Evidence: "sonic-swss orchagent/bufferorch.cpp, processBufferProfile"},
		{ID: "shaper-burst", Pattern: "SCHEDULER|*|cbs, SCHEDULER|*|pbs, SCHEDULER|*|priority, SCHEDULER|*|meter_type=bytes",
			Reason: "how long a shaped queue may run above its rate; bytes are the default unit of a meter", Evidence: yang + "scheduler"},
		{ID: "watchdog-statistics", Pattern: "PFC_WD|*|pfc_stat_history, PFC_WD|GLOBAL|BIG_RED_SWITCH=disable, PFC_WD|GLOBAL|",
			Reason: "counters and defaults of the watchdog", Evidence: yang + "pfcwd"},
	}
}
