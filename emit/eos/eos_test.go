package eos

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func given[T any](v T) plan.Derived[T] { return plan.Derived[T]{Value: v} }

func dynamic(a units.Alpha) plan.Derived[plan.Limit] {
	return given(plan.Limit{Dynamic: true, Alpha: a})
}

// leaf is a Tomahawk 5 leaf with servers that are not trusted and uplinks that are.
func leaf() *plan.Switch {
	const cell = units.Bytes(254)
	s := &plan.Switch{
		Names: []string{"leaf-1", "leaf-2"}, Chip: "tomahawk5", OS: "eos", Cell: cell, LoadBalancing: "flowlet",
		Classes: []plan.Class{
			{Name: "rest", TrafficClass: 1, Queue: 1},
			{Name: "rdma", TrafficClass: 3, Queue: 3, PG: 3, PFC: 3, Lossless: true},
			{Name: "cnp", TrafficClass: 6, Queue: 6},
		},
		Pools:    []plan.Pool{{Name: "ingress", Dynamic: true, Size: given(400_000 * cell), Headroom: given(9600 * cell)}},
		Watchdog: &plan.Watchdog{Detection: given(200 * units.Millisecond), Restoration: given(400 * units.Millisecond), Poll: given(100 * units.Millisecond), Action: plan.WatchdogDrop},
		Marking:  &plan.Marking{Rules: []plan.MarkRule{{UDPPort: 4791, DSCP: 26, TC: 3}, {DSCP: 48, TC: 6}}, DefaultTC: 1},
	}
	for d := range s.Maps.DSCPToTC {
		s.Maps.DSCPToTC[d] = 1
	}
	s.Maps.DSCPToTC[26], s.Maps.DSCPToTC[48] = 3, 6
	for i := range uint8(8) {
		s.Maps.TCToQueue[i], s.Maps.PFCToQueue[i] = i, i
	}
	s.Maps.TCToPG[3], s.Maps.PFCToPG[3] = 3, 3
	for i, group := range []string{"servers", "uplinks"} {
		q := &plan.PortQoS{
			PFC: 1 << 3, Watchdog: true, Trust: plan.Trust(1 - i),
			PGs: []plan.PG{
				{ID: 0, Pool: "ingress", Limit: given(plan.Limit{Static: 400_000 * cell})},
				{ID: 3, Pool: "ingress", Limit: dynamic(-2), Lossless: true, Reserved: given(20 * cell), XOnOffset: given(10 * cell), Headroom: given(units.Bytes(400+200*i) * cell)},
			},
			Queues: []plan.Queue{
				{ID: 1, Limit: dynamic(0), Scheduler: plan.Scheduler{Weight: given(int64(40))}},
				{ID: 3, Pool: "ingress", Limit: given(plan.Limit{Static: 400_000 * cell}), Scheduler: plan.Scheduler{Weight: given(int64(60))}, ECN: &plan.ECN{KMin: given(2000 * cell), KMax: given(8000 * cell), PMax: given(20 * units.Percent)}},
				{ID: 6, Limit: dynamic(0), Reserved: given(8 * cell), Scheduler: plan.Scheduler{Strict: true, MaxRate: given(10 * units.Gbps)}},
			},
		}
		s.Ports = append(s.Ports,
			plan.Port{Name: fmt.Sprintf("Ethernet%d/1", 2*i+1), Group: group, MTU: 9216, Routed: true, QoS: q},
			plan.Port{Name: fmt.Sprintf("Ethernet%d/1", 2*i+2), Group: group, MTU: 9216, Routed: true, QoS: q})
	}
	return s
}

// noBuffer takes away what only XGS chips can be told.
func noBuffer(s *plan.Switch) {
	s.Pools, s.LoadBalancing = nil, ""
	for _, p := range s.Ports {
		for i, g := range p.QoS.PGs {
			p.QoS.PGs[i] = plan.PG{ID: g.ID, Lossless: g.Lossless}
		}
		for i := range p.QoS.Queues {
			p.QoS.Queues[i].Limit, p.QoS.Queues[i].Reserved = plan.Derived[plan.Limit]{}, plan.Derived[units.Bytes]{}
		}
	}
}

func TestConfigurations(t *testing.T) {
	diagtest.Golden(t, "testdata/leaf.cfg", render(t, leaf()))
	spine := leaf()
	spine.Chip, spine.Names = "jericho2", []string{"spine-1"}
	noBuffer(spine)
	diagtest.Golden(t, "testdata/spine.cfg", render(t, spine))
}

// TestOneRenderingServesAllDevices: the name of the device is the only difference.
func TestOneRenderingServesAllDevices(t *testing.T) {
	files, _ := Emit(leaf())
	one, two := files[0].Body.AppendFor(nil, "leaf-1"), files[0].Body.AppendFor(nil, "leaf-2")
	if bytes.Equal(one, two) || !bytes.Equal(bytes.ReplaceAll(one, []byte("leaf-1"), []byte("leaf-2")), two) {
		t.Error("two devices of a shape differ by more than their name, or not at all")
	}
}

// TestFindings: what becomes of plans that EOS cannot hold as they are.
func TestFindings(t *testing.T) {
	qos := func(i int) func(*plan.Switch) *plan.PortQoS {
		return func(s *plan.Switch) *plan.PortQoS { return s.Ports[i].QoS }
	}
	servers, uplinks := qos(0), qos(2)
	diagtest.Golden(t, "testdata/findings.txt", plantest.Findings(t, leaf, Emit, []plantest.Fault[plan.Switch]{
		{"as it is", func(*plan.Switch) {}},
		{"without a headroom pool", func(s *plan.Switch) { s.Pools[0].Headroom.Value = 0 }},
		{"a chip that EOS does not run on", func(s *plan.Switch) { s.Chip = "spectrum4" }},
		{"a chip whose spelling is assumed", func(s *plan.Switch) { s.Chip = "trident3" }},
		{"a chip without lines for buffers", func(s *plan.Switch) { s.Chip = "jericho2"; s.LoadBalancing = "" }},
		{"names", func(s *plan.Switch) {
			s.Names[0], s.Ports[0].Name, s.Classes[0].Name = "leaf 1", "swp1", "best effort"
		}},
		{"two alphas of one group", func(s *plan.Switch) { uplinks(s).PGs[1].Limit = dynamic(-1) }},
		{"alpha 16", func(s *plan.Switch) { servers(s).PGs[1].Limit, uplinks(s).PGs[1].Limit = dynamic(4), dynamic(4) }},
		{"a static limit", func(s *plan.Switch) {
			servers(s).Queues[0].Limit = given(plan.Limit{Static: 1000})
			uplinks(s).Queues[0].Limit = given(plan.Limit{Static: 1000})
		}},
		{"three numbers for one class", func(s *plan.Switch) { s.Maps.TCToPG[3], s.Maps.PFCToQueue[3] = 4, 4 }},
		{"a lossy class in a lossless group", func(s *plan.Switch) { s.Maps.TCToPG[1] = 3 }},
		{"a lossless group without PFC", func(s *plan.Switch) { servers(s).PFC, servers(s).Watchdog = 0, false }},
		{"class 7 elsewhere", func(s *plan.Switch) { s.Maps.DSCPToTC[56] = 7; s.Maps.TCToQueue[7] = 6 }},
		{"a strict queue below", func(s *plan.Switch) { servers(s).Queues[0].Scheduler = plan.Scheduler{Strict: true} }},
		{"forwarding in spite of a pause", func(s *plan.Switch) { s.Watchdog.Action = plan.WatchdogForward }},
		{"timers", func(s *plan.Switch) {
			s.Watchdog.Detection.Value = 90 * units.Second
			s.Watchdog.Poll.Value = units.Second
		}},
		{"a port without a watchdog", func(s *plan.Switch) { servers(s).Watchdog = false }},
		{"spraying", func(s *plan.Switch) { s.LoadBalancing = "spray" }},
		{"trimming", plantest.Trimming},
		{"what is sent back, and a port that classifies by itself", plantest.SentBack},
		{"a rewriting that leaves some ports out", func(s *plan.Switch) { servers(s).Rewrite = &plan.Rewrite{TCs: 1, DSCP: [8]uint8{8}} }},
		{"rounding", func(s *plan.Switch) {
			servers(s).Queues[1].ECN.PMax.Value = units.Percent / 2
			servers(s).Queues[2].Scheduler.MaxRate.Value = 1500
			servers(s).Queues[0].Scheduler.Weight.Value = 90
			s.Watchdog.Detection.Value = 205 * units.Millisecond
		}},
		{"a frame beyond mtu", func(s *plan.Switch) { s.Ports[1].MTU = 9500 }},
		{"a port that switches", func(s *plan.Switch) { s.Ports[1].Routed = false }},
		{"a bound of a whole port", func(s *plan.Switch) { servers(s).Pools = []plan.PortPool{{Pool: "ingress"}} }},
	}))
}

// TestOrder: sections stand as AVD renders a running-config
// (aristanetworks/avd eos-intended-config.j2 @00a9292c).
func TestOrder(t *testing.T) {
	order := []string{
		"platform trident mmu queue profile roceplan", "hostname", "qos profile", "interface", "ipv6 access-list", "ip access-list", "ip hardware",
		"qos map", "priority-flow-control", "class-map", "policy-map", "platform trident mmu queue profile roceplan apply", "platform trident mmu headroom-pool", "end",
	}
	var got []string
	modes(render(t, leaf()), func(mode, line string) {
		if mode != "global" {
			return
		}
		best := ""
		for _, o := range order {
			if strings.HasPrefix(line, o) && len(o) > len(best) {
				best = o
			}
		}
		if best != "" && (len(got) == 0 || got[len(got)-1] != best) {
			got = append(got, best)
		}
	})
	if !slices.Equal(order, got) {
		t.Errorf("sections stand in the order %q, want %q", got, order)
	}
}

func BenchmarkEmit64Ports(b *testing.B) {
	s := leaf()
	for i := len(s.Ports); i < 64; i++ {
		p := s.Ports[i%4]
		p.Name = fmt.Sprintf("Ethernet%d/1", i+1)
		s.Ports = append(s.Ports, p)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, list := Emit(s); list.HasErrors() {
			b.Fatal(list)
		}
	}
}
