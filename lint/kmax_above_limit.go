package lint

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
)

// kmaxAboveLimit checks the curve against what the queue may take.
func kmaxAboveLimit(s *subject) {
	for _, k := range s.kinds {
		for _, q := range k.qos.Queues {
			pool := s.pool(q.Pool)
			if q.ECN == nil || s.neverMarks(q.ECN) {
				continue
			}
			if pool == nil || pool.Size.Value == 0 || q.Limit.Why == nil {
				s.kmaxAboveMemory(k, &q)
				continue
			}
			most := q.Reserved.Value + mostShared(q.Limit.Value, pool.Size.Value)
			if q.ECN.KMax.Value > most {
				s.found.Errorf(KmaxAboveLimit, at(q.ECN.KMax, k.ports[0].Range), "queue %d of %v marks every packet from %v on, but never holds more than %v (%v of %s)", q.ID, k, q.ECN.KMax.Value, most, q.Limit.Value, pool.Name).Fixf("set Kmax below %v", most).
					Notef(at(q.Limit), "the limit of the queue")
			}
		}
	}
}

// neverMarks reports whether a curve is one that NVIDIA ships for queues that must not mark:
// one step, at the size of the whole buffer.
func (s *subject) neverMarks(e *plan.ECN) bool {
	return s.chip != nil && s.chip.Family == chips.Spectrum && e.KMin.Value == e.KMax.Value && e.KMax.Value >= s.chip.UsableBuffer.Or(s.chip.PacketBuffer.Or(0))*9/10
}

// kmaxAboveMemory is what is left to say where the limit of the queue is not known.
func (s *subject) kmaxAboveMemory(k kind, q *plan.Queue) {
	if s.chip == nil {
		return
	}
	if memory := s.chip.PacketBuffer.Or(0); memory != 0 && q.ECN.KMax.Value > memory {
		s.found.Errorf(KmaxAboveLimit, at(q.ECN.KMax, k.ports[0].Range), "queue %d of %v marks every packet from %v on, but %s has %v of memory", q.ID, k, q.ECN.KMax.Value, s.chip.Title, memory).Fixf("set Kmax far below %v", memory)
	}
}
