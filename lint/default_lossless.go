package lint

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// defaultLossless warns when DSCP 0 is lossless. Where a format has no PFC, a class that marks
// is one of RDMA only if CNPs have a strict queue beside it: others mark for TCP.
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
