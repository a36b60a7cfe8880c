package lint

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// marks reports whether a queue has a marking curve, in whatever figures.
func marks(q *plan.Queue) bool { return q.ECN != nil || q.Curve != "" && !q.Curve.Drops() }

// ecnMissing finds lossless queues without a marking curve.
func ecnMissing(s *subject) {
	for _, c := range s.losslessClasses() {
		for _, k := range s.kinds {
			q := k.queue(c)
			if !s.carries(k, c) || q == nil || marks(q) {
				continue
			}
			s.found.Warnf(ECNMissing, first(q.Scheduler.Range, at(q.Scheduler.Weight, at(q.Limit)), k.pfcAt()), "queue %d of %v carries the lossless traffic class %d and marks no packet", q.ID, k, c.TrafficClass).
				Fixf("give the queue a WRED profile with ECN, unless its hosts use TIMELY, Swift or HPCC")
		}
	}
}

// kminAboveKmax finds curves that run backwards.
func kminAboveKmax(s *subject) {
	for k, q := range s.queues {
		if e := q.ECN; e != nil && e.KMin.Value > e.KMax.Value {
			s.found.Errorf(KminAboveKmax, at(e.KMin, k.ports[0].Range), "Kmin of queue %d of %v is %v, but Kmax is %v", q.ID, k, e.KMin.Value, e.KMax.Value).
				Fixf("set Kmin below Kmax; they may have been swapped").Notef(at(e.KMax), "Kmax")
		}
	}
}

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

// packetsBeforeMarking is the number of full RoCE packets in a queue below which marking costs
// throughput, and gentleTime and gentlePmax a slope that costs none with a single one:
// docs/marking-study.md.
const (
	packetsBeforeMarking = 3
	gentleTime           = 8 * units.Microsecond
	gentlePmax           = 5 * units.Percent
)

// kminEarly warns of curves that begin so early that the port runs idle.
func kminEarly(s *subject) {
	for _, k := range s.kinds {
		packet := fullPacket(k.ports[0].MTU)
		for _, q := range k.qos.Queues {
			e := q.ECN
			if e == nil || e.KMin.Why == nil || e.KMin.Value < k.ports[0].MTU || e.KMin.Value >= e.KMax.Value {
				continue // below a frame, and above Kmax, other rules say what is wrong
			}
			if e.KMin.Value >= packetsBeforeMarking*packet {
				continue
			}
			for _, port := range k.ports {
				if !gentle(e, port.Speed) {
					s.found.Warnf(KminEarly, at(e.KMin, k.ports[0].Range), "Kmin of queue %d of %s is %v, less than %d full RoCE packets of %v: flows that are marked so early leave the port idle", q.ID, port.Name, e.KMin.Value, packetsBeforeMarking, packet).
						Fixf("set Kmin to %v, or to three packets of the servers' RoCE MTU if that is smaller", packetsBeforeMarking*packet)
					break
				}
			}
		}
	}
}

// roceHeaders is the size of a RoCE packet without its payload: Ethernet 14, IPv4 20, UDP 8, BTH
// 12, ICRC 4, FCS 4.
const roceHeaders units.Bytes = 62

// fullPacket returns the largest RoCE packet that a port takes, with an MTU of InfiniBand. It is 0 if
// none fits, and the smallest of the study where the file has no MTU.
func fullPacket(frame units.Bytes) units.Bytes {
	if frame <= 0 {
		return 1024 + roceHeaders
	}
	for mtu := units.Bytes(4096); mtu >= 256; mtu /= 2 {
		if mtu+roceHeaders <= frame {
			return mtu + roceHeaders
		}
	}
	return 0
}

// gentle reports whether a curve rises so slowly that a small Kmin is forgiven. Where the
// speed is not known, it may be.
func gentle(e *plan.ECN, speed units.BitRate) bool {
	return e.PMax.Value <= gentlePmax && (speed <= 0 || e.KMax.Value-e.KMin.Value >= speed.FloorBytes(gentleTime))
}

// kmaxAboveLimit checks the curve against what the queue may take.
func kmaxAboveLimit(s *subject) {
	for k, q := range s.queues {
		pool := s.sw.Pool(q.Pool)
		if q.ECN == nil || s.neverMarks(q.ECN) {
			continue
		}
		if pool == nil || pool.Size.Value == 0 || q.Limit.Why == nil {
			s.kmaxAboveMemory(k, q)
			continue
		}
		most := q.Reserved.Value + mostShared(q.Limit.Value, pool.Size.Value)
		if q.ECN.KMax.Value > most {
			s.found.Errorf(KmaxAboveLimit, at(q.ECN.KMax, k.ports[0].Range), "queue %d of %v marks every packet from %v on, but never holds more than %v (%v of %s)", q.ID, k, q.ECN.KMax.Value, most, q.Limit.Value, pool.Name).Fixf("set Kmax below %v", most).
				Notef(at(q.Limit), "the limit of the queue")
		}
	}
}

// neverMarks reports whether a curve is one that NVIDIA ships for queues that must not mark:
// one step, at the size of the whole buffer.
func (s *subject) neverMarks(e *plan.ECN) bool {
	return s.chip != nil && s.chip.Family == chips.Spectrum && e.KMin.Value == e.KMax.Value && e.KMax.Value >= s.chip.UsableBuffer.Or(s.chip.PacketBuffer.Or(0))*9/10
}

// kmaxAboveMemory reports a Kmax beyond the memory where the limit of the queue is not known.
func (s *subject) kmaxAboveMemory(k kind, q *plan.Queue) {
	if s.chip == nil {
		return
	}
	if memory := s.chip.PacketBuffer.Or(0); memory != 0 && q.ECN.KMax.Value > memory {
		s.found.Errorf(KmaxAboveLimit, at(q.ECN.KMax, k.ports[0].Range), "queue %d of %v marks every packet from %v on, but %s has %v of memory", q.ID, k, q.ECN.KMax.Value, s.chip.Title, memory).Fixf("set Kmax far below %v", memory)
	}
}

// pmaxZero warns of curves without a slope.
func pmaxZero(s *subject) {
	for k, q := range s.queues {
		if e := q.ECN; e != nil && e.PMax.Value == 0 && e.KMin.Value < e.KMax.Value {
			s.found.Warnf(PmaxZero, at(e.PMax, at(e.KMin), k.ports[0].Range), "Pmax of queue %d of %v is 0: nothing is marked below Kmax", q.ID, k).Fixf("set Pmax above 0, such as 5%%")
		}
	}
}
