package lint

// ecnMissing finds lossless queues without a marking curve.
func ecnMissing(s *subject) {
	for _, c := range s.losslessClasses() {
		for _, k := range s.kinds {
			q := queueOf(k.qos, c.Queue)
			if !s.carries(k, c) || q == nil || q.ECN != nil {
				continue
			}
			s.found.Warnf(ECNMissing, first(q.Scheduler.Range, at(q.Scheduler.Weight, at(q.Limit)), k.pfcAt()), "queue %d of %v carries the lossless traffic class %d and marks no packet", c.Queue, k, c.TrafficClass).
				Fixf("give the queue a WRED profile with ECN, unless its hosts use TIMELY, Swift or HPCC")
		}
	}
}
