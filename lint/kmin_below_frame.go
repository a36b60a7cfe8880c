package lint

// kminBelowFrame warns of curves that begin before there is a queue.
func kminBelowFrame(s *subject) {
	for _, k := range s.kinds {
		frame := k.ports[0].MTU
		for _, q := range k.qos.Queues {
			if e := q.ECN; e != nil && frame != 0 && e.KMin.Value < frame && e.KMin.Value <= e.KMax.Value {
				s.found.Warnf(KminBelowFrame, at(e.KMin, k.ports[0].Range), "Kmin of queue %d of %v is %v, less than one frame of %v: an uncongested queue is marked", q.ID, k, e.KMin.Value, frame).Fixf("set Kmin to at least one frame, %v", frame)
			}
		}
	}
}
