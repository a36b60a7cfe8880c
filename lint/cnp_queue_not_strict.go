package lint

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// cnpQueueNotStrict finds CNPs that wait their turn.
func cnpQueueNotStrict(s *subject) {
	c, ok := s.cnpClass()
	if !ok {
		return
	}
	for _, k := range s.kinds {
		own := k.queue(c)
		if own == nil || own.Scheduler.Strict || !s.roce(k) || !s.silent() && k.qos.PFC == 0 {
			continue
		}
		strict := func(q plan.Queue) bool { return q.Scheduler.Strict && (q.ID == 6 || q.ID == 7) }
		said := own.Scheduler.Weight.Why != nil || own.Scheduler.MaxRate.Why != nil
		if !said || slices.ContainsFunc(k.qos.Queues, strict) {
			continue // nothing is said of the queue, or cnp-priority has more to say
		}
		s.found.Warnf(CNPQueueNotStrict, at(own.Scheduler.Weight, at(own.Scheduler.MaxRate, s.dscpAt(CNPDSCP, c))), "CNPs (DSCP %d) leave %v from queue %d, which shares by weight", CNPDSCP, k, own.ID).
			Fixf("make queue %d strict, with a cap", own.ID).Notef(s.dscpAt(CNPDSCP, c), "the class of CNPs")
		return
	}
}
