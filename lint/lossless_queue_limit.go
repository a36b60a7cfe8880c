package lint

// losslessQueueLimit finds queues that are bounded more tightly than the PGs that feed
// them. One that is bounded by less than one PG drops whatever else happens.
func losslessQueueLimit(s *subject) {
	for _, c := range s.losslessClasses() {
		for _, k := range s.kinds {
			q, pg := k.queue(c), pgOf(k.qos, c.PG)
			if q == nil || pg == nil || !pg.Lossless || q.Limit.Why == nil || pg.Limit.Why == nil {
				continue
			}
			in, out := s.pool(pg.Pool), s.pool(q.Pool)
			less := q.Limit.Value.Dynamic && pg.Limit.Value.Dynamic && q.Limit.Value.Alpha < pg.Limit.Value.Alpha
			if in != nil && out != nil && in.Size.Value != 0 && out.Size.Value != 0 {
				less = q.Reserved.Value+mostShared(q.Limit.Value, out.Size.Value) < mostShared(pg.Limit.Value, in.Size.Value-in.Headroom.Value)
			}
			if less {
				where := at(q.Limit, k.ports[0].Range)
				if k.qos.TCToQueue != nil && q.ID != c.Queue { // the port's own map leads there
					where = first(s.sw.QueueAt(k.qos, c.TrafficClass), where)
				}
				s.found.Errorf(LosslessQueueLimit, where, "queue %d of %v is limited to %v, but one priority group that feeds it may hold %v: the queue drops packets before the group pauses", q.ID, k, q.Limit.Value, pg.Limit.Value).
					Fixf("limit the queue only by its pool").Notef(at(pg.Limit), "the threshold of priority group %d", pg.ID)
			}
		}
	}
}
