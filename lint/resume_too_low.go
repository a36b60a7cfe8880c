package lint

// resumeTooLow finds resume levels below nothing.
func resumeTooLow(s *subject) {
	for _, k := range s.kinds {
		for _, pg := range k.qos.PGs {
			pool := s.pool(pg.Pool)
			if !pg.Lossless || pool == nil || pool.Size.Value == 0 || pg.Limit.Why == nil || pg.XOn.Value > 0 {
				continue
			}
			top := pg.Reserved.Value + mostShared(pg.Limit.Value, pool.Size.Value)
			if pg.XOnOffset.Value >= top {
				s.found.Errorf(ResumeTooLow, at(pg.XOnOffset, k.ports[0].Range), "priority group %d of %v resumes %v below the level of its pause, and that is at most %v: it resumes only when it is empty", pg.ID, k, pg.XOnOffset.Value, top)
			}
		}
	}
}
