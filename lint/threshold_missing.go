package lint

// thresholdMissing warns of lossless PGs whose headroom the file sizes and whose threshold it
// leaves to the switch: headroom begins where the threshold ends.
func thresholdMissing(s *subject) {
	for _, k := range s.kinds {
		for i := range k.qos.PGs {
			pg := &k.qos.PGs[i]
			if pg.Lossless && pg.Headroom.Why != nil && pg.Limit.Why == nil && !s.computed(pg) {
				s.found.Warnf(ThresholdMissing, at(pg.Headroom, k.ports[0].Range), "the file gives the lossless priority group %d of %v headroom but no threshold, so it pauses at the switch's default", pg.ID, k).
					Fixf("say the threshold")
			}
		}
	}
}
