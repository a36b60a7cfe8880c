package calc

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// NewcomerShare returns the share of one more PG when n equal ones are stuck at their thresholds
// and nothing drains: document newcomer-share. It is largest at α = 1/√n.
func NewcomerShare(shared units.Bytes, alpha units.Alpha, n int64, cell units.Bytes) units.Bytes {
	num, den := alpha.Fraction()
	return units.Bytes(units.FloorMulDiv(int64(shared), num*den, (den+num*n)*(den+num))).FloorTo(cell)
}

// StuckLeave returns the part of the shared buffer that n PGs stuck at their thresholds leave free:
// document stuck-leave.
func StuckLeave(shared units.Bytes, alpha units.Alpha, n int64) units.Bytes {
	num, den := alpha.Fraction()
	return units.Bytes(units.FloorMulDiv(int64(shared), den, den+num*n))
}

// FillTime returns the time in which a port fills a threshold at line rate: document fill-time.
func FillTime(threshold units.Bytes, rate units.BitRate) units.Time { return rate.CeilTime(threshold) }

// searchAlpha chooses the alpha that isolates best of those with which senders slow down before
// they are paused. Where none of these keeps all other wishes, this is the wish to be dropped first.
func (b *budget) searchAlpha(class *policy.Class, marks curves, menu []units.Alpha) (classAlpha, bool) {
	able := b.ableAlphas(class, marks, menu)
	if alpha, n, ok := b.isolatingStep(class, marks, b.unpaused(class, marks, able), allWishes); ok {
		return b.chosenAlpha(alpha, n, menu), true
	}
	return b.isolatingOf(class, marks, able, menu)
}

// isolatingAlpha chooses the step of the menu that is nearest to 1/√n. Of the inequalities,
// some must hold; the others are wishes, which pull alpha from both sides. Where no
// number of stuck PGs is declared, it is the largest for which all wishes come true.
// When they never do, they are dropped from the last; when not even the musts hold, it
// is the smallest step, so that the inequalities say what is wrong with both sides.
func (b *budget) isolatingAlpha(class *policy.Class, marks curves, menu []units.Alpha) (classAlpha, bool) {
	return b.isolatingOf(class, marks, b.ableAlphas(class, marks, menu), menu)
}

// isolatingOf is isolatingAlpha among the steps of the menu that keep the musts.
func (b *budget) isolatingOf(class *policy.Class, marks curves, able, menu []units.Alpha) (classAlpha, bool) {
	if able == nil {
		return b.chosenAlpha(menu[0], b.fewestStuck(), menu), false
	}
	for wanted := allWishes; wanted > 0; wanted-- {
		if alpha, n, ok := b.isolatingStep(class, marks, able, wanted); ok {
			return b.chosenAlpha(alpha, n, menu), true
		}
	}
	return b.chosenAlpha(nearest(able, b.fewestStuck()), b.fewestStuck(), menu), true
}

// isolatingStep returns the alpha of a list that keeps the first wishes with the most PGs stuck, and
// how many these are.
func (b *budget) isolatingStep(class *policy.Class, marks curves, list []units.Alpha, wanted int) (units.Alpha, int64, bool) {
	demands := b.demands(class, marks)
	for _, n := range b.stuckCandidates() {
		if good := b.isolating(demands, list, n, wanted); good != nil {
			return nearest(good, n), n, true
		}
	}
	return 0, 0, false
}

// ableAlphas returns the steps of the menu that keep the musts.
func (b *budget) ableAlphas(class *policy.Class, marks curves, menu []units.Alpha) (able []units.Alpha) {
	for _, alpha := range menu {
		if b.brokenMust(class, marks, dynamic(alpha, nil)) == nil {
			able = append(able, alpha)
		}
	}
	return able
}

// unpaused returns the alphas with which senders slow down before they are paused.
func (b *budget) unpaused(class *policy.Class, marks curves, able []units.Alpha) (good []units.Alpha) {
	for _, alpha := range able {
		if hold(b.overshoots(class, marks, dynamic(alpha, nil), b.stuck(1))) {
			good = append(good, alpha)
		}
	}
	return good
}

// isolating returns the alphas that keep the first wishes with n PGs stuck.
func (b *budget) isolating(demands demands, able []units.Alpha, n int64, wanted int) (good []units.Alpha) {
	for _, alpha := range able {
		if b.granted(demands, alpha, n) >= wanted {
			good = append(good, alpha)
		}
	}
	return good
}

// isolationHint says how many stuck PGs an alpha would be found for that isolates them.
func (b *budget) isolationHint(class *policy.Class, marks curves) string {
	able, demands := b.ableAlphas(class, marks, b.chip.Alphas.Or(nil)), b.demands(class, marks)
	for n := int64(b.fabric.Isolation.Value) - 1; n > 0; n-- {
		if b.isolating(demands, able, n, allWishes) != nil {
			return fmt.Sprintf("set isolation to at most %d; a lower tolerable_delay or burst, or more shared buffer, allows a higher number", n)
		}
	}
	return "lower tolerable_delay or burst, or shorten cables so that more buffer is shared"
}

// nearest returns the alpha of an ascending list whose logarithm is nearest to that of 1/√n; of
// two that are equally near the larger one, with which a fault spreads more slowly.
func nearest(list []units.Alpha, n int64) units.Alpha {
	// The distance of α from 1/√n is that of α²n from 1, as a fraction of at least one.
	distance := func(alpha units.Alpha) (int64, int64) {
		num, den := alpha.Fraction()
		return max(num*num*n, den*den), min(num*num*n, den*den)
	}
	best := list[0]
	for _, alpha := range list[1:] {
		high, low := distance(alpha)
		bestHigh, bestLow := distance(best)
		if high*bestLow <= bestHigh*low {
			best = alpha
		}
	}
	return best
}

func (b *budget) chosenAlpha(alpha units.Alpha, n int64, menu []units.Alpha) classAlpha {
	stuck := b.stuck(n)
	return classAlpha{stuck: stuck, limit: dynamic(alpha, &plan.Why{Kind: plan.Formula, Name: "alpha", ID: "isolating-alpha", Value: alpha,
		Note:  "the step of the chip's menu nearest to 1/√n for n stuck PGs that keeps newcomer-guarantee, lossless-leaves-lossy, xoff-time, overshoot-before-pfc, pg-before-queue, xon-below-xoff and ecn-before-pfc",
		Terms: []plan.Term{term("menu", datum(b.chip, b.chip.Alphas, plan.Word(menuText(menu)))), term("stuck", stuck.Why), term("shared", b.usual.Why)}})}
}

// refused returns the inequality for which the step of the menu next to an alpha was not chosen, on the side of 1/√n.
// ok is false for the step nearest to 1/√n, and where the next one breaks no inequality that the alpha keeps.
func (b *budget) refused(class *policy.Class, marks curves, alpha classAlpha, menu []units.Alpha) (reason plan.Term, ok bool) {
	at, best := slices.Index(menu, alpha.limit.Value.Alpha), slices.Index(menu, nearest(menu, int64(alpha.stuck.Value)))
	if at == best {
		return plan.Term{}, false
	}
	step := menu[at+cmp.Compare(best, at)]
	next := dynamic(step, chosen("alpha", step, "the next step of the menu"))
	one := cmp.Or(b.brokenMust(class, marks, next), broken(b.overshoots(class, marks, next, b.stuck(1))), broken(b.wishes(class, marks, next, alpha.stuck)))
	if one == nil {
		return plan.Term{}, false
	}
	return term("refused", rounded("refused-by-"+one.ID, fmt.Sprintf("step that breaks %s (%v ≤ %v)", one.ID, one.Left.Value, one.Right.Value), step,
		term("left", one.Left), term("right", one.Right))), true
}

// stuckCandidates lists how many PGs may be stuck at once: as declared, or from those that
// one stuck NIC blocks down to one.
func (s *shape) stuckCandidates() []int64 {
	if s.fabric.Isolation.Set {
		return []int64{int64(s.fabric.Isolation.Value)}
	}
	var list []int64
	for n := s.stuckByOne(); n > 0; n-- {
		list = append(list, n)
	}
	return list
}

func (s *shape) fewestStuck() int64 {
	list := s.stuckCandidates()
	return list[len(list)-1]
}

// stuckByOne returns the number of PGs of one slice that one stuck NIC blocks: its traffic comes
// over all ports to other switches, and on a switch that has only such ports over all but one.
func (s *shape) stuckByOne() int64 {
	most := int64(1)
	for _, k := range s.kinds {
		if k.lossless() {
			most = max(most, int64(s.fanInOfSlice(k).Value))
		}
	}
	if s.trunks.Value > 0 {
		return min(most, int64(s.trunks.Value))
	}
	return most
}

// stuck returns the number of stuck PGs with its reason.
func (s *shape) stuck(n int64) plan.Derived[plan.Count] {
	value := plan.Count(n)
	return plan.Of(value, given("isolation", s.fabric.Isolation, value,
		fmt.Sprintf("of the %d PGs of one slice that one stuck NIC can block, the most for which an alpha keeps the inequalities", s.stuckByOne())))
}

// musts returns the inequalities without which the switch loses packets or never marks.
func (b *budget) musts(class *policy.Class, marks curves, alpha plan.Derived[plan.Limit]) iter.Seq[inequality] {
	return func(yield func(inequality) bool) {
		for _, k := range b.carriers(class) {
			if !yield(b.pgBeforeQueue(class, k, alpha)) || !yield(b.xonBelowXoff(class, k, alpha)) {
				return
			}
			curve := marks[k.index][class]
			if curve == nil {
				continue
			}
			for _, mark := range b.markBeforePause(class, k, alpha, curve) {
				if !yield(mark) {
					return
				}
			}
		}
	}
}

// brokenMust returns the first must that does not hold; nil where all do. Those after it are not derived.
func (b *budget) brokenMust(class *policy.Class, marks curves, alpha plan.Derived[plan.Limit]) *inequality {
	for must := range b.musts(class, marks, alpha) {
		if !must.Holds {
			return &must
		}
	}
	return nil
}

// allWishes is the number of wishes.
const allWishes = 3

// wishes returns the inequalities that decide between alphas which all work, those first that
// are the last to be dropped.
func (b *budget) wishes(class *policy.Class, marks curves, alpha plan.Derived[plan.Limit], stuck plan.Derived[plan.Count]) []inequality {
	return []inequality{
		b.newcomerGuarantee(class, marks, alpha, stuck),
		b.losslessLeavesLossy(class, marks, alpha, stuck),
		b.xoffTime(class, alpha),
	}
}

// Demands are the sides of the wishes that depend neither on alpha nor on how many PGs are stuck.
type demands struct {
	newcomer units.Bytes // the need of one more PG
	lossy    units.Bytes // the need of lossy queues in a slice
	paused   units.Time  // the longest time to fill the threshold
	rate     units.BitRate
}

func (b *budget) demands(class *policy.Class, marks curves) demands {
	return demands{b.newcomerNeed(class, marks).Value, b.lossyNeed(), b.pausedWithin(class).Value, b.slowest(class).group.Speed.Value}
}

// granted returns the number of wishes, from the first on, that an alpha keeps with n PGs stuck. A
// search asks this thousands of times; wishes derives the same for the alpha that is chosen.
func (b *budget) granted(d demands, alpha units.Alpha, n int64) int {
	switch {
	case d.newcomer > NewcomerShare(b.usual.Value, alpha, n, b.cell):
		return 0
	case d.lossy > StuckLeave(b.slice.Value, alpha, n):
		return 1
	case FillTime(PGShare(b.slice.Value, alpha, 1, b.cell), d.rate) > d.paused:
		return 2
	}
	return allWishes
}

// report says that a wish did not come true: an error where the author asked for it, and
// worth knowing otherwise.
func report(list *diag.List, asked bool, code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	if asked {
		return list.Errorf(code, at, format, args...)
	}
	return list.Warnf(code, at, format, args...)
}

// groupsOf counts PGs for a reader.
func groupsOf(stuck plan.Derived[plan.Count]) string {
	if stuck.Value == 1 {
		return "one priority group"
	}
	return fmt.Sprintf("%v priority groups", stuck.Value)
}

func whereStuck(class *policy.Class, stuck plan.Derived[plan.Count]) string {
	return fmt.Sprintf("class %s, %v stuck", class.Name, stuck.Value)
}

// newcomerGuarantee checks what a PG still gets though others are stuck against what it
// needs: its burst, or a queue that marks.
func (b *budget) newcomerGuarantee(class *policy.Class, marks curves, alpha plan.Derived[plan.Limit], stuck plan.Derived[plan.Count]) inequality {
	share := NewcomerShare(b.usual.Value, alpha.Value.Alpha, int64(stuck.Value), b.cell)
	right := plan.Of(share, computed("newcomer-share", "share of one more PG", share,
		append([]plan.Term{term("shared", b.usual.Why), term("n", stuck.Why), term("cell", b.cellWhy)}, alphaTerms(alpha)...)...))
	need := b.newcomerNeed(class, marks)
	at := class.Range
	asked := class.Burst.Set || b.fabric.Isolation.Set
	switch {
	case class.Burst.Set:
		at = class.Burst.Range
	case b.fabric.Isolation.Set:
		at = b.fabric.Isolation.Range
	}
	return atMost("newcomer-guarantee", whereStuck(class, stuck), need, right, at, func(list *diag.List) {
		report(list, asked, NewcomerStarved, at, "with %s of class %q stuck on %s, alpha %v leaves another group %v, and it needs %v (%s)",
			groupsOf(stuck), class.Name, b.sw.Label, alpha.Value.Alpha, share, need.Value, need.Why.Name).
			Fixf("%s", b.isolationHint(class, marks))
	})
}

// newcomerNeed derives the amount that a PG must be able to hold before it is paused: the declared burst, the largest
// Kmax of the switch, its largest Kmin where long transfers count or NICs recover slowly, or the distance between its
// thresholds.
func (b *budget) newcomerNeed(class *policy.Class, marks curves) plan.Derived[units.Bytes] {
	if class.Burst.Set {
		return plan.Of(class.Burst.Value, given("burst", class.Burst, class.Burst.Value, ""))
	}
	need := b.xonOffset()
	for _, k := range b.carriers(class) {
		curve := marks[k.index][class]
		if curve == nil {
			continue
		}
		queue := curve.KMax
		if b.marking(class).begins {
			queue = curve.KMin
		}
		if queue.Value > need.Value {
			need = queue
		}
	}
	return need
}

// lossyNeed is one largest frame for every lossy queue of a slice.
func (b *budget) lossyNeed() units.Bytes {
	return units.Bytes(b.ports*len(b.lossy)) * FrameReserve(b.fabric.MTU.Value, 0, b.cell) / units.Bytes(b.slices.Value)
}

// losslessLeavesLossy checks what stuck PGs leave of the shared buffer against what lossy
// queues need at the least.
func (b *budget) losslessLeavesLossy(class *policy.Class, marks curves, alpha plan.Derived[plan.Limit], stuck plan.Derived[plan.Count]) inequality {
	part := b.lossyNeed()
	left := decided("one largest frame for every lossy queue", part, "less could not carry traffic; slices share the ports")
	leave := StuckLeave(b.slice.Value, alpha.Value.Alpha, int64(stuck.Value))
	right := plan.Of(leave, computed("stuck-leave", "what stuck PGs leave of a slice", leave,
		append([]plan.Term{term("shared", b.slice.Why), term("n", stuck.Why)}, alphaTerms(alpha)...)...))
	asked, at := b.fabric.Isolation.Set, b.fabric.Isolation.Range
	if !asked {
		at = class.Range
	}
	return atMost("lossless-leaves-lossy", whereStuck(class, stuck), left, right, at, func(list *diag.List) {
		report(list, asked, LosslessTakesLossy, at, "with %s of class %q stuck on %s, alpha %v leaves %v of a slice, less than one frame for every lossy queue (%v)",
			groupsOf(stuck), class.Name, b.sw.Label, alpha.Value.Alpha, leave, part).
			Fixf("%s, or set a smaller alpha", b.isolationHint(class, marks))
	})
}

// pausedWithin returns the longest time in which a port may fill its threshold.
func (b *budget) pausedWithin(class *policy.Class) policy.Opt[units.Time] {
	want := b.fabric.XOFFTime
	if !want.Set {
		want.Value = b.marking(class).paused
	}
	return want
}

// slowest returns the kind of port of least speed that carries a class.
func (b *budget) slowest(class *policy.Class) *kind {
	return slices.MinFunc(b.carriers(class), func(x, y *kind) int { return cmp.Compare(x.group.Speed.Value, y.group.Speed.Value) })
}

// xoffTime holds the time in which the slowest port of the class fills its threshold alone
// against the fabric's.
func (b *budget) xoffTime(class *policy.Class, alpha plan.Derived[plan.Limit]) inequality {
	share := PGShare(b.slice.Value, alpha.Value.Alpha, 1, b.cell)
	shareWhy := computed("pg-share", "threshold of a PG alone", share, append([]plan.Term{term("shared", b.slice.Why),
		count("n", 1, "PGs that fill at once"), term("cell", b.cellWhy)}, alphaTerms(alpha)...)...)
	want := b.pausedWithin(class)
	right := plan.Of(want.Value, given("xoff_time", want, want.Value, "ten times what a packet may queue on its way"))
	at := want.Range
	if !want.Set {
		at = class.Range
	}
	k := b.slowest(class)
	rate := k.group.Speed
	fill := FillTime(share, rate.Value)
	left := plan.Of(fill, computed("fill-time", "time to fill the threshold", fill, term("bytes", shareWhy), term("rate", given("speed", rate, rate.Value, ""))))
	return atMost("xoff-time", where(class, k), left, right, at, func(list *diag.List) {
		report(list, want.Set, XOFFLate, at, "at alpha %v a %v port of %s fills its threshold of %v in %v and is paused only then, later than xoff_time, %v",
			alpha.Value.Alpha, rate.Value, b.sw.Label, share, fill, want.Value).
			Fixf("raise xoff_time, or lower tolerable_delay, burst or isolation, which make alpha large")
	})
}
