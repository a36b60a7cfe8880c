package proof

import (
	"fmt"

	"github.com/roceplan/roceplan/model/mmu"
)

// resume: a group lets its peer go on only when its headroom is free again. With a fixed xon above
// the level at which it paused, it resumes while headroom is still in use, and the next pause finds
// less of it: with every round more is in use, up to the difference. That level is the reserve and
// the threshold at the time, which is lowest when all other groups have taken what they can. The
// headroom in use then also counts against everything that groups hold together: see holding.
func (p *prover) resume() {
	for _, g := range p.groups {
		for _, a := range p.losslessOf(g) {
			if a.pg.XonCells == 0 || g.why != "" {
				continue
			}
			worst := p.resumeOf(g, a)
			for _, b := range p.inSlices(a)[1:] {
				if o := p.resumeOf(g, b); o.Left.Value > worst.Left.Value {
					worst = o
				}
			}
			p.add(worst)
		}
	}
}

func (p *prover) resumeOf(g *group, a account) Obligation {
	pool := &p.config.IngressPools[a.pg.Pool]
	remaining, threshold := p.lowest(a)
	xon, reserve, link := int64(a.pg.XonCells), int64(a.pg.ReservedCells), p.judgedLink(g)
	atResume := max(0, xon-reserve-threshold)
	q := p.below(a)
	if atResume > 0 {
		q = 0
	}
	terms := append(p.chipTerms(), p.needTerms(g, link, "")...)
	terms = append(terms,
		figure("X", xon).from(whyAt(p.pgOf(a).XOn.Why)), figure("r", reserve).from(whyAt(p.pgOf(a).Reserved.Why)),
		figure("B", pool.SharedCells),
		figure("y", remaining.lossy),
		derived("f", remaining.left, remaining.expr),
		p.thresholdThen(a, threshold),
		figure("q", q),
		figure("H", a.pg.HeadroomCells).from(whyAt(p.pgOf(a).Headroom.Why)))
	o := Obligation{
		ID: Resume, Where: p.where(a), Lossless: true, Terms: terms,
		Left:  Side{"N - q + max(0, X - r - T)", p.need(link) - q + atResume},
		Right: Side{"H", int64(a.pg.HeadroomCells)},
		Range: p.place(a.port, p.pgOf(a).XOn.Why), fills: remaining.fills,
	}
	p.demand(g, &o, g.need-q+atResume)
	lacks := p.need(link) + g.extra - q + atResume - o.Right.Value
	switch {
	case len(o.Conditions) == 0:
		p.resumeEdge(g, a, &o, atResume, reserve+threshold)
	case p.uncertain(a) && p.need(link)+g.extra-p.belowEverywhere(a)+p.surelyAtResume(a) <= o.Right.Value:
		o.perhaps()
	case lacks > 0 && lacks <= 2 && (g.link.SmallPackets > 0 || p.undecided) && p.coarse(g, atResume, reserve+threshold, p.need(link)+g.extra, o.Right.Value):
		o.perhaps() // smallest packets alone would resume it to the cell, where there are as many and each counts with its first byte
	}
	return o
}

// resumeEdge takes back a verdict that single cells decide. Where xon lets nothing stay in
// the headroom, that is the cell that decides the headroom itself.
func (p *prover) resumeEdge(g *group, a account, o *Obligation, atResume, full int64) {
	has := int64(a.pg.HeadroomCells)
	if o.Slack() >= 0 {
		return
	}
	if p.uncertain(a) {
		if atResume = p.surelyAtResume(a); p.need(g.link)-p.below(a)+atResume <= has {
			o.leaveOpen(loosely)
			return
		}
	}
	if atResume == 0 && o.Slack() == -1 && (!a.bound.dynamic() || p.unsure(a)) && p.config.Rules.Pause == mmu.WhenFull {
		o.leaveOpen(singleCells)
		return
	}
	if p.coarse(g, atResume, full, g.need, has) {
		o.leaveOpen(whichLeave)
	}
}

const whichLeave = "whether the group can resume so little above its threshold depends on which packets leave"

// coarse reports whether a packet more or less that leaves before a group resumes decides
// whether its headroom suffices: a group of few packets may miss the resume level by one.
func (p *prover) coarse(g *group, atResume, full, need, has int64) bool {
	last := p.packing(g.link.LosslessFrame).last
	return atResume > 0 && (g.link.SmallPackets > 0 || full < 2*g.need) && need-1+max(0, atResume-last) <= has
}

// lowest returns the threshold of a group when everybody else has taken what they can, and what they
// leave then. A group that has anything in its headroom holds that much of the shared part: it was
// not refused before, whatever others hold.
func (p *prover) lowest(a account) (remainder, int64) {
	pool := int64(p.config.IngressPools[a.pg.Pool].SharedCells)
	remaining := p.leastLeft(&p.slices[p.config.Ports[a.port].Slice], a, pool, false)
	rule := p.config.Rules.Admission
	threshold := takes(a.bound, rule, remaining.left)
	if a.joint {
		whole, _ := mmu.BoundOf(p.config.Ports[a.port].Ingress, a.pg.Pool)
		threshold = max(0, min(threshold, takes(bound{limit: whole}, rule, remaining.left)-p.besides(a)))
	}
	return remaining, threshold
}

// surelyAtResume returns the cells that a group has in use when it resumes if the other groups of
// its port fill first, and then all others.
func (p *prover) surelyAtResume(a account) int64 {
	port, pool, rule := &p.config.Ports[a.port], a.pg.Pool, p.config.Rules.Admission
	shared := int64(p.config.IngressPools[pool].SharedCells)
	part := p.slices[port.Slice]
	var besides int64
	if a.joint {
		for number := range port.PGs {
			if other := p.account(a.port, number, a.group); number != a.number && other.pg.Pool == pool {
				cells := shared - besides - visited(p.drawersOf(pool, []account{other}), rule, shared-besides)
				if !other.pg.Lossless {
					cells = part.passed(a.port, number, cells, true)
					part.lossySurely -= cells // of the same queues
				}
				besides += cells
			}
		}
	}
	left := p.leastLeft(&part, a, shared-besides, true).left
	threshold := takes(a.bound, rule, left)
	if whole, ok := mmu.BoundOf(port.Ingress, pool); ok && a.joint {
		for threshold > 0 && !admitted(whole, rule, besides+threshold, left-threshold) {
			threshold--
		}
	}
	return max(0, int64(a.pg.XonCells-a.pg.ReservedCells)-threshold)
}

// besides returns the most that the other groups of the port of a group can take of its pool.
func (p *prover) besides(a account) (cells int64) {
	port, rule := &p.config.Ports[a.port], p.config.Rules.Admission
	for number := range port.PGs {
		if pg := &port.PGs[number]; number != a.number && pg.Pool == a.pg.Pool {
			cells += takes(newBound(pg.Limit, port.Ingress, pg.Pool), rule, int64(p.config.IngressPools[pg.Pool].SharedCells))
		}
	}
	return cells
}

// thresholdThen derives the threshold of lowest.
func (p *prover) thresholdThen(a account, threshold int64) Term {
	rule := p.config.Rules.Admission
	expr := "f - " + a.bound.afterExpr("f", rule, 1)
	if a.joint {
		whole, _ := mmu.BoundOf(p.config.Ports[a.port].Ingress, a.pg.Pool)
		expr = fmt.Sprintf("max(0, min(%s, f - %s - %d))", expr, bound{limit: whole}.afterExpr("f", rule, 1), p.besides(a))
	}
	return derived("T", threshold, expr)
}

// headroomAtResume returns the most headroom that a group has in use when it resumes.
func (p *prover) headroomAtResume(a account) int64 {
	if a.pg.XonCells <= a.pg.ReservedCells {
		return 0
	}
	kind := p.kind(a)
	cells, found := p.atResume[kind]
	if !found {
		_, threshold := p.lowest(a)
		cells = max(0, int64(a.pg.XonCells-a.pg.ReservedCells)-threshold)
		p.atResume[kind] = cells
	}
	return cells
}

// accountKind holds the common properties of accounts that behave alike.
type accountKind struct {
	group         *group
	number, slice int
}

// extraHeadroomAfterResume returns the cells that a group may hold beyond maxInHeadroom because it
// had headroom in use when it resumed.
func (p *prover) extraHeadroomAfterResume(a account) int64 {
	if a.group.why != "" {
		return 0
	}
	return max(0, min(a.group.need+p.headroomAtResume(a), int64(a.pg.HeadroomCells))-a.maxInHeadroom())
}

func (p *prover) kind(a account) accountKind {
	return accountKind{a.group, a.number, p.config.Ports[a.port].Slice}
}

// openIfAfterResume takes back a verdict that what groups keep when they resume would turn.
func openIfAfterResume(o *Obligation, cells int64, holds bool) {
	if o.Verdict == Holds && !holds {
		o.leaveOpen(afterResumeText(cells))
	}
}

func afterResumeText(cells int64) string {
	return fmt.Sprintf("groups with a fixed xon above their threshold may keep %d cells of headroom when they resume", cells)
}
