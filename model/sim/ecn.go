package sim

import "math"

// ecnProfile is [ECN] of a queue. The zero value never marks, because active is false.
type ecnProfile struct {
	active     bool
	kmin, kmax uint32
	slope      float64 // PMax / (KMax - KMin)

	byPart bool
	period int64   // of polling, ps; 0: the queue as it is
	keep   float64 // 1 - Weight
}

func newECNProfile(e ECN) ecnProfile {
	return ecnProfile{
		active: true, kmin: uint32(e.KMin), kmax: uint32(e.KMax),
		slope:  e.PMax / max(1, float64(e.KMax-e.KMin)),
		byPart: e.ByPart && e.PollPeriod == 0,
		period: int64(e.PollPeriod), keep: 1 - e.Weight,
	}
}

// curve returns the marking profile of a queue.
func (s *engine) curve(pi int32, class uint8) *ecnProfile {
	return &s.profiles[s.curves[s.cell(pi, class)]]
}

// congested decides whether a packet that just left the queue of a class is marked, from
// what is left in it, or in its part of the buffer, or from the average.
func (s *engine) congested(pi int32, class uint8, pk *packet) bool {
	m := s.curve(pi, class)
	if !m.active {
		return false
	}
	bytes := s.queue(pi, class).bytes
	switch {
	case m.period > 0:
		bytes = uint32(s.average(pi, class).value)
	case m.byPart && s.countsParts(pi, pk):
		bytes = *s.inPart(pi, class, pk.in)
	}
	return s.draws(s.ports[pi].node, m, bytes)
}

// draws decides it for a queue of some length at a node.
func (s *engine) draws(node int32, m *ecnProfile, bytes uint32) bool {
	if bytes <= m.kmin {
		return false
	}
	return bytes > m.kmax || s.uniform(node) < m.slope*float64(bytes-m.kmin)
}

// countsParts reports whether the queues of a port know a packet's part.
func (s *engine) countsParts(pi int32, pk *packet) bool {
	return s.parts != nil && s.silicon[s.ports[pi].node] != nil && pk.kind < pauseFrame && pk.in != unaccounted
}

// inPart returns the fill of a queue, in bytes, with packets that came into the same part of the buffer as those of a
// port.
func (s *engine) inPart(pi int32, class uint8, in int32) *uint32 {
	return &s.parts[int(s.cell(pi, class))*s.mostParts+int(s.configs[in].part)]
}

// average is the moving average of a queue's polled length.
type average struct {
	value float64 // bytes
	polls int64   // that have entered it
}

func (s *engine) average(pi int32, class uint8) *average {
	return &s.averages[pi*classes+int32(class&(classes-1))]
}

// poll lets the polls enter the average that were due since the queue last changed. It is
// called before each change, so they all have read the same length, and n of them are one
// step: the distance to it shrinks by keep^n. Polls are at the multiples of the period.
func (s *engine) poll(pi int32, class uint8) {
	m := s.curve(pi, class)
	if m.period == 0 {
		return
	}
	a := s.average(pi, class)
	due := s.now/m.period - a.polls
	if due <= 0 {
		return
	}
	bytes := float64(s.queue(pi, class).bytes)
	a.value = bytes + (a.value-bytes)*math.Pow(m.keep, float64(due))
	a.polls += due
}
