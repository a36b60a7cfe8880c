package sim

// The transport timer of a reliable queue pair (InfiniBand Architecture Specification 1.4
// Volume 1, section 9.7.6.1.3): while packets are under way and none is acknowledged for
// [Transport.AckTimeout], all from the first one on are sent again. If that has been done
// [Transport.Retries] times in a row, the queue pair fails.
//
// A host has one timer, set for the queue pair whose time comes first when it was last
// looked at; whose time has moved since is found then.

// awaitAck notes that a queue pair is about to send a packet.
func (s *engine) awaitAck(pi int32, p *port, f *flow) {
	if f.next == f.acked {
		f.waitsSince = s.now
	}
	if n := &s.nics[p.nic]; !n.timerSet {
		n.timerSet = true
		s.plan(taskTimeout, pi, s.now+s.transport.ackTimeout)
	}
}

// heard starts the time again because the receiver lives; new data end a row of retries.
func (s *engine) heard(f *flow, acked int64) {
	f.waitsSince = s.now
	if acked > f.acked {
		f.retries = 0
	}
}

// timeout looks at a host's queue pairs.
func (s *engine) timeout(pi int32) {
	p := &s.ports[pi]
	n := &s.nics[p.nic]
	next := int64(never)
	for _, i := range n.pairs {
		f := &s.flows[i]
		if f.next <= f.acked || f.tcp != nil {
			continue
		}
		if s.now-f.waitsSince >= s.transport.ackTimeout {
			s.retry(i, f)
		}
		next = min(next, f.waitsSince+s.transport.ackTimeout)
	}
	if n.timerSet = next < never; n.timerSet {
		s.plan(taskTimeout, pi, max(next, s.now+1))
	}
	n.waitsUntil = 0
	s.kick(pi, p)
}

func (s *engine) retry(i int32, f *flow) {
	if f.retries >= s.transport.retries {
		s.fail(i)
		return
	}
	f.retries++
	f.waitsSince = s.now
	s.timeouts++
	if s.selective != nil {
		s.sendMissing(i, f)
		return
	}
	s.sendFrom(i, f, f.acked)
}

// fail ends a queue pair with an error. Later packets for it are treated like duplicates.
func (s *engine) fail(i int32) {
	f, there := &s.flows[i], &s.inbound[i]
	for i := f.completing; i != none; i = s.messages[i].next {
		s.messages[i].failed = true
		s.failed++
	}
	f.failed = true
	f.acked, f.next, there.expected = f.bytes, f.bytes, there.bytes
	there.receiving, there.receiveEnd = none, never
	f.completing, f.completeEnd = none, never
	s.nics[s.ports[f.port].nic].finished++
	s.emptied(f)
}
