package srlinux

import (
	"slices"
	"strings"

	row "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// IDs of the neutral rules that reading itself finds to hold.
const (
	ruleDropLow = "drop-low"
	ruleUnused  = "unused-profile"
	ruleEmpty   = "empty"
	ruleMany    = "multicast"
	ruleDefault = "default"
	ruleKey     = "key"
	ruleLarger  = "larger-half"
	ruleNoQoS   = "no-qos"
)

const models = "nokia/srlinux-yang-models v25.3.1 srl_nokia-qos 2025-03-31"

// neutralRules are all rules, for people.
func neutralRules() []read.NeutralRule {
	many := row.Of(row.ClassMulticast)
	return append([]read.NeutralRule{
		{ID: ruleDropLow, Pattern: "drop-probability: low", Reason: "it is the least of three, and that of all packets of a lossless class", Evidence: models + ", drop-probability"},
		{ID: ruleUnused, Pattern: "a profile, policy or classifier", Reason: "no interface refers to it", Evidence: models + ", qos/interfaces: what an interface refers to is applied"},
		{ID: ruleMany, Pattern: "forwarding-class output multicast-queue", Reason: many.Neutral, Evidence: many.Source},
		{ID: ruleDefault, Pattern: "input-type: queue, use-dynamic-allocation: false, pfc-buffer-reservation: 1", Reason: "it sets the default", Evidence: models + ", the default of the leaf"},
		{ID: ruleKey, Pattern: "interface-id and interface-ref, scheduler input id, slot, subinterface, queue and unicast-queue", Reason: "it repeats another leaf, or names an entry", Evidence: models + ", list keys and interface-ref"},
		{ID: ruleLarger, Pattern: "pfc-buffer-reservation", Reason: "the other half of the chip reserves less, and the smaller share counts for all ports", Evidence: models + ", forwarding-complex"},
		{ID: ruleNoQoS, Pattern: "interface mtu, port-speed, breakout-port-speed", Reason: "the interface has no QoS in this document, so its packets are in none of its classes", Evidence: models + ", qos/interfaces"},
		{ID: ruleEmpty, Pattern: "{} and []", Reason: "an empty container without presence sets nothing", Evidence: "RFC 7950 7.5.1"},
	}, paths.Rules()...)
}

// paths are the rules by which a leaf is neutral at its place, whatever its value.
var paths = read.PathRules{
	{NeutralRule: read.NeutralRule{ID: "other-models", Pattern: "network-instance, platform, routing-policy, system, tunnel, …", Reason: "management, routes and neighbours: they decide the path of packets, not how packets wait", Evidence: "nokia/srlinux-yang-models v25.3.1, the models of these names"},
		Covers: []string{"network-instance", "platform", "routing-policy", "system", "tunnel", "tunnel-interface", "bfd", "oam"}},
	{NeutralRule: read.NeutralRule{ID: "label", Pattern: "interface description, admin-state, num-breakout-ports of a port that has no queues of its own", Reason: "names or enables the port; a disabled port sends nothing", Evidence: "nokia/srlinux-yang-models v25.3.1 srl_nokia-interfaces"},
		Covers: []string{"interface description", "interface admin-state", "interface subinterface", "interface lag", "interface vlan-tagging", "interface transceiver", "interface ethernet lacp-port-priority"}},
	{NeutralRule: read.NeutralRule{ID: "hold-time", Pattern: "interface ethernet hold-time", Reason: "a link that comes up or goes down is used so much later; no packet waits otherwise", Evidence: "nokia/srlinux-yang-models v25.3.1 srl_nokia-interfaces, ethernet/hold-time"},
		Covers: []string{"interface ethernet hold-time"}},
	{NeutralRule: read.NeutralRule{ID: "filters", Pattern: "acl acl-filter, cpm-filter, …", Reason: "a filter acts where an interface or the system filter refers to it, which is judged there; those of the CPU, which every node has, take no packets of data", Evidence: "nokia/srlinux-yang-models v25.3.1 srl_nokia-acl, list acl-filter and list interface"},
		Covers: []string{"acl acl-filter", "acl ipv4-filter", "acl ipv6-filter", "acl mac-filter", "acl cpm-filter", "acl policers"}},
}

// profiles returns the lists whose entries have no effect without a reference: by their paths, the names
// that findings give the entries.
func profiles() map[string]string {
	all := map[string]string{}
	for i := range row.Rows {
		if of := &row.Rows[i]; of.Idle {
			all[of.Plain()] = of.Entry
		}
	}
	return all
}

func (r *reader) sort(n *posjson.Node, words []string, entry string) read.Statement {
	neutral := func(rule string) read.Statement { return read.Statement{Sort: read.Neutral, Rule: rule} }
	for length := min(2, len(words)); length <= min(3, len(words)); length++ {
		if what, ok := r.profiles[strings.Join(words[:length], " ")]; ok && entry != "" && !r.used[what+" "+entry] {
			return neutral(ruleUnused)
		}
	}
	switch last := words[max(0, len(words)-1):]; {
	case n.Used:
		return read.Statement{Sort: read.Modelled}
	case slices.Equal(last, []string{row.Of(row.ClassMulticast).Name()}):
		return neutral(ruleMany)
	case slices.Equal(last, []string{"input-type"}) && n.Text == "queue":
		return neutral(ruleDefault)
	case !n.Scalar():
		return neutral(ruleEmpty)
	}
	why := "its effect on the device is not modelled"
	if rule, ok := paths.Of(words); ok {
		if why = harmBelow(n, words); why == "" {
			return neutral(rule)
		}
	}
	scope := read.Scope{}
	if len(words) > 1 && (words[0] == "interface" || words[0] == "qos" && words[1] == "interfaces") && entry != "" {
		name, _, _ := strings.Cut(entry, ".")
		scope.Ports = []string{name}
	}
	return read.Statement{Sort: read.Unmodelled, Why: why, Touches: scope}
}
