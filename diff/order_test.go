package diff

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// needed is a headroom formula for the tests: it grows with everything that a real one
// grows with. The peer's frames count, and one's own in front of the pause frame.
func needed(speed units.BitRate, cable units.Length, peerMTU, ownMTU units.Bytes) units.Bytes {
	return units.Bytes(int64(speed/units.Gbps)*int64(cable/units.Metre)) + peerMTU + ownMTU
}

// A world is a fabric as it is at one moment: what each device is told, and the cables.
type world struct {
	told  map[string]*plan.Switch
	cable map[string]units.Length // by "switch port"
}

func spot(e plan.LinkEnd) string { return e.Switch + " " + e.Port }

func (w *world) port(e plan.LinkEnd) *plan.Port {
	sw := w.told[e.Switch]
	if sw == nil {
		return nil
	}
	for i := range sw.Ports {
		if sw.Ports[i].Name == e.Port {
			return &sw.Ports[i]
		}
	}
	return nil
}

// lossless tells, from first principles, which code points cannot be lost from s to r:
// a pause for them stops the sender's queue, the headroom holds what still comes, and
// nothing that cannot be paused is in the same PG. Quiet code points are not sent.
func (w *world) lossless(s, r plan.LinkEnd, quiet *[64]bool) (kept [64]bool) {
	from, to := w.port(s), w.port(r)
	if from == nil || to == nil {
		return kept
	}
	sm, rm := &w.told[s.Switch].Maps, &w.told[r.Switch].Maps
	pausable := func(d int) (*plan.PG, bool) {
		group, queue := rm.TCToPG[rm.DSCPToTC[d]], sm.TCToQueue[sm.DSCPToTC[d]]
		var pg *plan.PG
		for i := range to.QoS.PGs {
			if to.QoS.PGs[i].ID == group && to.QoS.PGs[i].Lossless {
				pg = &to.QoS.PGs[i]
			}
		}
		for p := range 8 {
			on := from.QoS.PFC&to.QoS.PFC&(1<<p) != 0
			if pg != nil && on && rm.PFCToPG[p] == group && sm.PFCToQueue[p] == queue {
				return pg, true
			}
		}
		return pg, false
	}
	need := needed(min(from.Speed, to.Speed), w.cable[spot(r)], from.MTU, to.MTU)
	spoiled := [8]bool{}
	for d := range 64 {
		if pg, ok := pausable(d); pg != nil && !ok && !quiet[d] {
			spoiled[pg.ID] = true
		}
	}
	for d := range 64 {
		pg, ok := pausable(d)
		kept[d] = ok && !spoiled[pg.ID] && pg.Headroom.Value >= need
	}
	return kept
}

// A class of the drawn fabrics.
type drawnClass struct {
	dscps              []int
	tc, queue, pg, pfc uint8
	lossless           bool
}

// drawClasses draws a change of what is lossless: of two lossless classes and a lossy
// one, none to two things are different afterwards.
// Moving reports whether a code point goes from one class to another that both are there.
func drawClasses(t *rapid.T) (before, after []drawnClass, moving bool) {
	rest := []int{}
	for d := range 64 {
		if d != 24 && d != 26 {
			rest = append(rest, d)
		}
	}
	before = []drawnClass{{[]int{26}, 3, 3, 3, 3, true}, {[]int{24}, 4, 4, 4, 4, true}, {rest, 0, 0, 0, 0, false}}
	after = slices.Clone(before)
	for range rapid.IntRange(0, 2).Draw(t, "changes of classes") {
		c := &after[rapid.IntRange(0, 1).Draw(t, "class")]
		switch rapid.SampledFrom([]string{"pfc", "queue", "pg", "lossy", "dscps", "new"}).Draw(t, "change") {
		case "pfc":
			if !c.lossless {
				break
			}
			c.pfc = other(c.pfc)
		case "queue":
			c.queue = other(c.queue)
		case "pg":
			if !c.lossless {
				break
			}
			c.pg = other(c.pg)
		case "lossy":
			c.lossless, c.pg = false, 0
		case "dscps":
			moving = true
			after[0].dscps, after[1].dscps = after[1].dscps, after[0].dscps
		case "new":
			if len(after) > 3 {
				break
			}
			after[2].dscps = slices.DeleteFunc(slices.Clone(after[2].dscps), func(d int) bool { return d == 10 })
			after = append(after, drawnClass{[]int{10}, 2, 2, 2, 2, true})
		}
	}
	if rapid.Bool().Draw(t, "the other way") {
		before, after = after, before
	}
	return before, after, moving
}

// other is a number that no class of the drawn fabrics has to begin with.
func other(n uint8) uint8 {
	if n > 5 {
		return 1
	}
	return n + 2
}

// carrier is a switch that carries classes on all its ports, with a PG of no headroom
// for each lossless one.
func carrier(t *rapid.T, classes []drawnClass) *plan.Switch {
	mtu := units.Bytes(rapid.IntRange(1500, 9216).Draw(t, "mtu"))
	return carrierOf(rapid.IntRange(2, 3).Draw(t, "ports"), classes, mtu)
}

func carrierOf(ports int, classes []drawnClass, mtu units.Bytes) *plan.Switch {
	sw := &plan.Switch{MTU: plan.Of(mtu, nil)}
	for i := range ports {
		sw.Ports = append(sw.Ports, plan.Port{Name: fmt.Sprintf("Ethernet%d/1", i+1)})
	}
	for p := range sw.Maps.PFCToQueue {
		sw.Maps.PFCToQueue[p], sw.Maps.TCToQueue[p] = uint8(p), uint8(p)
	}
	qos := plan.PortQoS{PGs: []plan.PG{{ID: 0}}}
	for _, c := range classes {
		sw.Classes = append(sw.Classes, plan.Class{TrafficClass: c.tc, Queue: c.queue, PG: c.pg, PFC: c.pfc, Lossless: c.lossless})
		sw.Maps.TCToQueue[c.tc], sw.Maps.TCToPG[c.tc] = c.queue, c.pg
		for _, d := range c.dscps {
			sw.Maps.DSCPToTC[d] = c.tc
		}
		if c.lossless {
			sw.Maps.PFCToPG[c.pfc], sw.Maps.PFCToQueue[c.pfc] = c.pg, c.queue
			qos.PFC |= 1 << c.pfc
			qos.PGs = append(qos.PGs, plan.PG{ID: c.pg, Lossless: true})
		}
	}
	for i := range sw.Ports {
		sw.Ports[i].QoS = &qos
	}
	return sw
}

// drawFabric draws three switches that are cabled in a ring, twice: before and after.
// Classes are of the whole fabric, or every switch is any switch.
func drawFabric(t *rapid.T) (before, after *plan.Plan, moving bool) {
	before, after = &plan.Plan{}, &plan.Plan{}
	wild := rapid.IntRange(0, 9).Draw(t, "wild") == 0
	was, will, moving := drawClasses(t)
	for i := range 3 {
		name := fmt.Sprintf("sw-%d", i)
		var old, next *plan.Switch
		if wild {
			old, next = anyplan.Switch(t, anyplan.Want{}), anyplan.Switch(t, anyplan.Want{})
		} else {
			old, next = carrier(t, was), carrier(t, will)
		}
		old.Names, next.Names = []string{name}, []string{name}
		before.Switches, after.Switches = append(before.Switches, old), append(after.Switches, next)
	}
	for i := range 3 {
		a, b := before.Switches[i], before.Switches[(i+1)%3]
		if len(b.Ports) == 1 {
			continue // its port is taken
		}
		link := plan.Link{
			A: plan.LinkEnd{Switch: a.Names[0], Port: a.Ports[0].Name},
			B: plan.LinkEnd{Switch: b.Names[0], Port: b.Ports[len(b.Ports)-1].Name},
		}
		before.Links, after.Links = append(before.Links, link), append(after.Links, link)
	}
	for _, p := range []*plan.Plan{before, after} {
		frames(p)
		suffice(t, p)
	}
	return before, after, moving || wild
}

func frames(p *plan.Plan) {
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			sw.Ports[i].MTU = sw.MTU.Value
			qos := *sw.Ports[i].QoS
			qos.PGs = slices.Clone(qos.PGs)
			sw.Ports[i].QoS = &qos
		}
	}
}

// suffice draws speeds and cables and gives every lossless PG exactly what it needs.
func suffice(t *rapid.T, p *plan.Plan) {
	w := worldOf(p)
	for _, link := range p.Links {
		speed := rapid.SampledFrom([]units.BitRate{25, 100, 400}).Draw(t, "speed") * units.Gbps
		cable := units.Length(rapid.IntRange(1, 300).Draw(t, "cable")) * units.Metre
		a, b := w.port(link.A), w.port(link.B)
		if a == nil || b == nil {
			continue
		}
		for _, port := range []*plan.Port{a, b} {
			port.Speed, port.Cable = speed, cable
		}
		for _, ends := range [][2]*plan.Port{{a, b}, {b, a}} {
			for i := range ends[0].QoS.PGs {
				if pg := &ends[0].QoS.PGs[i]; pg.Lossless {
					pg.Headroom = plan.Of(needed(speed, cable, ends[1].MTU, ends[0].MTU), nil)
				}
			}
		}
	}
}

func worldOf(p *plan.Plan) *world {
	w := &world{map[string]*plan.Switch{}, map[string]units.Length{}}
	for _, sw := range p.Switches {
		w.told[sw.Names[0]] = sw
		for i := range sw.Ports {
			w.cable[sw.Names[0]+" "+sw.Ports[i].Name] = sw.Ports[i].Cable
		}
	}
	return w
}

// advance carries out one step on one device.
func advance(t *rapid.T, w *world, s *Step, device string, after *plan.Plan) {
	if s.Action == Cable {
		to := worldOf(after).cable
		for _, c := range s.Changes {
			for _, where := range c.Where {
				for _, port := range where.Ports {
					for _, name := range where.Switches {
						w.cable[name+" "+port] = to[name+" "+port]
					}
				}
			}
		}
		return
	}
	for _, told := range s.Told {
		if slices.Contains(told.Devices, device) {
			w.told[device] = told.Switch
			return
		}
	}
	t.Fatalf("step %v says nothing of %s", s.Action, device)
}

// What is lossless before and after a change is so at every moment between, except for
// the code points that the rollout lists as quiet.
func TestNothingIsLostOnTheWay(t *testing.T) {
	held, least := 0, 1000
	if testing.Short() { // rapid draws a fifth then
		least = 100
	}
	defer func() {
		if held < least {
			t.Errorf("only %d times was there anything to lose", held)
		}
	}()
	rapid.Check(t, func(t *rapid.T) {
		before, after, moving := drawFabric(t)
		result := Compare(before, after)
		if len(result.Rollout.Quiet) > 0 && !moving {
			t.Fatalf("no code point moves, and some must be quiet:\n%s", result.Text())
		}
		quiet := [64]bool{}
		for _, q := range result.Rollout.Quiet {
			for _, d := range q.DSCPs {
				quiet[d] = true
			}
		}
		now, start, end := worldOf(before), worldOf(before), worldOf(after)
		check := func(when string) {
			for _, link := range after.Links {
				for _, ends := range [][2]plan.LinkEnd{{link.A, link.B}, {link.B, link.A}} {
					was, is, will := start.lossless(ends[0], ends[1], &[64]bool{}), now.lossless(ends[0], ends[1], &quiet), end.lossless(ends[0], ends[1], &[64]bool{})
					for d := range 64 {
						if !was[d] || !will[d] || quiet[d] {
							continue
						}
						held++
						if !is[d] {
							t.Fatalf("after %s DSCP %d can be lost from %v to %v\n%s", when, d, ends[0], ends[1], result.Text())
						}
					}
				}
			}
		}
		for i := range result.Rollout.Steps {
			s := &result.Rollout.Steps[i]
			for _, device := range rapid.Permutation(s.Devices).Draw(t, "order") {
				advance(t, now, s, device, after)
				check(fmt.Sprintf("step %d on %s", i+1, device))
			}
		}
		for name, sw := range now.told {
			if differ(sw, end.told[name]) {
				t.Fatalf("%s does not end as the plan wants it", name)
			}
		}
	})
}
