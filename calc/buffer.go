package calc

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// FrameReserve is the reserve that always takes one largest frame: document
// frame-reserve.
func FrameReserve(frame, metadata, cell units.Bytes) units.Bytes {
	return (frame + metadata).CeilTo(cell)
}

// XOnOffset is how far below the threshold a PG resumes: document xon-offset.
func XOnOffset(frame, cell units.Bytes) units.Bytes { return (2 * frame).CeilTo(cell) }

// SharedBuffer is what one slice shares, net of all reserves and headroom: document
// shared-buffer.
func SharedBuffer(usable, reserved, headroom units.Bytes, slices int64, cell units.Bytes) units.Bytes {
	left := max(0, usable-reserved-headroom)
	return units.Bytes(int64(left) / slices).FloorTo(cell)
}

// LossyPool is what all lossy queues may hold together: document lossy-pool.
func LossyPool(shared units.Bytes, lossyWeight, allWeight int64, least, cell units.Bytes) units.Bytes {
	share := units.Bytes(units.FloorMulDiv(int64(shared), min(lossyWeight, allWeight), allWeight))
	return max(share, min(least, shared)).FloorTo(cell)
}

// planReserves decides what PGs and queues own and adds it up. A queue's reserve is
// taken once in every slice, because a port may send from each.
func (c *context) planReserves() {
	if c.chip.Family == chips.Spectrum {
		c.planSpectrumReserves()
		return
	}
	pgReserve := c.reserve(c.chip.PGReserve, c.fabric.LosslessFrame.Value, "the largest lossless frame")
	for _, k := range c.kinds {
		k.reserve = pgReserve
	}
	c.queueReserve = c.reserve(c.chip.QueueReserve, c.fabric.MTU.Value, "the largest frame")
	pgs, queues := c.losslessPorts()*len(c.lossless), c.ports*len(c.lossy)
	perQueue := int64(c.slices.Value)
	total := units.Bytes(int64(pgs)*int64(pgReserve.Value) + int64(queues)*perQueue*int64(c.queueReserve.Value))
	c.reserved = plan.Of(total, computed("reserved", "reserves of all PGs and queues", total,
		count("pgs", pgs, "lossless PGs of all ports"), term("pg_reserve", pgReserve.Why),
		count("queues", queues, "lossy queues of all ports"), term("queue_reserve", c.queueReserve.Why),
		term("slices", c.slices.Why)))
}

// reserve is the chip's factory default in whole cells, or room for one frame.
func (c *context) reserve(d chips.Datum[units.Bytes], frame units.Bytes, what string) plan.Derived[units.Bytes] {
	if value, err := d.Get(); err == nil {
		return c.wholeCells(d.Name(), plan.Of(value, datum(c.chip, d, value)))
	}
	metadata := assume(c.chip, c.chip.PacketMetadata, 0, same[units.Bytes], "the catalogue knows no metadata in a packet's first cell")
	value := FrameReserve(frame, metadata.Value, c.cell)
	return plan.Of(value, computed("frame-reserve", "reserve of one frame", value,
		term("frame", chosen(what, frame, "UCloud, RoCE network design: guarantees are one max frame")),
		term("metadata", metadata.Why), term("cell", c.cellWhy)))
}

func same[T any](v T) T { return v }

// planShared nets out the shared buffer and divides it between lossless and lossy.
func (c *context) planShared() {
	value := SharedBuffer(c.usable.Value, c.reserved.Value, c.headroom.Value, int64(c.slices.Value), c.cell)
	c.slice = plan.Of(value, computed("shared-buffer", "shared buffer of one slice", value,
		term("usable", c.usable.Why), term("reserved", c.reserved.Why), term("headroom", c.headroom.Why),
		term("slices", c.slices.Why), term("cell", c.cellWhy)))
	whole := value * units.Bytes(c.slices.Value)
	c.shared = plan.Of(whole, computed("product", "shared buffer of the chip", whole,
		term("value", c.slice.Why), term("times", c.slices.Why)))
	c.planLossyPool()

	part := units.Bytes(int64(c.lossyPool.Value) / int64(c.slices.Value))
	left := max(0, value-part)
	c.leftover = plan.Of(left, computed("leftover", "shared buffer of one slice with lossy traffic at its limit", left,
		term("shared", c.slice.Why), term("lossy", c.lossyPool.Why), term("slices", c.slices.Why)))
}

func (c *context) planLossyPool() {
	if len(c.lossy) == 0 {
		c.lossyPool = plan.Of(units.Bytes(0), chosen("lossy pool", units.Bytes(0), "the fabric has no lossy class"))
		return
	}
	lossy, all := weights(c.lossy), weights(c.fabric.Classes)
	if all == 0 {
		lossy, all = int64(len(c.lossy)), int64(len(c.fabric.Classes))
	}
	least := units.Bytes(len(c.lossy)) * FrameReserve(c.fabric.MTU.Value, 0, c.cell)
	value := LossyPool(c.shared.Value, lossy, all, least, c.cell)
	c.lossyPool = plan.Of(value, computed("lossy-pool", "pool of all lossy queues", value,
		term("shared", c.shared.Why), count("lossy_weight", int(lossy), "DWRR weights of the lossy classes"),
		count("all_weight", int(all), "DWRR weights of all classes"),
		term("least", chosen("one frame for each lossy queue of a port", least, "a lossy queue that can never hold a frame is dead")),
		term("cell", c.cellWhy)))
}

// weights adds the DWRR weights up; strict classes have none.
func weights(classes []*policy.Class) int64 {
	var sum int64
	for _, class := range classes {
		if !class.Strict.Value {
			sum += class.Weight.Value
		}
	}
	return sum
}

// Names of pools, as SONiC's buffer templates have them.
const (
	IngressPool        = "ingress_lossless_pool"
	EgressLosslessPool = "egress_lossless_pool"
	EgressLossyPool    = "egress_lossy_pool"
)

// planPools says what each pool is configured with. What an ingress pool's size means
// depends on the chip.
func (c *context) planPools() []plan.Pool {
	headroom := plan.Of(units.Bytes(0), chosen("headroom pool", units.Bytes(0), "PGs of this chip own their headroom"))
	if c.pooled {
		headroom = c.headroom
	}
	size := c.ingressSize(headroom)
	pools := []plan.Pool{
		{Name: EgressLosslessPool, Direction: plan.Egress, Dynamic: c.chip.Family == chips.Spectrum, Size: c.usable},
	}
	if len(c.lossy) > 0 {
		pools = append(pools, plan.Pool{Name: EgressLossyPool, Direction: plan.Egress, Dynamic: true, Size: c.lossyPool})
	}
	return append(pools, plan.Pool{Name: IngressPool, Direction: plan.Ingress, Dynamic: true, Size: size, Headroom: headroom})
}

// ingressSize is what the ingress pool's size is configured to: see chips.PoolSize.
func (c *context) ingressSize(pool plan.Derived[units.Bytes]) plan.Derived[units.Bytes] {
	switch c.sizeMean {
	case chips.Net:
		return c.shared
	case chips.GrossPool:
		size := c.shared.Value + pool.Value
		return plan.Of(size, &plan.Why{Kind: plan.Formula, ID: "sum", Name: "shared buffer and headroom pool", Value: size,
			Terms: []plan.Term{term("shared", c.shared.Why), term("headroom", pool.Why)}})
	}
	return c.usable
}
