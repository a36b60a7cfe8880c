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
			reached := slices.ContainsFunc(s.sw.Classes, func(c plan.Class) bool { return c.Queue == q.ID && len(c.DSCPs) > 0 })
			if !prepared || reached || s.marked(q.ID) {
				continue
			}
			what := "a marking curve"
			if q.ECN == nil {
				what = "strict priority"
			}
			if q.ECN == nil && !q.Scheduler.Strict {
				what = "a part of the bandwidth"
			}
			s.found.Warnf(QueueUnreached, first(q.Range, q.Scheduler.Range, k.pfcAt()), "queue %d of %v has %s, and no code point leads to it: its class is somewhere else", q.ID, k, what).
				Fixf("see whether a code point was moved, or take the settings off the queue")
		}
	}
}

// marked reports whether ports that do not trust the DSCP admit packets to a queue.
func (s *subject) marked(queue uint8) bool {
	return s.admits(func(tc uint8) bool { return s.sw.Maps.TCToQueue[tc&7] == queue })
}

// admits reports whether ports that do not trust the DSCP admit packets to one of some classes.
func (s *subject) admits(of func(tc uint8) bool) bool {
	return s.sw.Marking != nil && slices.ContainsFunc(s.sw.Marking.Rules, func(r plan.MarkRule) bool { return of(r.TC) })
}
