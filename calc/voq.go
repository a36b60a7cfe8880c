package calc

import (
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// voq reports whether packets wait in virtual output queues: one memory, which one pool
// accounts for groups and queues alike.
func (s *shape) voq() bool { return s.chip.Family == chips.DNX }

// queuePools returns the pools of lossless and of lossy queues.
func (s *shape) queuePools() (lossless, lossy string) {
	if s.voq() {
		return IngressPool, IngressPool
	}
	return EgressLosslessPool, EgressLossyPool
}

// voqAlpha returns the alpha of a lossy virtual output queue, at most one that other chips give.
// There is no pool that bounds lossy queues together, so the alpha does: the largest with
// which all of them at once take no more than the lossy share of the buffer.
func (b *budget) voqAlpha(most units.Alpha) units.Alpha {
	menu := b.chip.Alphas.Or(nil)
	least := units.Alpha(-8) // SONiC's
	if len(menu) > 0 {
		least = slices.Min(menu)
	}
	alpha := most
	for alpha > least && b.lossyTogether(alpha) > b.lossyPool.Value {
		alpha--
	}
	return alpha
}

// lossyTogether returns the sum of all lossy queues at their greatest lengths.
func (b *budget) lossyTogether(alpha units.Alpha) units.Bytes {
	n := int64(b.lossyQueues())
	return PGShare(b.shared.Value, alpha, n, b.cell) * units.Bytes(n)
}

func (b *budget) lossyQueues() int { return b.ports * len(b.lossy) }

// lossyLimit returns the limit of a lossy queue.
func (b *budget) lossyLimit(alpha units.Alpha, source string) plan.Derived[plan.Limit] {
	if b.voq() {
		if own := b.voqAlpha(alpha); own < alpha {
			alpha, source = own, "the largest with which all lossy queues at once leave lossless groups their share: inequality voq-leaves-lossless"
		}
	}
	return dynamic(alpha, chosen("alpha of a lossy queue", alpha, source))
}

// voqLeavesLossless checks what lossy virtual output queues may take together against their
// share; not needed where a pool of their own bounds them.
func (b *budget) voqLeavesLossless() (inequality, bool) {
	if !b.voq() || len(b.lossy) == 0 || len(b.lossless) == 0 || b.losslessPorts() == 0 {
		return inequality{}, false
	}
	limit := b.lossyLimit(lossyAlpha, lossyAlphaSource)
	share := PGShare(b.shared.Value, limit.Value.Alpha, int64(b.lossyQueues()), b.cell)
	shareWhy := computed("pg-share", "share of each of N lossy queues", share, append(append([]plan.Term{term("shared", b.shared.Why)}, alphaTerms(limit)...),
		count("n", b.lossyQueues(), "lossy queues of all ports"), term("cell", b.cellWhy))...)
	all := b.lossyTogether(limit.Value.Alpha)
	left := plan.Of(all, computed("product", "all lossy queues at once", all, term("value", shareWhy), count("times", b.lossyQueues(), "lossy queues of all ports")))
	return atMost("voq-leaves-lossless", "whole chip", left, b.lossyPool, b.sw.Range, func(list *diag.List) {
		list.Errorf(LossyTakesLossless, b.lossy[0].Range, "lossy queues of %s may hold %v together at the smallest alpha that %s has, and their share is %v",
			b.sw.Label, all, b.chip.Title, b.lossyPool.Value).Fixf("use fewer lossy classes or fewer ports")
	}), true
}
