package adversary

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/tinyswitch"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/units"
)

// A search of a tiny switch finds what is lost in some of all its states, and nothing else. What it finds is lost again
// when it is replayed, and no more when any one event or packet of it is left out.
func TestSearchOfEveryState(t *testing.T) {
	seeds := []int{3255} // a packet could be done without only after another one
	for seed := range 300 {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		sw := tinyswitch.Draw(rand.New(rand.NewPCG(uint64(seed), 5)), tinyswitch.Kind{Lossy: seed%3 == 1, Xon: seed%4 == 2, Bounds: seed%5 == 3, Slices: seed%11 == 5, Tight: seed%2 == 0})
		w, ok := tinyswitch.Visit(sw, 6000, nil)
		if !ok {
			continue
		}
		result := must.Get(Search(sw, Options{Seed: 1}))(t)
		if result.Found == nil {
			if len(w.Lost) > 0 {
				t.Errorf("seed %d: lost for %v, not found in %v", seed, w.Lost, result)
			}
			continue
		}
		why := result.Found.Loss.Why
		if why == "memory exhausted" {
			why = tinyswitch.Memory
		}
		if !w.Lost[why] {
			t.Errorf("seed %d: %v by %s, and packets are lost for %v", seed, result, result.Found.Attack, w.Lost)
		}
		slack := int64(0)
		if l := result.Found.Loss; sw.Config.Rules.Admission == mmu.BelowWithCell && strings.HasPrefix(l.Why, "egress") {
			slack = 1 // a cell below a limit has to stay free
		}
		if l := result.Found.Loss; l.Value+l.Cells+slack <= l.Limit || l.Cells != 1 || l.Bytes != 64 {
			t.Errorf("seed %d: it would find its place: %v", seed, l)
		}
		text, _ := result.Found.Marshal()
		if again, err := Replay(text); err != nil || *again.Loss != *result.Found.Loss {
			t.Errorf("seed %d: %v", seed, err)
		}
		empty, _ := newGame(sw)
		loses := func(events []Event) bool {
			g := empty.fresh()
			return g.play(events) == nil && g.loss != nil
		}
		for i, e := range result.Found.Events[:len(result.Found.Events)-1] {
			if fewer := slices.Delete(slices.Clone(result.Found.Events), i, i+1); loses(fewer) {
				t.Errorf("seed %d: without event %d of %d it is lost too: %+v", seed, i, len(result.Found.Events), result.Found.Events)
			}
			if fewer := slices.Clone(result.Found.Events); e.Count > 1 {
				if fewer[i].Count--; loses(fewer) {
					t.Errorf("seed %d: without a packet of event %d it is lost too: %+v", seed, i, result.Found.Events)
				}
			}
		}
	}
}

// Of packets that are lost for several reasons those are found that are looked for; the others are never sent, so that
// what is found is lost when it is replayed.
func TestSearchForOneReason(t *testing.T) {
	searched := 0
	for seed := range 400 {
		sw := tinyswitch.Draw(rand.New(rand.NewPCG(uint64(seed), 6)), tinyswitch.Kind{Lossy: seed%3 == 1, Xon: seed%4 == 2, Tight: true})
		w, ok := tinyswitch.Visit(sw, 2000, nil)
		if !ok || len(w.Lost) < 2 {
			continue
		}
		for why := range w.Lost {
			if why == tinyswitch.Memory {
				why = ""
			}
			only := (&Loss{Why: why}).breaks()
			result, err := Search(sw, Options{Seed: 1, Only: only})
			if err != nil || result.Found == nil {
				continue // an earlier loss may stand in its way
			}
			searched++
			if !slices.ContainsFunc(result.Found.Loss.breaks(), func(id string) bool { return slices.Contains(only, id) }) {
				t.Errorf("seed %d: looked for %v, found %v", seed, only, result)
			}
			text, _ := result.Found.Marshal()
			if again, err := Replay(text); err != nil || *again.Loss != *result.Found.Loss {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
	}
	if searched < 40 {
		t.Errorf("%d were found", searched)
	}
}

// Packets of 64 B in cells of 64 B are the least that can fill a cell: fill and stuff send them.
func TestSmallestPacketsFillTheLastCell(t *testing.T) {
	g := box(t, func(sw *model.Switch) { sw.Config.CellBytes = 64 })
	to := target{port: 0, out: 1}
	if g.fill(to, 4); g.shared()[0] != 6 { // five cells of 280 B, and one
		t.Errorf("%v, %+v", g.shared(), g.events)
	}
	g = box(t, func(sw *model.Switch) {
		sw.Config.CellBytes, sw.Ports[0].Link.Cable = 64, 300*units.Metre
		sw.Config.Ports[0].PGs[0].HeadroomCells = 6
	})
	g.fill(to, 0)
	if g.stuff(to); g.buffer.PG(0, 0).Headroom != 6 || g.loss != nil { // again five and one
		t.Errorf("%d cells, %v", g.buffer.PG(0, 0).Headroom, g.loss)
	}
	g = box(t, func(sw *model.Switch) { // before a full queue packets are halved: 980, 490, 245, 122 B
		sw.Config.Ports[1].Queues[1].Limit = mmu.StaticLimit(2)
	})
	if g.fill(target{port: 0, pg: 1, out: 1, queue: 1}, 0); g.buffer.PG(0, 1).Shared != 2 || !slices.ContainsFunc(g.events, func(e Event) bool { return e.Bytes == 122 }) {
		t.Errorf("%+v", g.events)
	}
	g = box(t, func(sw *model.Switch) { sw.Config.Ports[1].Queues[1].Limit = mmu.StaticLimit(1) }) // and 64 B
	if g.fill(target{port: 0, pg: 1, out: 1, queue: 1}, 0); g.buffer.PG(0, 1).Shared != 1 || !slices.ContainsFunc(g.events, func(e Event) bool { return e.Bytes == 64 && e.Count == 2 }) {
		t.Errorf("%+v", g.events) // the second of which is lost
	}
}

// A group that may not send takes no more smallest packets; nor does one whose queue is full.
func TestTrickleEnds(t *testing.T) {
	to := target{port: 0, out: 1}
	g := box(t, nil)
	g.pauses[0] = pause{on: true, until: -1}
	if g.trickle(to); g.packets != 0 {
		t.Errorf("%d packets", g.packets)
	}
	g = box(t, func(sw *model.Switch) { sw.Config.Ports[1].Queues[0].Limit = mmu.StaticLimit(3) })
	g.only = []string{"nothing"}
	if g.trickle(to); g.packets != 4 || g.shared()[0] != 3 {
		t.Errorf("%d packets, %v", g.packets, g.shared())
	}
}

// Without headroom and reserves the buffer takes its 50 shared cells and one.
func TestEnoughWithoutHeadroom(t *testing.T) {
	g := box(t, func(sw *model.Switch) {
		for i := range sw.Config.Ports {
			sw.Config.Ports[i].PGs[0].HeadroomCells = 0
		}
	})
	must.Equal(t, g.enough(280), 51*300)
}

// Before a pause nothing is counted under it.
func TestNothingIsCountedBeforeAPause(t *testing.T) {
	g := box(t, nil)
	for range 3 {
		g.send(target{port: 0, out: 1}.packet(64))
	}
	must.Equal(t, g.pauses[0], pause{})
}

// Random moves end with a loss, and with the budget of packets.
func TestRandomMovesEnd(t *testing.T) {
	play := func(g *game, packets int64) {
		mixed(g, Options{Random: 1, Seed: 3, Packets: packets})[0].play(g)
	}
	long, short := box(t, roomy), box(t, roomy)
	play(long, 1<<40)
	play(short, 10)
	if first := short.packets; first <= 10 || first >= long.packets || first > 300 { // a move has 200 packets at most
		t.Errorf("%d packets, and %d without a bound", first, long.packets)
	}
	lost := box(t, func(sw *model.Switch) { sw.Config.Ports[1].PGs[0].HeadroomCells, sw.Ports[1].Pausable = 0, 0 })
	after := 0
	lost.watch = func(g *game, _ *Event, _ mmu.Verdict) {
		if g.loss != nil {
			after++
		}
	}
	if play(lost, 1<<40); lost.loss == nil || after > 50 {
		t.Errorf("%v, and %d packets after it", lost.loss, after)
	}
}

// The counter that refuses a packet of three cells, in the third part of a buffer and the second of its pools: the limit is what the packet would
// find behind it, never less than nothing.
func TestLossesOfAThirdPart(t *testing.T) {
	for _, c := range []struct {
		what   string
		edit   func(sw *model.Switch)
		before int // packets of a cell of another group that lie in the way
		v      mmu.Outcome
		want   Loss
	}{
		{"a falling queue", func(sw *model.Switch) {
			sw.Config.EgressPools[1].SharedCells, sw.Config.Ports[1].Queues[0].Limit = 9, mmu.DynamicLimit(0)
		}, 4, mmu.DropQueueLimit, Loss{Counter: "queue 0 of p1, slice 2", Value: 4, Limit: 9 - 4 - 3}},
		{"a falling queue and no cell", func(sw *model.Switch) {
			sw.Config.EgressPools[1].SharedCells, sw.Config.Ports[1].Queues[0].Limit = 9, mmu.DynamicLimit(3)
		}, 8, mmu.DropQueueLimit, Loss{Counter: "queue 0 of p1, slice 2", Value: 8, Limit: 0}},
		{"a fixed queue", func(sw *model.Switch) { sw.Config.Ports[1].Queues[0].Limit = mmu.StaticLimit(6) }, 4, mmu.DropQueueLimit, Loss{Counter: "queue 0 of p1, slice 2", Value: 4, Limit: 6}},
		{"a falling port", func(sw *model.Switch) {
			sw.Config.EgressPools[1].SharedCells = 9
			sw.Config.Ports[1].Egress = []mmu.Bound{{Pool: 1, Limit: mmu.DynamicLimit(0)}}
		}, 4, mmu.DropPortLimit, Loss{Counter: "bound of p1 in second, slice 2", Value: 4, Limit: 9 - 4 - 3}},
		{"a falling port and no cell", func(sw *model.Switch) {
			sw.Config.EgressPools[1].SharedCells = 9
			sw.Config.Ports[1].Egress = []mmu.Bound{{Pool: 1, Limit: mmu.DynamicLimit(3)}}
		}, 7, mmu.DropPortLimit, Loss{Counter: "bound of p1 in second, slice 2", Value: 7, Limit: 0}},
		{"the headroom of all, beside two cells that are shared", func(sw *model.Switch) {
			sw.Config.IngressPools[1].SharedCells, sw.Config.IngressPools[1].HeadroomCells = 2, 5
			sw.Config.Ports[0].PGs[0].Pool, sw.Config.Ports[0].PGs[0].HeadroomPooled = 1, true
		}, 6, mmu.DropHeadroomPool, Loss{Counter: "headroom pool of shallow, slice 2", Value: 4, Limit: 5}},
		{"a pool", func(sw *model.Switch) { sw.Config.EgressPools[1].SharedCells = 9 }, 8, mmu.DropEgressPool, Loss{Counter: "egress pool second, slice 2", Value: 8, Limit: 9}},
	} {
		g := box(t, func(sw *model.Switch) {
			sw.Config.Slices, sw.Config.Ports[0].Slice = 3, 2
			sw.Config.IngressPools = append(sw.Config.IngressPools, mmu.Pool{Name: "shallow", SharedCells: 50})
			sw.Config.EgressPools = append(sw.Config.EgressPools, mmu.Pool{Name: "second", SharedCells: 1000})
			for i := range sw.Config.Ports {
				sw.Config.Ports[i].Queues[0].Pool = 1
			}
			c.edit(sw)
		})
		for range c.before {
			if v := g.buffer.Enqueue(&mmu.Packet{InPort: 0, PG: 0, OutPort: 1, Queue: 0, Bytes: 64}); v.Dropped() {
				t.Fatalf("%s: %v", c.what, v)
			}
		}
		l := g.lossOf(&mmu.Packet{InPort: 0, PG: 0, OutPort: 1, Queue: 0, Bytes: 280}, mmu.Verdict{Outcome: c.v}, false)
		if l.Counter != c.want.Counter || l.Value != c.want.Value || l.Limit != c.want.Limit || l.Cells != 3 || l.Why != c.v.String() {
			t.Errorf("%s: %+v, want %+v", c.what, *l, c.want)
		}
	}
}

// Nothing comes in and nothing leaves behind a loss.
func TestNothingBehindALoss(t *testing.T) {
	g := box(t, func(sw *model.Switch) { sw.Config.Ports[0].PGs[0].HeadroomCells = 0 })
	for range 11 {
		g.send(target{port: 0, out: 1}.packet(64))
	}
	events, loss := len(g.events), g.loss
	if _, ok := g.send(target{port: 2, out: 1}.packet(64)); ok || g.leave(1, 0) || len(g.events) != events || g.loss != loss || g.packets != 11 {
		t.Errorf("%+v", g.events)
	}
}

// A game that is over is as new, and what comes behind a loss is not played.
func TestRestartAndEnd(t *testing.T) {
	edit := func(sw *model.Switch) { sw.Config.Ports[0].PGs[0].HeadroomCells = 2 }
	empty, to := box(t, edit), target{port: 0, out: 1}
	g := empty.fresh()
	for range 13 {
		g.send(to.packet(64))
	}
	if g.loss == nil || g.packets != 13 {
		t.Fatalf("%v after %d packets", g.loss, g.packets)
	}
	events := slices.Clone(g.events)
	g.restart(empty)
	if g.now != 0 || g.packets != 0 || len(g.events) != 0 || g.loss != nil || g.held[0] != 0 || g.pauses[0] != (pause{}) || g.wires[0] != (stream{}) || g.leave(1, 0) || g.buffer.PG(0, 0).Total() != 0 {
		t.Errorf("%+v", g)
	}
	last := events[len(events)-1]
	last.Count += 5
	err := g.play(append(events[:len(events)-1:len(events)-1], last, Event{Kind: Leave, Out: 1, Count: 1, Bytes: 64}))
	if err != nil || g.packets != 13 || g.events[len(g.events)-1].Kind != Arrive {
		t.Errorf("%v, %d packets, %+v", err, g.packets, g.events)
	}
}

// A second group of a port that is paused already may go on, whoever else is paused.
func TestPausedGroupGoesOn(t *testing.T) {
	g := box(t, func(sw *model.Switch) {
		sw.Ports[1].Pausable = 3
		sw.Config.Ports[1].PGs[1] = sw.Config.Ports[1].PGs[0]
	})
	first, second := target{port: 1, pg: 1, out: 2, queue: 1}, target{port: 0, out: 1}
	for range 10 {
		g.send(first.packet(64))
		g.send(second.packet(64))
	}
	g.pausable = 1
	if _, ok := g.send(first.packet(64)); !ok || !g.pauses[maxPGs+1].on || !g.pauses[0].on {
		t.Errorf("%v, %+v", ok, g.pauses[:2*maxPGs])
	}
}

// One group may be paused at once: with the second one of the last port paused, or with a cell in its headroom, the
// tenth packet of the first one of the first port does not come in.
func TestOtherGroupIsPaused(t *testing.T) {
	for _, on := range []bool{true, false} {
		g := box(t, func(sw *model.Switch) {
			sw.Ports[2].Pausable, sw.Config.Ports[2].PGs[1] = 3, sw.Config.Ports[2].PGs[0]
		})
		for range 11 {
			g.send(target{port: 2, pg: 1, out: 1, queue: 1}.packet(64))
		}
		if !g.pauses[2*maxPGs+1].on || g.buffer.PG(2, 1).Headroom != 1 {
			t.Fatalf("%+v, %d cells", g.pauses[2*maxPGs+1], g.buffer.PG(2, 1).Headroom)
		}
		if g.pauses[2*maxPGs+1].on = on; on {
			g.leave(1, 1)
		}
		g.pausable = 1
		for n := range 10 {
			if _, ok := g.send(target{port: 0, out: 1}.packet(64)); ok != (n < 9) {
				t.Errorf("packet %d: %v, and the other is paused: %v", n, ok, on)
			}
		}
	}
}

// Packets of several cells go by a way of their own, those of one by the other.
func TestLargePacketsByAnotherWay(t *testing.T) {
	g := box(t, func(sw *model.Switch) { sw.Ports[0].Link.Cable = 100 * units.Metre })
	g.floodBy(target{port: 0, out: 1}, target{port: 0, out: 2})
	sizes := map[int64]int{}
	for _, e := range g.events {
		cells := g.buffer.Cells(e.Bytes)
		if sizes[min(cells, 3)]++; cells > 1 != (e.Out == 2) {
			t.Errorf("%+v of %d cells", e, cells)
		}
	}
	if sizes[2] == 0 {
		t.Errorf("%v", sizes)
	}
}

// A packet that is lost unseen has never been sent: wire, time and pause are as before.
func TestLostUnseen(t *testing.T) {
	g := box(t, func(sw *model.Switch) { sw.Config.Ports[2].Queues[0].Limit = mmu.StaticLimit(12) })
	g.only = []string{proof.PauseReaches}
	to := target{port: 1, out: 2}
	for range 12 {
		g.send(to.packet(64))
	}
	now, wire, state, events := g.now, g.wires[1], g.pauses[maxPGs], g.events[0].Count
	if v, ok := g.send(to.packet(64)); !ok || v.Outcome != mmu.DropQueueLimit || !state.on {
		t.Fatalf("%v, %v, %+v", v, ok, state)
	}
	wire.ended = wire.ended || g.wires[1].ended // the next one begins another stream
	if g.now != now || g.wires[1] != wire || g.pauses[maxPGs] != state || g.loss != nil || g.events[len(g.events)-1].Count+g.events[0].Count > 2*events {
		t.Errorf("%d %+v %+v, before %d %+v %+v", g.now, g.wires[1], g.pauses[maxPGs], now, wire, state)
	}
}

// What has a way of its own leaves first, until the group is resumed; then the rest.
func TestLargePacketsLeaveFirst(t *testing.T) {
	g := box(t, nil)
	to, large := target{port: 0, out: 1}, target{port: 0, out: 2}
	for range 8 {
		g.send(to.packet(64))
	}
	for range 6 { // the second of them pauses it
		g.send(large.packet(64))
	}
	g.drain(to, large)
	if left := g.events[len(g.events)-1]; left.Kind != Leave || left.Out != 2 || left.Count != 5 || g.pauses[0].on || g.shared()[0] != 9 {
		t.Errorf("%+v, %v", left, g.shared())
	}
}
