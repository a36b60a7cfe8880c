package model

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
)

// bounds builds what a whole port may take of pools. A static bound that the pool cannot
// reach is none.
//
// Its reserve on the egress side goes to one of its lossy queues: which one makes no
// difference to what all of them hold. Where lossless packets wait in queues of the pool it
// is left out, since no queue can be sure of it. One on the ingress side is not modelled;
// no configuration that ships has any.
func (b *buffer) bounds(port *plan.Port, own *mmu.Port) error {
	for _, p := range port.QoS.Pools {
		named := func(pool plan.Pool) bool { return pool.Name == p.Pool }
		if i := slices.IndexFunc(b.egress, named); i >= 0 {
			own.Egress = b.bound(own.Egress, i, p, b.config.EgressPools[i])
			if queue := b.lossyQueue(port, own, i); queue != nil {
				queue.ReservedCells += b.cells(p.Reserved.Value)
			}
			continue
		}
		i := slices.IndexFunc(b.ingress, named)
		switch {
		case i < 0:
			return fmt.Errorf("port %s: a bound of the whole port refers to a pool %q that does not exist", port.Name, p.Pool)
		case p.Reserved.Value > 0:
			return fmt.Errorf("port %s: the reserve of %v of the whole port in the ingress pool %s is not modelled", port.Name, p.Reserved.Value, p.Pool)
		}
		own.Ingress = b.bound(own.Ingress, i, p, b.config.IngressPools[i])
	}
	return nil
}

func (b *buffer) bound(list []mmu.Bound, pool int, p plan.PortPool, of mmu.Pool) []mmu.Bound {
	limit := b.limit(p.Limit.Value)
	if !limit.Dynamic && limit.StaticCells >= of.SharedCells {
		return list
	}
	return append(list, mmu.Bound{Pool: pool, Limit: limit})
}

// lossyQueue returns the first queue of a port that draws on a pool; nil if a lossless group
// feeds any of them.
func (b *buffer) lossyQueue(port *plan.Port, own *mmu.Port, pool int) (first *mmu.Queue) {
	fed := uint16(0)
	queues := routes(b.sw, port.QoS, leavingOf(b.sw, port))
	for _, pg := range port.QoS.PGs {
		if pg.Lossless {
			fed |= queues[pg.ID&7]
		}
	}
	for _, queue := range port.QoS.Queues { // numbers that the plan leaves out are none of them
		if own.Queues[queue.ID].Pool != pool {
			continue
		}
		if fed>>queue.ID&1 == 1 {
			return nil
		}
		if first == nil {
			first = &own.Queues[queue.ID]
		}
	}
	return first
}
