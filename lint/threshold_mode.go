package lint

import "github.com/roceplan/roceplan/plan"

// thresholdMode warns of lossless PGs with a dynamic threshold in a pool that takes static
// ones. Files that ship mix the two at egress, and never here.
func thresholdMode(s *subject) {
	for _, k := range s.kinds {
		for i := range k.qos.PGs {
			pg := &k.qos.PGs[i]
			pool := s.pool(pg.Pool)
			if !pg.Lossless || pg.Limit.Why == nil || !pg.Limit.Value.Dynamic || pool == nil || pool.Direction != plan.Ingress || pool.Dynamic || pool.Size.Why == nil || pool.Size.Why.Kind != plan.ReadBack {
				continue
			}
			s.found.Warnf(ThresholdMode, first(pool.Range, at(pool.Size)), "%s has static thresholds, but priority group %d of %v has %v", pool.Name, pg.ID, k, pg.Limit.Value).
				Fixf("make the pool dynamic").Notef(at(pg.Limit), "the threshold")
		}
	}
}
