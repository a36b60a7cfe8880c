package fabric

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// pair is two leaves of three servers with two cables between them, and one alone.
func pair() *plan.Plan {
	qos := &plan.PortQoS{
		PFC: 1 << 3, Watchdog: true,
		PGs: []plan.PG{{ID: 3, Pool: "in", Lossless: true}},
		Queues: []plan.Queue{
			{ID: 0, Pool: "out", Scheduler: plan.Scheduler{Weight: plan.Of[int64](20, nil)}},
			{
				ID: 4, Pool: "out", Scheduler: plan.Scheduler{Weight: plan.Of[int64](80, nil)},
				ECN: &plan.ECN{KMin: plan.Of[units.Bytes](1000, nil), KMax: plan.Of[units.Bytes](9000, nil), PMax: plan.Of(5*units.Percent, nil)},
			},
			{ID: 6, Pool: "out", Scheduler: plan.Scheduler{Strict: true, MaxRate: plan.Of(units.Gbps, nil)}},
		},
	}
	sw := &plan.Switch{
		Names: []string{"a", "b", "c"}, Chip: "trident3", MTU: plan.Of[units.Bytes](1522, nil),
		Classes: []plan.Class{
			{Name: "rest", TrafficClass: 0, Queue: 0}, {Name: "bulk", TrafficClass: 1, Queue: 0},
			{Name: "rdma", TrafficClass: 3, Queue: 4, PG: 3, Lossless: true, CongestionControl: "rttcc"},
			{Name: "cnp", TrafficClass: 6, Queue: 6},
		},
		Watchdog: &plan.Watchdog{
			Detection: plan.Of(200*units.Millisecond, nil), Restoration: plan.Of(300*units.Millisecond, nil),
			Poll: plan.Of(100*units.Millisecond, nil), Action: plan.WatchdogForward,
		},
		Pools: []plan.Pool{{Name: "in", Direction: plan.Ingress}, {Name: "out", Direction: plan.Egress}},
	}
	for i, name := range []string{"s1", "s2", "s3", "u1", "u2"} {
		p := plan.Port{Name: name, Speed: 25 * units.Gbps, Cable: units.Length(i+1) * units.Metre, QoS: qos}
		if i < 3 {
			p.Peer = "nic"
		}
		sw.Ports = append(sw.Ports, p)
	}
	return &plan.Plan{
		Switches: []*plan.Switch{sw}, Hosts: []*plan.Host{{Name: "nic", Model: "cx", RoCEMTU: 1024, Reaction: reaction()}},
		Links: []plan.Link{
			{A: plan.LinkEnd{Switch: "a", Port: "u1"}, B: plan.LinkEnd{Switch: "b", Port: "u2"}},
			{A: plan.LinkEnd{Switch: "a", Port: "u2"}, B: plan.LinkEnd{Switch: "b", Port: "u1"}},
		},
	}
}

// reaction is a NIC's whose constants are all known, except for the least rate.
func reaction() plan.Reaction {
	given := &plan.Why{Kind: plan.Given}
	return plan.Reaction{
		CNPInterval: plan.Of(50*units.Microsecond, given), CNPPerPort: plan.Of(plan.Flag(true), given),
		ClampTarget: plan.Of(plan.Flag(false), given), ClampAfterTimer: plan.Of(plan.Flag(true), given),
		Threshold: plan.Of(plan.Count(1), given), TimeReset: plan.Of(300*units.Microsecond, given), ByteReset: plan.Of(2*units.MB, given),
		AIRate: plan.Of(5*units.Mbps, given), HAIRate: plan.Of(50*units.Mbps, given), GD: plan.Of(plan.Count(11), given),
		MinDecFac: plan.Of(units.One/2, given), MinRate: plan.Of(units.Mbps, &plan.Why{Kind: plan.Default, Name: "rpg_min_rate", Value: units.Mbps}),
		G: plan.Of(plan.Count(1019), given), AlphaInterval: plan.Of(units.Microsecond, given), DecreaseInterval: plan.Of(4*units.Microsecond, given),
		InitialAlpha: plan.Of(plan.Count(1024), given),
	}
}

// The registers of the NIC are the simulator's constants: alpha keeps 1019 of 1024, a cut takes
// alpha 1024/2^11, half of it.
func TestReaction(t *testing.T) {
	p := pair()
	for i := range p.Switches[0].Classes {
		if c := &p.Switches[0].Classes[i]; c.Name == "rdma" {
			c.CongestionControl = "dcqcn"
		}
	}
	catalogue, _ := chips.Load()
	net := must.Get(New(p, catalogue.Find, Options{Size: Size{Edges: 8, HostsPerEdge: 2}}))(t)
	const us = units.Microsecond
	want := sim.DCQCN{
		Gain: 5. / 1024, AlphaInterval: us, DecreaseInterval: 4 * us, IncreaseInterval: 300 * us, ByteCounter: 2 * units.MB, FastRecovery: 1,
		Additive: 5 * units.Mbps, Hyper: 50 * units.Mbps, InitialAlpha: 1, Cut: 0.5, LeastKept: 0.5, Repace: true,
	}
	sc := &net.Scenario
	if diff := cmp.Diff(want, sc.Congestion.DCQCN); diff != "" || sc.Congestion.MinRate != units.Mbps {
		t.Errorf("least rate %v, %s", sc.Congestion.MinRate, diff)
	}
	if sc.Transport.CNPInterval != 50*us || !sc.Transport.CNPPerPort {
		t.Errorf("transport: %+v", sc.Transport)
	}
	if !slices.Contains(net.Notes, "assumed of DCQCN at nic nic (cx): rpg_min_rate 1Mbps") {
		t.Errorf("notes %q", net.Notes)
	}
}

func TestNetwork(t *testing.T) {
	catalogue, _ := chips.Load()
	net, err := New(pair(), catalogue.Find, Options{Size: Size{Edges: 8, HostsPerEdge: 2}})
	must.Do(t, err)
	sc := &net.Scenario
	ns := func(n int) units.Time { return units.Time(n) * units.Nanosecond }
	rate := 25 * units.Gbps
	want := []sim.Link{ // 5 ns per metre; hosts 0 to 3, switches 4 and 5
		{A: 0, B: 4, Rate: rate, Delay: ns(5)}, {A: 1, B: 4, Rate: rate, Delay: ns(10)},
		{A: 2, B: 5, Rate: rate, Delay: ns(5)}, {A: 3, B: 5, Rate: rate, Delay: ns(10)},
		{A: 4, B: 5, Rate: rate, Delay: ns(20)}, {A: 4, B: 5, Rate: rate, Delay: ns(25)},
	}
	// Classes by queue: 1 is rest and bulk, 2 rdma, 3 cnp. Hosts' ends have no queues here.
	sends := &sim.Egress{
		Scheduler: sim.Scheduler{Strict: 1 << 3, Weights: [8]uint8{1: 20, 2: 80}},
		ECN:       [8]sim.ECN{2: {KMin: 1000, KMax: 9000, PMax: 0.05}},
		MaxRate:   [8]units.BitRate{3: units.Gbps},
	}
	response := 1638400 * units.Picosecond // 80 quanta of 512 bits at 25G: IEEE 802.3 31B.3.7
	for i := range want {
		want[i].Response[0] = response
		if want[i].Egress[1] = sends; want[i].A > 3 {
			want[i].Egress[0], want[i].Response[1] = sends, response
		}
	}
	must.NoDiffIn(t, cmp.Diff(want, sc.Links), "links (-want +got):")
	must.NoDiffIn(t, cmp.Diff([]int{0, 1, 3, 4}, sc.Silicon[4].Ports), "ports of a:")
	must.NoDiffIn(t, cmp.Diff([]int{0, 1, 4, 3}, sc.Silicon[5].Ports), "ports of b:")
	if b := sc.Silicon[4]; b.PG != [8]uint8{2: 3} || b.Queue != [8]uint8{2: 4, 3: 6} {
		t.Errorf("classes: %+v", b)
	}
	for _, c := range []struct {
		name  string
		lossy bool
		want  uint8
	}{{"", false, 2}, {"", true, 1}, {"rdma", false, 2}, {"bulk", true, 1}, {"cnp", true, 3}, {"none", false, 0}} {
		if got, ok := net.Class(c.name, c.lossy); got != c.want || ok != (got != 0) {
			t.Errorf("class %q, lossy %v: %d, want %d", c.name, c.lossy, got, c.want)
		}
	}
	watchdog := &sim.Watchdog{
		Poll: 100 * units.Millisecond, Detection: 200 * units.Millisecond, Restoration: 300 * units.Millisecond,
		Action: sim.WatchdogForward, Classes: 1 << 2,
	}
	must.NoDiffIn(t, cmp.Diff([]*sim.Watchdog{nil, nil, nil, nil, watchdog, watchdog}, sc.Watchdogs), "watchdogs:")
	if net.RDMA != 2 || net.Lossless != 1<<2 || sc.PFC.Quanta != sim.LargestQuanta {
		t.Errorf("classes %d and %b, quanta %d", net.RDMA, net.Lossless, sc.PFC.Quanta)
	}
	must.Equalf(t, sc.Transport.Payload, 1024, "transport: %+v:", sc.Transport)
	must.Equalf(t, len(net.Notes), 3, "notes of the cut, of the congestion control and of the chip's latency expected: %q:", net.Notes)
	// Trident III's is assumed; NICs that say nothing of theirs have none.
	if diff := cmp.Diff([]units.Time{4: ns(600), 5: ns(600)}, sc.Latency); diff != "" || sc.Transport.Host.Post != 0 {
		t.Errorf("latencies:\n%s, hosts' %v", diff, sc.Transport.Host.Post)
	}
	must.Equalf(t, sc.Transport.Acks, sim.AcksWithData, "acknowledgements travel by rule")
	apart := pair()
	apart.Hosts[0].AckDSCP, apart.Hosts[0].AcksApart = 48, true
	apart.Switches[0].Classes[3].DSCPs = []uint8{48}
	if net, err = New(apart, catalogue.Find, Options{Size: Size{Edges: 8, HostsPerEdge: 2}}); err != nil {
		t.Fatal(err)
	}
	if own := net.Scenario.Transport; own.Acks != sim.AcksApart || own.AckClass != 3 {
		t.Errorf("acknowledgements with DSCP 48 travel by rule %d in class %d, cnp is 3", own.Acks, own.AckClass)
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
