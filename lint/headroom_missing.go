package lint

// headroomMissing finds lossless PGs with nothing above their threshold.
func headroomMissing(s *subject) {
	for _, k := range s.kinds {
		for i := range k.qos.PGs {
			pg := &k.qos.PGs[i]
			switch {
			case !pg.Lossless || pg.Headroom.Value != 0 || s.computed(pg):
			case pg.Headroom.Why != nil:
				s.found.Errorf(HeadroomMissing, at(pg.Headroom, k.ports[0].Range), "the lossless priority group %d of %v has a headroom of 0, so packets that arrive after the pause are dropped", pg.ID, k).Fixf("give it the headroom of its cable: roceplan calc headroom computes it")
			default:
				s.found.Warnf(HeadroomMissing, k.pfcAt(), "the file gives the lossless priority group %d of %v no headroom, so the switch uses its vendor's default, which ignores the cable", pg.ID, k).Fixf("give it the headroom of its cable: roceplan calc headroom computes it")
			}
		}
	}
}
