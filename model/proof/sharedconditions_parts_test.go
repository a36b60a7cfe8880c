package proof

import (
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// By what a link differs from that at the worst, in the order in which it is looked at: the mix of packets, the response of
// the peer, which counts for both where the layers have none, and the layers of the switch.
func TestConditionsOfLinks(t *testing.T) {
	worst := model.Link{Rate: 100 * units.Gbps, LosslessFrame: 4000, Interface: 9000, Response: 50_000}
	g := &group{name: "g", ports: []int{0}, worst: worst, link: worst}
	p := &prover{sw: &plan.Switch{Chip: "x", Ports: []plan.Port{{Name: "a", Group: "gpus"}}}}
	mix, peer, both, layers := worst, worst, worst, worst
	mix.SmallPackets, mix.Response, mix.Interface = 60*units.Percent, 1, 1
	peer.Response, peer.Interface = 30_000, 1
	both.Response, both.Interface = 8000, 0
	layers.Interface = 4000
	for _, c := range []struct {
		link model.Link
		want Condition
	}{
		{mix, Condition{ID: PacketMix, Where: "g", Declare: "small_packets of the fabric", Bound: 600_000_000, Worst: 1_000_000_000, Unit: inPPB, Short: 7, Assumes: "after a pause at most 60% of the packets have the smallest size, and the others have 4000B"}},
		{peer, Condition{ID: PeerResponse, Where: "g", Declare: `pause_response of port group "gpus", or of the NIC there`, Bound: 30_000, Worst: 50_000, Unit: InTime, Short: 7, Assumes: "the peer is silent within 30ns of a pause; IEEE 802.3 allows it 50ns"}},
		{both, Condition{ID: PeerResponse, Where: "g", Declare: `pause_response of port group "gpus", or of the NIC there`, Bound: 8000, Worst: 50_000, Unit: InTime, Short: 7, Assumes: "the switch's own layers and the response of the peer take at most 8ns together; IEEE 802.3 allows the layers 9ns, and IEEE 802.3 allows it 50ns"}},
		{layers, Condition{ID: ChipDatum, Where: "chip x", Declare: "pause_delay of chip x", Bound: 4000, Worst: 9000, Unit: InTime, Short: 7, Assumes: "the switch's own layers take at most 4ns to send a pause and to receive packets; IEEE 802.3 allows them 9ns"}},
	} {
		if got := p.linkCondition(g, c.link, 7); !got.same(&c.want) || got.Bound != c.want.Bound || got.Worst != c.want.Worst || got.Unit != c.want.Unit || got.Short != c.want.Short || got.Assumes != c.want.Assumes || got.Terms != nil {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
}

// A share of small packets is assumed of ports of which it is not declared, whose large packets are, and whose link is known.
func TestLinksWithAShare(t *testing.T) {
	frame := &plan.Assumed{LosslessFrame: plan.Of(units.Bytes(4000), nil)}
	p := &prover{sw: &plan.Switch{Ports: []plan.Port{{Name: "a", Assumed: frame}, {Name: "b", Assumed: frame}, {Name: "c"}, {Name: "d", Assumed: frame}}}, ctx: &Context{}}
	for i, g := range []*group{{}, {why: "not known"}, {}, {worst: model.Link{SmallPackets: 90 * units.Percent}}} {
		g.ports, g.worst.Rate = []int{i}, 100*units.Gbps
		g.link = g.worst
		p.groupOf = append(p.groupOf, g)
	}
	links := p.withShare(70 * units.Percent)
	for name, want := range map[string]units.Ratio{"a": 70 * units.Percent, "b": 0, "c": 0, "d": 90 * units.Percent} {
		if got, ok := links[name]; !ok || got.SmallPackets != want || got.Rate != 100*units.Gbps {
			t.Errorf("%s: %+v, want %v", name, got, want)
		}
	}
}

// What a chip is known to take it takes of any time that is left, and what is left goes to a peer of which nothing is declared.
func TestSilentWithinOfAKnownChip(t *testing.T) {
	all, found := chips.Load(chips.Source{Name: "own.hcl", Text: []byte("chip \"own\" {\n extends = \"trident2\"\n pause_delay {\n value = \"7ns\"\n confidence = \"published\"\n source = \"a test\"\n }\n}\n")})
	chip, ok := all.Find("own")
	if !ok {
		t.Fatal(found)
	}
	for _, c := range []struct {
		declared            bool
		left, layers, peers units.Time
	}{{false, 10, 7, 3}, {false, 7, 7, 0}, {false, 5, 7, 0}, {false, 20, 7, 9}, {true, 10, 7, 9}, {true, 1, 7, 9}} {
		g := &group{declared: c.declared, worst: model.Link{Rate: 100 * units.Gbps, Interface: 7, Response: 9}}
		g.link = g.worst
		p := &prover{sw: &plan.Switch{Ports: []plan.Port{{Name: "a"}}}, groupOf: []*group{g}}
		if l := p.silentWithin(c.left, chip)["a"]; l.Interface != c.layers || l.Response != c.peers {
			t.Errorf("%+v: %v and %v", c, l.Interface, l.Response)
		}
	}
}

func TestAssumedOnly(t *testing.T) {
	for _, c := range []struct {
		verdict    Verdict
		conditions []Condition
		want       bool
	}{
		{Conditional, []Condition{{ID: AssumedDatum}}, true}, {Conditional, []Condition{{ID: AssumedDatum}, {ID: AssumedDatum}}, true}, {Conditional, []Condition{{ID: AssumedDatum}, {ID: ChipDatum}}, false},
		{Conditional, []Condition{{ID: PausedGroups}}, false}, {Holds, nil, false}, {Fails, []Condition{{ID: AssumedDatum}}, false}, {Unjudged, nil, false},
	} {
		must.Equalf(t, assumedOnly(&Obligation{Verdict: c.verdict, Conditions: c.conditions}), c.want, "%+v:", c)
	}
}
