package plan

import "testing"

// A class leaves a port from its own queue, unless the port's map of queues says another; a port of
// which nothing is told has no map.
func TestQueueOf(t *testing.T) {
	c := Class{TrafficClass: 3, Queue: 4}
	own := &PortQoS{TCToQueue: &QueueMap{To: [8]uint8{3: 6}}}
	sw := Switch{Maps: Maps{TCToQueue: [8]uint8{3: 4}}, Ports: []Port{{}, {QoS: &PortQoS{}}}}
	for _, c2 := range []struct {
		of   *PortQoS
		want uint8
	}{{nil, 4}, {&PortQoS{}, 4}, {own, 6}} {
		if got := c2.of.QueueOf(&c); got != c2.want || sw.QueuesOf(c2.of)[3] != c2.want {
			t.Errorf("queue %d and %d, want %d", got, sw.QueuesOf(c2.of)[3], c2.want)
		}
	}
	if sw.OwnQueues() {
		t.Error("no port has a map of its own")
	}
	if sw.Ports[0].QoS = own; !sw.OwnQueues() {
		t.Error("a port has a map of its own")
	}
}
