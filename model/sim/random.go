package sim

// uniform draws from [0, 1).
func (s *engine) uniform() float64 {
	if s.streams != nil {
		return s.streams.uniform()
	}
	return float64(s.random.Uint64()>>11) / (1 << 53)
}
