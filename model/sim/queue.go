package sim

import "math/bits"

// classes is the number of priorities of 802.1Q, and so of queues and priority groups.
const classes = 8

// list is a first-in-first-out chain of packets; tail is valid only if head is not 0.
type list struct{ head, tail packetID }

func (l *list) push(packets []packet, id packetID) {
	packets[id].next = 0
	if l.head == 0 {
		l.head = id
	} else {
		packets[l.tail].next = id
	}
	l.tail = id
}

func (l *list) pop(packets []packet) packetID {
	id := l.head
	l.head = packets[id].next
	return id
}

// queue is one class's at a port.
type queue struct {
	list
	bytes uint32
}

func (s *engine) queue(pi int32, class uint8) *queue { return &s.queues[s.cell(pi, class)] }

// cell returns the index of state by class and port. All ports of a class are together: most fabrics use
// two of eight classes, and the others would take up cache.
func (s *engine) cell(pi int32, class uint8) int32 {
	return int32(class&(classes-1))*int32(len(s.ports)) + pi
}

func (s *engine) enqueue(pi int32, p *port, class uint8, id packetID) {
	if s.noting {
		s.note(pi, class, &s.packets[id], 1)
	}
	q := s.queue(pi, class)
	q.push(s.packets, id)
	size := s.packets[id].size
	q.bytes += uint32(size)
	p.backlog += int32(size)
	p.waiting |= 1 << class
}

func (s *engine) dequeue(pi int32, p *port, class uint8) packetID {
	q := s.queue(pi, class)
	if s.noting {
		s.note(pi, class, &s.packets[q.head], -1)
	}
	id := q.pop(s.packets)
	size := s.packets[id].size
	q.bytes -= uint32(size)
	p.backlog -= int32(size)
	if q.head == 0 {
		p.waiting &^= 1 << class
	}
	if class != 0 {
		p.last = class
	}
	return id
}

// nextClass chooses the queue to serve: 0 before all others and in spite of PFC, as
// control frames must; 1 to 7 in turn.
func (p *port) nextClass() (class uint8, ok bool) {
	ready := p.waiting &^ (p.paused &^ 1)
	if ready == 0 {
		return 0, false
	}
	if ready&1 != 0 {
		return 0, true
	}
	after := p.last + 1
	turn := bits.TrailingZeros8(bits.RotateLeft8(ready, -int(after)))
	return (after + uint8(turn)) % classes, true
}
