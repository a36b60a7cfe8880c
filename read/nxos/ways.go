package nxos

import "github.com/roceplan/roceplan/read"

// ways are the lines that lead packets elsewhere than on shortest paths (NX-OS unicast routing and layer 2
// switching configuration guides).
var ways = read.NewWayKinds([]read.WayKind{
	{Path: "ip|ipv6 route", Why: read.WayStatic},
	{Path: "vrf context management"},
	{Path: "vrf context * ip|ipv6 route", Why: read.WayStatic},
	{Path: "router bgp … no|description"},
	{Path: "router bgp … allowas-in|as-override", Why: read.WayOwnAS},
	{Path: "router bgp … neighbor … route-map|prefix-list|filter-list", Why: read.WayPolicy},
	{Path: "router bgp … bestpath as-path ignore", Why: read.WayPreferred},
	{Path: "route-map … set local-preference|as-path|metric|weight|ip|ipv6", Why: read.WayPreferred},
	{Path: "interface * ip ospf cost", Why: read.WayPreferred},
	{Path: "interface * isis metric", Why: read.WayPreferred},
	{Path: "interface % switchport", Why: read.WayBridged},
	{Path: "no spanning-tree", Why: read.WayNoTree, Bridged: true},
	{Path: "mac address-table aging-time 1..299", Why: read.WayForgotten, Bridged: true},
})
