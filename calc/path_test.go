package calc

import (
	"testing"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// Queues on the longest path: one at the switch of two servers; with tiers above, one for each
// switch up and down; two where switches of a tier are joined; and three, assumed, where lossless
// ports lead nobody knows where.
func TestHops(t *testing.T) {
	servers := func() *policy.PortGroup { return &policy.PortGroup{PeerNIC: &policy.NIC{}} }
	to := func(peers ...*policy.Switch) *policy.PortGroup { return &policy.PortGroup{PeerSwitches: peers} }
	open := func(lossless bool) *policy.PortGroup {
		return &policy.PortGroup{Lossless: policy.Opt[bool]{Value: lossless}}
	}
	sw := func(groups ...*policy.PortGroup) *policy.Switch { return &policy.Switch{Groups: groups} }
	spine, near := sw(), sw(servers())
	near.Groups, spine.Groups = append(near.Groups, to(spine)), append(spine.Groups, to(near))
	top, leaf, tor := sw(), sw(), sw(servers())
	tor.Groups, leaf.Groups, top.Groups = append(tor.Groups, to(leaf)), append(leaf.Groups, to(top), to(tor)), append(top.Groups, to(leaf))
	left, right := sw(servers()), sw(servers())
	left.Groups, right.Groups = append(left.Groups, to(right)), append(right.Groups, to(left))
	for name, c := range map[string]struct {
		switches []*policy.Switch
		want     plan.Count
	}{
		"one switch": {[]*policy.Switch{sw(servers())}, 1}, "nothing": {nil, 1},
		"one, and lossless ports to nobody knows where": {[]*policy.Switch{sw(servers(), open(true))}, 3},
		"one, and lossy ports":                          {[]*policy.Switch{sw(servers(), open(false))}, 1},
		"two that are joined":                           {[]*policy.Switch{left, right}, 2},
		"a tier above":                                  {[]*policy.Switch{near, spine}, 3},
		"two tiers above":                               {[]*policy.Switch{tor, leaf, top}, 5},
	} {
		if got := hopsOf(&policy.Fabric{Switches: c.switches}); got.Value != c.want {
			t.Errorf("%s: %d, want %d", name, got.Value, c.want)
		}
	}
}
