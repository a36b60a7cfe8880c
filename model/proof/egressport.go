package proof

import (
	"fmt"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
)

// portsHold: a port that is bounded as a whole in an egress pool takes all that can be sent
// to its queues of that pool before its senders are paused, as a queue does.
func (p *prover) portsHold(slice int) {
	for pool := range p.config.EgressPools {
		has := func(out int) bool {
			_, bounded := mmu.BoundOf(p.config.Ports[out].Egress, pool)
			return bounded
		}
		for _, outs := range p.outsAlike(has, func(a, b int) bool { return sameBound(p.m, pool, a, b) }) {
			out := outs[0].ports[0]
			senders := p.feeding(slice, func(a account) bool { return p.feedsPool(a, out, pool) })
			lossy := p.lossyThat(slice, func(a account) bool { return p.sw.Maps == plan.Maps{} || p.feedsPool(a, out, pool) })
			p.worstOf(p.crowds(slice, outs, senders, lossy), func(c crowd) { p.portHolds(slice, pool, c) })
		}
	}
}

// feedsPool reports whether a group feeds a queue of a port that draws on a pool.
func (p *prover) feedsPool(a account, out, pool int) bool {
	for number, queue := range p.config.Ports[out].Queues {
		if queue.Pool == pool && p.m.Feeds(a.port, a.number, out)>>number&1 == 1 {
			return true
		}
	}
	return false
}

func (p *prover) portHolds(slice, pool int, crowd crowd) {
	out, name := crowd.out.ports[0], p.config.EgressPools[pool].Name
	port := &p.config.Ports[out]
	limit, _ := mmu.BoundOf(port.Egress, pool)
	var fed, reached uint16
	for _, a := range crowd.senders {
		fed |= p.m.Feeds(a.port, a.number, out)
	}
	c := counter{
		limit: limit, pool: pool, reserve: 1 << 50,
	}
	for number, queue := range port.Queues {
		if queue.Pool == pool && fed>>number&1 == 1 {
			c.reserve, c.reserves = min(c.reserve, int64(queue.ReservedCells)), c.reserves+int64(queue.ReservedCells)
		}
	}
	for _, i := range crowd.out.ports {
		reached |= p.slices[slice].reached[i]
	}
	c.lossy = min(mostOf(lossyOn(port, out, pool, fed, reached), p.config.Rules.Admission, int64(p.config.EgressPools[pool].SharedCells)), p.lossyBeside(crowd))
	p.counterHolds(slice, crowd.senders, c, Obligation{
		ID: PortHolds, Where: fmt.Sprintf("slice %d, pool %s of %s, %s", slice, name, crowd.out.name, natural.Count(len(crowd.senders), "sender", "senders")),
		Range: p.boundPlace(out, name), out: crowd.like, port: crowd.port,
	})
}
