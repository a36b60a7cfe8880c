package verify

import (
	"github.com/roceplan/roceplan/plan"
)

// shownPools gives pools the sizes that the fabric pins, which are what the device shows, since its configuration
// has no line for them. It reports whether all pools of lossless traffic have one.
func (s *Switch) shownPools(planned *plan.Switch) bool {
	sides := 0
	for i := range s.Plan.Pools {
		p := &s.Plan.Pools[i]
		from := poolLike(s.Plan, planned, p)
		if from == nil {
			continue // no lossless traffic uses it
		}
		if !from.Size.Why.IsPinned() || p.Headroom.Value > 0 && p.HeadroomPercent > 0 && !from.Headroom.Why.IsPinned() {
			return false
		}
		sides |= 1 << p.Direction
		p.Size = from.Size
		if p.HeadroomPercent > 0 {
			p.Headroom = from.Headroom
		}
		s.declares("size of pool %s, %v, as the device shows it", p.Name, p.Size.Value)
	}
	boundByPools(s.Plan)
	return sides == 1<<plan.Ingress|1<<plan.Egress
}

// poolLike returns the pool that the fabric plans for the lossless groups or queues that are in a pool of a
// file; nil if there are none.
func poolLike(sw, planned *plan.Switch, p *plan.Pool) *plan.Pool {
	queues := losslessOf(sw).queues
	for i := range sw.Ports {
		qos, like := sw.Ports[i].QoS, planned.Port(sw.Ports[i].Name)
		if qos == nil || like == nil {
			continue
		}
		for _, pg := range qos.PGs {
			if own := like.QoS.PG(pg.ID); own != nil && pg.Lossless && pg.Pool == p.Name {
				return planned.Pool(own.Pool)
			}
		}
		for _, q := range qos.Queues {
			if own := like.QoS.Queue(q.ID); own != nil && queues>>(q.ID&15)&1 == 1 && q.Pool == p.Name {
				return planned.Pool(own.Pool)
			}
		}
	}
	return nil
}
