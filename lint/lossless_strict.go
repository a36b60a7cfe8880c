package lint

// losslessStrict warns of queues of RDMA that nothing holds back.
func losslessStrict(s *subject) {
	for _, c := range s.rdmaClasses() {
		for _, k := range s.kinds {
			q := queueOf(k.qos, c.Queue)
			if q != nil && s.rdma(k, c) && q.Scheduler.Strict && q.Scheduler.MaxRate.Value == 0 && len(k.qos.Queues) > 1 && (q.Pool != "" || s.silent()) {
				s.found.Warnf(LosslessStrict, first(q.Scheduler.Range, at(q.Limit), k.pfcAt()), "queue %d of %v, which carries RDMA, is strict and has no cap: other queues get what it leaves", q.ID, k).
					Fixf("share by weight")
			}
		}
	}
}
