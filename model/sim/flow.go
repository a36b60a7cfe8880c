package sim

// flow is a queue pair's sending half; [inbound] is the receiving one. Its messages are chained
// from the first one that is not completed. It is idle if all are.
//
// Each packet and each acknowledgement needs the first two cache lines of a flow, which fills four.
type flow struct {
	bytes    int64  // end of the last message posted
	next     int64  // first byte not sent yet
	acked    int64  // first byte not acknowledged
	nextSend int64  // when the pace lets the next packet go
	window   uint64 // bytes, 0: none
	law      *law   // of its class
	class    uint8
	listed   bool // in the NIC's list
	failed   bool
	lastSize int32 // bytes on the wire of the last packet
	tcp      *tcp  // nil: RDMA

	rate        uint64 // bit/s, set by the congestion control
	lineRate    uint64
	sendEnd     int64 // of the message that next is in
	completeEnd int64 // of the message that acked is in; or never
	port        int32 // of the sender
	dataRoute   int32 // index in [engine.routes], or a row of the [balancer]
	waitsSince  int64 // for an acknowledgement, see [engine.awaitAck]

	// Messages, or none: the last one posted, and those that next and acked are in.
	last, sending, completing int32

	hops    int32 // switches on the way
	baseRTT int64 // ps
	slowest int64 // rate on the way, bit/s
	retries int   // in a row

	wayThere, wayBack int32 // in [engine.ways]
	receiver          int32 // port

	// With DC:
	initiator int32
	connected bool // at its target

	_ [87]byte
}

func (f *flow) done() bool { return f.acked >= f.bytes }

// windowFull reports whether a window holds the queue pair back.
func (s *engine) windowFull(i int32, f *flow) bool {
	if f.window == 0 {
		return false
	}
	w := f.window
	if f.law.VariableWindow {
		w = max(1, w*s.currentRate(i, f)/f.lineRate)
	}
	return uint64(f.next-f.acked) >= w
}

// sendData creates the queue pair's next packet and transmits it.
func (s *engine) sendData(pi int32, p *port, i int32) {
	f := &s.flows[i]
	payload := min(f.sendEnd-f.next, s.transport.payload)
	id := s.take()
	pk := &s.packets[id]
	*pk = packet{
		flow: i, route: f.dataRoute, kind: dataPacket, label: label(f.class),
		size: uint16(int32(payload) + s.transport.dataHeader), seq: uint32(f.next),
	}
	if s.sent != nil {
		s.leaves(id)
	}
	if s.int != nil {
		s.int[id].hops = 0
	}
	if s.ready != nil {
		s.ready[id] = s.seen.readySince(i, f)
	}
	if f.tcp != nil {
		f.tcp.sending(s, i, f)
	} else if s.transport.ackTimeout > 0 {
		s.awaitAck(pi, p, f)
		if s.selective != nil {
			s.selective[i].sentAt[f.next/s.transport.payload] = s.now
		}
	}
	if f.next += payload; f.next == f.sendEnd {
		s.sendOn(f)
	}
	if f.tcp != nil {
		f.tcp.sent(s, i, f)
	} else if s.selective != nil {
		s.skip(i, f)
	}
	s.created++
	s.transmit(pi, p, id, pk)
	f.lastSize = int32(pk.size)
	if d := f.law.dcqcn; d != nil && f.law.DCQCN.ByteCounter > 0 {
		d.states[i].sent(s, f, int64(pk.size))
	} else if f.law.prober != nil {
		s.sentData(i, f)
	}
	f.nextSend = s.now + s.paceTime(i, f)
}

// paceTime returns the time of the packet just sent at the queue pair's rate.
func (s *engine) paceTime(i int32, f *flow) int64 {
	rate := f.lineRate
	if !s.transport.unpaced {
		rate = s.currentRate(i, f)
	}
	if rate == f.lineRate {
		return int64(s.txTimes[s.ports[f.port].rateIndex][f.lastSize])
	}
	return s.clock.duration(f.lastSize, rate)
}

// receiveAck moves the sender's window, completes the flow, and notifies the congestion control.
// Acknowledgements of a finished flow mean nothing any more.
func (s *engine) receiveAck(in int32, p *port, id packetID, pk *packet) {
	f, n := &s.flows[pk.flow], &s.nics[p.nic]
	if f.done() {
		s.put(id)
		return
	}
	seq := fullSeq(pk.seq, f.acked)
	blocked := s.seen != nil && s.windowFull(pk.flow, f)
	nack := pk.kind == nackPacket
	if f.tcp != nil {
		s.receiveTCP(pk.flow, f, seq)
	} else {
		s.acknowledge(pk.flow, f, seq, nack)
		s.control(in, f, id, pk, seq)
	}
	if blocked {
		s.unblock(pk.flow)
	}
	s.put(id)
	if nack || !s.waits(n, f) {
		s.kick(in, p)
	}
}

// acknowledge is go-back-N's sender.
func (s *engine) acknowledge(i int32, f *flow, seq int64, nack bool) {
	if s.transport.backToZero {
		seq -= seq % s.transport.chunk
	}
	if s.selective != nil {
		seq = s.confirm(i, f, seq)
	} else if s.transport.ackTimeout > 0 {
		s.heard(f, seq)
	}
	f.acked = max(f.acked, seq)
	if f.acked >= f.completeEnd {
		s.complete(f)
	}
	if nack || f.next < f.acked { // a NACK may have been overtaken
		s.sendFrom(i, f, f.acked)
	}
}
