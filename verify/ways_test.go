package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/read"
)

// routes are edits of one leaf by what they do to the ways of packets: those that may lead them elsewhere
// than on shortest paths, and those that do not.
func routes() map[string]netTeam {
	junosInterface := func(text string) func(string) string {
		return atEnd("interfaces {\n    et-0/0/32 {\n        unit 0 {\n            " + text + "\n        }\n    }\n}\n")
	}
	instance := func(name, text string) func(string) string {
		return put("srl_nokia-network-instance:network-instance", `[{"name": "`+name+`", `+text+`}]`)
	}
	bridged := "interface Ethernet33/1\n   switchport mode trunk\n"
	unrouted := swap("interface Ethernet33/1\n   mtu 9198\n   no switchport\n", "interface Ethernet33/1\n   mtu 9198\n")
	return map[string]netTeam{
		"sonic": {
			harmful: []netEdit{
				{"a static route", "", put("STATIC_ROUTE/default|10.0.0.0~8", `{"nexthop": "10.1.0.1"}`)},
				{"a blackhole", "", put("STATIC_ROUTE/10.0.0.0~8", `{"blackhole": "true"}`)},
				{"its own AS is taken", "", put("BGP_PEER_GROUP_AF/default|SPINES|ipv4_unicast", `{"allow_as_in": "true"}`)},
				{"a policy of routes", "", put("BGP_NEIGHBOR_AF/default|10.0.0.2|ipv4_unicast", `{"route_map_in": ["RM"]}`)},
				{"a preference", "", put("ROUTE_MAP/RM|10", `{"route_operation": "permit", "set_local_pref": "200"}`)},
				{"routes of another VRF", "", put("BGP_GLOBALS_AF/default|ipv4_unicast", `{"import_vrf": "Vrf1"}`)},
				{"no routing", "", put("FEATURE/bgp", `{"state": "disabled"}`)},
				{"no BGP", "", put("DEVICE_METADATA/localhost/default_bgp_status", `"down"`)},
				{"a neighbour is shut down", "", put("BGP_NEIGHBOR/10.0.0.2", `{"asn": "65100", "admin_status": "down"}`)},
				{"a port to a spine bridges", "", put("VLAN_MEMBER/Vlan10|Ethernet256", `{"tagging_mode": "tagged"}`)},
				{"a port to a spine is down", "", put("PORT/Ethernet256/admin_status", `"down"`)},
				{"a port to a spine is in a VRF", "", put("INTERFACE/Ethernet256", `{"vrf_name": "Vrf1"}`)},
			},
			harmless: []netEdit{
				{"a neighbour", "", put("BGP_NEIGHBOR/10.0.0.2", `{"asn": "65100", "name": "spine-1"}`)},
				{"a port to a server bridges", "", put("VLAN_MEMBER/Vlan10|Ethernet0", `{"tagging_mode": "untagged"}`)},
				{"a port to a server is down", "", put("PORT/Ethernet0/admin_status", `"down"`)},
				{"all ports to spines are in a VRF", "", put("INTERFACE", `{"Ethernet256": {"vrf_name": "Vrf1"}, "Ethernet264": {"vrf_name": "Vrf1"}}`)},
				{"a route of management", "", put("STATIC_ROUTE/mgmt|0.0.0.0~0", `{"nexthop": "10.9.0.1"}`)},
				{"an address", "", put("INTERFACE/Ethernet256|10.0.0.0~31", `{}`)},
				{"what to do where cooling leaks", "", put("LEAK_CONTROL_POLICY/policy", `{"system_leak_policy": "enabled"}`)},
				{"addresses are forgotten late", "", put("SWITCH/switch", `{"fdb_aging_time": "600"}`)},
			},
		},
		"eos": {
			harmful: []netEdit{
				{"a static route", "", beforeEnd("ip route 10.0.0.0/8 10.1.0.1\n")},
				{"a blackhole", "", beforeEnd("ip route 10.0.0.0/8 Null0\n")},
				{"no routing", "", beforeEnd("no ip routing\n")},
				{"no BGP", "", beforeEnd("router bgp 65001\n   shutdown\n")},
				{"a neighbour is shut down", "", beforeEnd("router bgp 65001\n   neighbor SPINES shutdown\n")},
				{"its own AS is taken", "", beforeEnd("router bgp 65001\n   neighbor SPINES allowas-in 2\n")},
				{"its own AS is taken from all", "", beforeEnd("router bgp 65001\n   bgp allowas-in 2\n")},
				{"the neighbour's AS is replaced", "", beforeEnd("router bgp 65001\n   neighbor SPINES as-path remote-as replace out\n")},
				{"a policy of routes", "", beforeEnd("router bgp 65001\n   address-family ipv4\n      neighbor SPINES route-map RM in\n")},
				{"a preference", "", beforeEnd("route-map RM permit 10\n   set local-preference 200\n")},
				{"a metric", "", swap("interface Ethernet33/1\n", "interface Ethernet33/1\n   isis metric 100\n")},
				{"neighbours avoid it by IS-IS", "", beforeEnd("router isis FABRIC\n   set-overload-bit\n")},
				{"neighbours avoid it by OSPF", "", beforeEnd("router ospf 1\n   max-metric router-lsa\n")},
				{"a port to a spine bridges", "", unrouted},
				{"a port to a spine is a trunk", "", each(unrouted, beforeEnd(bridged))},
				{"a port to a spine is down", "", beforeEnd("interface Ethernet33/1\n   shutdown\n")},
				{"a port to a spine is in a VRF", "", beforeEnd("interface Ethernet33/1\n   vrf A\n")},
				{"no spanning tree", "", each(unrouted, beforeEnd("spanning-tree mode none\n"))},
				{"addresses are forgotten early", "", each(unrouted, beforeEnd("mac address-table aging-time 30\n"))},
			},
			harmless: []netEdit{
				{"a neighbour", "", beforeEnd("router bgp 65001\n   neighbor 10.0.0.2 remote-as 65100\n   maximum-paths 4\n   redistribute connected route-map RM-CONN\n")},
				{"a route of management", "", beforeEnd("ip route vrf MGMT 0.0.0.0/0 10.9.0.1\nno ip routing vrf MGMT\nip routing\n")},
				{"neighbours avoid it while it starts", "", beforeEnd("router isis FABRIC\n   set-overload-bit on-startup 300\nrouter ospf 1\n   max-metric router-lsa on-startup 300\n")},
				{"no spanning tree where all routes", "", beforeEnd("spanning-tree mode none\nmac address-table aging-time 30\n")},
			},
		},
		"nvue": {
			harmful: []netEdit{
				{"a static route", "", nvSet("vrf/default/router/static/10.0.0.0~8/via/10.1.0.1", "{}")},
				{"a blackhole", "", nvSet("vrf/default/router/static/10.0.0.0~8/via/blackhole/type", "blackhole")},
				{"no BGP", "", nvSet("router/bgp/enable", "off")},
				{"no BGP, as since 5.15", "", nvSet("router/bgp/state", "disabled")},
				{"its own AS is taken", "", nvSet("vrf/default/router/bgp/neighbor/swp33/address-family/ipv4-unicast/aspath/allow-my-asn/enable", "on")},
				{"its own AS is taken, as since 5.15", "", nvSet("vrf/default/router/bgp/neighbor/swp33/address-family/ipv4-unicast/aspath/allow-my-asn/state", "enabled")},
				{"a neighbour is shut down", "", nvSet("vrf/default/router/bgp/neighbor/swp33/shutdown", "on")},
				{"a policy of routes", "", nvSet("vrf/default/router/bgp/neighbor/swp33/address-family/ipv4-unicast/policy/inbound/route-map", "RM")},
				{"a preference", "", nvSet("router/policy/route-map/RM/rule/10/set/local-preference", "200")},
				{"neighbours avoid it", "", nvSet("vrf/default/router/ospf/max-metric/administrative", "on")},
				{"a port to a spine bridges", "", nvSet("interface/swp33/bridge/domain/br_default", "{}")},
				{"a port to a spine is down", "", nvSet("interface/swp33/link/state/down", "{}")},
				{"a port to a spine is in a VRF", "", nvSet("interface/swp33/ip/vrf", "A")},
				{"no spanning tree", "", each(nvSet("interface/swp33/bridge/domain/br_default", "{}"), nvSet("bridge/domain/br_default/stp/state/down", "{}"))},
			},
			harmless: []netEdit{
				{"a neighbour", "", nvSet("vrf/default/router/bgp/neighbor/swp33/remote-as", "external")},
				{"paths through other AS of one length", "", nvSet("vrf/default/router/bgp/path-selection/multipath/aspath-ignore", "on")},
				{"a port to a server bridges", "", nvSet("interface/swp1/bridge/domain/br_default", "{}")},
				{"a route of management", "", nvSet("vrf/mgmt/router/static/0.0.0.0~0/via/10.9.0.1", "{}")},
			},
		},
		"junos": {
			harmful: []netEdit{
				{"a static route", "", atEnd("routing-options {\n    static {\n        route 10.0.0.0/8 next-hop 10.1.0.1;\n    }\n}\n")},
				{"a blackhole", "", atEnd("routing-options {\n    static {\n        route 10.0.0.0/8 discard;\n    }\n}\n")},
				{"its own AS is taken", "", atEnd("routing-options {\n    autonomous-system 65001 loops 2;\n}\n")},
				{"a neighbour is shut down", "", atEnd("protocols {\n    bgp {\n        group SPINES {\n            neighbor 10.0.0.2 {\n                shutdown;\n            }\n        }\n    }\n}\n")},
				{"a policy of routes", "", atEnd("protocols {\n    bgp {\n        group SPINES {\n            import RM;\n        }\n    }\n}\n")},
				{"a preference", "", atEnd("policy-options {\n    policy-statement RM {\n        term 1 {\n            then {\n                local-preference 200;\n            }\n        }\n    }\n}\n")},
				{"neighbours avoid it", "", atEnd("protocols {\n    isis {\n        overload;\n    }\n}\n")},
				{"neighbours avoid it by high metrics", "", atEnd("protocols {\n    isis {\n        overload advertise-high-metrics;\n    }\n}\n")},
				{"a port to a spine bridges", "", junosInterface("family ethernet-switching;")},
				{"a port to a spine is in an instance", "", atEnd("routing-instances {\n    A {\n        interface et-0/0/32.0;\n    }\n}\n")},
				{"addresses are forgotten early", "", each(junosInterface("family ethernet-switching;"), atEnd("protocols {\n    l2-learning {\n        global-mac-table-aging-time 30;\n    }\n}\n"))},
			},
			harmless: []netEdit{
				{"a neighbour", "", atEnd("protocols {\n    bgp {\n        group SPINES {\n            export DIRECT;\n            multipath multiple-as;\n            neighbor 10.0.0.2 {\n                peer-as 65100;\n            }\n        }\n    }\n}\n")},
				{"neighbours avoid it while it starts", "", atEnd("protocols {\n    isis {\n        overload timeout 300;\n    }\n}\n")},
				{"an address", "", junosInterface("family inet {\n                address 10.0.0.1/31;\n            }")},
				{"a route of management", "", atEnd("routing-instances {\n    mgmt_junos {\n        routing-options {\n            static {\n                route 0.0.0.0/0 next-hop 10.9.0.1;\n            }\n        }\n    }\n}\n")},
			},
		},
		"srlinux": {
			harmful: []netEdit{
				{"a static route", "", instance("default", `"srl_nokia-static-routes:static-routes": {"route": [{"prefix": "10.0.0.0/8", "next-hop-group": "g"}]}`)},
				{"no routing", "", instance("default", `"admin-state": "disable"`)},
				{"its own AS is taken", "", instance("default", `"protocols": {"srl_nokia-bgp:bgp": {"group": [{"group-name": "SPINES", "as-path-options": {"allow-own-as": 2}}]}}`)},
				{"a neighbour is shut down", "", instance("default", `"protocols": {"srl_nokia-bgp:bgp": {"neighbor": [{"peer-address": "10.0.0.2", "admin-state": "disable"}]}}`)},
				{"a preference", "", put("srl_nokia-routing-policy:routing-policy", `{"policy": [{"name": "RM", "default-action": {"bgp": {"local-preference": {"set": 200}}}}]}`)},
				{"neighbours avoid it", "", instance("default", `"protocols": {"srl_nokia-isis:isis": {"instance": [{"name": "i", "overload": {"immediate": {"set-bit": true}}}]}}`)},
				{"a port to a spine bridges", "", put("srl_nokia-interfaces:interface/8/subinterface", `[{"index": 0, "type": "bridged"}]`)},
				{"a port to a spine is down", "", put("srl_nokia-interfaces:interface/8/admin-state", `"disable"`)},
				{"a port to a spine is in an instance", "", instance("A", `"interface": [{"name": "ethernet-1/33.0"}]`)},
			},
			harmless: []netEdit{
				{"a neighbour", "", instance("default", `"protocols": {"srl_nokia-bgp:bgp": {"autonomous-system": 65001, "neighbor": [{"peer-address": "10.0.0.2", "peer-group": "SPINES"}]}}`)},
				{"a route of management", "", instance("mgmt", `"srl_nokia-static-routes:static-routes": {"route": [{"prefix": "0.0.0.0/0", "next-hop-group": "g"}]}`)},
				{"all ports to spines are in an instance", "", instance("default", `"interface": [{"name": "ethernet-1/33.0"}, {"name": "ethernet-1/34.0"}]`)},
				{"a port to a spine routes", "", put("srl_nokia-interfaces:interface/8/subinterface", `[{"index": 0, "type": "routed"}]`)},
			},
		},
	}
}

// A verdict on deadlocks does not hold for a switch whose file may lead packets elsewhere than on shortest
// paths, and names the line. It says by which routing it holds.
func TestRoutesOfFiles(t *testing.T) {
	for _, k := range networkKinds() {
		n := networkOf(t, k)
		team := routes()[k.target]
		r := n.edited(t, "", nil)
		if d := r.Deadlock; d == nil || len(d.NotJudged) > 0 || !strings.HasSuffix(d.Routing, "no statement in the files of 4 of 4 switches is known to change their path") {
			t.Errorf("%s: %+v", k.target, r.Deadlock)
		}
		for _, e := range team.harmful {
			r := n.edited(t, "leaf-1/", e.edit)
			told := slices.ContainsFunc(r.Findings, func(f diag.Diagnostic) bool {
				return f.Code == DeadlockNotJudged && f.Subject.Filename == "leaf-1/"+k.file && f.Subject.Start.Line > 0
			})
			if d := r.Deadlock; !told || len(d.NotJudged) == 0 || !strings.HasPrefix(d.NotJudged[0].At, "leaf-1/"+k.file+":") || !strings.HasSuffix(d.Routing, "statements in files may change their path") {
				t.Errorf("%s: %s: %+v", k.target, e.what, d)
			}
		}
		for _, e := range team.harmless {
			if d := n.edited(t, "leaf-1/", e.edit).Deadlock; len(d.NotJudged) > 0 {
				t.Errorf("%s: %s: %v", k.target, e.what, d.NotJudged)
			}
		}
	}
}

// Formats that no network here is compiled to: each statement, and what it is.
func TestRoutesOfOtherFormats(t *testing.T) {
	for _, c := range []struct{ format, text, why, port string }{
		{"nxos", "ip route 10.0.0.0/8 10.1.0.1\n", read.WayStatic, ""},
		{"nxos", "vrf context blue\n  ip route 10.0.0.0/8 Null0\n", read.WayStatic, ""},
		{"nxos", "vrf context management\n  ip route 0.0.0.0/0 10.9.0.1\n", "", ""},
		{"nxos", "router bgp 65001\n  neighbor 10.0.0.2\n    address-family ipv4 unicast\n      allowas-in 3\n", read.WayOwnAS, ""},
		{"nxos", "router bgp 65001\n  neighbor 10.0.0.2\n    remote-as 65100\n", "", ""},
		{"nxos", "router bgp 65001\n  neighbor 10.0.0.2\n    address-family ipv4 unicast\n      route-map RM in\n", read.WayPolicy, ""},
		{"nxos", "router isis FABRIC\n  set-overload-bit\n", read.WayAvoided, ""},
		{"nxos", "router isis FABRIC\n  set-overload-bit on-startup 300\n", "", ""},
		{"nxos", "router ospf 1\n  max-metric router-lsa\n", read.WayAvoided, ""},
		{"nxos", "router bgp 65001\n  neighbor 10.0.0.2\n    shutdown\n", read.WayShut, ""},
		{"nxos", "router bgp 65001\n  neighbor 10.0.0.2\n    no shutdown\n", "", ""},
		{"nxos", "router bgp 65001\n  isolate\n", read.WayAvoided, ""},
		{"nxos", "router bgp 65001\n  graceful-shutdown activate\n", read.WayAvoided, ""},
		{"nxos", "router bgp 65001\n  neighbor 10.1.1.1\n    address-family ipv4 unicast\n      maximum-prefix 1\n", read.WayLimited, ""},
		{"openconfig", `{"openconfig-network-instance:network-instances": {"network-instance": [{"name": "default", "protocols": {"protocol": [{"identifier": "BGP", "name": "b", "bgp": {"neighbors": {"neighbor": [{"neighbor-address": "10.1.1.1", "afi-safis": {"afi-safi": [{"afi-safi-name": "IPV4_UNICAST", "ipv4-unicast": {"prefix-limit": {"config": {"max-prefixes": 1}}}}]}}]}}}]}}]}}`, read.WayLimited, ""},
		{"nxos", "interface Ethernet1/1\n  switchport\n", read.WayBridged, "Ethernet1/1"},
		{"nxos", "interface Ethernet1/1\n  no switchport\n", "", ""},
		{"nxos", "interface Ethernet1/1\n  shutdown\n", read.WayDown, "Ethernet1/1"},
		{"nxos", "interface Ethernet1/1\n  vrf member A\n", read.WayInstance, "Ethernet1/1"},
		{"nxos", "interface Ethernet1/1\n  ip policy route-map PBR\n", read.WayRedirect, "Ethernet1/1"},
		{"nxos", "system mode maintenance\n", read.WayAvoided, ""},
		{"openconfig", `{"openconfig-interfaces:interfaces": {"interface": [{"name": "Ethernet1/1", "config": {"name": "Ethernet1/1", "enabled": false}}]}}`, read.WayDown, "Ethernet1/1"},
		{"openconfig", `{"openconfig-network-instance:network-instances": {"network-instance": [{"name": "A", "interfaces": {"interface": [{"id": "Ethernet1/1", "config": {"interface": "Ethernet1/1"}}]}}]}}`, read.WayInstance, "Ethernet1/1"},
		{"openconfig", `{"openconfig-network-instance:network-instances": {"network-instance": [{"name": "default", "protocols": {"protocol": [{"identifier": "STATIC", "name": "s", "static-routes": {"static": [{"prefix": "10.0.0.0/8", "config": {"prefix": "10.0.0.0/8"}}]}}]}}]}}`, read.WayStatic, ""},
		{"openconfig", `{"openconfig-network-instance:network-instances": {"network-instance": [{"name": "mgmt", "protocols": {"protocol": [{"identifier": "STATIC", "name": "s", "static-routes": {"static": [{"prefix": "10.0.0.0/8", "config": {"prefix": "10.0.0.0/8"}}]}}]}}]}}`, "", ""},
		{"openconfig", `{"openconfig-network-instance:network-instances": {"network-instance": [{"name": "default", "protocols": {"protocol": [{"identifier": "BGP", "name": "b", "bgp": {"neighbors": {"neighbor": [{"neighbor-address": "10.0.0.2", "config": {"neighbor-address": "10.0.0.2", "enabled": false}}]}}}]}}]}}`, read.WayShut, ""},
		{"openconfig", `{"openconfig-network-instance:network-instances": {"network-instance": [{"name": "default", "protocols": {"protocol": [{"identifier": "BGP", "name": "b", "bgp": {"neighbors": {"neighbor": [{"neighbor-address": "10.0.0.2", "graceful-restart": {"config": {"enabled": false}}}]}}}]}}]}}`, "", ""},
		{"openconfig", `{"openconfig-network-instance:network-instances": {"network-instance": [{"name": "default", "protocols": {"protocol": [{"identifier": "ISIS", "name": "i", "isis": {"global": {"lsp-bit": {"overload-bit": {"config": {"set-bit": true}}}}}}]}}]}}`, read.WayAvoided, ""},
		{"openconfig", `{"openconfig-interfaces:interfaces": {"interface": [{"name": "Ethernet1/1", "openconfig-if-ethernet:ethernet": {"openconfig-vlan:switched-vlan": {"config": {"interface-mode": "TRUNK"}}}}]}}`, read.WayBridged, "Ethernet1/1"},
		{"openconfig", `{"openconfig-interfaces:interfaces": {"interface": [{"name": "Ethernet1/1", "config": {"name": "Ethernet1/1", "description": "switched-vlan"}}]}}`, "", ""},
	} {
		f, _ := FormatOf(c.format)
		got := read.Way{}
		if all := f.Read("x", []byte(c.text), read.Options{}).Ledger.Ways; len(all) > 0 {
			got = all[0]
		}
		if got.Why != c.why || got.Port != c.port || (c.why != "") != (got.At.Start.Line > 0) {
			t.Errorf("%s: %s: %+v, want %q of %q", c.format, c.text, got, c.why, c.port)
		}
	}
}
