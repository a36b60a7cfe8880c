package calc

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
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

// planAlpha gives each lossless class the largest alpha of the chip's menu that keeps
// the inequalities, or checks the one that the author fixed.
func (c *context) planAlpha() {
	menu, known := c.chip.Alphas.Get()
	for _, class := range c.lossless {
		if class.Alpha.Set {
			c.fixedAlpha(class, menu, known == nil)
			continue
		}
		if _, ok := need(c, c.chip.Alphas, true); !ok {
			continue
		}
		c.alphas[class] = c.largestAlpha(class, menu)
	}
}

// fixedAlpha takes the author's alpha if the chip can be set to it.
func (c *context) fixedAlpha(class *policy.Class, menu []units.Alpha, known bool) {
	alpha := class.Alpha
	if known && !slices.Contains(menu, alpha.Value) {
		c.list.Errorf(AlphaUnsettable, alpha.Range, "alpha %v is not one that %s can be set to", alpha.Value, c.chip.Title).
			Fixf("choose one of %s", menuText(menu))
		return
	}
	c.alphas[class] = dynamic(alpha.Value, given("alpha", alpha, alpha.Value, ""))
}

// largestAlpha tries the menu from above. When none fits, the smallest is kept, so
// that the inequalities report what is wrong with both sides.
func (c *context) largestAlpha(class *policy.Class, menu []units.Alpha) plan.Derived[plan.Limit] {
	chosenAlpha, fits := menu[0], false
	for _, alpha := range slices.Backward(menu) {
		if c.alphaFits(class, alpha) {
			chosenAlpha, fits = alpha, true
			break
		}
	}
	if !fits && c.fits {
		c.list.Errorf(AlphaInfeasible, class.Range, "no alpha of %s (%v to %v) keeps all inequalities for class %q on %s",
			c.chip.Title, menu[0], menu[len(menu)-1], class.Name, c.sw.Label).
			Fixf("the failed inequalities beside this say what to change: a smaller fan_in or tolerable_delay, or fewer lossless classes")
	}
	why := &plan.Why{Kind: plan.Formula, Name: "alpha", ID: "largest-alpha", Value: chosenAlpha,
		Note:  "the largest of the chip's menu for which pg-before-queue and ecn-before-pfc hold",
		Terms: []plan.Term{term("menu", datum(c.chip, c.chip.Alphas, plan.Word(menuText(menu)))), term("shared", c.leftover.Why)}}
	return dynamic(chosenAlpha, why)
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

// alphaFits evaluates what alpha decides, without recording anything.
func (c *context) alphaFits(class *policy.Class, alpha units.Alpha) bool {
	for _, k := range c.kinds {
		if !k.lossless() {
			continue
		}
		n := int64(c.fanInOfSlice(k).Value)
		share := PGShare(c.slice.Value, alpha, n, c.cell)
		if (share+k.reserve.Value)*units.Bytes(n)+c.largestHeadrooms(int(n)) > c.queueLimit().Value {
			return false
		}
		if !c.wantsECN(class) {
			continue
		}
		kmax, ok := c.kMax(class, k)
		for _, p := range c.patterns(k) {
			if ok && kmax.Value > MarkingRoom(c.leftover.Value, alpha, p.from, p.to) {
				return false
			}
		}
	}
	return true
}

// A pattern is n senders that fill m ports.
type pattern struct {
	from, to int64
	at       diag.Range
	what     string
}

// patterns are those that a port has to hold: one sender, the worst fan-in, and what
// the fabric declares.
func (c *context) patterns(k *kind) []pattern {
	worst := c.fanIn(k)
	list := []pattern{
		{1, 1, k.group.Range, "one sender"},
		{int64(worst.Value), 1, worst.Why.Range, "worst fan-in"},
	}
	for _, declared := range c.fabric.FanIn {
		list = append(list, pattern{int64(declared.From), int64(declared.To), declared.Range, "declared fan_in"})
	}
	return list
}

// fanIn is how many ports may send to one port of this kind at once: as declared, or
// every other lossless port of the switch.
func (c *context) fanIn(k *kind) plan.Derived[plan.Count] {
	if k.group.FanIn.Set {
		n := plan.Count(k.group.FanIn.Value)
		return plan.Of(n, given("fan-in", k.group.FanIn, n, ""))
	}
	value := plan.Count(max(1, c.losslessPorts()-1))
	why := &plan.Why{Kind: plan.Given, Name: "fan-in: all other lossless ports", Value: value, Range: k.group.Range}
	return plan.Of(value, why)
}

// largestHeadrooms adds up the n largest headrooms of a class over all ports.
func (c *context) largestHeadrooms(n int) units.Bytes {
	kinds := slices.Clone(c.kinds)
	slices.SortStableFunc(kinds, func(a, b *kind) int { return int(b.headroom.Value - a.headroom.Value) })
	var sum units.Bytes
	for _, k := range kinds {
		ports := min(n, len(k.ports))
		sum += units.Bytes(ports) * k.headroom.Value
		n -= ports
	}
	return sum
}
