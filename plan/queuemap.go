package plan

import "github.com/roceplan/roceplan/diag"

// A QueueMap says by which queue packets of each traffic class leave a port: SONiC's
// TC_TO_QUEUE_MAP, of which each port may have another.
type QueueMap struct {
	To [8]uint8
	At [8]diag.Range // where a file that was read says each entry; zero: it leaves it to the chip
}

// QueuesOf returns the map from traffic classes to queues of a port, its own or that of the switch.
func (s *Switch) QueuesOf(q *PortQoS) *[8]uint8 {
	if q != nil && q.TCToQueue != nil {
		return &q.TCToQueue.To
	}
	return &s.Maps.TCToQueue
}

// QueueAt returns the place in a file that was read which gives the queue by which a traffic class leaves a port.
func (s *Switch) QueueAt(q *PortQoS, tc uint8) diag.Range {
	if q != nil && q.TCToQueue != nil {
		return q.TCToQueue.At[tc&7]
	}
	return s.Places.TCToQueue[tc&7]
}

// QueueOf returns the queue by which a class leaves a port: that of the class, unless the port has a
// map of its own. q may be nil.
func (q *PortQoS) QueueOf(c *Class) uint8 {
	if q != nil && q.TCToQueue != nil {
		return q.TCToQueue.To[c.TrafficClass&7]
	}
	return c.Queue
}

// OwnQueues reports whether some port has a map of queues of its own.
func (s *Switch) OwnQueues() bool {
	for i := range s.Ports {
		if q := s.Ports[i].QoS; q != nil && q.TCToQueue != nil {
			return true
		}
	}
	return false
}
