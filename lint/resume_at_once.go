package lint

// resumeAtOnce warns of PGs without hysteresis.
func resumeAtOnce(s *subject) {
	for _, k := range s.kinds {
		for i := range k.qos.PGs {
			pg := &k.qos.PGs[i]
			if pg.Lossless && !s.computed(pg) && pg.Headroom.Why != nil && pg.XOn.Value == 0 && pg.XOnOffset.Value == 0 && s.sw.OS != "srlinux" { // its boxes decide by themselves
				s.found.Warnf(ResumeAtOnce, first(at(pg.XOnOffset, at(pg.XOn)), at(pg.Headroom)), "priority group %d of %v has neither an xon level nor an xon offset: it pauses and resumes with every packet", pg.ID, k).
					Fixf("set an xon offset of about two frames")
			}
		}
	}
}
