package plan

import "fmt"

// QueueName is the name of an egress queue on targets that have names for queues: that
// of the first class that is sent from it. Names of classes differ, so do these.
func (s *Switch) QueueName(queue uint8) string {
	for _, c := range s.Classes {
		if s.Maps.TCToQueue[c.TrafficClass&7] == queue {
			return c.Name
		}
	}
	return fmt.Sprintf("queue-%d", queue)
}
