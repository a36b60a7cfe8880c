package lint

// headroomUneven compares ports that need the same.
func headroomUneven(s *subject) {
	s.eachPair(func(a, b portPG) {
		if a.port.Speed != 0 && a.port.Speed == b.port.Speed && a.port.Cable != 0 && a.port.Cable == b.port.Cable && a.pg.Headroom.Value < b.pg.Headroom.Value {
			s.found.Warnf(HeadroomUneven, at(a.pg.Headroom, a.port.Range), "%s and %s both run at %v over %v, but one has %v of headroom and the other %v", a.port.Name, b.port.Name, a.port.Speed, a.port.Cable, a.pg.Headroom.Value, b.pg.Headroom.Value).Fixf("give both %v", b.pg.Headroom.Value).
				Notef(at(b.pg.Headroom, b.port.Range), "the larger one")
		}
	})
}
