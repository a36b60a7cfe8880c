package proof

import (
	"github.com/roceplan/roceplan/model/mmu"
)

// takes returns the most cells that one account takes of free ones: the fixed point of
// its own threshold, which falls with every cell that it takes itself.
//
// The rules of admission look at the last cell. With s taken and f = free − s left, it
// was let in if s ≤ T(f), or s < T(f), or s ≤ T(f + 1). Left side and right side move
// towards each other, so the largest s is found by bisection.
func takes(b bound, rule mmu.Admission, free int64) int64 {
	low, high := int64(0), free+1
	for high-low > 1 {
		if s := (low + high) / 2; b.admitted(rule, s, free-s) {
			low = s
		} else {
			high = s
		}
	}
	return low
}

func (b bound) admitted(rule mmu.Admission, s, left int64) bool {
	return admitted(b.limit, rule, s, left) && (!b.two || admitted(b.port, rule, s, left))
}

func admitted(l mmu.Limit, rule mmu.Admission, s, left int64) bool {
	switch rule {
	case mmu.BelowWithCell:
		return s < threshold(l, left)
	case mmu.BeforeCell:
		return s <= threshold(l, left+1)
	}
	return s <= threshold(l, left)
}

func threshold(l mmu.Limit, free int64) int64 {
	if l.Dynamic {
		return l.Alpha.FloorOf(free)
	}
	return int64(l.StaticCells)
}

// leaves returns what accounts leave of free cells that take turns, each until it is full.
//
// In the worst of their orders that is the fewest that any arrivals and departures leave. Of each
// account take its last cell. With g cells free in the end of what the accounts
// up to it hold, it was let in at g free or fewer, so it holds at most T(g): each account
// can at most do what it would do alone, on what the earlier ones leave. Taking turns
// attains that. Where a port bounds several accounts together,
// each of them still holds no more than that alone, and they may leave more: see visited.
func leaves(bounds []bound, rule mmu.Admission, free int64) int64 {
	for _, b := range bounds {
		free -= takes(b, rule, free)
	}
	return free
}
