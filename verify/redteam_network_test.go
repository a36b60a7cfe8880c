package verify

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/diag"
)

// A netEdit is an edit of the files of some devices of a network. What it breaks shows only in the files
// of two devices: alone, each is a valid configuration.
type netEdit struct {
	what    string
	devices string // the beginning of their names
	edit    func(string) string
}

// A netTeam edits the network of one target: harmful edits must be told, harmless ones must not.
type netTeam struct {
	harmful, harmless []netEdit
}

// netTeams returns the edits by target.
func netTeams() map[string]netTeam {
	eosPort := func(line string) func(string) string {
		return swap("interface Ethernet1/1\n", "interface Ethernet1/1\n   "+line+"\n")
	}
	srlFEC := func(code string) func(string) string {
		return put("srl_nokia-interfaces:interface/0/transceiver", `{"forward-error-correction": "`+code+`"}`)
	}
	return map[string]netTeam{
		"sonic": {
			harmful: []netEdit{
				{"a spine's port has no FEC", "spine-1/", put("PORT/Ethernet0/fec", `"none"`)},
				{"a spine's port has the code of 25G", "spine-1/", put("PORT/Ethernet0/fec", `"fc"`)},
				{"all ports of a spine have the code of 25G", "spine-2/", each(put("PORT/Ethernet0/fec", `"fc"`), put("PORT/Ethernet8/fec", `"fc"`))},
				{"a spine's port runs at 200G", "spine-1/", put("PORT/Ethernet8/speed", `"200000"`)},
				{"a spine's port takes small frames", "spine-1/", put("PORT/Ethernet8/mtu", `"1500"`)},
				{"a spine's port has another length of cable", "spine-1/", put("CABLE_LENGTH/AZURE/Ethernet8", `"5m"`)},
				{"a spine has RDMA in the class of the rest", "spine-1/", put("DSCP_TO_TC_MAP/AZURE/26", `"0"`)},
				{"both spines have RDMA at DSCP 24", "spine-", each(put("DSCP_TO_TC_MAP/AZURE/26", `"0"`), put("DSCP_TO_TC_MAP/AZURE/24", `"3"`))},
				{"one port of a spine has no PFC", "spine-1/", put("PORT_QOS_MAP/Ethernet8/pfc_enable", "")},
				{"one port of a spine pauses another priority", "spine-1/", put("PORT_QOS_MAP/Ethernet8/pfc_enable", `"4"`)},
				{"one port of a leaf has no PFC", "leaf-2/", put("PORT_QOS_MAP/Ethernet256/pfc_enable", "")},
				{"a port of a spine has no QoS", "spine-1/", put("PORT_QOS_MAP/Ethernet8", "")},
				{"a spine's pauses of priority 3 stop queue 4", "spine-2/", put("MAP_PFC_PRIORITY_TO_QUEUE/AZURE/3", `"4"`)},
				{"a spine sends RDMA from queue 4", "spine-2/", put("TC_TO_QUEUE_MAP/AZURE/3", `"4"`)},
				{"a port of a spine is gone", "spine-2/", each(put("PORT/Ethernet8", ""), put("PORT_QOS_MAP/Ethernet8", ""))},
			},
			harmless: []netEdit{
				{"all ports have RS-FEC", "spine-", each(put("PORT/Ethernet0/fec", `"rs"`), put("PORT/Ethernet8/fec", `"rs"`))},
				{"a port chooses its FEC", "spine-1/", put("PORT/Ethernet0/fec", `"auto"`)},
				{"a port is described", "spine-1/", put("PORT/Ethernet0/description", `"to leaf-1"`)},
			},
		},
		"eos": {
			harmful: []netEdit{
				{"a spine's port has no FEC", "spine-1/", eosPort("no error-correction encoding")},
				{"a spine's port has the code of 25G", "spine-1/", eosPort("error-correction encoding fire-code")},
				{"a spine's port runs at 200G", "spine-1/", eosPort("speed forced 200gfull")},
				{"a spine's port has no PFC", "spine-1/", eosPort("no priority-flow-control on")},
				{"a spine's port pauses nothing", "spine-1/", eosPort("priority-flow-control priority 3 drop")},
				{"a spine has RDMA in the class of the rest", "spine-1/", swap("qos map dscp 26 to", "qos map dscp 27 to")},
				{"PFC is off on a whole spine", "spine-2/", beforeEnd("priority-flow-control all off\n")},
				{"a spine trusts no code point at a port", "spine-1/", eosPort("no qos trust")},
			},
			harmless: []netEdit{
				{"a spine's port has RS-FEC", "spine-1/", eosPort("error-correction encoding reed-solomon")},
				{"a port is described", "spine-1/", eosPort("description to leaf-1")},
			},
		},
		"nvue": {
			harmful: []netEdit{
				{"a spine sends no pauses", "spine-1/", everywhere("tx: enable", "tx: disable")},
				{"a spine obeys no pauses", "spine-1/", everywhere("rx: enable", "rx: disable")},
				{"a spine's port has no FEC", "spine-1/", nvSet("interface/swp1/link/fec", "off")},
				{"a spine's port has the code of 25G", "spine-1/", nvSet("interface/swp1/link/fec", "baser")},
				{"a spine's port runs at 200G", "spine-1/", nvSet("interface/swp1/link/speed", "200G")},
				{"a spine's port takes small frames", "spine-1/", nvSet("interface/swp1/link/mtu", "1500")},
			},
			harmless: []netEdit{
				{"a spine's port has RS-FEC", "spine-1/", nvSet("interface/swp1/link/fec", "rs")},
				{"a spine's port chooses its FEC", "spine-1/", nvSet("interface/swp1/link/fec", "auto")},
			},
		},
		"junos": {
			harmful: []netEdit{
				{"a spine's pauses of priority 3 stop queue 5", "spine-1/", everywhere("flow-control-queue 3", "flow-control-queue 5")},
				{"a spine's port has no FEC", "spine-1/", atEnd("interfaces {\n    et-0/0/0 {\n        ether-options {\n            fec none;\n        }\n    }\n}\n")},
				{"a spine's port takes small frames", "spine-1/", atEnd("interfaces {\n    et-0/0/0 {\n        mtu 1514;\n    }\n}\n")},
				{"a spine's port runs at 100G", "spine-1/", atEnd("interfaces {\n    et-0/0/0 {\n        speed 100g;\n    }\n}\n")},
			},
			harmless: []netEdit{
				{"a port is described", "spine-1/", atEnd("interfaces {\n    et-0/0/0 {\n        description leaf-1;\n    }\n}\n")},
			},
		},
		"srlinux": {
			harmful: []netEdit{
				{"a spine's port has no FEC", "spine-1/", srlFEC("disabled")},
				{"all ports of a spine have no FEC", "spine-2/", each(srlFEC("disabled"), put("srl_nokia-interfaces:interface/1/transceiver", `{"forward-error-correction": "disabled"}`))},
				{"a spine's port has the code of 100G", "spine-1/", srlFEC("rs-528")},
				{"a spine's port has the code of 25G, as later releases write it", "spine-1/", put("srl_nokia-interfaces:interface/0/transceiver", `{"forward-error-correction": {"fec-option": "base-r"}}`)},
				{"a spine obeys no pauses", "spine-1/", everywhere(`"enable-pfc": true`, `"enable-pfc": false`)},
				{"both spines obey no pauses", "spine-", everywhere(`"enable-pfc": true`, `"enable-pfc": false`)},
				{"a leaf obeys no pauses", "leaf-1/", everywhere(`"enable-pfc": true`, `"enable-pfc": false`)},
				{"a spine does not say that it obeys", "spine-1/", put(srlMapping+"received-pfc-pause-frames/queue/0/enable-pfc", "")},
				{"a spine's pauses stop the queue of the rest", "spine-1/", put(srlMapping+"received-pfc-pause-frames/queue/0/queue-name", `"rest"`)},
				{"a spine's port has no PFC", "spine-1/", put(srlPort+"pfc/pfc-enable", "false")},
				{"a spine's port takes small frames", "spine-1/", put(srlPhysical+"mtu", "1500")},
				{"a spine's port runs at 100G", "spine-1/", put(srlPhysical+"ethernet/port-speed", `"100G"`)},
			},
			harmless: []netEdit{
				{"a spine's port has the code of its speed", "spine-1/", srlFEC("rs-544")},
				{"a port is described", "spine-1/", put(srlPhysical+"description", `"to leaf-1"`)},
			},
		},
	}
}

// Edits by a hostile engineer that one file alone need not show: none passes in silence, and no
// harmless one is reported.
func TestRedTeamOfNetworks(t *testing.T) {
	teams := netTeams()
	for _, k := range networkKinds() {
		n := networkOf(t, k)
		before := n.edited(t, "", nil)
		for _, e := range teams[k.target].harmful {
			if r := n.edited(t, e.devices, e.edit); r.Passes(false) {
				t.Errorf("%s: %s: nothing shows it", k.target, e.what)
			}
		}
		for _, e := range teams[k.target].harmless {
			r := n.edited(t, e.devices, e.edit)
			if fresh := freshOf(before, r); len(fresh) > 0 || r.Verdict() > before.Verdict() {
				t.Errorf("%s: %s: it harms nothing, and %v, %v", k.target, e.what, r.Verdict(), fresh)
			}
		}
		t.Logf("%s: %d harmful edits, %d harmless ones", k.target, len(teams[k.target].harmful), len(teams[k.target].harmless))
	}
}

// freshOf returns the findings of a report that the other does not, without places.
func freshOf(before, now *Report) (texts []string) {
	said := func(r *Report, d diag.Diagnostic) bool {
		return slices.ContainsFunc(r.Findings, func(b diag.Diagnostic) bool { return b.Code == d.Code })
	}
	for _, d := range now.Findings {
		if !said(before, d) {
			texts = append(texts, d.Message)
		}
	}
	return texts
}
