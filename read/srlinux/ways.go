package srlinux

import "github.com/roceplan/roceplan/read"

// ways are the leaves that lead packets elsewhere than on shortest paths, below the model of SR Linux that has them.
// The second word is the name of the instance, of the interface or of the policy. A policy by itself is none: SR
// Linux takes no route of eBGP without one.
var ways = read.NewWayKinds([]read.WayKind{
	// srl_nokia-network-instance, srl_nokia-ip-forwarding
	{Path: "network-instance mgmt"},
	{Path: "network-instance default admin-state disable", Why: read.WayOff, Value: read.Forwarding},
	{Path: "network-instance * admin-state disable", Why: read.WayOff},
	{Path: "network-instance * inter-instance-policies", Why: read.WayLeaked},
	{Path: "network-instance * ip-forwarding receive-ipv4-check|receive-ipv6-check false", Why: read.WayOff},
	// srl_nokia-static-routes
	{Path: "network-instance * static-routes route", Why: read.WayStatic},
	// srl_nokia-bgp, srl_nokia-ospf, srl_nokia-isis
	{Path: "network-instance * … allow-own-as 1..255", Why: read.WayOwnAS},
	{Path: "network-instance * … replace-peer-as true", Why: read.WayOwnAS},
	{Path: "network-instance default protocols bgp admin-state disable", Why: read.WayOff, Value: read.BGP},
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
	{Path: "network-instance * protocols bgp dynamic-neighbors accept match prefix &", Why: read.Listens},
	{Path: "network-instance default protocols bgp … max-paths-level-1 &", Why: read.MostWays},
	{Path: "network-instance default protocols bgp … maximum-paths &", Why: read.MostWays},
	{Path: "network-instance default protocols bgp router-id &", Why: read.RouterID},
	{Path: "network-instance * protocols ospf|isis … metric", Why: read.WayPreferred},
	{Path: "network-instance * protocols isis … overload immediate set-bit true", Why: read.WayAvoided},
	{Path: "network-instance * protocols ospf … overload active true", Why: read.WayAvoided},
	// srl_nokia-routing-policy
	{Path: "routing-policy * … local-preference|med", Why: read.WayPreferred},
	{Path: "routing-policy * … as-path prepend", Why: read.WayPreferred},
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
	{Path: "network-instance * bridge-table mac-learning aging age-time 1..299", Why: read.WayForgotten, Bridged: true},
})
