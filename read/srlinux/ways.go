package srlinux

import "github.com/roceplan/roceplan/read"

// ways are the leaves that lead packets elsewhere than on shortest paths: srl_nokia-network-instance,
// -static-routes, -bgp, -routing-policy, -bridge-table. The second word is the name of the instance or of the
// interface. A policy by itself is none: SR Linux takes no route of eBGP without one.
var ways = read.NewWayKinds([]read.WayKind{
	{Path: "network-instance mgmt"},
	{Path: "network-instance * admin-state disable", Why: read.WayOff},
	{Path: "network-instance * static-routes route", Why: read.WayStatic},
	{Path: "network-instance * … allow-own-as 1..255", Why: read.WayOwnAS},
	{Path: "network-instance * … replace-peer-as true", Why: read.WayOwnAS},
	{Path: "network-instance * inter-instance-policies", Why: read.WayLeaked},
	{Path: "network-instance * ip-forwarding receive-ipv4-check|receive-ipv6-check false", Why: read.WayOff},
	{Path: "network-instance * bridge-table mac-learning aging age-time 1..299", Why: read.WayForgotten, Bridged: true},
	{Path: "network-instance * protocols ospf|isis … metric", Why: read.WayPreferred},
	{Path: "routing-policy * … local-preference|med", Why: read.WayPreferred},
	{Path: "routing-policy * … as-path prepend", Why: read.WayPreferred},
	{Path: "interface % subinterface type bridged", Why: read.WayBridged},
})
