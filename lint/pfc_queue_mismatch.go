package lint

import (
	"slices"
)

// pfcQueueMismatch follows a class through the switch: the priority that pauses its PG
// upstream has to stop, when it comes from downstream, the queue that it leaves from.
func pfcQueueMismatch(s *subject) {
	m := &s.sw.Maps
	for _, c := range s.losslessClasses() {
		for _, k := range s.kinds {
			priorities := s.pauses(k, c.PG)
			if len(priorities) == 0 || slices.ContainsFunc(priorities, func(p uint8) bool { return m.PFCToQueue[p] == c.Queue }) {
				continue
			}
			p := priorities[0]
			s.found.Errorf(PFCQueueMismatch, first(s.sw.Places.TCToQueue[c.TrafficClass&7], s.sw.Places.PFCToQueue[p], c.Range), "traffic class %d is paused by priority %d and sent from queue %d, but a pause of priority %d from downstream stops queue %d", c.TrafficClass, p, c.Queue, p, m.PFCToQueue[p]).
				Fixf("map traffic class %d to queue %d, or priority %d to queue %d", c.TrafficClass, m.PFCToQueue[p], p, c.Queue)
			break
		}
	}
}
