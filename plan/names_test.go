package plan

import "testing"

// What no class names has a name of its own, whatever classes are called.
func TestNamesOfQueuesAndTrafficClasses(t *testing.T) {
	s := &Switch{Classes: []Class{{Name: "rest", TrafficClass: 1}, {Name: "more", TrafficClass: 1}, {Name: "queue-5", TrafficClass: 6}, {Name: "tc-0", TrafficClass: 3}, {Name: "no-tc-0", TrafficClass: 4}}}
	for i := range uint8(8) {
		s.Maps.TCToQueue[i] = i
	}
	for _, c := range []struct {
		got, want string
	}{
		{s.QueueName(1), "rest"}, {s.QueueName(6), "queue-5"}, {s.QueueName(5), "no-queue-5"}, {s.QueueName(7), "queue-7"},
		{s.TrafficClassName(1), "rest"}, {s.TrafficClassName(3), "tc-0"}, {s.TrafficClassName(0), "no-no-tc-0"}, {s.TrafficClassName(5), "tc-5"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func TestRanges(t *testing.T) {
	for want, numbers := range map[string][]uint8{
		"": nil, "5": {5}, "0-2": {0, 1, 2}, "0-1,4,6-8": {0, 1, 4, 6, 7, 8}, "1,3,5": {1, 3, 5}, "62-63": {62, 63},
	} {
		if got := Ranges(numbers); got != want {
			t.Errorf("Ranges(%v) = %q, want %q", numbers, got, want)
		}
	}
}

// A class leaves a port from its own queue, unless the port's map of queues says another; a port of
// which no settings are known has no map.
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
