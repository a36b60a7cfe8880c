package lint

// cnpPriority finds CNPs beside the strict queue that was meant for them.
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
			if q := queueOf(k.qos, other); other != own.ID && q != nil && q.Scheduler.Strict {
				s.found.Errorf(CNPPriority, s.dscpAt(CNPDSCP, c), "CNPs (DSCP %d) leave from queue %d of %v, which shares by weight, although queue %d is strict", CNPDSCP, own.ID, k, other).
					Fixf("map DSCP %d to the traffic class of queue %d; NVIDIA's NICs send CNPs with priority 6, Broadcom's with 7", CNPDSCP, other)
				return
			}
		}
	}
}
