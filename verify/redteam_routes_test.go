package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/read"
)

// routeEdits returns sessions of BGP that do not come up, paths that are not used, and addresses that two switches have.
func routeEdits() []pairEdit {
	const other, lost, absent, secured = "is in AS", "has no neighbour at the address", "does not have that address", "has a password"
	const cut, twice, few = "is cut off", "has it too", "the fabric gives it 2 links"
	eos := func(port, address, as string, lines ...string) func(string) string {
		return each(swap("interface "+port+"\n", "interface "+port+"\n   ip address "+address+"\n"), beforeEnd("router bgp "+as+"\n   "+strings.Join(lines, "\n   ")+"\n"))
	}
	eosLeaf := func(lines ...string) func(string) string {
		return eos("Ethernet33/1", "10.1.1.0/31", "65001", append([]string{"neighbor 10.1.1.1 remote-as 65100"}, lines...)...)
	}
	eosSpine := func(lines ...string) func(string) string {
		return eos("Ethernet1/1", "10.1.1.1/31", "65100", append([]string{"neighbor 10.1.1.0 remote-as 65001"}, lines...)...)
	}
	eosLoopback := beforeEnd("interface Loopback0\n   ip address 10.0.0.1/32\n")
	eosLoopbackIn := func(vrf string) func(string) string {
		return beforeEnd("vrf instance " + vrf + "\ninterface Loopback0\n   vrf " + vrf + "\n   ip address 10.0.0.1/32\n")
	}
	sonic := func(port, address, as string, more ...string) func(string) string {
		edits := []func(string) string{put("INTERFACE/"+port+"|"+strings.ReplaceAll(address, "/", "~"), "{}"), put("DEVICE_METADATA/localhost/bgp_asn", `"`+as+`"`)}
		for i := 0; i < len(more); i += 2 {
			edits = append(edits, put(more[i], more[i+1]))
		}
		return each(edits...)
	}
	sonicLeaf := func(more ...string) func(string) string { return sonic("Ethernet256", "10.1.1.0/31", "65001", more...) }
	sonicSpine := sonic("Ethernet0", "10.1.1.1/31", "65100", "BGP_NEIGHBOR/10.1.1.0", `{"asn": "65001"}`)
	const inGroup, toSpine = `{"peer_group_name": "UP"}`, `{"asn": "65100"}`
	nvue := func(as string, lines ...string) func(string) string {
		edits := []func(string) string{nvSet("router/bgp/autonomous-system", as)}
		for i := 0; i < len(lines); i += 2 {
			edits = append(edits, nvSet("vrf/default/router/bgp/"+lines[i], lines[i+1]))
		}
		return each(edits...)
	}
	nvueSpine := nvue("65100", "neighbor/swp1/remote-as", "external")
	nvueLoopback := nvSet("interface/lo/ip/address/10.0.0.1~32", "{}")
	junos := func(port, address, as, group string) func(string) string {
		return each(junosAddress(port, address), atEnd("routing-options {\n    autonomous-system "+as+";\n}\nprotocols {\n    bgp {\n        group fabric {\n"+group+"\n        }\n    }\n}\n"))
	}
	junosLeaf := func(group string) func(string) string { return junos("et-0/0/32", "10.1.1.0/31", "65001", group) }
	junosBalanced := func(export, policy string) func(string) string {
		return atEnd("policy-options {\n    policy-statement " + policy + " {\n        term all {\n            then {\n                load-balance per-packet;\n                accept;\n            }\n        }\n    }\n}\nrouting-options {\n    forwarding-table {\n        export " + export + ";\n    }\n}\n")
	}
	junosSpine := junos("et-0/0/0", "10.1.1.1/31", "65100", "neighbor 10.1.1.0 {\n peer-as 65001;\n }")
	const accepts = `, "ebgp-default-policy": {"import-reject-all": false, "export-reject-all": false}`
	srl := func(i, address, as, bgp string) func(string) string {
		return each(put("srl_nokia-interfaces:interface/"+i+"/subinterface/0/ipv4", `{"address": [{"ip-prefix": "`+address+`"}]}`),
			put("srl_nokia-network-instance:network-instance", `[{"name": "default", "protocols": {"srl_nokia-bgp:bgp": {"autonomous-system": `+as+`, `+bgp+`}}}]`))
	}
	srlPolicy := func(name, result string) func(string) string {
		return put("srl_nokia-routing-policy:routing-policy", `{"policy": [{"name": "`+name+`", "default-action": {"policy-result": "`+result+`"}}]}`)
	}
	srlOwn := func(group, more string) func(string) string {
		return srl("8", "10.1.1.0/31", "65001", `"group": [{"group-name": "up"`+group+`}], "neighbor": [{"peer-address": "10.1.1.1", "peer-group": "up"}]`+more)
	}
	srlLeaf := func(group, more string) func(string) string { return srlOwn(group, more+accepts) }
	srlSpine := srl("0", "10.1.1.1/31", "65100", `"neighbor": [{"peer-address": "10.1.1.0", "peer-as": 65001}]`+accepts)
	const srlPolicies = `, "export-policy": ["all"], "import-policy": ["all"]`
	srlAny := func(systems string) func(string) string {
		return srl("0", "10.1.1.1/31", "65100", `"dynamic-neighbors": {"accept": {"match": [{"prefix": "10.1.0.0/16", "peer-group": "down", "allowed-peer-as": [`+systems+`]}]}}, "group": [{"group-name": "down"}]`+accepts)
	}
	const srlAS = `, "peer-as": 65100`
	srlLoopback := func(text string) string {
		return strings.Replace(text, `"srl_nokia-interfaces:interface": [`, `"srl_nokia-interfaces:interface": [{"name": "system0", "subinterface": [{"index": 0, "ipv4": {"address": [{"ip-prefix": "10.0.0.1/32"}]}}]},`, 1)
	}
	return []pairEdit{
		{"eos", "one end has a password", eosLeaf("neighbor 10.1.1.1 password 7 abc"), eosSpine(), secured},
		{"eos", "a group has a password", eosLeaf("neighbor UP peer group", "neighbor 10.1.1.1 peer group UP", "neighbor UP password 7 abc"), eosSpine(), secured},
		{"eos", "one end takes packets of one hop only", eosLeaf("neighbor 10.1.1.1 ttl maximum-hops 1"), eosSpine(), "(RFC 5082)"},
		{"eos", "both ends take packets of one hop only", eosLeaf("neighbor 10.1.1.1 ttl maximum-hops 1"), eosSpine("neighbor 10.1.1.0 ttl maximum-hops 1"), ""},
		{"eos", "both ends have a password", eosLeaf("neighbor 10.1.1.1 password 7 abc"), eosSpine("neighbor 10.1.1.0 password 7 xyz"), ""},
		{"eos", "a speaker has another AS for the neighbour", eosLeaf("neighbor 10.1.1.1 local-as 65009"), eosSpine(), other},
		{"eos", "the session comes from the loopback", each(eosLoopback, eosLeaf("neighbor 10.1.1.1 update-source Loopback0")), eosSpine(), lost},
		{"eos", "the neighbour has only others", eosLeaf(), eos("Ethernet1/1", "10.1.1.1/31", "65100", "neighbor 10.9.9.9 remote-as 65001"), lost},
		{"eos", "the neighbour has no BGP", eosLeaf(), swap("interface Ethernet1/1\n", "interface Ethernet1/1\n   ip address 10.1.1.1/31\n"), lost},
		{"eos", "no switch has the address of the neighbour", eos("Ethernet33/1", "10.1.1.1/24", "65001", "neighbor 10.1.1.3 remote-as 65100"), eos("Ethernet1/1", "10.1.1.2/24", "65100", "neighbor 10.1.1.1 remote-as 65001"), absent},
		{"eos", "the neighbour accepts any of a range", eosLeaf(), eos("Ethernet1/1", "10.1.1.1/31", "65100", "bgp listen range 10.1.0.0/16 peer-group L remote-as 65001"), ""},
		{"eos", "the neighbour accepts any of another range", eosLeaf(), eos("Ethernet1/1", "10.1.1.1/31", "65100", "bgp listen range 10.2.0.0/16 peer-group L remote-as 65001"), lost},
		{"eos", "the neighbours of the other end are ports", eosLeaf(), eos("Ethernet1/1", "10.1.1.1/31", "65100", "neighbor interface Et1/1 peer-group L remote-as 65001"), ""},
		{"eos", "one end has an address and no subnet", eos("Ethernet33/1", "10.1.1.0/32", "65001", "neighbor 10.1.1.1 remote-as 65100"), eosSpine(), "its address alone"},
		{"eos", "a group without neighbours is shut", eosLeaf("neighbor OLD peer group", "neighbor OLD remote-as 1", "neighbor OLD shutdown"), eosSpine(), ""},
		{"eos", "a group is shut", eosLeaf("neighbor UP peer group", "neighbor 10.1.1.1 peer group UP", "neighbor UP shutdown"), eosSpine(), read.WayShut},
		{"eos", "all neighbours are shut", each(eosLeaf("neighbor 10.1.2.1 remote-as 65100", "neighbor 10.1.1.1 shutdown", "neighbor 10.1.2.1 shutdown"), swap("interface Ethernet34/1\n", "interface Ethernet34/1\n   ip address 10.1.2.0/31\n")), nil, cut},
		{"eos", "a neighbour is not activated", eosLeaf("address-family ipv4\n      no neighbor 10.1.1.1 activate"), eosSpine(), read.WayNoFamily},
		{"eos", "a neighbour for EVPN is not activated", eosLeaf("neighbor 10.0.0.9 remote-as 65200", "address-family ipv4\n      no neighbor 10.0.0.9 activate"), eosSpine(), ""},
		{"eos", "a neighbour may send one route", eosLeaf("neighbor 10.1.1.1 maximum-routes 1"), eosSpine(), read.WayLimited},
		{"eos", "a neighbour is logged from one route on", eosLeaf("neighbor 10.1.1.1 maximum-routes 1 warning-only"), eosSpine(), ""},
		{"eos", "a neighbour may send many routes", eosLeaf("neighbor 10.1.1.1 maximum-routes 12000"), eosSpine(), ""},
		{"eos", "a leaf is in maintenance", beforeEnd("maintenance\n   unit System\n      quiesce\n"), nil, "the effect of this line in EOS is not known"},
		{"eos", "a leaf asks to be avoided", beforeEnd("route-map OUT permit 10\n   set community GSHUT\n"), nil, read.WayAvoided},
		{"eos", "the hash has no source port", beforeEnd("ip load-sharing trident fields ip source-ip destination-ip destination-port\n"), nil, read.Portless},
		{"eos", "the hash has the source port", beforeEnd("ip load-sharing trident fields ip source-ip source-port destination-ip destination-port ingress-interface\n"), nil, ""},
		{"eos", "a profile has no ports", beforeEnd("load-balance policies\n   load-balance sand profile default\n      no fields l4\n"), nil, read.Portless},
		{"eos", "a profile has no source port", beforeEnd("load-balance policies\n   load-balance sand profile default\n      fields l4 outer dst-port\n"), nil, read.Portless},
		{"eos", "a profile has the ports", beforeEnd("load-balance policies\n   load-balance sand profile default\n      fields l4 outer dst-port src-port\n      no fields mpls\n"), nil, ""},
		{"eos", "a leaf uses one path", eosLeaf("maximum-paths 1"), eosSpine(), few},
		{"eos", "a leaf uses as many paths as it has", eosLeaf("maximum-paths 2 ecmp 2"), eosSpine(), ""},
		{"eos", "a spine uses one path, and has one link to each leaf", eosLeaf(), eosSpine("maximum-paths 1"), ""},
		{"eos", "a leaf does not route", beforeEnd("no ip routing\n"), nil, cut},
		{"eos", "BGP of a leaf is shut", eosLeaf("shutdown"), eosSpine(), cut},
		{"eos", "two switches have one loopback", eosLoopback, eosLoopback, twice},
		{"eos", "two switches have one loopback in an instance", eosLoopbackIn("A"), eosLoopbackIn("A"), twice},
		{"eos", "two switches have one loopback in two instances", eosLoopbackIn("A"), eosLoopbackIn("B"), ""},
		{"eos", "two switches have one address at ports without a cable between", swap("interface Ethernet1/1\n", "interface Ethernet1/1\n   ip address 10.7.0.1/24\n"), swap("interface Ethernet1/1\n", "interface Ethernet1/1\n   ip address 10.7.0.1/24\n"), twice},
		{"eos", "two switches share a further loopback", beforeEnd("interface Loopback1\n   ip address 10.0.0.9/32\n"), beforeEnd("interface Loopback1\n   ip address 10.0.0.9/32\n"), ""},
		{"sonic", "a group has another AS", sonicLeaf("BGP_NEIGHBOR/default|10.1.1.1", inGroup, "BGP_PEER_GROUP/default|UP", `{"asn": "65999"}`), sonicSpine, other},
		{"sonic", "a group has the AS", sonicLeaf("BGP_NEIGHBOR/default|10.1.1.1", inGroup, "BGP_PEER_GROUP/default|UP", toSpine), sonicSpine, ""},
		{"sonic", "a group is of the own AS", sonicLeaf("BGP_NEIGHBOR/default|10.1.1.1", inGroup, "BGP_PEER_GROUP/default|UP", `{"peer_type": "internal"}`), sonicSpine, other},
		{"sonic", "a group is down", sonicLeaf("BGP_NEIGHBOR/default|10.1.1.1", inGroup, "BGP_PEER_GROUP/default|UP", `{"asn": "65100", "admin_status": "down"}`), sonicSpine, read.WayShut},
		{"sonic", "a group without neighbours is down", sonicLeaf("BGP_NEIGHBOR/10.1.1.1", toSpine, "BGP_PEER_GROUP/default|OLD", `{"admin_status": "down"}`), sonicSpine, ""},
		{"sonic", "one end has a password", sonicLeaf("BGP_NEIGHBOR/default|10.1.1.1", `{"asn": "65100", "auth_password": "x"}`), sonicSpine, secured},
		{"sonic", "the session comes from an address that the switch does not have", sonicLeaf("BGP_NEIGHBOR/10.1.1.1", `{"asn": "65100", "local_addr": "10.1.1.6"}`), sonicSpine, lost},
		{"sonic", "neighbours of another range are accepted", sonicLeaf("BGP_PEER_RANGE/P", `{"ip_range": ["10.7.0.0/16"], "name": "P"}`), sonicSpine, lost},
		{"sonic", "neighbours of a range are accepted", sonicLeaf("BGP_PEER_RANGE/P", `{"ip_range": ["10.7.0.0/16", "10.1.0.0/16"], "name": "P"}`), sonicSpine, ""},
		{"sonic", "FRR's files have the neighbours", sonicLeaf("DEVICE_METADATA/localhost/docker_routing_config_mode", `"split"`), sonicSpine, read.WayElsewhere},
		{"sonic", "one of FRR's files has the neighbours", sonicLeaf("DEVICE_METADATA/localhost/docker_routing_config_mode", `"split-unified"`), sonicSpine, read.WayElsewhere},
		{"sonic", "FRR has one file, which the configuration makes", sonicLeaf("BGP_NEIGHBOR/10.1.1.1", toSpine, "DEVICE_METADATA/localhost/docker_routing_config_mode", `"unified"`), sonicSpine, ""},
		{"sonic", "a neighbour may send one route", sonicLeaf("BGP_NEIGHBOR/10.1.1.1", toSpine, "BGP_NEIGHBOR_AF/default|10.1.1.1|ipv4_unicast", `{"max_prefix_limit": "1"}`), sonicSpine, read.WayLimited},
		{"sonic", "a neighbour may send many routes", sonicLeaf("BGP_NEIGHBOR/10.1.1.1", toSpine, "BGP_NEIGHBOR_AF/default|10.1.1.1|ipv4_unicast", `{"max_prefix_limit": "12000"}`), sonicSpine, ""},
		{"sonic", "a leaf shuts down gracefully", sonicLeaf("BGP_NEIGHBOR/10.1.1.1", toSpine, "BGP_GLOBALS/default", `{"local_asn": "65001", "graceful_shutdown": "true"}`), sonicSpine, read.WayAvoided},
		{"sonic", "the hash has no source port", put("SWITCH_HASH/GLOBAL", `{"ecmp_hash": ["SRC_IP", "DST_IP", "IP_PROTOCOL", "L4_DST_PORT"]}`), nil, read.Portless},
		{"sonic", "the hash has the source port", put("SWITCH_HASH/GLOBAL", `{"ecmp_hash": ["SRC_IP", "DST_IP", "L4_SRC_PORT", "L4_DST_PORT"], "ecmp_hash_algorithm": "CRC"}`), nil, ""},
		{"sonic", "the hash of bundles has no source port", put("SWITCH_HASH/GLOBAL", `{"lag_hash": ["SRC_IP", "DST_IP"]}`), nil, ""},
		{"sonic", "a leaf has no neighbours", sonicLeaf(), sonicSpine, lost},
		{"sonic", "a leaf uses one path", put("BGP_GLOBALS_AF/default|ipv4_unicast", `{"max_ebgp_paths": "1"}`), nil, few},
		{"sonic", "BGP of a leaf is off", put("FEATURE/bgp", `{"state": "disabled"}`), nil, cut},
		{"sonic", "BGP is off, and a static route is there", each(put("FEATURE/bgp", `{"state": "disabled"}`), put("STATIC_ROUTE/0.0.0.0~0", `{"nexthop": "10.1.1.1"}`)), nil, read.WayStatic},
		{"sonic", "two switches have one loopback", put("LOOPBACK_INTERFACE/Loopback0|10.0.0.1~32", "{}"), put("LOOPBACK_INTERFACE/Loopback0|10.0.0.1~32", "{}"), twice},
		{"nvue", "a group has another AS", nvue("65001", "neighbor/swp33/peer-group", "UP", "peer-group/UP/remote-as", "65999"), nvueSpine, other},
		{"nvue", "a group has any other AS", nvue("65001", "neighbor/swp33/peer-group", "UP", "peer-group/UP/remote-as", "external"), nvueSpine, ""},
		{"nvue", "a group is shut", nvue("65001", "neighbor/swp33/peer-group", "UP", "peer-group/UP/remote-as", "external", "peer-group/UP/shutdown", "on"), nvueSpine, read.WayShut},
		{"nvue", "a group without neighbours is shut", nvue("65001", "neighbor/swp33/remote-as", "external", "peer-group/OLD/shutdown", "on"), nvueSpine, ""},
		{"nvue", "one end has a password", nvue("65001", "neighbor/swp33/remote-as", "external", "neighbor/swp33/password", "x"), nvueSpine, secured},
		{"nvue", "the neighbour has only others", nvue("65001", "neighbor/swp33/remote-as", "external"), nvue("65100", "neighbor/swp2/remote-as", "external"), lost},
		{"nvue", "a neighbour may send one route", nvue("65001", "neighbor/swp33/remote-as", "external", "neighbor/swp33/address-family/ipv4-unicast/prefix-limits/inbound/maximum", "1"), nvueSpine, read.WayLimited},
		{"nvue", "a leaf shuts down gracefully", each(nvue("65001", "neighbor/swp33/remote-as", "external"), nvSet("router/bgp/graceful-shutdown", "on")), nvueSpine, read.WayAvoided},
		{"nvue", "the hash has no source port", nvSet("system/forwarding/ecmp-hash/source-port", "off"), nil, read.Portless},
		{"nvue", "the hash has the source port", nvSet("system/forwarding/ecmp-hash/source-port", "on"), nil, ""},
		{"nvue", "a leaf uses one path", nvue("65001", "address-family/ipv4-unicast/multipaths/ebgp", "1"), nil, few},
		{"nvue", "IPv4 is off", nvue("65001", "address-family/ipv4-unicast/state", "disabled"), nil, read.WayOff},
		{"nvue", "BGP of a leaf is off", nvSet("router/bgp/state", "disabled"), nil, cut},
		{"nvue", "a port does not forward", nvSet("interface/swp33/ip/ipv4/forward", "off"), nil, read.WayOff},
		{"nvue", "two switches have one loopback", nvueLoopback, nvueLoopback, twice},
		{"junos", "a group has another AS", junosLeaf("peer-as 65999;\n neighbor 10.1.1.1;"), junosSpine, other},
		{"junos", "a group has the AS", junosLeaf("peer-as 65100;\n neighbor 10.1.1.1;"), junosSpine, ""},
		{"junos", "a group has the AS, and an entry is empty", junosLeaf("peer-as 65100;\n neighbor 10.1.1.1 {\n }"), junosSpine, ""},
		{"junos", "a group is of the own AS", junosLeaf("type internal;\n neighbor 10.1.1.1;"), junosSpine, other},
		{"junos", "a group has a key", junosLeaf("peer-as 65100;\n authentication-key x;\n neighbor 10.1.1.1;"), junosSpine, secured},
		{"junos", "a speaker has another AS for a group", junosLeaf("peer-as 65100;\n local-as 65009;\n neighbor 10.1.1.1;"), junosSpine, other},
		{"junos", "the neighbours are inactive", junosLeaf("inactive: neighbor 10.1.1.1 {\n peer-as 65100;\n }"), junosSpine, lost},
		{"junos", "a group accepts any", junosLeaf("peer-as 65100;\n allow 10.1.0.0/16;"), junosSpine, ""},
		{"junos", "BGP uses one path, as it does without a statement", each(junosLeaf("peer-as 65100;\n neighbor 10.1.1.1;\n neighbor 10.1.2.1;"), junosAddress("et-0/0/33", "10.1.2.0/31")), junosSpine, few},
		{"junos", "BGP has several paths, and one next hop is installed", each(junosLeaf("peer-as 65100;\n multipath multiple-as;\n neighbor 10.1.1.1;\n neighbor 10.1.2.1;"), junosAddress("et-0/0/33", "10.1.2.0/31")), junosSpine, few},
		{"junos", "BGP has several paths, and another policy is exported", each(junosLeaf("peer-as 65100;\n multipath multiple-as;\n neighbor 10.1.1.1;\n neighbor 10.1.2.1;"), junosAddress("et-0/0/33", "10.1.2.0/31"), junosBalanced("OTHER", "LB")), junosSpine, few},
		{"junos", "BGP has several paths, and one of two policies balances", each(junosLeaf("peer-as 65100;\n multipath multiple-as;\n neighbor 10.1.1.1;\n neighbor 10.1.2.1;"), junosAddress("et-0/0/33", "10.1.2.0/31"), junosBalanced("[ OTHER LB ]", "LB")), junosSpine, ""},
		{"junos", "BGP uses several paths", each(junosLeaf("peer-as 65100;\n multipath multiple-as;\n neighbor 10.1.1.1;\n neighbor 10.1.2.1;"), junosAddress("et-0/0/33", "10.1.2.0/31"), junosBalanced("LB", "LB")), junosSpine, ""},
		{"junos", "a neighbour may send one route", junosLeaf("peer-as 65100;\n neighbor 10.1.1.1;\n family inet {\n unicast {\n prefix-limit {\n maximum 1;\n teardown;\n }\n }\n }"), junosSpine, read.WayLimited},
		{"junos", "a neighbour is logged from one route on", junosLeaf("peer-as 65100;\n neighbor 10.1.1.1;\n family inet {\n unicast {\n prefix-limit {\n maximum 1;\n }\n }\n }"), junosSpine, ""},
		{"junos", "a neighbour is logged from one route on, and another is closed", junosLeaf("peer-as 65100;\n neighbor 10.1.1.1;\n family inet {\n unicast {\n prefix-limit {\n maximum 1;\n inactive: teardown;\n }\n }\n }\n family inet6 {\n unicast {\n prefix-limit {\n maximum 5000;\n teardown;\n }\n }\n }"), junosSpine, ""},
		{"junos", "a leaf shuts down gracefully", junosLeaf("peer-as 65100;\n neighbor 10.1.1.1;\n graceful-shutdown {\n sender;\n }"), junosSpine, read.WayAvoided},
		{"junos", "a group is of the own AS, and its neighbour of another one", junosLeaf("type internal;\n neighbor 10.1.1.1 {\n peer-as 65100;\n }"), junosSpine, "is in a group of its own AS"},
		{"junos", "the hash has no source port", each(junosLeaf("peer-as 65100;\n multipath multiple-as;\n neighbor 10.1.1.1;\n neighbor 10.1.2.1;"), junosAddress("et-0/0/33", "10.1.2.0/31"), junosBalanced("LB", "LB"), atEnd("forwarding-options {\n    enhanced-hash-key {\n        inet {\n            no-l4-source-port;\n        }\n    }\n}\n")), junosSpine, read.Portless},
		{"junos", "a port is disabled", junosIf("et-0/0/32", "        disable;"), nil, read.WayDown},
		{"junos", "BGP is off", atEnd("protocols {\n    bgp {\n        disable;\n    }\n}\n"), nil, cut},
		{"srlinux", "a neighbour may send one route", srlLeaf(srlAS+`, "afi-safi": [{"afi-safi-name": "srl_nokia-common:ipv4-unicast", "ipv4-unicast": {"prefix-limit": {"max-received-routes": 1}}}]`, ""), srlSpine, read.WayLimited},
		{"srlinux", "a neighbour of another AS has no policy", srlOwn(srlAS, ""), srlSpine, read.WayRejected},
		{"srlinux", "a neighbour of another AS has no import policy", srlOwn(srlAS, `, "ebgp-default-policy": {"export-reject-all": false}`), srlSpine, read.WayRejected},
		{"srlinux", "a neighbour of the own AS has no policy", srlOwn(`, "peer-as": 65001`, ""), srl("0", "10.1.1.1/31", "65001", `"neighbor": [{"peer-address": "10.1.1.0", "peer-as": 65001}]`), ""},
		{"srlinux", "policies of a group accept", each(srlOwn(srlAS+srlPolicies, ""), srlPolicy("all", "accept")), srlSpine, ""},
		{"srlinux", "policies of a group reject", each(srlOwn(srlAS+srlPolicies, ""), srlPolicy("all", "reject")), srlSpine, read.WayRejected},
		{"srlinux", "policies of a group reject, whatever is the default", each(srlLeaf(srlAS+srlPolicies, ""), srlPolicy("all", "reject")), srlSpine, read.WayRejected},
		{"srlinux", "all neighbours are without a policy", each(srlOwn(srlAS, ""), put("srl_nokia-network-instance:network-instance/0/protocols/srl_nokia-bgp:bgp/neighbor/+", `{"peer-address": "10.1.2.1", "peer-group": "up"}`), put("srl_nokia-interfaces:interface/9/subinterface/0/ipv4", `{"address": [{"ip-prefix": "10.1.2.0/31"}]}`)), srlSpine, cut},
		{"srlinux", "the neighbour accepts the AS", srlLeaf(srlAS, ""), srlAny(`"65001"`), ""},
		{"srlinux", "the neighbour accepts two systems", srlLeaf(srlAS, ""), srlAny(`"65001", "65002"`), ""},
		{"srlinux", "the neighbour accepts another AS", srlLeaf(srlAS, ""), srlAny(`"65009"`), "expects the AS 65009"},
		{"srlinux", "neighbours of a range have no policy", srlLeaf(srlAS, ""), each(srlAny(`"65001"`), put("srl_nokia-network-instance:network-instance/0/protocols/srl_nokia-bgp:bgp/ebgp-default-policy", "")), read.WayRejected},
		{"srlinux", "neighbours of ports have no policy", put("srl_nokia-network-instance:network-instance", `[{"name": "default", "protocols": {"srl_nokia-bgp:bgp": {"autonomous-system": 65001, "group": [{"group-name": "up"}], "dynamic-neighbors": {"interface": [{"interface-name": "ethernet-1/33.0", "peer-group": "up", "allowed-peer-as": ["65100"]}]}}}}]`), nil, read.WayRejected},
		{"srlinux", "a group has another AS", srlLeaf(`, "peer-as": 65999`, ""), srlSpine, other},
		{"srlinux", "a group has the AS", srlLeaf(srlAS, ""), srlSpine, ""},
		{"srlinux", "a group has a key", srlLeaf(srlAS+`, "authentication": {"keychain": "K"}`, ""), srlSpine, secured},
		{"srlinux", "a speaker has another AS for a group", srlLeaf(srlAS+`, "local-as": {"as-number": 65009}`, ""), srlSpine, other},
		{"srlinux", "a group is off", srlLeaf(srlAS+`, "admin-state": "disable"`, ""), srlSpine, read.WayShut},
		{"srlinux", "a leaf uses one path", srlLeaf(srlAS, `, "afi-safi": [{"afi-safi-name": "ipv4-unicast", "multipath": {"max-paths-level-1": 1}}]`), srlSpine, few},
		{"srlinux", "the routing of a leaf is off", put("srl_nokia-network-instance:network-instance", `[{"name": "default", "admin-state": "disable"}]`), nil, cut},
		{"srlinux", "another instance is off", put("srl_nokia-network-instance:network-instance", `[{"name": "old", "admin-state": "disable"}]`), nil, read.WayOff},
		{"srlinux", "IPv4 of a port is off", put("srl_nokia-interfaces:interface/8/subinterface/0/ipv4", `{"admin-state": "disable"}`), nil, read.WayDown},
		{"srlinux", "the hash has no source port", put("srl_nokia-system:system/srl_nokia-load-balancing:load-balancing/hash-options", `{"source-port": false}`), nil, read.Portless},
		{"srlinux", "the hash has a seed", put("srl_nokia-system:system/srl_nokia-load-balancing:load-balancing/hash-options", `{"hash-seed": 7, "source-port": true}`), nil, ""},
		{"srlinux", "two switches have one loopback", srlLoopback, srlLoopback, twice},
	}
}

// Two leaves in one AS drop the routes of each other, unless one may have them.
func TestLeavesInOneAS(t *testing.T) {
	k := networkKinds()[slices.IndexFunc(networkKinds(), func(k networkKind) bool { return k.target == "nvue" })]
	n := networkOf(t, k)
	speaker := func(as string, more ...string) func(string) string {
		edits := []func(string) string{nvSet("router/bgp/autonomous-system", as)}
		for _, port := range more {
			edits = append(edits, nvSet("vrf/default/router/bgp/neighbor/"+port+"/remote-as", "external"))
		}
		return each(edits...)
	}
	for path, text := range n.files {
		if strings.HasPrefix(path, "spine") {
			n.files[path] = speaker("65100", "swp1", "swp2")(text)
		}
	}
	leaf := n.files["leaf-2/nvue.yaml"]
	for as, want := range map[string]bool{"65001": true, "65002": false} {
		n.files["leaf-2/nvue.yaml"] = speaker(as, "swp33", "swp34")(leaf)
		r := n.edited(t, "leaf-1/", speaker("65001", "swp33", "swp34"))
		if got := slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool { return d.Code == PathCut }); got != want {
			t.Errorf("AS %s: %v, want %v: %v", as, got, want, r.Findings)
		}
	}
}

// What files of OpenConfig say of addresses and neighbours, and what those of NX-OS do.
func TestSpeakersOfOpenConfig(t *testing.T) {
	const text = `{"openconfig-interfaces:interfaces": {"interface": [{"name": "Ethernet1/1", "subinterfaces": {"subinterface": [{"index": 0, "openconfig-if-ip:ipv4": {"addresses": {"address": [{"ip": "10.1.1.0", "config": {"ip": "10.1.1.0", "prefix-length": 31}}]}}}]}}]},
"openconfig-network-instance:network-instances": {"network-instance": [{"name": "default", "protocols": {"protocol": [{"identifier": "BGP", "name": "BGP", "bgp": {"neighbors": {"neighbor": [{"neighbor-address": "10.1.1.1", "config": {"peer-group": "UP"}}]}, "peer-groups": {"peer-group": [{"peer-group-name": "UP", "config": {"peer-as": 65100, "auth-password": "x"}}]}}}]}}]}}`
	f, _ := FormatOf("openconfig")
	want := []string{read.Addressed + "|Ethernet1/1|10.1.1.0|31", read.PeerIn + "||10.1.1.1|UP", read.PeerAS + "||UP|65100", read.Secured + "||UP|"}
	if got := endsOf(f.Read("x", []byte(text), read.Options{}).Ledger.Ends); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	f, _ = FormatOf("nxos")
	want = []string{read.OwnAS + "|||65001", read.PeerAS + "||UP|65100", read.Secured + "||UP|", read.PeerIn + "||10.1.1.1|UP", read.MostWays + "|||1"}
	if got := endsOf(f.Read("x", []byte("router bgp 65001\n  template peer UP\n    remote-as 65100\n    password 3 x\n  neighbor 10.1.1.1\n    inherit peer UP\n  address-family ipv4 unicast\n    maximum-paths 1\n"), read.Options{}).Ledger.Ends); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func endsOf(all []read.Way) (texts []string) {
	for _, w := range all {
		texts = append(texts, strings.Join([]string{w.Why, w.Port, w.Bundle, w.Value}, "|"))
	}
	return texts
}

// A HwSKU of the same box that makes other ports than the fabric has is a finding; one that makes them is none.
func TestLayoutOfTheHwSKU(t *testing.T) {
	k := networkKinds()[0]
	k.chip, k.ports, k.more = "trident3", "", `platform = "x86_64-dellemc_s5232f_c3538-r0"
  hwsku = "DellEMC-S5232f-C32"`
	k.servers, k.up, k.down = `"Ethernet[0..28/4]"`, `"Ethernet[96,100]"`, `"Ethernet[0,4]"`
	n := compiledNetwork(t, k.target, strings.NewReplacer("400Gbps", "100Gbps", "8Gbps", "1Gbps").Replace(k.text()))
	for sku, says := range map[string]string{"DellEMC-S5232f-P-25G": "makes it with 1 lane", "DellEMC-S5232f-C32": ""} {
		r := n.edited(t, map[bool]string{true: "leaf-1/"}[says != ""], put("DEVICE_METADATA/localhost/hwsku", `"`+sku+`"`))
		text := ""
		for _, d := range r.Findings {
			text += d.Message
		}
		for _, s := range r.Switches {
			for _, d := range s.Findings {
				text += d.Message
			}
		}
		if says == "" && strings.Contains(text, "HwSKU") || !strings.Contains(text, says) {
			t.Errorf("%s: %q, want %q", sku, text, says)
		}
	}
}
