package openconfig

import "github.com/roceplan/roceplan/read"

// ways are the leaves that lead packets elsewhere than on shortest paths, below the model of OpenConfig that has
// them. The second word is the name of the instance, of the interface or of the policy.
var ways = read.NewWayKinds([]read.WayKind{
	// openconfig-local-routing; instances are called so by convention
	{Path: "network-instances mgmt|MGMT|management network-instance"},
	{Path: "network-instances * network-instance protocols protocol static-routes static config prefix", Why: read.WayStatic},
	// openconfig-bgp-common, openconfig-routing-policy
	{Path: "network-instances * network-instance … allow-own-as 1..255", Why: read.WayOwnAS},
	{Path: "network-instances * network-instance … replace-peer-as true", Why: read.WayOwnAS},
	{Path: "network-instances * network-instance … apply-policy config import-policy", Why: read.WayPolicy},
	{Path: "network-instances * network-instance … neighbor config enabled false @", Why: read.WayShut},
	{Path: "network-instances * network-instance protocols protocol bgp … transport config passive-mode true @", Why: read.Waits},
	{Path: "network-instances * network-instance protocols protocol bgp … enable-bfd config enabled & @", Why: read.Watches},
	{Path: "network-instances * network-instance protocols protocol bgp global use-multiple-paths config enabled false !value 1", Why: read.MostWays},
	{Path: "network-instances * network-instance protocols protocol bgp global … ebgp config allow-multiple-as false", Why: read.OneAS},
	{Path: "network-instances * network-instance … apply-policy config default-import-policy|default-export-policy REJECT_ROUTE", Why: read.WayRejected},
	{Path: "network-instances * network-instance … prefix-limit config max-prefixes 1..999", Why: read.WayLimited},
	{Path: "network-instances * network-instance protocols protocol bgp global config as &", Why: read.OwnAS},
	{Path: "network-instances * network-instance protocols protocol bgp global config router-id &", Why: read.RouterID},
	{Path: "network-instances * network-instance protocols protocol bgp neighbors neighbor config peer-as & @", Why: read.PeerAS},
	{Path: "network-instances * network-instance protocols protocol bgp neighbors neighbor config peer-group & @", Why: read.PeerIn},
	{Path: "network-instances * network-instance protocols protocol bgp peer-groups peer-group config peer-as & @", Why: read.PeerAS},
	{Path: "network-instances * network-instance protocols protocol bgp … config local-as & @", Why: read.LocalAS},
	{Path: "network-instances * network-instance protocols protocol bgp … config auth-password * @", Why: read.Secured},
	{Path: "network-instances * network-instance protocols protocol bgp … transport config local-address & @", Why: read.Source},
	{Path: "network-instances * network-instance protocols protocol bgp … dynamic-neighbor-prefix config prefix &", Why: read.Listens},
	{Path: "network-instances * network-instance protocols protocol bgp global … ebgp config maximum-paths &", Why: read.MostWays},
	// openconfig-isis
	{Path: "network-instances * network-instance … overload-bit config set-bit true", Why: read.WayAvoided},
	// openconfig-network-instance, openconfig-network-instance-l2
	{Path: "network-instances * network-instance … inter-instance-policies", Why: read.WayLeaked},
	{Path: "network-instances * network-instance fdb config mac-aging-time 1..299 !bridged", Why: read.WayForgotten},
	// openconfig-bgp-policy
	{Path: "routing-policy * … set-local-pref|set-med|set-next-hop", Why: read.WayPreferred},
	{Path: "routing-policy * … set-as-path-prepend", Why: read.WayPreferred},
	// openconfig-if-ethernet
	{Path: "interfaces % interface ethernet config auto-negotiate true", Why: read.Negotiated},
	{Path: "interfaces % interface ethernet config auto-negotiate false", Why: read.Forced},
	{Path: "interfaces % interface ethernet config aggregate-id @", Why: read.Bundled},
	// openconfig-interfaces, openconfig-network-instance
	{Path: "interfaces % interface config enabled false", Why: read.WayDown},
	{Path: "interfaces % interface subinterfaces subinterface config enabled false", Why: read.WayDown},
	{Path: "interfaces % interface subinterfaces subinterface ipv4 config enabled false", Why: read.WayDown},
	{Path: "network-instances & network-instance interfaces interface config interface %", Why: read.WayInstance},
	// openconfig-if-ip
	{Path: "interfaces % interface subinterfaces subinterface ipv4|ipv6 addresses address config prefix-length & @", Why: read.Addressed},
	// openconfig-vlan
	{Path: "interfaces % interface subinterfaces subinterface vlan match single-tagged config vlan-id &", Why: read.Tagged},
	{Path: "interfaces % interface ethernet|aggregation switched-vlan", Why: read.WayBridged},
})
