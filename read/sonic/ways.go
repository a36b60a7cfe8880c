package sonic

import (
	"slices"
	"strings"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// ways are the fields that lead packets elsewhere than on shortest paths, below the model in sonic-buildimage,
// src/sonic-yang-models, that has them. The parts of a row's key are words of their own.
var ways = read.NewWayKinds([]read.WayKind{
	// sonic-static-route
	{Path: "STATIC_ROUTE mgmt"},
	{Path: "STATIC_ROUTE", Why: read.WayStatic},
	// sonic-bgp-common, for sonic-bgp-neighbor and sonic-bgp-peergroup
	{Path: "BGP_NEIGHBOR_AF|BGP_PEER_GROUP_AF … allow_as_in true", Why: read.WayOwnAS},
	{Path: "BGP_NEIGHBOR_AF|BGP_PEER_GROUP_AF … as_override true", Why: read.WayOwnAS},
	{Path: "BGP_NEIGHBOR_AF|BGP_PEER_GROUP_AF … route_map_in|route_map_out|prefix_list_in|prefix_list_out|filter_list_in|filter_list_out|weight", Why: read.WayPolicy},
	{Path: "BGP_NEIGHBOR_AF|BGP_PEER_GROUP_AF … max_prefix_limit 1..999", Why: read.WayLimited},
	{Path: "BGP_GLOBALS * graceful_shutdown true", Why: read.WayAvoided},
	{Path: "BGP_NEIGHBOR @ admin_status down|false", Why: read.WayShut},
	{Path: "BGP_NEIGHBOR|BGP_PEER_GROUP * @ admin_status down|false", Why: read.WayShut},
	{Path: "BGP_NEIGHBOR_AF|BGP_PEER_GROUP_AF * @ ipv4_unicast admin_status down|false", Why: read.WayNoFamily},
	{Path: "BGP_NEIGHBOR|BGP_PEER_GROUP * @ passive_mode true", Why: read.Waits},
	{Path: "BGP_NEIGHBOR|BGP_PEER_GROUP * @ bfd &", Why: read.Watches},
	{Path: "BGP_ALLOWED_PREFIXES … default_action deny", Why: read.WayPolicy}, // sonic-bgp-allowed-prefix
	{Path: "BGP_AGGREGATE_ADDRESS … summary-only true", Why: read.WaySummed},  // sonic-bgp-aggregate-address
	{Path: "BGP_GLOBALS_AF_AGGREGATE_ADDR … summary_only true", Why: read.WaySummed},
	{Path: "BGP_NEIGHBOR @ asn|peer_type &", Why: read.PeerAS},
	{Path: "BGP_NEIGHBOR|BGP_PEER_GROUP * @ asn|peer_type &", Why: read.PeerAS},
	{Path: "BGP_NEIGHBOR @ peer_group_name &", Why: read.PeerIn},
	{Path: "BGP_NEIGHBOR * @ peer_group_name &", Why: read.PeerIn},
	{Path: "BGP_NEIGHBOR|BGP_PEER_GROUP * @ local_asn &", Why: read.LocalAS},
	{Path: "BGP_NEIGHBOR|BGP_PEER_GROUP * @ auth_password", Why: read.Secured},
	{Path: "BGP_NEIGHBOR @ local_addr &", Why: read.Source},
	{Path: "BGP_NEIGHBOR|BGP_PEER_GROUP * @ local_addr &", Why: read.Source},
	// sonic-bgp-peerrange, sonic-bgp-peergroup
	{Path: "BGP_PEER_RANGE @ ip_range &", Why: read.Listens},
	{Path: "BGP_PEER_RANGE * @ ip_range &", Why: read.Listens},
	{Path: "BGP_PEER_RANGE @ peer_asn &", Why: read.PeerAS},
	{Path: "BGP_PEER_RANGE * @ peer_asn &", Why: read.PeerAS},
	{Path: "BGP_GLOBALS_LISTEN_PREFIX * & peer_group @", Why: read.Listens},
	// FRR's own files have the neighbours then: sonic-device_metadata
	{Path: "DEVICE_METADATA localhost docker_routing_config_mode split|split-unified !also", Why: read.Listens},
	{Path: "DEVICE_METADATA localhost docker_routing_config_mode split|split-unified", Why: read.WayElsewhere},
	{Path: "DEVICE_METADATA localhost bgp_asn &", Why: read.OwnAS},
	{Path: "DEVICE_METADATA localhost bgp_router_id &", Why: read.RouterID},
	{Path: "LOOPBACK_INTERFACE Loopback0 &", Why: read.Loopback},
	// sonic-bgp-global
	{Path: "BGP_GLOBALS * local_asn &", Why: read.OwnAS},
	{Path: "BGP_GLOBALS default router_id &", Why: read.RouterID},
	{Path: "BGP_GLOBALS … ignore_as_path_length true", Why: read.WayPreferred},
	{Path: "BGP_GLOBALS default load_balance_mp_relax true", Why: read.ManyAS},
	{Path: "BGP_GLOBALS default without load_balance_mp_relax", Why: read.OneAS}, // FRR's default; the template of bgpcfgd allows several
	{Path: "BGP_GLOBALS * ebgp_requires_policy true", Why: read.WayRejected},
	{Path: "BGP_GLOBALS_AF … ebgp_route_distance 255", Why: read.WayOff},
	{Path: "FG_NHG_PREFIX", Why: read.WayPreferred},     // sonic-fine-grained-ecmp
	{Path: "COPP_GROUP … cir 0..99", Why: read.WayHeld}, // the default of BGP is 6,000 packets a second
	{Path: "NEIGH", Why: read.WayKnown},
	{Path: "BGP_GLOBALS_AF … max_ebgp_paths &", Why: read.MostWays},
	{Path: "BGP_GLOBALS_AF … import_vrf", Why: read.WayLeaked},
	// sonic-route-map
	{Path: "ROUTE_MAP … set_local_pref|set_asn|set_med|set_metric|set_next_hop|set_ipv6_next_hop_global", Why: read.WayPreferred},
	// sonic-feature, sonic-device_metadata, sonic-bgp-device-global
	{Path: "FEATURE bgp state disabled !value " + read.BGP, Why: read.WayOff},
	{Path: "DEVICE_METADATA localhost default_bgp_status down", Why: read.WayOff},
	{Path: "BGP_DEVICE_GLOBAL STATE tsa_enabled true", Why: read.WayOff},
	// sonic-port
	{Path: "PORT % autoneg on", Why: read.Negotiated},
	{Path: "PORT % autoneg off", Why: read.Forced},
	{Path: "PORT % link_training on", Why: read.Trained},
	{Path: "PORT % admin_status down", Why: read.WayDown},
	{Path: "PORT % without admin_status", Why: read.WayDown}, // the default
	// sonic-interface, sonic-portchannel, sonic-vlan-sub-interface
	{Path: "INTERFACE % vrf_name &", Why: read.WayInstance},
	{Path: "INTERFACE % &", Why: read.Addressed},
	// sonic-hash
	{Path: "SWITCH_HASH GLOBAL without L4_SRC_PORT", Why: read.Portless},
	// sonic-net/SONiC#1039, Static Port Channel Design Document
	{Path: "PORTCHANNEL_MEMBER @ % static !value " + read.Static, Why: read.Bundled},
	// teammgrd runs each with LACP (sonic-swss, cfgmgr/teammgr.cpp)
	{Path: "PORTCHANNEL_MEMBER @ % !value " + read.Active, Why: read.Bundled},
	{Path: "PORTCHANNEL % admin_status down", Why: read.WayDown},
	{Path: "PORTCHANNEL % min_links &", Why: read.WayFew},
	{Path: "VLAN_SUB_INTERFACE %. vlan &", Why: read.Tagged},
	{Path: "VLAN_SUB_INTERFACE %.", Why: read.Tagged},
	// sonic-device_neighbor, sonic-mclag
	{Path: "DEVICE_NEIGHBOR % name &", Why: read.Neighbour},
	{Path: "DEVICE_NEIGHBOR % port &", Why: read.Opposite},
	{Path: "MCLAG_DOMAIN * peer_link", Why: read.WayPaired},
	// sonic-vlan
	{Path: "VLAN_MEMBER * %", Why: read.WayBridged},
	// No model: sonic-net/SONiC, doc/layer2-forwarding-enhancements
	{Path: "SWITCH switch fdb_aging_time 1..299 !bridged", Why: read.WayForgotten},
})

// accountWays notes the fields of a table that lead packets elsewhere.
func (r *reader) accountWays(l *read.Ledger, root *posjson.Node, table *posjson.Member) {
	if ways[table.Key] == nil {
		return
	}
	for row := range table.Value.All() {
		words := append([]string{table.Key}, strings.Split(row.Key, "|")...)
		if table.Key == "PORTCHANNEL_MEMBER" && root.Get("PORTCHANNEL", words[1], "static").Word() == "true" {
			words = append(words, "static")
		}
		if table.Key == "BGP_GLOBALS" && row.Value.Get("local_asn") != nil && row.Value.Get("load_balance_mp_relax").Word() != "true" {
			l.Lead(ways, append(words, "without", "load_balance_mp_relax"), r.doc.KeyAt(row))
		}
		if len(row.Value.Members) == 0 {
			l.Lead(ways, words, r.doc.KeyAt(row))
		}
		if table.Key == schema.TablePort && row.Value.Get("lanes") != nil && row.Value.Get("admin_status") == nil {
			l.Lead(ways, append(words, "without", "admin_status"), r.doc.KeyAt(row))
		}
		hash := hashOfRoCE(&row.Value)
		for f := range row.Value.All() {
			values := f.Value.Items
			if len(values) == 0 {
				values = []posjson.Node{f.Value}
			}
			ported := f.Key != hash
			for i := range values {
				ported = ported || values[i].Text == "L4_SRC_PORT" || values[i].Text == "RDMA_BTH_DEST_QP"
				l.Lead(ways, slices.Concat(words, []string{f.Key, values[i].Text}), r.doc.KeyAt(f))
			}
			if !ported {
				l.Lead(ways, append(words, "without", "L4_SRC_PORT"), r.doc.KeyAt(f))
			}
		}
	}
}

// hashOfRoCE returns the key of the hash by which packets of RoCEv2 choose among equal paths: that of their type goes before
// the one of all packets (sonic-mgmt, GH-packet-type-enhancement-test-plan.md, 2.1).
func hashOfRoCE(row *posjson.Node) string {
	for _, key := range []string{"ecmp_hash_ipv4_rdma", "ecmp_hash_ipv4"} {
		if row.Get(key) != nil {
			return key
		}
	}
	return "ecmp_hash"
}
