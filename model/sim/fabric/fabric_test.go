package fabric

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// pair is two leaves of three servers with two cables between them, and one alone.
func pair() *plan.Plan {
	qos := &plan.PortQoS{
		PFC:    1 << 3,
		PGs:    []plan.PG{{ID: 3, Pool: "in", Lossless: true}},
		Queues: []plan.Queue{{ID: 4, Pool: "out", ECN: &plan.ECN{KMin: plan.Of[units.Bytes](1000, nil), KMax: plan.Of[units.Bytes](9000, nil), PMax: plan.Of(5*units.Percent, nil)}}},
	}
	sw := &plan.Switch{
		Names: []string{"a", "b", "c"}, Chip: "trident3", MTU: plan.Of[units.Bytes](1522, nil),
		Classes: []plan.Class{{TrafficClass: 0, Queue: 0}, {TrafficClass: 3, Queue: 4, PG: 3, Lossless: true, CongestionControl: "rttcc"}},
		Pools:   []plan.Pool{{Name: "in", Direction: plan.Ingress}, {Name: "out", Direction: plan.Egress}},
	}
	for i, name := range []string{"s1", "s2", "s3", "u1", "u2"} {
		p := plan.Port{Name: name, Speed: 25 * units.Gbps, Cable: units.Length(i+1) * units.Metre, QoS: qos}
		if i < 3 {
			p.Peer = "nic"
		}
		sw.Ports = append(sw.Ports, p)
	}
	return &plan.Plan{
		Switches: []*plan.Switch{sw}, Hosts: []*plan.Host{{Name: "nic", CNPInterval: plan.Of(50*units.Microsecond, nil)}},
		Links: []plan.Link{
			{A: plan.LinkEnd{Switch: "a", Port: "u1"}, B: plan.LinkEnd{Switch: "b", Port: "u2"}},
			{A: plan.LinkEnd{Switch: "a", Port: "u2"}, B: plan.LinkEnd{Switch: "b", Port: "u1"}},
		},
	}
}

func TestNetwork(t *testing.T) {
	catalogue, _ := chips.Load()
	net, err := New(pair(), catalogue.Find, Options{Size: Size{Edges: 8, HostsPerEdge: 2}})
	if err != nil {
		t.Fatal(err)
	}
	sc := &net.Scenario
	ns := func(n int) units.Time { return units.Time(n) * units.Nanosecond }
	rate := 25 * units.Gbps
	want := []sim.Link{ // 5 ns per metre; hosts 0 to 3, switches 4 and 5
		{A: 0, B: 4, Rate: rate, Delay: ns(5)}, {A: 1, B: 4, Rate: rate, Delay: ns(10)},
		{A: 2, B: 5, Rate: rate, Delay: ns(5)}, {A: 3, B: 5, Rate: rate, Delay: ns(10)},
		{A: 4, B: 5, Rate: rate, Delay: ns(20)}, {A: 4, B: 5, Rate: rate, Delay: ns(25)},
	}
	if diff := cmp.Diff(want, sc.Links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{0, 1, 3, 4}, sc.Silicon[4].Ports); diff != "" {
		t.Errorf("ports of a:\n%s", diff)
	}
	if diff := cmp.Diff([]int{0, 1, 4, 3}, sc.Silicon[5].Ports); diff != "" {
		t.Errorf("ports of b:\n%s", diff)
	}
	if b := sc.Silicon[4]; b.PG[RDMA] != 3 || b.Queue[RDMA] != 4 {
		t.Errorf("class of the flows: %+v", b)
	}
	if diff := cmp.Diff([]sim.ECN{{Rate: rate, KMin: 1000, KMax: 9000, PMax: 0.05}}, sc.ECN); diff != "" {
		t.Errorf("ECN:\n%s", diff)
	}
	if sc.Transport.Payload != 1024 || sc.Transport.CNPInterval != 50*units.Microsecond {
		t.Errorf("transport: %+v", sc.Transport)
	}
	if len(net.Notes) != 2 || !net.Open {
		t.Errorf("notes of the cut and of the congestion control expected: %q", net.Notes)
	}
}

func TestNothingToSimulate(t *testing.T) {
	catalogue, _ := chips.Load()
	for name, spoil := range map[string]func(*plan.Plan){
		"no lossless class": func(p *plan.Plan) { p.Switches[0].Classes = p.Switches[0].Classes[:1] },
		"unknown chip":      func(p *plan.Plan) { p.Switches[0].Chip = "nonesuch" },
		"no PFC":            func(p *plan.Plan) { p.Switches[0].Ports[0].QoS.PFC = 0 },
		"no switch":         func(p *plan.Plan) { p.Switches = nil },
	} {
		p := pair()
		spoil(p)
		if _, err := New(p, catalogue.Find, Options{Size: Size{Edges: 8, HostsPerEdge: 8}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
