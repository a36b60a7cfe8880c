package lint

import "github.com/roceplan/roceplan/plan"

// portUnscheduled warns of ports whose queues share as the device likes, while most ports
// say how.
func portUnscheduled(s *subject) {
	with, ports := 0, 0
	for _, k := range s.kinds {
		ports += len(k.ports)
		if scheduled(k.qos) {
			with += len(k.ports)
		}
	}
	if 2*with <= ports {
		return
	}
	for _, k := range s.kinds {
		if len(k.qos.Queues) > 0 && !scheduled(k.qos) {
			s.found.Warnf(PortUnscheduled, first(k.ports[0].Range, k.pfcAt()), "no queue of %v has a scheduler, but %d of %d ports have schedulers: its queues share the link by the device's default", k, with, ports).
				Fixf("give it the schedulers of the other ports")
		}
	}
}

// scheduled reports whether a file says how some queue is scheduled.
func scheduled(qos *plan.PortQoS) bool {
	for i := range qos.Queues {
		if s := &qos.Queues[i].Scheduler; s.Strict || s.Weight.Why != nil || s.MaxRate.Why != nil {
			return true
		}
	}
	return false
}
