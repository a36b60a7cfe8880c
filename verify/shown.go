package verify

import (
	"slices"

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

// poolLike is the pool that the fabric plans for the lossless groups or queues that are in a pool of a file; nil if
// there are none.
func poolLike(sw, planned *plan.Switch, p *plan.Pool) *plan.Pool {
	named := func(name string) *plan.Pool {
		if i := slices.IndexFunc(planned.Pools, func(own plan.Pool) bool { return own.Name == name }); i >= 0 {
			return &planned.Pools[i]
		}
		return nil
	}
	queues := losslessOf(sw).queues
	for i := range sw.Ports {
		qos, k := sw.Ports[i].QoS, slices.IndexFunc(planned.Ports, func(own plan.Port) bool { return own.Name == sw.Ports[i].Name })
		if qos == nil || k < 0 || planned.Ports[k].QoS == nil {
			continue
		}
		for _, pg := range qos.PGs {
			for _, own := range planned.Ports[k].QoS.PGs {
				if pg.Lossless && pg.Pool == p.Name && own.ID == pg.ID {
					return named(own.Pool)
				}
			}
		}
		for _, q := range qos.Queues {
			for _, own := range planned.Ports[k].QoS.Queues {
				if queues>>(q.ID&15)&1 == 1 && q.Pool == p.Name && own.ID == q.ID {
					return named(own.Pool)
				}
			}
		}
	}
	return nil
}
