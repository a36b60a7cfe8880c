package proof

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/mmu"
)

// queues: whatever the order of arrivals, all senders of a queue are paused, and what
// then still comes in has arrived, before the queue or its pool refuses a packet.
//
// Senders hold most at once when they fill up one after another, since each one's threshold depends
// on what the earlier ones left: more than at the common fixed point of all of them. See leaves.
func (p *prover) queues(slice int) {
	for number := range mmu.MaxQueues {
		for _, like := range p.mapped {
			feeds := func(a account) bool { return p.m.Feeds(a.port, a.number, like)>>number&1 == 1 }
			senders, lossy := p.feeding(slice, feeds), p.lossyThat(slice, feeds)
			if len(senders) == 0 {
				continue
			}
			has := func(out int) bool {
				return number < len(p.config.Ports[out].Queues) && p.m.Ports[out].Map == p.m.Ports[like].Map
			}
			for _, outs := range p.outsAlike(has, func(a, b int) bool { return sameQueue(p.m, number, a, b) }) {
				p.worstOf(p.crowds(slice, outs, senders, lossy), func(c crowd) { p.queueHolds(slice, number, c) })
			}
		}
	}
	p.portsHold(slice)
	for pool := range p.config.EgressPools {
		p.egressHolds(slice, pool)
	}
}

// outsAlike returns the groups of ports with egress, those with the same egress together.
func (p *prover) outsAlike(has func(port int) bool, same func(a, b int) bool) (kinds [][]*group) {
	for _, g := range p.groups {
		if !has(g.ports[0]) {
			continue
		}
		i := slices.IndexFunc(kinds, func(kind []*group) bool { return same(kind[0].ports[0], g.ports[0]) })
		if i < 0 {
			kinds, i = append(kinds, nil), len(kinds)
		}
		kinds[i] = append(kinds[i], g)
	}
	return kinds
}

// A crowd is those that may send to a port of a group at once.
type crowd struct {
	out            *group
	like           int       // the first port whose queue or bound is the same
	port           int       // of the group, to which they send
	senders, lossy []account // lossless, and not
}

// crowds returns the crowds of ports that are alike. Two such ports differ in their senders, since a port
// does not send to itself. Of equal ones it is the first. The largest come first.
func (p *prover) crowds(slice int, outs []*group, senders, lossy []account) (all []crowd) {
	seen := map[[2]int]bool{}
	for _, out := range outs {
		own := [2]int{p.hairpin(slice, out, senders), p.hairpin(slice, out, lossy)}
		if c := (crowd{out, outs[0].ports[0], p.sentTo(slice, out, senders), p.worstSenders(senders, own[0]), elsewhere(lossy, own[1])}); !seen[own] && len(c.senders) > 0 {
			all = append(all, c)
		}
		seen[own] = true
	}
	stable.Sort(all, func(a, b crowd) int { return cmp.Compare(len(b.senders), len(a.senders)) })
	return all
}

// worstOf keeps the worst obligation of those that crowds of ports alike are judged by: one that a verdict
// is worse of, or has less to spare.
func (p *prover) worstOf(crowds []crowd, judge func(crowd)) {
	first := len(p.report.Obligations)
	for _, c := range crowds {
		judge(c)
		worst, last := &p.report.Obligations[first], &p.report.Obligations[len(p.report.Obligations)-1]
		if worst == last {
			continue
		}
		if last.Verdict != worst.Verdict && worse(last.Verdict, worst.Verdict) == last.Verdict || last.Verdict == worst.Verdict && last.Slack() < worst.Slack() {
			*worst, *last = *last, *worst
		}
		p.report.lessTight = append(p.report.lessTight, *last)
		p.report.Obligations = p.report.Obligations[:first+1]
	}
}

// feeding lists the lossless accounts of a slice that pass, fullest first.
func (p *prover) feeding(slice int, pass func(account) bool) (list []account) {
	for _, a := range p.slices[slice].lossless {
		if pass(a) {
			list = append(list, a)
		}
	}
	stable.Sort(list, func(a, b account) int {
		return cmp.Compare(p.maxHeld(b), p.maxHeld(a))
	})
	return list
}

// maxHeld returns the most that an account may hold without any of the shared part.
func (p *prover) maxHeld(a account) int64 {
	return a.maxInHeadroom() + p.extraHeadroomAfterResume(a) + int64(a.pg.ReservedCells)
}

func (p *prover) queueHolds(slice, number int, c crowd) {
	queue := p.config.Ports[c.out.ports[0]].Queues[number]
	p.counterHolds(slice, c.senders, counter{
		limit: queue.Limit, pool: queue.Pool, reserve: int64(queue.ReservedCells), reserves: int64(queue.ReservedCells),
		lossy: p.lossyBeside(c),
	}, Obligation{
		ID: QueueHolds, Where: fmt.Sprintf("slice %d, queue %d of %s, %s", slice, number, c.out.name, natural.Count(len(c.senders), "sender", "senders")),
		Range: p.queuePlace(c.out.ports[0], number), out: c.like, port: c.port,
	})
}

// lossyBeside returns the most that lossy traffic of a crowd may hold in addition to its lossless
// senders: where a class is lossless on other ports only, its groups feed the same queues. Packets
// in these are counted on ingress too, where no more is admitted of both together.
func (p *prover) lossyBeside(c crowd) int64 {
	if len(c.lossy) == 0 {
		return 0
	}
	return p.sum(c.senders, c.lossy).side.Value - p.sum(c.senders, nil).side.Value
}

// lossyThat lists the lossy accounts of a slice that pass.
func (p *prover) lossyThat(slice int, pass func(account) bool) (list []account) {
	for _, a := range p.slices[slice].lossy {
		if pass(a) {
			list = append(list, a)
		}
	}
	return list
}

// A counter refuses packets on their way out: a queue, or a whole port in a pool.
type counter struct {
	limit mmu.Limit
	pool  int
	// Cells that are not counted: at least of what it holds, and at most.
	reserve, reserves int64
	lossy             int64 // the other cells that it may hold
}

// counterHolds: a counter admits all that its senders can hold at once.
func (p *prover) counterHolds(slice int, senders []account, c counter, o Obligation) {
	pool, reserve := int64(p.config.EgressPools[c.pool].SharedCells), c.reserve
	slack, look := ruleOffsets(p.config.Rules.Admission)
	limit := func(held int64) int64 { // where this and the other queues hold so much
		if !c.limit.Dynamic {
			return reserve + int64(c.limit.StaticCells) - slack
		}
		return reserve + floorScale(pool-(held-reserve)+look, int(c.limit.Alpha)) - slack
	}
	sum := p.climbed(p.sum(senders, nil), senders, func(own int64) bool { return own > limit(own) })
	var countedTwice, others, keptByOthers int64
	if !c.limit.Dynamic {
		sum, countedTwice = p.withoutCountedTwice(sum, senders, limit(0))
	}
	own := sum.side.Value
	o.Lossless, o.Left, o.fills = true, sum.side, sum.fills
	o.Terms = append(sum.terms, figure("u", reserve))
	o.Right = Side{"u + l", limit(own)}
	if slack > 0 {
		o.Right.Expr = fmt.Sprintf("u + l - %d", slack) // the last cell has to stay below a fixed limit too
	}
	if c.limit.Dynamic {
		list := p.drawing(slice, c.pool)
		drawing := p.sum(list, nil)
		if own <= limit(own) { // else it fails even without others
			others = p.withLossyBeside(slice, c, list, max(own, drawing.side.Value)) - own
			keptByOthers = max(0, drawing.afterResume-sum.afterResume)
		}
		if own <= limit(own) && own > limit(own+others) {
			o.leaveOpen(fmt.Sprintf("the other queues of the pool may hold %d cells, and it depends on more than the thresholds whether they can at the same time", others))
		}
		o.Terms = append(o.Terms, figure("S", pool), figure("o", others))
		o.Right = Side{fmt.Sprintf("u + scale(S - (%s - u) - o + %d, %d) - %d", sum.side.Expr, look, c.limit.Alpha, slack), limit(own + others)}
	} else {
		o.Terms = append(o.Terms, figure("l", c.limit.StaticCells).from(o.Range))
	}
	with := own + c.lossy
	if own <= limit(own+others) && with > limit(with+others) {
		o.leaveOpen(together)
	}
	added := p.add(o)
	surely := sum.surely - countedTwice - (c.reserves - c.reserve)
	added.openIfLoose(surely, limit(surely))
	if certain := p.sum(ofKnownPorts(senders), nil).surely; certain <= limit(certain) {
		added.unjudgedBy(unknown(senders))
	}
	p.openIfSingleCells(added, surely, len(senders)-int(countedTwice), limit)
	openIfAfterResume(added, sum.afterResume, with+sum.afterResume <= limit(with+sum.afterResume+others+keptByOthers))
}

// withLossyBeside returns the most that a pool may hold if lossless traffic takes so much, with lossy traffic in
// queues other than that of a counter: no more than these admit, and no more together than the ingress side admits of
// both.
func (p *prover) withLossyBeside(slice int, c counter, list []account, lossless int64) int64 {
	beside := p.lossyOnWayOut(slice, c.pool) - c.lossy
	if beside <= 0 {
		return lossless
	}
	return max(lossless, min(lossless+beside, p.sum(list, p.slices[slice].lossy).side.Value-c.lossy))
}

// lossyOnWayOut returns the most that lossy traffic may hold of an egress pool: as much as its queues admit, and no
// more than its groups do.
func (p *prover) lossyOnWayOut(slice, pool int) int64 {
	part := &p.slices[slice]
	cells, known := part.onWayOut[pool]
	if !known {
		queued := mostOf(p.lossyQueues(part.reached, pool), p.config.Rules.Admission, int64(p.config.EgressPools[pool].SharedCells))
		cells = min(queued, p.sum(nil, part.lossy).side.Value)
		if part.onWayOut == nil {
			part.onWayOut = map[int]int64{}
		}
		part.onWayOut[pool] = cells
	}
	return cells
}

// ruleOffsets returns the ways in which rules of admission differ: see mmu.Admission.
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

// sentTo returns the port of a group to which senders of a slice send: the one of hairpin, or else the first that is
// none of them.
func (p *prover) sentTo(slice int, out *group, senders []account) int {
	if port := p.hairpin(slice, out, senders); port >= 0 {
		return port
	}
	return out.ports[slices.IndexFunc(out.ports, func(port int) bool {
		return p.config.Ports[port].Slice != slice || !slices.ContainsFunc(senders, func(a account) bool { return a.port == port })
	})]
}

// hairpin returns a port of a group that has some of these accounts, if each of them has: a port does not send to
// itself, and whichever of them it is, that one of its kind is missing. -1 if there is one to which all may send.
func (p *prover) hairpin(slice int, out *group, list []account) int {
	for _, port := range out.ports {
		if p.config.Ports[port].Slice != slice || !slices.ContainsFunc(list, func(a account) bool { return a.port == port }) {
			return -1
		}
	}
	return out.ports[len(out.ports)-1]
}

// elsewhere returns the accounts of other ports than one.
func elsewhere(list []account, port int) []account {
	return stable.Delete(slices.Clone(list), func(a account) bool { return a.port == port })
}

// worstSenders returns the fullest senders of other ports than one that may send to it at once.
func (p *prover) worstSenders(senders []account, hairpin int) []account {
	var ports []int
	var list []account
	for _, a := range elsewhere(senders, hairpin) {
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

// holding is the most that accounts can hold at once: their reserves, their parts of shared parts,
// taken one after another, and their headroom.
type holding struct {
	terms       []Term
	side        Side
	fills       []Fill
	afterResume int64 // the additional cells where groups resume with headroom in use
	// surely is the part of side that some order of arrivals is known for.
	surely int64
}

// sum adds up what lossless and lossy accounts can hold at once.
func (p *prover) sum(lossless, lossy []account) holding {
	var h holding
	var reserves, headroom int64
	pooled, afterResume := map[int]int64{}, map[int]int64{}
	for _, a := range lossless {
		reserves += int64(a.pg.ReservedCells)
		if a.pg.HeadroomPooled {
			pooled[a.pg.Pool] += a.maxInHeadroom()
			afterResume[a.pg.Pool] += p.extraHeadroomAfterResume(a)
		} else {
			headroom += a.maxInHeadroom()
			h.afterResume += p.extraHeadroomAfterResume(a)
		}
	}
	for _, a := range lossy {
		reserves += int64(a.pg.ReservedCells)
	}
	for pool, all := range pooled {
		size := int64(p.config.IngressPools[pool].HeadroomCells)
		headroom += min(all, size)
		h.afterResume += min(all+afterResume[pool], size) - min(all, size)
	}
	h.terms = []Term{figure("r", reserves), figure("h", headroom)}
	h.side, h.surely = Side{"r + h", reserves + headroom}, reserves+headroom
	joint := anyJoint(lossless, lossy)
	for pool := range p.config.IngressPools {
		limits := boundsOf(pool, lossless, lossy)
		if len(limits) == 0 {
			continue
		}
		shared, rule := int64(p.config.IngressPools[pool].SharedCells), p.config.Rules.Admission
		loose := joint || mixedKinds(limits)
		sorted := widen(limits)
		limits = worstOrder(sorted, rule, shared)
		loose = loose || !slices.Equal(limits, sorted)
		symbol := "B" + intText(int64(pool))
		h.terms = append(h.terms, named(symbol, "shared part of "+p.config.IngressPools[pool].Name, shared))
		h.side.Expr += fmt.Sprintf(" + %s - %s", symbol, leavesExpr(limits, rule, symbol))
		took := shared - leaves(limits, rule, shared)
		h.side.Value += took
		h.fills = append(h.fills, fillsOf(p.config.IngressPools[pool].Name, limits)...)
		if loose {
			took = shared - visited(p.drawersOf(pool, lossless, lossy), rule, shared)
		}
		h.surely += took
	}
	return h
}

// withoutCountedTwice takes off what accounts hold twice in a sum that is above a limit: the cell of a
// pausing packet that is surely below its threshold is counted there and among those that
// come in after the pause. Of groups that resume with headroom in use nothing is sure.
func (p *prover) withoutCountedTwice(h holding, list []account, limit int64) (holding, int64) {
	var countedTwice int64
	for _, a := range list {
		if a.group.why == "" && a.group.need+a.group.extra <= int64(a.pg.HeadroomCells) && p.headroomAtResume(a) == 0 {
			countedTwice += p.below(a)
		}
	}
	if h.side.Value <= limit || countedTwice == 0 || p.pooledShort(list) {
		return h, 0
	}
	h.terms = append(slices.Clone(h.terms), figure("Q", countedTwice))
	h.side = Side{h.side.Expr + " - Q", h.side.Value - countedTwice}
	return h, countedTwice
}

// pooledShort reports whether a headroom pool bounds what accounts can hold: the cells that
// are counted twice are then not among them.
func (p *prover) pooledShort(list []account) bool {
	sum := map[int]int64{}
	for _, a := range list {
		if a.pg.HeadroomPooled {
			sum[a.pg.Pool] += a.maxInHeadroom() + p.extraHeadroomAfterResume(a)
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
				if queue.Pool == pool && p.m.Feeds(a.port, a.number, g.ports[0])>>number&1 == 1 {
					return true
				}
			}
		}
		return false
	})
}

// without lists all other accounts of a list that draw on a group's pool. Surely leaves those
// out that have a part in the bound of the same port.
func without(list []account, own account, surely bool) []account {
	others := make([]account, 0, len(list))
	for _, a := range list {
		if a.pg.Pool == own.pg.Pool && (a.port != own.port || a.number != own.number && !(surely && own.joint)) {
			others = append(others, a)
		}
	}
	return others
}

// A remainder is the least that the others leave of a pool.
type remainder struct {
	left, lossy int64  // the remaining cells, and those that lossy traffic took
	expr        string // of left, with B for the start and y for the lossy part
	fills       []Fill // the fills of expr
}

// leastLeft returns the fewest of some free cells that all others leave to a group: at the very
// least, or surely, by an order of arrivals that is known. Dynamic limits
// go first, since they take a part of what is there, then the static ones. Lossy traffic takes what
// all of them leave less than the lossless ones alone do, and no more than its queues hold.
func (p *prover) leastLeft(part *slicePart, own account, free int64, surely bool) remainder {
	rule, pool := p.config.Rules.Admission, own.pg.Pool
	lossless, lossy := without(part.lossless, own, surely), without(part.sending(surely), own, surely)
	queued := part.queued(surely)
	leave := func(free int64, dynamic bool, lists ...[]account) int64 {
		if surely {
			return visited(only(p.drawersOf(pool, lists...), dynamic, drawer.dynamic), rule, free)
		}
		return leaves(worstOrder(only(widen(boundsOf(pool, lists...)), dynamic, bound.dynamic), rule, free), rule, free)
	}
	var r remainder
	r.left = leave(free, true, lossless)
	if len(lossy) > 0 {
		r.lossy = min(queued, r.left-leave(r.left, true, lossy))
		if !surely || free-leave(free, true, lossy) <= queued { // its queues do not bound it
			r.lossy = min(queued, max(r.lossy, r.left-leave(free, true, lossless, lossy)))
		}
		r.left -= r.lossy
		staticLossy := min(queued-r.lossy, r.left-leave(r.left, false, lossy))
		r.lossy, r.left = r.lossy+staticLossy, r.left-staticLossy
	}
	r.left = leave(r.left, false, lossless)
	if !surely { // no known order is shown
		bounds := widen(boundsOf(pool, lossless))
		fall, static := worstOrder(only(bounds, true, bound.dynamic), rule, free), only(bounds, false, bound.dynamic)
		r.expr = leavesExpr(static, rule, leavesExpr(fall, rule, "B")+" - y")
		r.fills = fillsOf(nameOf(p.config.IngressPools, pool), slices.Concat(fall, static))
	}
	return r
}

// only returns the dynamic, or the static, ones of a list in which the dynamic ones are first.
func only[T any](list []T, dynamic bool, isDynamic func(T) bool) []T {
	i := slices.IndexFunc(list, func(t T) bool { return !isDynamic(t) })
	switch {
	case i < 0 && dynamic:
		return list
	case i < 0:
		return nil
	case dynamic:
		return list[:i]
	}
	return list[i:]
}
