package lint

import "github.com/roceplan/roceplan/plan"

// losslessStrict warns of queues of RDMA that nothing holds back.
func losslessStrict(s *subject) {
	for _, c := range s.rdmaClasses() {
		for _, k := range s.kinds {
			q := k.queue(c)
			if q != nil && s.rdma(k, c) && q.Scheduler.Strict && q.Scheduler.MaxRate.Value == 0 && told(k.qos) > 1 && (q.Pool != "" || s.silent()) {
				s.found.Warnf(LosslessStrict, first(q.Scheduler.Range, at(q.Limit), k.pfcAt()), "queue %d of %v, which carries RDMA, is strict and has no cap: other queues get only the bandwidth that it leaves", q.ID, k).
					Fixf("share by weight")
			}
		}
	}
}

// told counts the queues that the file tells something of.
func told(qos *plan.PortQoS) (n int) {
	for i := range qos.Queues {
		if why := qos.Queues[i].Limit.Why; why == nil || why.Kind != plan.Default {
			n++
		}
	}
	return n
}
