package lint

import (
	"iter"
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// cnpBufferWide warns of capped queues of CNPs that may fill the buffer: above its cap, what
// arrives for the queue waits there.
func cnpBufferWide(s *subject) {
	for k, q := range s.strictForCNPs() {
		if q.Scheduler.MaxRate.Value == 0 || q.Limit.Why == nil || !q.Limit.Value.Dynamic || q.Limit.Value.Alpha <= units.Alpha(0) {
			continue
		}
		num, den := q.Limit.Value.Alpha.Fraction()
		s.found.Warnf(CNPBufferWide, at(q.Limit, k.pfcAt()), "queue %d of %v carries CNPs, sends at most %v and may hold %d/%d of the pool: a sender of DSCP %d above that rate takes the buffer from all other queues", q.ID, k, q.Scheduler.MaxRate.Value, num, num+den, CNPDSCP).
			Fixf("limit it to alpha 1 or less, or to a few frames")
	}
}

// cnpShare is more of a link than CNPs can ever need: a receiver answers a packet with one
// CNP at most. On the wire that is 98 B (14 Ethernet, 20 IPv4, 8 UDP, 12 BTH, 16 reserved,
// 4 ICRC, 4 FCS, 20 preamble and gap: InfiniBand Architecture Volume 1, A17.9.3), and a
// packet with RoCE's MTU of 1024 is 1106 B: 8.9 %.
const cnpShare = units.One / 10

// cnpCapWide warns of caps on the queue of CNPs that bound only those who abuse it.
func cnpCapWide(s *subject) {
	for k, q := range s.strictForCNPs() {
		if q.Scheduler.MaxRate.Value == 0 {
			continue
		}
		for _, port := range k.ports {
			if most := cnpShare.FloorOf(int64(port.Speed)); port.Speed != 0 && int64(q.Scheduler.MaxRate.Value) >= most {
				s.found.Warnf(CNPCapWide, at(q.Scheduler.MaxRate, q.Scheduler.Range, k.pfcAt()), "the strict queue %d of %s carries CNPs and may take %v of %v: a sender of DSCP %d can take that rate from all other queues", q.ID, port.Name, q.Scheduler.MaxRate.Value, port.Speed, CNPDSCP).
					Fixf("CNPs for all packets at RoCE's MTU of 1024 would take 9 %% of the link: cap the queue below %v", units.BitRate(most))
				break
			}
		}
	}
}

// cnpInLossless finds CNPs that PFC can stop.
func cnpInLossless(s *subject) {
	c, ok := s.cnpClass()
	if !ok {
		return
	}
	for _, k := range s.kinds {
		if s.carries(k, c) {
			s.found.Errorf(CNPInLossless, s.dscpAt(CNPDSCP, c), "DSCP %d, which NICs give to CNPs, is in traffic class %d, and %v %s priority group %d", CNPDSCP, c.TrafficClass, k, k.verb("pauses its", "pause their"), c.PG).
				Fixf("give CNPs a lossy class with strict priority")
			return
		}
	}
}

// cnpPriority finds CNPs outside the strict queue that was meant for them.
func cnpPriority(s *subject) {
	c, ok := s.cnpClass()
	if !ok {
		return
	}
	for _, k := range s.kinds {
		own := k.queue(c)
		if own == nil || own.Scheduler.Strict || s.carries(k, c) {
			continue
		}
		for _, other := range []uint8{6, 7} {
			if q := k.qos.Queue(other); other != own.ID && q != nil && q.Scheduler.Strict {
				s.found.Errorf(CNPPriority, s.dscpAt(CNPDSCP, c), "CNPs (DSCP %d) leave from queue %d of %v, which shares by weight, although queue %d is strict", CNPDSCP, own.ID, k, other).
					Fixf("map DSCP %d to the traffic class of queue %d; NVIDIA's NICs send CNPs with priority 6, Broadcom's with 7", CNPDSCP, other)
				return
			}
		}
	}
}

// cnpQueueNotStrict finds CNPs that wait their turn.
func cnpQueueNotStrict(s *subject) {
	c, ok := s.cnpClass()
	if !ok {
		return
	}
	for _, k := range s.kinds {
		own := k.queue(c)
		if own == nil || own.Scheduler.Strict || !s.roce(k) || !s.silent() && k.qos.PFC == 0 {
			continue
		}
		strict := func(q plan.Queue) bool { return q.Scheduler.Strict && (q.ID == 6 || q.ID == 7) }
		said := own.Scheduler.Weight.Why != nil || own.Scheduler.MaxRate.Why != nil
		if !said || slices.ContainsFunc(k.qos.Queues, strict) {
			continue // the file has nothing on the queue, or cnp-priority reports more
		}
		s.found.Warnf(CNPQueueNotStrict, at(own.Scheduler.Weight, at(own.Scheduler.MaxRate, s.dscpAt(CNPDSCP, c))), "CNPs (DSCP %d) leave %v from queue %d, which shares by weight", CNPDSCP, k, own.ID).
			Fixf("make queue %d strict, with a cap", own.ID).Notef(s.dscpAt(CNPDSCP, c), "the class of CNPs")
		return
	}
}

// cnpUnreserved warns of strict queues for CNPs that have no buffer of their own, nor has
// their port.
func cnpUnreserved(s *subject) {
	for k, q := range s.strictForCNPs() {
		if q.Reserved.Why == nil || q.Reserved.Value != 0 || q.Limit.Why == nil || !q.Limit.Value.Dynamic {
			continue
		}
		if slices.ContainsFunc(k.qos.Pools, func(p plan.PortPool) bool { return p.Pool == q.Pool && p.Reserved.Value != 0 }) {
			continue
		}
		s.found.Warnf(CNPUnreserved, at(q.Reserved, q.Range, k.pfcAt()), "queue %d of %v carries CNPs (DSCP %d) and has no reserved buffer: when other queues fill the pool, the switch drops the CNPs that would end the congestion", q.ID, k, CNPDSCP).
			Fixf("reserve a frame for the queue")
	}
}

// strictForCNPs visits the strict queues that CNPs leave from.
func (s *subject) strictForCNPs() iter.Seq2[kind, *plan.Queue] {
	c, ok := s.cnpClass()
	return s.leaving(c, func(k kind, q *plan.Queue) bool { return ok && q.Scheduler.Strict })
}
