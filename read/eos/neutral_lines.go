package eos

import (
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
)

// A neutralLine is a rule of the table; its fields are those of a cli.Rule.
type neutralLine cli.Rule

// rules returns the table as readers of commands take it.
func rules() []cli.Rule {
	all := make([]cli.Rule, 0, 64)
	for _, n := range neutralLines() {
		all = append(all, cli.Rule(n))
	}
	return all
}

// Public sources of what lines mean.
const (
	manual    = "EOS user manual, "
	byAVD     = "aristanetworks/avd, eos_cli_config_gen, schema of "
	byRunAll  = "show running-config all of DCS-7260CX-64 (EOS 4.19.1F) and DCS-7260CX3-64 (4.21.7M), batfish arista_interface_show_run_all"
	noTraffic = "it configures the switch's own processor and its access; packets that the chip forwards do not pass it"
	pathOnly  = "it decides where packets go, not in which class, queue or buffer; the proof holds for every path"
)

// neutralLines returns the table of what is skipped.
func neutralLines() []neutralLine {
	return append(append(neutralGlobals(), neutralPorts()...), neutralByName()...)
}

func neutralGlobals() []neutralLine {
	return []neutralLine{
		{"access", "global", []string{"aaa|alias|banner|username|enable|prompt|terminal|dot1x|tacacs-server|radius-server|role …", "management …", "ip ssh|http|radius|tacacs|ftp|tftp|telnet …"},
			noTraffic, manual + "User Security"},
		{"monitoring", "global", []string{"logging|snmp-server|sflow|event-monitor|schedule|email …", "daemon TerminAttr …", "monitor connectivity|hadoop|telemetry|server …", "load-interval default …", "flow tracking …", "hardware counter …"},
			"it reports what happens; samples and messages are sent by the switch's own processor", manual + "SNMP; sFlow; " + byAVD + "daemon_terminattr"},
		{"queue-monitor", "global|interface", []string{"queue-monitor …"}, "it reports how long queues are", manual + "Latency Analyzer (LANZ); " + byAVD + "queue_monitor_length"},
		{ruleEventHandler, "event-handler", []string{"trigger|delay|asynchronous|repeat|threshold|timeout|description …", "action log|increment …", "no action …"},
			"it waits for an event, and writes a message or counts; an action of bash is not neutral", manual + "Command-Line Interface, Event Management; " + byAVD + "event_handlers"},
		{"time", "global", []string{"ntp|clock|ptp …"}, "it sets the clock; ports handle PTP packets apart from the queues of data", manual + "Timing Protocols"},
		{"box", "global", []string{"boot|agent|service|redundancy|errdisable|system|kernel|dns|locator-led …", "ip name-server|domain|domain-name|domain-list|domain-lookup|host …", "vmtracer|cvx …"},
			noTraffic, manual + "Switch Administration"},
		{"tables", "global", []string{"platform trident forwarding-table|routing-table …", "hardware tcam …"}, "it divides the chip's tables of addresses, routes and lists; buffers are separate", manual + "Unified Forwarding Table; TCAM Profiles; " + byAVD + "platform.trident.forwarding_table_partition, tcam_profile"},
		{"transceiver-default", "global", []string{"transceiver qsfp default-mode 4x10G"}, "4x10G is the default", byAVD + "transceiver_qsfp_default_mode_4x10, which prints it on every switch"},
		{"routing", "global", []string{"router bgp|ospf|ospfv3|isis|rip|ripng|pim|msdp|igmp|multicast|bfd|general|kernel|l2-vpn|traffic-engineering …", "vrf|route-map|peer-filter|arp|track|bfd|dhcp|stun|mcs …", "ip|ipv6 routing|route|prefix-list|community-list|large-community-list|extcommunity-list|as-path|virtual-router|multicast|multicast-routing|igmp|mld|pim|dhcp|helper-address|icmp|unicast-routing|neighbor|nd|arp|address|virtual|dynamic|load-sharing …",
			"ip|ipv6 hardware fib optimize|next-hop|route …", "mpls ldp|rsvp|icmp|tunnel …", "dynamic prefix-list …", "match-list …"}, pathOnly, manual + "IPv4; BGP; OSPF; IS-IS"},
		{"path-choice", "global", []string{"load-balance …", "port-channel load-balance …", "ip hardware fib load-balance distribution dynamic flow-set-size …", "ip hardware fib ecmp …"},
			pathOnly, byAVD + "load_balance, ip_hardware; TOI 4.30.0F, Dynamic Load Balancing"},
		{"bridging", "global", []string{"vlan|spanning-tree|lldp|lacp|mlag|link|mvrp …", "mac address-table|security …", "l2-protocol", "no mac|msrp …"}, pathOnly + "; LLDP, LACP and MLAG exchange packets of their own", manual + "VLANs; Spanning Tree Protocol; Port Channels and LACP"},
		{"copp", "global", []string{"policy-map type copp|control-plane|pbr …", "class-map type copp|control-plane|pbr …"},
			"a policy for the switch's own processor, or for the path of packets; the line that applies it to a port is not neutral", manual + "Traffic Management"},
		{"security-list", "global", []string{"ip|ipv6|mac access-list …"},
			"no class-map of QoS takes a list of this kind; the line that applies it to a port is not neutral", manual + "ACLs and Route Maps"},
		{"end", "global", []string{"end", "exit", "!"}, "it closes a section or the file", manual + "Command-Line Interface"},
		{"comment", "global|interface|queue|mmu|access-list|class-map|policy-map|policy-map-class", []string{"comment …"}, "a remark", byAVD + "comment"},
	}
}

func neutralPorts() []neutralLine {
	return []neutralLine{
		{"port-remarks", "interface", []string{"description|load-interval|locator-led …", "logging event …", "snmp trap …", "no shutdown", "shutdown"},
			"a name, a counter or a message; a port that is shut carries nothing", manual + "Ethernet Ports"},
		{"port-protocols", "interface", []string{"lldp|lacp|sflow|ptp|bfd|dot1x|poe|mlag|ntp|mvrp|link|link-debounce|dhcp|mac-address …", "flow tracker …", "port-channel lacp|min-links|load-balance …", "autostate", "spanning-tree …", "l2-protocol encapsulation …", "no l2-protocol|msrp …", "no mac timestamp …"},
			"it exchanges packets of its own, or reports", manual + "Link Layer Discovery Protocol; Port Channels and LACP; Spanning Tree Protocol"},
		{"port-routing", "interface", []string{"vrf|arp|isis|ospf|ospfv3|pim|igmp|mld|multicast|mfib|rip|evpn|stun|flow-spec …", "tunnel source|destination|mode|ttl|key|underlay|vrf …", "no tunnel …", "mpls …",
			"ip address|arp|attached-host|attached-hosts|attached-routes|dhcp|directed-broadcast|helper-address|icmp|igmp|local-proxy-arp|mfib|multicast|ospf|pim|proxy-arp|rip|virtual-router|virtual|nd|routing|unnumbered|enable …",
			"ipv6 address|attached-host|attached-routes|dhcp|enable|nd|ospf|pim|mld|rip|virtual-router|virtual|multicast|mfib …",
			"no ip|ipv6 verify …", "no ip|ipv6 access-group …", "no ip nat …", "encapsulation dot1q|vlan …", "no encapsulation …", "tcp mss …"},
			pathOnly + "; labels count only where the switch says mpls ip", manual + "IPv4; IPv6; OSPF; IS-IS; " + byRunAll},
		{"port-bridging", "interface", []string{"switchport access|trunk|phone|dot1q|source-interface|mac|vlan …", "switchport mode access|trunk|dot1q-tunnel …", "no switchport mode …", "no switchport tap|tool|port-security|backup-link|backup …", "vlan id|* …"},
			pathOnly, manual + "VLANs; " + byRunAll},
		{"port-physical", "interface", []string{"phy|transceiver …", "no error-correction reed-solomon …", "no unidirectional", "no traffic-loopback", "no l2 mtu", "no mac security …"},
			"the transceiver's own settings; rate and error correction have lines of their own", byRunAll},
		{"storm-control", "interface", []string{"storm-control broadcast|multicast …", "no storm-control …"}, "RoCE is neither broadcast nor multicast", manual + "Data Plane Security"},
		{"pdp-default", "interface", []string{"service-policy type pdp input default-pdp-policy"}, "the policy that every port has", byRunAll},
		{"vxlan", "interface", []string{"vxlan source-interface|udp-port|vlan|vrf|flood|learn-restrict|virtual-router|virtual-vtep|multicast-group|mlag|controller-client …"}, pathOnly, byAVD + "vxlan_interface"},
	}
}

// neutralByName returns the rules that the parser names.
func neutralByName() []neutralLine {
	const qos = manual + "Quality of Service"
	return []neutralLine{
		{"unused", "any", nil, "it belongs to a profile, a policy, a list or a port channel that no port of the file uses", qos},
		{"interface-of-control", "interface Loopback, Management", nil, noTraffic, manual + "Ethernet Ports"},
		{"virtual-interface", "interface Vlan, Vxlan, Tunnel, Dps, subinterfaces", nil, "the line that opens it sets nothing", manual + "VLANs"},
		{"mtu-of-roce", "interface Vlan, Tunnel, subinterfaces: mtu", nil, "no RoCE packet is larger", read.LargestRoCESource},
		{"port-channel", "interface Port-Channel", nil, "the line that opens it sets nothing", manual + "Port Channels and LACP"},
		{"channel-group", "interface: channel-group", nil, "a packet still leaves by one of the members, from that port's queues; settings of the port channel itself are not modelled", manual + "Port Channels and LACP"},
		{"port-default", "interface: qos cos, qos dscp", nil, "it is for packets without a trusted value; RoCEv2 packets have a DSCP, and a port that does not trust it needs a policy", qos},
		{"cos-map", "global: qos map cos, exp, traffic-class to cos; qos rewrite cos; set cos", nil, "it reads or writes the CoS or EXP of a frame; a port that trusts the CoS is not modelled", qos},
		{"queue-name", "global: qos tx-queue N name", nil, "a name", "openconfig/featureprofiles internal/cfgplugins/qos.go"},
		{"multicast-queue", "mc-tx-queue, egress multicast queue", nil, "RoCE is unicast; a reserve of multicast queues, which takes from the shared buffer, is not neutral", qos},
		{"dcbx", "interface: dcbx mode", nil, "EOS announces its settings; it is assumed to take none from its peer", manual + "DCBX and Flow Control; " + byRunAll},
		{"ecn-count", "queue: random-detect ecn count", nil, "it counts marked packets", qos},
		{"ecn-non-ect", "global: qos random-detect ecn allow non-ect", nil, "it exempts packets that cannot be marked from marking queues", byAVD + "qos.random_detect.ecn"},
		{"guaranteed-bandwidth", "queue: bandwidth guaranteed", nil, "its amount; a check finds watched queues that have none", qos},
		{"default-drop-curve", "queue: no random-detect", nil, "no drop curve is the default", byRunAll},
		{"default-shape", "interface: no shape rate", nil, "no shaper is the default", byRunAll},
		{"default-watchdog", "interface: no priority-flow-control pause watchdog port", nil, "the switch's action and timers are the default", byRunAll},
		{"flowcontrol-off", "interface: flowcontrol off", nil, "off is the default", byRunAll},
		{"list-passes", "interface: ip access-group", nil, "the list permits all packets, whatever it counts", manual + "ACLs and Route Maps"},
		{"list-remark", "access-list: remark, counters", nil, "it matches nothing", manual + "ACLs and Route Maps"},
	}
}
