package adversary

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// box is a switch of three ports of 10 Gbps with 10 m of cable, and cells of 100 B. Of each port group 0 is lossless,
// may take 10 of 50 shared cells and has 14 of headroom; group 1 is lossy and may take 20. They leave by queues 0 and 1.
func box(t *testing.T, edit func(sw *model.Switch)) *game {
	t.Helper()
	sw := &model.Switch{Config: &mmu.Config{
		CellBytes: 100, Slices: 1,
		IngressPools: []mmu.Pool{{Name: "in", SharedCells: 50}}, EgressPools: []mmu.Pool{{Name: "out", SharedCells: 1000}},
	}}
	for i := range 3 {
		sw.Config.Ports = append(sw.Config.Ports, mmu.Port{
			PGs:    []mmu.PG{{Lossless: true, Limit: mmu.StaticLimit(10), HeadroomCells: 14}, {Limit: mmu.StaticLimit(20)}},
			Queues: []mmu.Queue{{Limit: mmu.StaticLimit(200)}, {Limit: mmu.StaticLimit(200)}},
		})
		sw.Ports = append(sw.Ports, model.Port{
			Name: fmt.Sprintf("p%d", i), Pausable: 1, Queues: [mmu.MaxPGs]uint16{1, 2},
			Link: model.Link{Rate: 10 * units.Gbps, Cable: 10 * units.Metre, PortFrame: 980, LosslessFrame: 280},
		})
	}
	return begin(t, sw, edit)
}

// begin is a game on a switch that edit, which may be nil, has changed.
func begin(t *testing.T, sw *model.Switch, edit func(sw *model.Switch)) *game {
	t.Helper()
	if edit != nil {
		edit(sw)
	}
	g := must.Get(newGame(sw))(t)
	return g
}

// sent is when so many packets of 64 B are on the wire: 84 B each take 67.2 ns, less by 100 ppm.
func sent(n int64) int64 { return (n*67_200*10_000 + 10_000) / 10_001 }

// The tenth packet of one cell fills the group. Frames may begin to come in until the pause has waited behind 1000 B
// and its own 84 B, 867.2 ns by a slow clock, and 100 ns of cable: 967.287 ns after that one began. At 67.193 ns each,
// that are 24 packets since the first, 14 of them above the threshold. Of 15 that leave the last resumes it, one cell
// below. The peer hears that a cable later, and its packet takes the cable back.
func TestPauseByHand(t *testing.T) {
	to := target{port: 0, pg: 0, out: 1, queue: 0}
	g := box(t, nil)
	for n := range int64(24) {
		if at := g.start(0, 0); at != sent(n) {
			t.Fatalf("packet %d begins at %d, want %d", n, at, sent(n))
		}
		v, ok := g.send(to.packet(64))
		if !ok || v.Dropped() || (v.PFC == mmu.XOFF) != (n == 9) {
			t.Fatalf("packet %d: %v, %v", n, v, ok)
		}
	}
	state := &g.pauses[0]
	must.Equal(t, *state, pause{on: true, at: sent(9), until: sent(9) + 967_287, packets: 15, small: 15})
	if _, ok := g.send(to.packet(64)); ok || g.start(0, 0) != never {
		t.Error("it is silenced, and sends")
	}
	must.Equalf(t, g.start(0, 1), sent(24), "the lossy group may send at")
	if g.held[0] != 24 || g.packets != 24 || g.loss != nil {
		t.Errorf("%d cells, %d packets, %v", g.held[0], g.packets, g.loss)
	}
	for n := range 15 {
		if !state.on || !g.leave(1, 0) {
			t.Fatalf("%d have left, and the pause is %v", n, state.on)
		}
	}
	if want := (pause{silent: true, at: sent(23)}); *state != want || g.held[0] != 9 {
		t.Errorf("%+v, want %+v; %d cells", *state, want, g.held[0])
	}
	must.Equalf(t, g.start(0, 0), sent(23)+100_000, "it may send again at")
	// One packet more than the headroom takes is lost.
	g = box(t, func(sw *model.Switch) { sw.Config.Ports[0].PGs[0].HeadroomCells = 13 })
	for n := range int64(24) {
		if g.send(to.packet(64)); (g.loss != nil) != (n == 23) {
			t.Fatalf("packet %d: %v", n, g.loss)
		}
	}
	must.Equal(t, *g.loss, Loss{At: sent(23), Port: "p0", Bytes: 64, Cells: 1, Why: mmu.DropHeadroom.String(), Counter: "headroom of p0 PG 0", Value: 13, Limit: 13})
	// A pause that does not reach the peer stops nothing, until the 25th finds 10 and 14 cells taken.
	g = box(t, func(sw *model.Switch) { sw.Ports[0].Pausable = 0 })
	for range 30 {
		g.send(to.packet(64))
	}
	if g.pauses[0].on || g.packets != 25 || g.loss == nil || g.loss.At != sent(24) {
		t.Errorf("%+v, %v", g.pauses[0], g.loss)
	}
	// Decided with the last byte, all is a packet later.
	g = box(t, func(sw *model.Switch) { sw.Config.Rules.Decided = mmu.AtEnd })
	for range 10 {
		g.send(to.packet(64))
	}
	must.Equal(t, g.pauses[0], pause{on: true, at: sent(10), until: sent(10) + 967_287, packets: 1, small: 1})
	// Resumed before the peer has fallen silent, it goes right on.
	g = box(t, nil)
	for range 10 {
		g.send(to.packet(64))
	}
	if g.leave(1, 0); g.pauses[0] != (pause{at: sent(9)}) || g.start(0, 0) != sent(10) {
		t.Errorf("%+v, and from %d", g.pauses[0], g.start(0, 0))
	}
	if g.leave(1, 1) || g.leave(2, 0) {
		t.Error("packets leave that never came")
	}
}

// Packets of a peer follow each other on its wire; after a gap the wire is counted anew.
func TestWire(t *testing.T) {
	g := box(t, nil)
	g.occupy(0, 64, 0)
	g.occupy(0, 64, sent(1))
	if g.wires[0] != (stream{begin: 0, bytes: 168, free: sent(2)}) || g.wires[1].bytes != 0 {
		t.Errorf("%+v", g.wires)
	}
	g.occupy(0, 64, sent(2)+5)
	must.Equal(t, g.wires[0], stream{begin: sent(2) + 5, bytes: 84, free: sent(2) + 5 + sent(1)})
	g.wires[0].ended = true
	g.occupy(0, 64, g.wires[0].free)
	if g.wires[0].bytes != 84 || g.wires[0].ended {
		t.Errorf("%+v", g.wires[0])
	}
}

// A queue gives back what it was given, in order.
func TestLine(t *testing.T) {
	var l line
	push := func(bytes ...int) {
		for _, b := range bytes {
			l.push(&mmu.Packet{Bytes: b})
		}
	}
	var got []int
	pop := func(n int) {
		for range n {
			p, ok := l.pop()
			if !ok {
				p.Bytes = -1
			}
			got = append(got, p.Bytes)
		}
	}
	push(1, 1, 2)
	must.Equalf(t, len(l.runs), 2, "%v:", l.runs)
	pop(2)
	push(2, 1)
	pop(3)
	push(1) // equal to the last run, which has left
	pop(2)
	if want := []int{1, 1, 2, 2, 1, 1, -1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Equal packets right behind each other are one event, and one that is forgotten is none.
func TestRecord(t *testing.T) {
	g := box(t, nil)
	a, b := Event{Kind: Arrive, Bytes: 64, Count: 1}, Event{Kind: Arrive, Bytes: 65, Count: 1}
	leave := func(at int64) Event { return Event{Kind: Leave, At: at, Bytes: 64, Count: 1} }
	for _, e := range []struct {
		behind bool
		Event
	}{{false, a}, {true, a}, {false, a}, {true, b}, {true, a}, {false, leave(5)}, {false, leave(5)}, {false, leave(6)}} {
		if last := g.record(e.behind, &e.Event); !last.same(&e.Event) {
			t.Errorf("%+v is %+v", e.Event, last)
		}
	}
	counts := func() (all []int) {
		for _, e := range g.events {
			all = append(all, e.Count)
		}
		return all
	}
	if got := counts(); !slices.Equal(got, []int{2, 1, 1, 1, 2, 1}) {
		t.Errorf("%v", got)
	}
	for range 2 {
		g.forget(1)
	}
	if got := counts(); !slices.Equal(got, []int{2, 1, 1, 1, 1}) || !g.wires[1].ended || g.wires[0].ended {
		t.Errorf("%v, %v", got, g.wires)
	}
	for _, other := range []Event{{Kind: Leave}, {In: 1}, {PG: 1}, {Out: 1}, {Queue: 1}, {Bytes: 1}} {
		if other.same(&Event{}) {
			t.Errorf("%+v is the same as nothing", other)
		}
	}
}

// The room of a group is as many packets of a cell as come in before one of them lies above its threshold, or finds the
// pool empty. The ports are of the third part of the buffer, the pool is its second.
func TestRoom(t *testing.T) {
	limits := []mmu.Limit{mmu.StaticLimit(0), mmu.StaticLimit(7), mmu.DynamicLimit(-1), mmu.DynamicLimit(0), mmu.DynamicLimit(2)}
	coded := []mmu.Limit{ // held by the chip with a mantissa of two bits
		{StaticCells: 7, Code: mmu.Code{Bits: 2}}, {Dynamic: true, Code: mmu.Code{Bits: 2}}, {Dynamic: true, Alpha: -1, Code: mmu.Code{Bits: 2, Next: true}},
	}
	room := func(rule mmu.Admission, own, whole mmu.Limit, before int, shared units.Cells) {
		g := box(t, func(sw *model.Switch) {
			sw.Config.Rules.Admission, sw.Config.Slices = rule, 3
			sw.Config.IngressPools = append(sw.Config.IngressPools, mmu.Pool{Name: "second", SharedCells: shared})
			port := &sw.Config.Ports[0]
			port.Slice, port.Ingress = 2, []mmu.Bound{{Pool: 1, Limit: whole}}
			port.PGs[0] = mmu.PG{Pool: 1, Lossless: true, Limit: own, ReservedCells: 2, HeadroomCells: 1}
			port.PGs[1].Pool = 1
		})
		for range before { // of a group that shares the bound of the port
			g.buffer.Enqueue(&mmu.Packet{InPort: 0, PG: 1, OutPort: 1, Queue: 1, Bytes: 64})
			g.buffer.Enqueue(&mmu.Packet{InPort: 0, PG: 0, OutPort: 1, Queue: 0, Bytes: 64})
		}
		said, counted := g.room(0, 0), int64(0)
		if g.buffer.PG(0, 0).Headroom > 0 {
			return
		}
		for g.buffer.Enqueue(&mmu.Packet{InPort: 0, PG: 0, OutPort: 1, Queue: 0, Bytes: 64}); g.buffer.PG(0, 0).Headroom == 0; counted++ {
			g.buffer.Enqueue(&mmu.Packet{InPort: 0, PG: 0, OutPort: 1, Queue: 0, Bytes: 64})
		}
		if said != counted {
			t.Errorf("%v, %v on a port of %v in a pool of %d, after %d: room for %d, and %d come in", rule, own, whole, shared, before, said, counted)
		}
	}
	for _, rule := range []mmu.Admission{mmu.WithCell, mmu.BelowWithCell, mmu.BeforeCell} {
		for _, own := range append(coded, limits...) {
			for _, whole := range append(limits, mmu.StaticLimit(60)) {
				for _, before := range []int{0, 3} {
					for _, shared := range []units.Cells{50, 5} {
						room(rule, own, whole, before, shared)
					}
				}
			}
		}
	}
}

// What a limit lets an account have with 9 cells free after its last one.
func TestMost(t *testing.T) {
	for rule, want := range map[mmu.Admission][4]int64{
		mmu.WithCell: {7, 9, 4, 36}, mmu.BelowWithCell: {6, 8, 3, 35}, mmu.BeforeCell: {7, 10, 5, 40},
	} {
		g := box(t, func(sw *model.Switch) { sw.Config.Rules.Admission = rule })
		for i, l := range []mmu.Limit{mmu.StaticLimit(7), mmu.DynamicLimit(0), mmu.DynamicLimit(-1), mmu.DynamicLimit(2)} {
			must.Equalf(t, g.most(l, 9), want[i], "%v, %v:", rule, l)
		}
	}
	g := box(t, nil)
	for _, c := range []struct {
		l          mmu.Limit
		free, room int64
		want       int64
	}{
		{mmu.StaticLimit(7), 9, 0, 7}, {mmu.StaticLimit(7), 9, 1, 6}, {mmu.StaticLimit(7), 1, 1, 6}, {mmu.StaticLimit(7), 0, 1, -1}, {mmu.StaticLimit(0), 5, 0, 0}, {mmu.StaticLimit(0), 5, 1, -1}, {mmu.StaticLimit(0), 5, 3, -1},
		{mmu.DynamicLimit(0), 9, 1, 7}, {mmu.DynamicLimit(0), 9, 0, 9}, {mmu.DynamicLimit(-1), 9, 1, 3}, {mmu.DynamicLimit(0), 0, 0, 0},
	} {
		must.Equalf(t, g.mostOf(c.l, c.free, c.room), c.want, "%v with %d free and room for %d:", c.l, c.free, c.room)
	}
}

// Groups of an alpha of 1 and 1/2 that shall have room with 12 cells free and none with 9: with a cell more, 11 and 8
// are free, so 10 and 7 of the first; 4 and 3 of the second, for a half of 11 is 5, and of 8 is 4.
func TestSpan(t *testing.T) {
	g := box(t, func(sw *model.Switch) {
		for i, l := range []mmu.Limit{mmu.DynamicLimit(0), mmu.DynamicLimit(-1), mmu.StaticLimit(6)} {
			sw.Config.Ports[i].PGs[0].Limit = l
		}
		sw.Config.Ports[0].PGs[1].Limit = mmu.StaticLimit(0)
	})
	for _, c := range []struct {
		to          target
		f, k        int64
		least, most int64
	}{
		{target{port: 0}, 9, 3, 8, 10}, {target{port: 1}, 9, 3, 4, 4}, {target{port: 2}, 9, 3, 5, 5}, {target{port: 0, pg: 1}, 9, 3, 0, 0},
		{target{port: 0}, 9, 1, 8, 8}, {target{port: 1}, 9, 1, 4, 3}, // with 10 free: 9 is 4 of a half, less one
	} {
		if least, most := g.span(c.to, c.f, c.k); least != c.least || most != c.most {
			t.Errorf("%v, %d and %d: %d to %d, want %d to %d", c.to, c.f, c.k, least, most, c.least, c.most)
		}
	}
	if low, high := g.between([]target{{port: 0}, {port: 1}, {port: 2}}, 9, 3); low != 8+4+5 || high != 10+4+5 {
		t.Errorf("%d to %d", low, high)
	}
	if low, high := g.between([]target{{port: 0}, {port: 1}}, 9, 1); low != -1 || high != 8+3 {
		t.Errorf("%d to %d", low, high)
	}
	if low, high := g.between(nil, 9, 1); low != 0 || high != 0 {
		t.Errorf("%d to %d", low, high)
	}
}

// How a peer cuts its data fills as many cells as any way to do so: tried by all sums.
func TestDensest(t *testing.T) {
	for _, c := range []struct {
		cell, metadata units.Bytes
		share          units.Ratio
	}{{100, 0, 0}, {208, 0, 0}, {254, 0, 0}, {146, 0, 0}, {148, 0, 0}, {17, 5, 0} /* a cell more is about as dense */, {80, 10, 0}, {100, 0, 50 * units.Percent}, {100, 0, 90 * units.Percent}, {64, 0, 50 * units.Percent}, {63, 0, 50 * units.Percent}} {
		g := box(t, func(sw *model.Switch) { sw.Config.CellBytes, sw.Config.MetadataBytes = c.cell, c.metadata })
		link := model.Link{LosslessFrame: 280, SmallPackets: c.share}
		cells := func(bytes int) int64 { return (int64(bytes) + int64(c.metadata) + int64(c.cell) - 1) / int64(c.cell) }
		most := make([]int64, 7001)
		for w := 1; w < len(most); w++ {
			most[w] = most[w-1]
			for bytes := 64; bytes <= 280 && bytes+20 <= w; bytes++ {
				most[w] = max(most[w], most[w-bytes-20]+cells(bytes))
			}
		}
		for w := 0; w < len(most); w += 1 + min(w/300, 1)*60 {
			packets := g.densest(&link, w)
			wire, got, small := 0, int64(0), 0
			for _, bytes := range packets[:len(packets)-1] {
				wire, got = wire+bytes+20, got+cells(bytes)
				if bytes == 64 {
					small++
				}
			}
			want := most[w]
			if c.share > 0 { // of two sizes, and of all with the last one no more than the share is small
				want = 0
				for n := 0; 84*n <= w; n++ {
					if large := (w - 84*n) / 300; int64(n)*int64(units.One) <= int64(c.share)*int64(n+large+1) {
						want = max(want, int64(n)*cells(64)+int64(large)*cells(280))
					}
				}
			}
			if wire > w || got != want || packets[len(packets)-1] != 280 {
				t.Fatalf("%+v: %d B take %d cells on %d B, want %d: %v", c, w, got, wire, want, packets)
			}
			if c.share > 0 && int64(small)*int64(units.One) > int64(c.share)*int64(len(packets)) {
				t.Fatalf("%+v: %d of %d are small", c, small, len(packets))
			}
		}
		// The shortest packets of each number of cells, up to the largest.
		var lengths []int
		for bytes := 64; bytes <= 280; bytes++ {
			if bytes == 64 || cells(bytes) > cells(bytes-1) {
				lengths = append(lengths, bytes)
			}
		}
		if got := g.shortest(280); !slices.Equal(got, lengths) {
			t.Errorf("%+v: %v, want %v", c, got, lengths)
		}
	}
}

// Of a long window the rest is tried out, and nothing is more than fits in: 200,000 B are 2380 packets of 64 B and 20 B.
func TestDensestOfALongWindow(t *testing.T) {
	g := box(t, func(sw *model.Switch) { sw.Config.CellBytes = 148 })
	if got := g.densest(&model.Link{LosslessFrame: 280}, 200_000); len(got) != 2380+1 || slices.ContainsFunc(got[:2380], func(bytes int) bool { return bytes != 64 }) {
		t.Errorf("%d packets", len(got))
	}
}

// Where the last byte decides, a largest one more counts among those of which a share is small, and one goes first.
func TestCutAtEnd(t *testing.T) {
	g := box(t, func(sw *model.Switch) { sw.Config.Rules.Decided = mmu.AtEnd })
	link := model.Link{LosslessFrame: 280, SmallPackets: 50 * units.Percent}
	if got := g.densest(&link, 168); !slices.Equal(got, cut{64, 64, 280}) { // two of four, with one that has decided
		t.Errorf("%v", got)
	}
	if got := g.densest(&link, 252); !slices.Equal(got, cut{64, 64, 280}) { // three of five are too many
		t.Errorf("%v", got)
	}
	g.config.Rules.Decided = mmu.AtStart
	if got := g.densest(&link, 168); !slices.Equal(got, cut{64, 280}) { // one of two
		t.Errorf("%v", got)
	}
	g.config.Rules.Decided = mmu.AtEnd
	// 967.287 ns at 1.250125 B in a ns are 1209 B: nine of 101 B, two cells on 121 B each, are 1089, and one of 64 B.
	got := g.cutOf(0)
	cells := int64(0)
	for _, bytes := range got[1 : len(got)-1] {
		cells += g.buffer.Cells(bytes)
	}
	if got[0] != 280 || got[len(got)-1] != 280 || cells != 19 {
		t.Errorf("%v: %d cells", got, cells)
	}
	if again := g.cutOf(1); &again[0] != &got[0] {
		t.Error("a cut is made twice")
	}
	// All that the buffer takes, 50 cells shared, 14 of headroom and one, in packets of 280 B.
	must.Equal(t, g.enough(280), 65*300)
}

// What may be sent, by size, by group and by what was asked of the peer.
func TestAssumed(t *testing.T) {
	g := box(t, func(sw *model.Switch) {
		sw.Ports[1].Link.SmallPackets = 50 * units.Percent
		sw.Ports[2].Link.SmallPackets, sw.Ports[2].Pausable = 50*units.Percent, 0
	})
	for _, c := range []struct {
		port, pg, bytes int
		want            bool
	}{
		{0, 0, 63, false}, {0, 0, 64, true}, {0, 0, 280, true}, {0, 0, 281, false}, {0, 1, 281, true}, {0, 1, 980, true}, {0, 1, 981, false}, {0, 1, 63, false},
		{1, 0, 100, true}, {2, 0, 100, true},
	} {
		must.Equalf(t, g.assumed(&mmu.Packet{InPort: c.port, PG: c.pg, OutPort: 0, Bytes: c.bytes}), c.want, "%+v:", c)
	}
	// Port 1 pauses with its tenth cell. The packet with which it does is one of the mix: smallest or largest, and
	// with another large one to come half of them may be small.
	to := target{port: 1, out: 0}
	for range 8 {
		g.send(to.packet(64))
	}
	mixed := func(bytes int) bool { p := to.packet(bytes); return g.assumed(&p) }
	if !mixed(100) || mixed(101) || !mixed(280) || !mixed(64) { // 100 B are one cell, and leave one
		t.Error("the ninth")
	}
	g.send(to.packet(64))
	if mixed(100) || !mixed(64) || !mixed(280) {
		t.Error("the tenth decides")
	}
	g.send(to.packet(64)) // one, small; two small ones of three are too many
	if !g.pauses[maxPGs].on || mixed(64) || mixed(100) || !mixed(280) {
		t.Errorf("after the pause: %+v", g.pauses[maxPGs])
	}
	g.send(to.packet(280)) // two; of four two may be small
	if !mixed(64) {
		t.Errorf("after a large one: %+v", g.pauses[maxPGs])
	}
}

// With one group that may be paused at once, a packet that would pause another does not come in.
func TestPausedAtOnce(t *testing.T) {
	g := box(t, func(sw *model.Switch) { sw.Config.Slices = 2; sw.Config.Ports[2].Slice = 1 })
	g.pausable = 1
	fill := func(port, n int) {
		for range n {
			g.buffer.Enqueue(&mmu.Packet{InPort: port, OutPort: (port + 1) % 3, Bytes: 64})
		}
	}
	may := func(port, pg, bytes int) bool { return g.mayPause(&mmu.Packet{InPort: port, PG: pg, Bytes: bytes}) }
	fill(0, 9)
	fill(1, 8)
	if !may(0, 0, 64) || !may(1, 0, 280) {
		t.Error("none is paused yet")
	}
	g.pauses[0].on = true
	if !may(0, 0, 64) || !may(1, 0, 64) || may(1, 0, 101) || !may(1, 1, 980) || !may(2, 0, 280) {
		t.Error("group 0 of port 0 is paused")
	}
	g.pauses[0].on = false
	fill(0, 2) // one of them in its headroom
	if may(1, 0, 280) || !may(0, 0, 64) {
		t.Error("group 0 of port 0 has a cell in its headroom")
	}
	g.pausable = 2
	if !may(1, 0, 280) {
		t.Error("two may be paused")
	}
}

// A counterexample that nobody could have sent is refused, up to each bound and one beyond.
func TestPlayRefuses(t *testing.T) {
	ok := Event{Kind: Arrive, In: 0, PG: 0, Out: 1, Queue: 0, Bytes: 64, Count: 1}
	for _, c := range []struct {
		change func(e *Event)
		fault  string
	}{
		{func(*Event) {}, ""}, {func(e *Event) { e.In, e.Out = 2, 0 }, ""}, {func(e *Event) { e.In = 3 }, "there are ports 0 to 2"}, {func(e *Event) { e.In = -1 }, "there are ports"},
		{func(e *Event) { e.Out = 2 }, ""}, {func(e *Event) { e.Out = 0 }, ""}, {func(e *Event) { e.Out = 3 }, "there are ports"}, {func(e *Event) { e.Out = -1 }, "there are ports"},
		{func(e *Event) { e.PG = 1 }, ""}, {func(e *Event) { e.PG = 2 }, "port 0 has no priority group 2"}, {func(e *Event) { e.PG = -1 }, "no priority group -1"},
		{func(e *Event) { e.Queue = 1 }, ""}, {func(e *Event) { e.Queue = 2 }, "port 1 has no queue 2"}, {func(e *Event) { e.Queue = -1 }, "no queue -1"},
		{func(e *Event) { e.Count = 0 }, "0 packets of 64 B"}, {func(e *Event) { e.Count = 24 }, ""}, {func(e *Event) { e.Count = 25 }, "event 0, packet 24: at 1612639 ps the peer of p0 is paused"},
		{func(e *Event) { e.At = -1 }, "1 packets of 64 B at -1 ps"}, {func(e *Event) { e.At = 1 << 60 }, ""}, {func(e *Event) { e.At = 1<<60 + 1 }, "at 1152921504606846977 ps"},
		{func(e *Event) { e.Bytes = 0 }, "1 packets of 0 B"}, {func(e *Event) { e.Bytes = 1 }, "breaks the assumptions"}, {func(e *Event) { e.Bytes = 1<<20 + 1 }, "1 packets of 1048577 B"}, {func(e *Event) { e.Bytes = 1 << 20 }, "breaks the assumptions"},
		{func(e *Event) { e.Kind = Leave }, "event 0, packet 0: queue 0 of port 1 is empty"},
	} {
		e := ok
		c.change(&e)
		err := box(t, nil).play([]Event{e})
		if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%+v: %v, want %q", e, err, c.fault)
		}
	}
	two := []Event{ok, ok}
	for at, fault := range map[int64]string{sent(1): "", sent(1) - 1: "event 1, packet 0: at 67193 ps the wire of p0 is busy until 67194 ps", sent(1) + 1: ""} {
		two[1].At = at
		if err := box(t, nil).play(two); fmt.Sprint(err) != fault && (err != nil || fault != "") {
			t.Errorf("at %d: %v, want %q", at, err, fault)
		}
	}
}

// Under a pause the last packet begins with the end of the window, 967.287 ns after the tenth one. A packet that leaves
// sets the clock on, never back.
func TestPlayKeepsTime(t *testing.T) {
	const later = 1_000_000
	g := box(t, nil)
	g.pauses[0] = pause{on: true, until: later}
	for now, want := range map[int64]int64{later - 1: later - 1, later: later, later + 1: never} {
		if g.now = now; g.start(0, 0) != want {
			t.Errorf("at %d it may begin at %d, want %d", now, g.start(0, 0), want)
		}
	}
	end := sent(9) + 967_287
	arrive := func(in int, at int64, count int) Event {
		return Event{Kind: Arrive, In: in, Out: 1, Bytes: 64, Count: count, At: at}
	}
	leave := func(at int64) Event { return Event{Kind: Leave, Out: 1, Bytes: 64, Count: 1, At: at} }
	for _, c := range []struct {
		events []Event
		fault  string
	}{
		{[]Event{arrive(0, 0, 10), arrive(0, end, 1)}, ""},
		{[]Event{arrive(0, 0, 10), arrive(0, end+1, 1)}, "the peer of p0 is paused"},
		{[]Event{arrive(0, 0, 1), leave(later), arrive(2, later, 1)}, ""},
		{[]Event{arrive(0, 0, 1), leave(later), arrive(2, later-1, 1)}, "at 999999 ps the wire of p2 is busy until 1000000 ps"},
		{[]Event{arrive(0, later, 1), leave(0), arrive(2, later, 1)}, ""},
		{[]Event{arrive(0, later, 1), leave(0), arrive(2, later-1, 1)}, "at 999999 ps the wire of p2 is busy until 1000000 ps"},
	} {
		if err := box(t, nil).play(c.events); c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%+v: %v, want %q", c.events, err, c.fault)
		}
	}
}

// A peer that is resumed in the last instant of its window has not been silent; one that is resumed after it has.
func TestResumedInTheLastInstant(t *testing.T) {
	for after := range int64(2) {
		g := box(t, nil)
		for range 10 {
			g.send(target{port: 0, out: 1}.packet(64))
		}
		g.now = g.pauses[0].until + after
		at := g.now
		if g.leave(1, 0); g.pauses[0] != (pause{at: at, silent: after > 0}) || g.start(0, 0) != at+after*100_000 {
			t.Errorf("%d ps after the window: %+v, and it may begin at %d", after, g.pauses[0], g.start(0, 0))
		}
	}
}

// Two senders of a queue of 5 cells: the third packet of two cells finds none. Whatever else was sent is not needed,
// nor is one of the two.
func TestMinimise(t *testing.T) {
	empty := box(t, func(sw *model.Switch) { sw.Config.Ports[1].Queues[0].Limit = mmu.StaticLimit(5) })
	g := empty.fresh()
	for _, to := range []target{{port: 0, out: 2}, {port: 0, pg: 1, out: 1, queue: 1}, {port: 2, out: 1}, {port: 0, out: 2}, {port: 0, out: 1}, {port: 2, out: 1}} {
		g.send(to.packet(150))
	}
	if g.loss == nil {
		t.Fatal("nothing is lost")
	}
	c := minimise(empty, g, "a test", 1000)
	packets := 0
	for _, e := range c.Events {
		if packets += e.Count; e.Out != 1 || e.Queue != 0 {
			t.Errorf("%+v is not needed", e)
		}
	}
	if packets != 3 || c.Attack != "a test" || c.Loss == nil || c.Loss.Counter != "queue 0 of p1, slice 0" || c.Loss.Value != 4 || c.Loss.Limit != 5 {
		t.Errorf("%d packets, %+v", packets, c.Loss)
	}
	// Of a run of many only as many are left as are needed: five of a cell, and the one that is lost.
	g.restart(empty)
	for range 9 {
		g.send(target{port: 0, pg: 1, out: 2, queue: 1}.packet(64))
	}
	for range 5 {
		g.send(target{port: 2, out: 1}.packet(64))
	}
	g.send(target{port: 0, out: 1}.packet(64))
	// First it is tried without the five, which plays 10 packets, and then without the nine.
	for allowed, events := range map[int64]int{-1: 3, 0: 3, 9: 3, 10: 2} {
		if c := minimise(empty, g, "", allowed); len(c.Events) != events {
			t.Errorf("%d packets allowed: %+v", allowed, c.Events)
		}
	}
	c = minimise(empty, g, "", 1000)
	if packets = 0; len(c.Events) != 2 {
		t.Errorf("%+v", c.Events)
	}
	for _, e := range c.Events {
		packets += e.Count
	}
	must.Equalf(t, packets, 6, "%+v:", c.Events)
}
