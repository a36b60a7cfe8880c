package lint

// pmaxZero warns of curves without a slope.
func pmaxZero(s *subject) {
	for _, k := range s.kinds {
		for _, q := range k.qos.Queues {
			if e := q.ECN; e != nil && e.PMax.Value == 0 && e.KMin.Value < e.KMax.Value {
				s.found.Warnf(PmaxZero, at(e.PMax, at(e.KMin), k.ports[0].Range), "Pmax of queue %d of %v is 0: nothing is marked below Kmax", q.ID, k).Fixf("set Pmax above 0, such as 5%%")
			}
		}
	}
}
