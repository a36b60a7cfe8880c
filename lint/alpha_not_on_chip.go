package lint

import (
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// unlimited is the largest alpha of SONiC, dynamic_th 7, which NVIDIA's switches read as no
// limit at all.
const unlimited = units.Alpha(7)

// alphaNotOnChip checks every alpha against what the chip can be set to.
func alphaNotOnChip(s *subject) {
	if s.chip == nil {
		return
	}
	settable, err := s.chip.Alphas.Get()
	if err != nil {
		return
	}
	judge := func(l plan.Derived[plan.Limit], k kind, what string, id uint8) {
		if l.Why == nil || !l.Value.Dynamic || slices.Contains(settable, l.Value.Alpha) || s.chip.Family == chips.Spectrum && l.Value.Alpha == unlimited {
			return
		}
		s.found.Errorf(AlphaNotOnChip, at(l, k.ports[0].Range), "%s %d of %v has alpha %v, but %s supports only %v to %v", what, id, k, l.Value.Alpha, s.chip.Title, settable[0], settable[len(settable)-1]).Fixf("choose an alpha from %v to %v", settable[0], settable[len(settable)-1])
	}
	for _, k := range s.kinds {
		for _, pg := range k.qos.PGs {
			judge(pg.Limit, k, "priority group", pg.ID)
		}
		for _, q := range k.qos.Queues {
			judge(q.Limit, k, "queue", q.ID)
		}
	}
}
