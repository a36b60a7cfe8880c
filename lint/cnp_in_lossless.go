package lint

// cnpInLossless finds CNPs that PFC can stop.
func cnpInLossless(s *subject) {
	c, ok := s.cnpClass()
	if !ok {
		return
	}
	for _, k := range s.kinds {
		if s.carries(k, c) {
			s.found.Errorf(CNPInLossless, s.dscpAt(CNPDSCP, c), "DSCP %d, which NICs give to CNPs, is in traffic class %d, and %v %s priority group %d", CNPDSCP, c.TrafficClass, k, k.verb("pauses its", "pause their"), c.PG).
				Fixf("give CNPs a lossy class with strict priority")
			return
		}
	}
}
