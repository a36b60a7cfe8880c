package lint

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// queueMissing finds lossless queues that BUFFER_QUEUE forgot, where it has others.
func queueMissing(s *subject) {
	for _, c := range s.losslessClasses() {
		for _, k := range s.kinds {
			buffered := slices.ContainsFunc(k.qos.Queues, func(q plan.Queue) bool { return q.Pool != "" && q.Limit.Why != nil })
			q := k.queue(c)
			if s.carries(k, c) && buffered && (q == nil || q.Pool == "" && q.Limit.Why == nil) {
				s.found.Errorf(QueueMissing, first(s.sw.QueueAt(k.qos, c.TrafficClass), k.pfcAt()), "the lossless traffic class %d leaves %v from queue %d, to which the file gives no buffer", c.TrafficClass, k, k.qos.QueueOf(&c)).
					Fixf("give queue %d a pool and a limit", k.qos.QueueOf(&c))
			}
		}
	}
}

// queueUnreached warns of queues that are prepared for a class, with a marking curve, with
// strict priority and a cap, or in OpenConfig, where each queue is there for a class, with a
// weight, and that no code point leads to.
func queueUnreached(s *subject) {
	if len(s.sw.Classes) == 0 || s.sw.Places.DSCPToTC == [64]diag.Range{} {
		return
	}
	roce := len(s.losslessClasses()) > 0 // then rules about CNPs say where those are
	for k, q := range s.queues {
		prepared := q.ECN != nil || s.silent() && q.Scheduler.Weight.Value != 0 || !roce && q.Scheduler.Strict && q.Scheduler.MaxRate.Value != 0
		reached := slices.ContainsFunc(s.sw.Classes, func(c plan.Class) bool { return k.qos.QueueOf(&c) == q.ID && len(c.DSCPs) > 0 })
		if !prepared || reached || s.marked(k, q.ID) || s.sentBack(k, q.ID) {
			continue
		}
		what := "a marking curve"
		if q.ECN == nil {
			what = "strict priority"
		}
		if q.ECN == nil && !q.Scheduler.Strict {
			what = "a part of the bandwidth"
		}
		s.found.Warnf(QueueUnreached, first(q.Range, q.Scheduler.Range, k.pfcAt()), "queue %d of %v has %s, but no code point leads to it", q.ID, k, what).
			Fixf("check whether a code point was moved, or remove the settings of the queue")
	}
}

// marked reports whether ports that do not trust the DSCP admit packets to a queue.
func (s *subject) marked(k kind, queue uint8) bool {
	return s.admits(func(tc uint8) bool { return s.sw.QueuesOf(k.qos)[tc&7] == queue })
}

// sentBack reports whether what is sent back between a pair of switches gets into a queue of ports
// with maps of their own: ports that classify by themselves admit it, or the tunnel.
func (s *subject) sentBack(k kind, queue uint8) bool {
	if !s.sw.OwnQueues() {
		return false
	}
	if t := s.sw.Tunnel; t != nil && slices.Contains(t.TCToQueue[:], queue) {
		return true
	}
	queues := s.sw.QueuesOf(k.qos)
	return slices.ContainsFunc(s.kinds, func(in kind) bool {
		return slices.ContainsFunc(s.sw.ClassifiedBy(in.qos)[:], func(tc uint8) bool { return queues[tc&7] == queue })
	})
}

// admits reports whether ports that do not trust the DSCP admit packets to one of some classes.
func (s *subject) admits(of func(tc uint8) bool) bool {
	return s.sw.Marking != nil && slices.ContainsFunc(s.sw.Marking.Rules, func(r plan.MarkRule) bool { return of(r.TC) })
}

// lossyInLosslessQueue finds queues that two kinds of class share, by the map of the switch or by
// that of some ports.
func lossyInLosslessQueue(s *subject) {
	lossless := s.losslessClasses()
	for _, c := range s.sw.Classes {
		if slices.ContainsFunc(lossless, func(l plan.Class) bool { return l.TrafficClass == c.TrafficClass }) || len(c.DSCPs) == 0 {
			continue
		}
		s.eachMap(func(k kind) bool {
			queue := k.qos.QueueOf(&c)
			i := slices.IndexFunc(lossless, func(l plan.Class) bool { return k.qos.QueueOf(&l) == queue && s.carries(k, l) })
			if i < 0 {
				return false
			}
			s.found.Errorf(LossyInLosslessQueue, first(s.sw.QueueAt(k.qos, c.TrafficClass), c.Range), "the lossy traffic class %d shares queue %d with the lossless class %d: a pause of the queue stops both, and nothing pauses the senders of the lossy class", c.TrafficClass, queue, lossless[i].TrafficClass).
				Fixf("give the two classes queues of their own")
			return true
		})
	}
}

// losslessQueueLimit finds queues that are bounded more tightly than the PGs that feed
// them. One that is bounded by less than one PG drops whatever else happens.
func losslessQueueLimit(s *subject) {
	for _, c := range s.losslessClasses() {
		for _, k := range s.kinds {
			q, pg := k.queue(c), k.qos.PG(c.PG)
			if q == nil || pg == nil || !pg.Lossless || q.Limit.Why == nil || pg.Limit.Why == nil {
				continue
			}
			in, out := s.sw.Pool(pg.Pool), s.sw.Pool(q.Pool)
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

// leastShare is the least share of a lossless queue in the weighted bandwidth, in parts of 100:
// less than half of the share of one queue in eight where all weigh the same.
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

// losslessCapped warns of queues of RDMA that may send but a small part of their port.
func losslessCapped(s *subject) {
	for k, q := range s.rdmaQueues() {
		if q.Scheduler.MaxRate.Why == nil || q.Scheduler.MaxRate.Value == 0 {
			continue
		}
		for _, port := range k.ports {
			if cap := int64(q.Scheduler.MaxRate.Value); port.Speed != 0 && 100*(cap/1000) < leastShare*(int64(port.Speed)/1000) {
				s.found.Warnf(LosslessCapped, at(q.Scheduler.MaxRate, q.Scheduler.Range, k.pfcAt()), "queue %d of %s carries RDMA and may send only %v of %v: packets that arrive faster wait, and their senders are paused", q.ID, port.Name, q.Scheduler.MaxRate.Value, port.Speed).
					Fixf("remove the cap, or raise it")
				break
			}
		}
	}
}

// losslessStrict warns of queues of RDMA that nothing holds back.
func losslessStrict(s *subject) {
	for k, q := range s.rdmaQueues() {
		if q.Scheduler.Strict && q.Scheduler.MaxRate.Value == 0 && configured(k.qos) > 1 && (q.Pool != "" || s.silent()) {
			s.found.Warnf(LosslessStrict, first(q.Scheduler.Range, at(q.Limit), k.pfcAt()), "queue %d of %v, which carries RDMA, is strict and has no cap: other queues get only the bandwidth that it leaves", q.ID, k).
				Fixf("share by weight")
		}
	}
}

// configured counts the queues with settings in the file.
func configured(qos *plan.PortQoS) (n int) {
	for i := range qos.Queues {
		if why := qos.Queues[i].Limit.Why; why == nil || why.Kind != plan.Default {
			n++
		}
	}
	return n
}

// strictNoCap warns of strict queues on ports with RDMA that can starve the others.
func strictNoCap(s *subject) {
	rdma := s.rdmaClasses()
	for _, c := range s.sw.Classes {
		if len(rdma) == 0 || len(c.DSCPs) == 0 {
			continue
		}
		for _, k := range s.kinds {
			q := k.queue(c)
			if q == nil || !q.Scheduler.Strict || q.Scheduler.MaxRate.Value != 0 || !weighted(k.qos) || !s.roce(k) ||
				slices.ContainsFunc(rdma, func(l plan.Class) bool { return k.qos.QueueOf(&l) == q.ID }) {
				continue
			}
			s.found.Warnf(StrictNoCap, first(q.Scheduler.Range, at(q.Limit), s.sw.QueueAt(k.qos, c.TrafficClass), c.Range), "queue %d of %v is strict and has no cap: a sender of DSCP %d can starve RDMA", q.ID, k, c.DSCPs[0]).
				Fixf("cap it at the rate of CNPs, some hundred Mb/s")
		}
	}
}

// weighted reports whether some queue shares by weight: only then can a strict one starve it.
func weighted(qos *plan.PortQoS) bool {
	return slices.ContainsFunc(qos.Queues, func(q plan.Queue) bool { return !q.Scheduler.Strict && q.Scheduler.Weight.Value != 0 })
}

// weightZero finds queues that share by weight and have none.
func weightZero(s *subject) {
	for k, q := range s.queues {
		if w := q.Scheduler.Weight; !q.Scheduler.Strict && w.Why != nil && w.Value == 0 {
			s.found.Errorf(WeightZero, at(w, q.Scheduler.Range, k.pfcAt()), "queue %d of %v shares the link by weight, but its weight is 0: the chip decides its share, which may be nothing", q.ID, k).
				Fixf("give it a weight of 1 or more")
		}
	}
}

// portUnscheduled warns of ports whose queues share as the device likes, while most ports
// say how.
func portUnscheduled(s *subject) {
	with, ports := s.count(func(k kind) bool { return scheduled(k.qos) })
	for _, k := range s.kinds {
		if 2*with > ports && len(k.qos.Queues) > 0 && !scheduled(k.qos) {
			s.found.Warnf(PortUnscheduled, first(k.ports[0].Range, k.pfcAt()), "no queue of %v has a scheduler, but %d of %d ports have schedulers: its queues share the link by the device's default", k, with, ports).
				Fixf("give it the schedulers of the other ports")
		}
	}
}

// scheduled reports whether a file says how some queue is scheduled.
func scheduled(qos *plan.PortQoS) bool {
	for i := range qos.Queues {
		if s := &qos.Queues[i].Scheduler; s.Strict || s.Weight.Why != nil || s.MaxRate.Why != nil {
			return true
		}
	}
	return false
}
