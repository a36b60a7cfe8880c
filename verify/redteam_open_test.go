package verify

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/roceplan/roceplan/read"
)

// inOneLine joins the lines of a text.
func inOneLine(text string) string { return regexp.MustCompile(`\s+`).ReplaceAllString(text, " ") }

// asJSON writes YAML as JSON, which is YAML too.
func asJSON(indent string) func(string) string {
	return func(text string) string {
		var doc any
		if yaml.Unmarshal([]byte(text), &doc) != nil {
			return text
		}
		out, err := json.MarshalIndent(doc, "", indent)
		if err != nil {
			return text
		}
		if indent == "" {
			return strings.ReplaceAll(string(out), "\n", "") + "\n"
		}
		return string(out) + "\n"
	}
}

// formEdits are other forms of a text, statements that replace others, and ports that are split.
func formEdits() []pairEdit {
	split := func(mode string) func(string) string {
		return nvSet("interface/swp33/link/breakout/"+mode, "{}")
	}
	const replaced = "class-of-service {\n    replace: congestion-notification-profile {\n        leaves {\n            input {\n                cable-length 50;\n            }\n        }\n    }\n}\n"
	return []pairEdit{
		{"junos", "the text is one line", inOneLine, nil, ""},
		{"junos", "the last host-name is of another switch", atEnd("system {\n    host-name spine-2;\n}\n"), nil, "names the device spine-2"},
		{"junos", "the last host-name is its own", atEnd("system {\n    host-name leaf-1;\n}\n"), nil, ""},
		{"junos", "a section is replaced", atEnd(replaced), nil, "replace:"},
		{"junos", "a section is deleted by a tag", atEnd("class-of-service {\n    delete: congestion-notification-profile;\n}\n"), nil, "delete:"},
		{"junos", "a profile of a group of classes that no port has", atEnd("class-of-service {\n    traffic-control-profiles {\n        T {\n            shaping-rate 1g;\n        }\n    }\n}\n"), nil, ""},
		{"junos", "a profile of a group of classes at a port", atEnd("class-of-service {\n    traffic-control-profiles {\n        T {\n            shaping-rate 1g;\n        }\n    }\n    interfaces {\n        et-0/0/32 {\n            output-traffic-control-profile T;\n        }\n    }\n}\n"), nil, "a rate of a group"},
		{"nvue", "the text is in flow style", asJSON(""), nil, ""},
		{"nvue", "the text is JSON", asJSON(" "), nil, ""},
		{"nvue", "an uplink is split without a speed", split("4x"), nil, "swp33"},
		{"eos", "a handler writes a log", beforeEnd("event-handler LOG\n   trigger on-intf Ethernet1/1 operstatus\n   action log\n   delay 10\n"), nil, ""},
		{"eos", "a handler runs a command", beforeEnd("event-handler OFF\n   trigger on-boot\n   action bash FastCli -p 15 -c 'configure'\n"), nil, "action bash"},
	}
}

// cutEdits are links that carry nothing by the files of their ends.
func cutEdits() []pairEdit {
	const cut = "is cut off"
	srlOff := func(i string) func(string) string {
		return put("srl_nokia-interfaces:interface/"+i+"/admin-state", `"disable"`)
	}
	off := func(lines ...string) func(string) string {
		var edits []func(string) string
		for _, port := range lines {
			edits = append(edits, swap("interface "+port+"\n", "interface "+port+"\n   shutdown\n"))
		}
		return each(edits...)
	}
	return []pairEdit{
		{"sonic", "all uplinks are shut", each(put("PORT/Ethernet256/admin_status", `"down"`), put("PORT/Ethernet264/admin_status", `"down"`)), nil, cut},
		{"sonic", "one uplink is shut", put("PORT/Ethernet256/admin_status", `"down"`), nil, read.WayDown},
		{"sonic", "both uplinks are shut, one at each end", put("PORT/Ethernet264/admin_status", `"down"`), put("PORT/Ethernet0/admin_status", `"down"`), cut},
		{"eos", "all uplinks are shut", off("Ethernet33/1", "Ethernet34/1"), nil, cut},
		{"eos", "a spine is shut off", nil, off("Ethernet1/1", "Ethernet2/1"), cut},
		{"eos", "one uplink is shut", off("Ethernet33/1"), nil, read.WayDown},
		{"nvue", "all uplinks are shut", each(nvSet("interface/swp33/link/state/down", "{}"), nvSet("interface/swp34/link/state/down", "{}")), nil, cut},
		{"junos", "all uplinks are shut", each(junosIf("et-0/0/32", "        unit 0 {\n            disable;\n        }"), junosIf("et-0/0/33", "        unit 0 {\n            disable;\n        }")), nil, cut},
		{"srlinux", "all uplinks are shut", each(srlOff("8"), srlOff("9")), nil, cut},
	}
}

// sessionEdits are sessions of BGP, whose two ends have to agree.
func sessionEdits() []pairEdit {
	const other, same = "is in AS", "one router id"
	eos := func(port, address, as, peer, peerAS, more string) func(string) string {
		return each(swap("interface "+port+"\n", "interface "+port+"\n   ip address "+address+"\n"), beforeEnd("router bgp "+as+"\n   neighbor "+peer+" remote-as "+peerAS+"\n"+more))
	}
	sonic := func(port, address, as, peer, peerAS string) func(string) string {
		return each(put("INTERFACE/"+port+"|"+strings.ReplaceAll(address, "/", "~"), "{}"), put("DEVICE_METADATA/localhost/bgp_asn", `"`+as+`"`), put("BGP_NEIGHBOR/"+peer, `{"asn": "`+peerAS+`"}`))
	}
	nvue := func(port, as, peerAS string) func(string) string {
		return each(nvSet("router/bgp/autonomous-system", as), nvSet("vrf/default/router/bgp/neighbor/"+port+"/remote-as", peerAS))
	}
	junos := func(port, address, as, peer, peerAS string) func(string) string {
		return each(junosAddress(port, address), atEnd("routing-options {\n    autonomous-system "+as+";\n}\nprotocols {\n    bgp {\n        group fabric {\n            neighbor "+peer+" {\n                peer-as "+peerAS+";\n            }\n        }\n    }\n}\n"))
	}
	srl := func(i, address, as, peer, peerAS string) func(string) string {
		return each(put("srl_nokia-interfaces:interface/"+i+"/subinterface/0/ipv4", `{"address": [{"ip-prefix": "`+address+`"}]}`),
			put("srl_nokia-network-instance:network-instance", `[{"name": "default", "protocols": {"srl_nokia-bgp:bgp": {"autonomous-system": `+as+`, "ebgp-default-policy": {"import-reject-all": false, "export-reject-all": false}, "neighbor": [{"peer-address": "`+peer+`", "peer-as": `+peerAS+`}]}}}]`))
	}
	return []pairEdit{
		{"eos", "a neighbour has another AS", eos("Ethernet33/1", "10.1.1.0/31", "65001", "10.1.1.1", "65999", ""), eos("Ethernet1/1", "10.1.1.1/31", "65100", "10.1.1.0", "65001", ""), other},
		{"eos", "neighbours have their AS", eos("Ethernet33/1", "10.1.1.0/31", "65001", "10.1.1.1", "65100", ""), eos("Ethernet1/1", "10.1.1.1/31", "65100", "10.1.1.0", "65001", ""), ""},
		{"eos", "a group has another AS", eos("Ethernet33/1", "10.1.1.0/31", "65001", "SPINES", "65999", "   neighbor SPINES peer group\n   neighbor 10.1.1.1 peer group SPINES\n"), eos("Ethernet1/1", "10.1.1.1/31", "65100", "10.1.1.0", "65001", ""), other},
		{"eos", "the ends have one router id", eos("Ethernet33/1", "10.1.1.0/31", "65001", "10.1.1.1", "65100", "   router-id 10.0.0.1\n"), eos("Ethernet1/1", "10.1.1.1/31", "65100", "10.1.1.0", "65001", "   router-id 10.0.0.1\n"), same},
		{"sonic", "a neighbour has another AS", sonic("Ethernet256", "10.1.1.0/31", "65001", "10.1.1.1", "65999"), sonic("Ethernet0", "10.1.1.1/31", "65100", "10.1.1.0", "65001"), other},
		{"sonic", "neighbours have their AS", sonic("Ethernet256", "10.1.1.0/31", "65001", "10.1.1.1", "65100"), sonic("Ethernet0", "10.1.1.1/31", "65100", "10.1.1.0", "65001"), ""},
		{"nvue", "a neighbour has another AS", nvue("swp33", "65001", "65999"), nvue("swp1", "65100", "65001"), other},
		{"nvue", "a neighbour is of any other AS", nvue("swp33", "65001", "external"), nvue("swp1", "65100", "external"), ""},
		{"nvue", "a neighbour is of another AS, and has the same", nvue("swp33", "65001", "external"), nvue("swp1", "65001", "external"), other},
		{"junos", "a neighbour has another AS", junos("et-0/0/32", "10.1.1.0/31", "65001", "10.1.1.1", "65999"), junos("et-0/0/0", "10.1.1.1/31", "65100", "10.1.1.0", "65001"), other},
		{"junos", "neighbours have their AS", junos("et-0/0/32", "10.1.1.0/31", "65001", "10.1.1.1", "65100"), junos("et-0/0/0", "10.1.1.1/31", "65100", "10.1.1.0", "65001"), ""},
		{"srlinux", "a neighbour has another AS", srl("8", "10.1.1.0/31", "65001", "10.1.1.1", "65999"), srl("0", "10.1.1.1/31", "65100", "10.1.1.0", "65001"), other},
		{"srlinux", "neighbours have their AS", srl("8", "10.1.1.0/31", "65001", "10.1.1.1", "65100"), srl("0", "10.1.1.1/31", "65100", "10.1.1.0", "65001"), ""},
	}
}

// A split of a port that names no speed gives the parts that of the port, divided: the fabric has to have as many.
func TestPartsOfPorts(t *testing.T) {
	for _, k := range networkKinds() {
		if k.target != "nvue" {
			continue
		}
		k.up = `"swp33s[0..1]"`
		n := networkOf(t, k)
		before := n.edited(t, "", nil)
		for mode, says := range map[string]string{"2x": "", "2x400G": "", "4x": "swp33 into 4 parts", "8x": "swp33 into 8 parts", "4x100G": "100Gbps"} {
			r := n.edited(t, "leaf-1/", nvSet("interface/swp33/link/breakout/"+mode, "{}"))
			fresh := strings.Join(freshOf(before, r), "\n")
			if says == "" && (fresh != "" || r.Verdict() > before.Verdict()) || !strings.Contains(fresh, says) {
				t.Errorf("%s: %v, %q, want %q", mode, r.Verdict(), fresh, says)
			}
		}
	}
}
