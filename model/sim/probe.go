package sim

// prober is a [control] that measures round trips by packets of its own.
type prober interface {
	control
	// probe is a queue pair's. Nothing keeps it longer than the call.
	probe(i int32) *probe
	// measured takes the round trip of a probe.
	measured(s *engine, i int32, f *flow, rtt int64)
}

// probe is the state of a queue pair's probes. One is under way at a time: behind the data packet that
// leaves next after the answer to the last one has come (and, of [RTTCC], after Interval). The NIC of
// the receiver answers it at once, also where its host is slow. A probe that is not answered in time
// is given up, and the time doubles; so does the DOCA SDK's example of a programmable congestion
// control (rtt_template.c, ABORT_TIME).
type probe struct {
	number   uint32 // of the last one that was sent
	underWay bool
	lost     uint8 // given up in a row
	sentAt   int64 // ps
	nextAt   int64 // not before, ps
}

const (
	// probeBytes is a management datagram of 256 B in a RoCEv2 frame: Ethernet 14 B, IPv4 20 B, UDP 8 B,
	// BTH 12 B, DETH 8 B, ICRC 4 B and FCS 4 B (InfiniBand Architecture Specification Volume 1, 13.4.2 and
	// annex A17). NVIDIA says that its probes are such datagrams of queue pair 1
	// (forums.developer.nvidia.com/t/198048).
	probeBytes = 256 + 14 + 20 + 8 + 12 + 8 + 4 + 4

	probeAbort    = 300_000_000 // ps
	probeDoubling = 8           // times at most
)

// sentData sends a probe behind a data packet if it is time for one.
func (s *engine) sentData(i int32, f *flow) {
	p := f.law.prober.probe(i)
	if p.underWay && s.now-p.sentAt > probeAbort<<p.lost {
		p.underWay, p.lost = false, min(p.lost+1, probeDoubling)
	}
	if p.underWay || s.now < p.nextAt {
		return
	}
	p.number, p.underWay, p.sentAt = p.number+1, true, s.now
	id := s.take()
	s.packets[id] = packet{
		flow: i, route: f.dataRoute, kind: probePacket, label: label(f.class), size: probeBytes, seq: p.number,
	}
	s.created++
	s.pushAck(s.ports[f.port].nic, id)
}

// answer sends a probe back, in the class of acknowledgements.
func (s *engine) answer(in int32, p *port, id packetID, pk *packet) {
	pk.kind, pk.route = answerPacket, s.inbound[pk.flow].ackRoute
	if pk.label &^= ce; s.transport.acks == AcksApart {
		pk.label = label(s.transport.ackClass)
	}
	s.created++
	s.pushAck(p.nic, id)
	s.kick(in, p)
}

// answered passes a round trip to the sender's congestion control.
func (s *engine) answered(in int32, port *port, id packetID, pk *packet) {
	i, f := pk.flow, &s.flows[pk.flow]
	rtt := s.now - s.sent[id]
	p := f.law.prober.probe(i)
	if s.put(id); f.done() || !p.underWay || pk.seq != p.number {
		return
	}
	p.underWay, p.lost = false, 0
	f.law.prober.measured(s, i, f, rtt)
	if n := &s.nics[port.nic]; !s.waits(n, f) {
		s.kick(in, port)
	}
}

// probeTime returns the round trip of a probe on an empty path, ps.
func (s *engine) probeTime(f *flow) int64 {
	there, _, _ := s.through(&s.ways.list[f.wayThere], probeBytes)
	back, _, _ := s.through(&s.ways.list[f.wayBack], probeBytes)
	return there + back
}
