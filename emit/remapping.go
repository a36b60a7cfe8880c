package emit

import (
	"cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// RemappingLost says that a switch keeps packets in their class in a tunnel, and that its ports
// classify alike and have one map of queues, though the plan has it otherwise, and why. Headroom of the plan is there, and
// what is sent back does not wait in queues of its own: both directions can wait for each other.
func RemappingLost(list *diag.List, code diag.Code, s *plan.Switch, why string) {
	if t := s.Tunnel; t != nil {
		list.Warnf(code, t.Range, "packets that %s sends back stay in their class, so that both directions wait in one queue and can wait for each other: %s", t.Name, why).
			Fixf("configure the maps of the tunnel outside this file, or do without the tunnel")
	}
	for i := range s.Ports {
		if p := &s.Ports[i]; *s.ClassifiedBy(p.QoS) != s.Maps.DSCPToTC {
			list.Warnf(code, p.Range, "code points of what is sent back lead to its queues on %s too, since all ports classify alike: %s", p.Name, why).
				Fixf("have hosts not send them")
			break
		}
	}
	for i := range s.Ports {
		p := &s.Ports[i]
		for tc, queue := range s.QueuesOf(p.QoS) {
			if to := s.Maps.TCToQueue[tc]; to != queue {
				list.Warnf(code, cmp.Or(s.QueueAt(p.QoS, uint8(tc)), p.Range), "traffic class %d leaves %s from queue %d, not %d, since all ports have one map of queues: %s", tc, p.Name, to, queue, why).
					Fixf("take the block queue off these ports, or choose the target sonic")
				return
			}
		}
	}
}
