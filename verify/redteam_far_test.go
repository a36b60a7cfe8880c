package verify

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/read"
)

// A routed is the files of leaf-1 and spine-1 of a target with routes, as operators write them: an edit of each that adds its
// addresses, its AS and its neighbour with some more lines.
type routed struct {
	leaf, spine func(more ...string) func(string) string
}

// routedTargets have a leaf in AS 65001 with a session over its first uplink, 10.1.1.0/31, to a spine in AS 65100.
func routedTargets() map[string]routed {
	eos := func(port, address, as, peer, peerAS string) func(more ...string) func(string) string {
		return func(more ...string) func(string) string {
			return each(swap("interface "+port+"\n", "interface "+port+"\n   ip address "+address+"\n"),
				beforeEnd("router bgp "+as+"\n   neighbor "+peer+" remote-as "+peerAS+"\n   "+strings.Join(more, "\n   ")+"\n"))
		}
	}
	sonic := func(port, address, as, peer, peerAS string) func(more ...string) func(string) string {
		return func(more ...string) func(string) string {
			edits := []func(string) string{put("INTERFACE/"+port+"|"+strings.ReplaceAll(address, "/", "~"), "{}"), put("BGP_GLOBALS/default", `{"local_asn": "`+as+`", "load_balance_mp_relax": "true"}`), put("BGP_NEIGHBOR/default|"+peer+"/asn", `"`+peerAS+`"`)}
			for i := 0; i < len(more); i += 2 {
				edits = append(edits, put(more[i], more[i+1]))
			}
			return each(edits...)
		}
	}
	nvue := func(port, address, as, peer string) func(more ...string) func(string) string {
		return func(more ...string) func(string) string {
			edits := []func(string) string{nvSet("interface/"+port+"/ip/address/"+strings.ReplaceAll(address, "/", "~"), "{}"), nvSet("router/bgp/autonomous-system", as), nvSet("vrf/default/router/bgp/neighbor/"+peer+"/remote-as", "external")}
			for i := 0; i < len(more); i += 2 {
				edits = append(edits, nvSet(more[i], more[i+1]))
			}
			return each(edits...)
		}
	}
	junos := func(port, address, as, peer, peerAS string) func(more ...string) func(string) string {
		return func(more ...string) func(string) string {
			return each(junosAddress(port, address), atEnd("routing-options {\n    autonomous-system "+as+";\n}\nprotocols {\n    bgp {\n        group fabric {\n            peer-as "+peerAS+";\n            neighbor "+peer+";\n        }\n    }\n}\n"), atEnd(strings.Join(more, "\n")+"\n"))
		}
	}
	srl := func(i, address, as, peer, peerAS string) func(more ...string) func(string) string {
		return func(more ...string) func(string) string {
			edits := []func(string) string{put("srl_nokia-interfaces:interface/"+i+"/subinterface/0/ipv4", `{"address": [{"ip-prefix": "`+address+`"}]}`),
				put("srl_nokia-network-instance:network-instance", `[{"name": "default", "protocols": {"srl_nokia-bgp:bgp": {"autonomous-system": `+as+`, "ebgp-default-policy": {"import-reject-all": false, "export-reject-all": false}, "neighbor": [{"peer-address": "`+peer+`", "peer-as": `+peerAS+`}]}}}]`)}
			for i := 0; i < len(more); i += 2 {
				edits = append(edits, put(more[i], more[i+1]))
			}
			return each(edits...)
		}
	}
	return map[string]routed{
		"eos":     {eos("Ethernet33/1", "10.1.1.0/31", "65001", "10.1.1.1", "65100"), eos("Ethernet1/1", "10.1.1.1/31", "65100", "10.1.1.0", "65001")},
		"sonic":   {sonic("Ethernet256", "10.1.1.0/31", "65001", "10.1.1.1", "65100"), sonic("Ethernet0", "10.1.1.1/31", "65100", "10.1.1.0", "65001")},
		"nvue":    {nvue("swp33", "10.1.1.0/31", "65001", "10.1.1.1"), nvue("swp1", "10.1.1.1/31", "65100", "10.1.1.0")},
		"junos":   {junos("et-0/0/32", "10.1.1.0/31", "65001", "10.1.1.1", "65100"), junos("et-0/0/0", "10.1.1.1/31", "65100", "10.1.1.0", "65001")},
		"srlinux": {srl("8", "10.1.1.0/31", "65001", "10.1.1.1", "65100"), srl("0", "10.1.1.1/31", "65100", "10.1.1.0", "65001")},
	}
}

// waits and watches say of the neighbour of an end that it is waited for, or watched by BFD.
var waits = map[string][2][]string{
	"eos":     {{"neighbor 10.1.1.1 transport connection-mode passive"}, {"neighbor 10.1.1.0 transport connection-mode passive"}},
	"sonic":   {{"BGP_NEIGHBOR/default|10.1.1.1/passive_mode", `"true"`}, {"BGP_NEIGHBOR/default|10.1.1.0/passive_mode", `"true"`}},
	"nvue":    {{"vrf/default/router/bgp/neighbor/10.1.1.1/passive-mode", "on"}, {"vrf/default/router/bgp/neighbor/10.1.1.0/passive-mode", "on"}},
	"junos":   {{"protocols {\n bgp {\n group fabric {\n passive;\n}\n}\n}"}, {"protocols {\n bgp {\n group fabric {\n neighbor 10.1.1.0 {\n passive;\n}\n}\n}\n}"}},
	"srlinux": {{srlNeighbor + "transport/passive-mode", "true"}, {srlNeighbor + "transport/passive-mode", "true"}},
}

var watches = map[string][2][]string{
	"eos":     {{"neighbor 10.1.1.1 bfd"}, {"neighbor 10.1.1.0 bfd"}},
	"sonic":   {{"BGP_NEIGHBOR/default|10.1.1.1/bfd", `"true"`}, {"BGP_NEIGHBOR/default|10.1.1.0/bfd", `"true"`}},
	"nvue":    {{"vrf/default/router/bgp/neighbor/10.1.1.1/bfd/enable", "on"}, {"vrf/default/router/bgp/neighbor/10.1.1.0/bfd/state", "enabled"}},
	"junos":   {{"protocols {\n bgp {\n group fabric {\n bfd-liveness-detection {\n minimum-interval 300;\n}\n}\n}\n}"}, {"protocols {\n bgp {\n group fabric {\n neighbor 10.1.1.0 {\n bfd-liveness-detection {\n minimum-interval 900;\n}\n}\n}\n}\n}"}},
	"srlinux": {{srlNeighbor + "failure-detection/enable-bfd", "true"}, {srlNeighbor + "failure-detection/enable-bfd", "true"}},
}

const srlNeighbor = "srl_nokia-network-instance:network-instance/0/protocols/srl_nokia-bgp:bgp/neighbor/0/"

// farEdits returns edits that were written without a look at the readers, of fabrics with routes: what they break shows at the
// other end of a session, or behind it.
func farEdits() (all []pairEdit) {
	of := routedTargets()
	for target, r := range of {
		all = append(all,
			pairEdit{target, "one end waits", r.leaf(waits[target][0]...), r.spine(), ""},
			pairEdit{target, "both ends wait", r.leaf(waits[target][0]...), r.spine(waits[target][1]...), read.Waits},
			pairEdit{target, "one end has BFD", r.leaf(watches[target][0]...), r.spine(), read.Watches},
			pairEdit{target, "both ends have BFD", r.leaf(watches[target][0]...), r.spine(watches[target][1]...), ""})
	}
	eos, sonic, nvue, srl := of["eos"], of["sonic"], of["nvue"], of["srlinux"]
	nvueUnnumbered := func(leaf, spine string, more ...string) (func(string) string, func(string) string) {
		edits := []func(string) string{nvSet("router/bgp/autonomous-system", "65001"), nvSet("vrf/default/router/bgp/neighbor/"+leaf+"/remote-as", "external")}
		for i := 0; i < len(more); i += 2 {
			edits = append(edits, nvSet(more[i], more[i+1]))
		}
		return each(edits...), each(nvSet("router/bgp/autonomous-system", "65100"), nvSet("vrf/default/router/bgp/neighbor/"+spine+"/remote-as", "external"))
	}
	unbound := func(what, says string, more ...string) pairEdit {
		leaf, spine := nvueUnnumbered("swp33", "swp1", more...)
		return pairEdit{"nvue", what, leaf, spine, says}
	}
	hash := func(what, says, fields string) pairEdit {
		return pairEdit{"sonic", what, put("SWITCH_HASH/GLOBAL", "{"+fields+"}"), nil, says}
	}
	const all4, addresses = `["SRC_IP", "DST_IP", "L4_SRC_PORT", "L4_DST_PORT"]`, `["SRC_IP", "DST_IP"]`
	return append(all, []pairEdit{
		unbound("a neighbour has no address, and IPv6 is off", read.Unbound, "interface/swp33/ip/ipv6/enable", "off"),
		unbound("a neighbour has no address, and its next hops are not taken", read.Unbound, "vrf/default/router/bgp/neighbor/swp33/capabilities/extended-nexthop", "off"),
		unbound("IPv6 is off at a port of a server", "", "interface/swp1/ip/ipv6/enable", "off"),
		{"eos", "routes without a policy are dropped", eos.leaf("bgp missing-policy direction in action deny"), eos.spine(), read.WayRejected},
		{"eos", "a leaf sums up all hosts", eos.leaf("aggregate-address 10.0.0.0/8 summary-only"), eos.spine(), read.WaySummed},
		{"eos", "a leaf sums up, and sends the parts too", eos.leaf("aggregate-address 10.0.0.0/8"), eos.spine(), ""},
		{"sonic", "a neighbour is off, as the framework of management writes it", sonic.leaf("BGP_NEIGHBOR/default|10.1.1.1/admin_status", `"false"`), sonic.spine(), read.WayShut},
		{"sonic", "the neighbour is of another instance", sonic.leaf("BGP_NEIGHBOR/VrfA|10.1.1.1", `{"asn": "65100"}`), sonic.spine(), read.WayOther},
		{"sonic", "a neighbour is on", sonic.leaf("BGP_NEIGHBOR/default|10.1.1.1/admin_status", `"true"`), sonic.spine(), ""},
		{"sonic", "a family of a neighbour is off", sonic.leaf("BGP_NEIGHBOR_AF/default|10.1.1.1|ipv4_unicast/admin_status", `"false"`), sonic.spine(), read.WayNoFamily},
		{"sonic", "a weight prefers a neighbour", sonic.leaf("BGP_NEIGHBOR_AF/default|10.1.1.1|ipv4_unicast/weight", `"100"`), sonic.spine(), read.WayPolicy},
		{"sonic", "other prefixes than the allowed ones are dropped", sonic.leaf("BGP_ALLOWED_PREFIXES/DEPLOYMENT_ID|0", `{"prefixes_v4": ["10.255.0.0/24"], "default_action": "deny"}`), sonic.spine(), read.WayPolicy},
		{"sonic", "a leaf sums up all hosts", sonic.leaf("BGP_AGGREGATE_ADDRESS/10.0.0.0~8", `{"summary-only": "true"}`), sonic.spine(), read.WaySummed},
		{"sonic", "next hops are of groups", put("FG_NHG_PREFIX/10.2.0.0~16", `{"FG_NHG": "g"}`), nil, read.WayPreferred},
		{"sonic", "few packets of BGP reach the processor", put("COPP_GROUP/queue4_group1", `{"cir": "1", "cbs": "1"}`), nil, read.WayHeld},
		{"sonic", "packets of BGP reach the processor", put("COPP_GROUP/queue4_group1", `{"cir": "6000", "cbs": "6000"}`), nil, ""},
		hash("the hash of IPv4 has no source port", read.Portless, `"ecmp_hash": `+all4+`, "ecmp_hash_ipv4": `+addresses),
		hash("the hash of RDMA has no source port", read.Portless, `"ecmp_hash": `+all4+`, "ecmp_hash_ipv4_rdma": `+addresses),
		hash("the hash of RDMA has the queue pair", "", `"ecmp_hash": `+addresses+`, "ecmp_hash_ipv4_rdma": ["SRC_IP", "DST_IP", "RDMA_BTH_DEST_QP"]`),
		hash("the hash of IPv4 has the source port, that of all packets has none", "", `"ecmp_hash": `+addresses+`, "ecmp_hash_ipv4": `+all4),
		hash("the hash of tunnels has no source port", "", `"ecmp_hash": `+all4+`, "ecmp_hash_ipnip": `+addresses),
		{"nvue", "a neighbour is off", nvue.leaf("vrf/default/router/bgp/neighbor/10.1.1.1/enable", "off"), nvue.spine(), read.WayShut},
		{"nvue", "a family of a neighbour is off", nvue.leaf("vrf/default/router/bgp/neighbor/10.1.1.1/address-family/ipv4-unicast/enable", "off"), nvue.spine(), read.WayNoFamily},
		{"nvue", "a leaf sums up all hosts", nvue.leaf("vrf/default/router/bgp/address-family/ipv4-unicast/aggregate-route/10.0.0.0~8/summary-only", "on"), nvue.spine(), read.WaySummed},
		{"srlinux", "a leaf sums up all hosts", srl.leaf("srl_nokia-network-instance:network-instance/0/aggregate-routes", `{"route": [{"prefix": "10.0.0.0/8", "summary-only": true}]}`), srl.spine(), read.WaySummed},
		{"srlinux", "BFD is off at both ends", srl.leaf(srlNeighbor+"failure-detection/enable-bfd", "false"), srl.spine(), ""},
	}...)
}

// Equal paths through spines of two AS are used together where the system does so, or is asked to.
func TestRedTeamOfSpinesInTwoAS(t *testing.T) {
	junosPaths := func(more string) string {
		return "protocols {\n bgp {\n group fabric {\n multipath" + more + ";\n}\n}\n}"
	}
	const srlPaths = "srl_nokia-network-instance:network-instance/0/protocols/srl_nokia-bgp:bgp/afi-safi"
	for target, leaves := range map[string]map[bool][]string{
		"eos":     {true: {"maximum-paths 2"}, false: {"no bgp bestpath as-path multipath-relax"}},
		"sonic":   {true: nil, false: {"BGP_GLOBALS/default/load_balance_mp_relax", `"false"`}},
		"nvue":    {true: nil, false: {"vrf/default/router/bgp/path-selection/multipath/aspath-ignore", "off"}},
		"junos":   {true: {junosPaths(" multiple-as")}, false: {junosPaths("")}},
		"srlinux": {true: nil, false: {srlPaths, `[{"multipath": {"allow-multiple-as": false}}]`}},
	} {
		r := routedTargets()[target]
		for _, k := range networkKinds() {
			if k.target != target {
				continue
			}
			n := networkOf(t, k)
			n.files["spine-1/"+k.file] = r.spine()(n.files["spine-1/"+k.file])
			was := n.files["spine-2/"+k.file]
			for _, as := range []string{"65100", "65200"} {
				n.files["spine-2/"+k.file] = strings.ReplaceAll(r.spine()(was), "65100", as)
				for together, lines := range leaves {
					fresh := strings.Join(freshOf(&Report{}, n.edited(t, "leaf-1/", r.leaf(lines...))), "\n")
					if got, want := strings.Contains(fresh, read.OneAS), !together && as == "65200"; got != want {
						t.Errorf("%s: spines in AS 65100 and %s, used together: %v: %v, want %v: %s", target, as, together, got, want, fresh)
					}
				}
			}
		}
	}
}

// eosAddressed gives a port an address.
func eosAddressed(port, address string) func(string) string {
	return swap("interface "+port+"\n", "interface "+port+"\n   ip address "+address+"\n")
}

// policyEdits returns policies of routes of a leaf whose servers have addresses: some accept the loopbacks and not the hosts.
func policyEdits() (all []pairEdit) {
	of := routedTargets()
	const cut, silent = "no route to", ""
	// eos
	hosts := eosAddressed("Ethernet1/1", "10.9.1.0/31")
	lists := "ip prefix-list LO seq 10 permit 10.255.0.0/24 eq 32\nip prefix-list HOSTS seq 10 permit 10.255.0.0/24 eq 32\nip prefix-list HOSTS seq 20 permit 10.9.0.0/16 le 31\n" +
		"ip prefix-list LATE seq 10 deny 10.9.1.0/24 le 32\nip prefix-list LATE seq 20 permit 0.0.0.0/0 le 32\n" +
		"route-map LO permit 10\n   match ip address prefix-list LO\nroute-map HOSTS permit 10\n   match ip address prefix-list HOSTS\nroute-map TAGGED permit 10\n   match tag 7\n"
	eos := func(what, says string, lines ...string) {
		all = append(all, pairEdit{"eos", what, each(hosts, beforeEnd(lists), of["eos"].leaf(lines...)), of["eos"].spine(), says})
	}
	eos("hosts are announced", silent, "redistribute connected")
	eos("hosts are announced by a policy", silent, "redistribute connected route-map HOSTS")
	eos("the subnet of hosts is announced", silent, "network 10.9.1.0/31")
	eos("a range with the hosts is announced", silent, "aggregate-address 10.9.0.0/16")
	eos("hosts are not announced", cut)
	eos("hosts are announced by a policy for loopbacks", cut, "redistribute connected route-map LO")
	eos("a list of prefixes denies the hosts first", cut, "redistribute connected", "neighbor 10.1.1.1 prefix-list LATE out")
	eos("only loopbacks are given", cut, "redistribute connected", "neighbor 10.1.1.1 route-map LO out")
	eos("hosts are given", silent, "redistribute connected", "neighbor 10.1.1.1 route-map HOSTS out")
	eos("a condition on a policy is not known", read.WayPolicy, "redistribute connected", "neighbor 10.1.1.1 route-map TAGGED out")
	all = append(all, pairEdit{"eos", "a spine takes only loopbacks", each(hosts, of["eos"].leaf("redistribute connected")), each(beforeEnd(lists), of["eos"].spine("neighbor 10.1.1.0 route-map LO in")), cut},
		pairEdit{"eos", "a spine takes hosts", each(hosts, of["eos"].leaf("redistribute connected")), each(beforeEnd(lists), of["eos"].spine("neighbor 10.1.1.0 route-map HOSTS in")), silent})
	all = append(all, pairEdit{"eos", "a leaf keeps next hops", of["eos"].leaf("neighbor 10.1.1.1 next-hop-unchanged"), of["eos"].spine(), read.WayFarHop},
		pairEdit{"eos", "a leaf keeps next hops between VTEPs", of["eos"].leaf("address-family evpn", "   neighbor 10.1.1.1 next-hop-unchanged"), of["eos"].spine(), silent})
	all = append(all, pairEdit{"eos", "a link has no session, and others have", each(eosAddressed("Ethernet33/1", "10.1.1.0/31"), eosAddressed("Ethernet34/1", "10.1.2.0/31"), beforeEnd("router bgp 65001\n   neighbor 10.1.2.1 remote-as 65100\n")),
		each(eosAddressed("Ethernet1/1", "10.1.1.1/31"), eosAddressed("Ethernet2/1", "10.1.3.1/31"), beforeEnd("router bgp 65100\n   neighbor 10.1.3.0 remote-as 65002\n")), "no neighbour of BGP is behind"},
		pairEdit{"eos", "a port to a server has no address, and two have", each(eosAddressed("Ethernet1/1", "10.9.1.0/31"), eosAddressed("Ethernet2/1", "10.9.1.2/31")), nil, ""},
		pairEdit{"eos", "two ports to servers have no address, and six have", each(hosts, eosAddressed("Ethernet2/1", "10.9.1.2/31"), eosAddressed("Ethernet3/1", "10.9.1.4/31"), eosAddressed("Ethernet4/1", "10.9.1.6/31"), eosAddressed("Ethernet5/1", "10.9.1.8/31"), eosAddressed("Ethernet6/1", "10.9.1.10/31")), nil, "has no address and is in no VLAN"})
	// junos
	export := func(what, says, policy string) {
		text := "policy-options {\n prefix-list L {\n 10.9.1.0/31;\n}\n policy-statement OUT {\n" + policy + "\n}\n}\nprotocols {\n bgp {\n group fabric {\n export OUT;\n}\n}\n}"
		if policy == "" {
			text = ""
		}
		all = append(all, pairEdit{"junos", what, each(junosAddress("et-0/0/0", "10.9.1.0/31"), of["junos"].leaf(text)), of["junos"].spine(), says})
	}
	export("no policy exports hosts", cut, "")
	export("a policy exports all", silent, "then accept;")
	export("a policy exports what is at its ports", silent, "term a {\n from protocol direct;\n then accept;\n}\nterm b {\n then reject;\n}")
	export("a policy exports routes of BGP", cut, "term a {\n from protocol bgp;\n then accept;\n}\nterm b {\n then reject;\n}")
	export("a policy exports a range", silent, "term a {\n from {\n route-filter 10.9.0.0/16 orlonger;\n}\n then accept;\n}")
	export("a policy exports shorter prefixes of the range", cut, "term a {\n from {\n route-filter 10.9.0.0/16 upto /30;\n}\n then accept;\n}")
	export("a policy exports the range alone", cut, "term a {\n from {\n route-filter 10.9.0.0/16 exact;\n}\n then accept;\n}")
	export("a policy exports a list", silent, "term a {\n from {\n prefix-list L;\n}\n then accept;\n}")
	export("a policy rejects first", cut, "term z {\n then reject;\n}\nterm a {\n then accept;\n}")
	// nvue
	nvue := func(what, says string, lines ...string) {
		lines = append([]string{"interface/swp1/ip/address/10.9.1.0~31", "{}"}, lines...)
		all = append(all, pairEdit{"nvue", what, of["nvue"].leaf(lines...), of["nvue"].spine(), says})
	}
	const connected, rule = "vrf/default/router/bgp/address-family/ipv4-unicast/redistribute/connected/", "router/policy/route-map/R/rule/10/"
	list := func(match string) []string {
		return []string{connected + "enable", "on", connected + "route-map", "R", rule + "action/permit", "{}", rule + "match/ip-prefix-list", "P", rule + "match/type", "ipv4",
			"router/policy/prefix-list/P/rule/10/action", "permit", "router/policy/prefix-list/P/rule/10/match/" + match, "32"}
	}
	nvue("hosts are announced", silent, connected+"enable", "on")
	nvue("hosts are not announced", cut, connected+"enable", "off")
	nvue("hosts are announced by a policy", silent, list("10.9.0.0~16/max-prefix-len")...)
	nvue("hosts are announced by a policy for loopbacks", cut, list("10.255.0.0~24/max-prefix-len")...)
	// sonic
	sonic := func(what, says string, lines ...string) {
		lines = append([]string{"INTERFACE/Ethernet0|10.9.1.0~31", "{}"}, lines...)
		all = append(all, pairEdit{"sonic", what, of["sonic"].leaf(lines...), of["sonic"].spine(), says})
	}
	sets := func(prefix string) []string {
		return []string{"ROUTE_REDISTRIBUTE/default|connected|bgp|ipv4", `{"route_map": ["R"]}`, "ROUTE_MAP/R|10", `{"route_operation": "permit", "match_prefix_set": "P"}`, "PREFIX/P|10|" + prefix, `{"action": "permit"}`}
	}
	sonic("hosts are announced", silent, "ROUTE_REDISTRIBUTE/default|connected|bgp|ipv4", "{}")
	sonic("hosts are not announced", cut)
	sonic("hosts are announced by a policy", silent, sets("10.9.0.0~16|16..32")...)
	sonic("hosts are announced by a policy for shorter prefixes", cut, sets("10.9.0.0~16|16..30")...)
	// srlinux
	srl := func(what, says, statement string) {
		lines := []string{"srl_nokia-interfaces:interface/0/subinterface/0/ipv4", `{"address": [{"ip-prefix": "10.9.1.0/31"}]}`,
			"srl_nokia-routing-policy:routing-policy", `{"prefix-set": [{"name": "P", "prefix": [{"ip-prefix": "10.9.0.0/16", "mask-length-range": "16..32"}]}], "policy": [{"name": "OUT", "default-action": {"policy-result": "reject"}, "statement": [` + statement + `]}]}`,
			srlNeighbor + "export-policy", `["OUT"]`}
		all = append(all, pairEdit{"srlinux", what, of["srlinux"].leaf(lines...), of["srlinux"].spine(), says})
	}
	srl("a policy exports a range", silent, `{"name": "1", "match": {"prefix": {"prefix-set": "P"}}, "action": {"policy-result": "accept"}}`)
	srl("a policy exports what is at its ports", silent, `{"name": "1", "match": {"protocol": "local"}, "action": {"policy-result": "accept"}}`)
	srl("a policy exports routes of BGP", cut, `{"name": "1", "match": {"protocol": "bgp"}, "action": {"policy-result": "accept"}}`)
	srl("a policy rejects the range", cut, `{"name": "0", "match": {"prefix": {"prefix-set": "P"}}, "action": {"policy-result": "reject"}}, {"name": "1", "action": {"policy-result": "accept"}}`)
	unnumbered := func(what, says, result string) {
		bgp := func(as, port, peer, policies string) func(string) string {
			return put("srl_nokia-network-instance:network-instance", `[{"name": "default", "protocols": {"srl_nokia-bgp:bgp": {"autonomous-system": `+as+`, "ebgp-default-policy": {"import-reject-all": false, "export-reject-all": false},
				"group": [{"group-name": "up"`+policies+`}], "dynamic-neighbors": {"interface": [{"interface-name": "`+port+`", "peer-group": "up", "allowed-peer-as": ["`+peer+`"]}]}}}}]`)
		}
		all = append(all, pairEdit{"srlinux", what, each(put("srl_nokia-interfaces:interface/0/subinterface/0/ipv4", `{"address": [{"ip-prefix": "10.9.1.0/31"}]}`),
			put("srl_nokia-routing-policy:routing-policy", `{"policy": [{"name": "OUT", "default-action": {"policy-result": "`+result+`"}}]}`), bgp("65001", "ethernet-1/33.0", "65100", `, "export-policy": ["OUT"]`)),
			bgp("65100", "ethernet-1/1.0", "65001", ""), says})
	}
	unnumbered("a policy exports all to neighbours of ports", silent, "accept")
	unnumbered("a policy exports nothing to neighbours of ports", cut, "reject")
	return all
}
