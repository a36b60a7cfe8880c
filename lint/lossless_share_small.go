package lint

// leastShare is what a lossless queue should have of what is shared by weight, in parts
// of 100: less than half of what one queue in eight gets where all weigh the same.
const leastShare = 5

// losslessShareSmall warns of queues of lossless or marked classes that others can crowd
// out: what waits in them pauses the senders.
func losslessShareSmall(s *subject) {
	for _, k := range s.kinds {
		var sum, count int64
		for _, q := range k.qos.Queues {
			if !q.Scheduler.Strict && q.Scheduler.Weight.Why != nil {
				sum += q.Scheduler.Weight.Value
				count++
			}
		}
		for _, q := range k.qos.Queues {
			w := q.Scheduler.Weight
			if !marks(&q) || q.Scheduler.Strict || w.Why == nil || w.Value == 0 || count < 2 || 100*w.Value >= leastShare*sum {
				continue
			}
			s.found.Warnf(LosslessShareSmall, at(w, q.Scheduler.Range, k.pfcAt()), "queue %d of %v, which marks for congestion control, has %d of %d parts of the bandwidth that strict queues leave: other traffic delays it, and its senders are paused", q.ID, k, w.Value, sum).
				Fixf("raise its weight; RoCE modes of vendors give it half")
		}
	}
}
