package lint

import (
	"github.com/roceplan/roceplan/units"
)

// smallestAlpha is the alpha of the incident that Guo et al. tell of.
const smallestAlpha = units.Alpha(-6)

// alphaTooSmall warns of PGs that pause while the buffer is almost empty.
func alphaTooSmall(s *subject) {
	for _, k := range s.kinds {
		for _, pg := range k.qos.PGs {
			if l := pg.Limit; pg.Lossless && l.Value.Dynamic && l.Value.Alpha <= smallestAlpha {
				s.found.Warnf(AlphaTooSmall, at(l, k.ports[0].Range), "priority group %d of %v pauses at alpha %v of the free buffer, so the rest of the buffer absorbs no burst", pg.ID, k, l.Value.Alpha).
					Fixf("raise alpha, for example to 1/16")
			}
		}
	}
}
