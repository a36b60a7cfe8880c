package sim

// trouble says, a bit per way, how a port is not as it should be.
type trouble uint8

const (
	faulty  trouble = 1 << iota // loses packets
	down                        // has no link
	guarded                     // the watchdog has hold of one of its queues
	stuck                       // of a host: takes nothing in of some class
	slow                        // of a host: takes packets in later than they come
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
		s.spoil(in, id, pk, &s.guarded)
	case p.trouble&stuck != 0 && s.nics[p.nic].stuck>>class&1 != 0:
		s.discard(id, pk, &s.overrun)
	case p.trouble&slow != 0:
		s.takeLater(p, id, pk)
	default:
		return false
	}
	return true
}

// refuses tells whether a packet may not leave a switch by a port in trouble, and which
// counter says so.
func (s *engine) refuses(out int32, to *port, class uint8) *int64 {
	switch {
	case to.trouble&down != 0:
		return &s.unrouted
	case to.trouble&guarded != 0 && s.guards[out*classes+int32(class)].drops:
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

// discard ends a packet or a PFC frame before its destination.
func (s *engine) discard(id packetID, pk *packet, counter *int64) {
	if pk.kind < pauseFrame {
		*counter++
	} else {
		s.lostFrames++
	}
	s.put(id)
}
