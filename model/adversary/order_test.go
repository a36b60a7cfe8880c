package adversary

import (
	"errors"
	"fmt"
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

// cells is a switch of four ports of which every packet fills one cell. Group 0 of each is lossless and may take 4, 6, 5
// and 3 cells; group 1 is lossy and may take 2. Nothing else is short. Filled up to the last cell, a group has one less;
// a flood is three packets then, of which two come to lie in its headroom (see tinyswitch.ComesIn).
func cells(t *testing.T, edit func(sw *model.Switch)) *game {
	t.Helper()
	sw := &model.Switch{Config: &mmu.Config{
		CellBytes: 256, Slices: 1,
		IngressPools: []mmu.Pool{{Name: "in", SharedCells: 100}}, EgressPools: []mmu.Pool{{Name: "out", SharedCells: tinyswitch.Plenty}},
	}}
	for i, limit := range []units.Cells{4, 6, 5, 3} {
		sw.Config.Ports = append(sw.Config.Ports, mmu.Port{
			PGs:    []mmu.PG{{Lossless: true, Limit: mmu.StaticLimit(limit), HeadroomCells: 20}, {Limit: mmu.StaticLimit(2)}},
			Queues: []mmu.Queue{{Limit: mmu.StaticLimit(tinyswitch.Plenty)}, {Limit: mmu.StaticLimit(tinyswitch.Plenty)}},
		})
		sw.Ports = append(sw.Ports, model.Port{Name: fmt.Sprintf("p%d", i), Pausable: 1, Queues: [mmu.MaxPGs]uint16{1, 2}, Link: tinyswitch.Link(1)})
	}
	return begin(t, sw, edit)
}

// played returns the packets that came in and left, in order: "0.1>2 3" are three packets of group 1 of port 0
// to port 2, "-1 3" three that leave by port 1.
func (g *game) played() string {
	var parts []string
	last, count := "", 0
	end := func() {
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", last, count))
		}
	}
	for _, e := range g.events {
		way := fmt.Sprintf("%d.%d>%d", e.In, e.PG, e.Out)
		if e.Kind == Leave {
			way = fmt.Sprintf("-%d", e.Out)
		}
		if way != last {
			end()
			last, count = way, 0
		}
		count += e.Count
	}
	end()
	return strings.Join(parts, ", ")
}

// In which order groups are filled and flooded: wide ones of fixed limits before narrow ones, after those that fall.
func TestOrderOfMoves(t *testing.T) {
	falls := func(port int) func(sw *model.Switch) { // of 100 cells it may have 50: 49, and a flood of three
		return func(sw *model.Switch) { sw.Config.Ports[port].PGs[0].Limit = mmu.DynamicLimit(0) }
	}
	far := func(sw *model.Switch) { sw.Ports[0].Link = tinyswitch.Link(8) } // a packet more comes in
	victim := target{port: 1, out: 2}
	for _, c := range []struct {
		what string
		edit func(sw *model.Switch)
		play func(g *game)
		want string
	}{
		{"a crowd, the widest first", nil, func(g *game) { g.crowd(0, goal{out: 3}, Options{}, "") }, "1.0>3 8, 2.0>3 7, 0.0>3 6"},
		{"one that falls first", falls(0), func(g *game) { g.crowd(0, goal{out: 3}, Options{}, "") }, "0.0>3 52, 1.0>3 8, 2.0>3 7"},
		{"two senders, one of them over the longest cable", far, func(g *game) { g.crowd(0, goal{out: 3}, Options{FanIn: 2}, "") }, "1.0>3 8, 0.0>3 7"},
		{"the one over the longest cable", func(sw *model.Switch) { sw.Ports[2].Link = tinyswitch.Link(8) },
			func(g *game) { g.crowd(0, goal{out: 3}, Options{FanIn: 1}, "") }, "2.0>3 8"},
		{"as many as there are", far, func(g *game) { g.crowd(0, goal{out: 3}, Options{FanIn: 3}, "") }, "1.0>3 8, 2.0>3 7, 0.0>3 7"},
		{"those first that do not send there", nil, func(g *game) { g.crowd(0, goal{out: 3}, Options{}, "others") }, "3.0>0 5, 1.0>3 8, 2.0>3 7, 0.0>3 6"},
		{"lossy ones first", nil, func(g *game) { g.crowd(0, goal{out: 3}, Options{}, "lossy") }, "0.1>1 2, 1.1>2 2, 2.1>3 2, 3.1>0 2, 1.0>3 8, 2.0>3 7, 0.0>3 6"},
		{"in turn", nil, func(g *game) { g.inTurn(g.lossless(0), 0, false) }, "0.0>1 6, 1.0>2 8, 2.0>3 7, 3.0>0 5"},
		{"in turn, after a loss", nil, func(g *game) { g.loss = &Loss{}; g.inTurn(g.lossless(0), 0, false) }, ""},
		{"at once: all are full first", nil, func(g *game) { g.allAtOnce(0, Options{PausedPGs: 2}, false, false) },
			"0.0>1 3, 1.0>2 5, " + // then one is squeezed, by its own port first, gently: the others keep a cell
				"0.1>1 2, 2.0>3 4, 3.0>0 2, 1.1>2 2, 2.1>3 2, 3.1>0 2, 0.0>1 3, 1.0>2 3"},
		{"at once, by threshold", nil, func(g *game) { g.allAtOnce(0, Options{PausedPGs: 2}, false, true) },
			"1.0>2 5, 0.0>1 3, 1.1>2 2, 2.0>3 4, 3.0>0 2, 0.1>1 2, 2.1>3 2, 3.1>0 2, 1.0>2 3, 0.0>1 3"},
		{"at once: what falls before what is lossy", falls(3), func(g *game) { g.allAtOnce(0, Options{}, true, true) },
			"3.0>0 49, 0.1>1 2, 1.1>2 2, 2.1>3 2, 3.1>0 2, 1.0>2 5, 2.0>3 4, 0.0>1 3, 3.0>0 3, 1.0>2 3, 2.0>3 3, 0.0>1 3"},
		{"at once: what is lossy before all that are in order of need", falls(3), func(g *game) { g.allAtOnce(0, Options{}, true, false) },
			// 8 cells are lossy, and 3, 5 and 4 of the others: of 80 that falls has 40, less one
			"0.1>1 2, 1.1>2 2, 2.1>3 2, 3.1>0 2, 0.0>1 3, 1.0>2 5, 2.0>3 4, 3.0>0 39, 0.0>1 3, 1.0>2 3, 2.0>3 3, 3.0>0 3"},
		{"squeezed: its own port, by threshold, and again with the last cell of those that are lossless", falls(1), func(g *game) { g.squeeze(victim, false) },
			"1.1>2 2, 2.0>3 4, 0.0>1 3, 3.0>0 2, 0.1>1 2, 2.1>3 2, 3.1>0 2, 2.0>3 1, 0.0>1 1, 3.0>0 1"},
		{"others that fall before one with a fixed xon", func(sw *model.Switch) {
			falls(3)(sw)
			falls(2)(sw)
			sw.Config.Ports[3].PGs[0].Limit = mmu.DynamicLimit(-1)
		},
			func(g *game) { g.crush(victim, 0, true) }, "3.0>0 33, 2.0>3 33"}, // half of 66, and of 67 as many as are left, with the last one: 33 of 34
		{"squeezed by those of its pool", func(sw *model.Switch) {
			falls(1)(sw)
			sw.Config.IngressPools = append(sw.Config.IngressPools, mmu.Pool{Name: "second", SharedCells: 100})
			sw.Config.Ports[2].PGs[0].Pool, sw.Config.Ports[3].PGs[1].Pool = 1, 1
		}, func(g *game) { g.squeeze(victim, true) }, "1.1>2 2, 0.0>1 3, 3.0>0 2, 0.1>1 2, 2.1>3 2"},
		{"squeezed by those of its slice", func(sw *model.Switch) {
			falls(1)(sw)
			sw.Config.Slices, sw.Config.Ports[0].Slice, sw.Config.Ports[3].Slice = 2, 1, 1
		}, func(g *game) { g.squeeze(victim, true) }, "1.1>2 2, 2.0>3 4, 2.1>3 2"},
		{"pressed by another way where a queue is full", func(sw *model.Switch) { falls(1)(sw); sw.Config.Ports[1].Queues[0].Limit = mmu.StaticLimit(2) },
			func(g *game) { g.only = []string{"nothing"}; g.press(0, 0, victim, 1) }, "0.0>1 2, 0.0>2 1"},
		{"lossy ones by another way where a queue is full: a packet is lost", func(sw *model.Switch) { sw.Config.Ports[1].Queues[1].Limit = mmu.StaticLimit(1) },
			func(g *game) { g.lossyFirst(0) }, "0.1>1 2, 0.1>2 1, 1.1>2 2, 2.1>3 2, 3.1>0 2"},
		{"lossy ones that fall first: half of what they leave of 100", func(sw *model.Switch) { sw.Config.Ports[2].PGs[1].Limit = mmu.DynamicLimit(-1) },
			func(g *game) { g.lossyFirst(0) }, "2.1>3 33, 0.1>1 2, 1.1>2 2, 3.1>0 2"},
		{"evenly, where queue 0 of port 1 is full with two", func(sw *model.Switch) { sw.Config.Ports[1].Queues[0].Limit = mmu.StaticLimit(2) },
			// the third is lost unseen, and so are one of the next turn and the one that would fill it up; of a flood the first
			func(g *game) { g.only = []string{"nothing"}; g.evenly(g.lossless(0)[:1], 0, false, 0) }, "0.0>1 2"},
		{"evenly", nil, func(g *game) { g.evenly(g.lossless(0), 0, false, 0) },
			"0.0>1 1, 1.0>2 1, 2.0>3 1, 3.0>0 1, 0.0>1 1, 1.0>2 1, 2.0>3 1, 3.0>0 1, 0.0>1 1, 1.0>2 1, 2.0>3 1, 1.0>2 1, 2.0>3 1, 1.0>2 1, " +
				"0.0>1 3, 1.0>2 3, 2.0>3 3, 3.0>0 3"},
		{"evenly, with two cells to spare", nil, func(g *game) { g.evenly(g.lossless(0)[:2], 0, false, 2) },
			"0.0>1 1, 1.0>2 5, 0.0>1 5, 1.0>2 3"}, // the first has three cells of room, and takes two of them
		{"evenly, those with most room first", nil, func(g *game) { g.evenly(g.lossless(0)[1:3], 0, false, 2) },
			"1.0>2 1, 2.0>3 1, 1.0>2 1, 2.0>3 1, 1.0>2 1, 2.0>3 2, 1.0>2 5, 2.0>3 3"},
		{"all others, of a chip that pauses with the first packet that finds no room", func(sw *model.Switch) { sw.Config.Rules.Pause = mmu.OnExcess },
			func(g *game) { g.crush(victim, 0, false) }, "2.0>3 5, 0.0>1 4, 3.0>0 3"},
		{"all others", nil, func(g *game) { g.crush(victim, 0, false) }, "2.0>3 5, 0.0>1 4, 3.0>0 3"},
	} {
		g := cells(t, c.edit)
		if c.play(g); g.played() != c.want {
			t.Errorf("%s: %s\nwant %s", c.what, g.played(), c.want)
		}
	}
}

// A group with a fixed xon of 5 cells that may take 4: filled, three come in, one leaves. With one left in its headroom
// three more come in, three leave, and three come in again, no more than before. Where all others take what they can
// first, those that fall come before lossy ones, and fixed ones last: of 100 cells that falls has 50.
func TestClimbersFirst(t *testing.T) {
	xon := func(sw *model.Switch) {
		sw.Config.Ports[0].PGs[0].XonCells, sw.Config.Ports[2].PGs[0].Limit = 5, mmu.DynamicLimit(0)
	}
	climb := func(out int) string {
		return fmt.Sprintf("0.0>%d 6, -%d 1, 0.0>%d 3, -%d 3, 0.0>%d 3", out, out, out, out, out)
	}
	crushed := "2.0>3 50, 0.1>1 2, 1.1>2 2, 2.1>3 2, 3.1>0 2, 1.0>2 6, 3.0>0 3, " + climb(1)
	// Beside its 4 cells in the shared part one that falls has 48 of 96: 47 and three packets, of which two lie above.
	wants := map[string]string{
		"xon of p0 PG 0": crushed, "xon of p0 PG 0, smallest packets first": crushed,
		// by port 2, where the 6 of port 1 leave first
		"xon of p0 PG 0, large packets by another way":     strings.Replace(crushed, "-1 1", "-2 6, -1 1", 1),
		"all groups of slice 0, xon of p0 PG 0 first":      climb(1) + ", 2.0>3 50, 1.0>2 8, 3.0>0 5",
		"queue 0 of p3 from slice 0, xon of p0 PG 0 first": climb(3) + ", 2.0>3 50, 1.0>3 8",
	}
	last := func(sw *model.Switch) { xon(sw); sw.Config.Ports[3].Queues[0].Limit.StaticCells++ } // another kind of queue
	for _, list := range []func(*game, Options) []attack{resumed, poolOverrun, crowded} {
		for _, a := range list(cells(t, last), Options{}) {
			want, ok := wants[a.name]
			if !ok {
				continue
			}
			delete(wants, a.name)
			g := cells(t, last)
			if a.play(g); g.played() != want {
				t.Errorf("%s: %s\nwant %s", a.name, g.played(), want)
			}
		}
	}
	if len(wants) > 0 {
		t.Errorf("not tried: %v", wants)
	}
}

// A group that climbs is filled first: of 6 cells it has 5, and three packets come in. With 7
// it resumes, with one cell in its headroom.
func TestClimberIsFilledFirst(t *testing.T) {
	xon := func(sw *model.Switch) { sw.Config.Ports[1].PGs[0].XonCells = 7 }
	climb := func(out int) string {
		return fmt.Sprintf("1.0>%d 8, -%d 1, 1.0>%d 3, -%d 3, 1.0>%d 3", out, out, out, out, out)
	}
	for name, want := range map[string]string{
		"queue 0 of p0 from slice 0, xon of p1 PG 0 first": climb(0) + ", 2.0>0 7, 3.0>0 5",
		"xon of p1 PG 0":                              "0.1>1 2, 1.1>2 2, 2.1>3 2, 3.1>0 2, 2.0>3 5, 0.0>1 4, 3.0>0 3, " + climb(2),
		"xon of p1 PG 0, smallest packets first":      "0.1>1 2, 1.1>2 2, 2.1>3 2, 3.1>0 2, 2.0>3 5, 0.0>1 4, 3.0>0 3, 1.0>2 8, -2 1, 1.0>2 3, -2 3, 1.0>2 3",
		"all groups of slice 0, xon of p1 PG 0 first": climb(2) + ", 2.0>3 7, 0.0>1 6, 3.0>0 5",
	} {
		list := slices.Concat(crowded(cells(t, xon), Options{}), poolOverrun(cells(t, xon), Options{}), resumed(cells(t, xon), Options{}))
		i := slices.IndexFunc(list, func(a attack) bool { return a.name == name })
		g := cells(t, xon)
		if list[i].play(g); g.played() != want {
			t.Errorf("%s: %s\nwant %s", name, g.played(), want)
		}
	}
}

// What is filled takes the largest packets, and where a fixed xon is climbed to, the smallest ones: 9 of 10 cells.
func TestClimberIsFilledToTheCell(t *testing.T) {
	xon := func(sw *model.Switch) {
		roomy(sw)
		sw.Config.Ports[0].PGs[0].XonCells, sw.Config.Ports[1].Queues[0].Limit = 12, mmu.StaticLimit(201) // another kind of queue
	}
	for name, want := range map[string]Event{
		"queue 0 of p1 from slice 0, xon of p0 PG 0 first": {Bytes: 280, Count: 3},
		"all groups of slice 0, xon of p0 PG 0 first":      {Bytes: 280, Count: 3},
		"xon of p0 PG 0":                         {Bytes: 64, Count: 9},
		"xon of p0 PG 0, smallest packets first": {Bytes: 64, Count: 9},
	} {
		list := slices.Concat(crowded(box(t, xon), Options{}), poolOverrun(box(t, xon), Options{}), resumed(box(t, xon), Options{}))
		g := box(t, xon)
		list[slices.IndexFunc(list, func(a attack) bool { return a.name == name })].play(g)
		first := g.events[slices.IndexFunc(g.events, func(e Event) bool { return e.In == 0 && e.PG == 0 })]
		if first.Bytes != want.Bytes || first.Count < want.Count {
			t.Errorf("%s: %+v, want %+v", name, first, want)
		}
	}
}

// A queue is crowded with nothing else in the buffer, after lossy traffic, and after those that do not feed it; a port
// that is bounded, by all queues of the pool.
func TestCrowds(t *testing.T) {
	bounded := func(sw *model.Switch) { sw.Config.Ports[3].Egress = []mmu.Bound{{Limit: mmu.StaticLimit(400)}} }
	got := map[string][]string{}
	for _, a := range crowded(cells(t, bounded), Options{}) {
		g := cells(t, bounded)
		a.play(g)
		got[a.name] = append(got[a.name], g.played())
	}
	lossy := "0.1>1 2, 1.1>2 2, 2.1>3 2, 3.1>0 2"
	none := []string{"", lossy, "0.0>1 6, 1.0>2 8, 2.0>3 7, 3.0>0 5"} // no lossless group feeds queue 1: all are others
	first := "1.0>0 8, 2.0>0 7, 3.0>0 5"
	last := "1.0>3 8, 2.0>3 7, 0.0>3 6"
	for name, want := range map[string][]string{
		"queue 0 of p0 from slice 0":    {first, lossy + ", " + first, "0.0>1 6, " + first},
		"queue 1 of p0 from slice 0":    none,
		"all queues of p3 from slice 0": {last, lossy + ", " + last, "3.0>0 5, " + last},
	} {
		if len(got[name]) > 3 && name[0] == 'a' {
			got[name] = got[name][:3] // by each kind of queue
		}
		if !slices.Equal(got[name], want) {
			t.Errorf("%s: %q\nwant %q", name, got[name], want)
		}
	}
}

// Cells of 64 B that hold a byte beside the packet have no place for a packet of one cell: of 64 B less one 63 are left,
// and smaller ones than 64 B there are not.
func TestNoPacketOfOneCell(t *testing.T) {
	stored := func(sw *model.Switch) {
		sw.Config.CellBytes, sw.Config.MetadataBytes = 64, 1
		sw.Config.Ports[0].PGs[0].HeadroomCells = 6
	}
	to := target{port: 0, out: 1}
	g := box(t, stored)
	if g.fill(to, 4); g.shared()[0] != 5 || g.packets != 1 { // 281 B are five of the six cells
		t.Errorf("filled: %v, %+v", g.shared(), g.events)
	}
	g = box(t, stored)
	if g.press(0, 0, target{port: 1}, 4); g.shared()[0] != 5 || g.packets != 1 {
		t.Errorf("pressed: %v, %+v", g.shared(), g.events)
	}
	g = box(t, func(sw *model.Switch) { stored(sw); sw.Config.Ports[0].PGs[0].Limit = mmu.StaticLimit(11) })
	if g.press(0, 0, target{port: 1}, 0); g.shared()[0] != 10 || g.pauses[0].on { // nothing goes to its headroom
		t.Errorf("pressed to the last cell: %v, %+v", g.shared(), g.events)
	}
	g = box(t, stored)
	for range 2 {
		g.send(to.packet(280)) // all ten cells
	}
	g.stuff(to)
	if got := g.buffer.PG(0, 0).Headroom; got != 5 || g.packets != 3 || g.loss != nil {
		t.Errorf("stuffed: %d cells, %+v", got, g.events)
	}
	for metadata, want := range map[units.Bytes]units.Cells{0: 1, 1: 0} { // of one cell that is left
		g = box(t, func(sw *model.Switch) {
			stored(sw)
			sw.Config.MetadataBytes, sw.Config.Ports[0].PGs[0].HeadroomCells = metadata, 1
		})
		g.send(to.packet(280))
		g.send(to.packet(280))
		if g.stuff(to); g.buffer.PG(0, 0).Headroom != want || g.loss != nil {
			t.Errorf("%d B beside a packet: %d cells, %v", metadata, g.buffer.PG(0, 0).Headroom, g.loss)
		}
	}
}

// What is left of a second group's headroom on the last port is what its own packets have left, and where no packet of
// that size may come, a smallest one does.
func TestStuffOfASecondGroup(t *testing.T) {
	g := box(t, func(sw *model.Switch) {
		sw.Ports[2].Pausable, sw.Ports[2].Link.Cable = 3, 300*units.Metre
		sw.Config.Ports[2].PGs[1] = mmu.PG{Lossless: true, Limit: mmu.StaticLimit(2), HeadroomCells: 7}
	})
	to := target{port: 2, pg: 1, out: 0, queue: 1}
	for range 5 {
		g.send(to.packet(64)) // two below the threshold, and three of seven above
	}
	if g.stuff(to); g.buffer.PG(2, 1).Headroom != 7 || g.packets != 7 || g.events[len(g.events)-2].Bytes != 280 || g.events[len(g.events)-1].Bytes != 100 || g.loss != nil {
		t.Errorf("%d cells, %+v", g.buffer.PG(2, 1).Headroom, g.events)
	}
	g = box(t, func(sw *model.Switch) {
		sw.Ports[0].Link.Cable, sw.Ports[0].Link.SmallPackets = 300*units.Metre, 50*units.Percent
		sw.Config.Ports[0].PGs[0].HeadroomCells = 3
	})
	first := target{port: 0, out: 1}
	for range 4 {
		g.send(first.packet(280)) // nine cells, and two of the last one's three in the headroom
	}
	if g.stuff(first); g.buffer.PG(0, 0).Headroom != 3 || g.events[len(g.events)-1].Bytes != 64 || g.loss != nil {
		t.Errorf("%d cells, %+v", g.buffer.PG(0, 0).Headroom, g.events)
	}
}

// A largest packet of three cells goes where three are missing and there is room for them, and else smallest ones.
func TestRaiseToTheCell(t *testing.T) {
	for _, c := range []struct {
		limit units.Cells
		cells int64
		want  string
	}{{10, 3, "280 B"}, {10, 2, "64 B, 64 B"}, {10, 4, "280 B, 64 B"}, {4, 9, "280 B"}, {3, 9, "64 B, 64 B"}, {5, 9, "280 B, 64 B"}} {
		g := box(t, func(sw *model.Switch) { sw.Config.Ports[0].PGs[0].Limit = mmu.StaticLimit(c.limit) })
		g.raise(target{port: 0, out: 1}, c.cells)
		var got []string
		for _, e := range g.events {
			for range e.Count {
				got = append(got, fmt.Sprintf("%d B", e.Bytes))
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("to %d of %d: %v, want %s", c.cells, c.limit, got, c.want)
		}
	}
}

// A group whose peer hears no pause creeps until a packet is lost: of 40 cells and 3 of headroom, the 44th.
func TestCreepWithoutPause(t *testing.T) {
	g := cells(t, func(sw *model.Switch) {
		sw.Ports[0].Pausable, sw.Config.Ports[0].PGs[0].HeadroomCells, sw.Config.Ports[0].PGs[0].Limit = 0, 3, mmu.StaticLimit(40)
	})
	if g.creep(target{port: 0, out: 1}); g.played() != "0.0>1 44" || g.loss == nil || g.events[0].Bytes != 64 {
		t.Errorf("%s, %v", g.played(), g.loss)
	}
}

// What cannot go on ends: a second group of a second port that is paused and has nothing to leave, or whose peer is silent.
func TestMovesEnd(t *testing.T) {
	own, other := target{port: 1, pg: 1, out: 2, queue: 1}, target{port: 1, pg: 1, out: 0, queue: 1}
	second := func(sw *model.Switch) { sw.Ports[1].Pausable, sw.Config.Ports[1].PGs[1] = 3, sw.Config.Ports[1].PGs[0] }
	for what, move := range map[string]func(g *game){
		"drain":                  func(g *game) { g.drain(own, own) },
		"drain of two ways":      func(g *game) { g.drain(own, other) },
		"press":                  func(g *game) { g.press(1, 1, target{out: 2}, 1) },
		"press to the last cell": func(g *game) { g.press(1, 1, target{out: 2}, 0) },
		"fill":                   func(g *game) { g.fill(own, 0) },
		"raise":                  func(g *game) { g.raise(own, 3) },
		"stuff":                  func(g *game) { g.stuff(own) },
		"flood":                  func(g *game) { g.flood(own) },
	} {
		g := box(t, second)
		g.pauses[maxPGs+1] = pause{on: true, until: -1}
		if move(g); len(g.events) != 0 || g.packets != 0 {
			t.Errorf("%s: %+v", what, g.events)
		}
	}
	g := box(t, second) // what is paused is full, though packets still come in
	g.pauses[maxPGs+1] = pause{on: true, until: 1 << 60}
	if g.fill(own, 1); g.packets != 0 {
		t.Errorf("%d packets", g.packets)
	}
	g = box(t, second) // what is not paused need not be resumed
	g.send(own.packet(64))
	g.pauses[maxPGs], g.pauses[1] = pause{on: true}, pause{on: true}
	if g.drain(own, own); len(g.events) != 1 || g.buffer.PG(1, 1).Shared != 1 {
		t.Errorf("%+v", g.events)
	}
}

// A packet that is lost unseen and pauses its group has never been sent, and the pause stays, from its time on: that of a
// chip that pauses with the first one that finds no room, for which there is no headroom either.
func TestLostUnseenWithAPause(t *testing.T) {
	g := box(t, func(sw *model.Switch) {
		sw.Config.Rules.Pause, sw.Config.Ports[1].PGs[0].HeadroomCells = mmu.OnExcess, 0
	})
	g.only = []string{"nothing"}
	to := target{port: 1, out: 2}
	for range 10 {
		g.send(to.packet(64))
	}
	v, ok := g.send(to.packet(64))
	if state := g.pauses[maxPGs]; !ok || v.PFC != mmu.XOFF || v.Outcome != mmu.DropHeadroom || !state.on || state.at != sent(10) || g.now != sent(10) {
		t.Errorf("%v, %+v at %d", v, state, g.now)
	}
	if g.loss != nil || len(g.events) != 1 || g.events[0].Count != 10 || g.held[0] != 10 {
		t.Errorf("%v, %+v, %d cells", g.loss, g.events, g.held[0])
	}
}

// A timeline has a line for each change and one for the loss; that it cannot be written is told.
func TestTimelineIsWritten(t *testing.T) {
	r := &Replayed{
		Lines: []Line{{At: units.Microsecond, Text: "text", State: "state", Event: "XOFF"}, {At: 1, Text: "a", State: "b"}},
		Loss:  &Loss{Port: "p", Why: "why", Counter: "c"},
	}
	var out strings.Builder
	must.Do(t, r.Write(&out))
	want := "           1us  XOFF  text  [state]\n           1ps        a  [b]\nwhy: a packet of 0 B in PG 0 of p needs 0 cells and is lost: c holds 0 of 0\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
	if err := r.Write(full{}); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

// full takes nothing.
type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

// A random move is of one group by one way: it fills it, up to two cells below the threshold or to it; floods it; sends
// up to 49 packets of one size; or lets up to 199 leave. Of many moves all are seen.
func TestRandomMoves(t *testing.T) {
	loaded := box(t, func(sw *model.Switch) {
		roomy(sw)
		sw.Config.IngressPools[0].SharedCells, sw.Config.Ports[0].PGs[1].Limit, sw.Config.Ports[1].Queues[1].Limit = 1000, mmu.StaticLimit(300), mmu.StaticLimit(500)
	})
	lossless, lossy := target{port: 1, out: 2}, target{port: 0, pg: 1, out: 1, queue: 1}
	g := loaded.fresh()
	sizes, seen := map[int]bool{}, map[string]bool{}
	for r := range 2000 {
		g.restart(loaded)
		for range 220 {
			g.send(lossy.packet(64))
		}
		g.send(lossy.packet(70)) // the next ones are events of their own
		before, way := len(g.events), []target{lossless, lossy}[r%2]
		g.step(rand.New(rand.NewPCG(3, uint64(r))), way)
		events := g.events[before:]
		if len(events) == 0 {
			continue
		}
		first := events[0]
		for _, e := range events {
			if e.Kind != first.Kind || e.Out != way.out || e.Queue != way.queue {
				t.Fatalf("%d: %+v", r, events)
			}
		}
		packets, alike := 0, len(events) == 1
		for _, e := range events {
			packets += e.Count
		}
		switch {
		case first.Kind == Leave:
			seen["leave"] = seen["leave"] || packets > 190
			if packets > 199 {
				t.Errorf("%d: %+v", r, events)
			}
		case way == lossless && first.Bytes == 280 && !alike: // three of three cells, and what is left
			seen[fmt.Sprintf("filled but for %d", g.room(1, 0))] = true
		case way == lossy && first.Bytes > 280:
			seen["filled"] = true
		case !alike && slices.ContainsFunc(events, func(e Event) bool { return e.Bytes == 101 }): // two cells each, the densest
			seen[fmt.Sprintf("flood of PG %d", way.pg)] = true
		case way == lossy:
			sizes[first.Bytes] = true
			seen["many"] = seen["many"] || packets > 45
			if !alike || packets > 49 {
				t.Errorf("%d: %+v", r, events)
			}
		}
	}
	for _, what := range []string{"leave", "many", "filled", "filled but for 0", "filled but for 2", "flood of PG 0", "flood of PG 1"} {
		if !seen[what] {
			t.Errorf("%s is not seen: %v", what, seen)
		}
	}
	if !sizes[64] || !sizes[101] || !sizes[201] || !sizes[280] || len(sizes) < 30 {
		t.Errorf("%d sizes", len(sizes))
	}
	for bytes := range sizes {
		if bytes < 64 || bytes > 280 {
			t.Errorf("%d B", bytes)
		}
	}
}

// Random moves are of all ways; of a switch that has none there are no such moves.
func TestRandomMovesOfAllWays(t *testing.T) {
	g := box(t, roomy)
	ways := map[target]bool{}
	g.watch = func(_ *game, e *Event, _ mmu.Verdict) { ways[target{e.In, e.PG, e.Out, e.Queue}] = true }
	list := mixed(g, Options{Random: 2, Packets: 1 << 40})
	for _, a := range list {
		a.play(g)
	}
	if len(list) != 2 || list[1].name != "random 1" || len(ways) != 12 {
		t.Errorf("%d attacks by %d ways", len(list), len(ways))
	}
	silent := box(t, func(sw *model.Switch) {
		for i := range sw.Ports {
			sw.Ports[i].Link.Rate = 0
		}
	})
	if list := mixed(silent, Options{Random: 2}); list != nil {
		t.Errorf("%d attacks", len(list))
	}
}

// The books of a switch have a place for the last group and queue of its last port, of as many ports as a port has
// queues, and more.
func TestBooksOfManyPorts(t *testing.T) {
	const ports = 2 * mmu.MaxQueues
	g := box(t, func(sw *model.Switch) {
		sw.Config.IngressPools[0].SharedCells = 100
		last := sw.Config.Ports[0]
		last.PGs, last.Queues = make([]mmu.PG, mmu.MaxPGs), make([]mmu.Queue, mmu.MaxQueues)
		for i := range last.Queues {
			last.Queues[i] = mmu.Queue{Limit: mmu.StaticLimit(200)}
		}
		last.PGs[mmu.MaxPGs-1] = sw.Config.Ports[0].PGs[0]
		for len(sw.Ports) < ports {
			own := sw.Ports[0]
			own.Pausable, own.Queues[mmu.MaxPGs-1] = 1<<(mmu.MaxPGs-1), 1
			sw.Config.Ports, sw.Ports = append(sw.Config.Ports, last), append(sw.Ports, own)
		}
	})
	to := target{port: ports - 1, pg: mmu.MaxPGs - 1, out: ports - 2, queue: mmu.MaxQueues - 1}
	if got := g.ways(to.port, to.pg); len(got) != ports-1 || got[0] != (target{ports - 1, mmu.MaxPGs - 1, 0, 0}) {
		t.Errorf("%d ways", len(got))
	}
	for range 10 {
		g.send(to.packet(64))
	}
	if !g.pauses[ports*maxPGs-1].on || !g.leave(to.out, to.queue) || g.pauses[ports*maxPGs-1].on {
		t.Errorf("%+v", g.pauses[ports*maxPGs-1])
	}
}

// A counterexample of a buffer that cannot be made is not played.
func TestReplayOfNoBuffer(t *testing.T) {
	g := box(t, nil)
	config := *g.sw.Config
	config.CellBytes = 0
	text := must.Get((&Counterexample{Schema: Schema, Config: &config, Ports: g.sw.Ports}).Marshal())(t)
	if r, err := Replay(text); r != nil || err == nil || err.Error() == "no packet was lost" {
		t.Errorf("%v, %v", r, err)
	}
}

// Each kind of group is filled and flooded alone, and so that others take the last of its room before: of their own port
// first, then by threshold, at last with the last cell of lossless ones.
func TestOverrunAlone(t *testing.T) {
	var got []string
	for _, a := range overrun(cells(t, nil), Options{}) {
		g := cells(t, nil)
		a.play(g)
		got = append(got, a.name+": "+g.played())
	}
	want := []string{
		"headroom of p0 PG 0: 0.0>1 6",
		"headroom of p0 PG 0, squeezed by others: 0.0>1 3, 0.1>1 2, 1.0>2 5, 2.0>3 4, 3.0>0 2, 1.1>2 2, 2.1>3 2, 3.1>0 2, 1.0>2 1, 2.0>3 1, 3.0>0 1, 0.0>1 3",
		"headroom of p1 PG 0: 1.0>2 8",
		"headroom of p1 PG 0, squeezed by others: 1.0>2 5, 1.1>2 2, 2.0>3 4, 0.0>1 3, 3.0>0 2, 0.1>1 2, 2.1>3 2, 3.1>0 2, 2.0>3 1, 0.0>1 1, 3.0>0 1, 1.0>2 3",
	}
	if len(got) != 8 || !slices.Equal(got[:4], want) {
		t.Errorf("%d attacks: %q\nwant %q", len(got), got, want)
	}
}

// All groups of a slice are attacked by need, here in order of ports, and by threshold; with lossy traffic first or not.
// The first one keeps room to spare where it has that: of its 6 cells up to 4, and a packet of one cell has come.
func TestOrdersOfAttacksOnPools(t *testing.T) {
	lossy := "0.1>1 2, 1.1>2 2, 2.1>3 2, 3.1>0 2"
	ports, wide := "0.0>1 6, 1.0>2 8, 2.0>3 7, 3.0>0 5", "1.0>2 8, 2.0>3 7, 0.0>1 6, 3.0>0 5"
	filled, filledWide := "0.0>1 3, 1.0>2 5, 2.0>3 4, 3.0>0 2", "1.0>2 5, 2.0>3 4, 0.0>1 3, 3.0>0 2"
	flooded, floodedWide := "0.0>1 3, 1.0>2 3, 2.0>3 3, 3.0>0 3", "1.0>2 3, 2.0>3 3, 0.0>1 3, 3.0>0 3"
	got, spared := map[string][]string{}, 0
	for _, a := range poolOverrun(cells(t, nil), Options{}) {
		g := cells(t, nil)
		a.play(g)
		played, name := g.played(), strings.TrimPrefix(a.name, "all groups of slice 0, ")
		if name != "filled evenly" {
			got[name] = append(got[name], played)
			continue
		}
		even := strings.TrimPrefix(played, lossy+", ")
		if !strings.HasPrefix(even, "1.0>2 1, 2.0>3 1, 0.0>1 1, 3.0>0 1, ") {
			if spared++; !strings.HasPrefix(even, "2.0>3 1, 0.0>1 1, 3.0>0 1, 2.0>3 1, ") {
				t.Errorf("%s: %s", a.name, played)
			}
		}
	}
	for name, want := range map[string][]string{
		"in turn": {ports, wide, lossy + ", " + ports, lossy + ", " + wide},
		"filled first": {
			filled + ", " + lossy + ", " + flooded, filledWide + ", 1.1>2 2, 0.1>1 2, 2.1>3 2, 3.1>0 2, " + floodedWide,
			lossy + ", " + filled + ", " + flooded, lossy + ", " + filledWide + ", " + floodedWide,
		},
	} {
		if !slices.Equal(got[name], want) {
			t.Errorf("%s: %q\nwant %q", name, got[name], want)
		}
	}
	if spared != 2*3 { // 7, 11 and 17, with lossy traffic and without
		t.Errorf("%d attacks spare more than 4 cells", spared)
	}
}

// Where only one thing is looked for, memory takes all that comes: a queue of 9 cells is full though memory has 6.
func TestMemoryTakesAllWhereAnotherIsLookedFor(t *testing.T) {
	g := box(t, func(sw *model.Switch) {
		sw.Config.SliceCells, sw.Config.Ports[1].Queues[0].Limit = 6, mmu.StaticLimit(9)
	})
	result, err := Search(g.sw, Options{Only: []string{proof.QueueHolds}})
	if err != nil || result.Found == nil || result.Found.Loss.Why != mmu.DropQueueLimit.String() || result.Found.Config.SliceCells != 0 {
		t.Errorf("%v, %v", result, err)
	}
}

// What loses no packet is told, with what came in.
func TestReplayWithoutLoss(t *testing.T) {
	g := box(t, nil)
	g.send(target{port: 0, out: 1}.packet(64))
	text, _ := (&Counterexample{Schema: Schema, Config: g.sw.Config, Ports: g.sw.Ports, Events: g.events}).Marshal()
	if r, err := Replay(text); err == nil || err.Error() != "no packet was lost" || r == nil || len(r.Lines) != 1 {
		t.Errorf("%v, %v", r, err)
	}
	text, _ = (&Counterexample{Schema: Schema, Config: g.sw.Config, Ports: g.sw.Ports, Events: g.events, Loss: &Loss{}}).Marshal()
	if r, err := Replay(text); err == nil || r == nil {
		t.Errorf("%v, %v", r, err)
	}
	g = box(t, func(sw *model.Switch) { sw.Config.Ports[0].PGs[0].HeadroomCells = 0 }) // the eleventh is lost, and another was recorded
	for range 11 {
		g.send(target{port: 0, out: 1}.packet(64))
	}
	text, _ = (&Counterexample{Schema: Schema, Config: g.sw.Config, Ports: g.sw.Ports, Events: g.events, Loss: &Loss{}}).Marshal()
	if r, err := Replay(text); err == nil || r == nil || r.Loss == nil || !strings.HasPrefix(err.Error(), "the recorded loss") {
		t.Errorf("%v, %v", r, err)
	}
}

// A flood ends with the packet that is lost, whether the peer hears the pause or not: of a group that has three of its
// four cells and one of headroom that is the third.
func TestFloodEndsWithALoss(t *testing.T) {
	for _, pausable := range []uint8{1, 0} {
		g := cells(t, func(sw *model.Switch) { sw.Ports[0].Pausable, sw.Config.Ports[0].PGs[0].HeadroomCells = pausable, 1 })
		to := target{port: 0, out: 1}
		g.fill(to, 1)
		if g.flood(to); g.loss == nil || g.packets != 6 || g.played() != "0.0>1 6" { // four, one, and the lost one
			t.Errorf("pausable %d: %s, %v", pausable, g.played(), g.loss)
		}
	}
	g := cells(t, func(sw *model.Switch) { sw.Config.Ports[0].PGs[0].HeadroomCells = 0 })
	g.fill(target{port: 0, out: 1}, 1)
	// Of three packets the first fills it up, the second is lost, and the third does not come.
	if g.flood(target{port: 0, out: 1}); g.loss == nil || g.packets != 5 {
		t.Errorf("%d packets, %v", g.packets, g.loss)
	}
}
