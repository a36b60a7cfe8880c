package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
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
		if because := unknown(pooled); because != "" && p.sumNeeds(pooled) > int64(p.config.IngressPools[i].HeadroomCells) {
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
	sum := p.sumNeeds(pooled[:n])
	below := p.belowAll(slice, pool, pooled, n)
	terms = append(append(p.chipTerms(), terms...), figure("Q", below), figure("S", size).from(at))
	o := Obligation{
		ID: HeadroomPool, Where: where, Lossless: true, Terms: terms,
		Left: Side{parts + " - Q", sum - below}, Right: Side{"S", size},
		Range: at,
	}
	var afterResume int64
	for _, a := range pooled[:n] {
		afterResume += p.extraHeadroomAfterResume(a)
	}
	uses, fits := p.poolUses(pooled[:n], size)
	o.Note = fmt.Sprintf("it holds %d of %s with packets in it at once, the neediest first", fits, natural.Count(len(pooled), "group", "groups"))
	single := sum-below > size && sum-int64(n) <= size && p.config.Rules.Pause == mmu.WhenFull && !p.squeezable(slice, pool)
	if sum-below > size && !single && fits >= FewestAtOnce {
		o.Conditions = append(o.Conditions, pausedAtOnce(&o, uses, fits, len(pooled), below))
	}
	added := p.add(o)
	if single {
		added.leaveOpen(singleCells)
	}
	openIfAfterResume(added, afterResume, added.Slack() >= afterResume)
}

// A poolUse bounds the part of a headroom pool that groups of one part use while they are paused,
// or have been resumed with packets in it.
type poolUse struct {
	symbol string // of the part
	name   string
	cells  int64 // each
	count  int64 // of them at once
}

// poolUses finds how many groups a pool holds at once whichever they are: the neediest.
func (p *prover) poolUses(pooled []account, size int64) (uses []poolUse, fits int) {
	for i, part := range p.partsOf(pooled) {
		u := poolUse{symbol: intText(int64(i + 1)), name: part.group.name}
		for _, a := range pooled {
			if a.group == part.group && p.takesOf(a) == part.takes {
				u.cells, u.count = max(u.cells, p.inPool(a)), u.count+1
			}
		}
		uses = append(uses, u)
	}
	order := make([]int, len(uses))
	for i := range order {
		order[i] = i
	}
	stable.Sort(order, func(i, j int) int { return cmp.Compare(uses[j].cells, uses[i].cells) })
	for _, i := range order {
		u := &uses[i]
		all := u.count
		u.count = min(all, size/max(1, u.cells))
		size -= u.count * u.cells
		if fits += int(u.count); u.count < all {
			size = 0 // groups that need less may not replace one that does not fit
		}
	}
	return uses, fits
}

// inPool returns the most that a group can have in its headroom at once, with the rest from before it resumed.
func (p *prover) inPool(a account) int64 {
	all := int64(a.pg.HeadroomCells)
	if a.group.why != "" || len(a.group.conditions) > 0 {
		return all
	}
	if atResume := p.headroomAtResume(a); atResume > 0 {
		return min(a.group.need+a.group.extra+atResume, all)
	}
	return min(a.group.need+a.group.extra-p.below(a), all)
}

// FewestAtOnce is the least number of priority groups that a condition lets be paused at once: a port
// of their speed is congested by two senders at the least, and then both are paused.
const FewestAtOnce = 2

// pausedAtOnce returns the condition under which a pool suffices that is too small for all of its
// groups: no more of them use it at the same time than it holds of the neediest.
func pausedAtOnce(o *Obligation, uses []poolUse, fits, groups int, below int64) Condition {
	c := Condition{
		ID: PausedGroups, Where: o.Where, Declare: "a headroom pool for all groups, or nothing: it is the operator's decision",
		Assumes: pausedText(int64(fits), int64(groups)),
		Bound:   int64(fits), Worst: int64(groups), Unit: inOnes, Short: -o.Slack(),
	}
	if below > 0 {
		c.Terms = append(c.Terms, figure("Q", 0))
	}
	for _, u := range uses {
		c.Terms = append(c.Terms,
			figure("N"+u.symbol, u.cells),
			named("n"+u.symbol, "groups of "+u.name, u.count))
	}
	return c
}

// takesOf returns the most that a group can take of its headroom and of what is below its
// threshold for the pausing packet: what comes in, and no more than there is.
func (p *prover) takesOf(a account) int64 {
	all := int64(a.pg.HeadroomCells) + p.below(a)
	if a.group.why != "" || len(a.group.conditions) > 0 {
		return all
	}
	return min(a.group.need+a.group.extra, all)
}

func (p *prover) sumNeeds(list []account) (sum int64) {
	for _, a := range list {
		sum += p.takesOf(a)
	}
	return sum
}

// singleCells is why there is no verdict where a group more or less that is full before it has
// paused decides.
const singleCells = "one cell for each group decides, and it is not known whether an order of arrivals leads to it"

// squeezable reports whether lossy traffic can surely take so much of a pool, when all
// lossless groups are nearly full, that every one of them is.
func (p *prover) squeezable(slice, pool int) bool {
	rule := p.config.Rules.Admission
	limits := boundsOf(pool, p.slices[slice].lossless)
	if anyJoint(p.slices[slice].lossless, p.slices[slice].lossy) || slices.ContainsFunc(limits, func(b bound) bool { return b.two }) {
		return false // which order does it is not known
	}
	sortBounds(limits)
	left := leaves(limits, rule, int64(p.config.IngressPools[pool].SharedCells))
	step := int64(1)
	for _, l := range limits {
		if !l.dynamic() {
			return false // only the last free cell fills it up
		}
		_, den := l.limit.Alpha.Fraction()
		step = max(step, den+2) // the cells that move a threshold by one, from any level
	}
	return min(left-leaves(boundsOf(pool, p.slices[slice].sure), rule, left), p.slices[slice].lossySurely) >= step
}

// openIfSingleCells takes back a failure of what surely comes to so many cells where it would not
// fail with a single cell less for each of n groups.
func (p *prover) openIfSingleCells(o *Obligation, surely int64, n int, limit func(cells int64) int64) {
	if fewer := surely - p.perhapsTwice(n); o.Verdict == Fails && fewer <= limit(fewer) {
		o.leaveOpen(singleCells)
	}
}

// perhapsTwice returns the number of cells of n groups that may be counted both below their
// thresholds and among the arrivals after a pause.
func (p *prover) perhapsTwice(n int) int64 {
	if p.config.Rules.Pause == mmu.WhenFull {
		return int64(n)
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
	stable.Sort(list, func(a, b account) int { return cmp.Compare(p.takesOf(b), p.takesOf(a)) })
	return list
}

func unknown(list []account) string {
	for _, a := range list {
		if a.group.why != "" {
			return a.group.why
		}
	}
	return ""
}

// ofKnownPorts leaves out the accounts of ports with unknown data: a proof of loss must not depend
// on them.
func ofKnownPorts(list []account) (complete []account) {
	for _, a := range list {
		if a.group.why == "" {
			complete = append(complete, a)
		}
	}
	return complete
}

// belowAll sums what below says of each, but one of them has such a cell in any case. Where all
// thresholds are dynamic, some group's packet has to fill the others up; if all that could are
// counted, the last one's own does. A static threshold that is not reached is full only with the
// pool, and the one that takes its last cell is listed with it; if no other group can, it is one of
// them.
func (p *prover) belowAll(slice, pool int, list []account, n int) int64 {
	var sum int64
	dynamic := true
	for _, a := range list[:n] {
		sum += p.below(a)
		dynamic = dynamic && a.bound.dynamic()
	}
	if sum > 0 || n < len(list) || p.config.Rules.Pause != mmu.WhenFull || slices.ContainsFunc(list, p.resumesFull) {
		return sum
	}
	if dynamic && slices.ContainsFunc(list, p.drawsAlone) && !p.outsider(slice, pool, func(b bound) bool { return !b.none() }) ||
		!dynamic && p.sharing(list) && !p.outsider(slice, pool, func(b bound) bool { return b.admitted(p.config.Rules.Admission, 1, 0) }) {
		return 1
	}
	return 0
}

// resumesFull reports whether a group may be resumed while it is full, so that its next
// packet finds no cell below the threshold.
func (p *prover) resumesFull(a account) bool {
	if a.pg.XonCells == 0 {
		return false
	}
	_, threshold := p.lowest(a)
	return int64(a.pg.XonCells) >= int64(a.pg.ReservedCells)+threshold
}

// sharing reports whether a group with a static threshold may take anything of the pool.
func (p *prover) sharing(list []account) bool {
	return slices.ContainsFunc(list, func(a account) bool { return !a.bound.dynamic() && p.drawsAlone(a) })
}

// drawsAlone reports whether a group that is alone in its pool takes anything of it.
func (p *prover) drawsAlone(a account) bool {
	return takes(a.bound, p.config.Rules.Admission, int64(p.config.IngressPools[a.pg.Pool].SharedCells)) > 0
}

// outsider reports whether any group draws on a pool, by a limit of some kind, without drawing on
// its headroom pool.
func (p *prover) outsider(slice, pool int, kind func(bound) bool) bool {
	draws := func(a account) bool {
		return a.pg.Pool == pool && (!a.pg.Lossless || !a.pg.HeadroomPooled) && kind(a.bound)
	}
	return slices.ContainsFunc(p.slices[slice].lossy, draws) || slices.ContainsFunc(p.slices[slice].lossless, draws)
}

// A poolPart is accounts of one group of ports that take the same.
type poolPart struct {
	group *group
	takes int64
	count int64
}

// partsOf divides accounts, those of equal need side by side.
func (p *prover) partsOf(list []account) (parts []poolPart) {
	for _, a := range list {
		takes := p.takesOf(a)
		i := slices.IndexFunc(parts, func(q poolPart) bool { return q.group == a.group && q.takes == takes })
		if i < 0 {
			parts, i = append(parts, poolPart{a.group, takes, 0}), len(parts)
		}
		parts[i].count++
	}
	return parts
}

// sumTerms derives the needs of accounts and the expression of their sum, by group.
func (p *prover) sumTerms(list []account) (expr string, terms []Term) {
	var sum []string
	for i, part := range p.partsOf(list) {
		suffix := intText(int64(i + 1))
		if part.group.why == "" && part.takes == part.group.need {
			terms = append(terms, p.needTerms(part.group, part.group.link, suffix)...)
		} else {
			terms = append(terms, figure("N"+suffix, part.takes))
		}
		terms = append(terms, named("n"+suffix, "groups of "+part.group.name, part.count))
		sum = append(sum, rename("n~ * N~", suffix))
	}
	return strings.Join(sum, " + "), terms
}
