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
// links carry, and one of 95 % is 101 %, though no host is offered more than its own port carries. Packets of 1,000 B with
// 50 B beside make that 78 and 106 %, and 101 % of a load of 90 %, which is 96 % without them. What TCP
// sends beside does not count.
func TestOfferedToLinksAboveHosts(t *testing.T) {
	net := &fabric.Network{Lossless: 1 << 3}
	net.Scenario.Transport.Payload, net.Scenario.Wire = 1000, sim.Wire{Data: 40, Gap: 10}
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
	for _, percent := range []units.Ratio{70, 90, 95} {
		s := &Scenario{Traffic: []Traffic{{Kind: "poisson", Load: percent * units.Percent, Message: 5000}, {Kind: "poisson", Load: units.One, Message: 5000, Lossy: true}}}
		load := 1.05 * float64(percent) / 100
		want, where := 8*load*8/15/4, "the links above a switch of hosts"
		if got, at := s.overload(net); math.Abs(got-want) > 1e-9 || !strings.HasPrefix(at, where) {
			t.Errorf("%v %%: %v of %s, want %v of %s", percent, got, at, want, where)
		}
	}
}

// Headers, FCS, preamble and gap take what links carry as payload does. Of packets of 1,000 B with 100 B beside, one host sends
// another as much as 20 us of 100 Gb/s carry, 250,000 B, in messages each 20 us.
func TestOfferedWithHeaders(t *testing.T) {
	net := hall(5)
	net.Scenario.Transport.Payload = 1000
	net.Scenario.Wire = sim.Wire{Data: 90, Gap: 10}
	half := &Sizes{Bytes: []int64{0, 10_000}, CDF: []float64{0, 100}} // a mean of 5,000 B
	for i, c := range []struct {
		traffic Traffic
		want    float64
	}{
		// 125 packets are 12,500 B beside 125,000 B, 55 %; a last packet of 1 B has as much beside it.
		{Traffic{Kind: "permutation", Message: 125_000, Every: 20 * us}, 137_500. / 250_000},
		{Traffic{Kind: "permutation", Message: 125_001, Every: 20 * us}, 137_601. / 250_000},
		// Of four queue pairs each sends 31,250 B in 32 packets, and of 125,003 B no more than that.
		{Traffic{Kind: "permutation", Message: 125_000, Every: 20 * us, QueuePairs: 4}, 137_800. / 250_000},
		{Traffic{Kind: "permutation", Message: 125_003, Every: 20 * us, QueuePairs: 4}, 137_800. / 250_000},
		// No message is below 64 B: four of these are 656 B with what is beside them, from each of three hosts.
		{Traffic{Kind: "incast", Senders: 3, Message: 100, Every: 20 * us, QueuePairs: 4}, 3 * 656. / 250_000},
		{Traffic{Kind: "all_to_all", Message: 2500, Every: 20 * us}, 4 * 2800. / 250_000},
		// A load is of payload: 2,500 B are 2,800 B. Each goes to three.
		{Traffic{Kind: "poisson", Load: 30 * units.Percent, Message: 2500, Copies: 3}, 0.9 * 2800 / 2500},
		{Traffic{Kind: "storage_read", Load: 95 * units.Percent, Message: 64_000}, 0.95 * 1.1},
		// Of sizes a packet is counted for each 1,000 B that are sent at the least: all but the last byte of 5,000 B, and of
		// ten queue pairs, which send 499 B each, one for each.
		{Traffic{Kind: "poisson", Load: 50 * units.Percent, Sizes: half}, 0.5 * 4999 * 1.1 / 5000},
		{Traffic{Kind: "poisson", Load: 50 * units.Percent, Sizes: half, QueuePairs: 10}, 0.5 * 10 * 599 / 5000},
	} {
		s := &Scenario{Traffic: []Traffic{c.traffic}}
		if got, _ := s.offered(net); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%d: %v, want %v", i, got, c.want)
		}
	}
}

// What is said to be offered of sizes is no more than what flows take of links that are laid, as bound has it of one message: of
// all percentages a hundred thousand, of one queue pair and of several.
func TestOfferedOfSizesIsTaken(t *testing.T) {
	sc := &sim.Scenario{Transport: sim.Transport{Payload: 1000}, Wire: sim.Ethernet()}
	for name, sizes := range map[string]*Sizes{
		"uniform": {Bytes: []int64{0, 10_000}, CDF: []float64{0, 100}},
		"steps":   {Bytes: []int64{100, 100, 2000, 2000}, CDF: []float64{0, 50, 50, 100}},
		"byte":    {Bytes: []int64{1000, 1001}, CDF: []float64{0, 100}},
		"small":   {Bytes: []int64{0, 20}, CDF: []float64{0, 100}},
	} {
		for _, pairs := range []int{1, 3, 16} {
			taken := 0.0
			const draws = 100_000
			for i := range draws {
				part := max(smallest, sizes.at(100*(float64(i)+0.5)/draws)/units.Bytes(pairs))
				taken += float64(pairs) * float64(part+(part+999)/1000*82) / draws
			}
			own := &Traffic{Sizes: sizes, QueuePairs: pairs}
			if got := own.taken(sc) * sizes.mean(); got > taken*(1+1e-9) || got < 0.8*taken {
				t.Errorf("%s, %d queue pairs: %v B, of which flows take %v B", name, pairs, got, taken)
			}
		}
	}
}
