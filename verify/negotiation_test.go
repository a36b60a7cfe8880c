package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/read"
)

// A copper link is reported, once and with both lines, if one end negotiates and the other does not. Ends that
// do alike are not reported, nor is a link over fibre, nor a link with an end whose file does not set it.
func TestNegotiation(t *testing.T) {
	junos := func(port, line string) func(string) string {
		return atEnd("interfaces {\n    " + port + " {\n        ether-options {\n            " + line + ";\n        }\n    }\n}\n")
	}
	eos := func(port, line string) func(string) string {
		return swap("interface "+port+"\n", "interface "+port+"\n   "+line+"\n")
	}
	type ends struct{ on, off, alike func(string) string } // of leaf-1, and of spine-1 twice
	of := map[string]ends{
		"sonic": {put("PORT/Ethernet256/autoneg", `"on"`), put("PORT/Ethernet0/autoneg", `"off"`), put("PORT/Ethernet0/autoneg", `"on"`)},
		"eos":   {eos("Ethernet33/1", "speed auto"), eos("Ethernet1/1", "speed forced 400gfull"), eos("Ethernet1/1", "speed auto")},
		"nvue":  {nvSet("interface/swp33/link/auto-negotiate", "on"), nvSet("interface/swp1/link/auto-negotiate", "off"), nvSet("interface/swp1/link/auto-negotiate", "on")},
		"junos": {junos("et-0/0/32", "auto-negotiation"), junos("et-0/0/0", "no-auto-negotiation"), junos("et-0/0/0", "auto-negotiation")},
		"srlinux": {put("srl_nokia-interfaces:interface/8/ethernet/auto-negotiate", "true"), put("srl_nokia-interfaces:interface/0/ethernet/auto-negotiate", "false"),
			put("srl_nokia-interfaces:interface/0/ethernet/auto-negotiate", "true")},
	}
	for _, k := range networkKinds() {
		copper := strings.ReplaceAll(k.text(), "cable = \"40m\"\n    medium = fiber", "cable = \"2m\"\n    medium = dac")
		for _, c := range []struct {
			what, text string
			spine      func(string) string
			told       int
		}{
			{"one end does", copper, of[k.target].off, 1},
			{"both ends do", copper, of[k.target].alike, 0},
			{"one end says nothing", copper, nil, 0},
			{"the link is a fibre", k.text(), of[k.target].off, 0},
		} {
			n := compiledNetwork(t, k.target, c.text)
			if spine := "spine-1/" + k.file; c.spine != nil {
				n.files[spine] = c.spine(n.files[spine])
			}
			r := n.edited(t, "leaf-1/", of[k.target].on)
			var told []diag.Diagnostic
			for _, d := range r.Findings {
				if d.Code == NegotiationDiffers {
					told = append(told, d)
				}
			}
			files := func(d diag.Diagnostic) string { return d.Subject.Filename + " " + d.Related[0].Range.Filename }
			if len(told) != c.told || c.told > 0 && (r.Passes(false) || !slices.Contains([]string{"leaf-1/" + k.file + " spine-1/" + k.file, "spine-1/" + k.file + " leaf-1/" + k.file}, files(told[0]))) {
				t.Errorf("%s, %s: %v", k.target, c.what, told)
			}
		}
	}
}

// What is to be at both ends of a link, and is at one, is an error with both places. Ends that are alike are not
// reported, nor are ports of servers.
func TestEndsOfLinks(t *testing.T) {
	sub := func(port, tag string) func(string) string {
		return beforeEnd("interface " + port + ".10\n   encapsulation dot1q vlan " + tag + "\n")
	}
	for _, c := range []struct {
		target      string
		leaf, spine func(string) string
		told        int
	}{
		{"sonic", put("PORT/Ethernet256/link_training", `"on"`), nil, 1},
		{"sonic", put("PORT/Ethernet256/link_training", `"on"`), put("PORT/Ethernet0/link_training", `"on"`), 0},
		{"sonic", put("PORT/Ethernet0/link_training", `"on"`), nil, 0},
		{"sonic", put("PORTCHANNEL_MEMBER/PortChannel1|Ethernet256", "{}"), nil, 1},
		{"sonic", put("PORTCHANNEL_MEMBER/PortChannel1|Ethernet256", "{}"), put("PORTCHANNEL_MEMBER/PortChannel7|Ethernet0", "{}"), 0},
		{"sonic", put("VLAN_SUB_INTERFACE/Ethernet256.10", `{"vlan": "10"}`), nil, 1},
		{"sonic", put("VLAN_SUB_INTERFACE/Ethernet256.10", `{"vlan": "10"}`), put("VLAN_SUB_INTERFACE/Ethernet0.3", `{"vlan": "20"}`), 2},
		{"sonic", put("VLAN_SUB_INTERFACE/Ethernet256.10", `{"vlan": "10"}`), put("VLAN_SUB_INTERFACE/Ethernet0.3", `{"vlan": "10"}`), 0},
		{"eos", sub("Ethernet33/1", "10"), nil, 1},
		{"eos", sub("Ethernet33/1", "10"), sub("Ethernet1/1", "10"), 0},
		{"nvue", nvSet("interface/bond1/bond/member/swp33", "{}"), nil, 1},
		{"nvue", nvSet("interface/swp33.10/vlan", "10"), nil, 1},
		{"junos", atEnd("interfaces {\n    et-0/0/32 {\n        unit 10 {\n            vlan-id 10;\n        }\n    }\n}\n"), nil, 1},
		{"srlinux", put("srl_nokia-interfaces:interface/8/ethernet/aggregate-id", `"lag1"`), nil, 1},
	} {
		for _, k := range networkKinds() {
			if k.target != c.target {
				continue
			}
			n := compiledNetwork(t, k.target, k.text())
			if spine := "spine-1/" + k.file; c.spine != nil {
				n.files[spine] = c.spine(n.files[spine])
			}
			told := 0
			for _, d := range n.edited(t, "leaf-1/", c.leaf).Findings {
				if d.Code == LinkEndsDiffer {
					told++
				}
			}
			if told != c.told {
				t.Errorf("%s: %d findings, want %d", k.target, told, c.told)
			}
		}
	}
}

// Formats that no network here is compiled to.
func TestNegotiationOfOtherFormats(t *testing.T) {
	for _, c := range []struct{ format, text, why, port string }{
		{"nxos", "interface Ethernet1/1\n  negotiate auto\n", read.Negotiated, "Ethernet1/1"},
		{"nxos", "interface Ethernet1/1\n  no negotiate auto\n", read.Forced, "Ethernet1/1"},
		{"nxos", "interface Ethernet1/1\n  description negotiate auto\n", "", ""},
		{"nxos", "interface Ethernet1/1\n  channel-group 10 mode active\n", read.Bundled, "Ethernet1/1"},
		{"nxos", "interface Ethernet1/1\n  encapsulation dot1q 10\n", read.Tagged, "Ethernet1/1"},
		{"nxos", "interface Ethernet1/1.10\n  encapsulation dot1q 10\n", read.Tagged, "Ethernet1/1"},
		{"openconfig", `{"openconfig-interfaces:interfaces": {"interface": [{"name": "Ethernet1/1", "openconfig-if-ethernet:ethernet": {"config": {"openconfig-if-aggregate:aggregate-id": "Port-Channel1"}}}]}}`, read.Bundled, "Ethernet1/1"},
		{"openconfig", `{"openconfig-interfaces:interfaces": {"interface": [{"name": "Ethernet1/1", "subinterfaces": {"subinterface": [{"index": 10, "openconfig-vlan:vlan": {"match": {"single-tagged": {"config": {"vlan-id": 10}}}}}]}}]}}`, read.Tagged, "Ethernet1/1"},
		{"openconfig", `{"openconfig-interfaces:interfaces": {"interface": [{"name": "Ethernet1/1", "openconfig-if-ethernet:ethernet": {"config": {"auto-negotiate": true}}}]}}`, read.Negotiated, "Ethernet1/1"},
		{"openconfig", `{"openconfig-interfaces:interfaces": {"interface": [{"name": "Ethernet1/1", "openconfig-if-ethernet:ethernet": {"config": {"auto-negotiate": false}}}]}}`, read.Forced, "Ethernet1/1"},
	} {
		f, _ := FormatOf(c.format)
		got := read.Way{}
		ledger := f.Read("x", []byte(c.text), read.Options{}).Ledger
		if len(ledger.Ends) > 0 {
			got = ledger.Ends[0]
		}
		if got.Why != c.why || got.Port != c.port || len(ledger.Ways) > 0 {
			t.Errorf("%s: %s: %+v, want %q of %q", c.format, c.text, got, c.why, c.port)
		}
	}
}
