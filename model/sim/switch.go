package sim

// switchReceive queues a packet for the port by which its route leaves the switch.
func (s *engine) switchReceive(in int32, from *port, id packetID, pk *packet) {
	if s.cells != nil {
		s.enterCells(in, from, id, pk)
		return
	}
	out := s.nextPort(from.node, id, pk)
	if out < 0 {
		s.discard(id, pk, &s.unrouted)
		return
	}
	if s.weaver != nil && s.holdsBack(in, out, id, pk, false) {
		return
	}
	class := pk.label.class()
	to := &s.ports[out]
	if s.passes(in, from, to, class, pk) {
		s.stamp(out, to, id, pk)
		s.transmit(out, to, id, pk)
		return
	}
	if to.trouble != 0 {
		if counter := s.refuses(out, to, class); counter != nil {
			s.discard(id, pk, counter)
			return
		}
	}
	pk.in = in
	if !s.admit(in, from, class, pk) {
		s.refuse(in, out, id)
		return
	}
	s.enqueue(out, to, class, id)
	if class != 0 {
		s.peakQueue = max(s.peakQueue, s.queue(out, class).bytes)
	}
	s.kick(out, to)
}

// countMark counts a packet that is marked on its way out of a port.
func (s *engine) countMark(out int32, class uint8) {
	s.marks++
	if s.seen != nil {
		s.seen.ports[out].marks++
	}
	if s.counts != nil {
		s.counts.Ports[out].Classes[class].Marked++
	}
}

// refuse drops a packet that came in by a port and would have left by another.
func (s *engine) refuse(in, out int32, id packetID) {
	s.dropped++
	if s.seen != nil {
		s.seen.ports[in].drops++
		s.seen.classes[s.packets[id].label.class()].drops++
	}
	if s.counts != nil {
		s.countRefusal(in, out, s.packets[id].label)
	}
	s.put(id)
}

// passes reports whether a packet goes straight through: its port is idle and nothing waits there,
// and to charge it to the buffer and to discharge it at once would pause, resume and mark nothing.
// Most hops are of this kind, so they skip all that.
func (s *engine) passes(in int32, from, to *port, class uint8, pk *packet) bool {
	if to.waiting|to.paused|to.obeying|from.pausing|uint8(to.trouble) != 0 || class == 0 || s.busy(to) ||
		s.averages != nil || s.shapers != nil {
		return false
	}
	if !s.pools[from.node].passes(from.shift, s.usage(in, class), uint32(pk.size)) {
		return false
	}
	s.peakQueue = max(s.peakQueue, uint32(pk.size))
	to.last = class
	return true
}

// admit charges a packet to the class it came in by and pauses that class if it is
// over its threshold.
func (s *engine) admit(in int32, from *port, class uint8, pk *packet) bool {
	if class == 0 {
		return true
	}
	pool, u := &s.pools[from.node], s.usage(in, class)
	if !pool.admit(from.shift, u, s.headrooms[in], uint32(pk.size)) {
		return false
	}
	s.peakHeadroom = max(s.peakHeadroom, u.headroom)
	if from.pausing>>class&1 == 0 && pool.shouldPause(from.shift, u) {
		s.pause(in, from, class)
	}
	return true
}

// switchSend transmits from the queue whose turn it is, if any may send.
func (s *engine) switchSend(pi int32, p *port) {
	if p.obeying != 0 {
		s.obey(pi, p)
	}
	if p.trouble&down != 0 {
		return
	}
	class, ok := s.nextClass(pi, p)
	if !ok {
		return
	}
	id := s.dequeue(pi, p, class)
	pk := &s.packets[id]
	if s.shapers != nil {
		s.shapers.charge(s, pi, class, pk.size)
	}
	if pk.kind < pauseFrame {
		if s.counts != nil {
			s.countSent(pi, p, class, pk)
		}
		s.leave(pi, p.node, class, pk)
		s.stamp(pi, p, id, pk)
	}
	s.transmit(pi, p, id, pk)
	if p.waiting != 0 {
		s.wakeAtEnd(pi, p)
	}
}

// leave marks a packet that leaves its queue and returns its buffer.
func (s *engine) leave(out, node int32, class uint8, pk *packet) {
	if class == 0 && s.silicon[node] == nil {
		return
	}
	if s.congested(out, class, pk) && (pk.kind == bareFrame || s.flows[pk.flow].tcp == nil) {
		s.countMark(out, class)
		if pk.kind == dataPacket {
			pk.label |= ce
		}
	}
	s.release(out, node, class, pk)
}

// release returns a packet's buffer, which may resume the class it came in by.
func (s *engine) release(out, node int32, class uint8, pk *packet) {
	if b := s.silicon[node]; b != nil {
		s.releaseSilicon(b, out, class, pk)
		return
	}
	if class == 0 || s.cells != nil && s.leaveCells(out, class, pk) {
		return
	}
	from := &s.ports[pk.in]
	pool, u := &s.pools[node], s.usage(pk.in, class)
	pool.release(u, uint32(pk.size))
	if from.pausing>>class&1 != 0 && pool.shouldResume(from.shift, u) {
		s.resume(pk.in, from, class)
	}
}

// stamp adds an INT record to a data packet.
func (s *engine) stamp(pi int32, p *port, id packetID, pk *packet) {
	if s.int == nil || pk.kind != dataPacket {
		return
	}
	if l := s.laws[pk.label.class()]; l.Algorithm == UseHPCC {
		s.int[id].stamp(s.now, pi, p, uint32(l.HPCC.UnitScale))
	}
}
