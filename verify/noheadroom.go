package verify

import (
	"cmp"
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// emptyHeadroomPool finds a pool that a file gives less headroom than a cell in each part of the
// buffer, and lossless groups that want some. In a plan a pool without headroom is one whose groups
// own theirs; whether a device takes 0 for that, or leaves them nothing, is published of NVIDIA's alone.
func (s *Switch) emptyHeadroomPool() (what string, at diag.Range) {
	if s.chip == nil || s.Plan.OS != "eos" && s.chip.Family != chips.XGS {
		return "", at
	}
	least := s.chip.CellSize.Or(1) * units.Bytes(s.chip.Slices.Or(1))
	for i := range s.Plan.Pools {
		pool := &s.Plan.Pools[i]
		why := pool.Headroom.Why
		if pool.Direction == plan.Ingress && why != nil && why.Kind == plan.ReadBack && pool.Headroom.Value < least && s.wantsHeadroom(pool.Name) {
			what = fmt.Sprintf("the headroom pool of %s has %v, but a cell in each part of the buffer takes %v: it is not published whether its groups then own their headroom or have none", pool.Name, pool.Headroom.Value, least)
			return what, cmp.Or(why.Range, pool.Range)
		}
	}
	return "", at
}

// wantsHeadroom reports whether a lossless group of a pool has headroom.
func (s *Switch) wantsHeadroom(pool string) bool {
	for _, qos := range kindsOf(s.Plan) {
		for i := range qos.PGs {
			if pg := &qos.PGs[i]; pg.Lossless && pg.Pool == pool && pg.Headroom.Value > 0 {
				return true
			}
		}
	}
	return false
}
