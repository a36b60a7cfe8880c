package threshold

import (
	"errors"

	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Formula answers in closed form. With B the shared cells of a slice, a = 2^dynamic_th,
// m a PG's reserve and x its headroom, all in cells, and one-cell packets:
//
//	S(B)                ⌊a·B/(1+a)⌋                     shared cells of an only PG or queue
//	first pause         m + S(B)
//	first drop          m + S(B) + x + 1
//	n PGs in turn       ⌊a·B/(1+n·a)⌋ + m, or one less  each
//	n PGs, successive   m + S(B), m + S(B − S(B)), …
//	headroom pool P     min(x, P) full, P − (n−1)·x the last
//	lossy queue         q + S(B) + 1
//	resume              xon offset
//
// The dynamic threshold is Choudhury and Hahne's ("Dynamic queue length thresholds for
// shared-memory packet switches", IEEE/ACM Trans. Networking 6(2), 1998, §II): with n
// queues at their threshold T = a·(B − n·T), so T = a·B/(1+n·a). The rest counts what
// the chip's [mmu.Rules] do to the last cell.
type Formula struct{ *Setup }

// Formula returns the closed-form answers.
func (s *Setup) Formula() Formula { return Formula{s} }

// errOneCell is the answer where a closed form was not derived for longer packets.
var errOneCell = errors.New("the closed form holds for packets of one cell")

// only is S(B): the most shared cells that an only PG or queue is admitted to.
func (f Formula) only(shared units.Cells, alpha *units.Alpha) int64 {
	num, den := exponent(alpha).Fraction()
	b := int64(shared)
	switch f.Behaviour.Rules.Admission {
	case mmu.BelowWithCell: // den·(s+1) ≤ num·(B−s)
		return max(0, floorDiv(num*b-den, num+den))
	case mmu.BeforeCell: // den·s ≤ num·(B−s+1)
		return num * (b + 1) / (num + den)
	}
	return num * b / (num + den) // den·s ≤ num·(B−s)
}

// floorDiv is ⌊a/b⌋ for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// pauseAt returns the packet that pauses a PG that holds at most top cells below its threshold.
func (f Formula) pauseAt(top, packet int64) int64 {
	if f.Behaviour.Rules.Pause == mmu.OnExcess {
		return top/packet + 1
	}
	return max(1, (top+packet-1)/packet)
}

// headroom returns the part of its headroom that one PG can use.
func headroom(c Slice) units.Cells {
	if c.Pooled {
		return min(c.Headroom, c.HeadroomPool)
	}
	return c.Headroom
}

// FirstPause implements [Figures].
func (f Formula) FirstPause() (int64, error) {
	c, err := f.losslessSlice()
	if err != nil {
		return 0, err
	}
	return f.pauseAt(int64(c.Reserved)+f.only(c.Shared, f.Alpha), int64(c.PacketCells)), nil
}

// firstDrop returns the packet that one PG of the slice has no more room for.
func (f Formula) firstDrop(c Slice) int64 {
	return (int64(c.Reserved+headroom(c))+f.only(c.Shared, f.Alpha))/int64(c.PacketCells) + 1
}

// FirstIngressDrop implements [Figures].
func (f Formula) FirstIngressDrop() (int64, error) {
	c, err := f.losslessSlice(Xoff)
	if err != nil {
		return 0, err
	}
	return f.firstDrop(c), nil
}

// PauseToDrop implements [Figures].
func (f Formula) PauseToDrop() (int64, error) {
	c, err := f.headroomSlice()
	if err != nil {
		return 0, err
	}
	return f.firstDrop(c) - f.pauseAt(int64(c.Reserved)+f.only(c.Shared, f.Alpha), int64(c.PacketCells)), nil
}

// FirstLossyEgressDrop implements [Figures].
func (f Formula) FirstLossyEgressDrop() (int64, error) {
	c, err := f.needs(QueueAlpha)
	if err != nil {
		return 0, err
	}
	fits := (int64(c.QueueReserved) + f.only(c.Lossy, f.QueueAlpha)) / int64(c.PacketCells)
	if ingress := int64(c.Shared / c.PacketCells); ingress <= fits { // refused at both: the ingress side is asked first
		return 0, ingressFirst(ingress + 1)
	}
	return fits + 1, nil
}

// DrainedToResume implements [Figures].
func (f Formula) DrainedToResume() (int64, error) {
	c, err := f.losslessSlice(XonOffset)
	if err != nil {
		return 0, err
	}
	if f.Behaviour.Rules.Resume != mmu.BelowPauseLevel || c.PacketCells != 1 {
		return 0, errOneCell
	}
	top := int64(c.Reserved) + f.only(c.Shared, f.Alpha)
	held := min(f.pauseAt(top, 1), top+int64(headroom(c)))
	level := max(0, top-max(1, int64(c.XonOffset)))
	return min(held, max(1, held-level)), nil
}

// EqualPGs implements [Figures].
//
// In the round that gives every one of n ≥ 2 PGs its s-th shared cell, the last but one
// must not pause, for then what happens to the last completes the round either way.
// Together they hold n·s − 1 cells then. OnExcess wants that cell admitted; WhenFull
// wants room for one more, with n·s taken.
func (f Formula) EqualPGs(n int) (int64, error) {
	c, err := f.slicePGs(n)
	if err != nil {
		return 0, err
	}
	if n == 1 {
		return f.FirstPause()
	}
	if c.PacketCells != 1 {
		return 0, errOneCell
	}
	num, den := exponent(f.Alpha).Fraction()
	slack, look := int64(0), int64(0)
	switch f.Behaviour.Rules.Admission {
	case mmu.BelowWithCell:
		slack = 1
	case mmu.BeforeCell:
		look = 1
	}
	all, b, m := int64(n), int64(c.Shared), int64(c.Reserved)
	if f.Behaviour.Rules.Pause == mmu.OnExcess { // den·(s + slack) ≤ num·(b − n·s + 1 + look)
		return m + max(0, floorDiv(num*(b+1+look)-den*slack, den+all*num)), nil
	}
	if f.only(c.Shared, f.Alpha) == 0 { // full with its reserve, the first of them in an empty pool
		return max(0, m-1), nil
	}
	// den·(s + 1 + slack) ≤ num·(b − n·s − 1 + 1 + look)
	return m + max(0, floorDiv(num*(b+look)-den*(1+slack), den+all*num)), nil
}

// Successive implements [Figures].
func (f Formula) Successive(n int) ([]int64, error) {
	c, err := f.slicePGs(n)
	if err != nil {
		return nil, err
	}
	if c.PacketCells != 1 {
		return nil, errOneCell
	}
	packets, free := make([]int64, n), c.Shared
	for i := range packets {
		s := f.only(free, f.Alpha)
		packets[i] = f.pauseAt(int64(c.Reserved)+s, 1)
		free -= units.Cells(s)
	}
	return packets, nil
}

// HeadroomPool implements [Figures].
//
// A PG that pauses on excess, or that has nothing but headroom, pauses with a first
// cell in it; the rest is filled one PG after another.
func (f Formula) HeadroomPool(n int) (full, last int64, err error) {
	c, err := f.slicePGs(n, Xoff)
	if err != nil {
		return 0, 0, err
	}
	if c.PacketCells != 1 {
		return 0, 0, errOneCell
	}
	own, pool := int64(c.Headroom), int64(c.HeadroomPool)
	if !c.Pooled {
		return own, own, nil
	}
	held, free := make([]int64, n), c.Shared
	for i := range held {
		s := f.only(free, f.Alpha)
		free -= units.Cells(s)
		if f.Behaviour.Rules.Pause == mmu.OnExcess || int64(c.Reserved)+s == 0 {
			held[i] = min(1, own, pool)
			pool -= held[i]
		}
	}
	for i := range held {
		more := min(own-held[i], pool)
		held[i], pool = held[i]+more, pool-more
	}
	return held[0], held[n-1], nil
}
