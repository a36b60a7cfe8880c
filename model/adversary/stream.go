package adversary

import (
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// A cut divides a peer's data into packets: lengths in bytes, in order, all but the last of which
// fit a stretch of wire.
type cut []int

// densest finds the cut of w bytes that fills most cells. The bulk is the packet with
// most cells per byte; the end, where whole ones of it no longer come out even, is tried
// out over some twenty of them.
func (g *game) densest(link *model.Link, w int) cut {
	frame := int(link.LosslessFrame)
	if link.SmallPackets != 0 {
		return g.mix(link, w)
	}
	lengths := g.shortest(frame)
	best := lengths[0]
	for _, l := range lengths {
		if g.buffer.Cells(l)*int64(best+gap) > g.buffer.Cells(best)*int64(l+gap) {
			best = l
		}
	}
	const tail = 20
	bulk := max(0, w/(best+gap)-tail)
	packets := make(cut, bulk, bulk+2*tail)
	for i := range packets {
		packets[i] = best
	}
	packets = append(packets, g.knapsack(lengths, w-bulk*(best+gap))...)
	return append(packets, frame)
}

const gap = int(model.InterFrame)

// shortest lists the shortest packet of one cell more each time.
func (g *game) shortest(frame int) (lengths []int) {
	for l := int(model.SmallestFrame); l <= frame; {
		lengths = append(lengths, l)
		cells := g.buffer.Cells(l)
		l = int(units.Bytes(cells)*g.config.CellBytes-g.config.MetadataBytes) + 1
	}
	return lengths
}

// knapsack fills w bytes with packets of the given lengths.
func (g *game) knapsack(lengths []int, w int) (packets cut) {
	most, last := make([]int64, 1, w+1), make([]int, 1, w+1) // cells on so many bytes, and the last packet of those
	for s := 1; s <= w; s++ {
		cells, length := most[s-1], 0
		for _, l := range lengths {
			if l+gap > s {
				break
			}
			if n := most[s-l-gap] + g.buffer.Cells(l); n > cells {
				cells, length = n, l
			}
		}
		most, last = append(most, cells), append(last, length)
	}
	for s := w; s > 0; {
		if last[s] == 0 {
			s--
			continue
		}
		packets = append(packets, last[s])
		s -= last[s] + gap
	}
	return packets
}

// mix cuts into largest packets first and smallest ones then, as many as are assumed.
func (g *game) mix(link *model.Link, w int) cut {
	frame, slot := int(link.LosslessFrame), int(model.PauseWire)
	small, large := g.buffer.Cells(int(model.SmallestFrame)), g.buffer.Cells(frame)
	var most int64
	beside := 1 // whole frames
	if g.config.Rules.Decided == mmu.AtEnd {
		beside = 2
	}
	var bestSmall, bestLarge int
	for n := 0; n*slot <= w; n++ {
		rest := (w - n*slot) / (frame + gap)
		if int64(n)*int64(units.One) > int64(link.SmallPackets)*int64(n+rest+beside) {
			continue
		}
		if cells := int64(n)*small + int64(rest)*large; cells > most {
			most, bestSmall, bestLarge = cells, n, rest
		}
	}
	var packets cut
	for range bestLarge {
		packets = append(packets, frame)
	}
	for range bestSmall {
		packets = append(packets, int(model.SmallestFrame))
	}
	return append(packets, frame)
}

// flood sends a group the densest cut of its window, again and again where the peer hears no
// pause, and stops where it is silenced or nothing of a cut finds a place.
func (g *game) flood(to target) { g.floodBy(to, to) }

// floodBy is flood with packets of several cells by a way of their own.
func (g *game) floodBy(to, large target) {
	for taken := true; taken; {
		taken = false
		for _, bytes := range g.cutOf(to.port) {
			way := to
			if g.buffer.Cells(bytes) > 1 {
				way = large
			}
			v, ok := g.send(way.packet(bytes))
			if !ok {
				return
			}
			if taken = taken || !v.Dropped(); v.Dropped() {
				g.stuff(to) // a packet lost unseen left a cell that a smaller packet finds
			}
		}
	}
}

// stuff sends packets that the headroom of a group still has place for, until it has none.
func (g *game) stuff(to target) {
	link := &g.sw.Ports[to.port].Link
	for {
		left := units.Bytes(g.pg(to.port, to.pg).HeadroomCells-g.buffer.PG(to.port, to.pg).Headroom)*g.config.CellBytes - g.config.MetadataBytes
		if left < model.SmallestFrame {
			return
		}
		v, ok := g.send(to.packet(int(min(left, link.LosslessFrame))))
		if !ok {
			v, ok = g.send(to.packet(int(model.SmallestFrame)))
		}
		if !ok || v.Dropped() {
			return
		}
	}
}

// A target is a way through the switch.
type target struct{ port, pg, out, queue int }

func (t target) packet(bytes int) mmu.Packet {
	return mmu.Packet{InPort: t.port, PG: t.pg, OutPort: t.out, Queue: t.queue, Bytes: bytes}
}
