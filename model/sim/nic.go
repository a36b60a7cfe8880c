package sim

import "math/bits"

// nic is a host's network interface: acknowledgements first, then its queue pairs in
// turn, each paced by its congestion control. It fills two cache lines, and what each turn needs is the first.
type nic struct {
	pairs       []int32 // flows with bytes to send or to be acknowledged
	last        int     // index in pairs of the one that sent last
	finished    int     // the number of finished pairs
	waitsUntil  int64   // no queue pair's pace lets it send before this; 0: not known
	cnps        list
	acking      uint8 // a bit per class with acknowledgements
	stuck       uint8 // a bit per class that it takes no packet of
	wakePending bool
	timerSet    bool  // see [engine.timeout]
	receiver    int32 // index in [engine.receivers], where the port is slow

	wakeAt    int64      // when to look again, if wakePending
	wakeSetAt int64      // when that was decided
	cnpAfter  int64      // no congestion is echoed before this time, if that is per port
	generator *generator // nil: none
	connected int        // initiators, to the host's targets

	_ [24]byte
}

// hostSend transmits an acknowledgement or the next queue pair's packet. If all have to
// wait for their pace, it arranges to be called again.
func (s *engine) hostSend(pi int32, p *port) {
	if p.obeying != 0 {
		s.obey(pi, p)
	}
	if (p.waiting != 0 || p.trouble&down != 0) && s.hostSendsNoPacket(pi, p) {
		return
	}
	n := &s.nics[p.nic]
	if n.cnps.head != 0 && p.paused>>s.transport.cnpClass&1 == 0 {
		id := n.cnps.pop(s.packets)
		s.transmit(pi, p, id, &s.packets[id])
	} else if ready := n.acking &^ p.paused; ready != 0 {
		id := s.popAck(p.nic, ready)
		if s.sent != nil && s.packets[id].kind == probePacket {
			s.leaves(id)
		}
		s.transmit(pi, p, id, &s.packets[id])
	} else if i, at := s.nextPair(n, p); i >= 0 {
		n.last, n.waitsUntil = i, 0
		s.sendData(pi, p, n.pairs[i])
	} else {
		if n.generator != nil {
			due, sent := s.generate(pi, p, n.generator)
			if sent {
				return
			}
			at = min(at, due)
		}
		n.waitsUntil = at
		if !n.wakePending && at > s.now && at < never {
			s.scheduleWake(pi, n, at)
		}
		return
	}
	if (len(n.pairs) > 0 || n.acking != 0 || n.cnps.head != 0) && (s.chained || !s.sleeps(pi, p, n)) {
		s.wakeAtEnd(pi, p)
	}
}

// sleeps reports whether a host whose port has begun to send will have nothing to send when that ends, unless something
// comes meanwhile: its only queue pair then still waits for its pace. It arranges for that end and spares the host the
// event, which would find nothing to do: one of eighteen in the run of 2,048 hosts of BENCHMARKS.md. A change of the
// conditions must call [engine.kick]. In what ns-3 has run the event takes its place in the order of all.
func (s *engine) sleeps(pi int32, p *port, n *nic) bool {
	if s.repaces || len(n.pairs) != 1 || n.acking != 0 || n.cnps.head != 0 || n.generator != nil ||
		n.wakePending && n.wakeAt <= p.busyUntil {
		return false
	}
	f := &s.flows[n.pairs[0]]
	if f.nextSend <= p.busyUntil || f.next >= f.bytes || f.window != 0 || f.tcp != nil {
		return false
	}
	n.waitsUntil = f.nextSend
	if !n.wakePending {
		s.scheduleWake(pi, n, f.nextSend)
		n.wakeSetAt = p.busyUntil
	}
	return true
}

// pushAck queues an acknowledgement, or another packet that is sent like one.
func (s *engine) pushAck(host int32, id packetID) {
	class := s.packets[id].label.class()
	if s.transport.acks == AcksHeldBy {
		class = s.transport.ackClass
	}
	s.acksOf(host, class).push(s.packets, id)
	s.nics[host].acking |= 1 << class
}

// acksOf returns the acknowledgements of a host by the class whose pause stops them. Those of a
// class are together, as in [engine.cell].
func (s *engine) acksOf(host int32, class uint8) *list {
	return &s.acks[int(class&(classes-1))*len(s.nics)+int(host)]
}

// popAck takes the foremost packet of the first class that is ready.
func (s *engine) popAck(host int32, ready uint8) packetID {
	class := bits.TrailingZeros8(ready) % classes
	acks := s.acksOf(host, uint8(class))
	id := acks.pop(s.packets)
	if acks.head == 0 {
		s.nics[host].acking &^= 1 << class
	}
	return id
}

// hostSendsNoPacket reports whether a host's port is down, or sends a PFC frame first.
func (s *engine) hostSendsNoPacket(pi int32, p *port) bool {
	if p.trouble&down != 0 {
		return true
	}
	id := s.dequeue(pi, p, 0)
	s.transmit(pi, p, id, &s.packets[id])
	s.wakeAtEnd(pi, p)
	return true
}

// nextPair goes around the queue pairs from the one that sent last and returns the
// first that may send, or -1 and the time at which the pace of one of them allows it.
// It drops the finished ones that it passes.
//
// The order of turns is the HPCC simulator's (RdmaEgressQueue::GetNextQindex): the
// position of the last one is not corrected when pairs before it are dropped. There a pair that its window
// or a pause holds also keeps the host from waking for the pace of others, until an acknowledgement or
// the end of the pause (QbbNetDevice::DequeueAndTransmit): only what ns-3 has run is played so.
func (s *engine) nextPair(n *nic, p *port) (found int, at int64) {
	count := len(n.pairs)
	finished := count
	found, at = -1, never
	for turn, i := 0, n.last; turn < count; turn++ {
		if i++; i >= count {
			i -= count
			if i >= count {
				i %= count // many pairs before the last one were dropped
			}
		}
		f := &s.flows[n.pairs[i]]
		if f.next >= f.bytes {
			if f.done() {
				finished = min(finished, i)
			}
			continue
		}
		paced := f.nextSend
		if d := f.law.dcqcn; s.repaces && d != nil && f.law.DCQCN.Repace {
			paced = d.states[n.pairs[i]].waits(s, f)
		}
		if f.nextSend <= s.now && p.paused>>f.class&1 == 0 && !s.windowFull(n.pairs[i], f) {
			found = i
			break
		}
		if paced > s.now || s.chained { // else something other than its pace holds it, whose end wakes the host
			at = min(at, paced)
		}
	}
	if finished < count {
		found = n.dropFinished(s.flows, finished, found)
	}
	return found, at
}

// dropFinished removes finished queue pairs from index i on and returns the new index
// of the one at keep.
func (n *nic) dropFinished(flows []flow, i, keep int) int {
	to := i
	kept := keep
	for ; i < len(n.pairs); i++ {
		if flows[n.pairs[i]].done() {
			n.finished--
			flows[n.pairs[i]].listed = false
			continue
		}
		if i == keep {
			kept = to
		}
		n.pairs[to] = n.pairs[i]
		to++
	}
	n.pairs = n.pairs[:to]
	return kept
}

func (s *engine) scheduleWake(pi int32, n *nic, at int64) {
	n.wakeAt, n.wakeSetAt, n.wakePending = at, s.now, true
	s.events.push(wake(pi), at, s.place(wake(pi)), 0)
}

// wakeEarlier moves a pending wake-up to an earlier time.
func (s *engine) wakeEarlier(pi int32, n *nic, at int64) {
	if n.wakePending && at < n.wakeAt {
		s.events.remove(wake(pi), n.wakeAt)
		s.scheduleWake(pi, n, max(at, s.now))
	}
}

func (s *engine) wakeUp(pi int32) {
	p := &s.ports[pi]
	n := &s.nics[p.nic]
	n.wakePending = false
	s.setAt = n.wakeSetAt
	s.kick(pi, p)
	s.setAt = never
}

// waits reports whether an acknowledgement cannot let the host send anything: without a
// window it frees nothing, and no pace has run out.
func (s *engine) waits(n *nic, f *flow) bool {
	return f.window == 0 && n.finished == 0 && s.now < n.waitsUntil
}

func (s *engine) hostReceive(in int32, p *port, id packetID, pk *packet) {
	s.delivered++
	switch {
	case pk.kind == dataPacket:
		s.receiveData(in, p, id, pk)
	case pk.kind == bareFrame:
		s.put(id)
	case pk.kind == ackPacket, pk.kind == nackPacket:
		s.receiveAck(in, p, id, pk)
	case pk.kind == cnpPacket:
		s.receiveCNP(in, id, pk)
	case pk.kind == probePacket:
		s.answer(in, p, id, pk)
	case pk.kind == answerPacket:
		s.answered(in, p, id, pk)
	default:
		s.receiveControl(in, &s.nics[p.nic], id, pk)
	}
}
