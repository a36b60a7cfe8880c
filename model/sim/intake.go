package sim

// Where a chip's buffer takes a packet in, it does so with the packet's first byte: then it finds a
// place for it or refuses it, and decides to pause. Headroom is computed for that: the largest
// frame that may be under way when the decision falls is counted once, not twice (IEEE 802.1Q Annex
// N; see model.Link). The packet can leave when its last byte is in and the chip has found out
// where to, which takes [Scenario.Latency]; meanwhile it holds its place. A chip of mmu.AtEnd does
// all of the former with the last byte.
//
// A packet on the link to such a port is therefore an event twice: the first time it only
// changes the buffer. PFC frames do not go through the pipeline: they act with their last byte.

// intake says how a port takes packets in and how the port at the other end does.
type intake uint8

const (
	peerFirst intake = 1 << iota // the other end counts a packet from its first byte
	ownFirst                     // this end does
	crossing                     // the other end is in another domain: domain.go
	peerQuiet                    // the other end is at a switch where first bytes are no events: quiet.go
	ownQuiet                     // so is this end, of a link between domains: the other end knows nothing of it
)

// entrance holds the packets and PFC frames that have begun to come in by a port and cannot leave
// yet; field in of a packet says meanwhile by which port it will leave.
type entrance struct {
	packets, frames list
	latency         int64 // of the pipeline, ps
	at              int64 // when the foremost packet can leave, if there is one
}

// countFirst lets a port count packets from the first byte on.
func (s *builder) countFirst(pi int32) {
	s.ports[pi].intake |= ownFirst
	s.ports[pi^1].intake |= peerFirst
}

// firstByte lets the packet that begins to come in by a port into its buffer. The later events of
// the packet keep their place in the order of events.
func (s *engine) firstByte(in int32, p *port) {
	s.handled-- // where the switch is quiet it is none
	id, pk := s.land(in, p)
	next := s.nextTime(pk)
	if pk.kind < pauseFrame {
		s.count(in, p, id, pk)
	} else {
		pk.in = none
	}
	s.comeIn(in, &s.entrances[in], id, pk, s.now+int64(s.txTimes[p.rateIndex][pk.size]))
	if s.silicon[p.node].calmedDown() {
		s.quieten(in, p, next)
	}
}

// count lets a packet into the buffer of the switch to which it comes by a port.
func (s *engine) count(in int32, p *port, id packetID, pk *packet) {
	class, b := pk.label.class(), s.silicon[p.node]
	out := s.nextPort(p.node, id, pk)
	if out < 0 || p.trouble&down != 0 || b.atEnd || !s.admitSilicon(b, in, out, p, class, pk) {
		pk.label |= refused
	}
	pk.in = out
}

// comeIn puts a packet whose last byte comes at a time behind those that have come in before.
func (s *engine) comeIn(in int32, e *entrance, id packetID, pk *packet, whole int64) {
	if pk.kind == pauseFrame || pk.kind == resumeFrame {
		s.follow(&e.frames, frameIn(in), id, pk, whole)
		return
	}
	if e.packets.head == 0 {
		e.at = whole + e.latency
	}
	s.follow(&e.packets, packetIn(in), id, pk, whole+e.latency)
}

// follow puts what comes in behind what has come in before, to be handled at a time.
func (s *engine) follow(l *list, event eventID, id packetID, pk *packet, at int64) {
	order := fixedPlace(event)
	if s.chained {
		order = s.order
	}
	if l.head == 0 {
		l.head = id
		s.events.push(event, at, order, id)
	} else {
		tail := &s.packets[l.tail]
		tail.next, tail.nextAt, tail.nextOrder = id, uint32(at), uint32(order)
	}
	l.tail = id
	pk.next = 0
}

// foremost takes the first of a list that [engine.follow] made, and schedules the next one.
func (s *engine) foremost(l *list, event eventID) (packetID, *packet) {
	id := l.head
	pk := &s.packets[id]
	l.head = pk.next
	if pk.next != 0 {
		s.events.push(event, s.nextTime(pk), s.nextPlace(event, pk), pk.next)
	}
	return id, pk
}

// frameCame obeys a PFC frame whose last byte is in.
func (s *engine) frameCame(in int32) {
	id, pk := s.foremost(&s.entrances[in].frames, frameIn(in))
	if p := &s.ports[in]; p.trouble == 0 || !s.intercept(in, p, id, pk) {
		s.receivePFC(in, p, id, pk)
	}
}

// packetCame queues a packet that can leave the switch, unless it was refused.
func (s *engine) packetCame(in int32) {
	e := &s.entrances[in]
	id, pk := s.foremost(&e.packets, packetIn(in))
	e.at = s.nextTime(pk)
	p := &s.ports[in]
	if pk.in == uncounted && s.goesThrough(in, p, id, pk) {
		return
	}
	switch {
	case p.trouble != 0 && s.intercept(in, p, id, pk):
	case pk.kind >= pauseFrame:
		s.receiveSignal(id, pk)
	default:
		s.goOn(in, p, id, pk)
	}
}

func (s *engine) goOn(in int32, p *port, id packetID, pk *packet) {
	out := pk.in
	pk.in = in
	if out < 0 {
		s.discard(id, pk, &s.unrouted)
		return
	}
	class, to := pk.label.class(), &s.ports[out]
	if pk.label&refused != 0 {
		if b := s.silicon[p.node]; p.trouble&down != 0 || !b.atEnd || !s.admitSilicon(b, in, out, p, class, pk) {
			s.refuse(in, out, id)
			return
		}
		pk.label &^= refused
	}
	if to.trouble != 0 {
		if counter := s.refuses(out, to, class); counter != nil {
			s.takeBack(in, out, pk)
			s.discard(id, pk, counter)
			return
		}
	}
	if s.weaver != nil && s.holdsBack(in, out, id, pk, true) {
		return
	}
	s.enqueue(out, to, class, id)
	s.peakQueue = max(s.peakQueue, s.queue(out, class).bytes)
	s.kick(out, to)
}

// spoilt returns the buffer of a packet that has come in damaged.
func (s *engine) spoilt(in int32, pk *packet) {
	if out := pk.in; pk.kind < pauseFrame && pk.label&refused == 0 {
		pk.in = in
		s.takeBack(in, out, pk)
	}
}

// takeBack returns the buffer of a packet that does not go on.
func (s *engine) takeBack(in, out int32, pk *packet) {
	s.releaseSilicon(s.silicon[s.ports[in].node], out, pk.label.class(), pk)
}
