package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/read"
)

// filterEdits returns filters, and what of a session shows only together with the ports of the switch or with its neighbours.
func filterEdits() []pairEdit {
	of := routedTargets()
	eos, sonic, nvue, junos, srl := of["eos"], of["sonic"], of["nvue"], of["junos"], of["srlinux"]
	list := func(entries ...string) func(string) string {
		return beforeEnd("ip access-list CP\n   " + strings.Join(entries, "\n   ") + "\nsystem control-plane\n   ip access-group CP in\n")
	}
	eosACL := func(entries ...string) func(string) string {
		return each(beforeEnd("ip access-list A\n   "+strings.Join(entries, "\n   ")+"\n"), eos.leaf(), swap("interface Ethernet33/1\n", "interface Ethernet33/1\n   ip access-group A in\n"))
	}
	junosFilter := func(terms string) func(string) string {
		return each(junos.leaf(), junosIf("et-0/0/32", "unit 0 {\nfamily inet {\nfilter {\ninput F;\n}\n}\n}"), atEnd("firewall {\nfamily inet {\nfilter F {\n"+terms+"\n}\n}\n}\n"))
	}
	nvueACL := func(action string) func(string) string {
		return each(nvue.leaf(), nvSet("acl/A/type", "ipv4"), nvSet("acl/A/rule/10/action/"+action, "{}"), nvSet("interface/swp33/acl/A/inbound", "{}"))
	}
	const family = "protocols {\nbgp {\ngroup fabric {\nfamily "
	const bfd = "srl_nokia-bfd:bfd/subinterface"
	const port, on, off = `[{"id": "ethernet-1/33.0", "admin-state": `, `"enable"}]`, `"disable"}]`
	second := put("INTERFACE/Ethernet264|10.1.2.0~31", "{}")
	return []pairEdit{
		// the processor of the switch
		{"eos", "the processor takes SSH alone", each(eos.leaf(), list("10 permit tcp any any eq ssh", "20 deny ip any any")), eos.spine(), read.WayHeld},
		{"eos", "the processor takes no BFD", each(eos.leaf("neighbor 10.1.1.1 bfd"), list("10 permit tcp any any eq ssh bgp", "20 permit icmp any any")), eos.spine("neighbor 10.1.1.0 bfd"), read.WayHeld},
		{"eos", "the processor takes BGP", each(eos.leaf(), list("10 permit tcp any any eq ssh bgp", "20 deny ip any any")), eos.spine(), ""},
		{"eos", "the processor takes BGP and BFD", each(eos.leaf("neighbor 10.1.1.1 bfd"), list("10 permit tcp 10.0.0.0/8 any eq bgp", "20 permit udp any any eq bfd ttl eq 255", "30 deny ip any any")), eos.spine("neighbor 10.1.1.0 bfd"), ""},
		{"eos", "the processor drops BGP first", each(eos.leaf(), list("10 deny tcp any any eq 179", "20 permit ip any any")), eos.spine(), read.WayHeld},
		{"eos", "the processor drops a range with BGP first", each(eos.leaf(), list("10 deny tcp any any range 100 200", "20 permit ip any any")), eos.spine(), read.WayHeld},
		{"eos", "the processor drops another range first", each(eos.leaf(), list("10 deny tcp any any range 200 300", "20 permit ip any any")), eos.spine(), ""},
		{"eos", "the processor drops Telnet first", each(eos.leaf(), list("10 deny tcp any any eq telnet", "20 permit ip any any")), eos.spine(), ""},
		// filters that drop nothing
		{"eos", "a filter counts RoCE and permits all", eosACL("counters per-entry", "10 permit udp any any eq 4791", "20 permit ip any any"), eos.spine(), ""},
		{"eos", "a filter permits some", eosACL("10 permit udp any any eq 4791"), eos.spine(), "a filter may drop packets"},
		{"eos", "a filter drops RoCE", eosACL("10 deny udp any any eq 4791", "20 permit ip any any"), eos.spine(), "a filter may drop packets"},
		{"junos", "a filter counts and accepts", junosFilter("term a {\nfrom {\nprotocol udp;\n}\nthen {\ncount roce;\naccept;\n}\n}\nterm b {\nthen accept;\n}"), junos.spine(), ""},
		{"junos", "a filter accepts some", junosFilter("term a {\nfrom {\nprotocol udp;\n}\nthen accept;\n}"), junos.spine(), "firewall filter"},
		{"junos", "a filter discards", junosFilter("term a {\nfrom {\nprotocol udp;\n}\nthen {\ndiscard;\n}\n}\nterm b {\nthen accept;\n}"), junos.spine(), "firewall filter"},
		{"nvue", "a list permits", nvueACL("permit"), nvue.spine(), ""},
		{"nvue", "a list denies", nvueACL("deny"), nvue.spine(), "a list of rules"},
		// families
		{"junos", "a group has IPv6 alone", junos.leaf(family + "inet6 {\nunicast;\n}\n}\n}\n}"), junos.spine(), read.WayNoFamily},
		{"junos", "a group has both families", junos.leaf(family + "inet {\nunicast;\n}\nfamily inet6 {\nunicast;\n}\n}\n}\n}"), junos.spine(), ""},
		{"junos", "a neighbour has IPv6 alone", junos.leaf(family + "inet {\nunicast;\n}\nneighbor 10.1.1.1 {\nfamily inet6 {\nunicast;\n}\n}\n}\n}\n}"), junos.spine(), read.WayNoFamily},
		{"junos", "BGP has IPv6 alone, and the group both", junos.leaf("protocols {\nbgp {\nfamily inet6 {\nunicast;\n}\n}\n}\n" + family + "inet {\nany;\n}\n}\n}\n}"), junos.spine(), ""},
		// the address that a session is sent from
		{"sonic", "the local address is that of the port", sonic.leaf("BGP_NEIGHBOR/default|10.1.1.1/local_addr", `"10.1.1.0"`), sonic.spine(), ""},
		{"sonic", "the local address is that of no port", sonic.leaf("BGP_NEIGHBOR/default|10.1.1.1/local_addr", `"10.9.9.9"`), sonic.spine(), "is not an address of"},
		{"sonic", "the local address is that of another port", each(second, sonic.leaf("BGP_NEIGHBOR/default|10.1.1.1/local_addr", `"10.1.2.0"`)), each(put("INTERFACE/Ethernet8|10.1.2.1~31", "{}"), sonic.spine("BGP_NEIGHBOR/default|10.1.2.0/asn", `"65001"`)), "is not an address of"},
		// BFD of SR Linux, which its ports have
		{"srlinux", "BFD of the port is off", srl.leaf(append([]string{bfd, port + off}, watches["srlinux"][0]...)...), srl.spine(watches["srlinux"][1]...), "BFD is not on at the port"},
		{"srlinux", "BFD of another port is on", srl.leaf(append([]string{bfd, `[{"id": "ethernet-1/34.0", "admin-state": "enable"}]`}, watches["srlinux"][0]...)...), srl.spine(watches["srlinux"][1]...), "BFD is not on at the port"},
		{"srlinux", "BFD of a port is on, and no neighbour uses it", srl.leaf(bfd, port+on), srl.spine(), "uses it"},
		{"srlinux", "BFD of the port is on", srl.leaf(append([]string{bfd, port + on}, watches["srlinux"][0]...)...), srl.spine(watches["srlinux"][1]...), ""},
		// its own AS
		{"eos", "a leaf takes routes with its own AS, and the spines are in one AS", eos.leaf("neighbor 10.1.1.1 allowas-in 1"), eos.spine(), read.WayOwnAS}, // that of spine-2 is not known
		{"eos", "a spine takes routes with its own AS", eos.leaf(), eos.spine("neighbor 10.1.1.0 allowas-in 1"), read.WayOwnAS},
	}
}

// A leaf that takes routes with its own AS sends no packet down and up again where its spines do not.
func TestOwnASOfLeaves(t *testing.T) {
	n := networkOf(t, networkKinds()[1])
	of := routedTargets()["eos"]
	for as, want := range map[string]bool{"65100": false, "65200": true} {
		n.files["spine-1/eos.cfg"] = of.spine()(n.files["spine-1/eos.cfg"])
		n.files["spine-2/eos.cfg"] = beforeEnd("router bgp " + as + "\n")(n.files["spine-2/eos.cfg"])
		r := n.edited(t, "leaf-1/", of.leaf("neighbor 10.1.1.1 allowas-in 1"))
		got := slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool { return strings.Contains(d.Message, read.WayOwnAS) })
		if got != want {
			t.Errorf("spine-2 is in AS %s: %v, want %v", as, got, want)
		}
		n = networkOf(t, networkKinds()[1])
	}
}

// What files of OpenConfig say of families and of policies that neighbours do not have.
func TestFamiliesOfOpenConfig(t *testing.T) {
	f, _ := FormatOf("openconfig")
	const head, end = `{"openconfig-network-instance:network-instances": {"network-instance": [{"name": "default", "protocols": {"protocol": [{"identifier": "openconfig-policy-types:BGP", "name": "bgp", "bgp": {"global": {"config": {"as": 65001}}, `, `}}]}}]}}`
	const on = `"afi-safis": {"afi-safi": [{"afi-safi-name": "openconfig-bgp-types:IPV4_UNICAST", "config": {"enabled": true}}]}`
	const open = `"apply-policy": {"config": {"default-import-policy": "ACCEPT_ROUTE", "default-export-policy": "ACCEPT_ROUTE"}}`
	neighbour := func(more string) string {
		return `"neighbors": {"neighbor": [{"neighbor-address": "10.1.1.1", "config": {"neighbor-address": "10.1.1.1", "peer-as": 65100, "peer-group": "up"}` + more + `}]}`
	}
	group := func(more string) string {
		return `"peer-groups": {"peer-group": [{"peer-group-name": "up"` + more + `}]}, `
	}
	for text, want := range map[string]string{
		group(", "+on+", "+open) + neighbour(""):                                                                        "",
		group("") + neighbour(", "+on+", "+open):                                                                        "",
		group(", "+open) + neighbour(""):                                                                                read.WayNoFamily,
		group(", "+strings.Replace(on, "true", "false", 1)+", "+open) + neighbour(""):                                   read.WayNoFamily,
		group(", "+on+", "+open) + neighbour(", "+strings.Replace(on, "true", "false", 1)):                              read.WayNoFamily,
		group(", "+on) + neighbour(""):                                                                                  read.WayRejected,
		group(", "+on+`, "apply-policy": {"config": {"import-policy": ["P"], "export-policy": ["P"]}}`) + neighbour(""): "",
	} {
		got := ""
		for _, w := range f.Read("x", []byte(head+text+end), read.Options{}).Ledger.Ways {
			if w.Why == read.WayNoFamily || w.Why == read.WayRejected {
				got += w.Why
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
