package lint

import (
	"slices"
)

// defaultLossless warns when DSCP 0 is lossless. Where a format has no PFC, a class that marks
// is one of RDMA only if CNPs have a strict queue beside it: others mark for TCP.
func defaultLossless(s *subject) {
	for _, c := range s.rdmaClasses() {
		if !slices.Contains(c.DSCPs, 0) || s.silent() && !s.cnpApart(c.Queue) {
			continue
		}
		s.found.Warnf(DefaultLossless, s.dscpAt(0, c), "DSCP 0 is in traffic class %d, which RDMA is in: everything that nobody marked is paused with it", c.TrafficClass).
			Fixf("map the code points of RDMA to its class, and no others")
	}
}

// cnpApart reports whether CNPs have a strict queue of their own, other than one.
func (s *subject) cnpApart(queue uint8) bool {
	c, ok := s.cnpClass()
	return ok && c.Queue != queue && slices.ContainsFunc(s.kinds, func(k kind) bool {
		q := queueOf(k.qos, c.Queue)
		return q != nil && q.Scheduler.Strict
	})
}
