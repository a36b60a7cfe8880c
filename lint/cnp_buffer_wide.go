package lint

import "github.com/roceplan/roceplan/units"

// cnpBufferWide warns of capped queues of CNPs that may fill the buffer: above its cap, what
// arrives for the queue waits there.
func cnpBufferWide(s *subject) {
	c, ok := s.cnpClass()
	if !ok {
		return
	}
	for _, k := range s.kinds {
		q := k.queue(c)
		if q == nil || !q.Scheduler.Strict || q.Scheduler.MaxRate.Value == 0 || q.Limit.Why == nil || !q.Limit.Value.Dynamic || q.Limit.Value.Alpha <= units.Alpha(0) {
			continue
		}
		num, den := q.Limit.Value.Alpha.Fraction()
		s.found.Warnf(CNPBufferWide, at(q.Limit, k.pfcAt()), "queue %d of %v carries CNPs, sends at most %v and may hold %d/%d of the pool: a sender of DSCP %d above that rate takes the buffer from all other queues", q.ID, k, q.Scheduler.MaxRate.Value, num, num+den, CNPDSCP).
			Fixf("limit it to alpha 1 or less, or to a few frames")
	}
}
