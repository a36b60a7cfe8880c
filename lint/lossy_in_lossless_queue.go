package lint

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// lossyInLosslessQueue finds queues that two kinds of class share.
func lossyInLosslessQueue(s *subject) {
	lossless := s.losslessClasses()
	for _, c := range s.sw.Classes {
		if slices.ContainsFunc(lossless, func(l plan.Class) bool { return l.TrafficClass == c.TrafficClass }) || len(c.DSCPs) == 0 {
			continue
		}
		i := slices.IndexFunc(lossless, func(l plan.Class) bool { return l.Queue == c.Queue })
		if i < 0 {
			continue
		}
		s.found.Errorf(LossyInLosslessQueue, first(s.sw.Places.TCToQueue[c.TrafficClass&7], c.Range), "traffic class %d is lossy and leaves from queue %d like the lossless class %d: when that one is paused, so is this one, and nothing pauses its senders", c.TrafficClass, c.Queue, lossless[i].TrafficClass).
			Fixf("give the two classes queues of their own")
	}
}
