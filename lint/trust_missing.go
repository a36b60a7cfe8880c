package lint

import "github.com/roceplan/roceplan/plan"

// trustMissing finds lossless ports that look at no code point.
func trustMissing(s *subject) {
	for _, k := range s.kinds {
		if k.qos.PFC != 0 && k.qos.Trust == plan.TrustNone && s.sw.Marking == nil {
			s.found.Errorf(TrustMissing, k.pfcAt(), "%v %s PFC but %s not trust the DSCP, and no rule classifies packets: all of them are in the default class, which is not paused", k, k.verb("has", "have"), k.verb("does", "do")).
				Fixf("trust the DSCP, or classify packets by an access list")
		}
	}
}
