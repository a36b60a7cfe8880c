package lint

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/plan"
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
			s.found.Errorf(PFCQueueMismatch, first(s.sw.QueueAt(k.qos, c.TrafficClass), s.sw.Places.PFCToQueue[p], c.Range), "traffic class %d is paused by priority %d and sent from queue %d, but a pause of priority %d from downstream stops %s", c.TrafficClass, p, queue, p, queueName(m.PFCToQueue[p])).
				Fixf("%s", stopping(c.TrafficClass, queue, p, m.PFCToQueue[p]))
			return true
		})
	}
}

// queueName names the queue that a pause stops.
func queueName(queue uint8) string {
	if queue == plan.NoQueue {
		return "no queue"
	}
	return fmt.Sprintf("queue %d", queue)
}

// stopping says how pauses of a priority come to stop a class.
func stopping(tc, queue, priority, stops uint8) string {
	if stops == plan.NoQueue {
		return fmt.Sprintf("let a pause of priority %d stop queue %d", priority, queue)
	}
	return fmt.Sprintf("map traffic class %d to queue %d, or priority %d to queue %d", tc, stops, priority, queue)
}
