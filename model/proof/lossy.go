package proof

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// lossyShare: when lossy traffic has taken all that it may, every lossless group can
// still take a largest frame of the shared part. Less loses no packet, but lossless
// groups then pause with every frame.
func (p *prover) lossyShare(slice int) {
	for i := range p.config.IngressPools {
		pool := &p.config.IngressPools[i]
		var frames int64
		for _, a := range p.slices[slice].lossless {
			if a.pg.Pool == i {
				frames += int64((a.group.link.LosslessFrame + p.config.MetadataBytes).CeilCells(p.config.CellBytes))
			}
		}
		if frames == 0 {
			continue
		}
		lossy := p.lossyOf(slice, i)
		p.add(Obligation{
			ID: LossyShare, Where: fmt.Sprintf("slice %d, pool %s", slice, pool.Name),
			Terms: []Term{
				figure("y", lossy), figure("F", frames),
				figure("B", pool.SharedCells),
			},
			Left: Side{"y + F", lossy + frames}, Right: Side{"B", int64(pool.SharedCells)},
			Range: p.poolPlace(pool.Name),
		})
	}
}

// lossyOf returns the most that lossy traffic can take of the shared part of an ingress pool: as
// much as its groups admit, and no more than its queues do.
func (p *prover) lossyOf(slice, pool int) int64 {
	shared, rule := int64(p.config.IngressPools[pool].SharedCells), p.config.Rules.Admission
	limits := worstOrder(widen(boundsOf(pool, p.slices[slice].lossy)), rule, shared)
	return min(shared-leaves(limits, rule, shared), p.slices[slice].lossyEgress)
}

// lossyQueued returns the most that the queues of lossy traffic can hold in one slice: reserves, and the
// part of each pool that their limits admit.
func (p *prover) lossyQueued(reached []uint16) (atMost, surely int64) {
	atMost = p.lossyReserves(reached, func(int) bool { return true })
	surely = atMost
	for pool := range p.config.EgressPools {
		size, rule := int64(p.config.EgressPools[pool].SharedCells), p.config.Rules.Admission
		queues := p.lossyQueues(reached, pool)
		atMost += mostOf(queues, rule, size)
		surely += size - visited(queues, rule, size)
	}
	return atMost, surely
}

// lossyReserves sums the reserves of queues of some pools that lossy traffic reaches.
func (p *prover) lossyReserves(reached []uint16, of func(pool int) bool) int64 {
	reserves := units.Cells(0)
	for port, queues := range reached {
		for number, queue := range p.config.Ports[port].Queues {
			if queues>>number&1 == 1 && of(queue.Pool) {
				reserves += queue.ReservedCells
			}
		}
	}
	return int64(reserves)
}
