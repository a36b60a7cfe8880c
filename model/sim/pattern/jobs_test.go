package pattern_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Scenarios share a network unless they ask for something of their own, or for more hosts than it has: then
// for as many at a switch, and switches, as they need. Runs have seeds from 1 on.
func TestJobs(t *testing.T) {
	catalogue, _ := chips.Load()
	_, p := plantest.Folder(t, catalogue, "testdata/pod") // four leaves of sixteen hosts
	size := fabric.Options{Size: fabric.Size{Edges: 2, HostsPerEdge: 4}}
	at := func(sw, port string) plan.LinkEnd { return plan.LinkEnd{Switch: sw, Port: port} }
	incast := func(senders int, local bool) pattern.Traffic {
		return pattern.Traffic{Kind: "incast", Senders: senders, Receivers: 1, QueuePairs: 1, Message: 1000, Local: local}
	}
	scenarios := []pattern.Scenario{
		{Name: "as many", Traffic: []pattern.Traffic{incast(7, false)}},
		{Name: "one more", Traffic: []pattern.Traffic{incast(8, false)}},
		{Name: "at a switch", Traffic: []pattern.Traffic{incast(3, true)}},
		{Name: "more at a switch", Traffic: []pattern.Traffic{incast(4, true)}},
		{Name: "named hosts", Hosts: []plan.LinkEnd{at("leaf-3", "Ethernet0"), at("leaf-4", "Ethernet8")}, Traffic: []pattern.Traffic{{Kind: "shift", QueuePairs: 1}}},
		{Name: "named otherwise", Traffic: []pattern.Traffic{{Kind: "flow", QueuePairs: 1, Repeat: 1, Message: 1, Src: at("leaf-1", "Ethernet4"), Dst: at("leaf-3", "Ethernet60")}}},
		{Name: "settings", LoadBalancing: "flowlet", FlowletGap: 7 * units.Microsecond, CongestionControl: "rttcc", RTTCC: &sim.RTTCC{Target: 5}, Transport: "dc", DC: &fabric.DC{Initiators: 1, Connect: 9},
			Polling: fabric.Polling{Period: 11, Weight: 0.5}, ECNByPart: true, Traffic: []pattern.Traffic{{Kind: "shift", QueuePairs: 1}}},
	}
	for i := range scenarios {
		scenarios[i].Time, scenarios[i].Seeds = units.Microsecond, 2
	}
	base, jobs, err := pattern.Jobs(p, catalogue.Find, size, scenarios, 0)
	if err != nil || len(jobs) != 14 || len(base.Hosts) != 8 {
		t.Fatalf("%v, %d jobs", err, len(jobs))
	}
	for i, hosts := range []int{8, 12, 8, 10, 2, -1, 8} {
		own := []bool{false, true, false, true, true, true, true}[i]
		for k := range 2 {
			j := &jobs[2*i+k]
			if j.Scenario != &scenarios[i] || j.Seed != uint64(k+1) || (j.Network != base) != own || hosts >= 0 && len(j.Network.Hosts) != hosts || !j.Fits() {
				t.Errorf("%s: seed %d, %d hosts, own %v", scenarios[i].Name, j.Seed, len(j.Network.Hosts), j.Network != base)
			}
		}
	}
	sc := &jobs[12].Network.Scenario
	if ecn := sc.Links[0].Egress[1].ECN[base.RDMA]; sc.Balancing.Mode != balance.Flowlet || sc.Balancing.FlowletGap != 7*units.Microsecond || sc.Congestion.RTTCC.Target != 5 || sc.Transport.Service != sim.DC || sc.Transport.Host.Connect != 9 ||
		ecn.PollPeriod != 11 || ecn.Weight != 0.5 || !ecn.ByPart {
		t.Errorf("%+v, %+v, %+v, %+v", sc.Balancing, sc.Congestion, sc.Transport, ecn)
	}

	// Notes are those of the base, then what a scenario alone has, once.
	notes := pattern.Notes(base, jobs)
	if !slices.Equal(notes[:len(base.Notes)], base.Notes) || slices.ContainsFunc(notes[len(base.Notes):], func(n string) bool { return !strings.HasPrefix(n, "scenario ") }) ||
		!slices.ContainsFunc(notes, func(n string) bool {
			return strings.HasPrefix(n, "scenario settings: assumed: the rule of RTT-based control")
		}) ||
		slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, "scenario as many") }) {
		t.Errorf("%q", notes)
	}
	if sorted := slices.Sorted(slices.Values(notes)); len(slices.Compact(sorted)) != len(notes) {
		t.Errorf("a note stands twice: %q", notes)
	}
	if alone := pattern.Notes(base, jobs[12:13]); slices.ContainsFunc(alone, func(n string) bool { return !strings.HasPrefix(n, "scenario settings: ") }) {
		t.Errorf("no scenario runs on the base: %q", alone)
	}
	jobs[0].Scenario.Events = []pattern.Event{{Kind: pattern.PFCStorm}}
	if notes = pattern.Notes(base, jobs[:1]); !strings.HasPrefix(notes[len(notes)-1], "assumed: where something goes wrong in the network") || !strings.Contains(notes[len(notes)-1], "give up after 7 tries") {
		t.Errorf("%q", notes)
	}

	// As many seeds as are asked for; what cannot be made is told with the scenario's name.
	if _, jobs, err = pattern.Jobs(p, catalogue.Find, size, scenarios[:1], 5); err != nil || len(jobs) != 5 || jobs[4].Seed != 5 {
		t.Errorf("%v, %d jobs", err, len(jobs))
	}
	wrong := []pattern.Scenario{{Name: "nowhere", Hosts: []plan.LinkEnd{at("x", "y")}, Traffic: []pattern.Traffic{{Kind: "shift", QueuePairs: 1}}}}
	if _, _, err = pattern.Jobs(p, catalogue.Find, size, wrong, 1); err == nil || err.Error() != "nowhere: none of the hosts is one of the fabric" {
		t.Error(err)
	}
	if _, _, err = pattern.Jobs(&plan.Plan{}, catalogue.Find, size, nil, 1); err == nil {
		t.Error("a plan of nothing runs")
	}

	// TCP's timer may run out several times: ten seconds beside fifty times the scenario's and 100 ms.
	lossy := []pattern.Scenario{{Name: "lossy", Time: units.Millisecond, Traffic: []pattern.Traffic{{Kind: "shift", QueuePairs: 1, Lossy: true}}}}
	if _, jobs, err = pattern.Jobs(p, catalogue.Find, size, lossy, 1); err != nil {
		t.Fatal(err)
	}
	if sc, _ := jobs[0].Build(); sc.Stop != 10_150*units.Millisecond || !sc.Flows[0].TCP {
		t.Errorf("it stops at %v", sc.Stop)
	}

	// A link that is named fails, and no other one.
	where := at("leaf-1", "Ethernet68")
	failing := []pattern.Scenario{{Name: "failing", Time: units.Microsecond, Traffic: []pattern.Traffic{{Kind: "shift", QueuePairs: 1}}, Events: []pattern.Event{{Kind: pattern.LinkFailure, Where: where, At: 3, Until: 9}}}}
	if _, jobs, err = pattern.Jobs(p, catalogue.Find, size, failing, 3); err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		sc, _ := jobs[i].Build()
		if len(sc.Outages) != 1 || sc.Outages[0] != (sim.Outage{Link: jobs[i].Network.Link(where), Down: 3, Up: 9}) || sc.Outages[0].Link < 0 {
			t.Errorf("%+v", sc.Outages)
		}
	}
}
