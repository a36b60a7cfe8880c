package model

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A switch has the ports of its plan in their order, each with its link, the pauses that reach its
// peer, and the queues that its groups feed. The chip's own delay of a pause goes before the
// standard's.
func TestNewSwitch(t *testing.T) {
	sw := oneGroup(nil)
	sw.MTU.Value = 1500
	sw.Ports[0].Speed, sw.Ports[0].QoS.PFC = 100*units.Gbps, 1<<3|1<<6
	sw.Ports = append(sw.Ports, plan.Port{Name: "down", Speed: 10 * units.Gbps, MTU: 9216})
	declared := func(p *plan.Port) plan.Assumed {
		if p.Name == "down" {
			return plan.Assumed{}
		}
		return plan.Assumed{Declared: true, Response: plan.Of(units.Microsecond, nil)}
	}
	for delay, want := range map[string][2]units.Time{"": {1_228_800, 819_200}, `pause_delay = "300ns"`: {300_000, 300_000}} {
		data := []string{`cell_size = "100B"`}
		if delay != "" {
			data = append(data, delay)
		}
		got, err := NewSwitch(sw, chipOf(t, chips.XGS, data...), declared)
		if err != nil || len(got.Ports) != 2 {
			t.Fatalf("%v %+v", err, got)
		}
		p, down := got.Ports[0], got.Ports[1]
		if p.Name != "p" || p.Pausable != 1<<3|1<<6 || p.Queues[3] != 1<<3 || p.Link.Response != units.Microsecond || p.Link.PortFrame != 1500 || p.Link.Interface != want[0] {
			t.Errorf("%+v", p)
		}
		if down.Name != "down" || down.Pausable != 0 || down.Link.Response != 3_430_400 || down.Link.PortFrame != 9216 || down.Link.Interface != want[1] {
			t.Errorf("%+v", down)
		}
	}
}

// Of two slices, ports fill one most. Four ports in pipes that nobody knows, all with as much
// headroom, each a quarter of the chip's capacity: two lie in the first slice, those whose links have
// most under way.
func TestSlicesOfASwitch(t *testing.T) {
	sw := oneGroup(nil)
	qos := sw.Ports[0].QoS
	sw.Ports = nil
	for _, cable := range []units.Length{1, 300, 2, 200} {
		sw.Ports = append(sw.Ports, plan.Port{Name: "p", QoS: qos, Speed: 100 * units.Gbps, MTU: 1500, Cable: cable * units.Metre})
	}
	chip := chipOf(t, chips.XGS, `cell_size = "100B"`, "slices = 2", `capacity = "400Gbps"`, `lane_rate = "100Gbps"`)
	got := must.Get(NewSwitch(sw, chip, func(*plan.Port) plan.Assumed { return plan.Assumed{} }))(t)
	for i, want := range []int{1, 0, 1, 0} {
		must.Equalf(t, got.Config.Ports[i].Slice, want, "port %d in slice", i)
	}
	// What a peer is stated to take counts as well, and headroom before all: the last two then.
	sw.Ports[2].Assumed = &plan.Assumed{Declared: true, Response: plan.Of(units.Millisecond, nil)}
	for i, want := range []int{1, 0, 0, 1} {
		must.Equalf(t, worst(sw, chip)[i], want, "with a slow peer: port %d in slice", i)
	}
	sw.Ports[2].Assumed = nil
	for _, i := range []int{0, 2} {
		more := *qos
		more.PGs = slices.Clone(qos.PGs)
		more.PGs[1].Headroom.Value = 2001
		sw.Ports[i].QoS = &more
	}
	qos.PGs[0].Headroom.Value = 5000 // of a lossy group: it drops
	for i, want := range []int{0, 1, 0, 1} {
		must.Equalf(t, worst(sw, chip)[i], want, "with more headroom: port %d in slice", i)
	}
	// Divided evenly, the first two lie in the first; a port without a buffer is none of them.
	sw.Ports = append([]plan.Port{{Name: "down"}}, sw.Ports...)
	config := must.Get(Buffer(sw, chip))(t)
	for i, want := range []int{0, 0, 0, 1, 1} {
		must.Equalf(t, config.Ports[i].Slice, want, "evenly: port %d in slice", i)
	}
	if config.EgressPools[0].SharedCells != 200 || config.Ports[4].Queues[0].Limit.StaticCells != 5 {
		t.Errorf("%d cells of a pool and %d of a limit in each slice, want half of 400 and of 10", config.EgressPools[0].SharedCells, config.Ports[4].Queues[0].Limit.StaticCells)
	}
}

// The slice in which most is reserved counts for all of them: of three ports of 500 B each two lie in one
// of two slices, so 2 · 1,000 B count, with 2,000 B of headroom each 2 · 5,000 B.
func TestReservedOfSlices(t *testing.T) {
	sw := oneGroup(func(g, _ *plan.PG, _ *plan.Queue, _ *plan.Pool) { g.Reserved.Value = 500 })
	for range 2 {
		sw.Ports = append(sw.Ports, sw.Ports[0])
	}
	for i := range sw.Ports {
		sw.Ports[i].Speed = 100 * units.Gbps
	}
	chip := chipOf(t, chips.XGS, `cell_size = "100B"`, "slices = 2", `capacity = "400Gbps"`, `lane_rate = "100Gbps"`)
	if with, without := Reserved(sw, chip, true), Reserved(sw, chip, false); with != 10_000 || without != 2000 {
		t.Errorf("%v with headroom, %v without", with, without)
	}
	must.Equalf(t, Reserved(sw, chipOf(t, chips.XGS, `cell_size = "100B"`), false), 3*500, "in one slice")
	whole := *sw.Ports[0].QoS
	whole.Pools = []plan.PortPool{{Pool: "in", Reserved: plan.Of(units.Bytes(70), nil)}, {Pool: "out", Reserved: plan.Of(units.Bytes(9), nil)}}
	for i := range sw.Ports {
		sw.Ports[i].QoS = &whole // one of the whole port counts too, at ingress
	}
	must.Equalf(t, Reserved(sw, chip, false), 2*2*570, "with reserves of whole ports")
}

// What is put into a tunnel leaves by the tunnel's queues as well, and what is taken out of it came in
// by the tunnel's groups. Class 3 is group 3 and queue 3; the tunnel sends it by queue 5, and has
// code point 40, which is class 3 inside, in group 7.
func TestRoutesOfTunnels(t *testing.T) {
	m := plan.Maps{TCToPG: [8]uint8{0, 0, 0, 3}, TCToQueue: [8]uint8{0, 0, 0, 3}}
	m.DSCPToTC[26] = 3
	tunnel := &plan.Tunnel{TCToPG: [8]uint8{0, 0, 0, 7}, TCToQueue: [8]uint8{0, 0, 0, 5}}
	tunnel.DSCPToTC[40] = 3
	got := routes(&plan.Switch{Maps: m, Tunnel: tunnel}, &plan.PortQoS{}, leaving{queues: m.TCToQueue})
	if got[3] != 1<<3|1<<5 || got[7] != 1<<3 || got[0] != 1<<0 {
		t.Errorf("%b", got)
	}
	// Class 3 is seen outside a tunnel alone, where class 2 went in: it is not put in again.
	tunnel.Outer = plan.Rewrite{TCs: 1 << 2, DSCP: [8]uint8{2: 26}}
	if got = routes(&plan.Switch{Maps: m, Tunnel: tunnel}, &plan.PortQoS{}, leaving{queues: m.TCToQueue}); got[3] != 1<<3 {
		t.Errorf("class 3 outside alone: %b", got)
	}
	// Its own packets go in under that code point: that is no other class.
	tunnel.Outer = plan.Rewrite{TCs: 1 << 3, DSCP: [8]uint8{3: 26}}
	if got = routes(&plan.Switch{Maps: m, Tunnel: tunnel}, &plan.PortQoS{}, leaving{queues: m.TCToQueue}); got[3] != 1<<3|1<<5 {
		t.Errorf("class 3 under its own: %b", got)
	}
	// A second code point of class 3 is not shown outside.
	tunnel.Outer, m.DSCPToTC[27] = plan.Rewrite{TCs: 1 << 2, DSCP: [8]uint8{2: 26}}, 3
	if got = routes(&plan.Switch{Maps: m, Tunnel: tunnel}, &plan.PortQoS{}, leaving{queues: m.TCToQueue}); got[3] != 1<<3|1<<5 {
		t.Errorf("class 3 with two code points: %b", got)
	}
}

// Where a port trusts no code point, rules say the class of what comes in, and the rest is of the
// class that they leave it in.
func TestRoutesOfMarking(t *testing.T) {
	m := plan.Maps{TCToPG: [8]uint8{0, 1, 2, 3, 4, 5}, TCToQueue: [8]uint8{0, 1, 2, 3, 4, 5}}
	m.DSCPToTC[26] = 3
	sw := &plan.Switch{Maps: m, Marking: &plan.Marking{Rules: []plan.MarkRule{{TC: 5}}, DefaultTC: 1}}
	must.Equalf(t, routes(sw, &plan.PortQoS{}, leaving{queues: m.TCToQueue}), [mmu.MaxPGs]uint16{0: 1, 3: 1 << 3}, "a port that trusts:")
	if got := routes(sw, &plan.PortQoS{Trust: plan.TrustNone}, leaving{queues: m.TCToQueue}); got != [mmu.MaxPGs]uint16{0: 1, 1: 1 << 1, 3: 1 << 3, 5: 1 << 5} {
		t.Errorf("a port that does not: %b", got)
	}
	sw.Marking = nil
	must.Equalf(t, routes(sw, &plan.PortQoS{Trust: plan.TrustNone}, leaving{queues: m.TCToQueue}), [mmu.MaxPGs]uint16{0: 1, 3: 1 << 3}, "without rules:")
}
