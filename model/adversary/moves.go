package adversary

import (
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// cutOf returns the densest cut for the window of a port.
func (g *game) cutOf(port int) cut {
	link := g.sw.Ports[port].Link
	if known, ok := g.cuts[link]; ok {
		return known
	}
	c := g.densest(&link, int(min(link.Bytes(), g.enough(link.LosslessFrame))))
	if g.config.Rules.Decided == mmu.AtEnd {
		c = append(cut{int(link.LosslessFrame)}, c...) // the longer the deciding one, the later the decision
	}
	g.cuts[link] = c
	return c
}

// enough returns more bytes on the wire than the buffer takes, however they are cut: of longer
// windows the rest only costs time.
func (g *game) enough(frame units.Bytes) units.Bytes {
	cells := units.Cells(1)
	for _, pool := range g.config.IngressPools {
		cells += pool.SharedCells + pool.HeadroomCells
	}
	var widest units.Cells
	for i := range g.config.Ports {
		for _, pg := range g.config.Ports[i].PGs {
			widest = max(widest, pg.ReservedCells+pg.HeadroomCells)
		}
	}
	return units.Bytes(cells+widest) * (frame + model.InterFrame)
}

// fill sends a group packets until it has so many cells of room left below its
// threshold, or until it cannot get nearer. Largest packets go first.
func (g *game) fill(to target, left int64) {
	frame := int(g.sw.Ports[to.port].Link.LosslessFrame)
	if !g.pg(to.port, to.pg).Lossless {
		frame = int(g.sw.Ports[to.port].Link.PortFrame)
	}
	for {
		want := g.room(to.port, to.pg) - left
		bytes := int(min(units.Bytes(frame), units.Bytes(want)*g.config.CellBytes-g.config.MetadataBytes))
		if bytes < int(model.SmallestFrame) || g.pauses[to.port*mmu.MaxPGs+to.pg].on {
			return
		}
		v, ok := g.send(to.packet(bytes))
		if !ok {
			v, ok = g.send(to.packet(int(model.SmallestFrame)))
		}
		if !ok {
			v, ok = g.send(to.packet(frame)) // what is over goes to its headroom
		}
		if !ok || v.Dropped() && frame == int(model.SmallestFrame) {
			return
		}
		if v.Dropped() {
			frame = max(frame/2, int(model.SmallestFrame)) // the queue may have room for less
		}
	}
}

// squeeze takes what is left of a group's room with the packets of others, so that it is full
// before it has paused. Those of its own port come first, since they take of what the port may take
// too; gently, no lossless one of the others is paused.
func (g *game) squeeze(victim target, gently bool) {
	slice, pool := g.config.Ports[victim.port].Slice, g.pg(victim.port, victim.pg).Pool
	rivals := append(g.groups(slice, true), g.groups(slice, false)...)
	g.fallingFirst(rivals)
	keeps := []int64{1, 0} // if it does not suffice, lossless rivals are paused too
	if gently {
		keeps = keeps[:1]
	}
	for _, keep := range keeps {
		for _, own := range []bool{true, false} {
			for _, rival := range rivals {
				if own == (rival.port == victim.port) && (!own || rival.pg != victim.pg) && g.pg(rival.port, rival.pg).Pool == pool {
					g.press(rival.port, rival.pg, victim, keep)
				}
			}
		}
	}
}

// press sends one group's packets, to wherever there is place, until the victim is full
// or the group is except for what a lossless one is to keep.
func (g *game) press(port, number int, victim target, keep int64) {
	if !g.pg(port, number).Lossless {
		keep = 0
	}
	for _, way := range g.ways(port, number) {
		for full := false; !full; {
			if g.room(victim.port, victim.pg) == 0 {
				return
			}
			want := g.room(port, number) - keep
			frame := int(g.sw.Ports[port].Link.LosslessFrame)
			bytes := int(min(units.Bytes(frame), units.Bytes(want)*g.config.CellBytes-g.config.MetadataBytes))
			if bytes < int(model.SmallestFrame) {
				return
			}
			v, ok := g.send(way.packet(bytes))
			if v.Dropped() {
				v, ok = g.send(way.packet(int(model.SmallestFrame)))
			}
			if !ok {
				v, ok = g.send(way.packet(frame)) // what is over goes to its headroom
			}
			if !ok {
				return
			}
			full = v.Dropped() // this queue is
		}
	}
}

// ways lists the ways out for packets of a group: every queue it feeds, of every other port that
// has it. Ports without a known link send nothing.
func (g *game) ways(port, number int) []target { return g.routes[port*mmu.MaxPGs+number] }

func routes(sw *model.Switch) [][]target {
	ports := sw.Config.Ports
	all := make([][]target, len(ports)*mmu.MaxPGs)
	for port := range ports {
		if sw.Ports[port].Link.Unknown(sw.Ports[port].Name) != "" {
			continue
		}
		for number := range ports[port].PGs {
			for step := 1; step < len(ports); step++ {
				out := (port + step) % len(ports)
				for queue := range ports[out].Queues {
					if sw.Feeds(port, number, out)>>queue&1 == 1 {
						all[port*mmu.MaxPGs+number] = append(all[port*mmu.MaxPGs+number], target{port, number, out, queue})
					}
				}
			}
		}
	}
	return all
}

// lossless lists a way for every lossless group of a slice, each to another port.
func (g *game) lossless(slice int) []target { return g.groups(slice, true) }

// groups lists a way for every lossless, or every lossy, group of a slice that has one.
func (g *game) groups(slice int, lossless bool) (list []target) {
	for port := range g.config.Ports {
		if g.config.Ports[port].Slice != slice {
			continue
		}
		for number := range g.config.Ports[port].PGs {
			if g.pg(port, number).Lossless != lossless {
				continue
			}
			if ways := g.ways(port, number); len(ways) > 0 {
				list = append(list, ways[0])
			}
		}
	}
	return list
}

// lossyFirst fills every lossy group of a slice, to wherever there is place.
func (g *game) lossyFirst(slice int) {
	list := g.groups(slice, false)
	g.fallingFirst(list)
	for _, to := range list {
		for _, way := range g.ways(to.port, to.pg) {
			g.fill(way, 0)
		}
	}
}
