package lint

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// classUnpaused warns of ports with PFC at which packets of another lossless class arrive: nothing
// pauses their sender. [pfcOffOnPort] judges ports without PFC.
func classUnpaused(s *subject) {
	lossless := s.losslessClasses()
	for _, k := range s.kinds {
		if !k.lossless() || k.qos.Trust == plan.TrustNone && s.sw.Marking == nil {
			continue
		}
		in := admittedBy(s.sw, k.qos)
		for _, c := range lossless {
			if dscp := slices.Index(in.classes[:], c.TrafficClass); dscp >= 0 && !s.carries(k, c) {
				s.found.Warnf(ClassUnpaused, k.pfcAt(), "packets with DSCP %d are in the lossless traffic class %d, but %v %s neither PFC nor headroom for it: a full buffer drops what arrives there", dscp, c.TrafficClass, k, k.verb("has", "have")).
					Fixf("enable PFC for the class there too, or map its code points to a lossy class on these ports")
			}
		}
	}
}

// defaultLossless warns when DSCP 0 is lossless. Where a format has no PFC, a class that marks is
// one of RDMA only if CNPs also have a strict queue: others mark for TCP.
func defaultLossless(s *subject) {
	for _, c := range s.rdmaClasses() {
		if !slices.Contains(c.DSCPs, 0) || s.silent() && !s.cnpApart(c) {
			continue
		}
		s.found.Warnf(DefaultLossless, s.dscpAt(0, c), "DSCP 0 is in traffic class %d, like RDMA: unmarked traffic is paused with RDMA", c.TrafficClass).
			Fixf("map only the code points of RDMA to its class")
	}
}

// cnpApart reports whether CNPs have a strict queue of their own, other than a class.
func (s *subject) cnpApart(from plan.Class) bool {
	c, ok := s.cnpClass()
	return ok && slices.ContainsFunc(s.kinds, func(k kind) bool {
		q := k.queue(c)
		return q != nil && q.Scheduler.Strict && q.ID != k.qos.QueueOf(&from)
	})
}

// losslessWithoutPFC finds headroom that no pause ever uses.
func losslessWithoutPFC(s *subject) {
	for k, pg := range s.groups {
		if pg.Lossless && len(s.pauses(k, pg.ID)) == 0 {
			s.found.Errorf(LosslessWithoutPFC, first(k.qos.Range, at(pg.Headroom, k.ports[0].Range)), "priority group %d of %v has headroom, but no PFC priority pauses it, so it drops like a lossy one", pg.ID, k).
				Fixf("enable PFC for its priority, or make it lossy")
		}
	}
}

// pfcWithoutLossless finds pauses that come too late.
func pfcWithoutLossless(s *subject) {
	for _, k := range s.kinds {
		if len(k.qos.PGs) == 0 {
			continue // the file says nothing of ingress buffers
		}
		for p := range uint8(8) {
			pg := s.sw.Maps.PFCToPG[p]
			if k.qos.PFC&(1<<p) == 0 {
				continue
			}
			if own := k.qos.PG(pg); own == nil || !own.Lossless {
				s.found.Errorf(PFCWithoutLossless, k.pfcAt(), "%v %s PFC for priority %d, but %s priority group %d has no headroom: packets are lost while the pause takes effect", k, k.verb("has", "have"), p, k.verb("its", "their"), pg).
					Fixf("give priority group %d headroom, or turn PFC off for priority %d", pg, p)
			}
		}
	}
}

// pfcOffOnPort warns of ports that were forgotten.
func pfcOffOnPort(s *subject) {
	with, ports := s.count(func(k kind) bool { return k.qos.PFC != 0 })
	for _, k := range s.kinds {
		if 2*with > ports && k.qos.PFC == 0 && (len(k.qos.Queues) > 0 || len(k.qos.PGs) > 0) {
			s.found.Warnf(PFCOffOnPort, k.pfcAt(), "%v %s no PFC, but %d of %d ports have it", k, k.verb("has", "have"), with, ports).
				Fixf("enable PFC there too, or remove QoS from the port")
		}
	}
}

// pfcQueueMismatch follows a class through the switch: the priority that pauses its PG
// upstream has to stop, when it comes from downstream, the queue that it leaves from.
func pfcQueueMismatch(s *subject) {
	m := &s.sw.Maps
	for _, c := range s.losslessClasses() {
		s.eachMap(func(k kind) bool {
			priorities, queue := s.pauses(k, c.PG), k.qos.QueueOf(&c)
			if len(priorities) == 0 || slices.ContainsFunc(priorities, func(p uint8) bool { return m.PFCToQueue[p] == queue }) {
				return false
			}
			p := priorities[0]
			s.found.Errorf(PFCQueueMismatch, first(s.sw.QueueAt(k.qos, c.TrafficClass), s.sw.Places.PFCToQueue[p], c.Range), "traffic class %d is paused by priority %d and sent from queue %d, but a pause of priority %d from downstream stops %s", c.TrafficClass, p, queue, p, queueName(m.PFCToQueue[p])).
				Fixf("%s", stopping(c.TrafficClass, queue, p, m.PFCToQueue[p]))
			return true
		})
	}
}

// queueName names the queue that a pause stops.
func queueName(queue uint8) string {
	if queue == plan.NoQueue {
		return "no queue"
	}
	return fmt.Sprintf("queue %d", queue)
}

// stopping says how pauses of a priority come to stop a class.
func stopping(tc, queue, priority, stops uint8) string {
	if stops == plan.NoQueue {
		return fmt.Sprintf("let a pause of priority %d stop queue %d", priority, queue)
	}
	return fmt.Sprintf("map traffic class %d to queue %d, or priority %d to queue %d", tc, stops, priority, queue)
}

// rewriteLeavesLossless warns of ports that send packets with a code point which this switch
// takes for another kind, lossy instead of lossless or the reverse: so does the next, where both
// have the same maps. One finding for each direction suffices.
func rewriteLeavesLossless(s *subject) {
	told := map[bool]bool{}
	for _, c := range s.sw.Classes {
		for _, k := range s.kinds {
			for _, dscp := range c.DSCPs {
				out := k.qos.Rewrite.Of(c.TrafficClass, dscp)
				to := s.sw.ClassifiedBy(k.qos)[out&63]
				if was := s.losslessTC(c.TrafficClass); out != dscp && was != s.losslessTC(to) && !told[was] {
					told[was] = true
					s.rewritten(k, c, dscp, out, to)
				}
			}
		}
	}
	s.refused(told)
}

// rewritten reports packets of a class that leave as those of another kind.
func (s *subject) rewritten(k kind, c plan.Class, dscp, out, to uint8) {
	at := first(k.qos.RewriteRange[c.TrafficClass&7], k.pfcAt(), s.dscpAt(dscp, c))
	if s.losslessTC(c.TrafficClass) {
		s.found.Warnf(RewriteLeavesLossless, at, "packets with DSCP %d are lossless here and leave %v with DSCP %d, which leads to the lossy traffic class %d: the next switch with these maps can drop them", dscp, k, out, to).
			Fixf("write the DSCP of a lossless class")
		return
	}
	s.found.Warnf(RewriteLeavesLossless, at, "packets with DSCP %d are lossy here and leave %v with DSCP %d, which leads to the lossless traffic class %d: they fill its buffer in the next switch with these maps", dscp, k, out, to).
		Fixf("write the DSCP of a lossy class")
}

// refused reports what rules of untrusted ports do not admit and send on as lossless.
func (s *subject) refused(told map[bool]bool) {
	m := s.sw.Marking
	if m == nil || told[false] || s.losslessTC(m.DefaultTC) || !s.losslessTC(s.sw.Maps.DSCPToTC[m.Default&63]) {
		return
	}
	s.found.Warnf(RewriteLeavesLossless, first(m.Range, s.sw.Range), "packets that no rule admits are lossy here and leave with DSCP %d, which leads to the lossless traffic class %d: they fill its buffer in the next switch with these maps", m.Default, s.sw.Maps.DSCPToTC[m.Default&63]).
		Fixf("write the DSCP of a lossy class")
}

// losslessTC reports whether some port pauses packets of a traffic class.
func (s *subject) losslessTC(tc uint8) bool {
	if s.lossless == nil {
		s.lossless = map[uint8]bool{}
		for _, c := range s.losslessClasses() {
			s.lossless[c.TrafficClass] = true
		}
	}
	return s.lossless[tc]
}

// trustMissing finds lossless ports that look at no code point.
func trustMissing(s *subject) {
	for _, k := range s.kinds {
		if k.qos.PFC != 0 && k.qos.Trust == plan.TrustNone && s.sw.Marking == nil {
			s.found.Errorf(TrustMissing, k.pfcAt(), "%v %s PFC but %s not trust the DSCP, and no rule classifies packets: all of them are in the default class, which is not paused", k, k.verb("has", "have"), k.verb("does", "do")).
				Fixf("trust the DSCP, or classify packets by an access list")
		}
	}
}
