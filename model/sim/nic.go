package sim

// nic is a host's network interface: acknowledgements first, then its queue pairs in
// turn, each paced by its congestion control.
type nic struct {
	pairs []int32 // flows with bytes to send or to be acknowledged
	last  int     // index in pairs of the one that sent last
	acks  list

	wakeAt      int64 // when a queue pair may send, if wakePending
	wakePending bool
}

// hostSend transmits an acknowledgement or the next queue pair's packet. If all have to
// wait for their pace, it arranges to be called again.
func (s *Sim) hostSend(pi int32, p *port) {
	n := &s.nics[p.nic]
	if n.acks.head != 0 && p.paused>>s.transport.ackClass&1 == 0 {
		id := n.acks.pop(s.packets)
		s.transmit(pi, p, id, &s.packets[id])
	} else if i := s.nextPair(n, p); i >= 0 {
		n.last = i
		s.sendData(pi, p, n.pairs[i])
	} else {
		s.wakeLater(pi, n)
		return
	}
	if len(n.pairs) > 0 || n.acks.head != 0 {
		s.wakeAtEnd(pi, p)
	}
}

// nextPair goes around the queue pairs from the one that sent last and returns the
// first that may send, or -1. It drops the finished ones that it passes.
//
// The order of turns is the HPCC simulator's (RdmaEgressQueue::GetNextQindex): the
// position of the last one is not corrected when pairs before it are dropped.
func (s *Sim) nextPair(n *nic, p *port) int {
	count := len(n.pairs)
	found, finished := -1, count
	for turn, i := 0, n.last; turn < count; turn++ {
		if i++; i >= count {
			i %= count
		}
		f := &s.flows[n.pairs[i]]
		if p.paused>>f.class&1 == 0 && f.next < f.bytes && !s.windowFull(n.pairs[i], f) {
			if f.nextSend > s.now {
				continue
			}
			found = i
			break
		}
		if f.done() {
			finished = min(finished, i)
		}
	}
	if finished < count {
		found = n.dropFinished(s.flows, finished, found)
	}
	return found
}

// dropFinished removes finished queue pairs from index i on and returns the new index
// of the one at keep.
func (n *nic) dropFinished(flows []flow, i, keep int) int {
	to := i
	kept := keep
	for ; i < len(n.pairs); i++ {
		if flows[n.pairs[i]].done() {
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

// wakeLater makes the earliest time at which a queue pair's pace lets it send an event,
// unless one is pending already.
func (s *Sim) wakeLater(pi int32, n *nic) {
	if n.wakePending {
		return
	}
	const never = 1<<63 - 1
	at := int64(never)
	for _, i := range n.pairs {
		if f := &s.flows[i]; f.next < f.bytes {
			at = min(at, f.nextSend)
		}
	}
	if at > s.now && at < never {
		s.scheduleWake(pi, n, at)
	}
}

func (s *Sim) scheduleWake(pi int32, n *nic, at int64) {
	n.wakeAt, n.wakePending = at, true
	s.events.push(wake(pi), at, s.draw())
}

// wakeEarlier moves a pending wake-up to an earlier time.
func (s *Sim) wakeEarlier(pi int32, n *nic, at int64) {
	if n.wakePending && at < n.wakeAt {
		s.events.remove(wake(pi), n.wakeAt)
		s.scheduleWake(pi, n, max(at, s.now))
	}
}

func (s *Sim) wakeUp(pi int32) {
	p := &s.ports[pi]
	s.nics[p.nic].wakePending = false
	if !s.busy(p) {
		s.hostSend(pi, p)
	}
}

func (s *Sim) hostReceive(in int32, p *port, id packetID, pk *packet) {
	s.delivered++
	if pk.kind == dataPacket {
		s.receiveData(in, p, id, pk)
	} else {
		s.receiveAck(in, p, id, pk)
	}
}
