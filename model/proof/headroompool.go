package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/model/mmu"
)

func intText(n int64) string { return strconv.FormatInt(n, 10) }

// headroomPool: the pool takes what comes in after all the pauses that may be in force
// at once. Nothing leaves a group's headroom while its way out is blocked, so it does
// not matter when each of them paused. Where not all groups can be paused at once, the
// neediest are.
func (p *prover) headroomPool(slice int) {
	for i := range p.config.IngressPools {
		pooled := p.pooled(slice, i)
		if len(pooled) == 0 {
			continue
		}
		where := fmt.Sprintf("slice %d, pool %s", slice, p.config.IngressPools[i].Name)
		at := p.poolPlace(p.config.IngressPools[i].Name)
		if because := unknown(pooled); because != "" {
			p.unjudged(HeadroomPool, where, because, at)
			continue
		}
		n := len(pooled)
		if p.ctx.PausedPGs > 0 {
			n = min(n, p.ctx.PausedPGs)
		}
		p.headroomPoolOf(slice, i, where, pooled, n)
	}
}

func (p *prover) headroomPoolOf(slice, pool int, where string, pooled []account, n int) {
	size, at := int64(p.config.IngressPools[pool].HeadroomCells), p.poolPlace(p.config.IngressPools[pool].Name)
	parts, terms := p.sumTerms(pooled[:n])
	sum := int64(0)
	for _, a := range pooled[:n] {
		sum += a.group.need
	}
	q := p.belowAll(slice, pool, pooled, n)
	terms = append(append(p.chipTerms(), terms...), given("Q", "cells of pausing packets that are below the threshold", q, InCells), given("S", "headroom pool of the slice", size, InCells).from(at))
	o := p.add(Obligation{
		ID: HeadroomPool, Title: titles[HeadroomPool], Where: where, Lossless: true, Terms: terms, Unit: InCells,
		Left: Side{parts + " - Q", sum - q}, Right: Side{"S", size}, Source: linkSource,
		Range: at,
	})
	if o.Verdict == Fails && sum-int64(n) <= size && p.config.Rules.Pause == mmu.WhenFull && !p.squeezable(slice, pool) {
		o.leaveOpen(singleCells)
	}
	kept := int64(0)
	for _, a := range pooled[:n] {
		kept += p.more(a)
	}
	keeping(o, kept, o.Slack() >= kept)
	fits, used := 0, int64(0)
	for fits < len(pooled) && used+pooled[fits].group.need <= size {
		used += pooled[fits].group.need
		fits++
	}
	o.Note = fmt.Sprintf("it holds %d of %s paused at once, the neediest first", max(fits, fitsAll(o, n)), counted(len(pooled), "group"))
}

// singleCells is why there is no verdict where a group more or less that is full without
// having been told decides.
const singleCells = "a cell for each group decides, and whether the order of arrivals can bring it about is not known"

// squeezable tells whether lossy traffic can surely take so much of a pool, when all
// lossless groups are nearly full, that every one of them is.
func (p *prover) squeezable(slice, pool int) bool {
	rule := p.config.Rules.Admission
	limits := limitsOf(pool, p.slices[slice].lossless)
	sortLimits(limits)
	left := leaves(limits, rule, int64(p.config.IngressPools[pool].SharedCells))
	step := int64(1)
	for _, l := range limits {
		if !l.Dynamic {
			return false // only the last free cell fills it up
		}
		_, den := l.Alpha.Fraction()
		step = max(step, den+2) // what moves a threshold by one, from wherever it stands
	}
	return min(left-leaves(limitsOf(pool, p.slices[slice].lossy), rule, left), p.slices[slice].lossyEgress) >= step
}

// nearly takes back a verdict that a single cell for each of n groups decides.
func (p *prover) nearly(o *Obligation, n int) {
	if o.Verdict == Fails && o.Slack() >= -int64(n) && p.config.Rules.Pause == mmu.WhenFull {
		o.leaveOpen(singleCells)
	}
}

// fitsAll is n where the obligation holds: the cells below the threshold may decide it.
func fitsAll(o *Obligation, n int) int {
	if o.Verdict == Holds {
		return n
	}
	return 0
}

// pooled lists the lossless groups of a pool whose headroom is in its headroom pool, the
// neediest first.
func (p *prover) pooled(slice, pool int) (list []account) {
	for _, a := range p.slices[slice].lossless {
		if a.pg.HeadroomPooled && a.pg.Pool == pool {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b account) int { return cmp.Compare(b.group.need, a.group.need) })
	return list
}

func unknown(list []account) string {
	for _, a := range list {
		if a.group.why != "" {
			return a.group.name + ": " + a.group.why
		}
	}
	return ""
}

// belowAll sums what below says of each, but one of them has such a cell in any case.
// Where all thresholds are dynamic, somebody's packet has to fill the others up; if all
// that could are counted, the last one's own does. A static threshold that is not reached
// is full only with the pool, and whoever takes its last cell is told with it; if nobody
// else can, it is one of them.
func (p *prover) belowAll(slice, pool int, list []account, n int) int64 {
	sum := int64(0)
	dynamic := true
	for _, a := range list[:n] {
		sum += p.below(a)
		dynamic = dynamic && a.pg.Limit.Dynamic
	}
	if sum > 0 || n < len(list) || p.config.Rules.Pause != mmu.WhenFull {
		return sum
	}
	if dynamic && !p.outsider(slice, pool, func(l mmu.Limit) bool { return l.Dynamic || l.StaticCells > 0 }) ||
		!dynamic && p.sharing(list) && !p.outsider(slice, pool, func(l mmu.Limit) bool { return admitted(l, p.config.Rules.Admission, 1, 0) }) {
		return 1
	}
	return 0
}

// sharing tells whether a group with a static threshold may take anything of the pool.
func (p *prover) sharing(list []account) bool {
	return slices.ContainsFunc(list, func(a account) bool { return !a.pg.Limit.Dynamic && a.pg.Limit.StaticCells > 0 && p.kept(a) == 0 })
}

// outsider tells whether somebody draws on a pool, by a limit of some kind, without drawing
// on its headroom pool.
func (p *prover) outsider(slice, pool int, kind func(mmu.Limit) bool) bool {
	draws := func(a account) bool {
		return a.pg.Pool == pool && (!a.pg.Lossless || !a.pg.HeadroomPooled) && kind(a.pg.Limit)
	}
	return slices.ContainsFunc(p.slices[slice].lossy, draws) || slices.ContainsFunc(p.slices[slice].lossless, draws)
}

// sumTerms derives the needs of accounts and the expression of their sum, by group.
func (p *prover) sumTerms(list []account) (expr string, terms []Term) {
	var groups []*group
	count := map[*group]int64{}
	for _, a := range list {
		if count[a.group] == 0 {
			groups = append(groups, a.group)
		}
		count[a.group]++
	}
	var parts []string
	for i, g := range groups {
		suffix := intText(int64(i + 1))
		terms = append(terms, p.needTerms(g, suffix)...)
		terms = append(terms, given("n"+suffix, "groups of "+g.name, count[g], inOnes))
		parts = append(parts, rename("n~ * N~", suffix))
	}
	return strings.Join(parts, " + "), terms
}
