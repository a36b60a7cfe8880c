package sim

// notify acts as the notification point of DCQCN: it takes the mark off a data packet that follows
// another marked one too soon, or makes a packet of it. A mark that stays becomes the echo in the
// acknowledgement.
func (s *engine) notify(in int32, f *inbound, n *nic, pk *packet) {
	after := &f.cnpAfter
	if s.transport.cnpPerPort {
		after = &n.cnpAfter
	}
	if s.now < *after {
		pk.label &^= ce
		return
	}
	*after = s.now + s.transport.cnpInterval
	s.cnps++
	if s.seen != nil {
		s.seen.ports[in].cnps++
	}
	if s.laws[pk.label.class()].notices {
		pk.label &^= ce
		s.sendCNP(f, n, pk.flow)
		if s.counts != nil {
			s.counts.Ports[in].CNPsSent++
		}
	}
}

// sendCNP queues a congestion notification packet at the receiver's NIC.
func (s *engine) sendCNP(f *inbound, n *nic, pair int32) {
	id := s.take()
	s.packets[id] = packet{
		flow: pair, route: f.ackRoute, kind: cnpPacket, label: label(s.transport.cnpClass), size: s.transport.cnpSize,
	}
	s.created++
	n.cnps.push(s.packets, id)
}

// receiveCNP notifies the reaction point.
func (s *engine) receiveCNP(in int32, id packetID, pk *packet) {
	f := &s.flows[pk.flow]
	if s.counts != nil {
		s.countCNP(in, f.done())
	}
	if !f.done() {
		f.law.dcqcn.states[pk.flow].congestion(s, f, s.departure(&s.ports[in], pk))
	}
	s.put(id)
}
