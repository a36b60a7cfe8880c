package lint

import "github.com/roceplan/roceplan/units"

// cnpShare is more of a link than CNPs can ever need: a receiver answers a packet with one
// CNP at most. On the wire that is 98 B (14 Ethernet, 20 IPv4, 8 UDP, 12 BTH, 16 reserved,
// 4 ICRC, 4 FCS, 20 preamble and gap: InfiniBand Architecture Volume 1, A17.9.3), and a
// packet with RoCE's MTU of 1024 is 1106 B: 8.9 %.
const cnpShare = units.One / 10

// cnpCapWide warns of caps on the queue of CNPs that bound only those who abuse it.
func cnpCapWide(s *subject) {
	c, ok := s.cnpClass()
	if !ok {
		return
	}
	for _, k := range s.kinds {
		q := k.queue(c)
		if q == nil || !q.Scheduler.Strict || q.Scheduler.MaxRate.Value == 0 {
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
