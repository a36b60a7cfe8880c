package sim

// Where a chip's buffer takes a packet in, it does so with the packet's first byte: then it
// finds a place for it or refuses it, and decides to pause. That is what headroom is
// computed for: the largest frame that may be under way when the decision falls is counted
// once, not twice (IEEE 802.1Q Annex N; see model.Link). The packet can leave when its last
// byte is in. A chip of mmu.AtEnd does all that with the last byte.
//
// A packet on the link to such a port is therefore an event twice: the first time it only
// changes the buffer.

// intake says how a port takes packets in and how the port at the other end does.
type intake uint8

const (
	peerFirst  intake = 1 << iota // the other end counts a packet from its first byte
	awaitFirst                    // the next event of the link is a packet's first byte
	awaitLast                     // the next one is the last byte of the packet that is coming in
)

// entrance is what was decided of the packet that is coming in by a port.
type entrance struct {
	out     int32
	refused bool
}

// countFirst lets a port count packets from the first byte on.
func (s *engine) countFirst(pi int32) {
	s.ports[pi].intake |= awaitFirst
	s.ports[pi^1].intake |= peerFirst
}

// firstByte lets the packet that begins to come in by a port into its buffer. Its last byte
// keeps its place in the order of events.
func (s *engine) firstByte(in int32, p *port) {
	from := &s.ports[in^1]
	id := from.flight.head
	pk := &s.packets[id]
	s.events.push(arrival(in^1), s.now+int64(s.txTimes[from.rateIndex][pk.size]), s.order)
	if pk.kind < pauseFrame {
		class := pk.label.class()
		out := s.nextPort(p.node, id, pk)
		b := s.silicon[p.node]
		s.entrances[in] = entrance{out, out < 0 || p.trouble&down != 0 || b.atEnd || !s.admitSilicon(b, in, out, p, class, pk)}
	}
}

// lastByte queues a packet that is in as a whole, unless it was refused.
func (s *engine) lastByte(in int32, id packetID, pk *packet) {
	e := s.entrances[in]
	if e.out < 0 {
		s.discard(id, pk, &s.unrouted)
		return
	}
	class, to := pk.label.class(), &s.ports[e.out]
	if e.refused {
		p := &s.ports[in]
		if b := s.silicon[p.node]; p.trouble&down != 0 || !b.atEnd || !s.admitSilicon(b, in, e.out, p, class, pk) {
			s.refuse(in, id)
			return
		}
		s.entrances[in].refused = false
	}
	pk.in = in
	if to.trouble != 0 {
		if counter := s.refuses(e.out, to, class); counter != nil {
			s.spoil(in, id, pk, counter)
			return
		}
	}
	if s.weaver != nil && s.holdsBack(in, e.out, id, pk, true) {
		return
	}
	s.enqueue(e.out, to, class, id)
	if class != 0 {
		s.peakQueue = max(s.peakQueue, s.queue(e.out, class).bytes)
	}
	s.kick(e.out, to)
}

// spoilt gives back the buffer of a packet whose last byte came damaged.
func (s *engine) spoilt(in int32, pk *packet) {
	e := s.entrances[in]
	if b := s.silicon[s.ports[in].node]; b != nil && pk.kind < pauseFrame && !e.refused {
		pk.in = in
		s.releaseSilicon(b, e.out, pk.label.class(), pk)
	}
}
