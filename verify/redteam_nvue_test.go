package verify

import "strings"

// nvSet is one more operation at the end of an NVUE file: what a path of names leads to.
func nvSet(path, value string) func(string) string { return nvMore("set", path, value) }

func nvMore(operation, path, value string) func(string) string {
	words := strings.Split(path, "/")
	var b strings.Builder
	b.WriteString("- " + operation + ":\n")
	for i, w := range words {
		b.WriteString(strings.Repeat("  ", i+2) + "'" + strings.ReplaceAll(w, "~", "/") + "':") // names of files have slashes
		if i == len(words)-1 {
			b.WriteString(" " + value)
		}
		b.WriteString("\n")
	}
	return atEnd(b.String())
}

func nvueTeam() redTeam {
	const port, pools = "interface/swp1/", "qos/advance-buffer-config/default-global/"
	return redTeam{file: "cumulus-storage/leaf-1/nvue.yaml", alone: map[string]string{
		"lossy queues take more": "how much lossy traffic may take at egress is a choice, and the proof holds with it",
		"marking begins late":    "a narrow curve is a valid one",
		"marking of all":         "a narrow curve is a valid one",
	}, harmful: []redEdit{
		// PFC
		{"the peer is not paused", nvSet("qos/pfc/clients/tx", "disable")},
		{"pauses are not obeyed", nvSet("qos/pfc/targets/rx", "disable")},
		{"one priority more", nvSet("qos/pfc/clients/switch-priority/5", "{}")},
		{"another cable", nvSet("qos/pfc/clients/cable-length", "100")},
		{"pauses begin late", nvSet("qos/pfc/clients/xoff-threshold", "276000")},
		{"pauses end below nothing", nvSet("qos/pfc/spines/xon-threshold", "0")},
		{"pauses end above their beginning", nvSet("qos/pfc/spines/xon-threshold", "600000")},
		{"half of the buffer of a port", nvSet("qos/pfc/spines/port-buffer", "273024")},
		{"amounts in kilobytes", nvSet("qos/pfc/clients/port-buffer", "149KB")},
		{"an amount in hexadecimal", nvSet("qos/pfc/clients/port-buffer", "0x1000")},
		{"an amount with an exponent", nvSet("qos/pfc/clients/port-buffer", "1e3")},
		{"a port of the profile of others", nvSet("interface/swp49/qos/pfc/profile", "clients")},
		{"a port with the global profile", nvSet(port+"qos/pfc/profile", "default-global")},
		{"a port with a profile that is not there", nvSet(port+"qos/pfc/profile", "Clients")},
		{"a range of ports with another profile", nvSet("interface/swp49-52/qos/pfc/profile", "clients")},
		{"a list of ports with another profile", nvSet("interface/swp49,swp50/qos/pfc/profile", "clients")},
		{"PFC of a port is unset", nvMore("unset", port+"qos/pfc", "{}")},
		{"QoS of a port is unset", nvMore("unset", port+"qos", "null")},
		{"the priority is unset", nvMore("unset", "qos/pfc/clients/switch-priority/3", "{}")},
		{"all QoS is unset", nvMore("unset", "qos", "null")},
		{"pause of the link", each(nvSet("qos/link-pause/p/tx", "enable"), nvSet(port+"qos/link-pause/profile", "p"))},
		// maps
		{"a map of one port", each(nvSet("qos/mapping/mine/dscp/26/switch-priority", "0"), nvSet(port+"qos/mapping/profile", "mine"))},
		{"trust of the tag", nvSet("qos/mapping/default-global/trust", "l2")},
		{"trust of the port", nvSet("qos/mapping/default-global/trust", "port")},
		{"the priority of a port", each(nvSet("qos/mapping/p/trust", "port"), nvSet("qos/mapping/p/port-default-sp", "3"), nvSet(port+"qos/mapping/profile", "p"))},
		{"a code point in another priority", nvSet("qos/mapping/default-global/dscp/26/switch-priority", "1")},
		{"a range of code points", nvSet("qos/mapping/default-global/dscp/24-31/switch-priority", "0")},
		{"further code points are lossless", nvSet("qos/mapping/default-global/dscp/0/switch-priority", "3")},
		{"the queue of one port's class", each(nvSet("qos/egress-queue-mapping/mine/switch-priority/3/traffic-class", "0"), nvSet(port+"qos/egress-queue-mapping/profile", "mine"))},
		{"two classes in one queue", nvSet("qos/egress-queue-mapping/default-global/switch-priority/0/traffic-class", "3")},
		{"the DSCP is rewritten", each(nvSet("qos/remark/w/switch-priority/3/dscp", "0"), nvSet("qos/remark/w/rewrite", "l3"), nvSet(port+"qos/remark/profile", "w"))},
		{"the DSCP is rewritten everywhere", each(nvSet("qos/remark/default-global/switch-priority/3/dscp", "0"), nvSet("qos/remark/default-global/rewrite", "l3"))},
		// RoCE mode
		{"lossy RoCE", each(nvSet("qos/roce/enable", "on"), nvSet("qos/roce/mode", "lossy"))},
		// buffers
		{"the lossless pool is small", nvSet(pools+"ingress-service-pool/0/memory-percent", "10")},
		{"the lossless pool has no memory", nvSet(pools+"ingress-service-pool/0/memory-percent", "0")},
		{"the pool is static", nvSet(pools+"ingress-service-pool/0/mode", "static")},
		{"a second pool", each(nvSet(pools+"ingress-service-pool/1/memory-percent", "60"), nvSet(pools+"ingress-service-pool/1/mode", "dynamic"))},
		{"more memory than there is", nvSet(pools+"ingress-service-pool/0/memory-percent", "130")},
		{"lossless groups have a small share", nvSet(pools+"ingress-lossless-buffer/shared-alpha", "alpha_1_64")},
		{"lossless groups have no share", nvSet(pools+"ingress-lossless-buffer/shared-alpha", "alpha_0")},
		{"lossless queues are bounded", nvSet(pools+"egress-lossless-buffer/shared-alpha", "alpha_1")},
		{"lossless queues in the lossy pool", nvSet(pools+"egress-lossless-buffer/service-pool", "'0'")},
		{"the lossless pool of the other side is bounded", each(nvMore("unset", pools+"egress-service-pool/1/infinite", "null"), nvSet(pools+"egress-service-pool/1/memory-percent", "5"))},
		{"the lossless priority in a bulk group too", nvSet(pools+"ingress-lossy-buffer/priority-group/bulk/switch-priority/3", "{}")},
		{"lossy queues take more", nvSet(pools+"egress-lossy-buffer/traffic-class/0/shared-alpha", "alpha_infinity")},
		{"the lossy group takes reserves", nvSet(pools+"ingress-lossy-buffer/priority-group/bulk/reserved", "4MB")},
		{"the management buffer takes more", nvSet(pools+"ingress-mgmt-buffer/headroom", "10MB")},
		{"the lossless class has a traffic pool of its own", each(nvSet("qos/traffic-pool/roce-lossy/memory-percent", "50"), nvSet("qos/traffic-pool/roce-lossy/switch-priority/3", "{}"))},
		// queues
		{"the lossless class is strict", nvSet("qos/egress-scheduler/clients/traffic-class/3/mode", "strict")},
		{"the lossless class has one per cent", nvSet("qos/egress-scheduler/clients/traffic-class/3/bw-percent", "1")},
		{"a scheduler of one port", nvSet(port+"qos/egress-scheduler/profile", "default-global")},
		{"the lossless queue is shaped", nvSet("qos/egress-shaper/clients/traffic-class/3/max-rate", "1000000")},
		{"the port is shaped", nvSet("qos/egress-shaper/clients/port-max-rate", "1000000")},
		{"marking is off", nvSet("qos/congestion-control/clients/traffic-class/3/ecn", "disable")},
		{"RED drops", nvSet("qos/congestion-control/clients/traffic-class/3/red", "enable")},
		{"marking begins late", nvSet("qos/congestion-control/clients/traffic-class/3/min-threshold", "11900000")},
		{"marking of all", nvSet("qos/congestion-control/clients/traffic-class/3/max-threshold", "3000384")},
		{"marking of one port is unset", nvMore("unset", port+"qos/congestion-control", "null")},
		// the watchdog
		{"the watchdog of a port is off", nvSet(port+"qos/pfc-watchdog/state", "disable")},
		{"the watchdog polls each five seconds", nvSet("qos/pfc-watchdog/polling-interval", "5000")},
		{"the watchdog believes a hundred polls", nvSet("qos/pfc-watchdog/robustness", "1000")},
		// ports
		{"a slow port", nvSet(port+"link/speed", "10G")},
		{"a port in four", nvSet(port+"link/breakout/4x", "{}")},
		{"fewer lanes", nvSet(port+"link/lanes", "'1'")},
		{"a small MTU", nvSet(port+"link/mtu", "1500")},
		{"half duplex", nvSet(port+"link/duplex", "half")},
		{"no FEC", nvSet(port+"link/fec", "'off'")},
		{"a bond with a small MTU", each(nvSet("interface/bond1/bond/member/swp1", "{}"), nvSet("interface/bond1/link/mtu", "1500"))},
		{"an SVI with a small MTU", nvSet("interface/vlan100/link/mtu", "1500")},
		{"QoS of a bond", each(nvSet("interface/bond1/bond/member/swp1", "{}"), nvSet("interface/bond1/qos/pfc/profile", "spines"))},
		{"storm control of unknown stations", nvSet(port+"storm-control/unknown-unicast", "100")},
		{"a list of rules", each(nvSet("acl/a/rule/1/action/deny", "{}"), nvSet("acl/a/type", "ipv4"), nvSet(port+"acl/a/inbound", "{}"))},
		{"a list of rules that sets the DSCP", each(nvSet("acl/a/rule/1/action/set/dscp", "0"), nvSet(port+"acl/a/outbound", "{}"))},
		{"a list of rules on an SVI", each(nvSet("acl/a/rule/1/action/police/rate", "100"), nvSet("interface/vlan100/acl/a/inbound", "{}"))},
		{"policy-based routing", nvSet(port+"router/pbr/map/p", "{}")},
		{"trimming", nvSet("system/forwarding/packet-trim/state", "enabled")},
		{"a mirror", nvSet("system/port-mirror/session/1/span/source-port/swp1", "{}")},
		{"VXLAN", nvSet("nve/vxlan/enable", "on")},
		// the system
		{"QoS files are left as they are", nvSet("system/config/apply/ignore/~etc~cumulus~datapath~qos~qos_features.conf", "{}")},
		{"a snippet writes the QoS file", nvSet("system/config/snippet/qos/file", `"/etc/cumulus/datapath/qos/qos_features.conf"`)},
		{"a traditional snippet", nvSet("system/config/snippet/switchd.conf", `"buf_util.measure_interval = 0"`)},
		{"the chip's memory by another profile", nvSet("system/forwarding/profile", "v6-heavy-2")},
		{"a setting nobody knows", nvSet("qos/pfc/clients/headroom-mode", "shared")},
		{"a merge conflict", swap("    interface:\n", "<<<<<<< HEAD\n    interface:\n")},
		{"a key twice", swap("          rx: enable\n", "          rx: enable\n          rx: disable\n")},
		{"another device", nvSet("system/hostname", "leaf-9")},
		{"a number as a text that is none", nvSet("qos/pfc/clients/port-buffer", "lots")},
		{"half a file", func(text string) string { return text[:len(text)/2] }},
	}, harmless: []redEdit{
		{"a comment", atEnd("# nothing\n")},
		{"a comment at a line", swap("          tx: enable\n", "          tx: enable # as ordered\n")},
		{"numbers without quotes", swap("            '26':\n", "            26:\n")},
		{"names in double quotes", swap("        default-global:\n          trust", "        \"default-global\":\n          trust")},
		{"flow style", swap("            '26':\n              switch-priority: 3\n", "            '26': {switch-priority: 3}\n")},
		{"a document mark", func(text string) string { return "---\n" + text }},
		{"lines end with CR LF", everywhere("\n", "\r\n")},
		{"the same again", nvSet("qos/pfc/clients/tx", "enable")},
		{"what holds without it", nvSet("qos/congestion-control/clients/traffic-class/3/ecn", "enable")},
		{"a speed again", nvSet(port+"link/auto-negotiate", "'on'")},
		{"a description", nvSet(port+"description", "server 1")},
		{"an address", nvSet(port+"ip/address/10.0.0.0~31", "{}")},
		{"a loopback", nvSet("interface/lo/ip/address/10.1.0.1~32", "{}")},
		{"management", nvSet("interface/eth0/ip/address/10.9.0.2~24", "{}")},
		{"BGP", nvSet("router/bgp/enable", "'on'")},
		{"neighbours", nvSet("vrf/default/router/bgp/neighbor/swp49/remote-as", "external")},
		{"a bridge", nvSet("bridge/domain/br_default/vlan/10", "{}")},
		{"a port of the bridge", nvSet(port+"bridge/domain/br_default/access", "10")},
		{"an SVI", nvSet("interface/vlan10/ip/address/10.2.0.1~24", "{}")},
		{"a bond", nvSet("interface/bond1/bond/member/swp1", "{}")},
		{"NTP", nvSet("service/ntp/mgmt/server/10.9.0.1", "{}")},
		{"a host name", nvSet("system/hostname", "leaf-1")},
		{"time zone", nvSet("system/timezone", "Europe/Berlin")},
		{"SNMP", nvSet("service/snmp-server/enable", "'on'")},
		{"logging", nvSet("service/syslog/default/server/10.9.0.3", "{}")},
		{"users", nvSet("system/aaa/user/cumulus/role", "system-admin")},
		{"the API", nvSet("system/api/state", "enabled")},
		{"LLDP", nvSet(port+"lldp/state", "enabled")},
		{"what just happened", nvSet("system/wjh/enable", "'on'")},
		{"telemetry", nvSet("system/telemetry/enable", "'on'")},
		{"hashing", nvSet("system/forwarding/ecmp-hash/source-ip", "'on'")},
		{"settings are saved", nvSet("system/config/auto-save/state", "enabled")},
		{"a link that is up", nvSet(port+"link/state/up", "{}")},
		{"storm control of broadcasts", nvSet(port+"storm-control/broadcast", "100")},
		{"a profile nobody uses", nvSet("qos/pfc/old/tx", "disable")},
		{"a map nobody uses", nvSet("qos/mapping/old/trust", "l2")},
		{"a scheduler nobody uses", nvSet("qos/egress-scheduler/old/traffic-class/3/mode", "strict")},
		{"a list of rules nobody uses", nvSet("acl/old/rule/1/action/deny", "{}")},
		{"what is not there is unset", nvMore("unset", "vrf/blue", "null")},
		{"a header of the software", func(text string) string {
			return strings.Replace(text, "- set:\n", "- header:\n    model: SN4600\n    nvue-api-version: nvue_v1\n- set:\n", 1)
		}},
		{"profiles of other names", everywhere(": clients\n", ": 'clients'\n")},
		{"MLAG", nvSet("mlag/enable", "'on'")},
		{"a DHCP relay", nvSet("service/dhcp-relay/default/server/10.9.0.5", "{}")},
	}}
}
