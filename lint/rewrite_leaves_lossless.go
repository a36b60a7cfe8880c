package lint

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// rewriteLeavesLossless warns of ports that send lossless packets with a code point which this
// switch takes for a lossy one: so does the next, where both have the same maps.
func rewriteLeavesLossless(s *subject) {
	lossless := s.losslessClasses()
	for _, c := range lossless {
		for _, k := range s.kinds {
			for _, dscp := range c.DSCPs {
				out := k.qos.Rewrite.Of(c.TrafficClass, dscp)
				to := s.sw.ClassifiedBy(k.qos)[out&63]
				if out == dscp || slices.ContainsFunc(lossless, func(l plan.Class) bool { return l.TrafficClass == to }) {
					continue
				}
				s.found.Warnf(RewriteLeavesLossless, first(k.pfcAt(), s.dscpAt(dscp, c)), "packets with DSCP %d are lossless here and leave %v with DSCP %d, which leads to the lossy traffic class %d: a switch with these maps loses them", dscp, k, out, to).
					Fixf("write the DSCP of a lossless class")
				return
			}
		}
	}
}
