package sim

// ecnProfile is [ECN] at one port. The zero value never marks, because active is false.
type ecnProfile struct {
	active     bool
	kmin, kmax uint32
	slope      float64 // PMax / (KMax - KMin)
}

func newECNProfile(e ECN) ecnProfile {
	return ecnProfile{
		active: true, kmin: uint32(e.KMin), kmax: uint32(e.KMax),
		slope: e.PMax / max(1, float64(e.KMax-e.KMin)),
	}
}

// congested decides whether a packet that just left the queue of a class is marked, from
// what is left in it.
func (s *Sim) congested(pi int32, class uint8) bool {
	m, bytes := &s.configs[pi].mark, s.queue(pi, class).bytes
	if bytes <= m.kmin || !m.active {
		return false
	}
	return bytes > m.kmax || s.uniform() < m.slope*float64(bytes-m.kmin)
}
