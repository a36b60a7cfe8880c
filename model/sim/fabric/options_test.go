package fabric

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/cells"
	"github.com/roceplan/roceplan/model/sim/conweave"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// made returns the network of a plan, whole unless the options say otherwise.
func made(t *testing.T, p *plan.Plan, o Options) *Network {
	t.Helper()
	catalogue, _ := chips.Load()
	o.Size = o.Size.OrWhole()
	net := must.Get(New(p, catalogue.Find, o))(t)
	return net
}

func noted(net *Network, what string) int {
	return slices.IndexFunc(net.Notes, func(n string) bool { return strings.Contains(n, what) })
}

func TestSizesOfFabrics(t *testing.T) {
	own := Size{Edges: 2, HostsPerEdge: 3}
	if own.OrWhole() != own || own.OrUsual() != own || (Size{}).OrUsual() != (Size{4, 16}) || (Size{}).OrWhole() != (Size{math.MaxInt32, math.MaxInt32}) {
		t.Error("a size is another one")
	}
	for _, c := range []struct {
		size  Size
		hosts string
		cut   string
	}{
		{Size{8, 3}, "a.s1 a.s2 a.s3 b.s1 b.s2 b.s3", "cut to 6 of 9 hosts and 2 of 3 switches"}, // c has no cable
		{Size{8, 2}, "a.s1 a.s2 b.s1 b.s2", "cut to 4 of 9 hosts and 2 of 3 switches"}, {Size{1, 8}, "a.s1 a.s2 a.s3", "cut to 3 of 9 hosts and 1 of 3 switches"},
	} {
		net := made(t, pair(), Options{Size: c.size})
		var hosts []string
		for i := range net.Hosts {
			hosts = append(hosts, strings.TrimPrefix(net.Hosts[i].Name(), "nic."))
		}
		if got := strings.Join(hosts, " "); got != c.hosts || noted(net, c.cut) < 0 {
			t.Errorf("%v: %s, %q", c.size, got, net.Notes)
		}
	}
	whole := pair()
	whole.Switches[0].Names = whole.Switches[0].Names[:2]
	if net := made(t, whole, Options{}); noted(net, "cut to") >= 0 || len(net.Hosts) != 6 {
		t.Errorf("%q", net.Notes)
	}
	end := func(name string) plan.LinkEnd {
		sw, port, _ := strings.Cut(name, ".")
		return plan.LinkEnd{Switch: sw, Port: port}
	}
	net := made(t, pair(), Options{Hosts: []plan.LinkEnd{end("a.s2"), end("b.s3"), end("b.nonesuch")}})
	if len(net.Hosts) != 2 || net.Hosts[0].End() != end("a.s2") || net.Hosts[1].End() != end("b.s3") {
		t.Errorf("%v", net.Hosts)
	}
	net = made(t, pair(), Options{Size: Size{1, 1}, Keep: []plan.LinkEnd{end("a.s3"), end("b.s2")}})
	if len(net.Hosts) != 4 { // a.s1 and b.s1, since they are kept for having some, and those that stay
		t.Errorf("%v", net.Hosts)
	}
	catalogue, _ := chips.Load()
	for want, o := range map[string]Options{
		"none of the hosts is one of the fabric":                       {Hosts: []plan.LinkEnd{end("x.y")}},
		"the fabric has fewer than two servers that reach each other":  {Hosts: []plan.LinkEnd{end("a.s1")}},
		"the fabric has fewer than two servers that reach each other ": {Size: Size{1, 1}},
	} {
		if _, err := New(pair(), catalogue.Find, o); err == nil || err.Error() != strings.TrimSpace(want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// What is where: links at a port, their names, and the links between switches.
func TestFind(t *testing.T) {
	net := made(t, pair(), Options{Size: Size{8, 2}})
	at := func(sw, port string) plan.LinkEnd { return plan.LinkEnd{Switch: sw, Port: port} }
	want := "nic.a.s1 a.s1 nic.a.s2 a.s2 nic.b.s1 b.s1 nic.b.s2 b.s2 a.u1 b.u2 a.u2 b.u1"
	must.Equal(t, strings.Join(net.Ports(), " "), want)
	for _, c := range []struct {
		port      plan.LinkEnd
		host      int
		link, end int
	}{{at("a", "s1"), 0, 0, 1}, {at("b", "s2"), 3, 3, 1}, {at("a", "u1"), -1, 4, 0}, {at("b", "u2"), -1, 4, 1}, {at("b", "u1"), -1, 5, 1}, {at("a", "s3"), -1, -1, 0}, {plan.LinkEnd{}, -1, -1, 0}} {
		link, end := net.At(c.port)
		if host := net.Host(c.port); host != c.host || link != c.link || end != c.end || net.Link(c.port) != c.link {
			t.Errorf("%v is host %d, link %d, end %d", c.port, host, link, end)
		}
		if link >= 0 && net.End(link, end) != c.port {
			t.Errorf("%v is %v", c.port, net.End(link, end))
		}
	}
	if got := net.Trunks(); !slices.Equal(got, []int{4, 5}) {
		t.Errorf("between switches are %v", got)
	}
	if got := fmt.Sprint(net.Carriers("", false), net.Carriers("", true), net.Carriers("cnp", true), net.Carriers("none", false), net.Carriers("rdma", true)); got != "[2] [1] [3] [] [2]" {
		t.Errorf("classes %s", got)
	}
	if !net.Trains(false) || net.Trains(true) {
		t.Error("trains")
	}
	net.Scenario.Transport.Selective = true
	if net.Trains(false) {
		t.Error("trains of selective repeat")
	}
	net.Scenario.Transport.Selective, net.Scenario.Transport.Service = false, sim.DC
	if net.Trains(false) {
		t.Error("trains of DC")
	}
}

// What a scenario changes of how hosts and switches send.
func TestOptions(t *testing.T) {
	us := units.Microsecond
	for name, c := range map[string]struct {
		o     Options
		note  string
		check func(sc *sim.Scenario) bool
	}{
		"as it is": {Options{}, "", func(sc *sim.Scenario) bool {
			return sc.Balancing.Mode == balance.ECMP && sc.Transport.Service == sim.RC && !sc.Transport.DirectPlacement && !sc.Transport.Selective && sc.Transport.AckInterval == 1 && sc.Transport.Chunk == 4000 && sc.Transport.NackInterval == 500*us
		}},
		"spray": {Options{LoadBalancing: "spray"}, "", func(sc *sim.Scenario) bool { return sc.Balancing.Mode == balance.Spray && sc.Transport.DirectPlacement }},
		"adaptive": {Options{LoadBalancing: "adaptive"}, "", func(sc *sim.Scenario) bool {
			return sc.Balancing.Mode == balance.Adaptive && sc.Transport.DirectPlacement
		}},
		"flowlet": {Options{LoadBalancing: "flowlet"}, "assumed: a flow may take another way after 100us of silence", func(sc *sim.Scenario) bool {
			return sc.Balancing.Mode == balance.Flowlet && sc.Balancing.FlowletGap == 100*us && !sc.Transport.DirectPlacement && sc.Transport.AckTimeout == AckTimeout && sc.Transport.Retries == Retries
		}},
		"a gap": {Options{LoadBalancing: "flowlet", FlowletGap: 7 * us}, "", func(sc *sim.Scenario) bool { return sc.Balancing.FlowletGap == 7*us }},
		"global": {Options{LoadBalancing: "global"}, "switches signal the quality of their ports every 100us", func(sc *sim.Scenario) bool {
			return sc.Balancing.Mode == balance.Global && sc.Balancing.SignalInterval == 100*us && sc.Balancing.FlowletGap == 100*us
		}},
		"conweave": {Options{LoadBalancing: "conweave"}, "ConWeave's times", func(sc *sim.Scenario) bool {
			return sc.Balancing.Mode == balance.ConWeave && sc.Balancing.ConWeave == conweave.Default()
		}},
		"xrc": {Options{Transport: "xrc"}, "", func(sc *sim.Scenario) bool {
			return sc.Transport.Service == sim.XRC && sc.Transport.Host.Deliver == 90*units.Nanosecond && sc.Transport.Host.Post == 0
		}},
		"dc": {Options{Transport: "dc"}, "assumed: each end of a DC connection", func(sc *sim.Scenario) bool {
			h := sc.Transport.Host
			return sc.Transport.Service == sim.DC && h.Connect == sim.DCConnect && h.Disconnect == sim.DCDisconnect && h.Targets == 0
		}},
		"a given dc": {Options{Transport: "dc", DC: &DC{Targets: 5, Connect: 1, Disconnect: 2, Linger: 3, Busy: 4}}, "", func(sc *sim.Scenario) bool {
			h := sc.Transport.Host
			return h.Connect == 1 && h.Disconnect == 2 && h.Linger == 3 && h.Busy == 4 && h.Targets == 5
		}},
		"srd": {Options{Transport: "srd"}, "SRD is simulated", func(sc *sim.Scenario) bool {
			return sc.Transport.Selective && sc.Transport.AckTimeout == 10*units.Millisecond && sc.Balancing.Mode == balance.Spray && sc.Transport.DirectPlacement
		}},
		"srd by ECMP": {Options{Transport: "srd", LoadBalancing: "ecmp"}, "SRD is simulated", func(sc *sim.Scenario) bool { return sc.Balancing.Mode == balance.ECMP && sc.Transport.DirectPlacement }},
		"polling": {Options{Polling: Polling{Period: 9, Weight: 0.25}}, "", func(sc *sim.Scenario) bool {
			e := sc.Links[0].Egress[1].ECN[2]
			return e.PollPeriod == 9 && e.Weight == 0.25 && !e.ByPart && e.KMax == 9000
		}},
		"by part": {Options{ECNByPart: true}, "ecn_by_part changes nothing", func(sc *sim.Scenario) bool { return sc.Links[0].Egress[1].ECN[2].ByPart }},
	} {
		net := made(t, pair(), c.o)
		if !c.check(&net.Scenario) || c.note != "" && noted(net, c.note) < 0 || c.note == "" && noted(net, "assumed: a flow")+noted(net, "ecn_by_part")+noted(net, "DC connection")+noted(net, "SRD") != -4 {
			t.Errorf("%s: %+v\n%+v\n%q", name, net.Scenario.Transport, net.Scenario.Balancing, net.Notes)
		}
	}
	parts := pair()
	parts.Switches[0].Chip = "tomahawk5"
	if net := made(t, parts, Options{ECNByPart: true}); noted(net, "queues of chips with a buffer of several parts") < 0 || noted(net, "changes nothing") >= 0 {
		t.Errorf("%q", net.Notes)
	}
	own := pair()
	own.Switches[0].LoadBalancing = "spray"
	if net := made(t, own, Options{}); net.Scenario.Balancing.Mode != balance.Spray {
		t.Error("the plan's balancing is not taken")
	}
	for i := range own.Switches[0].Classes {
		own.Switches[0].Classes[i].Transport = "xrc"
	}
	if net := made(t, own, Options{LoadBalancing: "flowlet"}); net.Scenario.Balancing.Mode != balance.Flowlet || net.Scenario.Transport.Service != sim.XRC {
		t.Error("the scenario's balancing, or the plan's transport, is not taken")
	}
}

// Payloads fit the frames: with 82 B of headers 1,024 B do not fit 1,105 B, and 512 B do. No less than 256 B are sent.
func TestPayload(t *testing.T) {
	for frame, want := range map[units.Bytes]units.Bytes{1522: 1024, 1102: 1024, 1101: 512, 590: 512, 589: 256, 200: 256} {
		p := pair()
		p.Switches[0].MTU = plan.Of(frame, nil)
		must.Equalf(t, made(t, p, Options{}).Scenario.Transport.Payload, want, "frames of %v carry", frame)
		p = pair()
		p.Switches[0].Ports[1].MTU = frame // of one port that is there
		must.Equalf(t, made(t, p, Options{}).Scenario.Transport.Payload, want, "frames of %v at a port carry", frame)
		p = pair()
		p.Switches[0].Ports[1].Assumed = &plan.Assumed{LosslessFrame: plan.Of(frame, nil)}
		if got := made(t, p, Options{}).Scenario.Transport.Payload; got != min(want, 1024) {
			t.Errorf("lossless frames of %v carry %v, want %v", frame, got, want)
		}
	}
	p := pair()
	p.Hosts[0].RoCEMTU = 0
	p.Switches[0].MTU = plan.Of[units.Bytes](9216, nil)
	must.Equal(t, made(t, p, Options{}).Scenario.Transport.Payload, 4096)
	p.Hosts[0].SendLatency, p.Hosts[0].ReceiveLatency = plan.Of[units.Time](5, nil), plan.Of[units.Time](7, nil)
	if h := made(t, p, Options{}).Scenario.Transport.Host; h.Post != 5 || h.Deliver != 7 {
		t.Errorf("%+v", h)
	}
}

// Servers are those of which all NICs are there.
func TestServersOfFabrics(t *testing.T) {
	p := pair()
	at := func(sw, port string) plan.LinkEnd { return plan.LinkEnd{Switch: sw, Port: port} }
	p.Servers = []plan.Server{
		{GPUs: 2, Machine: plan.Machine{NVLink: 9}, NICs: []plan.LinkEnd{at("a", "s2"), at("b", "s1")}}, {GPUs: 4, NICs: []plan.LinkEnd{at("a", "s1"), at("a", "s3")}}, {GPUs: 1, NICs: []plan.LinkEnd{at("b", "s2")}},
	}
	net := made(t, p, Options{Size: Size{8, 2}})
	if got := fmt.Sprintf("%+v", net.Servers); got != "[{GPUs:2 NICs:[1 2] Machine:{NVLink:9bps NVLS:false AMD:false StepLatency:0ps}} {GPUs:1 NICs:[3] Machine:{NVLink:0bps NVLS:false AMD:false StepLatency:0ps}}]" {
		t.Error(got)
	}
}

// Background traffic has the first class that shares by weight, else a strict one; none where all are lossless.
func TestBackground(t *testing.T) {
	p := pair()
	if net := made(t, p, Options{}); net.lossy != 1 {
		t.Errorf("class %d", net.lossy)
	}
	p.Switches[0].Classes = p.Switches[0].Classes[2:]
	if net := made(t, p, Options{}); net.lossy != 2 || net.Classes != 2 { // rdma is 1, cnp 2
		t.Errorf("class %d of %d", net.lossy, net.Classes)
	}
	p.Switches[0].Classes = p.Switches[0].Classes[:1]
	if net := made(t, p, Options{}); net.lossy != 0 || net.RDMA != 1 {
		t.Errorf("class %d", net.lossy)
	}
}

// Actions of watchdogs, whose timers are no shorter than their poll; none where no port has one.
func TestWatchdogs(t *testing.T) {
	for action, want := range map[plan.WatchdogAction]sim.WatchdogAction{plan.WatchdogDrop: sim.WatchdogDrop, plan.WatchdogForward: sim.WatchdogForward, plan.WatchdogAlert: sim.WatchdogAlert} {
		p := pair()
		p.Switches[0].Watchdog.Action = action
		p.Switches[0].Watchdog.Detection.Value, p.Switches[0].Watchdog.Restoration.Value = 1, 2
		w := made(t, p, Options{}).Scenario.Watchdogs[6]
		if w == nil || w.Action != want || w.Detection != 100*units.Millisecond || w.Restoration != 100*units.Millisecond {
			t.Errorf("%v: %+v", action, w)
		}
	}
	p := pair()
	p.Switches[0].Ports[0].QoS.Watchdog = false
	if w := made(t, p, Options{}).Scenario.Watchdogs[6]; w != nil {
		t.Errorf("%+v", w)
	}
}

// What a fault leaves out is drawn; what it says is kept.
func TestDrawKeeps(t *testing.T) {
	net := made(t, pair(), Options{Size: Size{8, 2}})
	at := plan.LinkEnd{Switch: "a", Port: "s2"}
	for _, f := range []Fault{{Kind: LongCable, At: at, Length: 5}, {Kind: SlowPeer, At: at, Response: 5}, {Kind: SteepKMin, At: at, Times: 9}, {Kind: SwappedCables, At: at, With: plan.LinkEnd{Switch: "b", Port: "s1"}}, {Kind: SteepKMin, At: plan.LinkEnd{Switch: "a"}}} {
		if got, err := net.Draw(f, 1); err != nil || got != f {
			t.Errorf("%+v becomes %+v, %v", f, got, err)
		}
	}
	drawn := map[int64]bool{}
	for seed := range uint64(5000) { // each of 250 lengths is missed by one in e²⁰
		f, _ := net.Draw(Fault{Kind: LongCable, At: at}, seed)
		drawn[int64((f.Length-2*units.Metre)/units.Metre)] = true
	}
	if len(drawn) != 250 || !drawn[50] || !drawn[299] {
		t.Errorf("%d lengths are drawn", len(drawn))
	}
	for seed := range uint64(50) {
		f, err := net.Draw(Fault{Kind: LongCable, At: at}, seed)
		if more := f.Length - 2*units.Metre; err != nil || more < 50*units.Metre || more >= 300*units.Metre {
			t.Errorf("%v, %v", f.Length, err)
		}
		f, err = net.Draw(Fault{Kind: SlowPeer, At: at}, seed)
		if more := f.Response - net.Scenario.Links[1].Response[0]; err != nil || more < units.Microsecond || more > 5*units.Microsecond {
			t.Errorf("%v, %v", f.Response, err)
		}
		f, err = net.Draw(Fault{Kind: StormingNIC}, seed)
		if err != nil || net.Host(f.At) < 0 {
			t.Errorf("%v, %v", f.At, err)
		}
		f, err = net.Draw(Fault{Kind: SwappedCables}, seed)
		if _, faulty := net.Faulty(f); err != nil || faulty != nil {
			t.Errorf("%v: %v, %v", f, err, faulty)
		}
	}
	if f, err := net.Draw(Fault{Kind: SteepKMin, At: at}, 1); err != nil || f.Times != 4 {
		t.Errorf("%+v, %v", f, err)
	}
	net.Scenario.Links[0].Egress[1].ECN = [8]sim.ECN{} // which all ports share
	if _, err := net.Draw(Fault{Kind: SteepKMin}, 1); err == nil || err.Error() != "no port can have the fault kmin" {
		t.Error(err)
	}
}

// A fabric of cells has one ingress buffer: what the first switch's chip shares, and the largest headroom for each of its
// hosts in delays of their links. At 25 Gb/s cables of 1, 2 and 3 m hold 16, 32 and 47 B, rounded up.
func TestCells(t *testing.T) {
	p := pair()
	p.Switches[0].Ports[0].QoS.PGs[0].Headroom = plan.Of[units.Bytes](25_600, nil)
	p.Switches[0].Pools[0].Size, p.Switches[0].Pools[1].Size = plan.Of(units.MB, nil), plan.Of(units.MB, nil)
	config := made(t, p, Options{}).Scenario.Silicon[6].Config
	headroom := units.Bytes(config.Ports[0].PGs[3].HeadroomCells) * config.CellBytes
	shared := units.Bytes(config.IngressPools[0].SharedCells) * config.CellBytes
	if headroom < 25_600 || shared < 500_000 {
		t.Fatalf("headroom %v, shared %v", headroom, shared)
	}
	delays := (headroom + 15) / 16
	net := made(t, p, Options{LoadBalancing: "cell"})
	sc := &net.Scenario
	if want := (cells.Config{Credit: 1024, Speedup: 1.02, EgressBuffer: 16 * units.KB}); sc.Balancing.Mode != balance.Cells || sc.Balancing.Cells != want || sc.Silicon != nil {
		t.Errorf("%+v", sc.Balancing)
	}
	want := sim.HPCCBuffer{Size: shared + delays*(16+32+47), AlphaShift: 3, HeadroomDelays: int(delays)}
	must.Equal(t, sc.Buffer, want)
	if noted(net, fmt.Sprintf("credits of 1024 B at 1.02 times a port's rate, 16000 B of egress buffer; ingress buffers of %d B with alpha 1/8", want.Size)) < 0 {
		t.Errorf("%q", net.Notes)
	}
}
