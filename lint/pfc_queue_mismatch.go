package lint

import (
	"slices"
)

// pfcQueueMismatch follows a class through the switch: the priority that pauses its PG
// upstream has to stop, when it comes from downstream, the queue that it leaves from.
func pfcQueueMismatch(s *subject) {
	m := &s.sw.Maps
	for _, c := range s.losslessClasses() {
		s.eachMap(func(k kind) bool {
			priorities, queue := s.pauses(k, c.PG), k.qos.QueueOf(&c)
			if len(priorities) == 0 || slices.ContainsFunc(priorities, func(p uint8) bool { return m.PFCToQueue[p] == queue }) {
				return false
			}
			p := priorities[0]
			s.found.Errorf(PFCQueueMismatch, first(s.sw.QueueAt(k.qos, c.TrafficClass), s.sw.Places.PFCToQueue[p], c.Range), "traffic class %d is paused by priority %d and sent from queue %d, but a pause of priority %d from downstream stops queue %d", c.TrafficClass, p, queue, p, m.PFCToQueue[p]).
				Fixf("map traffic class %d to queue %d, or priority %d to queue %d", c.TrafficClass, m.PFCToQueue[p], p, queue)
			return true
		})
	}
}
