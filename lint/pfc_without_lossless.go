package lint

// pfcWithoutLossless finds pauses that come too late.
func pfcWithoutLossless(s *subject) {
	for _, k := range s.kinds {
		if len(k.qos.PGs) == 0 {
			continue // the file says nothing of ingress buffers
		}
		for p := range uint8(8) {
			pg := s.sw.Maps.PFCToPG[p]
			if k.qos.PFC&(1<<p) == 0 {
				continue
			}
			if own := pgOf(k.qos, pg); own == nil || !own.Lossless {
				s.found.Errorf(PFCWithoutLossless, k.pfcAt(), "%v %s PFC for priority %d, but %s priority group %d has no headroom: packets are lost while the pause takes effect", k, k.verb("has", "have"), p, k.verb("its", "their"), pg).
					Fixf("give priority group %d headroom, or turn PFC off for priority %d", pg, p)
			}
		}
	}
}
