package openconfig

import (
	"cmp"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// ways are the rows of read/ways/openconfig.txt.
var ways = sync.OnceValue(func() read.WayKinds { return read.Ways("openconfig") })

// neighbours notes neighbours that get no routes of IPv4: those whose family is on neither for them nor for their group or the
// instance (openconfig-bgp-common-multiprotocol: enabled is false by default), and those of other systems without a policy
// (openconfig-routing-policy: the default of both directions is REJECT_ROUTE).
func (r *reader) neighbours(l *read.Ledger, instances *posjson.Node) {
	for i := range instances.Len() {
		protocols := instances.Items[i].Get("protocols", "protocol")
		for k := range protocols.Len() {
			bgp := protocols.Items[k].Get("bgp")
			as := bgp.Get("global", "config", "as").Word()
			groups := named(bgp.Get("peer-groups", "peer-group"), "peer-group-name")
			neighbours := bgp.Get("neighbors", "neighbor")
			for j := range neighbours.Len() {
				n := &neighbours.Items[j]
				key := n.Get("neighbor-address").Word()
				group := groups[n.Get("config", "peer-group").Word()]
				way := read.Way{At: r.At(n), Text: "neighbor " + key, Bundle: key}
				if on, said := ipv4(n, group, bgp.Get("global")); !on && !strings.Contains(key, ":") && (as != "" || said != nil) { // without an AS it is a part of a file
					way.Why = read.WayNoFamily
					if said != nil {
						way.At = r.At(said)
					}
					l.Ways = append(l.Ways, way)
				}
				if peer := cmp.Or(n.Get("config", "peer-as"), group.Get("config", "peer-as")).Word(); peer != "" && as != "" && peer != as && n.Get("apply-policy") == nil && group.Get("apply-policy") == nil &&
					bgp.Get("global", "apply-policy") == nil && !familyPolicy(n) && !familyPolicy(group) {
					way.Why, way.At, way.Text = read.WayRejected, r.At(n), way.Text+" without apply-policy"
					l.Ways = append(l.Ways, way)
				}
			}
		}
	}
}

// named returns the entries of a list by a key.
func named(list *posjson.Node, key string) map[string]*posjson.Node {
	all := map[string]*posjson.Node{}
	for i := range list.Len() {
		all[list.Items[i].Get(key).Word()] = &list.Items[i]
	}
	return all
}

// ipv4 reports whether unicast of IPv4 is on at the first place that says so, and which one that is.
func ipv4(places ...*posjson.Node) (on bool, said *posjson.Node) {
	for _, place := range places {
		families := place.Get("afi-safis", "afi-safi")
		for i := range families.Len() {
			f := &families.Items[i]
			if strings.HasSuffix(f.Get("afi-safi-name").Word(), "IPV4_UNICAST") {
				enabled := f.Get("config", "enabled")
				if enabled != nil {
					return enabled.Word() == "true", enabled
				}
			}
		}
	}
	return false, nil
}

// familyPolicy reports whether a family of a neighbour or of a group has a policy.
func familyPolicy(n *posjson.Node) bool {
	families := n.Get("afi-safis", "afi-safi")
	for i := range families.Len() {
		if families.Items[i].Get("apply-policy") != nil {
			return true
		}
	}
	return false
}
