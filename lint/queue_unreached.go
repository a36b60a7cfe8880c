package lint

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// queueUnreached warns of queues that are prepared for a class, with a marking curve, with
// strict priority and a cap, or in OpenConfig, where each queue is there for a class, with a
// weight, and that no code point leads to.
func queueUnreached(s *subject) {
	if len(s.sw.Classes) == 0 || s.sw.Places.DSCPToTC == [64]diag.Range{} {
		return
	}
	roce := len(s.losslessClasses()) > 0 // then rules about CNPs say where those are
	for _, k := range s.kinds {
		for _, q := range k.qos.Queues {
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
