package lint

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// cnpUnreserved warns of strict queues for CNPs that have no buffer of their own, nor has
// their port.
func cnpUnreserved(s *subject) {
	c, ok := s.cnpClass()
	if !ok {
		return
	}
	for _, k := range s.kinds {
		q := k.queue(c)
		if q == nil || !q.Scheduler.Strict || q.Reserved.Why == nil || q.Reserved.Value != 0 || q.Limit.Why == nil || !q.Limit.Value.Dynamic {
			continue
		}
		if slices.ContainsFunc(k.qos.Pools, func(p plan.PortPool) bool { return p.Pool == q.Pool && p.Reserved.Value != 0 }) {
			continue
		}
		s.found.Warnf(CNPUnreserved, at(q.Reserved, q.Range, k.pfcAt()), "queue %d of %v carries CNPs (DSCP %d) and has no reserved buffer: when other queues fill the pool, the switch drops the CNPs that would end the congestion", q.ID, k, CNPDSCP).
			Fixf("reserve a frame for the queue")
	}
}
