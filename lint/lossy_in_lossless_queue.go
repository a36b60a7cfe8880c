package lint

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// lossyInLosslessQueue finds queues that two kinds of class share, by the map of the switch or by
// that of some ports.
func lossyInLosslessQueue(s *subject) {
	lossless := s.losslessClasses()
	for _, c := range s.sw.Classes {
		if slices.ContainsFunc(lossless, func(l plan.Class) bool { return l.TrafficClass == c.TrafficClass }) || len(c.DSCPs) == 0 {
			continue
		}
		s.eachMap(func(k kind) bool {
			queue := k.qos.QueueOf(&c)
			i := slices.IndexFunc(lossless, func(l plan.Class) bool { return k.qos.QueueOf(&l) == queue && s.carries(k, l) })
			if i < 0 {
				return false
			}
			s.found.Errorf(LossyInLosslessQueue, first(s.sw.QueueAt(k.qos, c.TrafficClass), c.Range), "the lossy traffic class %d shares queue %d with the lossless class %d: a pause of the queue stops both, and nothing pauses the senders of the lossy class", c.TrafficClass, queue, lossless[i].TrafficClass).
				Fixf("give the two classes queues of their own")
			return true
		})
	}
}
