package nxos

import "github.com/roceplan/roceplan/read/cli"

// Public sources of what lines mean.
const (
	guide     = "Cisco Nexus 9000 NX-OS configuration guide, "
	qos       = guide + "Quality of Service"
	byTOR     = "microsoft/AzureStack_Network_Switch_Config_Generator, tests of cisco nxos"
	noTraffic = "it configures the switch's own processor and its access; packets that the chip forwards do not pass it"
	pathOnly  = "it decides where packets go, not in which class, queue or buffer; the proof holds for every path"
)

// neutralLines returns the table of what is skipped.
func neutralLines() []cli.Rule {
	return []cli.Rule{
		{ID: "access", Mode: "global", Patterns: []string{"aaa|banner|username|userpassphrase|password|user|enable|role|ssh|telnet|tacacs-server|radius-server|line|cli|fips|crypto|key|login|privilege …", "ip tacacs|radius|ssh|ftp|tftp|telnet|http …", "nxapi …"},
			Reason: noTraffic, Evidence: guide + "Security; " + byTOR},
		{ID: "feature", Mode: "global", Patterns: []string{"feature …", "install feature-set …", "feature-set …"}, Reason: "it makes commands of a protocol available", Evidence: guide + "Fundamentals"},
		{ID: "monitoring", Mode: "global", Patterns: []string{"logging|snmp-server|sflow|rmon|callhome|telemetry|flow|monitor|event|scheduler|icam|itd …", "hardware telemetry …"},
			Reason: "it reports what happens; copies of packets leave by ports of their own", Evidence: guide + "System Management; " + byTOR},
		{ID: "time", Mode: "global", Patterns: []string{"ntp|clock|ptp …"}, Reason: "it sets the clock", Evidence: guide + "System Management"},
		{ID: "box", Mode: "global", Patterns: []string{"version|boot|vdc|service|errdisable|install|copy|power|locator-led|limit-resource|allocate|no-more|config|end|exit …", "ip domain-lookup|domain-name|name-server|host …", "system default|mode|interface|memory-thresholds|module|login|nve|vlan …", "hostname …", "license …"},
			Reason: noTraffic + "; what ports do by default is a line of each port in a running-config", Evidence: guide + "Fundamentals; " + byTOR},
		{ID: "routing", Mode: "global", Patterns: []string{"router|vrf|route-map|track|bfd|hsrp|key|arp|fabric|object-group|nv …", "ip|ipv6 route|prefix-list|community-list|extcommunity-list|as-path|load-sharing|icmp-errors|dhcp|pim|igmp|multicast|routing|arp|access-list|adjacency|mfwd|sla …", "mac access-list|address-table …"},
			Reason: pathOnly + "; a list that is applied to a port is named there", Evidence: guide + "Unicast Routing"},
		{ID: "load-balancing", Mode: "global", Patterns: []string{"port-channel load-balance …", "hardware profile dlb …"}, Reason: pathOnly, Evidence: guide + "Unicast Routing, Dynamic Load Balancing"},
		{ID: "switching-mode", Mode: "global", Patterns: []string{"switching-mode store-forward", "no switching-mode store-forward"}, Reason: "it says when a packet may leave; headroom counts whole packets in either mode", Evidence: guide + "Layer 2 Switching, Switching Modes"},
		{ID: "bridging", Mode: "global", Patterns: []string{"vlan|spanning-tree|lldp|lacp|vpc|cdp|udld|mac-list|vtp|evpn|l2protocol …"}, Reason: pathOnly + "; such protocols exchange packets of their own", Evidence: guide + "Layer 2 Switching"},
		{ID: "copp", Mode: "global", Patterns: []string{"control-plane …", "copp …"}, Reason: "a policy for the switch's own processor", Evidence: guide + "Security, Control Plane Policing"},
		{ID: "remark", Mode: "class-map|policy-map|qos class|queuing class|network-qos class|interface", Patterns: []string{"description …"}, Reason: "a remark", Evidence: qos},
		{ID: "fex", Mode: "system qos", Patterns: []string{"fex queue-limit"}, Reason: "it is for fabric extenders, whose ports are not read", Evidence: "batfish, nxos_system"},
		{ID: "port-remarks", Mode: "interface", Patterns: []string{"load-interval …", "logging event …", "snmp trap …", "beacon", "no cdp …", "shutdown", "no shutdown"}, Reason: "a counter or a message; an interface that is shut carries nothing", Evidence: guide + "Interfaces; " + byTOR},
		{ID: "port-protocols", Mode: "interface", Patterns: []string{"cdp|lldp|lacp|spanning-tree|udld|vpc|ptp|bfd|link|dot1x|sflow|negotiate|carrier-delay|duplex …"}, Reason: "it exchanges packets of its own, or is about the transceiver", Evidence: guide + "Interfaces"},
		{ID: "port-routing", Mode: "interface", Patterns: []string{"vrf|hsrp|mpls|delay|medium|isis|ospfv3 …", "ip address|redirects|unreachables|proxy-arp|ospf|pim|router|arp|dhcp|igmp|forward|directed-broadcast|unnumbered|policy …",
			"ipv6 address|redirects|nd|ospf|router|link-local|dhcp|unreachables|forward …", "encapsulation dot1q …", "bandwidth …"}, Reason: pathOnly, Evidence: guide + "Unicast Routing; " + byTOR},
		{ID: "port-bridging", Mode: "interface", Patterns: []string{"switchport access|mode|trunk|host|monitor|vlan|dot1q …"}, Reason: pathOnly, Evidence: guide + "Layer 2 Switching; " + byTOR},
		{ID: "storm-control", Mode: "interface", Patterns: []string{"storm-control broadcast|multicast …", "no storm-control …"}, Reason: "RoCE is neither broadcast nor multicast", Evidence: guide + "Security, Traffic Storm Control"},

		{ID: "tcam", Mode: "global", Patterns: []string{"hardware access-list tcam …"}, Reason: "it divides the chip's TCAM among kinds of lists; buffers are separate", Evidence: guide + "Security, Configuring ACL TCAM Region Sizes"},
		{ID: "breakout", Mode: "global: interface breakout", Reason: "the parts of a port are interfaces of the file, which a running-config lists each", Evidence: guide + "Interfaces, Dynamic Breakout"},
		{ID: "unused", Mode: "any", Reason: "it belongs to a policy, a class or a port channel that no port of the file uses", Evidence: qos},
		{ID: "interface-of-control", Mode: "interface loopback, mgmt", Reason: noTraffic, Evidence: guide + "Interfaces"},
		{ID: "virtual-interface", Mode: "interface Vlan, nve, tunnel, subinterfaces", Reason: "the line that opens it sets nothing; the largest MTU there is drops no packet", Evidence: guide + "Interfaces"},
		{ID: "port-channel", Mode: "interface port-channel", Reason: "the line that opens it sets nothing", Evidence: guide + "Interfaces, Port Channels"},
		{ID: "channel-group", Mode: "interface: channel-group", Reason: "a packet leaves by one of the members, from that port's queues; the policies of the port channel count for its members", Evidence: guide + "Interfaces, Port Channels"},
		{ID: "built-in-class", Mode: "class-map type queuing", Reason: "the class and what it matches are built in", Evidence: "batfish, nxos_class_map: show running-config all"},
		{ID: "profile-bound", Mode: "port-profile: max-ports", Reason: "it bounds how many interfaces may inherit the profile", Evidence: guide + "Interfaces"},
		{ID: "lossy-class", Mode: "network-qos class", Reason: "a class that is not paused holds no lossless packet", Evidence: qos},
		{ID: "tail-drop", Mode: "network-qos class: congestion-control tail-drop", Reason: "it is the default; a paused class is not dropped", Evidence: "batfish, nxos_policy_map"},
		{ID: "flowcontrol-off", Mode: "interface: flowcontrol off", Reason: "off is the default", Evidence: guide + "Interfaces"},
	}
}
