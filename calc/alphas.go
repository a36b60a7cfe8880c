package calc

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// PGShare returns the threshold of n equal PGs that fill a shared buffer at once, the fixed
// point of T = α(B − nT): document pg-share.
func PGShare(shared units.Bytes, alpha units.Alpha, n int64, cell units.Bytes) units.Bytes {
	num, den := alpha.Fraction()
	return units.Bytes(units.FloorMulDiv(int64(shared), num, den+num*n)).FloorTo(cell)
}

// MarkingRoom returns how far a queue fills when n senders fill m queues and the first PG reaches
// its threshold: the right side of document ecn-before-pfc.
func MarkingRoom(shared units.Bytes, alpha units.Alpha, n, m int64) units.Bytes {
	return StaticRoom(shared, alpha, n, m, n)
}

// Alphas are the fourth stage: how much of the shared buffer the PGs of each lossless
// class may take. A class is missing where nothing can be said.
type alphas map[*policy.Class]classAlpha

// A classAlpha is an alpha and the number of stuck PGs that it is checked against.
type classAlpha struct {
	limit plan.Derived[plan.Limit]
	stuck plan.Derived[plan.Count]
}

// An alphaSearch chooses a step of the menu. ok is whether it keeps what it must.
type alphaSearch func(class *policy.Class, marks curves, menu []units.Alpha) (alpha classAlpha, ok bool)

// planAlphas gives each lossless class the alpha of the chip's menu that a search chooses,
// or the one that the author fixed. fits is whether the budget does.
func planAlphas(b *budget, marks curves, search alphaSearch, fits bool, found *findings) alphas {
	all := alphas{}
	menu, noMenu := b.chip.Alphas.Get()
	for _, class := range b.lossless {
		if len(b.carriers(class)) == 0 {
			continue // no port has a group of it
		}
		if pin := b.pinnedLimit(class); pin != nil {
			if limit := pin.Value.(plan.Limit); limit.Dynamic {
				var derived classAlpha // the value for a chip without a menu is not known
				if noMenu == nil {
					derived, _ = search(class, marks, menu)
				}
				all[class] = b.fixedAlpha(class, marks, pinned("alpha", pin, limit, derived.limit.Why))
			}
			continue
		}
		if fixed := b.sw.AlphaOf(class); fixed.Set {
			if noMenu != nil || b.settable(fixed, menu, found) {
				all[class] = b.fixedAlpha(class, marks, dynamic(fixed.Value, given("alpha", fixed, fixed.Value, "")))
			}
			continue
		}
		if _, ok := need(b.shape, b.chip.Alphas, found); !ok {
			continue
		}
		alpha, ok := search(class, marks, menu)
		if !ok && fits {
			found.report(func(list *diag.List) {
				list.Errorf(AlphaInfeasible, b.aboveBuffer(class), "no alpha of %s (%v to %v) satisfies all inequalities for class %q on %s",
					b.chip.Title, menu[0], menu[len(menu)-1], class.Name, b.sw.Label).
					Fixf("choose a smaller fan_in or tolerable_delay, or fewer lossless classes: the findings about inequalities say which")
			}, b.leftover.Why)
		}
		if why := alpha.limit.Why; ok && !found.trial {
			if reason, known := b.refused(class, marks, alpha, menu); known {
				why.Terms = append(why.Terms, reason)
			}
		}
		all[class] = alpha
	}
	return all
}

// aboveBuffer returns the place of a curve of the class that begins above the shared buffer; without one, the place of
// the class.
func (b *budget) aboveBuffer(class *policy.Class) diag.Range {
	for _, k := range b.carriers(class) {
		if kmin := k.group.CurveOf(class).KMin; kmin.Set && kmin.Value > b.leftover.Value {
			return kmin.Range
		}
	}
	return class.Range
}

// settable reports whether the chip has the author's alpha.
func (s *shape) settable(fixed policy.Opt[units.Alpha], menu []units.Alpha, found *findings) bool {
	ok := slices.Contains(menu, fixed.Value)
	if !ok {
		found.list.Errorf(AlphaUnsettable, fixed.Range, "alpha %v is not one that %s can be set to", fixed.Value, s.chip.Title).
			Fixf("choose one of %s", menuText(menu))
	}
	return ok
}

// fixedAlpha takes an alpha that is given or pinned, and checks it against as many stuck PGs
// as it bears, where the author says no number of them.
func (b *budget) fixedAlpha(class *policy.Class, marks curves, limit plan.Derived[plan.Limit]) classAlpha {
	demands := b.demands(class, marks)
	for _, n := range b.stuckCandidates() {
		if b.granted(demands, limit.Value.Alpha, n) >= 2 {
			return classAlpha{limit, b.stuck(n)}
		}
	}
	return classAlpha{limit, b.stuck(b.fewestStuck())}
}

func menuText(menu []units.Alpha) string {
	text := ""
	for i, alpha := range menu {
		if i > 0 {
			text += " "
		}
		text += alpha.String()
	}
	return text
}

func dynamic(alpha units.Alpha, why *plan.Why) plan.Derived[plan.Limit] {
	return plan.Of(plan.Limit{Dynamic: true, Alpha: alpha}, why)
}
