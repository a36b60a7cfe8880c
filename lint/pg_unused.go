package lint

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// pgUnused warns of headroom for traffic that cannot come. A class that has a name or a queue and
// no code point brings none, where the file says which code points lead where.
func pgUnused(s *subject) {
	if len(s.sw.Classes) == 0 {
		return
	}
	mapped := s.sw.Places.DSCPToTC != [64]diag.Range{}
	reached := func(q *plan.PortQoS, pg uint8) bool {
		return q.Trust == plan.TrustNone && s.admits(func(tc uint8) bool { return s.sw.Maps.TCToPG[tc&7] == pg }) ||
			q.DSCPToTC != nil && slices.ContainsFunc(q.DSCPToTC[:], func(tc uint8) bool { return s.sw.Maps.TCToPG[tc&7] == pg }) ||
			slices.ContainsFunc(s.sw.Classes, func(c plan.Class) bool { return c.PG == pg && (!mapped || len(c.DSCPs) > 0) })
	}
	for _, k := range s.kinds {
		for _, pg := range k.qos.PGs {
			if pg.Lossless && len(s.pauses(k, pg.ID)) > 0 && !reached(k.qos, pg.ID) {
				s.found.Warnf(PGUnused, at(pg.Headroom, k.pfcAt()), "no code point leads to the lossless priority group %d of %v, so no packet reaches it and its reserve is unused", pg.ID, k).Fixf("map a code point to the group, or make it lossy and disable PFC for its priority")
			}
		}
	}
}
