package lint

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// classUnpaused warns of ports with PFC at which packets of another lossless class arrive: nothing
// pauses their sender. [pfcOffOnPort] judges ports without PFC.
func classUnpaused(s *subject) {
	lossless := s.losslessClasses()
	for _, k := range s.kinds {
		if !k.lossless() || k.qos.Trust == plan.TrustNone && s.sw.Marking == nil {
			continue
		}
		in := admittedBy(s.sw, k.qos)
		for _, c := range lossless {
			if dscp := slices.Index(in.classes[:], c.TrafficClass); dscp >= 0 && !s.carries(k, c) {
				s.found.Warnf(ClassUnpaused, k.pfcAt(), "packets with DSCP %d are in the lossless traffic class %d, but %v %s neither PFC nor headroom for it: a full buffer drops what arrives there", dscp, c.TrafficClass, k, k.verb("has", "have")).
					Fixf("enable PFC for the class there too, or map its code points to a lossy class on these ports")
			}
		}
	}
}
