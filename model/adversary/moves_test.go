package adversary

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/units"
)

// Which counter a lossless packet of two cells finds full, with what it holds. It takes 220 B on the wire.
func TestLossByHand(t *testing.T) {
	after := func(packets int64) int64 { return (packets*176_000*10_000 + 10_000) / 10_001 }
	for _, c := range []struct {
		what   string
		edit   func(sw *model.Switch)
		want   Loss // of the first that is lost
		breaks []string
	}{
		{"its headroom", func(sw *model.Switch) { sw.Config.Ports[0].PGs[0].HeadroomCells = 5 },
			Loss{At: after(7), Why: mmu.DropHeadroom.String(), Counter: "headroom of p0 PG 0", Value: 4, Limit: 5}, []string{proof.Headroom, proof.Resume}},
		{"that of all", func(sw *model.Switch) {
			sw.Config.IngressPools[0].HeadroomCells = 7
			for i := range sw.Config.Ports {
				sw.Config.Ports[i].PGs[0].HeadroomPooled = true
			}
		}, Loss{At: after(8), Why: mmu.DropHeadroomPool.String(), Counter: "headroom pool of in, slice 0", Value: 6, Limit: 7}, []string{proof.HeadroomPool, proof.Resume}},
		{"a queue", func(sw *model.Switch) { sw.Config.Ports[1].Queues[0].Limit = mmu.StaticLimit(9) },
			Loss{At: after(4), Why: mmu.DropQueueLimit.String(), Counter: "queue 0 of p1, slice 0", Value: 8, Limit: 9}, []string{proof.QueueHolds, proof.EgressHolds}},
		{"a queue whose limit falls: half of 28 - 10 - 2 is 8", func(sw *model.Switch) {
			sw.Config.EgressPools[0].SharedCells, sw.Config.Ports[1].Queues[0].Limit = 28, mmu.DynamicLimit(-1)
		}, Loss{At: after(4), Why: mmu.DropQueueLimit.String(), Counter: "queue 0 of p1, slice 0", Value: 8, Limit: 9}, []string{proof.QueueHolds, proof.EgressHolds}},
		{"a queue whose limit falls, in steps: half of 28 is 14, of which a mantissa of two bits holds 12", func(sw *model.Switch) {
			sw.Config.EgressPools[0].SharedCells, sw.Config.Ports[1].Queues[0].Limit = 28, mmu.Limit{Dynamic: true, Code: mmu.Code{Bits: 2}}
		}, Loss{At: after(6), Why: mmu.DropQueueLimit.String(), Counter: "queue 0 of p1, slice 0", Value: 12, Limit: 12}, []string{proof.QueueHolds, proof.EgressHolds}},
		{"a port", func(sw *model.Switch) { sw.Config.Ports[1].Egress = []mmu.Bound{{Limit: mmu.StaticLimit(11)}} },
			Loss{At: after(5), Why: mmu.DropPortLimit.String(), Counter: "bound of p1 in out, slice 0", Value: 10, Limit: 11}, []string{proof.PortHolds}},
		{"a port whose bound falls: as much as 21 - 10 - 2", func(sw *model.Switch) {
			sw.Config.EgressPools[0].SharedCells = 21
			sw.Config.Ports[1].Egress = []mmu.Bound{{Limit: mmu.DynamicLimit(0)}}
		}, Loss{At: after(5), Why: mmu.DropPortLimit.String(), Counter: "bound of p1 in out, slice 0", Value: 10, Limit: 9}, []string{proof.PortHolds}},
		{"the egress pool", func(sw *model.Switch) { sw.Config.EgressPools[0].SharedCells = 13 },
			Loss{At: after(6), Why: mmu.DropEgressPool.String(), Counter: "egress pool out, slice 0", Value: 12, Limit: 13}, []string{proof.EgressHolds, proof.QueueHolds}},
		{"the memory", func(sw *model.Switch) { sw.Config.SliceCells = 15 },
			Loss{At: after(7), Why: "memory exhausted", Counter: "memory of slice 0", Value: 14, Limit: 15}, []string{proof.Memory}},
	} {
		g := box(t, c.edit)
		for range 20 {
			g.send(target{port: 0, out: 1}.packet(200))
		}
		if g.loss == nil {
			t.Errorf("%s: nothing is lost", c.what)
			continue
		}
		got := *g.loss
		c.want.Port, c.want.Bytes, c.want.Cells = "p0", 200, 2
		if got != c.want || !slices.Equal(got.breaks(), c.breaks) {
			t.Errorf("%s: %+v, want %+v; %v", c.what, got, c.want, got.breaks())
		}
		// Where only another obligation is looked for, it is lost unseen, and the next ones too.
		g = box(t, c.edit)
		g.only = []string{proof.PauseReaches}
		for range 20 {
			g.send(target{port: 0, out: 1}.packet(200))
		}
		if g.loss != nil {
			t.Errorf("%s is seen: %v", c.what, g.loss)
		}
		g = box(t, c.edit)
		g.only = []string{proof.PauseReaches, c.breaks[0]}
		for range 20 {
			g.send(target{port: 0, out: 1}.packet(200))
		}
		if g.loss == nil || *g.loss != c.want {
			t.Errorf("%s is not seen: %v", c.what, g.loss)
		}
	}
}

// Memory is taken for each packet and given back for each that leaves.
func TestMemoryIsGivenBack(t *testing.T) {
	g := box(t, func(sw *model.Switch) { sw.Config.SliceCells = 6 })
	to := target{port: 0, out: 1}
	for range 10 {
		g.send(to.packet(300 - 20))
		if g.loss != nil {
			t.Fatal(g.loss)
		}
		g.send(to.packet(280))
		g.leave(1, 0)
		g.leave(1, 0)
	}
	must.Equalf(t, g.held[0], 0, "cells:")
	g.send(to.packet(280))
	g.send(to.packet(280)) // 6 of 6
	if g.loss != nil {
		t.Error(g.loss)
	}
	if g.send(to.packet(64)); g.loss == nil || g.loss.Value != 6 {
		t.Errorf("%+v", g.loss)
	}
}

// A memory of one cell takes one packet of one.
func TestSmallestMemory(t *testing.T) {
	g := box(t, func(sw *model.Switch) { sw.Config.SliceCells = 1 })
	to := target{port: 0, out: 1}
	if g.send(to.packet(64)); g.loss != nil {
		t.Error(g.loss)
	}
	if g.send(to.packet(64)); g.loss == nil || g.loss.Why != "memory exhausted" || g.loss.Value != 1 || g.loss.Limit != 1 {
		t.Errorf("%+v", g.loss)
	}
}

// Packets right behind each other are one event; one after a gap begins another, with its time.
func TestEventsByGap(t *testing.T) {
	g := box(t, nil)
	to := target{port: 0, out: 1}
	for _, now := range []int64{0, 0, sent(2) + 7} {
		g.now = max(g.now, now)
		g.send(to.packet(64))
	}
	if len(g.events) != 2 || g.events[0].Count != 2 || g.events[1].Count != 1 || g.events[1].At != sent(2)+7 {
		t.Errorf("%+v", g.events)
	}
}

// The ways of groups: from each port that has a link to the queues of the others, the next one first.
func TestWays(t *testing.T) {
	g := box(t, func(sw *model.Switch) { sw.Ports[0].Queues[0], sw.Ports[2].Link.Rate = 3, 0 })
	for _, c := range []struct {
		port, pg int
		want     []target
	}{
		{0, 0, []target{{0, 0, 1, 0}, {0, 0, 1, 1}, {0, 0, 2, 0}, {0, 0, 2, 1}}}, {0, 1, []target{{0, 1, 1, 1}, {0, 1, 2, 1}}},
		{1, 0, []target{{1, 0, 2, 0}, {1, 0, 0, 0}}}, {2, 0, nil}, {2, 1, nil},
	} {
		if got := g.ways(c.port, c.pg); !slices.Equal(got, c.want) {
			t.Errorf("port %d, group %d: %v, want %v", c.port, c.pg, got, c.want)
		}
	}
	if got := g.lossless(0); !slices.Equal(got, []target{{0, 0, 1, 0}, {1, 0, 2, 0}}) {
		t.Errorf("%v", got)
	}
	if got := g.groups(0, false); !slices.Equal(got, []target{{0, 1, 1, 1}, {1, 1, 2, 1}}) {
		t.Errorf("%v", got)
	}
	for _, c := range []struct {
		to   goal
		want target
		ok   bool
	}{
		{goal{out: 1, queue: 1}, target{0, 0, 1, 1}, true}, {goal{out: 2}, target{0, 0, 2, 0}, true}, {goal{out: 0}, target{}, false}, {goal{out: 1, queue: 2}, target{}, false},
		{goal{out: 2, queue: 7, whole: true}, target{0, 0, 2, 0}, true}, {goal{out: 2, whole: true, pool: 1}, target{}, false},
	} {
		if got, ok := g.wayTo(target{port: 0}, c.to); got != c.want || ok != c.ok {
			t.Errorf("%+v: %v, %v", c.to, got, ok)
		}
	}
	if got := first([]target{{port: 4}, {port: 2, pg: 1}, {port: 4, pg: 1}, {port: 3}, {port: 2, pg: 2}}, 2); !slices.Equal(got, []target{{port: 4}, {port: 2, pg: 1}, {port: 4, pg: 1}, {port: 2, pg: 2}}) {
		t.Errorf("%v", got)
	}
}

// Of goals, of groups and of those that take what others lack, one of each kind.
func TestKinds(t *testing.T) {
	count := func(edit func(sw *model.Switch)) [3]int {
		g := box(t, edit)
		return [3]int{len(g.goals()), len(g.kinds()), len(g.squeezers(0))}
	}
	for _, c := range []struct {
		what string
		edit func(sw *model.Switch)
		want [3]int
	}{
		{"all alike", nil, [3]int{2, 1, 2}},
		{"another limit of a queue", func(sw *model.Switch) { sw.Config.Ports[2].Queues[1].Limit.StaticCells++ }, [3]int{3, 1, 2}},
		{"a port that is bounded, by each kind of queue", func(sw *model.Switch) { sw.Config.Ports[2].Egress = []mmu.Bound{{Limit: mmu.StaticLimit(3)}} }, [3]int{4, 1, 2}},
		{"another limit of a group", func(sw *model.Switch) { sw.Config.Ports[2].PGs[0].Limit.StaticCells++ }, [3]int{2, 2, 3}},
		{"another cable", func(sw *model.Switch) { sw.Ports[1].Link.Cable++ }, [3]int{2, 2, 2}},
		{"a pause that does not reach", func(sw *model.Switch) { sw.Ports[1].Pausable = 0 }, [3]int{2, 2, 2}},
		{"of another group", func(sw *model.Switch) { sw.Ports[1].Pausable = 3 }, [3]int{2, 1, 2}},
		{"a second pool", func(sw *model.Switch) {
			sw.Config.EgressPools = append(sw.Config.EgressPools, sw.Config.EgressPools[0])
			for i := range sw.Config.Ports {
				sw.Config.Ports[i].Queues[0].Pool, sw.Config.Ports[i].Queues[1].Pool = 1, 1
			}
		}, [3]int{2, 1, 2}},
		{"another slice", func(sw *model.Switch) { sw.Config.Slices, sw.Config.Ports[2].Slice = 2, 1 }, [3]int{4, 2, 2}},
	} {
		must.Equalf(t, count(c.edit), c.want, "%s:", c.what)
	}
	g := box(t, func(sw *model.Switch) {
		sw.Config.Ports[0].PGs[0].XonCells, sw.Config.Ports[1].PGs[0].XonCells, sw.Config.Ports[1].PGs[0].ReservedCells = 3, 3, 3
	})
	if got := g.climbers(0, func(to target) (target, bool) { return to, true }); !slices.Equal(got, []target{{0, 0, 1, 0}}) {
		t.Errorf("%v", got) // an xon of no more than the reserve leaves the headroom empty
	}
	if g.crammed(0, 0) {
		t.Error("headroom of their own is in no pool")
	}
	for cells, want := range map[units.Cells]bool{41: true, 42: false, 43: false} { // three groups of 14
		g := box(t, func(sw *model.Switch) {
			sw.Config.IngressPools[0].HeadroomCells = cells
			for i := range sw.Config.Ports {
				sw.Config.Ports[i].PGs[0].HeadroomPooled = true
			}
		})
		if g.crammed(0, 0) != want {
			t.Errorf("%d cells", cells)
		}
	}
	g = box(t, func(sw *model.Switch) {
		for i, l := range []mmu.Limit{mmu.StaticLimit(5), mmu.DynamicLimit(1), mmu.DynamicLimit(-3)} {
			sw.Config.Ports[i].PGs[0].Limit = l
		}
		sw.Config.Ports[2].PGs[1].Limit = mmu.StaticLimit(9)
		sw.Ports[1].Link.Cable = 100 * units.Metre
	})
	list := []target{{port: 0}, {port: 1}, {port: 2}, {port: 2, pg: 1}}
	if g.fallingFirst(list); !slices.Equal(list, []target{{port: 2}, {port: 1}, {port: 2, pg: 1}, {port: 0}}) {
		t.Errorf("%v", list)
	}
	if got := g.chosen(0, Options{PausedPGs: 2}, false); got[0].port != 1 || got[1].port != 0 || len(got) != 2 {
		t.Errorf("%v", got) // over the longest cable comes most
	}
	if got := g.chosen(0, Options{}, true); len(got) != 3 || got[0].port != 2 {
		t.Errorf("%v", got)
	}
	for _, most := range []int{3, 4} {
		if got := g.chosen(0, Options{PausedPGs: most}, false); len(got) != 3 {
			t.Errorf("%d at most: %v", most, got)
		}
	}
}

// shared returns the cells that groups 0 of the ports have of the shared part.
func (g *game) shared() (cells [3]int64) {
	for port := range cells {
		cells[port] = int64(g.buffer.PG(port, 0).Shared)
	}
	return cells
}

// How far a group is filled, of its 10 cells: with packets of 280 B, three cells, and a shorter one for the rest.
func TestFill(t *testing.T) {
	to := target{port: 0, out: 1}
	for left, want := range map[int64][]Event{
		1: {{Bytes: 280, Count: 3}},                         // 9 of 9
		2: {{Bytes: 280, Count: 2}, {Bytes: 200, Count: 1}}, // 8
		3: {{Bytes: 280, Count: 2}, {Bytes: 100, Count: 1}}, // 7
		0: {{Bytes: 280, Count: 3}, {Bytes: 100, Count: 1}}, // and it is paused
	} {
		g := box(t, nil)
		g.fill(to, left)
		if got := g.shared(); got[0] != 10-left || g.pauses[0].on != (left == 0) || len(g.events) != len(want) {
			t.Errorf("%d left: %v, %+v", left, got, g.events)
			continue
		}
		for i, e := range g.events {
			if e.Bytes != want[i].Bytes || e.Count != want[i].Count {
				t.Errorf("%d left: %+v", left, g.events)
			}
		}
	}
	// Lossy packets are as large as the port's.
	g := box(t, nil)
	if g.fill(target{port: 0, pg: 1, out: 1, queue: 1}, 0); g.events[0].Bytes != 980 || g.buffer.PG(0, 1).Shared != 20 {
		t.Errorf("%+v", g.events)
	}
	// Into a queue of 2 cells no packet of three gets, and one of 140 B does.
	g = box(t, func(sw *model.Switch) { sw.Config.Ports[1].Queues[1].Limit = mmu.StaticLimit(2) })
	if g.fill(target{port: 0, pg: 1, out: 1, queue: 1}, 0); g.buffer.PG(0, 1).Shared != 2 {
		t.Errorf("%d cells", g.buffer.PG(0, 1).Shared)
	}
	// Where neither a packet of a cell nor a smallest one may come, since no more than 2 of 5 are small, a largest one
	// does: of its three cells two go to the headroom.
	g = box(t, func(sw *model.Switch) { sw.Ports[0].Link.SmallPackets = 40 * units.Percent })
	if g.fill(to, 0); g.shared()[0] != 10 || g.buffer.PG(0, 0).Headroom != 2 || !g.pauses[0].on {
		t.Errorf("%v, %d in the headroom", g.shared(), g.buffer.PG(0, 0).Headroom)
	}
	// Where half of them may be small, the one that fills it up is a smallest one.
	g = box(t, func(sw *model.Switch) { sw.Ports[0].Link.SmallPackets = 50 * units.Percent })
	if g.fill(to, 0); g.shared()[0] != 10 || g.buffer.PG(0, 0).Headroom != 0 || g.events[len(g.events)-1].Bytes != 64 {
		t.Errorf("%v, %+v", g.shared(), g.events)
	}
	// Raising ends with smallest packets, a cell below the threshold at most.
	for cells, want := range map[int64]int64{0: 0, 5: 5, 9: 9, 10: 9} {
		g = box(t, nil)
		if g.raise(to, cells); g.shared()[0] != want || g.pauses[0].on {
			t.Errorf("raised to %d: %v", cells, g.shared())
		}
	}
	g = box(t, nil)
	if g.trickle(to); g.shared()[0] != 9 || g.events[0].Bytes != 64 || g.packets != 9 || g.pauses[0].on {
		t.Errorf("%v of %d packets", g.shared(), g.packets)
	}
}

// Others take what is left of a group's room, without it being told.
func TestSqueeze(t *testing.T) {
	falling := func(sw *model.Switch) {
		sw.Config.IngressPools[0].SharedCells = 30
		sw.Config.Ports[0].PGs[0].Limit = mmu.DynamicLimit(0)
	}
	victim := target{port: 0, out: 1}
	g := box(t, falling)
	g.fill(victim, 1) // 14 of 30: with 15 it would be as many as are left
	if g.shared()[0] != 14 || g.room(0, 0) != 1 {
		t.Fatalf("%v, room %d", g.shared(), g.room(0, 0))
	}
	if g.squeeze(victim, true); g.room(0, 0) != 0 || g.pauses[0].on || g.shared()[0] != 14 {
		t.Errorf("%v, room %d", g.shared(), g.room(0, 0))
	}
	// A fixed limit does not fall, and the pool has enough for all.
	g = box(t, func(sw *model.Switch) { sw.Config.IngressPools[0].SharedCells = 200 })
	g.fill(victim, 1)
	if g.squeeze(victim, false); g.room(0, 0) != 1 {
		t.Errorf("%v, room %d", g.shared(), g.room(0, 0))
	}
	// Gently, none of the lossless others is paused: 9 and 20 of each port, and no more.
	g = box(t, nil)
	g.fill(victim, 1)
	g.squeeze(victim, true)
	if g.pauses[maxPGs].on || g.pauses[2*maxPGs].on {
		t.Error("others are paused")
	}
}

// A flood is the whole window; of a group whose pause does not reach its peer, as many windows as it takes until
// something is lost, and of a lossy one until nothing more finds a place.
func TestFlood(t *testing.T) {
	g := box(t, func(sw *model.Switch) { sw.Config.Ports[0].PGs[0].HeadroomCells = 100 })
	to := target{port: 0, out: 1}
	g.fill(to, 1)
	before := g.packets
	g.flood(to)
	// The first packet decides; 1209 B on the wire and a whole one come in.
	if window := int64(len(g.cutOf(0))); g.packets-before != window || !g.pauses[0].on || g.loss != nil {
		t.Errorf("%d packets of a window of %d, %v", g.packets-before, window, g.loss)
	}
	g.drain(to, to)
	if g.pauses[0].on || g.shared()[0] >= 10 || g.buffer.PG(0, 0).Headroom != 0 {
		t.Errorf("%v", g.shared())
	}
	g = box(t, func(sw *model.Switch) { sw.Ports[0].Pausable = 0 })
	if g.flood(to); g.loss == nil {
		t.Error("nothing is lost")
	}
	g = box(t, nil)
	if g.flood(target{port: 0, pg: 1, out: 1, queue: 1}); g.buffer.PG(0, 1).Shared != 20 || g.loss != nil {
		t.Errorf("%d lossy cells, %v", g.buffer.PG(0, 1).Shared, g.loss)
	}
}

// What a search says of itself.
func TestResults(t *testing.T) {
	for want, r := range map[string]Result{
		"no lossless packet lost in 3 attacks with 5 packets":                                   {Attacks: 3, Packets: 5, Complete: true},
		"no lossless packet lost in 3 attacks with 5 packets, after which the budget was spent": {Attacks: 3, Packets: 5},
		"lost after 1 events: why: a packet of 64 B in PG 1 of p0 needs 2 cells and is lost: c holds 3 of 4": {
			Found: &Counterexample{Events: []Event{{}}, Loss: &Loss{Why: "why", Bytes: 64, PG: 1, Port: "p0", Cells: 2, Counter: "c", Value: 3, Limit: 4}}},
	} {
		must.Equal(t, r.String(), want)
	}
	edit := func(sw *model.Switch) {
		for i := range sw.Config.Ports {
			sw.Config.Ports[i].PGs[0].HeadroomCells = 30 // 19 cells of the window and 3 of the last packet come in
		}
	}
	sw := box(t, edit).sw
	whole, err := Search(sw, Options{})
	if err != nil || !whole.Complete || whole.Packets > defaultPackets {
		t.Fatal(whole, err)
	}
	g := box(t, edit)
	list := slices.Collect(attacks(g, Options{Random: defaultRandom}))
	if whole.Found != nil || whole.Attacks != len(list) {
		t.Errorf("%d attacks of %d", whole.Attacks, len(list))
	}
	if none, err := Search(sw, Options{Packets: 1}); err != nil || none.Complete || none.Attacks != 1 {
		t.Errorf("%+v, %v", none, err)
	}
	if more, err := Search(sw, Options{Random: defaultRandom + 2}); err != nil || more.Attacks != len(list)+2 {
		t.Errorf("%+v, %v", more, err)
	}
	list[0].play(g) // the budget is spent with the packet that fills it
	for budget, attacks := range map[int64]int{g.packets: 1, g.packets + 1: 2} {
		if some, err := Search(sw, Options{Packets: budget}); err != nil || some.Complete || some.Attacks != attacks {
			t.Errorf("%d packets: %+v, %v", budget, some, err)
		}
	}
	sw.Config.CellBytes = 0
	if _, err := Search(sw, Options{}); err == nil {
		t.Error("a cell of nothing")
	}
}

// A counterexample is read up to its bounds, and the timeline has a line for each change.
func TestTimelineByHand(t *testing.T) {
	g := box(t, func(sw *model.Switch) { sw.Config.Ports[0].PGs[0].HeadroomCells = 2 })
	lines := &timeline{}
	g.watch = lines.watch
	to := target{port: 0, out: 1}
	for range 11 {
		g.send(to.packet(64))
	}
	g.leave(1, 0)
	g.leave(1, 0)
	for range 4 {
		g.send(to.packet(64))
	}
	var got []string
	for _, l := range lines.lines {
		got = append(got, l.Event+"|"+l.Text+"|"+l.State)
	}
	want := []string{
		"|p0 PG 0 → p1 queue 0: 9 × 64 B|reserve 0/0, shared 9, threshold 10, headroom 0/2",
		"XOFF|p0 PG 0 → p1 queue 0: 1 × 64 B|reserve 0/0, shared 10, threshold 10, headroom 0/2",
		"|p0 PG 0 → p1 queue 0: 1 × 64 B|reserve 0/0, shared 10, threshold 10, headroom 1/2",
		"|p1 queue 0: 1 × 64 B leave|reserve 0/0, shared 10, threshold 10, headroom 0/2",
		"XON|p1 queue 0: 1 × 64 B leave|reserve 0/0, shared 9, threshold 10, headroom 0/2",
		"XOFF|p0 PG 0 → p1 queue 0: 1 × 64 B|reserve 0/0, shared 10, threshold 10, headroom 0/2",
		"|p0 PG 0 → p1 queue 0: 2 × 64 B|reserve 0/0, shared 10, threshold 10, headroom 2/2",
		"LOST|p0 PG 0 → p1 queue 0: 1 × 64 B|reserve 0/0, shared 10, threshold 10, headroom 2/2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if lines.lines[0].At != 0 || lines.lines[1].At != units.Time(sent(9)) {
		t.Errorf("%v", lines.lines)
	}
	c := &Counterexample{Schema: Schema, Config: g.sw.Config, Ports: g.sw.Ports, Events: g.events, Loss: g.loss}
	for _, e := range []struct {
		change func(c *Counterexample)
		ok     bool
	}{
		{func(*Counterexample) {}, true}, {func(c *Counterexample) { c.Ports = c.Ports[:2] }, false}, {func(c *Counterexample) { c.Config = nil }, false},
		{func(c *Counterexample) { c.Events = []Event{{Kind: Leave, Count: 1 << 28}} }, true},
		{func(c *Counterexample) { c.Events = []Event{{Kind: Leave, Count: 1 << 28}, {Kind: Leave, Count: 1}} }, false},
		{func(c *Counterexample) { c.Ports[2].Link.SmallPackets = units.One - 1 }, true}, {func(c *Counterexample) { c.Ports[2].Link.SmallPackets = units.One }, false}, {func(c *Counterexample) { c.Ports[2].Link.SmallPackets = -1 }, false},
		{func(c *Counterexample) { c.Ports[2].Link.LosslessFrame = 980 }, true}, {func(c *Counterexample) { c.Ports[2].Link.LosslessFrame = 981 }, false},
	} {
		own := *c
		own.Ports = slices.Clone(c.Ports)
		e.change(&own)
		text := must.Get(own.Marshal())(t)
		if read, err := ReadCounterexample(text); (err == nil) != e.ok {
			t.Errorf("%v", err)
		} else if again, _ := read.marshalled(); e.ok && !bytes.Equal(again, text) {
			t.Errorf("%s", again)
		}
	}
	text, _ := c.Marshal()
	replayed, err := Replay(text)
	if err != nil || *replayed.Loss != *g.loss || len(replayed.Lines) != len(want) {
		t.Errorf("%v, %v", replayed, err)
	}
	c.Loss.Value++
	text, _ = c.Marshal()
	if _, err := Replay(text); err == nil || !strings.Contains(err.Error(), "the recorded loss is") {
		t.Errorf("%v", err)
	}
	c.Loss = nil
	text, _ = c.Marshal()
	if _, err := Replay(text); err != nil {
		t.Error(err)
	}
}

func (c *Counterexample) marshalled() ([]byte, error) {
	if c == nil {
		return nil, nil
	}
	return c.Marshal()
}

// No more groups of a slice are paused at once than are allowed, nor have anything in their headroom; what
// leaves its group unpaused, what is lossy and what is under a pause already may come.
func TestMostPausedGroups(t *testing.T) {
	one, two, lossy := target{port: 0, out: 1}, target{port: 1, out: 2}, target{port: 1, pg: 1, out: 2, queue: 1}
	fill := func(g *game, to target, packets int) (sent int) {
		for range packets {
			if _, ok := g.send(to.packet(64)); ok {
				sent++
			}
		}
		return sent
	}
	for _, c := range []struct {
		pausable, slice, sent int // of the second group's ten packets, the last of which pauses it
	}{{0, 0, 10}, {1, 0, 9}, {2, 0, 10}, {1, 1, 10}} {
		g := box(t, func(sw *model.Switch) { sw.Config.Slices, sw.Config.Ports[1].Slice = 2, c.slice })
		g.pausable = c.pausable
		if fill(g, one, 10) != 10 || !g.pauses[0].on {
			t.Fatalf("%+v: the first is not paused", c)
		}
		if got := fill(g, two, 10); got != c.sent || g.pauses[maxPGs].on != (c.sent == 10) {
			t.Errorf("%+v: %d packets of the second", c, got)
		}
		if fill(g, one, 3) != 3 || fill(g, lossy, 3) != 3 {
			t.Errorf("%+v: what may come does not", c)
		}
	}
	// Where the first packet that finds no room pauses, the tenth does not yet; what lies in a headroom counts.
	g := box(t, func(sw *model.Switch) { sw.Config.Rules.Pause = mmu.OnExcess })
	g.pausable = 1
	if fill(g, one, 11) != 11 || !g.pauses[0].on || fill(g, two, 11) != 10 {
		t.Errorf("%+v", g.pauses[:2*maxPGs])
	}
	g.pauses[0] = pause{} // not paused, and one cell of its headroom taken
	if fill(g, two, 1) != 0 {
		t.Error("a group with packets in its headroom does not count")
	}
}

// Packets are as long as the cells that are left hold beside what is stored with each: of 20 cells six
// packets of 280 B and 20 B take 18, and one of 180 B the rest. A lossless group keeps its last cell.
func TestPress(t *testing.T) {
	stored := func(sw *model.Switch) { sw.Config.MetadataBytes = 20 }
	g := box(t, stored)
	g.press(1, 1, target{port: 0, out: 1}, 1)
	if len(g.events) != 2 || g.events[0].Count != 6 || g.events[0].Bytes != 280 || g.events[1].Bytes != 180 || g.buffer.PG(1, 1).Shared != 20 {
		t.Errorf("%+v, %d cells", g.events, g.buffer.PG(1, 1).Shared)
	}
	for keep, want := range map[int64]units.Cells{1: 9, 0: 10} {
		g = box(t, stored)
		if g.press(1, 0, target{port: 0, out: 1}, keep); g.buffer.PG(1, 0).Shared != want || g.pauses[maxPGs].on != (keep == 0) {
			t.Errorf("keeping %d: %d cells, paused %v", keep, g.buffer.PG(1, 0).Shared, g.pauses[maxPGs].on)
		}
	}
	// Where a queue has two cells left, smallest packets take them, and what does not fit in goes another way.
	g = box(t, func(sw *model.Switch) {
		sw.Config.Ports[2].Queues[1].Limit, sw.Config.Ports[0].Queues[1].Limit = mmu.StaticLimit(2), mmu.StaticLimit(1)
	})
	if g.press(1, 1, target{port: 0, out: 1}, 0); g.buffer.Queue(0, 2, 1).Shared != 2 || g.buffer.Queue(0, 0, 1).Shared != 1 || g.packets != 2*3+2*2 {
		t.Errorf("%d and %d cells, %+v", g.buffer.Queue(0, 2, 1).Shared, g.buffer.Queue(0, 0, 1).Shared, g.events)
	}
	if last := g.events[len(g.events)-1]; last.Bytes != 64 {
		t.Errorf("%+v", last)
	}
	// Where no packet of a cell may come, since no more than 2 of 5 are small, a largest one does.
	g = box(t, func(sw *model.Switch) { sw.Ports[1].Link.SmallPackets = 40 * units.Percent })
	if g.press(1, 0, target{port: 0, out: 1}, 0); g.buffer.PG(1, 0).Shared != 10 || g.buffer.PG(1, 0).Headroom != 2 {
		t.Errorf("%d cells, and %d in the headroom", g.buffer.PG(1, 0).Shared, g.buffer.PG(1, 0).Headroom)
	}
	// It stops with what fills the victim up: as many as are free, less what the other takes.
	g = box(t, func(sw *model.Switch) {
		sw.Config.IngressPools[0].SharedCells = 30
		sw.Config.Ports[0].PGs[0].Limit = mmu.DynamicLimit(0)
	})
	victim := target{port: 0, out: 1}
	g.fill(victim, 2)
	if g.press(1, 1, victim, 0); g.room(0, 0) != 0 || g.pauses[0].on {
		t.Errorf("%d cells of room", g.room(0, 0))
	}
}

// How many attacks there are on the groups of a slice together: filled first or in turn, with or without lossy
// traffic, by either order, and seven evenly with either; one more for each group that may resume with its
// headroom in use. Each of two slices has its own.
func TestAttacksOnPools(t *testing.T) {
	for want, edit := range map[int]func(sw *model.Switch){
		22: nil,
		44: func(sw *model.Switch) { sw.Config.Slices = 2 },
		23: func(sw *model.Switch) { sw.Config.Ports[0].PGs[0].XonCells = 12 },
	} {
		g := box(t, edit)
		list := poolOverrun(g, Options{})
		must.Equalf(t, len(list), want, "attacks:")
		for _, a := range list { // each ends with all groups told
			own := g.fresh()
			a.play(own)
			paused := 0
			for i := range own.pauses {
				if own.pauses[i].on {
					paused++
				}
			}
			if own.loss == nil && paused != 3 && !strings.Contains(a.name, "slice 1") {
				t.Errorf("%s: %d paused", a.name, paused)
			}
		}
	}
}
