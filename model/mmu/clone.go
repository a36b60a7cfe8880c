package mmu

import "slices"

// Clone returns a buffer in the same state that shares nothing with m. It is much
// cheaper than New, which checks the configuration.
func (m *MMU) Clone() *MMU {
	own := *m
	own.pgs, own.queues = slices.Clone(m.pgs), slices.Clone(m.queues)
	own.ingress, own.egress = slices.Clone(m.ingress), slices.Clone(m.egress)
	own.bounds, own.held = slices.Clone(m.bounds), slices.Clone(m.held)
	return &own
}

// CopyFrom brings a clone of the same buffer to the state of another, in its own memory.
func (m *MMU) CopyFrom(from *MMU) {
	copy(m.pgs, from.pgs)
	copy(m.queues, from.queues)
	copy(m.ingress, from.ingress)
	copy(m.egress, from.egress)
	copy(m.bounds, from.bounds)
	copy(m.held, from.held)
	m.cells, m.loose = from.cells, from.loose
}
