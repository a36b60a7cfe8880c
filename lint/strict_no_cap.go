package lint

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// strictNoCap warns of strict queues on ports with RDMA that can starve the others.
func strictNoCap(s *subject) {
	rdma := s.rdmaClasses()
	for _, c := range s.sw.Classes {
		if len(rdma) == 0 || len(c.DSCPs) == 0 {
			continue
		}
		for _, k := range s.kinds {
			q := k.queue(c)
			if q == nil || !q.Scheduler.Strict || q.Scheduler.MaxRate.Value != 0 || !weighted(k.qos) || !s.roce(k) ||
				slices.ContainsFunc(rdma, func(l plan.Class) bool { return k.qos.QueueOf(&l) == q.ID }) {
				continue
			}
			s.found.Warnf(StrictNoCap, first(q.Scheduler.Range, at(q.Limit), s.sw.QueueAt(k.qos, c.TrafficClass), c.Range), "queue %d of %v is strict and has no cap: a sender of DSCP %d can starve RDMA", q.ID, k, c.DSCPs[0]).
				Fixf("cap it at the rate of CNPs, some hundred Mb/s")
		}
	}
}

// weighted reports whether some queue shares by weight: only then can a strict one starve it.
func weighted(qos *plan.PortQoS) bool {
	return slices.ContainsFunc(qos.Queues, func(q plan.Queue) bool { return !q.Scheduler.Strict && q.Scheduler.Weight.Value != 0 })
}
