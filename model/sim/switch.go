package sim

// switchReceive queues a packet for the port by which its route leaves the switch.
func (s *Sim) switchReceive(in int32, p *port, id packetID, pk *packet) {
	out := s.routes[pk.route]
	pk.route++
	pk.in = in
	class := pk.class
	if class != 0 && !s.admit(in, p, class, pk) {
		s.dropped++
		s.put(id)
		return
	}
	to := &s.ports[out]
	to.enqueue(s.packets, class, id)
	if class != 0 {
		s.peakQueue = max(s.peakQueue, to.class[class].queued)
	}
	s.kick(out, to)
}

// admit charges a packet to the class it came in by and pauses that class if it is
// over its threshold.
func (s *Sim) admit(in int32, p *port, class uint8, pk *packet) bool {
	pool, c := &s.pools[p.node], &p.class[class]
	if !pool.admit(p, c, uint32(pk.size)) {
		return false
	}
	s.peakHeadroom = max(s.peakHeadroom, c.headroom)
	if p.pausing>>class&1 == 0 && pool.shouldPause(p, c) {
		p.pausing |= 1 << class
		s.pauses++
		s.sendPFC(in, p, class, pauseFrame)
	}
	return true
}

// switchSend transmits from the queue whose turn it is, if any may send.
func (s *Sim) switchSend(pi int32, p *port) {
	class, ok := p.nextClass()
	if !ok {
		return
	}
	id := p.dequeue(s.packets, class)
	if pk := &s.packets[id]; pk.kind <= nackPacket {
		s.leave(p, pk, class, id)
	}
	s.transmit(pi, p, id)
	if p.waiting != 0 {
		s.wakeAtEnd(pi, p)
	}
}

// leave gives back a packet's buffer, marks and stamps it.
func (s *Sim) leave(p *port, pk *packet, class uint8, id packetID) {
	if class != 0 {
		from := &s.ports[pk.in]
		pool, c := &s.pools[p.node], &from.class[class]
		pool.release(c, uint32(pk.size))
		if s.congested(p, class) {
			s.marks++
			if pk.kind == dataPacket {
				pk.ce = true
			}
		}
		if from.pausing>>class&1 != 0 && pool.shouldResume(from, c) {
			from.pausing &^= 1 << class
			s.sendPFC(pk.in, from, class, resumeFrame)
		}
	}
	if s.int != nil && pk.kind == dataPacket {
		s.int[id].stamp(s.now, p, uint32(s.congestion.HPCC.UnitScale))
	}
}
