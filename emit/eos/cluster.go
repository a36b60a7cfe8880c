package eos

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// clusterView is `load-balance cluster`: aristanetworks/avd eos/load-balance.j2 @205cbdb9,
// TOI 4.32.2F, Cluster Load Balancing.
type clusterView struct {
	Forwarding, Grouping string
	Aging, FlowLimit     int64 // seconds, flows; 0: not printed
	Ports                []string
}

// cluster returns the cluster that the switch balances; nil where it does not.
func (b *builder) cluster(c *plan.Cluster) *clusterView {
	if c == nil {
		return nil
	}
	if !b.rules.cluster {
		b.list.Warnf(LoadBalancing, b.s.EOS.Range, "cluster load balancing is published for switches with Tomahawk 5 and Jericho 2 and later, so it is left out on %s", b.s.Chip).
			Fixf("remove the cluster block")
		return nil
	}
	v := &clusterView{Forwarding: "routed ipv4", Grouping: c.Destinations, Aging: int64(c.Aging / units.Second), FlowLimit: c.FlowLimit}
	if c.Destinations == "vtep" {
		v.Forwarding = "bridged encapsulation vxlan ipv4"
	}
	for _, p := range b.s.Ports {
		if slices.Contains(c.Hosts, p.Group) {
			v.Ports = append(v.Ports, p.Name)
		}
	}
	return v
}
