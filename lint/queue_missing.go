package lint

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// queueMissing finds lossless queues that BUFFER_QUEUE forgot, where it has others.
func queueMissing(s *subject) {
	for _, c := range s.losslessClasses() {
		for _, k := range s.kinds {
			buffered := slices.ContainsFunc(k.qos.Queues, func(q plan.Queue) bool { return q.Pool != "" && q.Limit.Why != nil })
			q := k.queue(c)
			if s.carries(k, c) && buffered && (q == nil || q.Pool == "" && q.Limit.Why == nil) {
				s.found.Errorf(QueueMissing, first(s.sw.QueueAt(k.qos, c.TrafficClass), k.pfcAt()), "the lossless traffic class %d leaves %v from queue %d, to which the file gives no buffer", c.TrafficClass, k, k.qos.QueueOf(&c)).
					Fixf("give queue %d a pool and a limit", k.qos.QueueOf(&c))
			}
		}
	}
}
