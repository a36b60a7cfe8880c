package sim

import "math/bits"

// port is one end of a link, which sends on it and receives from it. The ports of a link are
// neighbours, so that the other end of p is p^1. It fills one cache line; fields that are needed
// less often are in [portConfig].
type port struct {
	busyUntil int64  // end of the transmission under way or of the last one
	txOrder   uint64 // that end's place among events of its time
	delay     int64  // of the link, ps
	sent      uint64 // bytes, for INT

	flight  list  // packets on the link that come here, by arrival
	backlog int32 // bytes in all queues
	node    int32
	nic     int32 // index into [engine.nics] at a host, -1 at a switch

	waiting   uint8 // a bit per class with packets queued
	paused    uint8 // a bit per class that the other end paused
	pausing   uint8 // a bit per class that we paused at the other end
	obeying   uint8 // a bit per class that will be paused when the response time is over
	last      uint8 // class served last, of 1 to 7
	shift     uint8 // dynamic threshold for what comes in here: alpha = 2^-shift
	rateIndex uint8 // of [engine.txTimes]
	txPending bool  // the end of the transmission is an event
	intake    intake
	trouble   trouble
	over      uint16 // domain of the other end, if that is another: see [crossing]
}

// portConfig is the part of a port that never changes and is seldom needed.
type portConfig struct {
	rate     int64  // bit/s
	loss     uint64 // a random number below this loses an arriving packet
	response int64  // to a pause, ps
	hold     int64  // of a pause, ps; 0: until it is taken back
	chipPort int    // number in the switch's [SiliconBuffer]
	part     uint8  // of the buffer that packets come into
}

// busy reports whether a transmission is under way at this point of the order of events.
func (s *engine) busy(p *port) bool {
	return s.now < p.busyUntil || s.now == p.busyUntil && s.order < p.txOrder
}

// transmit puts a packet on the wire of an idle port.
func (s *engine) transmit(pi int32, p *port, id packetID, pk *packet) {
	p.busyUntil = s.now + int64(s.txTimes[p.rateIndex][pk.size])
	p.txOrder = s.place(transmitted(pi))
	p.sent += uint64(pk.size)
	if pk.kind < pauseFrame {
		s.hops++
	}
	at := p.busyUntil + p.delay
	if p.intake&peerQuiet != 0 {
		s.comeQuietly(pi^1, id, pk, at)
		return
	}
	order := s.place(arrival(pi ^ 1))
	if p.intake&peerFirst != 0 {
		at = s.now + p.delay
	}
	if p.intake&crossing != 0 {
		s.domain.send(s, p.over, pi^1, id, pk, at)
		return
	}
	s.fly(pi^1, id, pk, at, order)
}

// fly puts a packet on the link that ends at a port, behind those that are there.
func (s *engine) fly(in int32, id packetID, pk *packet, at int64, order uint64) {
	to := &s.ports[in]
	if to.flight.head == 0 {
		to.flight.head = id
		s.events.push(arrival(in), at, order, id)
	} else {
		tail := &s.packets[to.flight.tail]
		tail.next, tail.nextAt, tail.nextOrder = id, uint32(at), uint32(order)
	}
	to.flight.tail = id
	pk.next = 0
}

// land takes the foremost packet off the link that ends at a port and schedules the next arrival.
// Its time is less than maxFlight ahead, its order was given out not long ago.
func (s *engine) land(in int32, p *port) (packetID, *packet) {
	id := p.flight.head
	pk := &s.packets[id]
	p.flight.head = pk.next
	if pk.next != 0 {
		next := arrival(in)
		s.events.push(next, s.nextTime(pk), s.nextPlace(next, pk), pk.next)
	}
	return id, pk
}

// nextTime returns the time at which the packet behind another one comes, from the low bits.
func (s *engine) nextTime(pk *packet) int64 { return s.now + int64(pk.nextAt-uint32(s.now)) }

// nextPlace returns the place of that event, from the low bits of its order.
func (s *engine) nextPlace(event eventID, pk *packet) uint64 {
	if s.chained {
		return s.drawn - uint64(uint32(s.drawn)-pk.nextOrder)
	}
	return fixedPlace(event)
}

// maxFlight bounds a link's delay together with a transmission, in ps: 4.29 ms, the
// light's way through 850 km of fibre.
const maxFlight = 1<<32 - 1

// wakeAtEnd makes the end of the transmission an event, because something waits.
func (s *engine) wakeAtEnd(pi int32, p *port) {
	if !p.txPending {
		p.txPending = true
		about := packetID(0)
		if p.nic < 0 { // the packet that will be sent, if a single class waits
			about = s.queue(pi, uint8(bits.TrailingZeros8(p.waiting))).head
		}
		s.events.push(transmitted(pi), p.busyUntil, p.txOrder, about)
	}
}

// departure returns the time at which the transmission of a packet began that arrives at a port
// now. Both ends of a link are alike.
func (s *engine) departure(p *port, pk *packet) int64 {
	return s.now - p.delay - int64(s.txTimes[p.rateIndex][pk.size])
}
