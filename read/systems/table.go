package systems

// systems lists what is known, those with a reader first. Marks are of public material:
//
//   - what devices print at the top: the detector of batfish (projects/batfish/…/grammar/
//     VendorConfigurationFormatDetector.java), types of RANCID (etc/rancid.types.base)
//   - EOS, NX-OS, Junos: the grammar of the readers
//   - AOS-CX: the modules of arubanetworks/aos-cx-ansible-collection (aoscx_qos, aoscx_queue_profile)
//   - Huawei: CloudEngine 6800 V300R023 configuration guide, "Intelligent Lossless Network"
//   - H3C: S6850 command references, "Priority-based flow control", "Data buffer"
//   - Dell OS10 and OS9: Microsoft's Azure Local switch generator, roles of dell_networking
//   - Enterprise SONiC: running-configs in dellemc.enterprise_sonic (sonic_qos_maps and its siblings)
//   - Onyx: modules onyx_qos, onyx_traffic_class, onyx_buffer_pool of ansible
//   - FBOSS: agent_config.thrift, cfg::AgentConfig
//   - Cumulus Linux: user guide 4.4, "Buffer and Queue Management" (traffic.conf) and 5.3, "Quality of
//     Service" (qos_features.conf)
//
// A pattern that two systems have is in neither row.
func systems() []System {
	return []System{
		{
			Format: "eos", Title: "EOS",
			heads: []string{"! device: …EOS-", "!RANCID-CONTENT-TYPE: arista", "! boot system flash:/EOS"},
			lines: []string{
				"daemon TerminAttr", "transceiver qsfp default-mode *", "service routing protocols model *", "qos profile *", "qos rewrite …",
				"qos map cos|dscp|traffic-class …", "priority-flow-control priority # no-drop|drop", "platform trident|trident#|sand|fap|jericho …",
				"hardware tcam", "management api …", "management ssh|console|security|telnet|defaults", "queue-monitor length|streaming …",
				"uc-tx-queue #", "mc-tx-queue #", "tx-queue #", "vlan internal order …", "ip virtual-router mac-address *",
				"spanning-tree edge-port …", "switchport trunk group *", "aaa root", "interface Vxlan#",
				"random-detect ecn minimum-threshold # …", "dcbx mode ieee|cee", "phy media …", "error-correction encoding …",
			},
		},
		{
			Format: "nxos", Title: "NX-OS",
			heads: []string{"!Command: show running-config", "!Running configuration last done", "!RANCID-CONTENT-TYPE: cisco-nx", "!RANCID-CONTENT-TYPE: ios-nx"},
			lines: []string{
				"feature * …", "switchname *", "vdc * id # …", "boot nxos …", "install feature-set …", "hardware profile …", "hardware qos …",
				"priority-flow-control watch-dog-interval …", "class-map type control-plane …", "policy-map type control-plane …", "copp profile *", "vrf context *",
				"service-policy type network-qos …", "service-policy type queuing …", "service-policy type qos …", "class type queuing …", "class type network-qos …",
				"congestion-control random-detect …", "random-detect minimum-threshold # …", "queue-limit dynamic #", "pause buffer-size # …", "interface mgmt#",
			},
		},
		{
			Format: "junos", Title: "Junos Evolved",
			heads: []string{"## Last changed:", "## Last commit:", "# Last changed:"},
			lines: []string{
				"class-of-service {", "forwarding-options {", "policy-options {", "routing-options {", "set class-of-service forwarding-classes|classifiers|schedulers …",
				"set interfaces et-#/#/#|xe-#/#/#|ge-#/#/# …", "set interfaces et-#/#/#:# …", "set policy-options …", "set chassis …",
			},
		},
		{
			Title: "Junos' configuration as XML or JSON", Ask: "give the output of `show configuration`, with or without `| display set`",
			keys: []string{"configuration"}, tags: []string{"<configuration ", "<configuration>"},
		},
		{
			Title: "EOS' configuration as JSON", Ask: "give the output of `show running-config` as text",
			keys: []string{"cmds"},
		},
		{
			Title: "SONiC's minigraph", Ask: "give the config_db.json that `sonic-cfggen -m minigraph.xml --print-data` makes of it, or that of the switch",
			tags: []string{"<DeviceMiniGraph"},
		},
		{
			Title: "SONiC's configuration of several ASICs in one document", Ask: "give the tables of each ASIC as a file, config_db0.json and so on",
			keys: []string{"asic0"},
		},
		{
			Title: "a JSON patch, as `config apply-patch` of SONiC takes it", Ask: "give the config_db.json that the switch has with the patch",
			keys: []string{"op"},
		},
		{
			Title: "a reply of NETCONF", Ask: "give the configuration as the command line prints it",
			tags: []string{"<rpc-reply", "<nc:rpc-reply"},
		},
		{
			Title: "Enterprise SONiC's command line", Ask: "give /etc/sonic/config_db.json of the switch",
			lines: []string{
				"interface Eth#/#", "interface Eth#/#/#", "interface PortChannel#", "interface PortChannel #", "interface-naming …",
				"qos map dscp-tc|dot#p-tc|tc-queue|tc-pg|tc-dscp|tc-dot#p|pfc-priority-queue|pfc-priority-pg *", "qos wred-policy *", "qos scheduler-policy *",
				"buffer init lossless", "buffer pool * …", "buffer profile * …", "roce enable …", "qos-map dscp-tc|tc-queue|tc-pg|pfc-priority-queue *",
				"queue # wred-policy *", "scheduler-policy *", "priority-flow-control watchdog …", "dscp # traffic-class #", "cable-length #m", "mclag domain …",
			},
		},
		{
			Title: "Dell OS10", heads: []string{"! Version 10.", "!RANCID-CONTENT-TYPE: dnos10"},
			lines: []string{
				"interface ethernet#/#/#", "interface ethernet#/#/#:#", "interface range ethernet#/#/# …", "interface range ethernet#/#/#-#/#/#", "interface ethernet#/#/#-#/#/#", "interface mgmt#/#/#", "trust dot#p-map|dscp-map *", "trust-map dot#p|dscp *",
				"qos-map traffic-class *", "pfc-cos *", "ets mode on|off", "service-policy input type network-qos *", "service-policy output type queuing *",
				"wred *", "queue # qos-group *", "qos-group # dot#p|dscp *", "dcbx enable", "ztd cancel", "vlt-domain #", "system-user linuxadmin …", "pfc-shared-buffer-size …",
			},
		},
		{
			Title: "Dell OS9", heads: []string{"! Version 9.", "!RANCID-CONTENT-TYPE: dnos9", "!RANCID-CONTENT-TYPE: force10"},
			lines: []string{
				"dcb-map *", "dcb enable …", "interface TenGigabitEthernet #/#", "interface fortyGigE #/#", "interface hundredGigE #/#", "interface ManagementEthernet #/#",
				"priority-group # bandwidth # pfc on|off", "priority-pgid # …", "stack-unit # …",
			},
		},
		{
			Title: "AOS-CX", heads: []string{"!Version ArubaOS-CX", "!Version AOS-CX", "!export-password:"},
			lines: []string{
				"interface #/#/#", "interface lag #", "vlan access #", "vlan trunk native|allowed …", "qos queue-profile *", "qos schedule-profile *", "qos threshold-profile *",
				"apply qos …", "map queue # local-priority *", "name queue # *", "dwrr queue # weight #", "strict queue #", "qos dscp-map …", "qos cos-map …", "qos pool # …",
				"flow-control priority|rxtx|rx …", "inter-switch-link …", "ssh server vrf *", "user * group …", "vsx",
			},
		},
		{
			Title: "Huawei VRP", heads: []string{"!Software Version V", "[~", "[*", "!RANCID-CONTENT-TYPE: vrp", "#RANCID-CONTENT-TYPE: vrp"},
			lines: []string{
				"interface #GE#/#/#", "interface #GE #/#/#", "interface #ge #/#/#", "interface #GE#/#/#:#", "interface GE#/#/#", "interface MEth#/#/#", "interface Eth-Trunk#", "interface Vlanif#",
				"interface XGigabitEthernet#/#/#", "dcb pfc …", "dcb pfc", "dcb ets-profile *", "diffserv domain *", "qos queue # …", "qos buffer …", "port trunk allow-pass vlan …",
				"ip-phb-map …", "stelnet server enable", "ai-service", "port-group *", "ip-dscp-inbound # phb …",
			},
		},
		{
			Title: "H3C Comware", heads: []string{"!RANCID-CONTENT-TYPE: h3c", "#RANCID-CONTENT-TYPE: comware"},
			lines: []string{
				"version #.#.#, Release|ESS|Feature|Alpha|Demo …", "interface Ten-GigabitEthernet#/#/#", "interface Twenty-FiveGigE#/#/#", "interface FourHundredGigE#/#/#",
				"interface TwoHundredGigE#/#/#", "interface M-GigabitEthernet#/#/#", "interface Bridge-Aggregation#", "interface Route-Aggregation#", "interface Vlan-interface#",
				"priority-flow-control enable|auto", "priority-flow-control no-drop dot#p *", "priority-flow-control dot#p …", "priority-flow-control deadlock …", "priority-flow-control poolID …",
				"qos map-table …", "qos wred …", "buffer apply", "buffer egress|ingress …", "port trunk permit vlan …", "ip binding vpn-instance *", "irf …", "mdc …",
			},
		},
		{
			Title: "Cisco IOS-XR", heads: []string{"!! IOS XR Configuration", "!! Last configuration change", "!RANCID-CONTENT-TYPE: cisco-xr", "!RANCID-CONTENT-TYPE: ios-xr"},
			lines: []string{
				"interface HundredGigE#/#/#/#", "interface FourHundredGigE#/#/#/#", "interface TwoHundredGigE#/#/#/#", "interface TenGigE#/#/#/#", "interface EightHundredGigE#/#/#/#",
				"interface Bundle-Ether#", "interface MgmtEth#/RP#/CPU#/#", "end-policy-map", "end-class-map", "end-policy", "end-set", "ipv# address * *", "hw-module profile …",
				"interface preconfigure …", "controller Optics#/#/#/#", "router static",
			},
		},
		{
			Title: "Cisco IOS", heads: []string{"Building configuration...", "Current configuration : ", "!RANCID-CONTENT-TYPE: ios", "!RANCID-CONTENT-TYPE: cisco-ncs"},
			lines: []string{
				"version #.#", "service timestamps …", "service password-encryption", "interface GigabitEthernet#/#/#", "interface GigabitEthernet#/#", "interface range GigabitEthernet#/#/#-#", "interface range TenGigabitEthernet#/#/#-#", "interface TenGigabitEthernet#/#/#",
				"interface TenGigabitEthernet#/#", "interface TwentyFiveGigE#/#/#", "interface HundredGigE#/#/#", "interface FastEthernet#/#", "boot-start-marker", "boot-end-marker",
				"vrf definition *", "line vty # #", "aaa new-model", "ip cef", "platform punt-keepalive …",
			},
		},
		{
			Title: "NVIDIA Onyx", heads: []string{"## Running database", "## Active saved database"},
			lines: []string{
				"interface ethernet #/# …", "interface ethernet #/#", "interface ethernet #/#-#/# …", "dcb priority-flow-control …", "cli default prefix-modes enable", "roce", "roce lossless|lossy|semi-lossless",
				"traffic-class # congestion-control …", "protocol mlag", "interface mlag-port-channel # …", "traffic pool * …",
			},
		},
		{
			Title: "Cumulus Linux without NVUE", Ask: "give the output of `nv config show -o commands`, or /etc/nvue.d/startup.yaml",
			lines: []string{
				"traffic.packet_priority_source_set = *", "traffic.port_group_list = …", "pfc.port_group_list = …", "ecn.port_group_list = …", "ecn_red.port_group_list = …", "traffic.cos_#.priority_source.#p = …",
				"traffic.cos_#.priority_source.dscp = …", "traffic.cos_#.packet_priorities = …", "link_pause.port_group_list = …", "net add …", "auto swp#", "iface swp# …", "iface swp#",
			},
		},
		{
			Title: "FBOSS", keys: []string{"defaultCommandLineArgs", "sw"},
		},
		{
			Title: "PicOS", lines: []string{"set interface gigabit-ethernet …", "set vlans vlan-id …", "set vlan-interface interface …"},
		},
		{
			Title: "VyOS", lines: []string{"set interfaces ethernet eth# …", "set system config-management …"},
		},
		{
			Title: "Nokia SR OS", heads: []string{"# TiMOS-", "!RANCID-CONTENT-TYPE: sros", "#RANCID-CONTENT-TYPE: sros"},
			lines: []string{"/configure …"},
		},
		{
			Title: "Ruijie RGOS",
			lines: []string{"interface HundredGigabitEthernet #/#", "interface FourHundredGigabitEthernet #/#", "interface TFGigabitEthernet #/#", "interface AggregatePort #", "nfpp"},
		},
		{
			Title: "OcNOS", heads: []string{"! Software version: …OcNOS", "!Software version: …OcNOS"},
			lines: []string{"interface ce#", "interface xe#", "interface cd#"},
		},
		{
			Title: "ExtremeXOS", heads: []string{"# Module devmgr configuration"},
			lines: []string{"configure vlan …", "configure ports * …", "configure snmp sysName *"},
		},
		{
			Title: "FRRouting", lines: []string{"frr version *", "frr defaults *"},
		},
	}
}
