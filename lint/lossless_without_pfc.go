package lint

// losslessWithoutPFC finds headroom that no pause ever uses.
func losslessWithoutPFC(s *subject) {
	for _, k := range s.kinds {
		for _, pg := range k.qos.PGs {
			if pg.Lossless && len(s.pauses(k, pg.ID)) == 0 {
				s.found.Errorf(LosslessWithoutPFC, first(k.qos.Range, at(pg.Headroom, k.ports[0].Range)), "priority group %d of %v has headroom, but no PFC priority pauses it, so it drops like a lossy one", pg.ID, k).
					Fixf("enable PFC for its priority, or make it lossy")
			}
		}
	}
}
