package proof

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model/mmu"
)

const queueSource = "Zhu et al., DCQCN, SIGCOMM 2015, section 4: PFC must act before the buffer drops; Choudhury and Hahne, IEEE/ACM ToN 6(2) 1998: dynamic thresholds"

// queues: whatever the order of arrivals, all senders of a queue are paused, and what
// then still comes in has arrived, before the queue or its pool refuses a packet.
//
// What senders hold at once is greatest when they fill up one after another, since each
// one's threshold depends on what the earlier ones left: more than at the common fixed
// point of all of them. See leaves.
func (p *prover) queues(slice int) {
	for number := range mmu.MaxQueues {
		senders := p.feeding(slice, func(a account) bool { return p.m.Ports[a.port].Queues[a.number]>>number&1 == 1 })
		if len(senders) == 0 {
			continue
		}
		for _, c := range p.crowds(slice, number, senders) {
			p.queueHolds(slice, number, c.out, c.senders)
		}
	}
	for pool := range p.config.EgressPools {
		p.egressHolds(slice, pool)
	}
}

// A crowd is those that may send to a queue of a group of ports at once.
type crowd struct {
	out     *group
	queue   mmu.Queue
	senders []account
}

// crowds finds the largest crowd of every kind of queue: which group of ports has the queue
// makes a difference, since a port does not send to itself.
func (p *prover) crowds(slice, number int, senders []account) (all []crowd) {
	for _, g := range p.groups {
		out := &p.config.Ports[g.ports[0]]
		if number >= len(out.Queues) {
			continue
		}
		c := crowd{g, out.Queues[number], p.worstSenders(slice, g, senders)}
		i := slices.IndexFunc(all, func(d crowd) bool { return d.queue == c.queue })
		switch {
		case i >= 0 && len(c.senders) > len(all[i].senders):
			all[i] = c
		case i < 0 && len(c.senders) > 0:
			all = append(all, c)
		}
	}
	return all
}

// feeding lists the lossless accounts of a slice that pass, fullest first.
func (p *prover) feeding(slice int, pass func(account) bool) (list []account) {
	for _, a := range p.slices[slice].lossless {
		if pass(a) {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b account) int {
		return cmp.Compare(p.most(b), p.most(a))
	})
	return list
}

// most is what an account may hold without any of the shared part.
func (p *prover) most(a account) int64 { return a.held() + p.more(a) + int64(a.pg.ReservedCells) }

func (p *prover) queueHolds(slice, number int, out *group, senders []account) {
	queue := p.config.Ports[out.ports[0]].Queues[number]
	pool, reserve := int64(p.config.EgressPools[queue.Pool].SharedCells), int64(queue.ReservedCells)
	slack, look := ruleOffsets(p.config.Rules.Admission)
	limit := func(own, others int64) int64 {
		if !queue.Limit.Dynamic {
			return reserve + int64(queue.Limit.StaticCells)
		}
		return reserve + floorScale(pool-(own-reserve)-others+look, int(queue.Limit.Alpha)) - slack
	}
	sum, sure := p.climbed(p.sum(senders, nil), senders, func(own int64) bool { return own > limit(own, 0) }), int64(0)
	if !queue.Limit.Dynamic {
		sum, sure = p.lessSure(sum, senders, limit(0, 0))
	}
	own, others, keptByOthers := sum.side.Value, int64(0), int64(0)
	o := Obligation{
		ID: QueueHolds, Title: titles[QueueHolds], Lossless: true, Unit: InCells, Left: sum.side, Source: queueSource,
		Where: fmt.Sprintf("slice %d, queue %d of %s, %s", slice, number, out.name, counted(len(senders), "sender")),
		Range: p.queuePlace(out.ports[0], number),
		Terms: append(sum.terms, given("u", "reserve of the queue", reserve, InCells)),
		Right: Side{"u + l", limit(own, 0)},
	}
	if queue.Limit.Dynamic {
		all := p.sum(p.drawing(slice, queue.Pool), nil)
		if own <= limit(own, 0) { // else it fails even without others
			others, keptByOthers = max(0, all.side.Value-own), max(0, all.kept-sum.kept)
		}
		if own <= limit(own, 0) && own > limit(own, others) {
			o.leaveOpen(fmt.Sprintf("the other queues of the pool may hold %d cells, and whether they can at the same time depends on more than the thresholds", others))
		}
		o.Terms = append(o.Terms, given("S", "egress pool of the slice", pool, InCells), given("o", "what other queues hold of it", others, InCells))
		o.Right = Side{fmt.Sprintf("u + scale(S - (%s - u) - o + %d, %d) - %d", sum.side.Expr, look, queue.Limit.Alpha, slack), limit(own, others)}
	} else {
		o.Terms = append(o.Terms, given("l", "limit of the queue in a slice", queue.Limit.StaticCells, InCells).from(o.Range))
	}
	added := p.add(o)
	p.openIfSingleCells(added, len(senders)-int(sure))
	keeping(added, sum.kept, own+sum.kept <= limit(own+sum.kept, others+keptByOthers))
}

// ruleOffsets are the ways in which rules of admission differ: see mmu.Admission.
func ruleOffsets(rule mmu.Admission) (slack, look int64) {
	return b2i64(rule == mmu.BelowWithCell), b2i64(rule == mmu.BeforeCell)
}

func b2i64(b bool) int64 { return int64(b2i(b)) }

// floorScale is ⌊n·2^e⌋ for any sign of n.
func floorScale(n int64, e int) int64 {
	if e >= 0 {
		return n << e
	}
	return n >> -e
}

// worstSenders are the fullest senders that may send to a port of the group at once.
// A port does not send to itself.
func (p *prover) worstSenders(slice int, out *group, senders []account) []account {
	hairpin := -1
	for _, port := range out.ports {
		if p.config.Ports[port].Slice != slice || !slices.ContainsFunc(senders, func(a account) bool { return a.port == port }) {
			hairpin = -1
			break
		}
		hairpin = port
	}
	var ports []int
	var list []account
	for _, a := range senders {
		if a.port == hairpin {
			continue
		}
		if !slices.Contains(ports, a.port) {
			if p.ctx.FanIn > 0 && len(ports) == p.ctx.FanIn {
				continue
			}
			ports = append(ports, a.port)
		}
		list = append(list, a)
	}
	return list
}

// holding is what accounts can hold at once: their reserves, what they take of shared
// parts one after another, and their headroom.
type holding struct {
	terms []Term
	side  Side
	kept  int64 // what may come on top where groups resume with headroom in use
}

// sum adds up what lossless and lossy accounts can hold at once.
func (p *prover) sum(lossless, lossy []account) holding {
	var h holding
	reserves, headroom := int64(0), int64(0)
	pooled, more := map[int]int64{}, map[int]int64{}
	for _, a := range lossless {
		reserves += int64(a.pg.ReservedCells)
		if a.pg.HeadroomPooled {
			pooled[a.pg.Pool] += a.held()
			more[a.pg.Pool] += p.more(a)
		} else {
			headroom += a.held()
			h.kept += p.more(a)
		}
	}
	for _, a := range lossy {
		reserves += int64(a.pg.ReservedCells)
	}
	for pool, all := range pooled {
		size := int64(p.config.IngressPools[pool].HeadroomCells)
		headroom += min(all, size)
		h.kept += min(all+more[pool], size) - min(all, size)
	}
	h.terms = []Term{given("r", "reserves of the priority groups", reserves, InCells), given("h", "headroom that they can fill", headroom, InCells)}
	h.side = Side{"r + h", reserves + headroom}
	for pool := range p.config.IngressPools {
		limits := limitsOf(pool, lossless, lossy)
		if len(limits) == 0 {
			continue
		}
		sortLimits(limits)
		shared, rule := int64(p.config.IngressPools[pool].SharedCells), p.config.Rules.Admission
		symbol := "B" + intText(int64(pool))
		h.terms = append(h.terms, given(symbol, "shared part of "+p.config.IngressPools[pool].Name, shared, InCells))
		h.side.Expr += fmt.Sprintf(" + %s - %s", symbol, leavesExpr(limits, rule, symbol))
		h.side.Value += shared - leaves(limits, rule, shared)
	}
	return h
}

// lessSure takes off what accounts hold twice in a sum that is above a limit: the cell of a
// pausing packet that is surely below its threshold is counted there and among those that
// come in after the pause. Of groups that resume with headroom in use nothing is sure.
func (p *prover) lessSure(h holding, list []account, limit int64) (holding, int64) {
	sure := int64(0)
	for _, a := range list {
		if a.group.why == "" && a.group.need+a.group.extra <= int64(a.pg.HeadroomCells) && p.kept(a) == 0 {
			sure += p.below(a)
		}
	}
	if h.side.Value <= limit || sure == 0 || p.pooledShort(list) {
		return h, 0
	}
	h.terms = append(slices.Clone(h.terms), given("Q", "cells of pausing packets that are below the threshold", sure, InCells))
	h.side = Side{h.side.Expr + " - Q", h.side.Value - sure}
	return h, sure
}

// pooledShort tells whether a headroom pool bounds what accounts can hold: the cells that
// are counted twice are then not among them.
func (p *prover) pooledShort(list []account) bool {
	sum := map[int]int64{}
	for _, a := range list {
		if a.pg.HeadroomPooled {
			sum[a.pg.Pool] += a.held()
		}
	}
	for pool, cells := range sum {
		if cells > int64(p.config.IngressPools[pool].HeadroomCells) {
			return true
		}
	}
	return false
}

// drawing lists the lossless accounts of a slice whose queues draw on an egress pool.
func (p *prover) drawing(slice, pool int) []account {
	return p.feeding(slice, func(a account) bool {
		for _, g := range p.groups {
			for number, queue := range p.config.Ports[g.ports[0]].Queues {
				if queue.Pool == pool && p.m.Ports[a.port].Queues[a.number]>>number&1 == 1 {
					return true
				}
			}
		}
		return false
	})
}

// limitsWithout lists the limits of all other lossless groups that draw on a group's pool.
func (p *prover) limitsWithout(slice int, own account) []mmu.Limit {
	all := p.slices[slice].lossless
	limits := make([]mmu.Limit, 0, len(all))
	for _, a := range all {
		if a.pg.Pool == own.pg.Pool && (a.port != own.port || a.number != own.number) {
			limits = append(limits, a.pg.Limit)
		}
	}
	sortLimits(limits)
	return limits
}

// A remainder is what others leave of a pool at the least.
type remainder struct {
	left, lossy int64  // what is left, and what lossy traffic took
	expr        string // of left, with B for the start and y for the lossy part
}

// least is the fewest of some free cells that all others leave to a group. Dynamic limits
// go first, since they take a part of what is there, lossless ones before lossy ones,
// since lossy traffic can take no more than its queues hold; then the static ones.
func (p *prover) least(slice int, own account, free int64) remainder {
	rule, queued := p.config.Rules.Admission, p.slices[slice].lossyEgress
	var r remainder
	dynamic, static := split(p.limitsWithout(slice, own))
	lossyDynamic, lossyStatic := split(limitsOf(own.pg.Pool, p.slices[slice].lossy))
	r.left = leaves(dynamic, rule, free)
	r.lossy = min(queued, r.left-leaves(lossyDynamic, rule, r.left))
	r.left -= r.lossy
	more := min(queued-r.lossy, r.left-leaves(lossyStatic, rule, r.left))
	r.lossy += more
	r.left = leaves(static, rule, r.left-more)
	r.expr = leavesExpr(static, rule, leavesExpr(dynamic, rule, "B")+" - y")
	return r
}

// split divides sorted or unsorted limits into dynamic and static ones.
func split(limits []mmu.Limit) (dynamic, static []mmu.Limit) {
	sortLimits(limits)
	n := 0
	for n < len(limits) && limits[n].Dynamic {
		n++
	}
	return limits[:n], limits[n:]
}
