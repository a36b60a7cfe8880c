package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Whatever way to balance load, congestion control and transport the language has a word for,
// the simulator runs it: nothing is lost, and all arrives.
func TestEveryWordIsSimulated(t *testing.T) {
	words := map[string][]string{
		"load_balancing":     {"ecmp", "flowlet", "letflow", "spray", "adaptive", "global", "conweave", "cell"},
		"congestion_control": {"dcqcn", "timely", "timely_listing", "timely_patched", "hpcc", "swift", "rttcc", "rtt_template", "dctcp", "none"},
		"transport":          {"rc", "xrc", "dc", "srd"},
	}
	var text strings.Builder
	n := 0
	for attribute, list := range words {
		for _, word := range list {
			fmt.Fprintf(&text, "scenario %q {\n  %s = %s\n  incast {\n    senders = 4\n  }\n  permutation {\n    message = \"100KB\"\n  }\n}\n", attribute+"-"+word, attribute, word)
			n++
		}
	}
	f, p := compiled(t, "dcqcn", text.String())
	for _, o := range run(t, jobs(t, p, fabric.Size{Edges: 4, HostsPerEdge: 4}, Traces(nil).All(f)[:n], 100*units.Microsecond)) {
		if o.Skipped != "" || o.Drops != 0 || o.Unfinished != 0 {
			t.Errorf("%s: %s; %d drops, %d flows unfinished", o.Pattern, o.Skipped, o.Drops, o.Unfinished)
		}
	}
}

// Marks by a polled queue come late, so an incast's queue grows beyond what it is with marks by
// the queue as it is; a reading each microsecond is nearly that.
func TestPolledECN(t *testing.T) {
	var text strings.Builder
	for _, polled := range []string{"", "polled_ecn { period = \"1us\" }", "polled_ecn {\n period = \"50us\"\n weight = \"25%\"\n}"} {
		fmt.Fprintf(&text, "scenario \"s%d\" {\n  incast {\n    senders = 8\n  }\n  %s\n}\n", text.Len(), polled)
	}
	f, p := compiled(t, "dcqcn", text.String())
	o := run(t, jobs(t, p, fabric.Size{Edges: 4, HostsPerEdge: 4}, Traces(nil).All(f)[:3], 200*units.Microsecond))
	at := func(i int) float64 { return float64(o[i].PeakEgressQueue) }
	if at(1) > 1.2*at(0) || at(2) < 1.2*at(0) || at(0) == 0 {
		t.Errorf("longest queues: %.0f B as it is, %.0f B read each 1 us, %.0f B read each 50 us and averaged", at(0), at(1), at(2))
	}
}

// No scenario that the language takes fills memory: what is too much is refused, and nothing is
// cut without a word.
func TestTooManyMessages(t *testing.T) {
	f, p := compiled(t, "dcqcn", `
scenario "bursts" {
  incast {
    senders = 60
    message = "64B"
    every   = "1ns"
  }
}
scenario "ring" {
  ring_all_reduce {
    queue_pairs = 1024
  }
}
scenario "flows" {
  flow {
    src         = "leaf-1:Ethernet0"
    dst         = "leaf-2:Ethernet0"
    message     = "64B"
    repeat      = 100000
    queue_pairs = 1024
  }
}
scenario "arrivals" {
  poisson {
    message     = "64B"
    load        = "100%"
    queue_pairs = 1024
  }
}`)
	catalogue, _ := chips.Load()
	_, list, err := pattern.Jobs(p, catalogue.Find, fabric.Options{Size: fabric.Size{Edges: 4, HostsPerEdge: 16}}, Traces(nil).All(f)[:4], 0)
	must.Do(t, err)
	for _, j := range list {
		o := run(t, []pattern.Job{j})[0]
		if !strings.Contains(o.Skipped, "above 1000000") || !slices.Contains(o.Missed, pattern.NotRun) {
			t.Errorf("%s: %q, missed %v", o.Pattern, o.Skipped, o.Missed)
		}
	}
}

// What a scenario asks of its hosts is what they do, and what it leaves to assumptions is said
// with its name.
func TestHostsOfAScenario(t *testing.T) {
	f, p := compiled(t, "dcqcn", `
scenario "given" {
  congestion_control = rttcc
  transport          = dc
  rttcc {
    target       = "5us"
    additive     = "100Mbps"
    beta         = "80%"
    max_decrease = "50%"
    gain         = "25%"
  }
  permutation {
  }
}
scenario "hosts" {
  congestion_control = swift
  swift {
    endpoint_target = "70us"
    per_hop         = "1us"
  }
  permutation {
  }
}
scenario "assumed" {
  congestion_control = rttcc
  permutation {
  }
}`)
	catalogue, _ := chips.Load()
	base, list, err := pattern.Jobs(p, catalogue.Find, fabric.Options{Size: whole}, Traces(nil).All(f)[:3], 0)
	must.Do(t, err)
	assumed, given := list[0].Network.Scenario, list[1].Network.Scenario
	if s := list[2].Network.Scenario.Congestion.Swift; s.Endpoint != 70*units.Microsecond || s.PerHop != units.Microsecond || s.Base != 20*units.Microsecond {
		t.Errorf("%+v", s)
	}
	want := sim.RTTCC{Target: 5 * units.Microsecond, Additive: 100 * units.Mbps, Beta: 0.8, MaxDecrease: 0.5, Gain: 0.25}
	if given.Congestion.RTTCC != want || given.Transport.Service != sim.DC || assumed.Transport.Service != sim.RC {
		t.Errorf("%+v, services %v and %v", given.Congestion.RTTCC, given.Transport.Service, assumed.Transport.Service)
	}
	notes := strings.Join(pattern.Notes(base, list), "\n")
	if !strings.Contains(notes, "scenario assumed: assumed: RTT-based control") || strings.Contains(notes, "scenario given: assumed: RTT") || !strings.Contains(notes, "scenario given: assumed: each end of a DC") {
		t.Errorf("notes:\n%s", notes)
	}
}

// A scenario that needs more hosts than others gets them.
func TestLargeScenarios(t *testing.T) {
	f, p := compiled(t, "dcqcn", `
scenario "wide" {
  incast {
    senders = 40
  }
}
scenario "narrow" {
  incast {
    senders = 2
  }
}`)
	list := jobs(t, p, fabric.Size{Edges: 2, HostsPerEdge: 16}, Traces(nil).All(f)[:2], units.Microsecond)
	if narrow, wide := list[0].Network, list[1].Network; len(narrow.Hosts) != 32 || len(wide.Hosts) != 48 {
		t.Errorf("%d and %d hosts, want 32 and 48", len(narrow.Hosts), len(wide.Hosts))
	}
}

// A scenario of the fabric is run on the hosts that it names, with what it asks for.
func TestScenariosOfTheFabric(t *testing.T) {
	f, p := compiled(t, "dcqcn", `
scenario "chosen" {
  hosts              = ["leaf-2:Ethernet[0..8/4]", "leaf-3"]
  load_balancing     = spray
  congestion_control = hpcc
  seeds              = 2

  flow {
    src     = "leaf-2:Ethernet8"
    dst     = "leaf-3:Ethernet60"
    message = "10KB"
    repeat  = 3
    every   = "20us"
    start   = "5us"
  }
  goals {
    max_latency = "7us"
  }
}
scenario "incast-2" {
  doc = "instead of the library's"

  flow {
    src     = "leaf-1:Ethernet4"
    dst     = "leaf-4:Ethernet4"
    message = "10KB"
  }
}
`)
	all := Traces(nil).All(f)
	if all[0].Name != "chosen" || all[0].Goals.MaxLatency != 7*units.Microsecond || all[0].Goals.UsualLatency != 40*units.Microsecond {
		t.Errorf("%+v", all[0])
	}
	n := 0
	for _, s := range all {
		if s.Name == "incast-2" {
			n++
		}
	}
	if n != 1 || all[1].Doc != "instead of the library's" {
		t.Errorf("%d scenarios are called incast-2, the second one is %q", n, all[1].Doc)
	}
	list := jobs(t, p, fabric.Size{Edges: 2, HostsPerEdge: 2}, all[:2], 100*units.Microsecond)
	if len(list) != 3 || list[1].Seed != 2 {
		t.Fatalf("%d runs", len(list))
	}
	net := list[0].Network
	if len(net.Hosts) != 19 || net.Scenario.Balancing.Mode != balance.Spray || net.Scenario.Congestion.Algorithm != sim.UseHPCC {
		t.Errorf("%d hosts, balancing %v, control %v", len(net.Hosts), net.Scenario.Balancing.Mode, net.Scenario.Congestion.Algorithm)
	}
	sc, messages := list[0].Build()
	if messages != 3 || sc.Flows[2].Start != 45*units.Microsecond || net.Hosts[sc.Flows[2].Dst].Port != "Ethernet60" {
		t.Errorf("%d messages: %+v", messages, sc.Flows[:messages])
	}
	if other := list[2].Network; other.Host(plan.LinkEnd{Switch: "leaf-1", Port: "Ethernet4"}) < 0 || len(other.Hosts) != 8 {
		t.Errorf("hosts of a cut fabric: %v", other.Hosts)
	}
	for _, o := range run(t, list) {
		if o.Skipped != "" || o.Unfinished > 0 {
			t.Errorf("%s: %s, %d flows unfinished", o.Pattern, o.Skipped, o.Unfinished)
		}
	}
}
