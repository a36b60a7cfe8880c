package lint

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// pgUnused warns of headroom for traffic that cannot come.
func pgUnused(s *subject) {
	if len(s.sw.Classes) == 0 {
		return
	}
	for _, k := range s.kinds {
		for _, pg := range k.qos.PGs {
			if pg.Lossless && len(s.pauses(k, pg.ID)) > 0 && !slices.ContainsFunc(s.sw.Classes, func(c plan.Class) bool { return c.PG == pg.ID }) {
				s.found.Warnf(PGUnused, at(pg.Headroom, k.pfcAt()), "no packet reaches the lossless priority group %d of %v: no code point leads to it, and its reserve is lost to others", pg.ID, k)
			}
		}
	}
}
