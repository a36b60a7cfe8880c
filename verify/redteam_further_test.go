package verify

// furtherTeams are edits of kinds that the other teams do not have.
func furtherTeams() []redTeam {
	unset := func(path string) func(string) string {
		return func(text string) string { return text + "- unset:\n" + path }
	}
	return []redTeam{
		{file: "ucloud-pod/tor-01/config_db.json", harmful: []redEdit{
			{"the group of one port has the lossy profile", put("BUFFER_PG/Ethernet0|5/profile", `"ingress_lossy_profile"`)},
			{"PFC for a blank", put("PORT_QOS_MAP/Ethernet0/pfc_enable", `" "`)},
			{"asymmetric PFC", put("PORT/Ethernet0/pfc_asym", `"on"`)},
			{"the class in group 0", put("TC_TO_PRIORITY_GROUP_MAP/AZURE/5", `"0"`)},
			{"the class in queue 1", put("TC_TO_QUEUE_MAP/AZURE/5", `"1"`)},
			{"the lossless queue holds a cell", put("BUFFER_PROFILE/egress_lossless_profile/static_th", `"256"`)},
			{"an MTU of IPv6's least", put("PORT/Ethernet4/mtu", `"1280"`)},
			{"a row for a range of groups beside", put("BUFFER_PG/Ethernet0|3-5", `{"profile":"ingress_lossy_profile"}`)},
			{"a static pool", put("BUFFER_POOL/ingress_lossless_pool/mode", `"static"`)},
			{"a watchdog of 10 ms", put("PFC_WD/Ethernet0/detection_time", `"10"`)},
		}, harmless: []redEdit{
			{"a profile that nothing uses", put("BUFFER_PROFILE/zz", `{"pool":"ingress_lossless_pool","size":"0","xoff":"100","dynamic_th":"0"}`)},
			{"a banner", put("BANNER_MESSAGE/global", `{"state":"enabled","login":"x"}`)},
			{"a TACACS server", put("TACPLUS_SERVER/10.0.0.9", `{"priority":"1"}`)},
			{"a static route", put("STATIC_ROUTE/10.9.0.0~24", `{"nexthop":"10.0.0.1"}`)},
		}},
		{file: "tomahawk-eos-pod/leaf-1/eos.cfg", harmful: []redEdit{
			{"the class in a group of its own words", beforeEnd("qos map traffic-class 3 to priority-group 0")},
			{"a small MTU later", onPort("mtu 1500")},
			{"the profile is taken off", onPort("no service-profile")},
			{"PFC is off by another word", onPort("priority-flow-control mode off")},
			{"the profile no longer marks", beforeEnd("qos profile roceplan-servers\n   tx-queue 3\n      no random-detect ecn")},
			{"PFC is off for all by no", beforeEnd("no priority-flow-control all")},
			{"10G is forced", onPort("speed forced 10gfull")},
			{"addresses are translated", onPort("ip nat source static 10.0.0.1 10.0.0.2")},
			{"a map with a word more", beforeEnd("qos map dscp 26 to traffic-class 3 rewrite")},
		}, harmless: []redEdit{
			{"queues that are long are logged", beforeEnd("queue-monitor length drop 3")},
			{"a local user's key", beforeEnd("username ops privilege 15 secret sha512 x")},
			{"PTP", beforeEnd("ptp mode boundary")},
		}},
		{file: "cumulus-storage/leaf-1/nvue.yaml", harmful: []redEdit{
			{"PFC is unset", unset("    qos:\n      pfc:\n")},
			{"the priority leaves from queue 0", nvSet("qos/egress-queue-mapping/default-global/switch-priority/3/traffic-class", "0")},
			{"a port of 10G", nvSet("interface/swp1/link/speed", "10G")},
			{"the port does not pause", nvSet("qos/pfc/clients/tx", "disable")},
			{"the port does not stop", nvSet("qos/pfc/clients/rx", "disable")},
			{"pauses of the link by a profile", nvSet("interface/swp1/qos/link-pause/profile", "x")},
			{"one port is not watched", nvSet("interface/swp1/qos/pfc-watchdog/state", "disable")},
			{"the least alpha", nvSet("qos/advance-buffer-config/default-global/ingress-lossless-buffer/shared-alpha", "alpha_1_128")},
			{"a shorter cable", nvSet("qos/pfc/clients/cable-length", "1")},
			{"half of the port's buffer", nvSet("qos/pfc/clients/port-buffer", "76128")},
			{"pauses begin late", nvSet("qos/pfc/clients/xoff-threshold", "270000")},
		}, harmless: []redEdit{
			{"a PFC profile that nothing uses", nvSet("qos/pfc/old/tx", "disable")},
			{"a list of rules that nothing uses", nvSet("acl/a/rule/1/action/deny", "{}")},
			{"a time zone", nvSet("system/timezone", "Etc/UTC")},
		}},
		{file: "junos-rail/leaf-1/junos.conf", harmful: []redEdit{
			{"no-loss twice", swap("class rest queue-num 0;", "class rest queue-num 0 no-loss pfc-priority 3;")},
			{"another port has no speed", swap("speed 400g;", "speed 10g;")},
			{"the MTU of a port", swap("mtu 9212;", "mtu 1500;")},
			{"RDMA is strict and capped", atEnd("class-of-service {\n    schedulers {\n        rdma {\n            shaping-rate percent 1;\n        }\n    }\n}\n")},
			{"the profile is taken away", atEnd("class-of-service {\n    interfaces {\n        et-0/0/0 {\n            delete: congestion-notification-profile;\n        }\n    }\n}\n")},
			{"a policer", atEnd("firewall {\n    family inet {\n        filter F {\n            term all {\n                then {\n                    policer P;\n                }\n            }\n        }\n    }\n}\ninterfaces {\n    et-0/0/0 {\n        unit 0 {\n            family inet {\n                filter {\n                    input F;\n                }\n            }\n        }\n    }\n}\n")},
			{"pauses of the link", atEnd("interfaces {\n    et-0/0/1 {\n        ether-options {\n            flow-control;\n        }\n    }\n}\n")},
		}, harmless: []redEdit{
			{"an annotation", swap("class-of-service {", "/* by hand */\nclass-of-service {")},
			{"a description", atEnd("interfaces {\n    et-0/0/0 {\n        description \"no-loss pfc\";\n    }\n}\n")},
			{"LLDP", atEnd("protocols {\n    lldp {\n        interface all;\n    }\n}\n")},
		}},
		{file: "srlinux-rail/leaf-1/srlinux.json", harmful: []redEdit{
			{"a port of 10G", put(srlPhysical+"ethernet/port-speed", `"10G"`)},
			{"the MTU of a port", put(srlPhysical+"mtu", "1500")},
			{"a PFC queue that raises another pause", put(srlMapping+"received-traffic/unicast-mapping/pfc-queue/0/pfc-pause-frame-priority", "5")},
			{"a classifier that is not there", put(srlSub+"input/classifiers/dscp-policy", `"old"`)},
			{"headroom of one byte", put(srlServers+"pfc-queue/0/maximum-pfc-reserved-share-bytes", "1")},
			{"the queue of RDMA holds a byte", put(srlServers+"queue/1/maximum-burst-size", "1")},
		}, harmless: []redEdit{
			{"a description", put(srlPhysical+"description", `"pfc off"`)},
			{"LLDP", put("srl_nokia-lldp:lldp", `{"admin-state":"enable"}`)},
		}},
		{file: "mixed-cabling/spine-1/openconfig.json", harmful: []redEdit{
			{"a queue that drops", everywhere(`"enable-ecn": true`, `"enable-ecn": false`)},
			{"the classifier is of another type", everywhere(`"type": "IPV4"`, `"type": "MPLS"`)},
		}, harmless: []redEdit{
			{"LLDP", put("openconfig-lldp:lldp", `{"config":{"enabled":true}}`)},
			{"NTP", put("openconfig-system:system", `{"ntp":{"config":{"enabled":true}}}`)},
		}},
	}
}
