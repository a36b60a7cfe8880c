package nxos

import "github.com/roceplan/roceplan/read"

// ways are the lines that lead packets elsewhere than on shortest paths, below the configuration guide of NX-OS that
// has them.
var ways = read.NewWayKinds([]read.WayKind{
	// Unicast Routing: static routing
	{Path: "ip|ipv6 route", Why: read.WayStatic},
	{Path: "vrf context management"},
	{Path: "vrf context * ip|ipv6 route", Why: read.WayStatic},
	// Unicast Routing: BGP; cisco.nxos.nxos_bgp_global of Ansible has them too
	{Path: "router bgp … no|description"},
	{Path: "router bgp … allowas-in|as-override", Why: read.WayOwnAS},
	{Path: "router bgp … neighbor|peer|peer-policy … route-map|prefix-list|filter-list|weight", Why: read.WayPolicy},
	{Path: "router bgp * bestpath as-path multipath-relax", Why: read.ManyAS},
	{Path: "router bgp … neighbor|peer|peer-session @ transport connection-mode passive", Why: read.Waits},
	{Path: "router bgp … neighbor|peer|peer-session @ bfd", Why: read.Watches},
	{Path: "router bgp … aggregate-address * … summary-only", Why: read.WaySummed},
	{Path: "router bgp … maximum-prefix * warning-only"},
	{Path: "router bgp … maximum-prefix * * warning-only"},
	{Path: "router bgp … maximum-prefix 1..999", Why: read.WayLimited},
	{Path: "router bgp … graceful-shutdown activate", Why: read.WayAvoided},
	{Path: "router bgp … neighbor @ shutdown", Why: read.WayShut},
	{Path: "router bgp … neighbor … shutdown", Why: read.WayShut},
	{Path: "router bgp * template peer|peer-session @ shutdown", Why: read.WayShut},
	{Path: "router bgp … bestpath as-path ignore", Why: read.WayPreferred},
	{Path: "router bgp & $", Why: read.OwnAS},
	{Path: "router bgp * neighbor @ remote-as &", Why: read.PeerAS},
	{Path: "router bgp * vrf * neighbor @ remote-as &", Why: read.PeerAS},
	{Path: "router bgp * template peer|peer-session @ remote-as &", Why: read.PeerAS},
	{Path: "router bgp … neighbor @ inherit peer|peer-session &", Why: read.PeerIn},
	{Path: "router bgp … neighbor|peer|peer-session @ local-as &", Why: read.LocalAS},
	{Path: "router bgp … neighbor|peer|peer-session @ password", Why: read.Secured},
	{Path: "router bgp … neighbor|peer|peer-session @ update-source &", Why: read.Source},
	{Path: "ip load-sharing address source-destination port"},
	{Path: "ip load-sharing address", Why: read.Portless},
	{Path: "router bgp … maximum-paths &", Why: read.MostWays},
	{Path: "router bgp … local-as &", Why: read.OwnAS},
	{Path: "router bgp * router-id &", Why: read.RouterID},
	// Unicast Routing: Route Policy Manager, OSPF, IS-IS
	{Path: "route-map … set local-preference|as-path|metric|weight|ip|ipv6", Why: read.WayPreferred},
	{Path: "interface * ip ospf cost", Why: read.WayPreferred},
	{Path: "interface * isis metric", Why: read.WayPreferred},
	{Path: "router isis|ospf|ospfv3 … on-startup"},
	{Path: "router isis … set-overload-bit", Why: read.WayAvoided},
	{Path: "router ospf|ospfv3 … max-metric", Why: read.WayAvoided},
	{Path: "router bgp|isis|ospf|ospfv3 … isolate", Why: read.WayAvoided},
	{Path: "system mode maintenance $", Why: read.WayAvoided}, // System Management: graceful insertion and removal
	// Interfaces, Layer 2 Switching
	{Path: "interface % negotiate auto", Why: read.Negotiated},
	{Path: "interface % no negotiate auto", Why: read.Forced},
	{Path: "interface % shutdown", Why: read.WayDown},
	{Path: "interface % vrf member &", Why: read.WayInstance},
	{Path: "interface % channel-group @ mode &", Why: read.Bundled},
	{Path: "interface % channel-group @ force mode &", Why: read.Bundled},
	{Path: "interface % channel-group @ !value " + read.Static, Why: read.Bundled}, // the default
	{Path: "interface % lacp min-links &", Why: read.WayFew},
	{Path: "interface % vpc peer-link", Why: read.WayPaired},
	{Path: "interface loopback0 ip address &", Why: read.Loopback},
	{Path: "interface % ip|ipv6 address &", Why: read.Addressed},
	{Path: "interface %. encapsulation dot1q &", Why: read.Tagged},
	{Path: "interface % ip|ipv6 policy route-map", Why: read.WayRedirect},
	{Path: "interface % switchport", Why: read.WayBridged},
	{Path: "interface * ip arp", Why: read.WayKnown},
	{Path: "no spanning-tree !bridged", Why: read.WayNoTree},
	{Path: "mac address-table aging-time 1..299 !bridged", Why: read.WayForgotten},
})
