package proof

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/model/mmu"
)

// portsHold: a port that is bounded as a whole in an egress pool takes all that can be sent
// to its queues of that pool before its senders are paused, as a queue does.
func (p *prover) portsHold(slice int) {
	type kind struct {
		out     *group
		bound   mmu.Bound
		senders []account
	}
	var kinds []kind
	for _, g := range p.groups {
		own := &p.config.Ports[g.ports[0]]
		for _, b := range own.Egress {
			senders := p.worstSenders(slice, g, p.feeding(slice, func(a account) bool { return p.feedsPool(a, g.ports[0], b.Pool) }))
			i := slices.IndexFunc(kinds, func(k kind) bool {
				return k.bound == b && p.m.Ports[k.out.ports[0]].Map == p.m.Ports[g.ports[0]].Map && slices.Equal(p.config.Ports[k.out.ports[0]].Queues, own.Queues)
			})
			switch {
			case len(senders) == 0:
			case i < 0:
				kinds = append(kinds, kind{g, b, senders})
			case len(senders) > len(kinds[i].senders):
				kinds[i] = kind{g, b, senders}
			}
		}
	}
	for _, k := range kinds {
		p.portHolds(slice, k.out, k.bound, k.senders)
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

func (p *prover) portHolds(slice int, out *group, b mmu.Bound, senders []account) {
	port, name := &p.config.Ports[out.ports[0]], p.config.EgressPools[b.Pool].Name
	var fed, reached uint16
	for _, a := range senders {
		fed |= p.m.Feeds(a.port, a.number, out.ports[0])
	}
	c := counter{
		limit: b.Limit, pool: b.Pool, reserve: 1 << 50,
		reserveName: "least reserve of the queues", limitName: "limit of the port in a slice",
	}
	for number, queue := range port.Queues {
		if queue.Pool == b.Pool && fed>>number&1 == 1 {
			c.reserve, c.reserves = min(c.reserve, int64(queue.ReservedCells)), c.reserves+int64(queue.ReservedCells)
		}
	}
	for _, i := range out.ports {
		reached |= p.slices[slice].reached[i]
	}
	c.lossy = mostOf(lossyOn(port, out.ports[0], b.Pool, fed, reached), p.config.Rules.Admission, int64(p.config.EgressPools[b.Pool].SharedCells))
	p.counterHolds(slice, senders, c, Obligation{
		ID: PortHolds, Where: fmt.Sprintf("slice %d, pool %s of %s, %s", slice, name, out.name, natural.Count(len(senders), "sender", "senders")),
		Range: p.boundPlace(out.ports[0], name), out: out.ports[0],
	})
}
