package proof

import (
	"fmt"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
)

// marking: a queue marks all its packets before any sender is paused, or congestion
// control learns of the congestion only when PFC has already spread it.
func (p *prover) marking() {
	for _, g := range p.groups {
		if g.qos == nil {
			continue
		}
		for i := range g.qos.Queues {
			if queue := &g.qos.Queues[i]; queue.ECN != nil {
				p.curve(g, queue)
			}
		}
	}
}

func (p *prover) curve(g *group, queue *plan.Queue) {
	ecn, where := queue.ECN, fmt.Sprintf("%s, queue %d", g.name, queue.ID)
	kmin := figure("Kmin", ecn.KMin.Value).from(whyAt(ecn.KMin.Why))
	kmax := figure("Kmax", ecn.KMax.Value).from(whyAt(ecn.KMax.Why))
	p.add(Obligation{
		ID: MarkingOrder, Where: where, Terms: []Term{kmin, kmax},
		Left: Side{"Kmin", kmin.Value}, Right: Side{"Kmax", kmax.Value},
		Range: p.place(g.ports[0], ecn.KMin.Why, ecn.KMax.Why),
	})
	own := p.config.Ports[g.ports[0]].Queues[queue.ID]
	pool, rule := int64(p.config.EgressPools[own.Pool].SharedCells), p.config.Rules.Admission
	limits := []bound{newBound(own.Limit, p.config.Ports[g.ports[0]].Egress, own.Pool)}
	longest := int64(own.ReservedCells) + pool - leaves(limits, rule, pool)
	slices := int64(p.config.Slices)
	p.add(Obligation{
		ID: MarkingQueue, Where: where,
		Terms: append(p.chipTerms(), kmax, figure("u", own.ReservedCells), figure("S", pool), figure("n", slices)),
		Left:  Side{"Kmax", kmax.Value}, Right: Side{fmt.Sprintf("n * (u + S - %s) * C", leavesExpr(limits, rule, "S")), slices * longest * int64(p.config.CellBytes)},
		Range: p.place(g.ports[0], ecn.KMax.Why),
	})
	p.beforePause(g, queue, kmax, where)
}

// beforePause checks Kmax against the queue at the first pause, with lossy traffic at its
// most. Senders of a pattern share one slice, where they are paused soonest.
func (p *prover) beforePause(g *group, queue *plan.Queue, kmax Term, where string) {
	sender, ok := p.senderTo(int(queue.ID), g.ports[0])
	if !ok {
		return
	}
	pg := sender.pg
	slice := p.config.Ports[sender.port].Slice
	pool, rule := p.config.IngressPools[pg.Pool], p.config.Rules.Admission
	lossy := p.lossyOf(slice, pg.Pool)
	free := max(0, int64(pool.SharedCells)-lossy)
	for _, pattern := range append([]Pattern{{1, 1}}, p.ctx.Patterns...) {
		n, m := int64(min(pattern.From, len(p.slices[slice].lossless))), int64(max(1, pattern.To))
		share := evenly(sender.bound, rule, free, n)
		value := n * (share + int64(pg.ReservedCells)) / m * int64(p.config.CellBytes)
		p.add(Obligation{
			ID: MarkingBefore, Where: fmt.Sprintf("%s, %s to %s", where, natural.Count(pattern.From, "sender", "senders"), natural.Count(pattern.To, "port", "ports")),
			Terms: append(p.chipTerms(), kmax,
				figure("n", n), figure("m", m),
				figure("B", pool.SharedCells), figure("y", lossy),
				figure("r", pg.ReservedCells),
				derived("s", share, sender.bound.evenlyExpr("max(0, B - y)", rule))),
			Left: Side{"Kmax", kmax.Value}, Right: Side{"floor(n * (s + r), m) * C", value},
			Range: p.place(g.ports[0], queue.ECN.KMax.Why),
		})
	}
}

// evenly returns what each of n accounts holds that fill at the same pace when the first
// is full: the fixed point of T = α(B − nT) in whole cells.
func evenly(b bound, rule mmu.Admission, free, n int64) int64 {
	low, high := int64(0), free/max(1, n)+1
	for high-low > 1 {
		if s := (low + high) / 2; b.admitted(rule, s, free-n*s) {
			low = s
		} else {
			high = s
		}
	}
	return low
}

// evenlyExpr returns the expression of evenly for n accounts.
func (b bound) evenlyExpr(free string, rule mmu.Admission) string {
	expr := fmt.Sprintf("evenly(%s, %d, %s, n)", free, rule, limitExpr(b.limit))
	if b.two {
		return fmt.Sprintf("min(%s, evenly(%s, %d, %s, n))", expr, free, rule, limitExpr(b.port))
	}
	return expr
}

// senderTo finds a lossless group that feeds a queue of a port: the one with the lowest threshold.
func (p *prover) senderTo(number, out int) (worst account, ok bool) {
	smallest := int64(0)
	for _, g := range p.groups {
		for _, a := range p.losslessOf(g) {
			if p.m.Feeds(a.port, a.number, out)>>number&1 == 0 {
				continue
			}
			shared := int64(p.config.IngressPools[a.pg.Pool].SharedCells)
			own := takes(a.bound, p.config.Rules.Admission, shared) + int64(a.pg.ReservedCells)
			if !ok || own < smallest {
				worst, smallest, ok = a, own, true
			}
		}
	}
	return worst, ok
}
