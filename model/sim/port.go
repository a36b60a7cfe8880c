package sim

import "math/bits"

const classes = 8

// port is one end of a link: it sends on it, and what arrives from it comes in here.
// The ports of a link are neighbours, so that the other end of p is p^1.
type port struct {
	// Sending.
	busyUntil int64   // end of the transmission under way or of the last one
	txOrder   uint64  // that end's place among events of its time
	txTime    []int32 // transmission time in ps, by size in bytes
	delay     int64   // of the link, ps
	flight    list    // packets on the link, by arrival
	backlog   int32   // bytes in all queues
	node      int32
	nic       int32 // index into [Sim.nics] at a host, -1 at a switch
	waiting   uint8 // a bit per class with packets queued
	paused    uint8 // a bit per class that the other end paused
	last      uint8 // class served last, of 1 to 7
	txPending bool  // the end of the transmission is an event

	// Receiving.
	pausing       uint8  // a bit per class that we paused at the other end
	shift         uint8  // dynamic threshold: alpha = 2^-shift
	headroomLimit uint32 // bytes per class
	loss          uint64 // a random number below this loses the packet

	mark ecnProfile
	sent uint64 // bytes, for INT
	rate int64  // bit/s

	class [classes]portClass
}

// portClass is a queue towards the link and the accounting of what came from it.
type portClass struct {
	queue    list
	queued   uint32 // bytes in queue
	ingress  uint32 // bytes in the switch that came in here, in reserve and shared pool
	headroom uint32 // bytes in the switch that came in here, in headroom
	_        [3]uint32
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

func (p *port) enqueue(packets []packet, class uint8, id packetID) {
	c := &p.class[class]
	c.queue.push(packets, id)
	size := packets[id].size
	c.queued += uint32(size)
	p.backlog += size
	p.waiting |= 1 << class
}

func (p *port) dequeue(packets []packet, class uint8) packetID {
	c := &p.class[class]
	id := c.queue.pop(packets)
	size := packets[id].size
	c.queued -= uint32(size)
	p.backlog -= size
	if c.queue.head == 0 {
		p.waiting &^= 1 << class
	}
	if class != 0 {
		p.last = class
	}
	return id
}

// busy tells whether a transmission is under way at this point of the order of events.
func (s *Sim) busy(p *port) bool {
	return s.now < p.busyUntil || s.now == p.busyUntil && s.order < p.txOrder
}

// transmit puts a packet on the wire of an idle port.
func (s *Sim) transmit(pi int32, p *port, id packetID) {
	pk := &s.packets[id]
	p.busyUntil = s.now + int64(p.txTime[pk.size])
	p.txOrder = s.draw()
	pk.at = p.busyUntil + p.delay
	pk.order = s.draw()
	p.sent += uint64(pk.size)
	if p.flight.head == 0 {
		s.events.push(arrival(pi), pk.at, pk.order)
	}
	p.flight.push(s.packets, id)
	if pk.kind <= nackPacket {
		s.hops++
	}
}

// wakeAtEnd makes the end of the transmission an event, because something waits.
func (s *Sim) wakeAtEnd(pi int32, p *port) {
	if !p.txPending {
		p.txPending = true
		s.events.push(transmitted(pi), p.busyUntil, p.txOrder)
	}
}

// departure is when the transmission of a packet began that now arrives at a port.
func (s *Sim) departure(in int32, pk *packet) int64 {
	from := &s.ports[in^1]
	return pk.at - from.delay - int64(from.txTime[pk.size])
}
