package lint

// kminAboveKmax finds curves that run backwards.
func kminAboveKmax(s *subject) {
	for _, k := range s.kinds {
		for _, q := range k.qos.Queues {
			if e := q.ECN; e != nil && e.KMin.Value > e.KMax.Value {
				s.found.Errorf(KminAboveKmax, at(e.KMin, k.ports[0].Range), "Kmin of queue %d of %v is %v, but Kmax is %v", q.ID, k, e.KMin.Value, e.KMax.Value).
					Fixf("set Kmin below Kmax; they may have been swapped").Notef(at(e.KMax), "Kmax")
			}
		}
	}
}
