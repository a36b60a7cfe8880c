package proof

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/model/mmu"
)

// A Refusal is a lossless packet that finds no place, and the counter that refuses it.
type Refusal struct {
	Attack  string // by which it is found
	Packet  mmu.Packet
	Counter string // "queue 3 of Ethernet0, slice 0"
	// Cells that the counter holds, that the packet needs, and that the counter may hold.
	Holds, Cells, Limit int64
}

// counterexample begins the source of what was refuted by one.
const counterexample = "counterexample: "

func (o *Obligation) refuted() bool {
	return o.Verdict == Fails && strings.HasPrefix(o.Source, counterexample)
}

// Refute decides an open obligation by a counterexample: it fails, since a counter of its place may
// hold so many cells and has to hold more. Of the obligations on the way of the packet, the first
// by the order of ids is decided. Refute returns false if none of them is open.
func (r *Report) Refute(refused *Refusal, ids ...string) bool {
	open := r.Open()
	for _, id := range ids {
		for _, o := range open {
			if o.ID == id && r.onWayOf(&refused.Packet, o) {
				o.refute(refused)
				return true
			}
		}
	}
	return false
}

func (o *Obligation) refute(refused *Refusal) {
	*o = inWords(Obligation{
		ID: o.ID, Where: o.Where, Lossless: true, Verdict: Fails, Source: counterexample + refused.Attack,
		Terms: []Term{
			figure("x", refused.Holds), figure("p", refused.Cells),
			figure("l", refused.Limit),
		},
		Left: Side{"x + p", refused.Holds + refused.Cells}, Right: Side{"l", refused.Limit},
		Note: "what is full is " + refused.Counter, Range: o.Range, At: o.At,
	})
}

// onWayOf reports whether an obligation is among those that a packet demands: on its group, on its
// queue, or on what these draw on.
func (r *Report) onWayOf(p *mmu.Packet, o *Obligation) bool {
	name, config := r.Model.Ports[p.InPort].Name, r.Model.Config
	slice, pool := fmt.Sprintf("slice %d", config.Ports[p.InPort].Slice), config.Ports[p.OutPort].Queues[p.Queue].Pool
	switch o.ID {
	case PauseReaches, Headroom, Resume:
		return slices.ContainsFunc(r.Groups, func(g Group) bool { return g.Where == o.Where && g.PG == p.PG && slices.Contains(g.Ports, name) })
	case Memory:
		return o.Where == slice
	case HeadroomPool:
		pg := &config.Ports[p.InPort].PGs[p.PG]
		return pg.HeadroomPooled && o.Where == slice+", pool "+config.IngressPools[pg.Pool].Name
	case EgressHolds:
		return o.Where == slice+", pool "+config.EgressPools[pool].Name
	case QueueHolds:
		return o.Place() == fmt.Sprintf("%s, queue %d", slice, p.Queue) && sameQueue(r.Model, p.Queue, o.out, p.OutPort)
	case PortHolds:
		_, bounded := mmu.BoundOf(config.Ports[p.OutPort].Egress, pool)
		return bounded && strings.HasPrefix(o.Where, slice+", pool "+config.EgressPools[pool].Name+" of ") && sameBound(r.Model, pool, o.out, p.OutPort)
	}
	return false
}
