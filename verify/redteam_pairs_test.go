package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/read"
)

// A pairEdit edits leaf-1 and spine-1, which a cable joins, each to a sound configuration.
type pairEdit struct {
	target, what string
	leaf, spine  func(string) string // nil: the file stays
	// says is a part of the finding that tells of it; empty: it harms nothing.
	says string
}

// junosIf adds statements to an interface.
func junosIf(port, lines string) func(string) string {
	return atEnd("interfaces {\n    " + port + " {\n" + lines + "\n    }\n}\n")
}

// junosAddress gives a port an address.
func junosAddress(port, address string) func(string) string {
	return junosIf(port, "        unit 0 {\n            family inet {\n                address "+address+";\n            }\n        }")
}

// eosBundle makes a port a member of a port channel.
func eosBundle(port, mode, more string) func(string) string {
	return each(swap("interface "+port+"\n", "interface "+port+"\n   channel-group 1 mode "+mode+"\n"), beforeEnd("interface Port-Channel1\n   no switchport\n   mtu 9198\n"+more))
}

// sonicBundle makes a port a member of a port channel.
func sonicBundle(port, fields string) func(string) string {
	return each(put("PORTCHANNEL/PortChannel1", `{"admin_status": "up", "mtu": "9194"`+fields+`}`), put("PORTCHANNEL_MEMBER/PortChannel1|"+port, "{}"))
}

// srlFilter is a filter that drops all UDP.
func srlFilter(name string) string {
	return `{"acl-filter": [{"name": "` + name + `", "type": "ipv4", "entry": [{"sequence-id": 10, "match": {"ipv4": {"protocol": "udp"}}, "action": {"drop": {}}}]}]}`
}

func pairEdits() []pairEdit {
	const apart, same = "neither is in the subnet of the other", "both ends have one address"
	const up, down = "srl_nokia-interfaces:interface/8/subinterface/0/", "srl_nokia-interfaces:interface/0/subinterface/0/"
	sonicIP := func(row string) func(string) string { return put("INTERFACE/"+row, "{}") }
	eosIP := func(port, address string) func(string) string {
		return swap("interface "+port+"\n", "interface "+port+"\n   ip address "+address+"\n")
	}
	nvIP := func(port, address string) func(string) string {
		return nvSet("interface/"+port+"/ip/address/"+strings.ReplaceAll(address, "/", "~"), "{}")
	}
	srlIP := func(at, address string) func(string) string {
		return put(at+"ipv4", `{"address": [{"ip-prefix": "`+address+`"}]}`)
	}
	rewritten := func(class, point string) func(string) string {
		return atEnd("class-of-service {\n    rewrite-rules {\n        dscp rw {\n            forwarding-class " + class + " {\n                loss-priority low code-point " + point + ";\n            }\n        }\n    }\n" +
			"    interfaces {\n        et-0/0/32 {\n            unit 0 {\n                rewrite-rules {\n                    dscp rw;\n                }\n            }\n        }\n    }\n}\n")
	}
	return []pairEdit{
		// addresses
		{"sonic", "the ends are in two subnets", sonicIP("Ethernet256|10.1.1.0~31"), sonicIP("Ethernet0|10.9.1.1~31"), apart},
		{"sonic", "the ends are in one subnet", sonicIP("Ethernet256|10.1.1.0~31"), sonicIP("Ethernet0|10.1.1.1~31"), ""},
		{"sonic", "the ends are in two subnets of IPv6", sonicIP("Ethernet256|fc00::1~126"), sonicIP("Ethernet0|fc00::72~126"), apart},
		{"sonic", "one end has an address", sonicIP("Ethernet256|10.1.1.0~31"), nil, ""},
		{"eos", "the ends are in two subnets", eosIP("Ethernet33/1", "10.1.1.0/31"), eosIP("Ethernet1/1", "10.1.1.2/31"), apart},
		{"eos", "the ends have one address", eosIP("Ethernet33/1", "10.1.1.0/31"), eosIP("Ethernet1/1", "10.1.1.0/31"), same},
		{"eos", "the ends are in one subnet", eosIP("Ethernet33/1", "10.1.1.1/24"), eosIP("Ethernet1/1", "10.1.1.2/24"), ""},
		{"eos", "the masks of the ends differ", eosIP("Ethernet33/1", "10.1.1.1/24"), eosIP("Ethernet1/1", "10.1.1.130/25"), apart},
		{"nvue", "the ends are in two subnets", nvIP("swp33", "10.1.1.0/31"), nvIP("swp1", "10.9.1.1/31"), apart},
		{"nvue", "the ends borrow the address of the loopback", nvIP("swp33", "10.0.0.1/32"), nvIP("swp1", "10.0.0.2/32"), ""},
		{"junos", "the ends are in two subnets", junosAddress("et-0/0/32", "10.1.1.0/31"), junosAddress("et-0/0/0", "10.9.1.1/31"), apart},
		{"junos", "the ends are in one subnet", junosAddress("et-0/0/32", "10.1.1.0/31"), junosAddress("et-0/0/0", "10.1.1.1/31"), ""},
		{"srlinux", "the ends are in two subnets", srlIP(up, "10.1.1.0/31"), srlIP(down, "10.9.1.1/31"), apart},
		{"srlinux", "the ends are in one subnet", srlIP(up, "10.1.1.0/31"), srlIP(down, "10.1.1.1/31"), ""},
		// bundles
		{"eos", "LACP at one end", eosBundle("Ethernet33/1", "on", ""), eosBundle("Ethernet1/1", "active", ""), "the end with LACP leaves the link out"},
		{"eos", "both ends wait", eosBundle("Ethernet33/1", "passive", ""), eosBundle("Ethernet1/1", "passive", ""), "neither begins"},
		{"eos", "one end waits", eosBundle("Ethernet33/1", "passive", ""), eosBundle("Ethernet1/1", "active", ""), ""},
		{"eos", "a bundle is shut", eosBundle("Ethernet33/1", "active", "   shutdown\n"), eosBundle("Ethernet1/1", "active", ""), read.WayDown},
		{"eos", "a bundle demands two links", eosBundle("Ethernet33/1", "active", "   port-channel min-links 2\n"), eosBundle("Ethernet1/1", "active", ""), read.WayFew},
		{"eos", "a bundle demands one link", eosBundle("Ethernet33/1", "active", "   port-channel min-links 1\n"), eosBundle("Ethernet1/1", "active", ""), ""},
		{"sonic", "a bundle is shut", sonicBundle("Ethernet256", `, "admin_status": "down"`), sonicBundle("Ethernet0", ""), read.WayDown},
		{"sonic", "LACP at one end", sonicBundle("Ethernet256", `, "static": "true"`), sonicBundle("Ethernet0", ""), "the end with LACP leaves the link out"},
		{"sonic", "no end has LACP", sonicBundle("Ethernet256", `, "static": "true"`), sonicBundle("Ethernet0", `, "static": "true"`), ""},
		{"sonic", "a bundle demands two links", sonicBundle("Ethernet256", `, "min_links": "2"`), sonicBundle("Ethernet0", ""), read.WayFew},
		{"sonic", "a bundle demands one link", sonicBundle("Ethernet256", `, "min_links": "1"`), sonicBundle("Ethernet0", ""), ""},
		{"sonic", "a bundle of servers is shut", sonicBundle("Ethernet8", `, "admin_status": "down"`), nil, ""},
		// wiring
		{"sonic", "the file has another neighbour", put("DEVICE_NEIGHBOR/Ethernet256", `{"name": "spine-2", "port": "Ethernet0"}`), nil, "the neighbour of leaf-1 Ethernet256 is spine-2"},
		{"sonic", "the file has another port of the neighbour", put("DEVICE_NEIGHBOR/Ethernet256", `{"name": "spine-1", "port": "Ethernet8"}`), nil, "the neighbour of leaf-1 Ethernet256 is spine-1 Ethernet8"},
		{"sonic", "the file has the neighbour of the cabling", put("DEVICE_NEIGHBOR/Ethernet256", `{"name": "spine-1", "port": "Ethernet0"}`), nil, ""},
		{"sonic", "the file calls the neighbour's port otherwise", put("DEVICE_NEIGHBOR/Ethernet256", `{"name": "SPINE-1", "port": "Ethernet1/1"}`), nil, ""},
		{"sonic", "the file calls the neighbour by a name that the fabric does not have", put("DEVICE_NEIGHBOR/Ethernet256", `{"name": "ARISTA01T1", "port": "Ethernet1"}`), nil, ""},
		{"sonic", "the file has the neighbour's name with its domain", put("DEVICE_NEIGHBOR/Ethernet256", `{"name": "spine-1.dc1.example.net", "port": "Ethernet0"}`), nil, ""},
		{"sonic", "the file has the neighbour of a server", put("DEVICE_NEIGHBOR/Ethernet8", `{"name": "Servers0", "port": "eth0"}`), nil, ""},
		// ports that are down, and switches that are one of a pair
		{"sonic", "a port has no admin_status", put("PORT/Ethernet256/admin_status", ""), nil, read.WayDown},
		{"sonic", "a port of a server has no admin_status", put("PORT/Ethernet8/admin_status", ""), nil, ""},
		{"eos", "all ports are shut by default", beforeEnd("interface defaults\n   ethernet\n      shutdown\n"), nil, read.WayDown},
		{"junos", "a unit is disabled", junosIf("et-0/0/32", "        unit 0 {\n            disable;\n        }"), nil, read.WayDown},
		{"srlinux", "a laser is off", put("srl_nokia-interfaces:interface/8/transceiver", `{"tx-laser": false}`), nil, read.WayDark},
		{"srlinux", "a port bridges", put(up+"type", `"srl_nokia-interfaces:bridged"`), nil, read.WayBridged},
		{"eos", "the leaf is one of a pair", beforeEnd("mlag configuration\n   domain-id pair\n   peer-link Port-Channel9\n"), nil, read.WayPaired},
		{"nvue", "the leaf is one of a pair", nvSet("mlag/enable", "on"), nil, read.WayPaired},
		// filters and timers of SR Linux, some of which every node has
		{"srlinux", "the CPU has a filter", put("srl_nokia-acl:acl", srlFilter("cpm")), nil, ""},
		{"srlinux", "a port has a filter", each(put("srl_nokia-acl:acl", srlFilter("F")), put("srl_nokia-acl:acl/interface", `[{"interface-id": "ethernet-1/33.0", "input": {"acl-filter": [{"name": "F", "type": "ipv4"}]}}]`)), nil, "acl interface"},
		{"srlinux", "a port has a filter, as earlier releases write it", put(up+"acl", `{"input": {"ipv4-filter": "F"}}`), nil, "a filter of the port"},
		{"srlinux", "a link comes up late", put("srl_nokia-interfaces:interface/8/ethernet/hold-time", `{"up": 1000}`), nil, ""},
		// code points that are written
		{"junos", "the rest leaves as RDMA", rewritten("rest", "011010"), nil, "DSCP 0 is lossy at leaf-1 et-0/0/32, which sends it on as DSCP 26"},
		{"junos", "RDMA leaves as it came", rewritten("rdma", "011010"), nil, ""},
		{"nvue", "the rest leaves as RDMA", each(nvSet("qos/remark/default-global/rewrite", "l3"), nvSet("qos/remark/default-global/switch-priority/0/dscp", "'26'")), nil, "DSCP 0 is lossy at leaf-1 swp33, which sends it on as DSCP 26"},
		{"nvue", "RDMA leaves as it came", each(nvSet("qos/remark/default-global/rewrite", "l3"), nvSet("qos/remark/default-global/switch-priority/3/dscp", "'26'")), nil, ""},
	}
}

// Edits that only the files of two devices show, or a file together with the cabling: none that harms passes in silence,
// and no harmless one is reported.
func TestRedTeamOfPairs(t *testing.T) {
	for _, k := range networkKinds() {
		n := networkOf(t, k)
		before := n.edited(t, "", nil)
		for _, e := range slices.Concat(pairEdits(), formEdits(), cutEdits(), sessionEdits(), routeEdits(), farEdits(), policyEdits(), filterEdits()) {
			if e.target != k.target {
				continue
			}
			spine := "spine-1/" + k.file
			was := n.files[spine]
			if e.spine != nil {
				n.files[spine] = e.spine(was)
				if n.files[spine] == was {
					t.Errorf("%s: %s: the edit of the spine changes nothing", k.target, e.what)
				}
			}
			r := n.edited(t, map[bool]string{true: "leaf-1/"}[e.leaf != nil], e.leaf)
			n.files[spine] = was
			fresh := strings.Join(freshOf(before, r), "\n")
			switch {
			case e.says == "" && (fresh != "" || r.Verdict() > before.Verdict()):
				t.Errorf("%s: %s: it harms nothing, and %v, %v", k.target, e.what, r.Verdict(), fresh)
			case !strings.Contains(fresh, e.says):
				t.Errorf("%s: %s: %q does not say %q", k.target, e.what, fresh, e.says)
			}
		}
	}
}

// What files of NX-OS, which no network here is compiled to, say of bundles, addresses and pairs.
func TestEndsOfNXOS(t *testing.T) {
	f, _ := FormatOf("nxos")
	const text = "interface port-channel10\n  lacp min-links 3\n  vpc peer-link\ninterface Ethernet1/1\n  channel-group 10 mode active\n  ip address 10.1.1.0/31\ninterface Ethernet1/2\n  channel-group 10 force mode passive\ninterface Ethernet1/3\n  channel-group 10\nip load-sharing address source-destination\n"
	ledger := f.Read("x", []byte(text), read.Options{}).Ledger
	var got []string
	for _, w := range append(ledger.Ends, ledger.Ways...) {
		got = append(got, strings.Join([]string{w.Why, w.Port, w.Bundle, w.Value}, "|"))
	}
	want := []string{read.Bundled + "|Ethernet1/1|10|active", read.Addressed + "|Ethernet1/1||10.1.1.0/31", read.Bundled + "|Ethernet1/2|10|passive", read.Bundled + "|Ethernet1/3|10|on", read.Portless + "|||", read.WayFew + "|port-channel10||3", read.WayPaired + "|port-channel10||"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
