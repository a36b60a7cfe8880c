package eos

import (
	"slices"
	"strings"

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

// avdCluster is the same for AVD.
func (v *clusterView) avd() *avdCluster {
	grouping, length, _ := strings.Cut(v.Grouping, " length ")
	out := &avdCluster{Forwarding: v.Forwarding, Grouping: v.Grouping, RoundRobin: true}
	if length != "" {
		out.Grouping, out.PrefixLength = grouping+" length", length
	}
	if v.Aging > 0 {
		out.Flow = &avdClusterFlow{v.Aging}
	}
	for _, name := range v.Ports {
		g := avdClusterGroup{Name: name, Port: name}
		if v.FlowLimit > 0 {
			g.Flow = &avdFlowLimit{v.FlowLimit}
		}
		out.Groups = append(out.Groups, g)
	}
	return out
}

type avdCluster struct {
	Forwarding   string            `yaml:"forwarding_type"`
	Grouping     string            `yaml:"destination_grouping"`
	PrefixLength string            `yaml:"prefix_length,omitempty"`
	RoundRobin   bool              `yaml:"load_balance_method_flow_round_robin"`
	Flow         *avdClusterFlow   `yaml:"flow,omitempty"`
	Groups       []avdClusterGroup `yaml:"port_groups"`
}

type avdClusterFlow struct {
	Aging int64 `yaml:"source_learning_aging_timeout"` // seconds
}

type avdClusterGroup struct {
	Name string        `yaml:"group"`
	Port string        `yaml:"interface"`
	Flow *avdFlowLimit `yaml:"flow,omitempty"`
}

type avdFlowLimit struct {
	Limit int64 `yaml:"limit"`
}

type avdLoadBalance struct {
	Cluster *avdCluster `yaml:"cluster"`
}
