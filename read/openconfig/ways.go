package openconfig

import "github.com/roceplan/roceplan/read"

// ways are the leaves that lead packets elsewhere than on shortest paths: openconfig-network-instance,
// -bgp-policy, -vlan. The second word is the name of the instance or of the interface.
var ways = read.NewWayKinds([]read.WayKind{
	{Path: "network-instances mgmt|MGMT|management network-instance"},
	{Path: "network-instances * network-instance protocols protocol static-routes static config prefix", Why: read.WayStatic},
	{Path: "network-instances * network-instance … allow-own-as 1..255", Why: read.WayOwnAS},
	{Path: "network-instances * network-instance … replace-peer-as true", Why: read.WayOwnAS},
	{Path: "network-instances * network-instance … apply-policy config import-policy", Why: read.WayPolicy},
	{Path: "network-instances * network-instance … inter-instance-policies", Why: read.WayLeaked},
	{Path: "network-instances * network-instance fdb config mac-aging-time 1..299", Why: read.WayForgotten, Bridged: true},
	{Path: "routing-policy * … set-local-pref|set-med|set-next-hop", Why: read.WayPreferred},
	{Path: "routing-policy * … set-as-path-prepend", Why: read.WayPreferred},
	{Path: "interfaces % interface ethernet|aggregation switched-vlan", Why: read.WayBridged},
})
