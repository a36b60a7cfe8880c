package proof

import (
	"slices"

	"github.com/roceplan/roceplan/model/mmu"
)

const linkSource = "IEEE 802.1Q-2018 Annex N, delay value; IEEE 802.3-2018 31B.3.7, 4.4.2"

// headroom: what a group can hold above its threshold is at least what its peer may
// still send after the decision to pause, cut into the packets that take most cells.
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
				ID: Headroom, Title: titles[Headroom], Where: p.where(a), Lossless: true, Unit: InCells, Source: linkSource,
				Right: Side{"H", int64(a.pg.HeadroomCells)}, Range: at,
			}
			link := p.judgedLink(g)
			o.Terms = append(append(p.chipTerms(), p.needTerms(g, link, "")...),
				given("q", "cells of the pausing packet that are below the threshold", below, InCells),
				given("H", "headroom", a.pg.HeadroomCells, InCells).from(at))
			o.Left = Side{"N - q", p.need(link) - below}
			p.demand(g, &o, p.need(g.link)-below)
			added := p.add(o)
			if below == 0 && !a.pg.Limit.Dynamic {
				p.openIfSingleCells(added, 1)
			}
		}
	}
}

// belowEverywhere is the least of below over the slices that have the group.
func (p *prover) belowEverywhere(a account) int64 {
	least := int64(1)
	for _, b := range p.inSlices(a) {
		least = min(least, p.below(b))
	}
	return least
}

// below is how many cells of the packet that pauses surely find room below the
// threshold: one, or none.
func (p *prover) below(a account) int64 {
	if p.config.Rules.Pause == mmu.OnExcess {
		return 0
	}
	slice := p.config.Ports[a.port].Slice
	shared, rule := int64(p.config.IngressPools[a.pg.Pool].SharedCells), p.config.Rules.Admission
	own := takes(a.pg.Limit, rule, shared)
	full := int64(a.pg.ReservedCells) + own
	if full == 0 || int64(a.pg.XonCells) >= full && a.pg.XonCells > 0 || p.others(slice, a, shared, own) {
		return 0
	}
	return 1
}

// others tells whether other groups can fill up a group that is not yet full: by taking
// so much that a dynamic threshold falls to where it stands, or the very last free cell,
// which few limits admit.
func (p *prover) others(slice int, a account, shared, own int64) bool {
	if own == 0 {
		return false // its reserve is all it has, and nobody touches that
	}
	if a.pg.Limit.Dynamic {
		left := p.least(slice, a, shared-own).left
		return takes(a.pg.Limit, p.config.Rules.Admission, own+left) < own
	}
	rule := p.config.Rules.Admission
	last := func(l mmu.Limit) bool { return admitted(l, rule, 1, 0) }
	if !slices.ContainsFunc(p.limitsWithout(slice, a), last) && !slices.ContainsFunc(limitsOf(a.pg.Pool, p.slices[slice].lossy), last) {
		return false
	}
	return p.least(slice, a, shared).left <= int64(a.pg.Limit.StaticCells)
}

// held is what a group may hold above its threshold at most. Whatever its peer does beyond
// the conditions, that is no more than its headroom.
func (a account) held() int64 {
	if a.group.why != "" || len(a.group.conditions) > 0 {
		return int64(a.pg.HeadroomCells)
	}
	return min(a.group.need+a.group.extra, int64(a.pg.HeadroomCells))
}
