package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
)

// Two switches may have one address in two routing instances, which are two networks, and not in one.
func TestAddressTwiceInInstances(t *testing.T) {
	edits := map[string]func(vrf string) func(string) string{
		"sonic": func(vrf string) func(string) string {
			port := "{}"
			if vrf != "" {
				port = `{"vrf_name": "Vrf` + vrf + `"}`
			}
			return each(put("INTERFACE/Ethernet8|10.9.9.1~24", "{}"), put("INTERFACE/Ethernet8", port))
		},
		"eos": func(vrf string) func(string) string {
			return swap("interface Ethernet1/1\n", "interface Ethernet1/1\n"+strings.TrimSuffix("   vrf "+vrf+"\n", "   vrf \n")+"   ip address 10.9.9.1/24\n")
		},
		"nvue": func(vrf string) func(string) string {
			address := nvSet("interface/swp1/ip/address/10.9.9.1~24", "{}")
			if vrf == "" {
				return address
			}
			return each(address, nvSet("interface/swp1/ip/vrf", vrf))
		},
		"junos": func(vrf string) func(string) string {
			address := junosAddress("et-0/0/0", "10.9.9.1/24")
			if vrf == "" {
				return address
			}
			return each(address, atEnd("routing-instances {\n    "+vrf+" {\n        instance-type virtual-router;\n        interface et-0/0/0.0;\n    }\n}\n"))
		},
		"srlinux": func(vrf string) func(string) string {
			if vrf == "" {
				vrf = "default"
			}
			return each(put("srl_nokia-interfaces:interface/0/subinterface/0/ipv4", `{"address": [{"ip-prefix": "10.9.9.1/24"}]}`),
				put("srl_nokia-network-instance:network-instance", `[{"name": "`+vrf+`", "interface": [{"name": "ethernet-1/1.0"}]}]`))
		},
	}
	for _, k := range networkKinds() {
		n := networkOf(t, k)
		for _, c := range []struct {
			one, other string
			twice      bool
		}{{"", "", true}, {"A", "A", true}, {"A", "B", false}, {"", "B", false}} {
			leaf := "leaf-2/" + k.file
			was := n.files[leaf]
			n.files[leaf] = edits[k.target](c.other)(was)
			r := n.edited(t, "leaf-1/", edits[k.target](c.one))
			n.files[leaf] = was
			if got := slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool { return d.Code == AddressTwice }); got != c.twice {
				t.Errorf("%s: in %q and in %q: reported %v, want %v", k.target, c.one, c.other, got, c.twice)
			}
		}
	}
}
