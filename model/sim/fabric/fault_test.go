package fabric

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func healthy(t *testing.T) *Network {
	t.Helper()
	catalogue, _ := chips.Load()
	net := must.Get(New(pair(), catalogue.Find, Options{Size: Size{Edges: 2, HostsPerEdge: 3}}))(t)
	return net
}

// Whichever cables are swapped, each port of a switch is the chip's port that it was, on its own
// switch; and each cable has its two ends.
func TestSwap(t *testing.T) {
	net := healthy(t)
	sw := pair().Switches[0]
	nodes := map[string]int{"a": 6, "b": 7} // behind 6 hosts
	swaps := 0
	for _, at := range net.places(SwappedCables) {
		for _, with := range net.places(SwappedCables) {
			own, err := net.Faulty(Fault{Kind: SwappedCables, At: at, With: with})
			if err != nil {
				continue
			}
			swaps++
			chip := own.chipPorts()
			for i := range chip {
				end := own.End(i/2, i%2)
				if end == (plan.LinkEnd{}) {
					continue
				}
				if node := *nodeOf(&own.Scenario.Links[i/2], i%2); node != nodes[end.Switch] || sw.Ports[chip[i]].Name != end.Port {
					t.Errorf("%v with %v: %v is port %d of node %d", at, with, end, chip[i], node)
				}
			}
			was, _ := net.At(at)
			is, _ := own.At(with)
			if is != was || own.Faults[0].Peer != net.endName(was, 1-endOf(net, at), place) {
				t.Errorf("%v with %v: the cable of the first is now %d, was %d; %+v", at, with, is, was, own.Faults[0])
			}
		}
	}
	// Of the six hosts' cables each with five others, all of one rate; of the four ends of the two
	// trunks each with the two of the other cable, of which one leads back to the own switch.
	must.Equalf(t, swaps, 6*5+4, "swaps:")
	if slices.Contains(net.Ports(), "") || len(net.Faults) > 0 {
		t.Error("the healthy network has changed")
	}
}

func endOf(n *Network, at plan.LinkEnd) int {
	_, end := n.At(at)
	return end
}

// The quantities of faults are those of the links, and the plan's stay where the fault is not.
func TestFaultyLinks(t *testing.T) {
	net := healthy(t)
	for text, check := range map[string]func(l *sim.Link, end int) bool{
		"cable@a:s1=20m": func(l *sim.Link, _ int) bool { return l.Delay == 100*units.Nanosecond },
		"response@a:u1=9us": func(l *sim.Link, end int) bool {
			return l.Response[1-end] == 9*units.Microsecond && l.Response[end] < units.Time(9*units.Microsecond)
		},
		"kmin@a:s1=4": func(l *sim.Link, end int) bool {
			return l.Egress[end].ECN[2].KMin == 4000 && l.Egress[end].ECN[2].KMax == 9000
		},
		"kmin@a=20": func(l *sim.Link, end int) bool {
			return l.Egress[end].ECN[2].KMin == 20000 && l.Egress[end].ECN[2].KMax == 20000
		},
		"no_pfc@a:s1": func(l *sim.Link, end int) bool { return l.NoPFC[end] && !l.NoPFC[1-end] },
		"no_cnp@a:s1": func(l *sim.Link, end int) bool { return l.LosesCNPs[1-end] && !l.LosesCNPs[end] },
	} {
		f := must.Get(ParseFault(text))(t)
		own := must.Get(net.Faulty(f))(t)
		at := f.At
		if at.Port == "" {
			at.Port = "u2"
		}
		link, end := own.At(at)
		if !check(&own.Scenario.Links[link], end) || check(&net.Scenario.Links[link], end) {
			t.Errorf("%s: %+v, healthy %+v", text, own.Scenario.Links[link], net.Scenario.Links[link])
		}
		other, otherEnd := own.At(plan.LinkEnd{Switch: "b", Port: "s2"})
		if check(&own.Scenario.Links[other], otherEnd) {
			t.Errorf("%s: %+v has it too", text, own.Scenario.Links[other])
		}
	}
	own, err := net.Faulty(Fault{Kind: StormingNIC, At: plan.LinkEnd{Switch: "b", Port: "s1"}, From: units.Microsecond})
	if want := (sim.Storm{Host: 3, Class: 2, From: units.Microsecond}); err != nil || len(own.Scenario.Storms) != 1 || own.Scenario.Storms[0] != want {
		t.Errorf("%v, %v", own.Scenario.Storms, err)
	}
}

// Faults that a network cannot have, and texts that say none, are told.
func TestNoSuchFault(t *testing.T) {
	net := healthy(t)
	for text, want := range map[string]string{
		"rust@a:s1": "is not a fault", "cable@a": "is not SWITCH:PORT", "cable@a:s1=4": "unit", "kmin@a=x": "is not a whole number",
		"swap@a:s1=b": "is not SWITCH:PORT", "no_pfc@a:s1=3": "has no quantity", "": "is not a fault",
		"cable@a:s9=10m": "is not among the ports", "cable@a:s2=1m": "must be longer", "response@a:s1=1ns": "must be later",
		"kmin@a:s1=1": "2 to 1000", "kmin@c=4": "marks no lossless class", "no_cnp@a:u1": "there is no server", "storm@a:u2": "there is no server",
		"swap@a:s1=a:u1": "differ in rate, or", "swap@a:u1=b:u2": "the ends of one cable", "swap@a:u1=b:u1": "cabled to itself", "swap@a:s1=a:s9": "is not among the ports",
	} {
		f, err := ParseFault(text)
		if err == nil {
			_, err = net.Faulty(f)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// What is drawn can be had, depends on the seed, and is the same for equal seeds.
func TestDraw(t *testing.T) {
	net := healthy(t)
	for _, kind := range FaultKinds() {
		drawn := map[Fault]bool{}
		for seed := range uint64(40) {
			f, err := net.Draw(Fault{Kind: kind}, seed)
			again, _ := net.Draw(Fault{Kind: kind}, seed)
			if err != nil || f != again {
				t.Fatal(kind, err, f, again)
			}
			if _, err := net.Faulty(f); err != nil {
				t.Errorf("%+v: %v", f, err)
			}
			drawn[f] = true
		}
		if len(drawn) < 5 {
			t.Errorf("%s: only %d different faults in 40", kind, len(drawn))
		}
	}
}

// What a fault is told as: where, the other end, and how much, by the plan and really.
func TestTruthOfFaults(t *testing.T) {
	for text, want := range map[string]Injected{
		"cable@a:s2=3m":       {Kind: LongCable, At: "a:s2", Peer: "nic.a:s2", Told: "2m", Real: "3m"},
		"response@a:u1=9us":   {Kind: SlowPeer, At: "a:u1", Peer: "b:u2", Told: "1638400ps", Real: "9us"},
		"kmin@a:s1=2":         {Kind: SteepKMin, At: "a:s1", Peer: "nic.a:s1", Told: "1000B", Real: "2000B"},
		"kmin@a=1000":         {Kind: SteepKMin, At: "a", Told: "1000B", Real: "1000000B"},
		"no_pfc@b:u1":         {Kind: MissingPFC, At: "b:u1", Peer: "a:u2"},
		"no_cnp@a:s1":         {Kind: LostCNPs, At: "a:s1", Peer: "nic.a:s1"},
		"storm@b:s3=4us":      {Kind: StormingNIC, At: "b:s3", Peer: "nic.b:s3", Real: "4us"},
		"swap@a:s1=b:s2":      {Kind: SwappedCables, At: "a:s1", Peer: "nic.a:s1", With: "b:s2", WithPeer: "nic.b:s2"},
		"response@b:u1=1.7us": {Kind: SlowPeer, At: "b:u1", Peer: "a:u2", Told: "1638400ps", Real: "1700ns"},
	} {
		f := must.Get(ParseFault(text))(t)
		net := healthy(t)
		own, err := net.Faulty(f)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := own.Faults[0]
		for _, told := range []*string{&got.Told, &got.Real, &want.Told, &want.Real} {
			if at, err := units.ParseTime(*told); err == nil {
				*told = at.String()
			} else if b, err := units.ParseBytes(*told); err == nil {
				*told = b.String()
			}
		}
		must.Equalf(t, got, want, "%s:", text)
		if sc := &own.Scenario; sc.Transport.AckTimeout != 67_108_864*units.Nanosecond || sc.Transport.Retries != 7 { // 4.096 us · 2^14
			t.Errorf("%s: %+v", text, sc.Transport)
		}
	}
}

// Faults at their bounds: as long, as slow or as early as the plan says is none, and so is a storm that
// ends when it begins; two to a thousand times Kmin are.
func TestBoundsOfFaults(t *testing.T) {
	net := healthy(t)
	a := func(port string) plan.LinkEnd { return plan.LinkEnd{Switch: "a", Port: port} }
	told := net.Scenario.Links[1].Response[0]
	for _, c := range []struct {
		f  Fault
		ok bool
	}{
		{Fault{Kind: LongCable, At: a("s2"), Length: 2 * units.Metre}, false}, {Fault{Kind: LongCable, At: a("s2"), Length: 2*units.Metre + 1}, true},
		{Fault{Kind: SlowPeer, At: a("s2"), Response: told}, false}, {Fault{Kind: SlowPeer, At: a("s2"), Response: told + 1}, true},
		{Fault{Kind: SteepKMin, At: a("s2"), Times: 1}, false}, {Fault{Kind: SteepKMin, At: a("s2"), Times: 2}, true}, {Fault{Kind: SteepKMin, At: a("s2"), Times: 1000}, true}, {Fault{Kind: SteepKMin, At: a("s2"), Times: 1001}, false},
		{Fault{Kind: StormingNIC, At: a("s2"), From: 5}, true}, {Fault{Kind: StormingNIC, At: a("s2"), From: 5, Until: 5}, false}, {Fault{Kind: StormingNIC, At: a("s2"), From: 5, Until: 6}, true},
		{Fault{Kind: "rust", At: a("s2")}, false},
	} {
		if _, err := net.Faulty(c.f); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.f, err)
		}
	}
	own, err := net.Faulty(Fault{Kind: StormingNIC, At: a("s2"), From: 5, Until: 9})
	if want := (sim.Storm{Host: 1, Class: 2, From: 5, To: 9}); err != nil || own.Scenario.Storms[0] != want {
		t.Errorf("%v, %v", own, err)
	}
	// Trunks of the same switches can be swapped unless one would lead back.
	if _, err := net.Faulty(Fault{Kind: SwappedCables, At: a("u1"), With: a("u2")}); err != nil {
		t.Error(err)
	}
}

// What a text says of a fault, and what it leaves open.
func TestParseFault(t *testing.T) {
	a := plan.LinkEnd{Switch: "a", Port: "s1"}
	for text, want := range map[string]Fault{
		"cable": {Kind: LongCable}, "cable=3m": {Kind: LongCable, Length: 3 * units.Metre}, "cable@a:s1": {Kind: LongCable, At: a},
		"cable@a:s1=3m": {Kind: LongCable, At: a, Length: 3 * units.Metre}, "response@a:s1=3us": {Kind: SlowPeer, At: a, Response: 3 * units.Microsecond},
		"kmin@a": {Kind: SteepKMin, At: plan.LinkEnd{Switch: "a"}}, "kmin@a:s1=4": {Kind: SteepKMin, At: a, Times: 4},
		"storm@a:s1=3us": {Kind: StormingNIC, At: a, From: 3 * units.Microsecond}, "swap@a:s1=b:s2": {Kind: SwappedCables, At: a, With: plan.LinkEnd{Switch: "b", Port: "s2"}},
		"kmin=2147483647": {Kind: SteepKMin, Times: 2147483647}, "no_pfc": {Kind: MissingPFC}, "no_cnp@a:s1": {Kind: LostCNPs, At: a},
	} {
		if got, err := ParseFault(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"response@a:s1=4": "unit", "storm@a:s1=x": "x", "cable@a": `"a" is not SWITCH:PORT`, "kmin@a=1.5": `"1.5" is not a whole number`, "kmin=2147483648": "is not a whole number",
		"swap=b": `"b" is not SWITCH:PORT`, "no_cnp=1": "no_cnp has no quantity", "rust": `"rust" is not a fault; there are [cable response kmin no_pfc no_cnp swap storm]`,
	} {
		if _, err := ParseFault(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// A port that neither sends pauses nor obeys them is that one wherever its cable goes; a storm holds all
// lossless classes; what marks at one byte marks.
func TestFaultsTogether(t *testing.T) {
	net := healthy(t)
	own, err := net.Faulty(Fault{Kind: MissingPFC, At: plan.LinkEnd{Switch: "a", Port: "s1"}}, Fault{Kind: SwappedCables, At: plan.LinkEnd{Switch: "a", Port: "s1"}, With: plan.LinkEnd{Switch: "b", Port: "s2"}})
	must.Do(t, err)
	for port, want := range map[plan.LinkEnd]bool{{Switch: "a", Port: "s1"}: true, {Switch: "b", Port: "s2"}: false} {
		if link, end := own.At(port); own.Scenario.Links[link].NoPFC[end] != want {
			t.Errorf("%v: %+v", port, own.Scenario.Links[link])
		}
	}
	net.Lossless = 1<<2 | 1<<7
	own, err = net.Faulty(Fault{Kind: StormingNIC, At: plan.LinkEnd{Switch: "a", Port: "s1"}})
	if err != nil || len(own.Scenario.Storms) != 2 || own.Scenario.Storms[0].Class != 2 || own.Scenario.Storms[1].Class != 7 {
		t.Errorf("%v, %+v", err, own.Scenario.Storms)
	}
	net.Scenario.Links[0].Egress[1].ECN = [8]sim.ECN{2: {KMax: 1}}
	if f, err := net.Draw(Fault{Kind: SteepKMin}, 1); err != nil || f.At == (plan.LinkEnd{}) {
		t.Errorf("%+v, %v", f, err)
	}
}
