package fabric

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// asked returns the network in which hosts of a rate run a congestion control.
func asked(t *testing.T, rate units.BitRate, control string) *Network {
	t.Helper()
	p := pair()
	for i := range p.Switches[0].Ports {
		p.Switches[0].Ports[i].Speed = rate
	}
	return made(t, p, Options{CongestionControl: control})
}

// The HPCC simulator's simulation/run.py, for hosts of bw Gb/s: HPCC with u_tgt 0.95, ai = 10 · bw/25 Mb/s
// and int_multi = bw/25; DCTCP with g = 0.0625 and dctcp_ai = 615 Mb/s; TIMELY with ai = 10 · bw/10 and
// hai = 50 · bw/10 Mb/s, and, of scratch/third.cc, alpha 0.875, beta 0.8, 50 us, 500 us and 20 us. All
// but TIMELY have windows of the path, which vary. Swift is sim/swift.cpp of uet-htsim: a base of 20 us,
// h of it by 6.55, five times it for flow scaling from 0.1 to 100 packets, ai 1, beta 0.8, max_mdf 0.5.
func TestConstantsOfControls(t *testing.T) {
	const us = units.Microsecond
	for _, c := range []struct {
		rate    units.BitRate
		control string
		want    sim.Congestion
		window  sim.Window
	}{
		{100 * units.Gbps, "hpcc", sim.Congestion{Algorithm: sim.UseHPCC, HPCC: sim.HPCC{TargetUtilization: 0.95, Additive: 40 * units.Mbps, FastReact: true, UnitScale: 4}}, sim.PathBDP},
		{25 * units.Gbps, "hpcc", sim.Congestion{Algorithm: sim.UseHPCC, HPCC: sim.HPCC{TargetUtilization: 0.95, Additive: 10 * units.Mbps, FastReact: true, UnitScale: 1}}, sim.PathBDP},
		{10 * units.Gbps, "hpcc", sim.Congestion{Algorithm: sim.UseHPCC, HPCC: sim.HPCC{TargetUtilization: 0.95, Additive: 4 * units.Mbps, FastReact: true, UnitScale: 1}}, sim.PathBDP},
		{100 * units.Gbps, "dctcp", sim.Congestion{Algorithm: sim.UseDCTCP, DCTCP: sim.DCTCP{Gain: 0.0625, Additive: 615 * units.Mbps}}, sim.PathBDP},
		{100 * units.Gbps, "timely", sim.Congestion{Algorithm: sim.UseTIMELY, TIMELY: sim.TIMELY{Gain: 0.875, Beta: 0.8, Low: 50 * us, High: 500 * us, MinRTT: 20 * us, Additive: 100 * units.Mbps, Hyper: 500 * units.Mbps}}, sim.NoWindow},
		// TIMELY's listing as erpc-io/eRPC has it (src/cc/timely.h): smoothing 0.02, five times the step; its paper, sections 5
		// and 6: 10 Mb/s at 10 Gb/s, segments of 16 kB. CoNEXT 2016, section 4.3: beta 0.008.
		{40 * units.Gbps, "timely_listing", sim.Congestion{Algorithm: sim.UseTIMELY, TIMELY: sim.TIMELY{Gain: 0.02, Beta: 0.8, Low: 50 * us, High: 500 * us, MinRTT: 20 * us, Additive: 40 * units.Mbps, Hyper: 200 * units.Mbps, Segment: 16_000, Listing: true}}, sim.NoWindow},
		{10 * units.Gbps, "timely_patched", sim.Congestion{Algorithm: sim.UseTIMELY, TIMELY: sim.TIMELY{Gain: 0.875, Beta: 0.8, Low: 50 * us, High: 500 * us, MinRTT: 20 * us, Additive: 10 * units.Mbps, Hyper: 50 * units.Mbps, Segment: 16_000, Patched: true, PatchedBeta: 0.008}}, sim.NoWindow},
		// NVIDIA's rtt_template_algo_params.h: a tenth, 5 % of line rate, 13 and 150 us; no less than 2^-14 of line rate.
		{100 * units.Gbps, "rtt_template", sim.Congestion{Algorithm: sim.UseRTTTemplate, MinRate: 100 * units.Gbps / 16384, RTTTemplate: sim.RTTTemplate{BaseRTT: 13 * us, MaxDelay: 150 * us, Additive: 5 * units.Gbps, Cut: 0.1}}, sim.NoWindow},
		{100 * units.Gbps, "swift", sim.Congestion{Algorithm: sim.UseSwift, Swift: sim.Swift{
			Base: 20 * us, PerHop: 3_053_435 * units.Picosecond, ScalingRange: 100 * us, ScalingMin: 0.1, ScalingMax: 100, Endpoint: 20 * us,
			Additive: 1, Beta: 0.8, MaxDecrease: 0.5, MinWindow: 0.01, MaxWindow: 1000,
		}}, sim.NoWindow},
		// Nothing is published of it: a queue of 20 us, TIMELY's step and cut, and half of all else.
		{100 * units.Gbps, "rttcc", sim.Congestion{Algorithm: sim.UseRTTCC, RTTCC: sim.RTTCC{Target: 20 * us, Interval: 10 * us, Additive: 100 * units.Mbps, Beta: 0.8, MaxDecrease: 0.5, Gain: 0.5, Steepness: 0.5}}, sim.NoWindow},
		{100 * units.Gbps, "none", sim.Congestion{}, sim.NoWindow},
		{100 * units.Gbps, "carrier pigeons", sim.Congestion{}, sim.NoWindow},
	} {
		sc := &asked(t, c.rate, c.control).Scenario
		if c.want.MinRate == 0 {
			c.want.MinRate = 100 * units.Mbps
		}
		must.NoDiffIn(t, cmp.Diff(c.want, sc.Congestion), "%s at %v:", c.control, c.rate)
		if sc.Transport.Window != c.window || sc.Transport.VariableWindow != (c.window == sim.PathBDP) {
			t.Errorf("%s: window %d, variable %v", c.control, sc.Transport.Window, sc.Transport.VariableWindow)
		}
	}
}

// What is assumed of hosts, of their control and of a chip is said, with its figures.
func TestNotesOfHosts(t *testing.T) {
	noNIC := func(p *plan.Plan) {
		p.Hosts = nil
		for i := range p.Switches[0].Ports { // every port without a cable leads to a server then
			p.Switches[0].Ports[i].Peer = ""
		}
	}
	for _, c := range []struct {
		what string
		edit func(*plan.Plan)
		o    Options
		want []string // among the notes
		not  string
	}{
		{"an unknown control", nil, Options{CongestionControl: "pigeons"}, []string{`congestion control "pigeons" is not known to the simulator: hosts send at line rate`}, ""},
		{"Swift", nil, Options{CongestionControl: "swift"}, []string{"assumed: Swift with the constants of htsim, whose authors call them guesses, where none are given: targets of 20us and 3053.435ns per hop for the fabric, of 20us for hosts"}, ""},
		{"RTT", nil, Options{CongestionControl: "rttcc"}, []string{"a target of 20us above the base RTT, once per round trip 25Mbps more or up to 50 % less"}, ""},
		{"no NIC", noNIC, Options{CongestionControl: "dcqcn"}, []string{
			"assumed: CNPs travel in the class of the data, for no NIC says otherwise", "assumed: a host takes 790ns to send and to receive", "hosts send at line rate: the plan does not say how their DCQCN reacts",
		}, ""},
		{"a code point that no class carries", func(p *plan.Plan) { p.Hosts[0].CNPDSCP, p.Hosts[0].AckDSCP, p.Hosts[0].AcksApart = 48, 49, true }, Options{CongestionControl: "dcqcn"}, []string{
			"assumed: CNPs travel in the class of the data, for no class carries DSCP 48", "assumed: acknowledgements travel in the class of the data, for no class carries DSCP 49",
		}, "hosts send at line rate"},
		{"acknowledgements with their data", func(p *plan.Plan) { p.Hosts[0].AckDSCP = 49 }, Options{}, nil, "acknowledgements travel"},
		{"a latency that is assumed", nil, Options{}, []string{"assumed: a packet takes 600ns through trident3 when it does not wait"}, "a host takes"},
		{"DC", nil, Options{Transport: "dc"}, []string{fmt.Sprintf("takes %v to set it up, its initiator %v to take it down", sim.DCConnect, sim.DCDisconnect)}, ""},
		{"SRD", nil, Options{Transport: "srd"}, []string{"Assumed: one is lost after 10ms"}, ""},
		{"flowlets", nil, Options{LoadBalancing: "global", FlowletGap: units.Microsecond}, []string{"every 100us, which is assumed"}, "a flow may take another way"},
	} {
		p := pair()
		if c.edit != nil {
			c.edit(p)
		}
		net := made(t, p, c.o)
		for _, want := range c.want {
			if noted(net, want) < 0 {
				t.Errorf("%s: %q lacks %q", c.what, net.Notes, want)
			}
		}
		if c.not != "" && noted(net, c.not) >= 0 {
			t.Errorf("%s: %q", c.what, net.Notes)
		}
	}
	p := pair()
	noNIC(p)
	net := made(t, p, Options{Transport: "xrc", CongestionControl: "dcqcn"})
	if h := net.Scenario.Transport.Host; h.Post != 790*units.Nanosecond || h.Deliver != 880*units.Nanosecond || net.Scenario.Congestion.Algorithm != sim.NoControl || net.Scenario.Transport.CNPClass != net.RDMA {
		t.Errorf("%+v, %+v", h, net.Scenario.Congestion)
	}
	if len(net.Hosts) != 6 { // three of a and of b each; to c leads no cable
		t.Errorf("%v", net.Hosts)
	}
}

// A plan's own reaction is that of hosts that no NIC is named for.
func TestReactionOfThePlan(t *testing.T) {
	p := pair()
	p.Reaction, p.Hosts = p.Hosts[0].Reaction, nil
	for i := range p.Switches[0].Ports {
		p.Switches[0].Ports[i].Peer = ""
	}
	net := made(t, p, Options{CongestionControl: "dcqcn"})
	if net.Scenario.Congestion.Algorithm != sim.UseDCQCN || noted(net, "assumed of DCQCN at hosts that no nic block names: rpg_min_rate 1Mbps") < 0 {
		t.Errorf("%+v, %q", net.Scenario.Congestion, net.Notes)
	}
}

// Classes that share queue and PG are one; no more than seven are simulated, of which lossy ones are
// left out; a weight has eight bits.
func TestManyClasses(t *testing.T) {
	catalogue, _ := chips.Load()
	with := func(lossless bool, queues ...uint8) *plan.Plan {
		p := pair()
		sw := p.Switches[0]
		for _, q := range queues {
			sw.Classes = append(sw.Classes, plan.Class{Name: fmt.Sprintf("q%d", q), Queue: q, PG: q & 7, Lossless: lossless, PFC: q & 7})
		}
		return p
	}
	net := made(t, with(false, 1, 2, 3, 5), Options{}) // with 0, 4 and 6 they are seven
	if net.Classes != 7 || noted(net, "is not simulated") >= 0 || net.classes["q5"] != 6 || net.classes["cnp"] != 7 || net.RDMA != 5 {
		t.Errorf("%d classes, %v, %q", net.Classes, net.classes, net.Notes)
	}
	shared := with(false, 1, 2, 3, 5, 7)
	shared.Switches[0].Classes = append(shared.Switches[0].Classes, plan.Class{Name: "beside q7", Queue: 7, PG: 7})
	net = made(t, shared, Options{})
	if net.Classes != 7 || noted(net, "class q7 is not simulated: the switches have more than 7 queues in use") < 0 || net.classes["q7"] != 0 ||
		noted(net, "class beside q7 is not simulated") < 0 || net.classes["beside q7"] != 0 {
		t.Errorf("%d classes, %v, %q", net.Classes, net.classes, net.Notes)
	}
	if _, err := New(with(true, 1, 2, 3, 5, 7), catalogue.Find, Options{Size: Size{8, 2}}); err == nil || err.Error() != "more queues are in use than the simulator has" {
		t.Error(err)
	}
	p := with(true, 5)
	p.Switches[0].Classes = append(p.Switches[0].Classes, plan.Class{Name: "beside", Queue: 5, PG: 2}) // its own class, by the PG before that of queue 5
	if net = made(t, p, Options{}); net.Lossless != 1<<2|1<<4 || net.Priority != [8]uint8{4: 5} || net.classes["beside"] != 3 {
		t.Errorf("lossless %b, priorities %v, %v", net.Lossless, net.Priority, net.classes)
	}
	for weight, want := range map[int64]uint8{1: 1, 255: 255, 256: 255} {
		p = pair()
		p.Switches[0].Ports[0].QoS.Queues[0].Scheduler.Weight.Value = weight
		must.Equalf(t, made(t, p, Options{}).Scenario.Links[0].Egress[1].Scheduler.Weights[1], want, "weight %d is", weight)
	}
}

// Switches differ: one without the class of a queue has none of it, one without any lossless class, or
// with a chip that nobody knows, is named.
func TestSwitchesThatDiffer(t *testing.T) {
	catalogue, _ := chips.Load()
	two := func(edit func(sw *plan.Switch)) *plan.Plan {
		p := pair()
		other := *p.Switches[0]
		p.Switches[0].Names, other.Names = []string{"a"}, []string{"b"}
		edit(&other)
		p.Switches = append(p.Switches, &other)
		return p
	}
	net := made(t, two(func(sw *plan.Switch) { sw.Classes = sw.Classes[:3] }), Options{}) // no CNPs
	if b := net.Scenario.Silicon[7]; b.PG != [8]uint8{2: 3} || b.Queue != [8]uint8{2: 4} {
		t.Errorf("%+v", b)
	}
	if e := net.Scenario.Links[3].Egress[1]; e.Scheduler.Strict != 0 || e.MaxRate != [8]units.BitRate{} || e.Scheduler.Weights[2] != 80 {
		t.Errorf("%+v", e)
	}
	for want, edit := range map[string]func(sw *plan.Switch){
		"b: no class is lossless":             func(sw *plan.Switch) { sw.Classes = sw.Classes[:2] },
		`b: the chip "nonesuch" is not known`: func(sw *plan.Switch) { sw.Chip = "nonesuch" },
		"b: port s1: priority group 3 refers": func(sw *plan.Switch) { sw.Pools = nil },
	} {
		if _, err := New(two(edit), catalogue.Find, Options{Size: Size{8, 3}}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Cables to what is no switch or no port of the fabric, or back to the same switch, lead nowhere.
func TestCablesThatLeadNowhere(t *testing.T) {
	end := func(sw, port string) plan.LinkEnd { return plan.LinkEnd{Switch: sw, Port: port} }
	for _, l := range []plan.Link{
		{A: end("a", "s1"), B: end("x", "s1")}, {A: end("x", "s1"), B: end("a", "s1")}, {A: end("a", "u1"), B: end("a", "u2")},
		{A: end("a", "s1"), B: end("b", "s9")}, {A: end("a", "s9"), B: end("b", "s1")},
	} {
		p := pair()
		p.Links = append(p.Links, l)
		if net := made(t, p, Options{}); len(net.Scenario.Links) != 6+2 {
			t.Errorf("%v: %d links", l, len(net.Scenario.Links))
		}
	}
	catalogue, _ := chips.Load()
	p := pair()
	p.Switches[0].Ports[0].QoS.PFC = 0 // which all ports share
	if _, err := New(p, catalogue.Find, Options{}); err == nil || err.Error() != "no port of the fabric leads to a server: name a NIC as the peer of a port group" {
		t.Error(err)
	}
}

// Switches without servers stay where they lie between others: a spine does, and a switch behind one
// leaf alone does not. The cut is told.
func TestSwitchesBetween(t *testing.T) {
	p := pair()
	spine := *p.Switches[0]
	spine.Names, spine.Ports = []string{"spine", "dead"}, nil
	for _, port := range p.Switches[0].Ports[3:] {
		port.Peer = ""
		spine.Ports = append(spine.Ports, port)
	}
	p.Switches[0].Names = []string{"a", "b"}
	p.Switches = append(p.Switches, &spine)
	end := func(sw, port string) plan.LinkEnd { return plan.LinkEnd{Switch: sw, Port: port} }
	p.Links = []plan.Link{{A: end("a", "u1"), B: end("spine", "u1")}, {A: end("b", "u1"), B: end("spine", "u2")}, {A: end("b", "u2"), B: end("dead", "u1")}}
	net := made(t, p, Options{})
	if got := strings.Join(net.Ports()[12:], " "); got != "a.u1 spine.u1 b.u1 spine.u2" || noted(net, "cut to 6 of 6 hosts and 3 of 4 switches") < 0 {
		t.Errorf("%s, %q", got, net.Notes)
	}
	// Each leaf's host reaches the other's over the spine: five metres a hop, and four more.
	if got := net.Scenario.Links[6].Delay; got != 20*units.Nanosecond || len(net.Scenario.Nodes) != 6+3 {
		t.Errorf("%v, %d nodes", got, len(net.Scenario.Nodes))
	}
}

// A plan all of whose constants are given assumes nothing of DCQCN; the class of CNPs may be the first.
func TestNothingAssumed(t *testing.T) {
	p := pair()
	p.Hosts[0].Reaction.MinRate.Why = p.Hosts[0].Reaction.G.Why
	p.Hosts[0].CNPDSCP, p.Switches[0].Classes[0].DSCPs = 7, []uint8{7}
	net := made(t, p, Options{CongestionControl: "dcqcn"})
	if noted(net, "assumed of DCQCN") >= 0 || net.Scenario.Transport.CNPClass != 1 || !net.Scenario.ExactIdeal {
		t.Errorf("%q, class %d", net.Notes, net.Scenario.Transport.CNPClass)
	}
}

// A fabric may have one switch with hosts, whose classes say where CNPs travel.
func TestOneEdge(t *testing.T) {
	p := pair()
	p.Switches[0].Names, p.Links = []string{"a"}, nil
	p.Hosts[0].CNPDSCP, p.Switches[0].Classes[3].DSCPs = 48, []uint8{48}
	net := made(t, p, Options{CongestionControl: "dcqcn"})
	if got := net.Scenario.Transport.CNPClass; got != net.classes["cnp"] || noted(net, "CNPs travel") >= 0 || len(net.Hosts) == 0 {
		t.Errorf("CNPs are of class %d, %q", got, net.Notes)
	}
}

// What is cut is told: hosts alone, too. Hosts that are named are kept whatever the size.
func TestWhatIsCut(t *testing.T) {
	p := pair()
	p.Switches[0].Names = p.Switches[0].Names[:2]
	if net := made(t, p, Options{Size: Size{2, 2}}); noted(net, "cut to 4 of 6 hosts and 2 of 2 switches") < 0 {
		t.Errorf("%q", net.Notes)
	}
	two := []plan.LinkEnd{{Switch: "a", Port: "s1"}, {Switch: "b", Port: "s3"}}
	if net := made(t, p, Options{Size: Size{1, 1}, Hosts: two}); len(net.Hosts) != 2 {
		t.Errorf("%v", net.Hosts)
	}
	// Of a fabric of cells the first switch's hosts count: one, with a metre of cable, 16 B.
	p.Switches[0].Ports[0].QoS.PGs[0].Headroom = plan.Of[units.Bytes](25_600, nil)
	p.Switches[0].Pools[0].Size, p.Switches[0].Pools[1].Size = plan.Of(units.MB, nil), plan.Of(units.MB, nil)
	config := made(t, p, Options{}).Scenario.Silicon[6].Config
	headroom := units.Bytes(config.Ports[0].PGs[3].HeadroomCells) * config.CellBytes
	shared := units.Bytes(config.IngressPools[0].SharedCells) * config.CellBytes
	net := made(t, p, Options{LoadBalancing: "cell", Hosts: two})
	if got := net.Scenario.Buffer.Size; got != shared+(headroom+15)/16*16 {
		t.Errorf("%v, shared %v, headroom %v", got, shared, headroom)
	}
}

// The response of a port's peer is what is stated of it; of one of which nothing is, the standard's: 80 quanta of 512
// bits at 25 Gb/s.
func TestResponsesOfPeers(t *testing.T) {
	for declared, want := range map[bool]units.Time{true: 9, false: 1_638_400} {
		p := pair()
		p.Switches[0].Ports[0].Assumed = &plan.Assumed{Declared: declared, Response: plan.Of[units.Time](9, nil)}
		must.Equalf(t, made(t, p, Options{}).Scenario.Links[0].Response, [2]units.Time{want, 0}, "declared %v:", declared)
	}
}
