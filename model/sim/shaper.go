package sim

import "math/bits"

// shapers hold classes of ports to a rate.
type shapers struct {
	limited []uint8  // by port: a bit per class that has a limit
	all     []shaper // by port and class
	due     []bool   // by port: a task is planned
}

// shaper holds a class of a port to a rate: a packet may begin when the last one would have
// ended at that rate, and what it began late by is made up for, to the length of a packet. It
// is a token bucket that holds one packet; how much a chip's holds is not part of a plan.
type shaper struct {
	rate uint64 // bit/s; 0: no limit
	next int64  // when the next packet may begin, ps
}

// shape gives a port's classes their limits.
func (s *builder) shape(pi int32, e *Egress) {
	if s.shapers == nil {
		s.shapers = &shapers{make([]uint8, len(s.ports)), make([]shaper, len(s.queues)), make([]bool, len(s.ports))}
	}
	for class, rate := range e.MaxRate {
		if rate > 0 {
			s.shapers.of(pi, uint8(class)).rate = uint64(rate)
			s.shapers.limited[pi] |= 1 << class
		}
	}
}

func (h *shapers) of(pi int32, class uint8) *shaper {
	return &h.all[pi*classes+int32(class&(classes-1))]
}

// holds reports whether the time of a class has not come.
func (h *shapers) holds(s *engine, pi int32, class uint8) bool {
	return h.limited[pi]>>class&1 != 0 && h.of(pi, class).next > s.now
}

// capped returns the ready classes whose time has not come. If all of them are, the port is called
// again when the first one's has.
func (h *shapers) capped(s *engine, pi int32, ready uint8) (held uint8) {
	first := int64(never)
	for limited := ready & h.limited[pi]; limited != 0; limited &= limited - 1 {
		class := uint8(bits.TrailingZeros8(limited))
		if sh := h.of(pi, class); sh.next > s.now {
			held |= 1 << class
			first = min(first, sh.next)
		}
	}
	if held == ready && held != 0 && !h.due[pi] {
		h.due[pi] = true
		s.plan(taskShaper, pi, first)
	}
	return held
}

// charge notes that a class is sending a packet.
func (h *shapers) charge(s *engine, pi int32, class uint8, size uint16) {
	if h.limited[pi]>>class&1 != 0 {
		sh := h.of(pi, class)
		length := s.clock.duration(int32(size), sh.rate)
		sh.next = max(sh.next, s.now-length) + length
	}
}

// ready lets a port go on whose classes all had to wait.
func (h *shapers) ready(s *engine, pi int32) {
	h.due[pi] = false
	s.kick(pi, &s.ports[pi])
}
