package verify

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// What fails in a state on the way is told by port; what fails of no group, by the part of the
// buffer and what fails in it, without the ports that are alike, and where one of several kinds fails, by that alone;
// what holds under conditions, and what no lossless packet depends on, is not told.
func TestFaults(t *testing.T) {
	group := func(where string, pg int, ports ...string) Group {
		return Group{Group: proof.Group{Where: where, PG: pg, Ports: ports}}
	}
	o := func(id, where string, v proof.Verdict, lossless bool) proof.Obligation {
		return proof.Obligation{ID: id, Where: where, Verdict: v, Lossless: lossless}
	}
	s := &Switch{
		open:   []Reason{{Message: "a line is not modelled"}},
		Groups: []Group{group("gpus, PG 3", 3, "p1", "p2"), group("nics, PG 4", 4, "p3")},
		Obligations: []proof.Obligation{
			o("headroom", "gpus, PG 3", proof.Fails, true), o("xon", "nics, PG 4", proof.Unjudged, true), o("pool", "slice 1, pool in", proof.Fails, true),
			o("memory", "slice 1", proof.Fails, false), o("queue", "gpus, PG 3", proof.Holds, true), o("port", "nics, PG 4", proof.Conditional, true),
			o("queue", "slice 1, queue 3 of gpus (2 × 400Gbps, 5m), 1 sender", proof.Fails, true), o("queue", "slice 1, queue 3 of nics (1 × 100Gbps, 5m), 2 senders", proof.Unjudged, true),
			o("queue", "slice 1, queue 4 of nics (1 × 100Gbps, 5m), 2 senders", proof.Unjudged, true), o("memory", "slice 0", proof.Unjudged, true),
		},
	}
	want := []string{
		"a line is not modelled", "headroom does not hold for priority group 3 of p1", "headroom does not hold for priority group 3 of p2",
		"memory is not judged in slice 0", "pool does not hold in slice 1, pool in",
		"queue does not hold in slice 1, queue 3", "queue is not judged in slice 1, queue 4", "xon is not judged for priority group 4 of p3",
	}
	if got := slices.Sorted(maps.Keys(s.faults())); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A group is lossless in a state where PFC is on for a priority that leads to it, by the map
// and on that port.
func TestOnlyPaused(t *testing.T) {
	port := func(pfc uint8) plan.Port {
		return plan.Port{QoS: &plan.PortQoS{PFC: pfc, PGs: []plan.PG{{ID: 0}, {ID: 3, Lossless: true}, {ID: 4, Lossless: true}}}}
	}
	sw := &plan.Switch{Ports: []plan.Port{port(0), port(1 << 3), port(1 << 5), port(1<<3 | 1<<5), {}}}
	sw.Maps.PFCToPG = [8]uint8{7, 7, 7, 3, 7, 4, 7, 7}
	onlyPaused(sw)
	for i, want := range []string{"", "3", "4", "34"} {
		got := ""
		for _, pg := range sw.Ports[i].QoS.PGs {
			if pg.Lossless {
				got += string('0' + rune(pg.ID))
			}
		}
		if got != want {
			t.Errorf("PFC for %08b: groups %q are lossless, want %q", sw.Ports[i].QoS.PFC, got, want)
		}
	}
}

// Cables are the plan's, by name; a port that the plan does not have keeps its own.
func TestLay(t *testing.T) {
	sw := &plan.Switch{Ports: []plan.Port{{Name: "b", Cable: 1}, {Name: "x", Cable: 9}, {Name: "a"}}}
	lay(sw, &plan.Switch{Ports: []plan.Port{{Name: "a", Cable: 5 * units.Metre}, {Name: "b", Cable: 7 * units.Metre}}})
	for i, want := range []units.Length{7 * units.Metre, 9, 5 * units.Metre} {
		must.Equalf(t, sw.Ports[i].Cable, want, "%s:", sw.Ports[i].Name)
	}
}

// A file that is as the plan has it fails nowhere, whatever it says of cables; without PFC nothing
// is promised; with a tenth of their headroom all ports that have that profile fail, by name. A
// target that nothing reads is an error.
func TestFailsOfAState(t *testing.T) {
	p, catalogue := planOf(t, "mixed-cabling")
	sw := plannedSwitch(t, p, "tor-1")
	v := New(Options{Catalogue: catalogue})
	if _, err := v.Fails(sw, "telex", "tor-1", nil); err == nil || err.Error() != `no reader is called "telex"` {
		t.Errorf("a target that nothing reads: %v", err)
	}
	text := must.Get(os.ReadFile("../golden/mixed-cabling/tor-1/config_db.json"))(t)
	var servers []string
	for port := 0; port <= 92; port += 4 {
		servers = append(servers, fmt.Sprintf("headroom does not hold for priority group 3 of Ethernet%d", port))
	}
	slices.Sort(servers)
	for _, c := range []struct {
		old, now string
		want     []string
	}{
		{`"3m"`, `"2000m"`, nil},
		{`"pfc_enable": "3"`, `"pfc_enable": ""`, nil},
		{`"xoff": "165120"`, `"xoff": "16512"`, servers},
	} {
		edited := bytes.ReplaceAll(text, []byte(c.old), []byte(c.now))
		if bytes.Equal(edited, text) {
			t.Fatalf("%s is not in the file", c.old)
		}
		faults, err := v.Fails(sw, "sonic", "tor-1", edited)
		if got := slices.Sorted(maps.Keys(faults)); !slices.Equal(got, c.want) || err != nil {
			t.Errorf("%s: %q, %v, want %q", c.now, got, err, c.want)
		}
	}
}

// Where a file holds PFC, queues and curves alone, the amounts are the plan's, and what is
// lossless, and which queues there are, is the file's. Ports that are told alike stay so.
func TestBufferAsPlanned(t *testing.T) {
	why := &plan.Why{Kind: plan.Formula}
	planned := &plan.Switch{
		Pools: []plan.Pool{{Name: "pool", Size: plan.Of(units.Bytes(1000), why)}},
		Ports: []plan.Port{{Name: "a"}, {Name: "b"}, {Name: "d"}},
	}
	told := &plan.PortQoS{
		PGs:    []plan.PG{{ID: 3, Lossless: true, Pool: "pool", Headroom: plan.Of(units.Bytes(70), why)}, {ID: 4, Lossless: true, Reserved: plan.Of(units.Bytes(4), why)}},
		Queues: []plan.Queue{{ID: 3, Pool: "pool", Reserved: plan.Of(units.Bytes(30), why), Limit: plan.Of(plan.Limit{Static: 300}, why)}, {ID: 6, Pool: "pool"}},
		Pools:  []plan.PortPool{{Pool: "pool"}},
	}
	for i := range planned.Ports {
		planned.Ports[i].QoS = told
	}
	said := &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: 3, Lossless: true}}, Queues: []plan.Queue{{ID: 1}, {ID: 3, Scheduler: plan.Scheduler{Strict: true}}}}
	s := &Switch{Plan: &plan.Switch{Ports: []plan.Port{{Name: "a", QoS: said}, {Name: "b", QoS: said}, {Name: "c", QoS: said}, {Name: "d"}}}}
	s.bufferAsPlanned(planned)
	if !s.asFabric || len(s.Plan.Pools) != 1 || s.Plan.Ports[0].QoS != s.Plan.Ports[1].QoS || s.Plan.Ports[2].QoS != said || s.Plan.Ports[3].QoS != nil {
		t.Fatalf("as the fabric %v, pools %v, ports %+v", s.asFabric, s.Plan.Pools, s.Plan.Ports)
	}
	got := s.Plan.Ports[0].QoS
	if len(got.PGs) != 2 || !got.PGs[0].Lossless || got.PGs[0].Headroom.Value != 70 || got.PGs[1].Lossless || got.PGs[1].Reserved.Value != 4 || got.PFC != 1<<3 || len(got.Pools) != 1 {
		t.Errorf("groups: %+v", got.PGs)
	}
	if len(got.Queues) != 2 || got.Queues[0].ID != 1 || got.Queues[0].Pool != "" || got.Queues[1].Pool != "pool" || got.Queues[1].Reserved.Value != 30 ||
		got.Queues[1].Limit.Value.Static != 300 || !got.Queues[1].Scheduler.Strict {
		t.Errorf("queues: %+v", got.Queues)
	}
	if len(said.PGs) != 1 || said.Queues[1].Pool != "" {
		t.Error("what was read has changed")
	}
}
