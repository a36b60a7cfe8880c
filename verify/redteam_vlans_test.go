package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/read"
)

// A vlanEdit edits two leaves.
type vlanEdit struct {
	target, what string
	leaf, other  func(string) string // nil: the file stays
	says         string              // as of a pairEdit
}

// Edits of the VLANs of ports to servers: none that harms passes in silence, and no harmless one is reported.
func TestRedTeamOfVLANs(t *testing.T) {
	for _, k := range networkKinds() {
		n := networkOf(t, k)
		before := n.edited(t, "", nil)
		for _, e := range vlanEdits() {
			if e.target != k.target {
				continue
			}
			other := "leaf-2/" + k.file
			was := n.files[other]
			if e.other != nil {
				n.files[other] = e.other(was)
			}
			r := n.edited(t, "leaf-1/", e.leaf)
			n.files[other] = was
			fresh := strings.Join(slices.DeleteFunc(freshOf(before, r), func(text string) bool { return strings.Contains(text, "in the fabric it routes") }), "\n")
			if e.says == "" && (fresh != "" || r.Verdict() > before.Verdict()) || !strings.Contains(fresh, e.says) {
				t.Errorf("%s: %s: %v, %q, want %q", k.target, e.what, r.Verdict(), fresh, e.says)
			}
		}
	}
}

// vlanEdits puts ports to servers into VLANs: into those whose subnet the switch has, and into others.
func vlanEdits() (all []vlanEdit) {
	const nowhere, tagged, subnet = "has no address", "takes untagged packets in no VLAN", "are of one subnet"
	for _, e := range []struct {
		what, says                 string
		first                      string // of the first port: VLAN, "" for none, or "tagged"
		address                    string // of VLAN 100 of leaf-1
		down, undefined, otherLeaf bool
	}{
		{"all are in the VLAN of the subnet", "", "100", "10.1.1.1/24", false, false, false},
		{"one is in another VLAN", nowhere, "200", "10.1.1.1/24", false, false, false},
		{"one takes tagged packets", tagged, "tagged", "10.1.1.1/24", false, false, false},
		{"the VLAN has no address", nowhere, "100", "", false, false, false},
		{"the interface of the VLAN is shut down", nowhere, "100", "10.1.1.1/24", true, false, false},
		{"the other leaf has another subnet", "", "100", "10.1.1.1/24", false, false, true},
		{"the other leaf has the subnet", subnet, "100", "10.1.2.2/24", false, false, true},
	} {
		for _, target := range []string{"sonic", "eos", "nvue", "junos", "srlinux"} {
			leaf := func(address, first string, down bool) func(string) string {
				return vlanLeaf(target, address, first, down)
			}
			own := vlanEdit{target: target, what: e.what, leaf: leaf(e.address, e.first, e.down), says: e.says}
			if e.otherLeaf {
				own.other = leaf("10.1.2.1/24", "100", false)
			}
			all = append(all, own)
		}
	}
	srl := func(listed ...string) func(string) string {
		edits, list := []func(string) string{}, []string{}
		for i, at := range []string{"0", "1", "2", "8", "9"} {
			edits = append(edits, put("srl_nokia-interfaces:interface/"+at+"/subinterface/0/ipv4", fmt.Sprintf(`{"address": [{"ip-prefix": "10.7.%d.0/31"}]}`, i)))
		}
		for _, port := range listed {
			list = append(list, `{"name": "ethernet-1/`+port+`.0"}`)
		}
		return each(append(edits, put("srl_nokia-network-instance:network-instance", `[{"name": "default", "interface": [`+strings.Join(list, ", ")+`]}]`))...)
	}
	more := func(target, what, says string, edits ...func(string) string) vlanEdit {
		return vlanEdit{target, what, each(append([]func(string) string{vlanLeaf(target, "10.1.1.1/24", "100", false)}, edits...)...), nil, says}
	}
	all = append(all,
		more("sonic", "the VLANs are not defined", "which the switch does not have", put("VLAN", "{}")),
		more("sonic", "the address of the VLAN has no subnet", nowhere, put("VLAN_INTERFACE/Vlan100|10.1.1.1~24", ""), put("VLAN_INTERFACE/Vlan100|10.1.1.1~32", "{}")),
		more("sonic", "the VLAN is in an instance of its own", nowhere, put("VRF/VrfA", "{}"), put("VLAN_INTERFACE/Vlan100/vrf_name", `"VrfA"`)),
		more("nvue", "the interface is that of another VLAN", nowhere, nvSet("interface/vlan100/vlan", "200")),
		vlanEdit{"eos", "a port to servers is in an instance of its own", each(swap("interface Ethernet1/1\n", "interface Ethernet1/1\n   vrf RED\n   ip address 10.7.0.1/24\n")), nil, "is in the routing instance RED"})
	return append(all, vlanEdit{"srlinux", "all ports are in the instance", srl("1", "2", "3", "33", "34"), nil, ""},
		vlanEdit{"srlinux", "a port to servers is in no instance", srl("1", "2", "33", "34"), nil, "has an address or bridges"},
		vlanEdit{"srlinux", "an uplink is in no instance", srl("1", "2", "3", "33"), nil, read.WayLoose},
		vlanEdit{"srlinux", "the loopback is in no instance", each(srl("1", "2", "3", "33", "34"), swap(`"srl_nokia-interfaces:interface": [`, `"srl_nokia-interfaces:interface": [{"name": "system0", "subinterface": [{"index": 0, "ipv4": {"address": [{"ip-prefix": "10.9.0.1/32"}]}}]},`)), nil, "system0 of leaf-1 has an address"},
		vlanEdit{"srlinux", "no uplink is in the instance", srl("1", "2", "3"), nil, "is cut off"})
}

// vlanLeaf makes a leaf with its first two ports to servers in VLAN 100 of an address; the first is in another one or takes
// tagged packets.
func vlanLeaf(target, address, first string, down bool) func(string) string {
	tags := first == "tagged"
	if tags {
		first = "100"
	}
	shut := map[bool]string{true: "down"}[down]
	switch target {
	case "sonic":
		edits := []func(string) string{put("VLAN", `{"Vlan100": {"vlanid": "100"}, "Vlan200": {"vlanid": "200"}}`)}
		mode := `{"tagging_mode": "untagged"}`
		for i, vlan := range []string{first, "100", "100"} {
			m := mode
			if i == 0 && tags {
				m = `{"tagging_mode": "tagged"}`
			}
			edits = append(edits, put(fmt.Sprintf("VLAN_MEMBER/Vlan%s|Ethernet%d", vlan, 8*i), m))
		}
		edits = append(edits, put("VLAN_INTERFACE/Vlan100", "{}"))
		if address != "" {
			edits = append(edits, put("VLAN_INTERFACE/Vlan100|"+strings.ReplaceAll(address, "/", "~"), "{}"))
		}
		if shut != "" {
			edits = append(edits, put("VLAN/Vlan100/admin_status", `"down"`))
		}
		return each(edits...)
	case "eos":
		edits, svi := []func(string) string{}, "vlan 100,200\ninterface Vlan100\n"
		for i, vlan := range []string{first, "100", "100"} {
			port := fmt.Sprintf("interface Ethernet%d/1\n", i+1)
			line := "   switchport access vlan " + vlan + "\n"
			if i == 0 && tags {
				line = "   switchport mode trunk\n   switchport trunk allowed vlan 100\n"
			}
			edits = append(edits, swap(port, port+line), eosSwitched(i+1))
		}
		if address != "" {
			svi += "   ip address " + address + "\n"
		}
		if shut != "" {
			svi += "   shutdown\n"
		}
		return each(append(edits, beforeEnd(svi))...)
	case "nvue":
		edits := []func(string) string{nvSet("bridge/domain/br_default/vlan/100", "{}"), nvSet("bridge/domain/br_default/vlan/200", "{}"), nvSet("interface/vlan100/type", "svi"), nvSet("interface/vlan100/vlan", "100")}
		for i, vlan := range []string{first, "100", "100"} {
			at := fmt.Sprintf("interface/swp%d/bridge/domain/br_default/", i+1)
			if i == 0 && tags {
				edits = append(edits, nvSet(at+"vlan/100", "{}"), nvSet(at+"untagged", "none"))
				continue
			}
			edits = append(edits, nvSet(at+"access", vlan))
		}
		if address != "" {
			edits = append(edits, nvSet("interface/vlan100/ip/address/"+strings.ReplaceAll(address, "/", "~"), "{}"))
		}
		if shut != "" {
			edits = append(edits, nvSet("interface/vlan100/link/state/down", "{}"))
		}
		return each(edits...)
	case "junos":
		text := "vlans {\n    hosts {\n        vlan-id 100;\n        l3-interface irb.100;\n    }\n    others {\n        vlan-id 200;\n    }\n}\n"
		text += "interfaces {\n"
		for i, vlan := range []string{first, "100", "100"} {
			mode := ""
			if i == 0 && tags {
				mode = "interface-mode trunk;\n"
			}
			name := map[string]string{"100": "hosts", "200": "200"}[vlan]
			text += fmt.Sprintf("    et-0/0/%d {\n        unit 0 {\n            family ethernet-switching {\n%s                vlan {\n                    members %s;\n                }\n            }\n        }\n    }\n", i, mode, name)
		}
		text += "    irb {\n        unit 100 {\n"
		if shut != "" {
			text += "            disable;\n"
		}
		text += "            family inet {\n"
		if address != "" {
			text += "                address " + address + ";\n"
		}
		return atEnd(text + "            }\n        }\n    }\n}\n")
	default:
		address4 := ""
		if address != "" {
			address4 = `, "ipv4": {"admin-state": "enable", "address": [{"ip-prefix": "` + address + `"}]}`
		}
		state := map[bool]string{true: "disable", false: "enable"}[down]
		edits := []func(string) string{put("srl_nokia-interfaces:interface/+", `{"name": "irb0", "subinterface": [{"index": 1, "admin-state": "`+state+`"`+address4+`}]}`)}
		in := map[string][]string{}
		for i, vlan := range []string{first, "100", "100"} {
			at := fmt.Sprintf("srl_nokia-interfaces:interface/%d/subinterface/0/", i)
			edits = append(edits, put(at+"type", `"srl_nokia-interfaces:bridged"`))
			if i == 0 && tags {
				edits = append(edits, put(at+"vlan", `{"encap": {"single-tagged": {"vlan-id": 100}}}`))
			}
			in[vlan] = append(in[vlan], fmt.Sprintf(`{"name": "ethernet-1/%d.0"}`, i+1))
		}
		list := `{"name": "default", "interface": [{"name": "irb0.1"}]}, {"name": "v100", "type": "srl_nokia-network-instance:mac-vrf", "interface": [{"name": "irb0.1"}, ` + strings.Join(in["100"], ", ") + `]}`
		if len(in["200"]) > 0 {
			list += `, {"name": "v200", "type": "srl_nokia-network-instance:mac-vrf", "interface": [` + strings.Join(in["200"], ", ") + `]}`
		}
		return each(append(edits, put("srl_nokia-network-instance:network-instance", "["+list+"]"))...)
	}
}

// eosSwitched takes "no switchport" from a port.
func eosSwitched(port int) func(string) string {
	return func(text string) string {
		begin := strings.Index(text, fmt.Sprintf("interface Ethernet%d/1\n", port))
		if begin < 0 {
			return text
		}
		return text[:begin] + strings.Replace(text[begin:], "   no switchport\n", "", 1)
	}
}

// What files of NX-OS and OpenConfig say of VLANs.
func TestVLANsOfOtherSystems(t *testing.T) {
	for system, c := range map[string]struct {
		text string
		want []string
	}{
		"nxos": {"vlan 1,100\ninterface Vlan100\n  ip address 10.1.1.1/24\ninterface Ethernet1/1\n  switchport\n  switchport access vlan 100\ninterface Ethernet1/2\n  switchport\n  switchport mode trunk\n  switchport trunk native vlan 7\n",
			[]string{read.VLAN + "|||1,100", read.Addressed + "|Vlan100||10.1.1.1/24", read.Untagged + "|Ethernet1/1||100", read.Tags + "|Ethernet1/2||", read.Native + "|Ethernet1/2||7"}},
		"openconfig": {`{"openconfig-interfaces:interfaces": {"interface": [{"name": "Ethernet0", "openconfig-if-ethernet:ethernet": {"openconfig-vlan:switched-vlan": {"config": {"interface-mode": "ACCESS", "access-vlan": 100}}}},` +
			`{"name": "Ethernet8", "openconfig-if-ethernet:ethernet": {"openconfig-vlan:switched-vlan": {"config": {"interface-mode": "TRUNK", "native-vlan": 7}}}},` +
			`{"name": "Vlan100", "openconfig-vlan:routed-vlan": {"config": {"vlan": 100}, "openconfig-if-ip:ipv4": {"addresses": {"address": [{"ip": "10.1.1.1", "config": {"ip": "10.1.1.1", "prefix-length": 24}}]}}}}]}}`,
			[]string{read.Untagged + "|Ethernet0||100", read.Tags + "|Ethernet8||", read.Native + "|Ethernet8||7", read.Gateway + "|Vlan100||100", read.Addressed + "|Vlan100|10.1.1.1|24"}},
	} {
		f, _ := FormatOf(system)
		ledger := f.Read("x", []byte(c.text), read.Options{}).Ledger
		var got []string
		for _, w := range ledger.Ends {
			got = append(got, strings.Join([]string{w.Why, w.Port, w.Bundle, w.Value}, "|"))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", system, got)
		}
	}
}
