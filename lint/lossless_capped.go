package lint

// losslessCapped warns of queues of RDMA that may send but a small part of their port.
func losslessCapped(s *subject) {
	for _, c := range s.rdmaClasses() {
		for _, k := range s.kinds {
			q := k.queue(c)
			if q == nil || !s.rdma(k, c) || q.Scheduler.MaxRate.Why == nil || q.Scheduler.MaxRate.Value == 0 {
				continue
			}
			for _, port := range k.ports {
				if cap := int64(q.Scheduler.MaxRate.Value); port.Speed != 0 && 100*(cap/1000) < leastShare*(int64(port.Speed)/1000) {
					s.found.Warnf(LosslessCapped, at(q.Scheduler.MaxRate, q.Scheduler.Range, k.pfcAt()), "queue %d of %s carries RDMA and may send only %v of %v: packets that arrive faster wait, and their senders are paused", q.ID, port.Name, q.Scheduler.MaxRate.Value, port.Speed).
						Fixf("remove the cap, or raise it")
					break
				}
			}
		}
	}
}
