package sim

import "math/rand/v2"

// newRandoms gives each node numbers of its own, so that none depend on what happens elsewhere.
func newRandoms(seed uint64, nodes int) []rand.PCG {
	own := make([]rand.PCG, nodes)
	for node := range own {
		own[node].Seed(seed, 0x726f6365706c616e+uint64(node)<<1)
	}
	return own
}

// uniform draws from [0, 1) at a node.
func (s *engine) uniform(node int32) float64 {
	if s.streams != nil {
		return s.streams.uniform()
	}
	return float64(s.randoms[node].Uint64()>>11) / (1 << 53)
}
