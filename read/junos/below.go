package junos

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/read"
)

const byFilter = "a firewall filter, which may classify, police or drop"

// harmBelow says of a statement below a neutral path what it does to packets of data all the
// same.
func harmBelow(s *statement) string {
	has := func(words ...string) bool { return holds(s, words...) }
	switch s.words[0].text {
	case "vlans", "routing-instances":
		switch {
		case has("filter"):
			return byFilter
		case has("vxlan", "vni"), has("encapsulation", "vxlan"):
			return read.InVXLAN
		}
	case "security":
		if has("macsec", "interfaces") {
			return "MACsec makes frames longer"
		}
	case "protocols":
		if has("dcbx", "interface") && len(s.words) == 4 {
			return "DCBX negotiates PFC with the peer, and disables it where they differ"
		}
	case "event-options":
		if has("change-configuration") || has("event-script") {
			return "it changes the configuration by itself"
		}
	case "system":
		if has("scripts", "commit") {
			return "a script that changes the configuration when it is committed"
		}
		if has("packet-forwarding-options") && !has("forwarding-profile") { // which divides tables of addresses
			return "an option of how the chip forwards packets"
		}
	}
	return ""
}

// routedTunnel reads that packets of an instance travel in VXLAN between switches. They have a
// DSCP inside and one outside, and lossless traffic is safe where the two are one.
func (r *reader) routedTunnel(s *statement) {
	s.entry.Sort, s.entry.Why = read.Modelled, ""
	if len(r.assumed) == 0 {
		r.assumed = append(r.assumed, read.Assumption{
			Where:   fmt.Sprintf("line %d, VXLAN", s.at.Start.Line),
			Assumes: "assumed: the outer DSCP of a tunnel equals the inner one, and frames may grow by 50 B, as Juniper's guide Traffic Management, CoS Support on EVPN VXLANs, says of QFX (another page says the opposite of ACX with Junos Evolved)",
			Declare: "a rewrite rule for the DSCP of lossless classes, or a capture between leaf and spine",
		})
	}
}

// harmOfUnit returns the same for statements below a unit of an interface.
func harmOfUnit(s *statement) string {
	has := func(words ...string) bool { return holds(s, words...) }
	switch {
	case has("filter"), has("simple-filter"):
		return byFilter
	case has("policer"):
		return "a policer, which drops"
	case has("family", "mpls"):
		return read.Labelled
	case has("rpf-check"):
		return read.NoRouteBack
	case has("storm-control"):
		return "storm control may drop unicast packets whose address is not learned yet"
	}
	return ""
}

// dropsLarger reports whether the statement is an MTU that the largest packets of RoCE do
// not fit. That of a family is of IP; that of an interface counts the Ethernet header.
func dropsLarger(s *statement) bool {
	at := slices.IndexFunc(s.words, func(w word) bool { return w.text == "mtu" })
	if at < 0 || at+1 >= len(s.words) {
		return false
	}
	around := read.FrameHeader
	if holds(s, "family") {
		around = 0
	}
	return read.DropsRoCE(s.words[at+1].text, around)
}

// holds reports whether a statement has words one after another.
func holds(s *statement, words ...string) bool {
	for i := range len(s.words) - len(words) + 1 {
		if slices.EqualFunc(s.words[i:i+len(words)], words, func(w word, text string) bool { return w.text == text }) {
			return true
		}
	}
	return false
}

// virtual reports whether an interface has no buffer of its own and yet carries packets of
// data: that of a routed VLAN.
func virtual(name string) bool { return strings.HasPrefix(name, "irb") }
