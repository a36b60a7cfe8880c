package fabric

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func healthy(t *testing.T) *Network {
	t.Helper()
	catalogue, _ := chips.Load()
	net, err := New(pair(), catalogue.Find, Options{Size: Size{Edges: 2, HostsPerEdge: 3}})
	if err != nil {
		t.Fatal(err)
	}
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
	if want := 6*5 + 4; swaps != want {
		t.Errorf("%d swaps, want %d", swaps, want)
	}
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
		f, err := ParseFault(text)
		if err != nil {
			t.Fatal(err)
		}
		own, err := net.Faulty(f)
		if err != nil {
			t.Fatal(err)
		}
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
