package nvue

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/roceplan/roceplan/read"
)

// ledger accounts for every statement of the file.
func (r *reader) ledger() read.Ledger {
	l := read.Ledger{Statements: make([]read.Statement, 0, len(r.said))}
	for _, st := range r.said {
		l.Statements = append(l.Statements, r.account(st))
		st.lead(&l)
	}
	return l
}

// account sorts a statement: as the worst of the nodes at which it is.
func (r *reader) account(st *statement) read.Statement {
	out := read.Statement{At: st.at, Text: clipTo(st.text, 80), Sort: read.Neutral, Rule: st.gone}
	if st.doubt != "" {
		out.Sort, out.Rule, out.Why = read.Unmodelled, "", st.doubt
		return out
	}
	if st.done {
		out.Sort, out.Rule = read.Modelled, ""
		return out
	}
	first := true
	for _, n := range st.live {
		if n.said != st {
			continue
		}
		one := r.sort(n)
		switch {
		case first:
			first = false
			out.Sort, out.Rule, out.Why, out.Touches = one.Sort, one.Rule, one.Why, one.Touches
		case one.Sort == read.Unmodelled && out.Sort == read.Unmodelled:
			out.Touches = union(out.Touches, one.Touches)
		case one.Sort == read.Unmodelled || one.Sort == read.Modelled && out.Sort == read.Neutral:
			out.Sort, out.Rule, out.Why, out.Touches = one.Sort, one.Rule, one.Why, one.Touches
		}
	}
	return out
}

// sort sorts the statement of one node.
func (r *reader) sort(n *node) read.Statement {
	switch {
	case n.doubt != nil:
		return read.Statement{Sort: read.Unmodelled, Why: n.doubt.why, Touches: n.doubt.scope}
	case n.rule != "":
		return read.Statement{Sort: read.Neutral, Rule: n.rule}
	case n.seen && n.differs:
		return read.Statement{Sort: read.Modelled}
	case n.seen:
		return read.Statement{Sort: read.Neutral, Rule: ruleDefault}
	}
	words := n.words()
	if rule := r.neutral(n, words); rule != "" {
		return read.Statement{Sort: read.Neutral, Rule: rule}
	}
	why, scope := r.unmodelled(words)
	return read.Statement{Sort: read.Unmodelled, Why: why, Touches: scope}
}

// neutral finds the rule by which no lossless packet feels a leaf that nothing has read.
func (r *reader) neutral(n *node, words []string) string {
	empty := n.kind == yaml.MappingNode && len(n.kids) == 0 || r.commands && len(n.kids) == 0
	if empty && slices.ContainsFunc(containers, func(p string) bool { return covers(p, words, true) }) {
		return ruleEmpty
	}
	switch {
	case isTunnel(words):
		return ""
	case words[0] == "qos" && len(words) > 2 && r.isUnused(words[1], words[2]):
		return ruleUnused
	case covers("qos advance-buffer-config default-global ingress-lossless-buffer", words, false) && r.sw.Paused() == 0,
		covers("qos advance-buffer-config default-global egress-lossless-buffer", words, false) && r.sw.Paused() == 0:
		return ruleNoPFC
	case words[0] == "acl" && len(words) > 1 && len(r.attached(words[1])) == 0:
		return ruleUnattached
	case words[0] == "acl" && len(words) > 1 && r.passes(words[1]), covers("interface * acl *", words, false) && r.passes(words[3]):
		return rulePasses
	case words[0] == "interface" && len(words) > 1 && r.isNoPort(words):
		return ruleNotAPort
	}
	for _, p := range paths {
		if slices.ContainsFunc(p.covers, func(pattern string) bool { return covers(pattern, words, false) }) {
			return p.ID
		}
	}
	return ""
}

// covers reports whether a path begins as a pattern does, or is as it, where * is a word.
func covers(pattern string, words []string, whole bool) bool {
	want := strings.Fields(pattern)
	if len(words) < len(want) || whole && len(words) > len(want) {
		return false
	}
	for i, w := range want {
		if w != "*" && w != words[i] {
			return false
		}
	}
	return true
}

// isUnused reports whether no port has a profile. A file without ports is a switch whose
// ports all have the global one.
func (r *reader) isUnused(feature, profile string) bool {
	if feature != "link-pause" && !slices.Contains(features, feature) {
		return false
	}
	return len(r.users[feature+" "+profile]) == 0 && (profile != "default-global" || len(r.sw.Ports) > 0 && feature != "link-pause")
}

// isNoPort reports whether a path is of an interface without a buffer. A bond's QoS and
// lists are those of its members.
func (r *reader) isNoPort(words []string) bool {
	name := words[1]
	if portName.MatchString(name) || len(words) < 3 && strings.HasPrefix(name, "swp") {
		return false
	}
	if len(words) < 3 {
		return true
	}
	carries := strings.HasPrefix(name, "swp") || strings.HasPrefix(name, "bond") || r.set.get("interface", name, "bond").there() || strings.HasPrefix(name, "vlan")
	return !carries || words[2] != "qos" && words[2] != "acl" && words[2] != "router" && !covers("interface * link mtu", words, false)
}

// isTunnel reports whether a path makes an interface a tunnel: Cumulus Linux 5.9, GRE Tunneling.
func isTunnel(words []string) bool {
	return covers("interface * tunnel", words, false) || covers("interface * type tunnel", words, true)
}

// passes reports whether all rules of a list permit packets; those that no rule takes pass.
func (r *reader) passes(acl string) bool {
	rules := 0
	passes := true
	r.set.get("acl", acl, "rule").each(func(_ string, rule *node) {
		rules++
		passes = passes && rule.get("action", "permit").there()
		rule.get("action").each(func(action string, _ *node) { passes = passes && action == "permit" })
	})
	return passes && rules > 0
}

// attached returns the interfaces that have a list.
func (r *reader) attached(acl string) (ports []string) {
	r.set.get("interface").each(func(name string, n *node) {
		if n.get("acl", acl).there() {
			ports = append(ports, name)
		}
	})
	return ports
}

// unmodelled says of a leaf that no rule knows what it may touch.
func (r *reader) unmodelled(words []string) (why string, scope read.Scope) {
	queue := func(i int) uint16 { // as a bit, none where the word is no queue
		if n, ok := digits(words[i]); ok && n < 8 {
			return 1 << n
		}
		return 0
	}
	switch {
	case words[0] == "acl" && len(words) > 1:
		return "a list of rules can drop, mark and police packets", r.portsOf(r.attached(words[1])...)
	case covers("interface * acl", words, false):
		return "a list of rules can drop, mark and police packets of the port", r.portsOf(words[1])
	case covers("interface * packet-trim egress-eligibility traffic-class *", words, false) && queue(5) != 0:
		scope = r.portsOf(words[1])
		scope.Queues = queue(5)
		return "packets of the queue are cut instead of waiting", scope
	case covers("system forwarding packet-trim", words, false), covers("system packet-trim", words, false):
		return "packets are cut instead of waiting, and get another DSCP", read.Scope{}
	case covers("system config snippet", words, false):
		return "NVUE puts the text into a file of the switch, such as traffic.conf, without reading it", read.Scope{}
	case covers("system config apply", words, false):
		return "NVUE does not change these files, and their content is not known", read.Scope{}
	case covers("interface * storm-control", words, false):
		return "packets to stations that the switch has not learned may be dropped", r.portsOf(words[1])
	case covers("interface * link mtu", words, false):
		return "larger packets are dropped here", r.portsOf(words[1])
	case isTunnel(words):
		return "packets in a tunnel have a DSCP inside and one outside, but the plan has only one", read.Scope{}
	case covers("nve", words, false):
		return "packets in VXLAN have a DSCP inside and one outside, but the plan has only one", read.Scope{}
	case words[0] == "interface" && len(words) > 1:
		return "its effect on the port is not modelled", r.portsOf(words[1])
	case covers("qos advance-buffer-config default-global", words, false):
		return "it takes buffer from the pools", read.Scope{}
	case covers("qos egress-shaper * port-max-rate", words, false):
		return "the whole port is slower than its link", r.portsOf(r.users["egress-shaper "+words[2]]...)
	case words[0] == "qos" && len(words) > 4 && words[3] == "traffic-class" && queue(4) != 0:
		scope = r.portsOf(r.users[words[1]+" "+words[2]]...)
		scope.Queues = queue(4)
		return "its effect on the queue is not modelled", scope
	case words[0] == "qos" && len(words) > 2 && len(r.users[words[1]+" "+words[2]]) > 0:
		return "its effect on the ports of the profile is not modelled", r.portsOf(r.users[words[1]+" "+words[2]]...)
	}
	return "its effect on the switch is not modelled", read.Scope{}
}

// portsOf returns the scope of interfaces: bonds are their members, and what is neither a bond
// nor a port is the whole switch.
func (r *reader) portsOf(names ...string) (scope read.Scope) {
	for _, name := range names {
		switch members := r.set.get("interface", name, "bond", "member"); {
		case portName.MatchString(name):
			scope.Ports = append(scope.Ports, name)
		case members.there():
			members.each(func(member string, _ *node) { scope.Ports = append(scope.Ports, member) })
		default:
			return read.Scope{}
		}
	}
	return scope
}

// union returns the union of two scopes. Zero fields are without bound.
func union(a, b read.Scope) read.Scope {
	if a.Ports == nil || b.Ports == nil {
		a.Ports = nil
	} else {
		for _, p := range b.Ports {
			if !slices.Contains(a.Ports, p) {
				a.Ports = append(a.Ports[:len(a.Ports):len(a.Ports)], p)
			}
		}
	}
	either := func(a, b uint64) uint64 {
		if a == 0 || b == 0 {
			return 0
		}
		return a | b
	}
	a.Queues = uint16(either(uint64(a.Queues), uint64(b.Queues)))
	a.PGs = uint8(either(uint64(a.PGs), uint64(b.PGs)))
	a.TCs = uint8(either(uint64(a.TCs), uint64(b.TCs)))
	a.DSCPs = either(a.DSCPs, b.DSCPs)
	return a
}

// clipTo bounds a text in bytes.
func clipTo(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most-len("…")], "") + "…"
}
