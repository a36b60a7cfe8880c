package calc

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// checkAll evaluates the inequalities of ports and of the watchdog. Each is recorded
// with both sides and its slack, and one that fails is reported at the line that
// caused it.
func (c *context) checkAll(watchdog *plan.Watchdog) {
	for _, k := range c.kinds {
		if c.fits {
			c.checkThresholds(k)
		}
		c.checkScheduling(k)
	}
	if watchdog != nil {
		c.checkWatchdog(watchdog)
	}
}

// checkThresholds holds PGs against queues, and marking against both.
func (c *context) checkThresholds(k *kind) {
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

// fitSum is what reserves, headroom and one largest frame for every port take.
func (c *context) fitSum() (units.Bytes, *plan.Why) {
	least := units.Bytes(c.ports) * FrameReserve(c.fabric.MTU.Value, 0, c.cell)
	sum := c.reserved.Value + c.headroom.Value + least
	return sum, computed("fit-sum", "reserves, headroom and one frame for every port", sum,
		term("reserved", c.reserved.Why), term("headroom", c.headroom.Why),
		term("least_shared", chosen("one largest frame for every port", least, "less could not carry traffic")))
}

// checkFit holds reserves and headroom against the chip.
func (c *context) checkFit() bool {
	sum, left := c.fitSum()
	holds := sum <= c.usable.Value
	c.check("buffer-fits", "whole chip", left, c.usable.Why, holds, fmt.Sprint(c.usable.Value-sum), c.sw.Range)
	if !holds {
		at, fix := c.repairFit()
		c.list.Errorf(BufferExceeded, at, "%s of %s needs %v for reserves (%v), headroom (%v) and one frame per port, and has %v: %v are missing",
			c.chip.Title, c.sw.Label, sum, c.reserved.Value, c.headroom.Value, c.usable.Value, sum-c.usable.Value).Fixf("%s", fix)
	}
	return holds
}

// lossySum is what lossy queues may hold and lossless PGs need at the least; not needed
// where the switch has only one of them.
func (c *context) lossySum() (sum units.Bytes, left *plan.Why, needed bool) {
	pgs := c.losslessPorts() * len(c.lossless)
	if pgs == 0 || len(c.lossy) == 0 {
		return 0, nil, false
	}
	least := units.Bytes(pgs) * FrameReserve(c.fabric.LosslessFrame.Value, 0, c.cell)
	sum = c.lossyPool.Value + least
	return sum, computed("lossy-sum", "lossy pool and one frame for every lossless PG", sum, term("lossy", c.lossyPool.Why),
		term("least", chosen("one largest lossless frame for every lossless PG", least, "less could not carry traffic"))), true
}

// checkLossyPool holds what lossy queues may take against what lossless PGs need.
func (c *context) checkLossyPool() bool {
	sum, left, needed := c.lossySum()
	if !needed {
		return true
	}
	holds := sum <= c.shared.Value
	c.check("lossy-leaves-lossless", "whole chip", left, c.shared.Why, holds, fmt.Sprint(c.shared.Value-sum), c.sw.Range)
	if !holds {
		c.list.Errorf(LossyTakesLossless, c.lossy[0].Range, "lossy queues of %s may hold %v of %v shared buffer, which leaves less than one frame for each of %d lossless PGs (%v)",
			c.sw.Label, c.lossyPool.Value, c.shared.Value, c.losslessPorts()*len(c.lossless), sum-c.lossyPool.Value).
			Fixf("give the lossy classes a smaller weight, or shorten cables so that more buffer is shared")
	}
	return holds
}

// checkPG holds the thresholds of a lossless class at the worst fan-in. Slices share
// nothing: those senders of the fan-in that write to one slice fill that slice's part
// of the queue.
func (c *context) checkPG(class *policy.Class, k *kind) {
	alpha, ok := c.alphas[class]
	if !ok {
		return
	}
	n := c.fanInOfSlice(k)
	share := PGShare(c.slice.Value, alpha.Value.Alpha, int64(n.Value), c.cell)
	shareWhy := computed("pg-share", "share of each of N PGs", share,
		append([]plan.Term{term("shared", c.slice.Why), term("n", n.Why), term("cell", c.cellWhy)}, alphaTerms(alpha)...)...)
	headrooms := c.largestHeadrooms(int(n.Value))
	sum := (share+k.reserve.Value)*units.Bytes(n.Value) + headrooms
	left := plan.Of(sum, computed("pg-sum", "what N PGs hold", sum, term("share", shareWhy), term("reserve", k.reserve.Why),
		term("headroom", chosen("sum of the N largest headrooms", headrooms, "each with its own speed and cable")), term("n", n.Why)))
	c.atMost("pg-before-queue", BufferExceeded, class.Name, k, left, c.queueLimit(), n.Why.Range,
		fmt.Sprintf("with %v senders the queue reaches its limit before PFC stops them", n.Value), "lower fan_in or alpha, or shorten cables")

	limit := share + k.reserve.Value
	c.atMost("xon-below-xoff", AlphaInfeasible, class.Name, k, c.xonOffset(), plan.Of(limit, shareWhy), class.Range,
		"the PG could only resume when it is empty: the XON offset is above the threshold", "raise alpha, or lower fan_in")
}

// fanInOfSlice is how many of the senders of the fan-in may write to one slice: ports
// are divided evenly over the slices.
func (c *context) fanInOfSlice(k *kind) plan.Derived[plan.Count] {
	n := c.fanIn(k)
	ports, slices := int64(c.losslessPorts()), int64(c.slices.Value)
	value := plan.Count(min(int64(n.Value), units.CeilMulDiv(ports, 1, slices)))
	return plan.Of(value, computed("slice-fan-in", "fan-in of one slice", value, term("fan_in", n.Why),
		count("ports", int(ports), "lossless ports"), term("slices", c.slices.Why)))
}

func (c *context) losslessPorts() int {
	n := 0
	for _, k := range c.kinds {
		if k.lossless() {
			n += len(k.ports)
		}
	}
	return n
}

// queueLimit is what a lossless queue may hold in one slice: all of it.
func (c *context) queueLimit() plan.Derived[units.Bytes] {
	value := units.Bytes(int64(c.usable.Value) / int64(c.slices.Value)).FloorTo(c.cell)
	return plan.Of(value, computed("slice-part", "limit of a lossless queue in one slice", value,
		term("whole", c.usable.Why), term("slices", c.slices.Why), term("cell", c.cellWhy)))
}

// xonOffset is how far below its threshold a PG resumes.
func (c *context) xonOffset() plan.Derived[units.Bytes] {
	frame := c.fabric.LosslessFrame
	value := XOnOffset(frame.Value, c.cell)
	return plan.Of(value, computed("xon-offset", "xon offset", value,
		term("frame", given("lossless_frame", frame, frame.Value, "the fabric's mtu")), term("cell", c.cellWhy)))
}
