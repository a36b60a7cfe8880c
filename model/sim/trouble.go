package sim

// trouble says, a bit per way, how a port is not as it should be.
type trouble uint8

const (
	faulty  trouble = 1 << iota // loses packets
	down                        // has no link
	guarded                     // the watchdog has hold of one of its queues
	stuck                       // of a host: takes nothing in of some class
	slow                        // of a host: takes packets in later than they come
	deaf                        // neither sends PFC frames nor obeys them
	cnpless                     // loses the CNPs that come in
)

// intercept takes away a packet that arrives at a port in trouble; false if it may go on.
func (s *engine) intercept(in int32, p *port, id packetID, pk *packet) bool {
	class := pk.label.class()
	switch {
	case p.trouble&down != 0, p.trouble&faulty != 0 && s.randoms[p.node].Uint64() < s.configs[in].loss:
		s.spoil(in, id, pk, &s.lost)
	case pk.kind >= pauseFrame:
		return false
	case p.trouble&guarded != 0 && s.guards[in*classes+int32(class)].drops:
		if k := s.counted(in, class); k != nil {
			k.DroppedIn++
		}
		s.spoil(in, id, pk, &s.guarded)
	case p.trouble&cnpless != 0 && pk.kind == cnpPacket:
		s.spoil(in, id, pk, &s.lost)
	case p.trouble&stuck != 0 && s.nics[p.nic].stuck>>class&1 != 0:
		s.overrunNIC(in, id, pk)
	case p.trouble&slow != 0 && pk.kind != probePacket && pk.kind != answerPacket:
		s.takeLater(p, id, pk)
	default:
		return false
	}
	return true
}

// refuses reports whether a packet must not leave a switch by a port in trouble, and which
// counter says so.
func (s *engine) refuses(out int32, to *port, class uint8) *int64 {
	switch {
	case to.trouble&down != 0:
		return &s.unrouted
	case to.trouble&guarded != 0 && s.guards[out*classes+int32(class)].drops:
		if k := s.counted(out, class); k != nil {
			k.DroppedOut++
		}
		return &s.guarded
	}
	return nil
}

// spoil ends a packet when its last byte arrives.
func (s *engine) spoil(in int32, id packetID, pk *packet, counter *int64) {
	if s.entrances != nil && s.ports[in].intake&ownFirst != 0 {
		s.spoilt(in, pk)
	}
	if s.cells != nil {
		s.lostInCells(in, pk)
	}
	s.discard(id, pk, counter)
}

// overrunNIC ends a packet that finds no place in its host's NIC.
func (s *engine) overrunNIC(in int32, id packetID, pk *packet) {
	if s.counts != nil {
		s.counts.Ports[in].Overruns++
	}
	s.discard(id, pk, &s.overrun)
}

// discard ends a packet or a PFC frame before its destination.
func (s *engine) discard(id packetID, pk *packet, counter *int64) {
	if pk.kind < pauseFrame {
		*counter++
		if s.seen != nil {
			s.seen.classes[pk.label.class()].lost++
		}
	} else {
		s.lostFrames++
	}
	s.put(id)
}
