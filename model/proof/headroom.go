package proof

import (
	"slices"

	"github.com/roceplan/roceplan/model/mmu"
)

// headroom: a group can hold above its threshold at least the data that its peer may still send
// after the decision to pause, cut into the packets that take most cells.
//
// Of the packet that makes the group full, one cell at least is still below the
// threshold, so it is not the headroom's. That does not help where others can take the
// last free cell (a dynamic threshold falls, a pool runs out) or where the chip pauses
// only with the first packet that finds no room.
func (p *prover) headroom() {
	for _, g := range p.groups {
		for _, a := range p.losslessOf(g) {
			at := p.place(a.port, p.pgOf(a).Headroom.Why)
			if g.why != "" {
				p.unjudged(Headroom, p.where(a), g.why, at)
				continue
			}
			below := p.belowEverywhere(a)
			o := Obligation{
				ID: Headroom, Where: p.where(a), Lossless: true,
				Right: Side{"H", int64(a.pg.HeadroomCells)}, Range: at,
			}
			link := p.judgedLink(g)
			o.Terms = append(append(p.chipTerms(), p.needTerms(g, link, "")...),
				figure("q", below),
				figure("H", a.pg.HeadroomCells).from(at))
			o.Left = Side{"N - q", p.need(link) - below}
			p.demand(g, &o, p.need(g.link)-below)
			added := p.add(o)
			needsNone := added.Verdict == Conditional && p.need(link)-1+g.extra <= added.Right.Value // except for a cell
			switch {
			case below > 0:
			case p.config.Rules.Pause == mmu.WhenFull && added.Verdict == Fails && added.Slack() == -1 && (!a.bound.dynamic() || p.unsure(a)):
				added.leaveOpen(singleCells)
			case needsNone && p.unsure(a):
				added.Conditions = nil
				added.leaveOpen(singleCells)
			}
		}
	}
}

// belowEverywhere returns the least of below over the slices that have the group.
func (p *prover) belowEverywhere(a account) int64 {
	fewest := int64(1)
	for _, b := range p.inSlices(a) {
		fewest = min(fewest, p.below(b))
	}
	return fewest
}

// below returns the number of cells of the pausing packet that surely find room below the
// threshold: one, or none.
func (p *prover) below(a account) int64 {
	kind := p.kind(a)
	cells, found := p.belowOf[kind]
	if !found {
		cells = p.findBelow(a)
		p.belowOf[kind] = cells
	}
	return cells
}

func (p *prover) findBelow(a account) int64 {
	if p.config.Rules.Pause == mmu.OnExcess {
		return 0
	}
	slice := p.config.Ports[a.port].Slice
	shared, rule := int64(p.config.IngressPools[a.pg.Pool].SharedCells), p.config.Rules.Admission
	own := takes(a.bound, rule, shared)
	full := int64(a.pg.ReservedCells) + own
	if full == 0 || p.resumesFull(a) || p.others(slice, a, shared, own, false) {
		return 0
	}
	return 1
}

// unsure reports whether below is 0 by a bound on what others can take that no order of
// arrivals is known to reach.
func (p *prover) unsure(a account) bool {
	if p.config.Rules.Pause == mmu.OnExcess || !p.uncertain(a) {
		return false
	}
	for _, b := range p.inSlices(a) {
		slice, shared := p.config.Ports[b.port].Slice, int64(p.config.IngressPools[b.pg.Pool].SharedCells)
		own := takes(b.bound, p.config.Rules.Admission, shared)
		byOthers := p.others(slice, b, shared, own, false)
		if byOthers && !p.others(slice, b, shared, own, true) || !byOthers && int64(b.pg.XonCells) < int64(b.pg.ReservedCells)+own && p.resumesFull(b) {
			return true
		}
	}
	return false
}

// others reports whether other groups can fill up a group that is not yet full: by taking so much
// that a dynamic threshold falls to its level, or the very last free cell, which few limits admit,
// or what is left of what its port may take. Surely they can where that is so by an order of
// arrivals that is known.
func (p *prover) others(slice int, a account, shared, own int64, surely bool) bool {
	if own == 0 {
		return false // its reserve is all it has, and no other group takes from it
	}
	if a.joint && p.portFills(slice, a, shared, own, surely) {
		return true
	}
	rule := p.config.Rules.Admission
	if a.bound.dynamic() {
		filled := func(left int64) bool { return left < 1 || !a.bound.admitted(rule, own, left-1) }
		switch { // while it has all but its last cell
		case filled(p.leastLeft(&p.slices[slice], a, shared-own+1, surely).left):
			return true
		case !surely && p.loose(a): // they may have come before it
			return filled(p.leastLeft(&p.slices[slice], a, shared, false).left - own + 1)
		}
		return false
	}
	last := func(b account) bool { return b.bound.admitted(rule, 1, 0) }
	part := &p.slices[slice]
	if !slices.ContainsFunc(without(part.lossless, a, surely), last) && !slices.ContainsFunc(without(part.sending(surely), a, surely), last) {
		return false
	}
	return p.leastLeft(&p.slices[slice], a, shared, surely).left < own
}

// portFills reports whether the other groups of a port can take what is left of what it may
// take when a group is a cell below its limit: with all others at their most, or surely, behind
// it and with nothing else in the pool.
func (p *prover) portFills(slice int, a account, shared, own int64, surely bool) bool {
	whole, _ := mmu.BoundOf(p.config.Ports[a.port].Ingress, a.pg.Pool)
	rule, port := p.config.Rules.Admission, &p.config.Ports[a.port]
	free := shared - own + 1
	var take int64
	at := shared // before the group came
	if surely {
		at = free
	}
	for number := range port.PGs {
		pg := &port.PGs[number]
		if number == a.number || pg.Pool != a.pg.Pool {
			continue
		}
		cells := takes(newBound(pg.Limit, port.Ingress, pg.Pool), rule, at-b2i64(surely)*take)
		if !pg.Lossless {
			cells = p.slices[slice].passed(a.port, number, cells, surely)
		}
		take += cells
	}
	if !surely {
		free = p.leastLeft(&p.slices[slice], a, free, false).left
	}
	return take > 0 && !admitted(whole, rule, own+take, free-take-1)
}

// loose reports whether what others leave of the pool of an account is a bound that no order
// of arrivals is known to reach.
func (p *prover) loose(a account) bool {
	part := &p.slices[p.config.Ports[a.port].Slice]
	return anyJoint(part.lossless, part.lossy) || severalFall(boundsOf(a.pg.Pool, part.lossless, part.lossy))
}

// uncertain reports whether others may surely leave more than at the least: see loose. So it is where lossy groups feed different
// queues, of which some may be full.
func (p *prover) uncertain(a account) bool {
	part := &p.slices[p.config.Ports[a.port].Slice]
	return p.loose(a) || part.lossySurely != part.lossyEgress || len(part.sure) < len(part.lossy)
}

// maxInHeadroom returns the most that a group may hold above its threshold. That is at most its
// headroom, even if its peer breaks the conditions.
func (a account) maxInHeadroom() int64 {
	if a.group.why != "" || len(a.group.conditions) > 0 {
		return int64(a.pg.HeadroomCells)
	}
	return min(a.group.need+a.group.extra, int64(a.pg.HeadroomCells))
}
