package adversary

import (
	"fmt"

	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Kinds of events.
const (
	Arrive = "arrive" // packets come in, one right behind the other
	Leave  = "leave"  // packets leave the head of a queue, all at once
)

// An Event is a run of equal packets.
type Event struct {
	At    int64  `json:"at_ps"` // when the first begins to come in, or all leave
	Kind  string `json:"kind"`
	In    int    `json:"in"` // port index
	PG    int    `json:"pg"`
	Out   int    `json:"out"`
	Queue int    `json:"queue"`
	Bytes int    `json:"bytes"` // of each packet
	Count int    `json:"count"`
}

func (e *Event) same(o *Event) bool {
	return e.Kind == o.Kind && e.In == o.In && e.PG == o.PG && e.Out == o.Out && e.Queue == o.Queue && e.Bytes == o.Bytes
}

// A Loss is the lossless packet that finds no place, and the counter that refuses it.
type Loss struct {
	At      int64  `json:"at_ps"`
	Port    string `json:"port"`
	PG      int    `json:"pg"`
	Bytes   int    `json:"bytes"`
	Cells   int64  `json:"cells"`
	Why     string `json:"why"`     // "ingress headroom exhausted"
	Counter string `json:"counter"` // "headroom of Ethernet0 PG 3"
	Value   int64  `json:"value"`   // cells that it holds
	Limit   int64  `json:"limit"`   // cells that it may hold
}

func (l *Loss) String() string {
	return fmt.Sprintf("%s: a packet of %d B in PG %d of %s needs %d cells and is lost: %s holds %d of %d",
		l.Why, l.Bytes, l.PG, l.Port, l.Cells, l.Counter, l.Value, l.Limit)
}

// lossOf says which counter refused a packet.
func (g *game) lossOf(p *mmu.Packet, v mmu.Verdict, overflow bool) *Loss {
	slice := g.config.Ports[p.InPort].Slice
	config, state := g.pg(p.InPort, p.PG), g.buffer.PG(p.InPort, p.PG)
	l := &Loss{At: g.now, Port: g.sw.Ports[p.InPort].Name, PG: p.PG, Bytes: p.Bytes, Cells: g.buffer.Cells(p.Bytes), Why: v.Outcome.String()}
	set := func(value, limit units.Cells, format string, args ...any) {
		l.Value, l.Limit, l.Counter = int64(value), int64(limit), fmt.Sprintf(format, args...)
	}
	switch v.Outcome {
	case mmu.DropHeadroom:
		set(state.Headroom, config.HeadroomCells, "headroom of %s PG %d", l.Port, p.PG)
	case mmu.DropHeadroomPool:
		pool := g.config.IngressPools[config.Pool]
		set(g.buffer.IngressPool(slice, config.Pool).Headroom, pool.HeadroomCells, "headroom pool of %s, slice %d", pool.Name, slice)
	case mmu.DropQueueLimit:
		held := g.buffer.Queue(slice, p.OutPort, p.Queue).Shared
		set(held, g.buffer.QueueThreshold(slice, p.OutPort, p.Queue, units.Cells(l.Cells)), "queue %d of %s, slice %d", p.Queue, g.sw.Ports[p.OutPort].Name, slice)
	case mmu.DropPortLimit:
		index := g.config.Ports[p.OutPort].Queues[p.Queue].Pool
		limit, _ := mmu.BoundOf(g.config.Ports[p.OutPort].Egress, index)
		threshold := limit.StaticCells
		if limit.Dynamic {
			threshold = units.Cells(limit.Alpha.FloorOf(max(0, int64(g.buffer.EgressPool(slice, index).Free)-l.Cells)))
		}
		set(g.buffer.EgressBound(slice, p.OutPort, p.Queue), threshold, "bound of %s in %s, slice %d", g.sw.Ports[p.OutPort].Name, g.config.EgressPools[index].Name, slice)
	case mmu.DropEgressPool:
		index := g.config.Ports[p.OutPort].Queues[p.Queue].Pool
		set(g.buffer.EgressPool(slice, index).Used, g.config.EgressPools[index].SharedCells, "egress pool %s, slice %d", g.config.EgressPools[index].Name, slice)
	}
	if overflow {
		l.Why = "memory exhausted"
		set(units.Cells(g.held[slice]-l.Cells), g.sw.Config.SliceCells, "memory of slice %d", slice)
	}
	return l
}
