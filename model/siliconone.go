package model

import (
	"math/bits"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Cisco's Silicon One differs from other chips, as SONiC's hardware tests expect it (sonic-mgmt
// tests/qos/files/cisco/qos_param_generator.py): thresholds with few bits, or as a share of the
// whole pool; headroom in units of its own; a resume level that the profile does not set. The
// functions of this file change nothing on any other chip.

// siliconOne takes over in which units the chip counts headroom, and in which steps limits.
func (b *buffer) siliconOne() {
	if b.chip.Family != chips.SiliconOneFam {
		return
	}
	rules := &b.chip.SiliconOne
	if unit, err := b.chip.HeadroomCell.Get(); err == nil {
		b.config.HeadroomUnit = unit
		b.config.HeadroomOverhead = int64(rules.HeadroomOverhead.Or(0).CeilCells(unit))
	}
	b.groupCode = mmu.Code{Bits: uint8(rules.ThresholdBits.Or(0))}
	b.queueCode = mmu.Code{Bits: b.groupCode.Bits, Next: rules.QueueCode.Or("") == "next"}
}

// headroom converts a headroom to what the chip counts it in. One that is held with few bits of
// mantissa is more than was asked for.
func (b *buffer) headroom(v units.Bytes) units.Cells {
	if width, err := b.chip.SiliconOne.HeadroomBits.Get(); err == nil {
		exponent := max(0, bits.Len64(uint64(v))-width)
		v = (v + 1<<exponent - 1) >> exponent << exponent
	}
	if b.config.HeadroomUnit > 0 {
		return v.FloorCells(b.config.HeadroomUnit)
	}
	return b.cells(v)
}

// groupLimit returns the threshold of a priority group. Where alpha is a share of the whole pool it does
// not move, and is so far below the depth of a queue that the headroom fits too.
func (b *buffer) groupLimit(pg plan.PG, pool plan.Pool) mmu.Limit {
	limit := b.limit(pg.Limit.Value)
	if b.chip.SiliconOne.ThresholdOf.Or("free") == "pool" {
		most := pool.Size.Value
		if depth, err := b.chip.SiliconOne.QueueDepth.Get(); err == nil && pg.Lossless {
			share := b.chip.SiliconOne.PauseDepth.Or(units.One)
			most = units.Bytes(units.FloorMulDiv(int64(depth), int64(share), int64(units.One))) - pg.Headroom.Value
		}
		limit = mmu.StaticLimit(max(0, b.cells(min(shareOf(pg.Limit.Value, pool), most))) / b.slices)
	}
	limit.Code = b.groupCode
	return limit
}

// queueLimit returns the threshold of a queue, which is never longer than the chip has it.
func (b *buffer) queueLimit(queue plan.Queue, pool plan.Pool) mmu.Limit {
	limit := b.limit(queue.Limit.Value)
	if depth, err := b.chip.SiliconOne.QueueDepth.Get(); err == nil {
		return mmu.StaticLimit(b.cells(min(shareOf(queue.Limit.Value, pool), depth)) / b.slices)
	}
	if limit.Dynamic {
		limit.Code = b.queueCode
	}
	return limit
}

// shareOf returns a limit as a share of the whole pool.
func shareOf(limit plan.Limit, pool plan.Pool) units.Bytes {
	if !limit.Dynamic {
		return limit.Static
	}
	return units.Bytes(limit.Alpha.FloorOf(int64(pool.Size.Value)))
}

// resume returns the level at which a group resumes, and how far below its threshold it resumes.
func (b *buffer) resume(pg plan.PG) (xon, offset units.Cells) {
	rules := &b.chip.SiliconOne
	if at, err := rules.ResumeAt.Get(); err == nil && pg.Lossless {
		return b.cells(at), 0
	}
	if of, err := rules.ResumeOf.Get(); err == nil && pg.Lossless && pg.Limit.Value.Dynamic {
		return b.cells(units.Bytes(pg.Limit.Value.Alpha.FloorOf(int64(of)))), 0
	}
	return b.cells(pg.XOn.Value), b.cells(pg.XOnOffset.Value)
}
