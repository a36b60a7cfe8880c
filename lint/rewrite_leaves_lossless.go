package lint

import "github.com/roceplan/roceplan/plan"

// rewriteLeavesLossless warns of ports that send packets with a code point which this switch
// takes for another kind, lossy instead of lossless or the reverse: so does the next, where both
// have the same maps. One finding for each direction suffices.
func rewriteLeavesLossless(s *subject) {
	told := map[bool]bool{}
	for _, c := range s.sw.Classes {
		for _, k := range s.kinds {
			for _, dscp := range c.DSCPs {
				out := k.qos.Rewrite.Of(c.TrafficClass, dscp)
				to := s.sw.ClassifiedBy(k.qos)[out&63]
				if was := s.losslessTC(c.TrafficClass); out != dscp && was != s.losslessTC(to) && !told[was] {
					told[was] = true
					s.rewritten(k, c, dscp, out, to)
				}
			}
		}
	}
	s.refused(told)
}

// rewritten reports packets of a class that leave as those of another kind.
func (s *subject) rewritten(k kind, c plan.Class, dscp, out, to uint8) {
	at := first(k.pfcAt(), s.dscpAt(dscp, c))
	if s.losslessTC(c.TrafficClass) {
		s.found.Warnf(RewriteLeavesLossless, at, "packets with DSCP %d are lossless here and leave %v with DSCP %d, which leads to the lossy traffic class %d: the next switch with these maps can drop them", dscp, k, out, to).
			Fixf("write the DSCP of a lossless class")
		return
	}
	s.found.Warnf(RewriteLeavesLossless, at, "packets with DSCP %d are lossy here and leave %v with DSCP %d, which leads to the lossless traffic class %d: they fill its buffer in the next switch with these maps", dscp, k, out, to).
		Fixf("write the DSCP of a lossy class")
}

// refused reports what rules of untrusted ports do not admit and send on as lossless.
func (s *subject) refused(told map[bool]bool) {
	m := s.sw.Marking
	if m == nil || told[false] || s.losslessTC(m.DefaultTC) || !s.losslessTC(s.sw.Maps.DSCPToTC[m.Default&63]) {
		return
	}
	s.found.Warnf(RewriteLeavesLossless, first(m.Range, s.sw.Range), "packets that no rule admits are lossy here and leave with DSCP %d, which leads to the lossless traffic class %d: they fill its buffer in the next switch with these maps", m.Default, s.sw.Maps.DSCPToTC[m.Default&63]).
		Fixf("write the DSCP of a lossy class")
}

// losslessTC reports whether some port pauses packets of a traffic class.
func (s *subject) losslessTC(tc uint8) bool {
	if s.lossless == nil {
		s.lossless = map[uint8]bool{}
		for _, c := range s.losslessClasses() {
			s.lossless[c.TrafficClass] = true
		}
	}
	return s.lossless[tc]
}
