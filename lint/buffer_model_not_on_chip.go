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
	s.found.Errorf(BufferModelNotOnChip, first(s.sw.BufferModelAt, s.sw.Range), "the buffer model is dynamic, but SONiC has no calculator for %s, so its buffer manager sets no buffers", s.chip.Title).
		Fixf("set buffer_model to traditional, and give the size of every pool and profile: only NVIDIA Spectrum has the dynamic model")
}
