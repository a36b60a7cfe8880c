package pattern

import (
	"math"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/units"
)

// Two leaves with eight hosts each, and four links from each to a spine, all of 100 Gb/s. A host's peer is
// drawn among 15, of which 8 are at the other leaf: a load of 70 % is 8 · 0.7 · 8/15 / 4 = 75 % of what the four
// links carry, and one of 95 % is 101 %, though no host is offered more than its own port carries. What TCP
// sends beside does not count.
func TestOfferedToLinksAboveHosts(t *testing.T) {
	net := &fabric.Network{Lossless: 1 << 3}
	net.Scenario.Nodes = make([]sim.Node, 19)
	for i := 16; i < 19; i++ {
		net.Scenario.Nodes[i] = sim.Switch
	}
	link := func(a, b int) {
		net.Scenario.Links = append(net.Scenario.Links, sim.Link{A: a, B: b, Rate: 100 * units.Gbps})
	}
	for i := range 16 {
		net.Hosts = append(net.Hosts, fabric.Host{Rate: 100 * units.Gbps})
		link(i, 16+i/8)
	}
	for i := range 8 {
		link(16+i/4, 18)
	}
	for _, percent := range []units.Ratio{70, 95} {
		s := &Scenario{Traffic: []Traffic{{Kind: "poisson", Load: percent * units.Percent}, {Kind: "poisson", Load: units.One, Lossy: true}}}
		load := float64(percent) / 100
		want, where := 8*load*8/15/4, "the links above a switch of hosts"
		if want < load {
			want, where = load, "hosts"
		}
		if got, at := s.overload(net); math.Abs(got-want) > 1e-9 || !strings.HasPrefix(at, where) {
			t.Errorf("%v %%: %v of %s, want %v of %s", percent, got, at, want, where)
		}
	}
}
