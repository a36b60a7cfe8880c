package calc

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// checkAll evaluates the inequalities of a switch. Each is recorded with both sides
// and its slack, and one that fails is reported at the line that caused it.
func (c *context) checkAll(out *plan.Switch) {
	c.checkFit()
	for _, k := range c.kinds {
		if k.lossless() {
			for _, class := range c.lossless {
				c.checkPG(class, k)
			}
		}
		for _, class := range c.fabric.Classes {
			if curve := k.ecn[class]; curve != nil {
				c.checkECN(class, k, curve)
			}
		}
		c.checkScheduling(k)
	}
	if out.Watchdog != nil {
		c.checkWatchdog(out.Watchdog)
	}
}

// where names the place of a check for a reader.
func (c *context) where(class *policy.Class, k *kind) string {
	return fmt.Sprintf("%s at %v, class %s", k.group.Name, k.group.Speed.Value, class.Name)
}

// atMost records left ≤ right for a class on a kind of port, and reports it when it
// fails: what is wrong, both numbers, what to change.
func (c *context) atMost(id string, code diag.Code, class string, k *kind, left, right plan.Derived[units.Bytes], at diag.Range, wrong, fix string) bool {
	where := fmt.Sprintf("%s at %v, class %s", k.group.Name, k.group.Speed.Value, class)
	holds := left.Value <= right.Value
	c.check(id, where, left.Why, right.Why, holds, fmt.Sprint(right.Value-left.Value), at)
	if !holds {
		c.list.Errorf(code, at, "%s: %v > %v (%s on %s)", wrong, left.Value, right.Value, where, c.sw.Label).Fixf("%s", fix)
	}
	return holds
}

// checkFit holds reserves and headroom against the chip.
func (c *context) checkFit() {
	least := units.Bytes(c.ports) * FrameReserve(c.fabric.MTU.Value, 0, c.cell)
	sum := c.reserved.Value + c.headroom.Value + least
	left := computed("fit-sum", "reserves, headroom and one frame for every port", sum,
		term("reserved", c.reserved.Why), term("headroom", c.headroom.Why),
		term("least_shared", chosen("one largest frame for every port", least, "less could not carry traffic")))
	holds := sum <= c.usable.Value
	c.check("buffer-fits", "whole chip", left, c.usable.Why, holds, fmt.Sprint(c.usable.Value-sum), c.sw.Range)
	if !holds {
		at, fix := c.repairFit(sum - c.usable.Value)
		c.list.Errorf(BufferExceeded, at, "%s of %s needs %v for reserves (%v), headroom (%v) and one frame per port (%v), and has %v: %v are missing",
			c.chip.Title, c.sw.Label, sum, c.reserved.Value, c.headroom.Value, least, c.usable.Value, sum-c.usable.Value).Fixf("%s", fix)
	}
	c.checkLossyPool()
}

func (c *context) checkLossyPool() {
	pgs := 0
	for _, k := range c.kinds {
		if k.lossless() {
			pgs += len(k.ports) * len(c.lossless)
		}
	}
	if pgs == 0 || len(c.lossy) == 0 {
		return
	}
	least := units.Bytes(pgs) * FrameReserve(c.fabric.LosslessFrame.Value, 0, c.cell)
	sum := c.lossyPool.Value + least
	left := computed("lossy-sum", "lossy pool and one frame for every lossless PG", sum,
		term("lossy", c.lossyPool.Why),
		term("least", chosen("one largest lossless frame for every lossless PG", least, "less could not carry traffic")))
	holds := sum <= c.shared.Value
	c.check("lossy-leaves-lossless", "whole chip", left, c.shared.Why, holds, fmt.Sprint(c.shared.Value-sum), c.sw.Range)
	if !holds {
		c.list.Errorf(LossyTakesLossless, c.lossy[0].Range, "lossy queues of %s may hold %v of %v shared buffer, which leaves less than one frame for each of %d lossless PGs (%v)",
			c.sw.Label, c.lossyPool.Value, c.shared.Value, pgs, least).Fixf("give the lossy classes a smaller weight, or shorten cables so that more buffer is shared")
	}
}

// checkPG holds the thresholds of a lossless class at the worst fan-in.
func (c *context) checkPG(class *policy.Class, k *kind) {
	alpha, ok := c.alphas[class]
	if !ok {
		return
	}
	n := c.fanIn(k)
	share := PGShare(c.slice.Value, alpha.Value.Alpha, int64(n.Value), c.cell)
	shareWhy := computed("pg-share", "share of each of N PGs", share,
		append([]plan.Term{term("shared", c.slice.Why), term("n", n.Why), term("cell", c.cellWhy)}, alphaTerms(alpha)...)...)
	headrooms := c.largestHeadrooms(int(n.Value))
	sum := (share+c.pgReserve.Value)*units.Bytes(n.Value) + headrooms
	left := plan.Of(sum, computed("pg-sum", "what N PGs hold", sum, term("share", shareWhy), term("reserve", c.pgReserve.Why),
		term("headroom", chosen("sum of the N largest headrooms", headrooms, "each with its own speed and cable")), term("n", n.Why)))
	c.atMost("pg-before-queue", DropBeforePFC, class.Name, k, left, c.usable, n.Why.Range,
		fmt.Sprintf("with %v senders the queue reaches its limit before PFC stops them", n.Value), "lower fan_in or alpha, or shorten cables")

	offset := c.xonOffset()
	limit := share + c.pgReserve.Value
	c.atMost("xon-below-xoff", AlphaInfeasible, class.Name, k, offset, plan.Of(limit, shareWhy), class.Range,
		"the PG could only resume when it is empty: the XON offset is above the threshold", "raise alpha, or lower fan_in")
}

// xonOffset is how far below its threshold a PG resumes.
func (c *context) xonOffset() plan.Derived[units.Bytes] {
	frame := c.fabric.LosslessFrame
	value := XOnOffset(frame.Value, c.cell)
	return plan.Of(value, computed("xon-offset", "xon offset", value,
		term("frame", given("lossless_frame", frame, frame.Value, "the fabric's mtu")), term("cell", c.cellWhy)))
}
