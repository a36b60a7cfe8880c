package lint

import "github.com/roceplan/roceplan/plan"

// marks reports whether a queue has a marking curve, in whatever figures.
func marks(q *plan.Queue) bool { return q.ECN != nil || q.Curve != "" && !q.Curve.Drops() }

// ecnMissing finds lossless queues without a marking curve.
func ecnMissing(s *subject) {
	for _, c := range s.losslessClasses() {
		for _, k := range s.kinds {
			q := k.queue(c)
			if !s.carries(k, c) || q == nil || marks(q) {
				continue
			}
			s.found.Warnf(ECNMissing, first(q.Scheduler.Range, at(q.Scheduler.Weight, at(q.Limit)), k.pfcAt()), "queue %d of %v carries the lossless traffic class %d and marks no packet", q.ID, k, c.TrafficClass).
				Fixf("give the queue a WRED profile with ECN, unless its hosts use TIMELY, Swift or HPCC")
		}
	}
}
