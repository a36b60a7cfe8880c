package junos

import (
	"strings"

	"github.com/roceplan/roceplan/read"
)

// ways are the statements that lead packets elsewhere than on shortest paths, below the guide of Junos that has them.
// An export policy is none: without one BGP announces nothing of its own.
var ways = read.NewWayKinds([]read.WayKind{
	// Management interface in a routing instance of its own: Junos OS and Junos OS Evolved, Management Ethernet Interfaces
	{Path: "routing-instances mgmt_junos"},
	{Path: "protocols|routing-instances … description"},
	// Protocol-Independent Routing Properties User Guide
	{Path: "routing-options static", Why: read.WayStatic},
	{Path: "routing-options rib * static", Why: read.WayStatic},
	{Path: "routing-instances * routing-options static", Why: read.WayStatic},
	{Path: "routing-options|routing-instances … autonomous-system * loops", Why: read.WayOwnAS},
	{Path: "routing-options|routing-instances … rib-groups|rib-group|auto-export|instance-import", Why: read.WayLeaked},
	// BGP User Guide, OSPF User Guide, IS-IS User Guide
	{Path: "protocols|routing-instances … bgp … loops|as-override|advertise-peer-as", Why: read.WayOwnAS},
	{Path: "protocols bgp group & neighbor @ !also", Why: read.PeerIn},
	{Path: "protocols bgp disable !value " + read.BGP, Why: read.WayOff},
	{Path: "protocols bgp group * neighbor @ shutdown", Why: read.WayShut},
	{Path: "protocols bgp group @ shutdown", Why: read.WayShut},
	{Path: "protocols|routing-instances … bgp … shutdown", Why: read.WayShut},
	{Path: "protocols|routing-instances … bgp … prefix-limit|accepted-prefix-limit maximum 1..999", Why: read.WayLimited},
	{Path: "protocols|routing-instances … bgp … graceful-shutdown sender", Why: read.WayAvoided},
	{Path: "protocols|routing-instances … bgp … import", Why: read.WayPolicy},
	{Path: "protocols|routing-instances … bgp … local-preference|preference|metric-out", Why: read.WayPreferred},
	{Path: "protocols|routing-instances … ospf|ospf3|isis … metric", Why: read.WayPreferred},
	{Path: "protocols|routing-instances … ospf|ospf3|isis overload timeout"},
	{Path: "protocols|routing-instances … ospf|ospf3|isis overload", Why: read.WayAvoided},
	{Path: "routing-options autonomous-system &", Why: read.OwnAS},
	{Path: "routing-options router-id &", Why: read.RouterID},
	{Path: "interfaces lo0 unit 0 family inet address &", Why: read.Loopback},
	{Path: "protocols bgp group * neighbor @ local-as &", Why: read.LocalAS},
	{Path: "protocols bgp group @ local-as &", Why: read.LocalAS},
	{Path: "protocols bgp local-as &", Why: read.OwnAS},
	{Path: "protocols bgp group * neighbor @ authentication-key|authentication-key-chain", Why: read.Secured},
	{Path: "protocols bgp group @ authentication-key|authentication-key-chain", Why: read.Secured},
	{Path: "protocols bgp group * neighbor @ local-address &", Why: read.Source},
	{Path: "protocols bgp group @ local-address &", Why: read.Source},
	{Path: "protocols bgp group @ allow &", Why: read.Listens},
	{Path: "protocols bgp group * neighbor @ peer-as &", Why: read.PeerAS},
	{Path: "protocols bgp group @ peer-as &", Why: read.PeerAS},
	{Path: "protocols bgp group @ type internal !value internal", Why: read.PeerAS},
	{Path: "protocols bgp … multipath multiple-as !also", Why: read.ManyAS},
	{Path: "protocols bgp … multipath", Why: read.MostWays},
	{Path: "protocols bgp group * neighbor @ passive", Why: read.Waits},
	{Path: "protocols bgp group @ passive", Why: read.Waits},
	{Path: "protocols bgp group * neighbor @ bfd-liveness-detection", Why: read.Watches},
	{Path: "protocols bgp group @ bfd-liveness-detection", Why: read.Watches},
	{Path: "interfaces % unit * family inet address * arp", Why: read.WayKnown},
	// Configuring Per-Flow Load Balancing, of Junos OS and Junos OS Evolved: without it one next hop is installed
	{Path: "policy-options policy-statement & … then load-balance", Why: read.Balances},
	{Path: "routing-options forwarding-table export &", Why: read.Installs},
	// enhanced-hash-key: inet, inet6
	{Path: "forwarding-options enhanced-hash-key inet|inet6 no-l4-source-port", Why: read.Portless},
	// Routing Policies User Guide
	{Path: "policy-options policy-statement … then local-preference|metric|as-path-prepend|next-hop|preference", Why: read.WayPreferred},
	// Interfaces User Guide for Switches, Gigabit Ethernet options
	{Path: "interfaces % ether-options|gigether-options auto-negotiation", Why: read.Negotiated},
	{Path: "interfaces % ether-options|gigether-options no-auto-negotiation", Why: read.Forced},
	{Path: "interfaces % ether-options|gigether-options 802.3ad @", Why: read.Bundled},
	{Path: "interfaces % disable", Why: read.WayDown},
	{Path: "interfaces % unit * disable", Why: read.WayDown},
	{Path: "interfaces % unit * family inet|inet6 address &", Why: read.Addressed},
	{Path: "interfaces % unit * vlan-id &", Why: read.Tagged},
	{Path: "routing-instances & interface %.", Why: read.WayInstance},
	// Ethernet Switching User Guide, Spanning-Tree Protocols User Guide
	{Path: "interfaces % unit * family ethernet-switching", Why: read.WayBridged},
	{Path: "protocols rstp|mstp|vstp … disable !bridged", Why: read.WayNoTree},
	{Path: "protocols l2-learning global-mac-table-aging-time 1..299 !bridged", Why: read.WayForgotten},
})

// lead notes a statement that leads packets elsewhere, if the device obeys it. ended are the limits of routes with which
// a session ends; the others are only logged (BGP User Guide, prefix-limit).
func (s *statement) lead(l *read.Ledger, ended map[string]bool) {
	if len(s.words) == 0 || ways[s.words[0].text] == nil || s.unused() {
		return
	}
	words := make([]string, len(s.words))
	for i, w := range s.words {
		words[i] = w.text
		if limit, ok := s.limit(i); ok && w.text == "maximum" && !ended[limit] {
			return
		}
	}
	l.Lead(ways, words, s.entry.At)
}

// unused reports whether the device does not obey a statement where it is.
func (s *statement) unused() bool { return s.entry.Rule == ruleInactive || s.entry.Rule == ruleGroup }

// limit returns the words of a limit of routes, if they are before word i.
func (s *statement) limit(i int) (limit string, ok bool) {
	if i == 0 || !strings.HasSuffix(s.words[i-1].text, "prefix-limit") {
		return "", false
	}
	for _, w := range s.words[:i] {
		limit += w.text + " "
	}
	return limit, true
}

// endings returns the limits of routes with which a session ends, or with which further routes are dropped.
func (r *reader) endings() map[string]bool {
	ended := map[string]bool{}
	for _, s := range r.statements {
		for i, w := range s.words {
			if limit, ok := s.limit(i); ok && !s.unused() && w.text != "maximum" {
				ended[limit] = true
			}
		}
	}
	return ended
}
