package nvue

import "github.com/roceplan/roceplan/read"

// ways are the leaves that lead packets elsewhere than on shortest paths, below their page of the NVUE command
// reference of Cumulus Linux. Since 5.15 leaves called enable are called state, and have enabled and disabled
// for on and off ("New and Changed NVUE Commands"). path-selection multipath aspath-ignore is not preferred: paths have to
// be equally long by it.
var ways = read.NewWayKinds([]read.WayKind{
	{Path: "vrf mgmt"},
	// Static Routing
	{Path: "vrf * router static", Why: read.WayStatic},
	{Path: "router static", Why: read.WayStatic},
	// BGP
	{Path: "vrf * router bgp … aspath allow-my-asn enable|state on|enabled", Why: read.WayOwnAS},
	{Path: "vrf * router bgp … aspath replace-peer-as on|enabled", Why: read.WayOwnAS},
	{Path: "vrf * router bgp … policy inbound|outbound route-map|prefix-list|as-path-list|unsuppress-map", Why: read.WayPolicy},
	{Path: "vrf * router bgp neighbor|peer-group @ shutdown on|enabled", Why: read.WayShut},
	{Path: "vrf * router bgp neighbor|peer-group @ enable|state off|disabled", Why: read.WayShut},
	{Path: "vrf * router bgp neighbor|peer-group @ address-family ipv4-unicast enable|state off|disabled", Why: read.WayNoFamily},
	{Path: "vrf * router bgp neighbor|peer-group @ passive-mode on|enabled", Why: read.Waits},
	{Path: "vrf * router bgp neighbor|peer-group @ bfd enable|state &", Why: read.Watches},
	{Path: "vrf * router bgp neighbor|peer-group @ capabilities extended-nexthop off|disabled", Why: read.Unbound},
	{Path: "interface % ip ipv6 enable|state off|disabled", Why: read.Unbound},
	{Path: "vrf * router bgp … neighbor|peer-group * … weight", Why: read.WayPolicy},
	{Path: "vrf * router bgp … aggregate-route * summary-only on|enabled", Why: read.WaySummed},
	{Path: "vrf * router bgp path-selection multipath aspath-ignore off|disabled", Why: read.OneAS},
	{Path: "vrf * router bgp … prefix-limits inbound maximum 1..999", Why: read.WayLimited},
	{Path: "router bgp graceful-shutdown on|enabled", Why: read.WayAvoided},
	{Path: "vrf * router bgp … route-import", Why: read.WayLeaked},
	{Path: "router bgp autonomous-system &", Why: read.OwnAS},
	{Path: "vrf * router bgp autonomous-system &", Why: read.OwnAS},
	{Path: "vrf * router bgp neighbor|peer-group @ remote-as &", Why: read.PeerAS},
	{Path: "vrf * router bgp neighbor @ peer-group &", Why: read.PeerIn},
	{Path: "vrf * router bgp neighbor|peer-group @ local-as asn &", Why: read.LocalAS},
	{Path: "vrf * router bgp neighbor|peer-group @ password", Why: read.Secured},
	{Path: "vrf * router bgp neighbor|peer-group @ update-source &", Why: read.Source},
	{Path: "vrf * router bgp dynamic-neighbor listen-range &", Why: read.Listens},
	{Path: "vrf * router bgp address-family ipv4-unicast multipaths ebgp &", Why: read.MostWays},
	{Path: "interface lo ip|ipv4 address &", Why: read.Loopback},
	{Path: "router bgp router-id &", Why: read.RouterID},
	{Path: "vrf default router bgp router-id &", Why: read.RouterID},
	{Path: "router bgp enable|state off|disabled !value " + read.BGP, Why: read.WayOff},
	{Path: "vrf default router bgp enable|state off|disabled !value " + read.BGP, Why: read.WayOff},
	{Path: "vrf default router bgp address-family ipv4-unicast enable|state off|disabled", Why: read.WayOff},
	{Path: "vrf * router bgp enable|state off|disabled", Why: read.WayOff},
	// Equal Cost Multipath Load Sharing: custom hashing
	{Path: "system forwarding ecmp-hash source-port off|disabled", Why: read.Portless},
	// OSPF, Routing Policy, Interface
	{Path: "vrf|interface * router ospf … cost", Why: read.WayPreferred},
	{Path: "vrf * router ospf max-metric administrative on|enabled", Why: read.WayAvoided},
	{Path: "router policy route-map * rule * set local-preference|as-path-prepend|metric|weight|ip-nexthop|ipv6-nexthop-global", Why: read.WayPreferred},
	{Path: "interface % ip ipv4|ipv6 forward off|disabled", Why: read.WayOff},
	// Switch Port Attributes
	{Path: "interface % link auto-negotiate on|enabled", Why: read.Negotiated},
	{Path: "interface % link auto-negotiate off|disabled", Why: read.Forced},
	{Path: "interface % link state down", Why: read.WayDown},
	{Path: "interface % ip vrf &", Why: read.WayInstance},
	{Path: "interface % link breakout &", Why: read.Split},
	{Path: "interface @ bond member %", Why: read.Bundled},
	{Path: "interface % ip|ipv4|ipv6 address &", Why: read.Addressed},
	{Path: "mlag enable|state on|enabled", Why: read.WayPaired},
	{Path: "interface %. vlan &", Why: read.Tagged},
	// Bridge Domain
	{Path: "interface % bridge domain", Why: read.WayBridged},
	{Path: "bridge domain * stp state down|disabled !bridged", Why: read.WayNoTree},
	{Path: "bridge domain * ageing 1..299 !bridged", Why: read.WayForgotten},
})

// lead notes what of a statement leads packets elsewhere.
func (st *statement) lead(l *read.Ledger) {
	for _, n := range st.live {
		if n.said == st {
			l.Lead(ways, append(n.words(), n.value), st.at)
		}
	}
}
