package proof

import (
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

// Refute decides an obligation that is open by a counterexample: it fails where it stands, since
// a counter of its place that may hold so many cells is to hold more. Of those on the way of the packet the
// first by the order of ids is decided. False if none of them is open.
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
	demanded := requirement{m: r.Model, kinds: map[demand][]int{}}
	for _, g := range r.Groups {
		if g.PG == p.PG && slices.Contains(g.Ports, name) {
			demanded.group(g.Where, p.InPort, p.PG)
		}
	}
	demanded.queue(config.Ports[p.InPort].Slice, p.Queue, p.OutPort)
	switch {
	case !slices.ContainsFunc(demanded.demands, func(d demand) bool { return d.metBy(o) }):
		return false
	case o.ID == QueueHolds:
		return sameQueue(r.Model, p.Queue, o.out, p.OutPort)
	case o.ID == PortHolds:
		return sameBound(r.Model, config.Ports[p.OutPort].Queues[p.Queue].Pool, o.out, p.OutPort)
	}
	return true
}
