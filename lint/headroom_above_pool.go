package lint

// headroomAbovePool finds headroom that cannot be had.
func headroomAbovePool(s *subject) {
	for _, k := range s.kinds {
		for _, pg := range k.qos.PGs {
			pool := s.pool(pg.Pool)
			if pool == nil || !pg.Lossless {
				continue
			}
			switch all := pool.Headroom; {
			case all.Value > 0 && pg.Headroom.Value > all.Value:
				s.found.Errorf(HeadroomAbovePool, at(pg.Headroom, k.ports[0].Range), "priority group %d of %v wants %v of headroom, and the headroom pool of %s has %v", pg.ID, k, pg.Headroom.Value, pool.Name, all.Value).
					Notef(at(all), "the headroom pool")
			case all.Value == 0 && pool.Size.Why != nil && pg.Headroom.Value > pool.Size.Value:
				s.found.Errorf(HeadroomAbovePool, at(pg.Headroom, k.ports[0].Range), "priority group %d of %v wants %v of headroom, and the whole pool %s has %v", pg.ID, k, pg.Headroom.Value, pool.Name, pool.Size.Value).
					Notef(at(pool.Size), "the pool")
			}
		}
	}
}
