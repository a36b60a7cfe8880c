package diff

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// pod is two ToRs with NICs and a leaf, each ToR with a cable to the leaf.
func pod(classes []drawnClass, edit func(name string, sw *plan.Switch)) *plan.Plan {
	p := &plan.Plan{Hosts: []*plan.Host{{Name: "nic", MTU: 1500, Buffer: plan.Of[units.Bytes](1000, nil)}}}
	for _, name := range []string{"leaf-1", "tor-1", "tor-2"} {
		sw := carrierOf(2, classes, 1500)
		sw.Names, sw.Cell = []string{name}, 256
		for i := range sw.Ports {
			qos := *sw.Ports[i].QoS
			qos.PGs = append([]plan.PG{}, qos.PGs...)
			port := &sw.Ports[i]
			port.QoS, port.Speed, port.Cable, port.MTU = &qos, 100*units.Gbps, 40*units.Metre, 1500
			if i == 1 && name != "leaf-1" {
				port.Peer = "nic"
			}
			headroomOf(port, 2560)
		}
		if edit != nil {
			edit(name, sw)
		}
		p.Switches = append(p.Switches, sw)
	}
	for i, tor := range []string{"tor-1", "tor-2"} {
		p.Links = append(p.Links, plan.Link{A: plan.LinkEnd{Switch: "leaf-1", Port: fmt.Sprintf("Ethernet%d/1", i+1)}, B: plan.LinkEnd{Switch: tor, Port: "Ethernet1/1"}})
	}
	return p
}

func headroomOf(port *plan.Port, bytes units.Bytes) {
	for i := range port.QoS.PGs {
		if pg := &port.QoS.PGs[i]; pg.Lossless {
			pg.Headroom = plan.Of(bytes, nil)
		}
	}
}

func rdma(pfc uint8) []drawnClass {
	return []drawnClass{{[]int{26}, 3, 3, 3, pfc, true}, {[]int{0}, 0, 0, 0, 0, false}}
}

// uplinks edits the ports between ToRs and leaf.
func uplinks(edit func(*plan.Port)) func(string, *plan.Switch) {
	return func(name string, sw *plan.Switch) {
		edit(&sw.Ports[0])
		if name == "leaf-1" {
			edit(&sw.Ports[1])
		}
	}
}

// The order of typical changes, as short as it can be.
func TestOrder(t *testing.T) {
	longer := uplinks(func(p *plan.Port) { p.Cable = 100 * units.Metre; headroomOf(p, 5120) })
	smaller := pod(rdma(3), nil)
	smaller.Hosts[0].MTU = 1400
	marked := pod(rdma(3), nil)
	marked.Hosts[0].Classes = []plan.HostClass{{Name: "rdma", DSCPs: []uint8{26}}}
	lossy := []drawnClass{{[]int{0, 26}, 0, 0, 0, 0, false}}
	for _, c := range []struct {
		name          string
		before, after *plan.Plan
		want          []string
	}{
		{"nothing", pod(rdma(3), nil), pod(rdma(3), nil), nil},
		{"longer cables: headroom first, core first", pod(rdma(3), nil), pod(rdma(3), longer),
			[]string{"whole leaf-1: headroom-first", "whole tor-[1..2]: headroom-first", "cable leaf-1 tor-[1..2]: headroom-first"}},
		{"shorter cables: headroom last, edge first", pod(rdma(3), longer), pod(rdma(3), nil),
			[]string{"cable leaf-1 tor-[1..2]: less-first", "whole tor-[1..2]: less-first", "whole leaf-1: less-first"}},
		{"another PFC priority: both for a while, and the tier of fewest devices is touched twice", pod(rdma(3), nil), pod(rdma(5), nil),
			[]string{"grow leaf-1: class-first", "whole tor-[1..2]: class-first", "shrink leaf-1: class-first"}},
		{"a class that becomes lossless: everywhere before NICs mark into it", pod(lossy, nil), withHosts(pod(rdma(3), nil), marked.Hosts),
			[]string{"whole leaf-1: class-first", "whole tor-[1..2]: class-first", "host nic: class-first"}},
		{"a class that ceases to be lossless: NICs stop before", withHosts(pod(rdma(3), nil), marked.Hosts), pod(lossy, nil),
			[]string{"host nic: unused-last", "whole tor-[1..2]: unused-last", "whole leaf-1: unused-last"}},
		{"smaller frames of NICs, then less headroom", pod(rdma(3), nil), withHosts(pod(rdma(3), uplinks(func(p *plan.Port) { headroomOf(p, 2304) })), smaller.Hosts),
			[]string{"host nic: less-first", "whole tor-[1..2]: less-first", "whole leaf-1: less-first"}},
		{"weights have no order", pod(rdma(3), weights(1)), pod(rdma(3), weights(2)),
			[]string{"whole leaf-1: no-order", "whole tor-[1..2]: no-order"}},
		{"a switch that is new comes before its cables", without(pod(rdma(3), nil), "tor-2"), pod(rdma(3), nil),
			[]string{"install tor-2: class-first", "cable leaf-1 tor-2: class-first"}},
		{"a switch that goes loses its cables before", pod(rdma(3), nil), without(pod(rdma(3), nil), "tor-2"),
			[]string{"cable leaf-1 tor-2: less-first", "retire tor-2: less-first"}},
	} {
		r := Compare(c.before, c.after).Rollout
		var got []string
		for _, s := range r.Steps {
			var why []string
			for _, rule := range s.Why {
				why = append(why, string(rule))
			}
			got = append(got, fmt.Sprintf("%v %s: %s", s.Action, Fold(s.Devices), strings.Join(why, " ")))
		}
		must.NoDiffIn(t, cmp.Diff(c.want, got), "%s:", c.name)
		if len(r.Quiet) > 0 || r.Uncabled {
			t.Errorf("%s: %v", c.name, r.Notes())
		}
	}
}

func withHosts(p *plan.Plan, hosts []*plan.Host) *plan.Plan {
	p.Hosts = hosts
	return p
}

func weights(w int64) func(string, *plan.Switch) {
	return func(_ string, sw *plan.Switch) {
		for i := range sw.Ports {
			sw.Ports[i].QoS.Queues = []plan.Queue{{ID: 3, Scheduler: plan.Scheduler{Weight: plan.Of(w, nil)}}}
		}
	}
}

// without leaves a switch out, and its cables.
func without(p *plan.Plan, name string) *plan.Plan {
	out := &plan.Plan{Hosts: p.Hosts}
	for _, sw := range p.Switches {
		if sw.Names[0] != name {
			out.Switches = append(out.Switches, sw)
		}
	}
	for _, l := range p.Links {
		if l.A.Switch != name && l.B.Switch != name {
			out.Links = append(out.Links, l)
		}
	}
	return out
}

// A code point that moves between lossless classes must be quiet, and so has one that
// moves into a class that others use.
func TestQuiet(t *testing.T) {
	a := []drawnClass{{[]int{26}, 3, 3, 3, 3, true}, {[]int{24}, 4, 4, 4, 4, true}, {[]int{0, 10}, 0, 0, 0, 0, false}}
	moved := []drawnClass{{[]int{}, 3, 3, 3, 3, true}, {[]int{24, 26}, 4, 4, 4, 4, true}, {[]int{0, 10}, 0, 0, 0, 0, false}}
	joins := []drawnClass{{[]int{10, 26}, 3, 3, 3, 3, true}, {[]int{24}, 4, 4, 4, 4, true}, {[]int{0}, 0, 0, 0, 0, false}}
	for _, c := range []struct {
		after []drawnClass
		want  []uint8
	}{{a, nil}, {moved, []uint8{26}}, {joins, []uint8{10}}} {
		var got []uint8
		for _, q := range Compare(pod(a, nil), pod(c.after, nil)).Rollout.Quiet {
			got = append(got, q.DSCPs...)
		}
		must.NoDiff(t, cmp.Diff(c.want, got))
	}
}

// Where no plan knows the cabling, nobody gets all at once before all have grown.
func TestUncabled(t *testing.T) {
	before, after := pod(rdma(3), nil), pod(rdma(5), nil)
	before.Links, after.Links = nil, nil
	r := Compare(before, after).Rollout
	if !r.Uncabled {
		t.Error("the rollout does not say that it knows no cabling")
	}
	if len(r.Steps) != 3 || r.Steps[0].Action != Grow || r.Steps[len(r.Steps)-1].Action != Shrink {
		t.Errorf("%d steps", len(r.Steps))
	}
}

// Equal plans are equal, whatever shapes their switches share.
func TestNoDifference(t *testing.T) {
	before, after := pod(rdma(3), nil), pod(rdma(3), nil)
	for _, sw := range after.Switches {
		sw.Names = []string{sw.Names[0]}
	}
	r := Compare(before, after)
	if r.Any() || r.Changed != 0 || len(r.Rollout.Steps) != 0 {
		t.Error(r.Text())
	}
	text, err := json.Marshal(r)
	if want := `{"version":1,"switches":3,"changed":0,"changes":[],"rollout":{"steps":[]}}`; err != nil || string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
}
