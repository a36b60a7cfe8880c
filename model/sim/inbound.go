package sim

// inbound is a queue pair's receiving half. It knows the messages that its sender has posted. An
// expected packet needs only the first of two cache lines.
type inbound struct {
	expected   int64 // first byte not received
	receiveEnd int64 // of the message that expected is in; or never
	passed     int64 // end of the last message that has come as a whole
	cnpAfter   int64 // no congestion is echoed before this time
	bytes      int64 // end of the last message posted

	last, receiving int32 // messages, or none: the last one posted, and that which expected is in
	ackRoute        int32
	tcp             bool

	nackAfter  int64 // no second NACK for lastNack before this time
	lastNack   int64
	placed     []uint64 // with direct placement: a bit per packet received, from packet 64*placedFrom on
	placedFrom int64

	_ [24]byte
}

// expect takes note of a message, behind those that have been posted before.
func (s *engine) expect(pair, i int32) {
	f, m := &s.inbound[pair], &s.messages[i]
	m.nextThere = none
	switch m.posted++; {
	case f.receiving == none && m.repeat > 0:
		f.receiving, f.receiveEnd = i, int64(m.came)*s.transport.stride(m)+m.bytes
	case f.receiving == none:
		f.receiving, f.receiveEnd = i, m.end
	case f.last != i:
		s.messages[f.last].nextThere = i
	}
	f.last, f.bytes = i, m.end
}

// goOnBehind lets a queue pair expect the first byte of the next message, if all before has come. This waits
// for a packet: until then the acknowledgements say where the last message ended, whether
// the next one has been posted or not.
func (s *engine) goOnBehind(f *inbound) {
	if f.expected == f.passed && f.receiving != none {
		f.expected = s.transport.wholePackets(f.passed)
	}
}

// receiveData checks a packet's place in the message and sends the acknowledgement
// back in the same packet.
func (s *engine) receiveData(in int32, p *port, id packetID, pk *packet) {
	f := &s.inbound[pk.flow]
	if s.ready != nil {
		s.seen.arrived(s.now, pk.label.class(), int64(pk.size)-int64(s.transport.dataHeader), s.now-s.ready[id]+s.host.post+s.host.deliver)
	}
	s.goOnBehind(f)
	kind, answer := s.checkSequence(f, fullSeq(pk.seq, f.expected))
	if f.expected >= f.receiveEnd {
		s.deliver(f)
	}
	n := &s.nics[p.nic]
	if s.counts != nil && pk.label&ce != 0 {
		s.counts.Ports[in].MarkedReceived++
	}
	if kind == nackPacket && s.transport.disorderNotice && s.laws[pk.label.class()].dcqcn != nil {
		pk.label |= ce
	}
	if pk.label&ce != 0 && (answer || s.laws[pk.label.class()].notices) {
		s.notify(in, f, n, pk)
	}
	if !answer {
		s.put(id)
		if n.cnps.head != 0 {
			s.kick(in, p)
		}
		return
	}
	pk.kind = kind
	if s.transport.acks == AcksApart && !f.tcp {
		pk.label = pk.label&^classMask | label(s.transport.ackClass)
	}
	if s.selective == nil || f.tcp {
		pk.seq = uint32(f.expected)
	}
	pk.size = uint16(s.transport.ackSize)
	pk.route = f.ackRoute
	s.created++
	s.pushAck(p.nic, id)
	s.kick(in, p)
}

// checkSequence is go-back-N's receiver: the expected packet is acknowledged, a later
// one asks for the expected one, or for all from its chunk's start on, if that is in the same
// message. A repeated one gets no answer, unless the answer may have been lost and the sender
// has a timer.
func (s *engine) checkSequence(f *inbound, seq int64) (kind packetKind, answer bool) {
	t := &s.transport
	if seq > f.expected {
		s.outOfOrder++
	}
	if f.tcp {
		s.placeData(f, seq)
		return ackPacket, true
	}
	if t.directPlacement {
		return ackPacket, s.placeData(f, seq) || t.ackTimeout > 0
	}
	if seq == f.expected {
		f.expected = min(f.receiveEnd, f.expected+t.payload)
		return ackPacket, f.expected >= t.ackInterval || t.chunk > 0 && f.expected%t.chunk == 0
	}
	if seq < f.expected {
		return ackPacket, t.ackTimeout > 0
	}
	if s.now < f.nackAfter && f.lastNack == f.expected {
		return 0, false
	}
	f.nackAfter = s.now + t.nackInterval
	f.lastNack = f.expected
	if t.backToZero {
		f.expected = max(f.expected-f.expected%t.chunk, t.wholePackets(f.passed))
	}
	return nackPacket, true
}

// placeData notes a packet, and moves expected over all that have come; false if this one had
// come before.
func (s *engine) placeData(f *inbound, seq int64) bool {
	full := s.transport.payload
	i := seq / full
	if f.has(i) {
		return false
	}
	f.put(i, f.expected/full)
	for f.expected < f.receiveEnd && f.has(f.expected/full) {
		if f.expected = min(f.receiveEnd, f.expected+full); f.expected < f.receiveEnd {
			continue
		}
		if s.deliver(f); f.receiving == none || !f.has(s.transport.wholePackets(f.passed)/full) {
			break
		}
		s.goOnBehind(f)
	}
	return true
}

// has reports whether a packet has been placed.
func (f *inbound) has(packet int64) bool {
	word := packet/64 - f.placedFrom
	return word < 0 || word < int64(len(f.placed)) && f.placed[word]>>(packet%64)&1 != 0
}

// placedWords is the initial length of [inbound.placed]: it suffices while less than half of it is under
// way.
const placedWords = 192

// put notes that a packet has been placed, where all before another have been. The notes of those are
// dropped now and then, so that the list is no longer than the packets under way.
func (f *inbound) put(packet, before int64) {
	if done := before/64 - f.placedFrom; done > 64 && done > int64(len(f.placed))/2 {
		f.placed = f.placed[:copy(f.placed, f.placed[min(done, int64(len(f.placed))):])]
		f.placedFrom += done
	}
	word := packet/64 - f.placedFrom
	for word >= int64(len(f.placed)) {
		f.placed = append(f.placed, 0)
	}
	f.placed[word] |= 1 << (packet % 64)
}

// deliver ends the message whose last byte has come.
func (s *engine) deliver(f *inbound) {
	i := f.receiving
	m := &s.messages[i]
	over := s.now + s.host.memoryTime((m.bytes-1)%s.transport.payload+1) + s.host.deliver
	m.delivered = over + s.skipped
	f.passed = f.receiveEnd
	if m.came++; m.posted > m.came { // of a train
		f.receiveEnd = s.transport.wholePackets(f.passed) + m.bytes
	} else if f.receiving, f.receiveEnd = m.nextThere, never; m.nextThere != none {
		f.receiveEnd = s.messages[m.nextThere].end
	}
	s.eachDelivered.repeat(s, i, over)
	if m.last(m.came) {
		s.onDelivery.release(s, i, over)
	}
}
