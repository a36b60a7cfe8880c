package lint

// losslessStrict warns of lossless queues that nothing holds back.
func losslessStrict(s *subject) {
	for _, c := range s.losslessClasses() {
		for _, k := range s.kinds {
			q := queueOf(k.qos, c.Queue)
			if q != nil && s.carries(k, c) && q.Scheduler.Strict && q.Scheduler.MaxRate.Value == 0 && len(k.qos.Queues) > 1 && q.Pool != "" {
				s.found.Warnf(LosslessStrict, first(q.Scheduler.Range, at(q.Limit), k.pfcAt()), "the lossless queue %d of %v is strict and has no cap: other queues get what it leaves", q.ID, k).
					Fixf("share by weight")
			}
		}
	}
}
