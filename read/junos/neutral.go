package junos

import (
	"strings"

	"github.com/roceplan/roceplan/read"
)

// Rules that are applied by name.
const (
	ruleInactive        = "inactive"
	ruleGroup           = "group"
	ruleProtected       = "protected"
	ruleGroupUnbound    = "traffic-control-profile"
	ruleFilterElsewhere = "filter-elsewhere"
	ruleFilterPasses    = "filter-passes"
	ruleQueueReserve    = "queue-reserve"
)

// A neutralPath is the beginning of statements that no lossless packet can feel.
type neutralPath struct {
	id, path, reason string
}

// hierarchy is the source of what a section is for.
const hierarchy = "Junos CLI reference, statement hierarchy"

// neutralPaths returns the sections that have nothing to do with buffers, classes or the speed
// of ports.
func neutralPaths() []neutralPath {
	return []neutralPath{
		{"system", "system", "services, users, logs and time of the box itself"},
		{"version", "version", "the release that wrote the file"},
		{"management", "interfaces em", "the management port carries no traffic of servers"},
		{"management", "interfaces fxp", "the management port carries no traffic of servers"},
		{"management", "interfaces vme", "the management port carries no traffic of servers"},
		{"management", "interfaces re0", "the management port carries no traffic of servers"},
		{"loopback", "interfaces lo", "a loopback interface has no buffer"},
		{"routed-vlan", "interfaces irb", "a routed interface of a VLAN has no buffer of its own"},
		{"routing", "routing-options", "routes decide the path of packets, not their queues"},
		{"routing", "routing-instances", "routes decide the path of packets, not their queues"},
		{"routing", "policy-options", "routes decide the path of packets, not their queues"},
		{"protocols", "protocols", "protocols of the control plane"},
		{"vlans", "vlans", "a VLAN decides the path of packets, not their queues"},
		{"snmp", "snmp", "monitoring"},
		{"security", "security", "certificates and keys"},
		{"event", "event-options", "scripts of the box itself"},
		{"services", "services", "analytics and monitoring"},
		{"monitor", "chassis fpc", "see chassis"},
		{"chassis", "chassis aggregated-devices", "how many bundles there may be"},
		{"chassis", "chassis redundancy", "takeover between routing engines"},
		{"chassis", "chassis alarm", "alarms"},
		{"chassis", "chassis maximum-ecmp", "how many paths a route may have"},
		{"forwarding", "forwarding-options vxlan-routing", "sizes of tables of addresses"},
		{"forwarding", "forwarding-options storage", "sizes of tables of addresses"},
		{"forwarding", "forwarding-options tunnel-termination", "which tunnels end here"},
		{"forwarding", "forwarding-options evpn-vxlan", "how tunnels share next hops"},
		{"hash", "forwarding-options hash-key", "which fields choose among equal paths"},
		{"hash", "forwarding-options enhanced-hash-key hash-mode", "which fields choose among equal paths"},
		{"hash", "forwarding-options enhanced-hash-key inet", "which fields choose among equal paths"},
		{"hash", "forwarding-options enhanced-hash-key inet6", "which fields choose among equal paths"},
		{"dlb", "forwarding-options enhanced-hash-key ecmp-dlb ether-type", "which packets choose among equal paths by load, the others by hash"},
		{"dlb", "forwarding-options enhanced-hash-key ecmp-dlb flowlet flowset-table-size", "how many flows have a way of their own"},
		{"dlb", "forwarding-options enhanced-hash-key ecmp-dlb flowlet reassignment", "when a flow leaves a loaded path"},
		{"dlb", "forwarding-options enhanced-hash-key ecmp-dlb sampling-rate", "how often the load of paths is measured"},
		{"dlb", "forwarding-options enhanced-hash-key ecmp-dlb egress-quantization", "how the load of paths is weighed"},
		{"forwarding", "forwarding-options dhcp-relay", "relay of requests for addresses"},
		{"access", "access", "who may log in"},
	}
}

// neutral decides on a statement that no other part of the reader has taken.
func (r *reader) neutral(s *statement) {
	if s.words[0].text == "routing-instances" && holds(s, "ip-prefix-routes", "encapsulation", "vxlan") {
		r.routedTunnel(s)
		return
	}
	if why := harmBelow(s); why != "" {
		s.entry.Why = why
		return
	}
	text := joined(s)
	for _, n := range neutralPaths() {
		if n.path == "chassis fpc" && !strings.Contains(text, "buffer-monitor-enable") {
			continue
		}
		if text == n.path || strings.HasPrefix(text, n.path+" ") || strings.HasPrefix(n.path, "interfaces ") && strings.HasPrefix(text, n.path) {
			s.entry.Sort, s.entry.Rule, s.entry.Why = read.Neutral, n.id, ""
			return
		}
	}
	if s.words[0].text == "interfaces" && len(s.words) > 2 && carries(s.words[1].text) {
		s.entry.Sort, s.entry.Rule, s.entry.Why = read.Neutral, "port-"+s.words[2].text, ""
	}
}

// joined returns the statement with single blanks, whole.
func joined(s *statement) string {
	var b strings.Builder
	for i, w := range s.words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// neutralRules lists all rules with their reasons.
func neutralRules() []read.NeutralRule {
	rules := []read.NeutralRule{
		{ID: ruleProtected, Pattern: "protect …", Reason: "a protected statement cannot be edited, and acts as before", Evidence: "Junos CLI user guide, protect"},
		{ID: ruleInactive, Pattern: "inactive: …", Reason: "the device does not obey a deactivated statement", Evidence: "Junos CLI user guide, deactivate"},
		{ID: ruleGroup, Pattern: "groups …, apply-groups, apply-groups-except, interfaces interface-range …", Reason: "inherited statements are judged where they are inherited", Evidence: "Junos CLI user guide, configuration groups"},
		{ID: ruleGroupUnbound, Pattern: "class-of-service traffic-control-profiles T …", Reason: "no interface of the file has the profile", Evidence: hierarchy},
		{ID: ruleFilterElsewhere, Pattern: "firewall …", Reason: "the filter is applied to no port with traffic of servers", Evidence: hierarchy},
		{ID: ruleFilterPasses, Pattern: "firewall … filter F …, interfaces P unit N … filter input|output F", Reason: "all terms of the filter accept or count packets, and the last one takes all", Evidence: "Junos Routing Policies, Firewall Filters, and Traffic Policers User Guide"},
		{ID: ruleQueueReserve, Pattern: "class-of-service schedulers S buffer-size …", Reason: "a queue's share of the dedicated buffer is added to the computed buffer", Evidence: "Juniper TechPost, QFX5K Series Switches Packet Buffer Architecture"},
		{ID: "port-unit", Pattern: "interfaces P unit N …", Reason: "addresses and VLANs of a logical interface, without filter and policer", Evidence: hierarchy},
		{ID: "port-description", Pattern: "interfaces P description …", Reason: "a text", Evidence: hierarchy},
		{ID: "port-disable", Pattern: "interfaces P disable", Reason: "a port that is shut carries nothing", Evidence: hierarchy},
		{ID: "port-hold-time", Pattern: "interfaces P hold-time …", Reason: "when a change of the link is reported", Evidence: hierarchy},
		{ID: "port-traps", Pattern: "interfaces P traps", Reason: "monitoring", Evidence: hierarchy},
		{ID: "port-no-traps", Pattern: "interfaces P no-traps", Reason: "monitoring", Evidence: hierarchy},
		{ID: "port-ether-options", Pattern: "interfaces P ether-options auto-negotiation", Reason: "how a link comes up; the statement speed sets its speed", Evidence: hierarchy},
		{ID: "port-gigether-options", Pattern: "interfaces P gigether-options auto-negotiation", Reason: "how a link comes up; the statement speed sets its speed", Evidence: hierarchy},
	}
	seen := map[string]bool{}
	for _, n := range neutralPaths() {
		if !seen[n.id+n.path] {
			seen[n.id+n.path] = true
			rules = append(rules, read.NeutralRule{ID: n.id, Pattern: n.path + " …", Reason: n.reason, Evidence: hierarchy})
		}
	}
	return rules
}
