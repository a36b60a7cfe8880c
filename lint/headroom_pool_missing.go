package lint

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
)

// headroomPoolMissing warns of files that give PGs headroom and the pool of it no size, on
// chips that count all headroom against one.
func headroomPoolMissing(s *subject) {
	if s.chip == nil || s.chip.Family != chips.XGS || !s.chip.HeadroomPool.Or(false) {
		return
	}
	for _, k := range s.kinds {
		for i := range k.qos.PGs {
			pg := &k.qos.PGs[i]
			pool := s.pool(pg.Pool)
			if !pg.Lossless || pg.Headroom.Value == 0 || pool == nil || pool.Direction != plan.Ingress || pool.Size.Why == nil || pool.Size.Why.Kind != plan.ReadBack || pool.Headroom.Why != nil {
				continue
			}
			s.found.Warnf(HeadroomPoolMissing, first(pool.Range, at(pool.Size)), "priority group %d of %v has %v of headroom, but %s has no size of the headroom pool from which %s takes it, and no vendor publishes the result", pg.ID, k, pg.Headroom.Value, pool.Name, s.chip.Title).
				Fixf("give the pool an xoff: the sum of all headroom, or the part that may be in use at once")
		}
	}
}
