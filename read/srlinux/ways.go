package srlinux

import (
	"cmp"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// ways are the leaves that lead packets elsewhere than on shortest paths, below the model of SR Linux that has them.
// The second word is the name of the instance, of the interface or of the policy. What policies do is found with the
// neighbours.
var ways = read.NewWayKinds([]read.WayKind{
	// srl_nokia-network-instance, srl_nokia-ip-forwarding
	{Path: "network-instance mgmt"},
	{Path: "network-instance default admin-state disable !value " + read.Forwarding, Why: read.WayOff},
	{Path: "network-instance * admin-state disable", Why: read.WayOff},
	{Path: "network-instance * inter-instance-policies", Why: read.WayLeaked},
	// srl_nokia-static-routes
	{Path: "network-instance * static-routes route", Why: read.WayStatic},
	// srl_nokia-bgp, srl_nokia-ospf, srl_nokia-isis
	{Path: "network-instance * … allow-own-as 1..255", Why: read.WayOwnAS},
	{Path: "network-instance * … replace-peer-as true", Why: read.WayOwnAS},
	{Path: "network-instance default protocols bgp admin-state disable !value " + read.BGP, Why: read.WayOff},
	{Path: "network-instance * protocols bgp neighbor|group admin-state disable @", Why: read.WayShut},
	{Path: "network-instance * protocols bgp … admin-state disable", Why: read.WayShut},
	{Path: "network-instance * protocols bgp … prefix-limit max-received-routes 1..999", Why: read.WayLimited},
	{Path: "network-instance * protocols bgp autonomous-system &", Why: read.OwnAS},
	{Path: "network-instance * protocols bgp neighbor peer-as & @", Why: read.PeerAS},
	{Path: "network-instance * protocols bgp group peer-as & @", Why: read.PeerAS},
	{Path: "network-instance * protocols bgp neighbor peer-group & @", Why: read.PeerIn},
	{Path: "network-instance * protocols bgp … local-as as-number & @", Why: read.LocalAS},
	{Path: "network-instance * protocols bgp … authentication keychain|password * @", Why: read.Secured},
	{Path: "network-instance * protocols bgp … transport local-address & @", Why: read.Source},
	{Path: "network-instance * protocols bgp … transport passive-mode true @", Why: read.Waits},
	{Path: "network-instance * protocols bgp … failure-detection enable-bfd & @", Why: read.Watches},
	{Path: "network-instance default protocols bgp … multipath allow-multiple-as false", Why: read.OneAS},
	{Path: "network-instance * aggregate-routes route summary-only true", Why: read.WaySummed},
	{Path: "interface % subinterface ipv4 arp neighbor", Why: read.WayKnown},
	{Path: "network-instance default protocols bgp … max-paths-level-1 &", Why: read.MostWays},
	{Path: "network-instance default protocols bgp … maximum-paths &", Why: read.MostWays},
	{Path: "network-instance default protocols bgp router-id &", Why: read.RouterID},
	{Path: "network-instance * protocols ospf|isis … metric", Why: read.WayPreferred},
	{Path: "network-instance * protocols isis … overload immediate set-bit true", Why: read.WayAvoided},
	{Path: "network-instance * protocols ospf … overload active true", Why: read.WayAvoided},
	// srl_nokia-routing-policy
	{Path: "routing-policy * … local-preference|med", Why: read.WayPreferred},
	{Path: "routing-policy * … as-path prepend", Why: read.WayPreferred},
	// srl_nokia-load-balancing
	{Path: "system * load-balancing hash-options source-port false", Why: read.Portless},
	// srl_nokia-interfaces, srl_nokia-bridge-table
	{Path: "interface % ethernet auto-negotiate true", Why: read.Negotiated},
	{Path: "interface % ethernet auto-negotiate false", Why: read.Forced},
	{Path: "interface % admin-state disable", Why: read.WayDown},
	{Path: "interface % subinterface admin-state disable", Why: read.WayDown},
	{Path: "interface % subinterface ipv4 admin-state disable", Why: read.WayDown},
	{Path: "interface % transceiver tx-laser false", Why: read.WayDark},
	{Path: "interface % ethernet aggregate-id @", Why: read.Bundled},
	{Path: "interface % lag min-links &", Why: read.WayFew},
	{Path: "interface system0 subinterface ipv4 address ip-prefix &", Why: read.Loopback},
	{Path: "interface % subinterface ipv4|ipv6 address ip-prefix &", Why: read.Addressed},
	{Path: "interface % subinterface vlan encap single-tagged vlan-id &", Why: read.Tagged},
	{Path: "network-instance & interface name %.", Why: read.WayInstance},
	{Path: "interface % subinterface type bridged|srl_nokia-interfaces:bridged", Why: read.WayBridged},
	{Path: "network-instance * bridge-table mac-learning aging age-time 1..299 !bridged", Why: read.WayForgotten},
})

// neighbours notes whom BGP accepts, and neighbours of other systems that get or give no routes: those with neither a policy
// nor the word false at reject-all, which is true by default, and those whose policies accept nothing (Nokia, Routing
// Protocols Guide, "Applying a default policy to eBGP sessions"; srl_nokia-bgp, ebgp-default-policy).
func (r *reader) neighbours(l *read.Ledger, root *posjson.Node) {
	instances := root.Get("network-instance")
	for i := range instances.Len() {
		in := &instances.Items[i]
		bgp, name := in.Get("protocols", "bgp"), in.Get("name").Word()
		dynamic := bgp.Get("dynamic-neighbors")
		if name != "mgmt" {
			name = "network-instance " + name + " protocols bgp "
			r.neighbour(l, root, bgp, bgp.Get("neighbor"), "peer-address", name)
			r.neighbour(l, root, bgp, dynamic.Get("interface"), "interface-name", name)
			r.neighbour(l, root, bgp, dynamic.Get("accept", "match"), "prefix", name)
		}
	}
}

// neighbour notes what a list says of neighbours.
func (r *reader) neighbour(l *read.Ledger, root, bgp, list *posjson.Node, by, text string) {
	for i := range list.Len() {
		n := &list.Items[i]
		key := n.Get(by).Word()
		port, _, _ := strings.Cut(key, ".")
		if by == "interface-name" {
			key = port
		}
		group := named(bgp.Get("group"), "group-name", n.Get("peer-group").Word())
		us := cmp.Or(n.Get("local-as", "as-number"), group.Get("local-as", "as-number"), bgp.Get("autonomous-system")).Word()
		peer := cmp.Or(n.Get("peer-as"), group.Get("peer-as")).Word()
		if allowed := n.Get("allowed-peer-as"); allowed.Len() == 1 {
			peer = allowed.Items[0].Text
		} else if allowed.Len() > 1 {
			peer = "any"
		}
		way := read.Way{At: r.At(n), Text: text + key, Why: read.PeerAS, Bundle: key, Value: cmp.Or(peer, "any")}
		if by != "peer-address" {
			l.Ends = append(l.Ends, way)
		}
		if by == "prefix" {
			way.Why, way.Value = read.Listens, key
			l.Ends = append(l.Ends, way)
			way.Bundle = ""
		}
		if us == "" || peer == "" || peer == us {
			continue
		}
		if without := closed(n, group, bgp, root); without != "" {
			way.Why, way.Text = read.WayRejected, way.Text+without
			if by == "interface-name" {
				way.Port = port
			}
			l.Ways = append(l.Ways, way)
		}
	}
}

// closed returns the words for a missing policy of a neighbour of another system, or for one that accepts nothing: " without
// export-policy", " import-policy". It returns none where the neighbour gets and gives routes.
func closed(n, group, bgp, root *posjson.Node) string {
	for _, key := range []string{"export-policy", "import-policy"} {
		open := bgp.Get("ebgp-default-policy", key[:len("export")]+"-reject-all").Word() == "false"
		names := cmp.Or(n.Get(key), group.Get(key), bgp.Get(key))
		switch {
		case names != nil:
			if names.Len() == 1 {
				names = &names.Items[0]
			}
			p := named(root.Get("routing-policy", "policy"), "name", names.Text) // of several any may accept
			if p != nil && !says(p, "accept") && (!open || says(p.Get("default-action"), "reject")) {
				return " " + key
			}
		case !open && !says(n, key) && !says(group, key) && !says(bgp.Get("afi-safi"), key):
			return " without " + key
		}
	}
	return ""
}

// says reports whether a word is below a node.
func says(n *posjson.Node, word string) bool {
	if n == nil {
		return false
	}
	for i := range n.Members {
		if m := &n.Members[i]; m.Key == word || says(&m.Value, word) {
			return true
		}
	}
	for i := range n.Items {
		if says(&n.Items[i], word) {
			return true
		}
	}
	return n.Text == word
}

// named returns the entry of a list that has a name at a key.
func named(list *posjson.Node, key, name string) *posjson.Node {
	for i := range list.Len() {
		if list.Items[i].Get(key).Word() == name {
			return &list.Items[i]
		}
	}
	return nil
}
