package verify

import (
	"encoding/json"
	"strings"
)

// oneLine takes the blanks between the values of a JSON document away.
func oneLine(text string) string {
	var doc any
	if json.Unmarshal([]byte(text), &doc) != nil {
		return text
	}
	out, _ := json.Marshal(doc)
	return string(out)
}

// drops is an ACL on two ports whose one rule has these fields.
func drops(rule string) func(string) string {
	return each(put("ACL_TABLE/GUARD", `{"type":"L3","stage":"ingress","ports":["Ethernet0","Ethernet4"]}`), put("ACL_RULE/GUARD|RULE_1", rule))
}

func sonicTeam() redTeam {
	const pg, queue = "BUFFER_PG/Ethernet0|5", "BUFFER_QUEUE/Ethernet0|5"
	return redTeam{file: "ucloud-pod/leaf-1/config_db.json", alone: map[string]string{
		"a port without a speed":      "the speed of the port is declared beside the file",
		"all ports with jumbo frames": "no NIC sends frames of more than 4,200 B for RoCE, whatever the MTU of a port",
	}, harmful: []redEdit{
		// access lists
		{"an ACL drops a DSCP with a mask", drops(`{"PRIORITY":"10","DSCP":"40/0x38","PACKET_ACTION":"DROP"}`)},
		{"an ACL drops RoCE's UDP port", drops(`{"PRIORITY":"10","IP_PROTOCOL":"17","L4_DST_PORT":"4791","PACKET_ACTION":"DROP"}`)},
		{"an ACL drops a range of ports", drops(`{"PRIORITY":"10","L4_DST_PORT_RANGE":"4000-5000","PACKET_ACTION":"DROP"}`)},
		{"an ACL redirects", drops(`{"PRIORITY":"10","ETHER_TYPE":"2048","PACKET_ACTION":"REDIRECT:Ethernet8"}`)},
		{"an ACL redirects in a field of its own", drops(`{"PRIORITY":"10","REDIRECT_ACTION":"Ethernet8"}`)},
		{"an ACL sets the DSCP", drops(`{"PRIORITY":"10","IN_PORTS":"Ethernet0","DSCP_ACTION":"0"}`)},
		{"an ACL forwards and polices", drops(`{"PRIORITY":"10","PACKET_ACTION":"FORWARD","POLICER_ACTION":"slow"}`)},
		{"an ACL mirrors", drops(`{"PRIORITY":"10","PACKET_ACTION":"FORWARD","MIRROR_INGRESS_ACTION":"copy"}`)},
		{"an ACL with its action in small letters", drops(`{"PRIORITY":"10","PACKET_ACTION":"drop"}`)},
		{"an ACL of a bundle", each(put("ACL_TABLE/GUARD", `{"type":"L3V6","ports":["PortChannel1"]}`), put("ACL_RULE/GUARD|R", `{"DSCP":"46","PACKET_ACTION":"DROP"}`))},
		{"an ACL rule without a table", put("ACL_RULE/NONE|R", `{"PACKET_ACTION":"DROP"}`)},
		{"an egress ACL", each(put("ACL_TABLE/OUT", `{"type":"L3","stage":"egress","ports":["Ethernet0"]}`), put("ACL_RULE/OUT|R", `{"TC":"5","PACKET_ACTION":"DROP"}`))},
		{"a flat ACL rule", put("ACL_RULE|GUARD|R", `{"PACKET_ACTION":"DROP"}`)},
		// ports
		{"a port negotiates its speed", each(put("PORT/Ethernet0/autoneg", `"on"`), put("PORT/Ethernet0/adv_speeds", `"40000"`))},
		{"pauses in one direction", put("PORT/Ethernet0/pfc_asym", `"on"`)},
		{"a port at 40G", put("PORT/Ethernet0/speed", `"40000"`)},
		{"a port at 10G, with one lane", each(put("PORT/Ethernet0/speed", `"10000"`), put("PORT/Ethernet0/lanes", `"1"`))},
		{"MACsec", put("PORT/Ethernet0/macsec", `"ring"`)},
		{"a port to a dual-ToR cable", put("PORT/Ethernet0/mux_cable", `"true"`)},
		{"a port of the chassis", put("PORT/Ethernet0/role", `"Inb"`)},
		{"MTU of 1400", put("PORT/Ethernet0/mtu", `"1400"`)},
		{"all ports with jumbo frames", everywhere(`"mtu": "1500"`, `"mtu": "9100"`)},
		{"a name in small letters", swap(`"Ethernet0": {
            "admin_status"`, `"ethernet0": {
            "admin_status"`)},
		{"a speed with a unit", put("PORT/Ethernet0/speed", `"100G"`)},
		{"a port without a speed", put("PORT/Ethernet0/speed", ``)},
		{"lanes of its neighbour", put("PORT/Ethernet0/lanes", `"5,6,7,8"`)},
		{"a bundle with a small MTU", each(put("PORTCHANNEL/PortChannel1", `{"admin_status":"up","mtu":"1400"}`), put("PORTCHANNEL_MEMBER/PortChannel1|Ethernet0", `{"NULL":"NULL"}`))},
		{"maps of a bundle", put("PORT_QOS_MAP/PortChannel1", `{"dscp_to_tc_map":"AZURE","pfc_enable":"5"}`)},
		// groups and pools
		{"headroom for two groups", swap(`"Ethernet0|5": {
            "profile": "pg_lossless`, `"Ethernet0|5-6": {
            "profile": "pg_lossless`)},
		{"a group of several ports again", put("BUFFER_PG/Ethernet0,Ethernet4|5", `{"profile":"ingress_lossy_profile"}`)},
		{"a group of a bundle", put("BUFFER_PG/PortChannel1|5", `{"profile":"ingress_lossy_profile"}`)},
		{"the profile of a group is NULL", put(pg+"/profile", `"NULL"`)},
		{"the profile of a group is empty", put(pg+"/profile", `""`)},
		{"a group's profile in old brackets, of another table", put(pg+"/profile", `"[BUFFER_POOL|ingress_lossless_pool]"`)},
		{"one port with less headroom", each(put("BUFFER_PROFILE/mine", `{"pool":"ingress_lossless_pool","size":"4608","xoff":"50000","xon":"0","xon_offset":"3072","dynamic_th":"-2"}`), put(pg+"/profile", `"mine"`))},
		{"one port that resumes too low", each(put("BUFFER_PROFILE/mine", `{"pool":"ingress_lossless_pool","size":"4608","xoff":"104448","xon":"0","xon_offset":"200000","dynamic_th":"-2"}`), put(pg+"/profile", `"mine"`))},
		{"one port whose group may take all", each(put("BUFFER_PROFILE/mine", `{"pool":"ingress_lossless_pool","size":"4608","xoff":"104448","xon":"0","xon_offset":"3072","static_th":"33000000"}`), put(pg+"/profile", `"mine"`))},
		{"both thresholds in a profile", put("BUFFER_PROFILE/pg_lossless_100000_100m_profile/static_th", `"30000000"`)},
		{"headroom in hexadecimal", put("BUFFER_PROFILE/pg_lossless_100000_100m_profile/xoff", `"0x19800"`)},
		{"headroom with a fraction", put("BUFFER_PROFILE/pg_lossless_100000_100m_profile/xoff", `"104448.5"`)},
		{"headroom by the switch's own calculator", put("BUFFER_PROFILE/pg_lossless_100000_100m_profile/headroom_type", `"dynamic"`)},
		{"packets are cut where they find no buffer", put("BUFFER_PROFILE/egress_lossless_profile/packet_discard_action", `"trim"`)},
		{"the pool is a share of the chip", put("BUFFER_POOL/ingress_lossless_pool/percentage", `"20"`)},
		{"the pool is static", put("BUFFER_POOL/ingress_lossless_pool/mode", `"static"`)},
		{"the pool is of both sides", put("BUFFER_POOL/ingress_lossless_pool/type", `"both"`)},
		{"a pool of the other side", put("BUFFER_POOL/egress_lossless_pool/type", `"ingress"`)},
		{"a second pool takes the memory", each(put("BUFFER_POOL/bulk", `{"type":"ingress","mode":"dynamic","size":"20000000"}`), put("BUFFER_PROFILE/ingress_lossy_profile/pool", `"bulk"`))},
		{"the queues of the processor take the pool", each(put("BUFFER_PROFILE/cpu", `{"pool":"egress_lossless_pool","size":"2000000","static_th":"32744448"}`), put("BUFFER_QUEUE/CPU|0-47", `{"profile":"cpu"}`))},
		{"reserves of all other groups", each(put("BUFFER_PROFILE/fat", `{"pool":"ingress_lossless_pool","size":"1500000","dynamic_th":"0"}`), put("BUFFER_PG/Ethernet0|1-4", `{"profile":"fat"}`))},
		{"a port's lossless traffic is bounded at ingress", each(put("BUFFER_PROFILE/in", `{"pool":"ingress_lossless_pool","size":"0","static_th":"100000"}`), put("BUFFER_PORT_INGRESS_PROFILE_LIST/Ethernet0", `{"profile_list":"in"}`))},
		{"a port's traffic is bounded at egress", each(put("BUFFER_PROFILE/out", `{"pool":"egress_lossless_pool","size":"0","static_th":"100000"}`), put("BUFFER_PORT_EGRESS_PROFILE_LIST/Ethernet0", `{"profile_list":"out"}`))},
		{"the lossless queue of one port is bounded", each(put("BUFFER_PROFILE/q", `{"pool":"egress_lossless_pool","size":"0","static_th":"100000"}`), put(queue+"/profile", `"q"`))},
		{"the queue's row covers the next too", each(put(queue, ``), put("BUFFER_QUEUE/Ethernet0|5-6", `{"profile":"egress_lossy_profile"}`))},
		{"no queue row for one port", put(queue, ``)},
		// maps
		{"a map for one port", each(put("DSCP_TO_TC_MAP/MINE", `{"40":"2"}`), put("PORT_QOS_MAP/Ethernet0/dscp_to_tc_map", `"MINE"`))},
		{"another map for the chip", each(put("DSCP_TO_TC_MAP/ALL", `{"46":"2","48":"2"}`), put("PORT_QOS_MAP/global", `{"dscp_to_tc_map":"ALL"}`))},
		{"a code point with a sign", put("DSCP_TO_TC_MAP/AZURE/+46", `"2"`)},
		{"a code point beyond 63", put("DSCP_TO_TC_MAP/AZURE/64", `"5"`)},
		{"802.1p decides", each(put("DOT1P_TO_TC_MAP/P", `{"0":"0","3":"0"}`), put("PORT_QOS_MAP/Ethernet0/dot1p_to_tc_map", `"P"`))},
		{"MPLS decides", each(put("MPLS_TC_TO_TC_MAP/M", `{"5":"0"}`), put("PORT_QOS_MAP/Ethernet0/mpls_tc_to_tc_map", `"M"`))},
		{"forwarding classes", each(put("DSCP_TO_FC_MAP/F", `{"46":"1"}`), put("PORT_QOS_MAP/Ethernet0/dscp_to_fc_map", `"F"`))},
		{"packets leave under another DSCP", each(put("TC_TO_DSCP_MAP/W", `{"5":"0"}`), put("PORT_QOS_MAP/Ethernet0/tc_to_dscp_map", `"W"`))},
		{"a group map for one port", each(put("TC_TO_PRIORITY_GROUP_MAP/G", `{"5":"0","2":"0"}`), put("PORT_QOS_MAP/Ethernet0/tc_to_pg_map", `"G"`))},
		{"pauses of one port stop another queue", each(put("MAP_PFC_PRIORITY_TO_QUEUE/Q", `{"5":"6"}`), put("PORT_QOS_MAP/Ethernet0/pfc_to_queue_map", `"Q"`))},
		{"pauses by another group", each(put("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP/AZURE", `{"5":"4"}`), put("PORT_QOS_MAP/Ethernet0/pfc_to_pg_map", `"AZURE"`))},
		{"PFC on one port for one priority more", put("PORT_QOS_MAP/Ethernet0/pfc_enable", `"5,6"`)},
		{"PFC of one port is empty", put("PORT_QOS_MAP/Ethernet0/pfc_enable", `""`)},
		{"PFC of one port as a range", put("PORT_QOS_MAP/Ethernet0/pfc_enable", `"3-4"`)},
		{"one port without a queue map", put("PORT_QOS_MAP/Ethernet0/tc_to_queue_map", ``)},
		{"the port as a whole is scheduled", put("PORT_QOS_MAP/Ethernet0/scheduler", `"scheduler.dwrr.40"`)},
		// queues
		{"the lossless queue is capped", put("SCHEDULER/scheduler.dwrr.60/pir", `"1250000"`)},
		{"caps count packets", each(put("SCHEDULER/scheduler.dwrr.60/meter_type", `"packets"`), put("SCHEDULER/scheduler.dwrr.60/pir", `"1000"`))},
		{"the rest has a guarantee", put("SCHEDULER/scheduler.dwrr.40/cir", `"12000000000"`)},
		{"one port's lossless queue with a scheduler of its own", each(put("SCHEDULER/mine", `{"type":"DWRR","weight":"1"}`), put("QUEUE/Ethernet0|5/scheduler", `"mine"`))},
		{"one port's queue drops early", each(put("WRED_PROFILE/W", `{"ecn":"ecn_none","wred_green_enable":"true","green_min_threshold":"1000","green_max_threshold":"2000","green_drop_probability":"100"}`), put("QUEUE/Ethernet0|5/wred_profile", `"W"`))},
		{"only red packets are marked", put("WRED_PROFILE/ECN_24832_93440_25/ecn", `"ecn_red"`)},
		{"marking of green packets is off", put("WRED_PROFILE/ECN_24832_93440_25/wred_green_enable", `"false"`)},
		{"marking of one port goes", put("QUEUE/Ethernet0|5/wred_profile", ``)},
		{"two rows for a queue", put("QUEUE/Ethernet0|4-5", `{"scheduler":"scheduler.dwrr.40"}`)},
		// the watchdog
		{"every queue is dropped", put("PFC_WD/GLOBAL/BIG_RED_SWITCH", `"enable"`)},
		{"the watchdog polls each five seconds", put("PFC_WD/GLOBAL/POLL_INTERVAL", `"5000"`)},
		{"one port is restored after 10 ms", put("PFC_WD/Ethernet0/restoration_time", `"10"`)},
		{"the watchdog's counters are off", put("FLEX_COUNTER_TABLE/PFCWD", `{"FLEX_COUNTER_STATUS":"disable"}`)},
		{"the watchdog watches nothing", put("PORT_QOS_MAP/Ethernet0/pfcwd_sw_enable", `""`)},
		// the switch
		{"the switch computes headroom", put("DEVICE_METADATA/localhost/buffer_model", `"dynamic"`)},
		{"a dual-ToR switch", put("DEVICE_METADATA/localhost/subtype", `"DualToR"`)},
		{"a card of a chassis", put("DEVICE_METADATA/localhost/switch_type", `"voq"`)},
		{"orchagent does not run", put("FEATURE/swss", `{"state":"disabled"}`)},
		{"the SDK does not run", put("FEATURE/syncd", `{"state":"always_disabled"}`)},
		{"what is cut leaves by a queue that nobody names", each(put("SWITCH_TRIMMING/GLOBAL", `{"size":"128","dscp_value":"48"}`), put("BUFFER_PROFILE/egress_lossy_profile/packet_discard_action", `"trim"`))},
		{"what is cut leaves by the lossless queue", each(put("SWITCH_TRIMMING/GLOBAL", `{"size":"128","dscp_value":"46","queue_index":"dynamic"}`), put("BUFFER_PROFILE/egress_lossy_profile/packet_discard_action", `"trim"`))},
		{"the lossless queue is cut", each(put("SWITCH_TRIMMING/GLOBAL", `{"size":"128","dscp_value":"48","queue_index":"6"}`), put("BUFFER_PROFILE/egress_lossless_profile/packet_discard_action", `"trim"`))},
		{"a mirror of a port", put("MIRROR_SESSION/M", `{"type":"SPAN","src_port":"Ethernet0","dst_port":"Ethernet8","direction":"BOTH"}`)},
		{"storm control", put("PORT_STORM_CONTROL/Ethernet0|unknown-unicast", `{"kbps":"1000"}`)},
		{"a tunnel with maps of its own", put("TUNNEL/T", `{"tunnel_type":"IPINIP","dst_ip":"10.1.0.1","decap_dscp_to_tc_map":"AZURE"}`)},
		{"VXLAN", put("VXLAN_TUNNEL/vtep", `{"src_ip":"10.1.0.1"}`)},
		{"classes in tunnels change", put("SYSTEM_DEFAULTS/tunnel_qos_remap", `{"status":"enabled"}`)},
		{"a policy for hashing sets classes", put("PBH_RULE/T|R", `{"priority":"1","packet_action":"SET_LAG_HASH","hash":"H"}`)},
		{"a chip setting nobody knows", put("SWITCH/switch/lossless_mode", `"off"`)},
		{"cables of 1 km", each(everywhere(`"100m"`, `"1000m"`))},
		{"cables in a second row", put("CABLE_LENGTH/LONG", `{"Ethernet0":"300m"}`)},
		{"a cable length without its unit", put("CABLE_LENGTH/AZURE/Ethernet0", `"100"`)},
		{"a file of two chips", func(text string) string { return `{"asic0":` + text + `}` }},
		{"a table that is a list", put("BUFFER_PG", `[]`)},
		{"a table's name in small letters", swap(`"BUFFER_PG"`, `"buffer_pg"`)},
	}, harmless: []redEdit{
		{"one line", oneLine},
		{"blanks of four for eight", everywhere("        ", "    ")},
		{"BGP", put("BGP_NEIGHBOR/10.0.0.1", `{"asn":"65100","local_addr":"10.0.0.0","name":"spine-1"}`)},
		{"NTP", put("NTP_SERVER/10.9.0.1", `{"iburst":"on"}`)},
		{"time zone", put("DEVICE_METADATA/localhost/timezone", `"Europe/Berlin"`)},
		{"a VLAN", each(put("VLAN/Vlan100", `{"vlanid":"100"}`), put("VLAN_MEMBER/Vlan100|Ethernet0", `{"tagging_mode":"tagged"}`))},
		{"an address", put("INTERFACE/Ethernet0|10.0.0.0~31", `{}`)},
		{"a loopback", put("LOOPBACK_INTERFACE/Loopback0|10.1.0.1~32", `{}`)},
		{"a bundle of two", each(put("PORTCHANNEL/PortChannel1", `{"admin_status":"up","min_links":"1"}`), put("PORTCHANNEL_MEMBER/PortChannel1|Ethernet0", `{}`), put("PORTCHANNEL_MEMBER/PortChannel1|Ethernet4", `{}`))},
		{"a bundle with the members' MTU", each(put("PORTCHANNEL/PortChannel1", `{"admin_status":"up","mtu":"1500"}`), put("PORTCHANNEL_MEMBER/PortChannel1|Ethernet0", `{}`))},
		{"log servers", put("SYSLOG_SERVER/10.9.0.2", `{"severity":"info"}`)},
		{"SNMP", put("SNMP_COMMUNITY/public", `{"TYPE":"RO"}`)},
		{"sampling", each(put("SFLOW/global", `{"admin_state":"up"}`), put("SFLOW_SESSION/Ethernet0", `{"sample_rate":"40000"}`))},
		{"an ACL for the processor", each(put("ACL_TABLE/SSH", `{"type":"CTRLPLANE","services":["SSH"]}`), put("ACL_RULE/SSH|R1", `{"SRC_IP":"10.0.0.0~8","PACKET_ACTION":"ACCEPT"}`))},
		{"an ACL that permits", drops(`{"PRIORITY":"10","PACKET_ACTION":"FORWARD"}`)},
		{"an ACL that permits in small letters", drops(`{"PRIORITY":"10","PACKET_ACTION":"forward"}`)},
		{"an ACL that drops other traffic", drops(`{"PRIORITY":"10","DSCP":"8","PACKET_ACTION":"DROP"}`)},
		{"an ACL that drops TCP", drops(`{"PRIORITY":"10","IP_PROTOCOL":"6","L4_DST_PORT":"23","PACKET_ACTION":"DROP"}`)},
		{"an ACL that drops ARP", drops(`{"PRIORITY":"10","ETHER_TYPE":"0x0806","PACKET_ACTION":"DROP"}`)},
		{"a table without rules", put("ACL_TABLE/EMPTY", `{"type":"L3","ports":["Ethernet0"]}`)},
		{"a policer nobody uses", put("POLICER/slow", `{"meter_type":"bytes","mode":"sr_tcm","cir":"1000"}`)},
		{"a MACsec profile nobody uses", put("MACSEC_PROFILE/ring", `{"priority":"64","cipher_suite":"GCM-AES-128"}`)},
		{"a map nobody uses", put("DSCP_TO_TC_MAP/OLD", `{"46":"2"}`)},
		{"a curve nobody uses", put("WRED_PROFILE/OLD", `{"ecn":"ecn_none","green_min_threshold":"1000","green_max_threshold":"2000"}`)},
		{"a scheduler nobody uses", put("SCHEDULER/OLD", `{"type":"STRICT"}`)},
		{"a description", put("PORT/Ethernet0/description", `"tor-01:Ethernet48"`)},
		{"link training", put("PORT/Ethernet0/link_training", `"off"`)},
		{"no negotiation", put("PORT/Ethernet0/autoneg", `"off"`)},
		{"laser power", put("PORT/Ethernet0/tx_power", `"-10"`)},
		{"LLDP", put("LLDP/GLOBAL", `{"hello_time":"30"}`)},
		{"routes", put("STATIC_ROUTE/default|10.2.0.0~16", `{"nexthop":"10.0.0.1"}`)},
		{"a VRF", put("VRF/Vrf1", `{}`)},
		{"counters", put("FLEX_COUNTER_TABLE/QUEUE", `{"FLEX_COUNTER_STATUS":"enable","POLL_INTERVAL":"10000"}`)},
		{"the watchdog's counters are on", put("FLEX_COUNTER_TABLE/PFCWD", `{"FLEX_COUNTER_STATUS":"enable"}`)},
		{"containers", put("FEATURE/lldp", `{"state":"disabled","auto_restart":"enabled"}`)},
		{"telemetry runs", put("FEATURE/telemetry", `{"state":"enabled"}`)},
		{"CRM", put("CRM/Config", `{"polling_interval":"300"}`)},
		{"the watchdog's switch is off", put("PFC_WD/GLOBAL/BIG_RED_SWITCH", `"disable"`)},
		{"how packets are cut where none is", put("SWITCH_TRIMMING/GLOBAL", `{"size":"128","dscp_value":"48"}`)},
		{"the hash's seed", put("SWITCH/switch/ecmp_hash_seed", `"10"`)},
		{"old brackets around a reference", put("BUFFER_PG/Ethernet0|5/profile", `"[BUFFER_PROFILE|pg_lossless_100000_100m_profile]"`)},
		{"numbers without quotes", put("BUFFER_PROFILE/pg_lossless_100000_100m_profile/xoff", `104448`)},
		{"a neighbour", put("DEVICE_NEIGHBOR/Ethernet0", `{"name":"tor-01","port":"Ethernet48"}`)},
		{"DHCP", put("DHCP_RELAY/Vlan100", `{"dhcpv6_servers":["fc02::1"]}`)},
		{"a shell's banner", put("BANNER_MESSAGE/MOTD", `{"login":"hello"}`)},
		{"warm restart", put("WARM_RESTART/bgp", `{"bgp_timer":"120"}`)},
		{"lines end with CR LF", everywhere("\n", "\r\n")},
		{"a byte order mark", func(text string) string { return "\ufeff" + text }},
		{"a map's name is another", everywhere(`"AZURE"`, `"FABRIC"`)},
		{"a larger headroom pool", func(text string) string { return strings.Replace(text, `"xoff": "1671168"`, `"xoff": "1700000"`, 1) }},
	}}
}
