package calc

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// PGShare is the threshold of n equal PGs that fill a shared buffer at once, the fixed
// point of T = α(B − nT): document pg-share.
func PGShare(shared units.Bytes, alpha units.Alpha, n int64, cell units.Bytes) units.Bytes {
	num, den := alpha.Fraction()
	return units.Bytes(units.FloorMulDiv(int64(shared), num, den+num*n)).FloorTo(cell)
}

// MarkingRoom is how far a queue fills when n senders fill m queues and the first PG
// reaches its threshold: the right side of document ecn-before-pfc.
func MarkingRoom(shared units.Bytes, alpha units.Alpha, n, m int64) units.Bytes {
	num, den := alpha.Fraction()
	return units.Bytes(units.FloorMulDiv(int64(shared), n*num, m*(den+num*n)))
}

// Alphas are the fourth stage: how much of the shared buffer the PGs of each lossless
// class may take. A class is missing where nothing can be said.
type alphas map[*policy.Class]plan.Derived[plan.Limit]

// planAlphas gives each lossless class the largest alpha of the chip's menu that keeps
// the inequalities, or the one that the author fixed. fits is whether the budget does.
func planAlphas(b *budget, marks curves, fits bool, found *findings) alphas {
	all := alphas{}
	menu, known := b.chip.Alphas.Get()
	for _, class := range b.lossless {
		if class.Alpha.Set {
			if alpha, ok := b.fixedAlpha(class, menu, known == nil, found); ok {
				all[class] = alpha
			}
			continue
		}
		if _, ok := need(b.shape, b.chip.Alphas, found); !ok {
			continue
		}
		alpha, ok := b.largestAlpha(class, marks, menu)
		if !ok && fits {
			found.list.Errorf(AlphaInfeasible, class.Range, "no alpha of %s (%v to %v) keeps all inequalities for class %q on %s",
				b.chip.Title, menu[0], menu[len(menu)-1], class.Name, b.sw.Label).
				Fixf("the failed inequalities beside this say what to change: a smaller fan_in or tolerable_delay, or fewer lossless classes")
		}
		all[class] = b.alphaOf(alpha, menu)
	}
	return all
}

// fixedAlpha takes the author's alpha if the chip can be set to it.
func (b *budget) fixedAlpha(class *policy.Class, menu []units.Alpha, known bool, found *findings) (plan.Derived[plan.Limit], bool) {
	alpha := class.Alpha
	if known && !slices.Contains(menu, alpha.Value) {
		found.list.Errorf(AlphaUnsettable, alpha.Range, "alpha %v is not one that %s can be set to", alpha.Value, b.chip.Title).
			Fixf("choose one of %s", menuText(menu))
		return plan.Derived[plan.Limit]{}, false
	}
	return dynamic(alpha.Value, given("alpha", alpha, alpha.Value, "")), true
}

// largestAlpha tries the menu from above. When none fits, it is the smallest, so that
// the inequalities report what is wrong with both sides.
func (b *budget) largestAlpha(class *policy.Class, marks curves, menu []units.Alpha) (units.Alpha, bool) {
	for _, alpha := range slices.Backward(menu) {
		if b.alphaFits(class, marks, alpha) {
			return alpha, true
		}
	}
	return menu[0], false
}

func (b *budget) alphaOf(alpha units.Alpha, menu []units.Alpha) plan.Derived[plan.Limit] {
	return dynamic(alpha, &plan.Why{Kind: plan.Formula, Name: "alpha", ID: "largest-alpha", Value: alpha,
		Note:  "the largest of the chip's menu for which pg-before-queue and ecn-before-pfc hold",
		Terms: []plan.Term{term("menu", datum(b.chip, b.chip.Alphas, plan.Word(menuText(menu)))), term("shared", b.leftover.Why)}})
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

// alphaFits reports whether the inequalities that alpha decides hold on every kind of
// port.
func (b *budget) alphaFits(class *policy.Class, marks curves, alpha units.Alpha) bool {
	trial := dynamic(alpha, nil)
	for _, k := range b.kinds {
		if !k.lossless() {
			continue
		}
		if !b.pgBeforeQueue(class, k, trial).Holds {
			return false
		}
		if curve := marks[k.index][class]; curve != nil && !hold(b.markBeforePause(class, k, trial, curve)) {
			return false
		}
	}
	return true
}
