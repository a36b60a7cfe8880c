package lint

// weightZero finds queues that share by weight and have none.
func weightZero(s *subject) {
	for _, k := range s.kinds {
		for _, q := range k.qos.Queues {
			if w := q.Scheduler.Weight; !q.Scheduler.Strict && w.Why != nil && w.Value == 0 {
				s.found.Errorf(WeightZero, at(w, q.Scheduler.Range, k.pfcAt()), "queue %d of %v shares the link by weight, but its weight is 0: the chip decides its share, which may be nothing", q.ID, k).
					Fixf("give it a weight of 1 or more")
			}
		}
	}
}
