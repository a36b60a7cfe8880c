package calc

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// inequalities returns the inequalities of the whole buffer. Where reserves and headroom do not
// fit, nothing is left to divide, and only that is reported.
func (b *budget) inequalities() []inequality {
	all := []inequality{b.bufferFits()}
	if lossy, needed := b.lossyLeavesLossless(); needed && all[0].Holds {
		all = append(all, lossy)
	}
	if queues, needed := b.voqLeavesLossless(); needed && all[0].Holds {
		all = append(all, queues)
	}
	return all
}

// bufferFits checks reserves, headroom and one largest frame for every port against the
// chip.
func (b *budget) bufferFits() inequality {
	least := units.Bytes(b.ports) * FrameReserve(b.fabric.MTU.Value, 0, b.cell)
	sum := b.reserved.Value + b.headroom.Value + least
	left := plan.Of(sum, computed("fit-sum", "reserves, headroom and one frame for every port", sum,
		term("reserved", b.reserved.Why), term("headroom", b.headroom.Why),
		term("least_shared", chosen("one largest frame for every port", least, "less could not carry traffic"))))
	return atMost("buffer-fits", "whole chip", left, b.usable, b.sw.Range, func(list *diag.List) {
		at, fix := b.repairFit()
		found := list.Errorf(BufferExceeded, at, "%s of %s needs %v for reserves (%v), headroom (%v) and one frame per port, and has %v: %v are missing",
			b.chip.Title, b.sw.Label, sum, b.reserved.Value, b.headroom.Value, b.usable.Value, sum-b.usable.Value).Fixf("%s", fix)
		for _, margin := range []diag.Range{b.fabric.HeadroomMarginBytes.Range, b.fabric.HeadroomMargin.Range} {
			if b.fabric.HeadroomMarginBytes.Set || b.fabric.HeadroomMargin.Set {
				found.Notef(margin, "the margin is here")
				break
			}
		}
	})
}

// lossyLeavesLossless checks what lossy queues may take against what lossless PGs need;
// not needed where the switch has only one of them.
func (b *budget) lossyLeavesLossless() (inequality, bool) {
	pgs := b.losslessGroups()
	if pgs == 0 || len(b.lossy) == 0 {
		return inequality{}, false
	}
	least := units.Bytes(pgs) * FrameReserve(b.fabric.LosslessFrame.Value, 0, b.cell)
	sum := b.lossyPool.Value + least
	left := plan.Of(sum, computed("lossy-sum", "lossy pool and one frame for every lossless PG", sum, term("lossy", b.lossyPool.Why),
		term("least", chosen("one largest lossless frame for every lossless PG", least, "less could not carry traffic"))))
	return atMost("lossy-leaves-lossless", "whole chip", left, b.shared, b.sw.Range, func(list *diag.List) {
		at, fix := b.lossy[0].Range, "give the lossy classes a smaller weight, or shorten cables so that more buffer is shared"
		if b.sw.LossyPool.Set {
			at, fix = b.sw.LossyPool.Range, fmt.Sprintf("write lossy_pool = %q or less", max(0, b.shared.Value-least))
		}
		list.Errorf(LossyTakesLossless, at, "lossy queues of %s may hold %v of %v shared buffer, which leaves less than one frame for each of %d lossless PGs (%v)",
			b.sw.Label, b.lossyPool.Value, b.shared.Value, pgs, sum-b.lossyPool.Value).
			Fixf("%s", fix)
	}), true
}
