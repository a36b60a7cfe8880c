package lint

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
)

// bufferModelNotOnChip finds the dynamic buffer model on silicon that SONiC has no calculator
// for.
func bufferModelNotOnChip(s *subject) {
	if s.chip == nil || s.chip.Family == chips.Spectrum || s.chip.Family == chips.TofinoFam || s.sw.BufferModel != plan.DynamicModel {
		return
	}
	s.found.Errorf(BufferModelNotOnChip, first(s.sw.BufferModelAt, s.sw.Range), "the buffer model is dynamic, and SONiC computes no buffers for %s: its buffer manager finds no calculator and sets none", s.chip.Title).
		Fixf("write buffer_model traditional, with the size of every pool and profile; the dynamic model is for NVIDIA Spectrum")
}
