package eos

import "github.com/roceplan/roceplan/read"

// ways are the lines that lead packets elsewhere than on shortest paths, below their chapter of the EOS User
// Manual. Ports that bridge are found with the ports.
var ways = read.NewWayKinds([]read.WayKind{
	// IPv4, IPv6
	{Path: "ip|ipv6 route vrf mgmt|MGMT|management"},
	{Path: "ip|ipv6 route", Why: read.WayStatic},
	{Path: "no ip routing $ !value " + read.Forwarding, Why: read.WayOff},
	// Border Gateway Protocol; arista.eos.eos_bgp_global of Ansible and the template router-bgp of AVD have them too
	{Path: "router bgp * address-family ipv4 no neighbor @ activate", Why: read.WayNoFamily},
	{Path: "router bgp * no bgp bestpath as-path multipath-relax", Why: read.OneAS}, // multipath-relax is the default
	{Path: "router bgp … no|description"},
	{Path: "router bgp * bgp missing-policy direction * action deny|deny-in-out", Why: read.WayRejected},
	{Path: "router bgp * neighbor @ transport connection-mode passive", Why: read.Waits},
	{Path: "router bgp * neighbor @ bfd", Why: read.Watches},
	{Path: "router bgp … aggregate-address * … summary-only", Why: read.WaySummed},
	{Path: "router bgp … distance bgp 255", Why: read.WayOff},
	{Path: "router bgp * shutdown !value " + read.BGP, Why: read.WayOff},
	{Path: "router bgp & $", Why: read.OwnAS},
	{Path: "router bgp * neighbor @ remote-as &", Why: read.PeerAS},
	{Path: "router bgp * vrf * neighbor @ remote-as &", Why: read.PeerAS},
	{Path: "router bgp * neighbor @ peer group &", Why: read.PeerIn},
	{Path: "router bgp * neighbor @ peer-group &", Why: read.PeerIn},
	{Path: "router bgp * neighbor interface", Why: read.Listens},
	{Path: "router bgp * bgp listen range & peer-group @", Why: read.Listens},
	{Path: "router bgp * bgp listen range & peer group @", Why: read.Listens},
	{Path: "router bgp * bgp listen range &", Why: read.Listens},
	{Path: "router bgp * neighbor @ local-as &", Why: read.LocalAS},
	{Path: "router bgp * neighbor @ password", Why: read.Secured},
	{Path: "router bgp * neighbor @ update-source &", Why: read.Source},
	{Path: "router bgp … maximum-paths &", Why: read.MostWays},
	{Path: "router bgp … local-as &", Why: read.OwnAS},
	{Path: "router bgp * router-id &", Why: read.RouterID},
	{Path: "router bgp … allowas-in", Why: read.WayOwnAS},
	{Path: "router bgp … as-path remote-as replace", Why: read.WayOwnAS},
	{Path: "router bgp … neighbor * route-map|prefix-list|filter-list|distribute-list|weight|local-v4-addr", Why: read.WayPolicy},
	{Path: "router bgp … neighbor * maximum-routes * warning-only"},
	{Path: "router bgp … neighbor @ maximum-routes 1..999", Why: read.WayLimited},
	{Path: "router bgp … neighbor @ shutdown", Why: read.WayShut},
	{Path: "router bgp … bestpath as-path ignore", Why: read.WayPreferred},
	// Router general, routing policies
	{Path: "router general … leak", Why: read.WayLeaked},
	{Path: "route-map … set local-preference|as-path|metric|weight|ip|ipv6", Why: read.WayPreferred},
	{Path: "route-map … set community … GSHUT|graceful-shutdown", Why: read.WayAvoided}, // RFC 8326
	// Load balancing: the fields of the hash; openconfig/featureprofiles has those of profiles
	{Path: "ip load-sharing trident fields ip … source-port"},
	{Path: "ip load-sharing trident fields ip *", Why: read.Portless},
	{Path: "load-balance policies load-balance sand profile default fields l4 … src-port"},
	{Path: "load-balance policies load-balance sand profile default fields l4 *", Why: read.Portless},
	{Path: "load-balance policies load-balance sand profile default no fields l4", Why: read.Portless},
	// OSPFv2, IS-IS
	{Path: "interface * ip ospf cost", Why: read.WayPreferred},
	{Path: "interface * isis metric", Why: read.WayPreferred},
	{Path: "router isis|ospf|ospf3 … on-startup"},
	{Path: "router isis * set-overload-bit", Why: read.WayAvoided},
	{Path: "router ospf|ospf3 … max-metric", Why: read.WayAvoided},
	// Ethernet Ports
	{Path: "interface % speed auto", Why: read.Negotiated},
	{Path: "interface % speed forced", Why: read.Forced},
	{Path: "interface % shutdown", Why: read.WayDown},
	{Path: "interface % vrf forwarding &", Why: read.WayInstance},
	{Path: "interface % vrf &", Why: read.WayInstance},
	{Path: "interface defaults ethernet shutdown", Why: read.WayDown},
	{Path: "interface % channel-group @ mode &", Why: read.Bundled},
	{Path: "interface % port-channel min-links &", Why: read.WayFew},
	{Path: "interface Loopback0 ip address &", Why: read.Loopback},
	{Path: "interface % ip|ipv6 address &", Why: read.Addressed},
	{Path: "mlag configuration peer-link", Why: read.WayPaired},
	{Path: "interface %. encapsulation dot1q vlan &", Why: read.Tagged},
	{Path: "arp * * arpa", Why: read.WayKnown},
	// Spanning Tree Protocol, MAC address table
	{Path: "spanning-tree mode none !bridged", Why: read.WayNoTree},
	{Path: "no spanning-tree !bridged", Why: read.WayNoTree},
	{Path: "mac address-table aging-time 1..299 !bridged", Why: read.WayForgotten},
})

// bridges notes a port that does not route, unless the bundle that it is in does.
func (b *assembler) bridges(own *port, routed bool) {
	if c := b.channels[own.channel]; own.channel != "" && c != nil {
		routed = b.isRouted(c)
	}
	if !routed {
		b.ways = append(b.ways, read.Way{At: own.at, Text: "interface " + own.name, Why: read.WayBridged, Port: own.name})
	}
}
