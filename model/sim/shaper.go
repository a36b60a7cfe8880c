package sim

// shaper holds a class of a port to a rate: a packet may begin when the last one would have
// ended at that rate, and what it began late by is made up for, to the length of a packet. It
// is a token bucket that holds one packet; how much a chip's holds is not part of a plan.
type shaper struct {
	rate uint64 // bit/s; 0: no limit
	next int64  // when the next packet may begin, ps
}

// shape gives a port's classes their limits.
func (s *engine) shape(pi int32, e *Egress) {
	if s.shapers == nil {
		s.shapers = make([]shaper, len(s.queues))
		s.shaperDue = make([]bool, len(s.ports))
	}
	for class, rate := range e.MaxRate {
		s.shapers[pi*classes+int32(class)].rate = uint64(rate)
	}
}

// capped are those of the ready classes whose time has not come. If all of them are, the port
// is called again when the first one's has.
func (s *engine) capped(pi int32, ready uint8) (held uint8) {
	first := int64(never)
	for class := range int32(classes) {
		sh := &s.shapers[pi*classes+class]
		if ready>>class&1 != 0 && sh.next > s.now {
			held |= 1 << class
			first = min(first, sh.next)
		}
	}
	if held == ready && held != 0 && !s.shaperDue[pi] {
		s.shaperDue[pi] = true
		s.plan(taskShaper, pi, first)
	}
	return held
}

// charge notes that a class is sending a packet.
func (s *engine) charge(pi int32, class uint8, size uint16) {
	if sh := &s.shapers[pi*classes+int32(class)]; sh.rate > 0 {
		length := s.clock.duration(int32(size), sh.rate)
		sh.next = max(sh.next, s.now-length) + length
	}
}

func (s *engine) shaperReady(pi int32) {
	s.shaperDue[pi] = false
	s.kick(pi, &s.ports[pi])
}
