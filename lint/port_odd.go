package lint

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// usualPorts is how many ports have to agree before one that differs is called odd.
const usualPorts = 7

// portOdd warns of the one port whose queues are told otherwise than those of all other ports
// of its speed.
func portOdd(s *subject) {
	type alike struct {
		kinds []kind
		ports []int
	}
	of := map[units.BitRate]*alike{}
	for _, k := range s.kinds {
		count := map[units.BitRate]int{}
		for _, port := range k.ports {
			count[port.Speed]++
		}
		for speed, n := range count {
			if of[speed] == nil {
				of[speed] = &alike{}
			}
			a := of[speed]
			a.kinds, a.ports = append(a.kinds, k), append(a.ports, n)
		}
	}
	for speed, a := range of {
		if len(a.kinds) != 2 || speed == 0 {
			continue
		}
		odd := 0
		if a.ports[1] == 1 {
			odd = 1
		}
		if a.ports[odd] == 1 && a.ports[1-odd] >= usualPorts {
			s.odd(a.kinds[odd], a.kinds[1-odd], speed, a.ports[1-odd])
		}
	}
}

// odd compares the queues of one port with those of the others of its speed, of which there are
// so many.
func (s *subject) odd(own, usual kind, speed units.BitRate, others int) {
	for i := range own.qos.Queues {
		q := &own.qos.Queues[i]
		other := queueOf(usual.qos, q.ID)
		if other == nil {
			continue
		}
		var what string
		at := first(q.Range, q.Scheduler.Range, own.pfcAt())
		switch {
		case !sameScheduler(&q.Scheduler, &other.Scheduler):
			what = "scheduled"
		case !sameCurve(q.ECN, other.ECN):
			what = "marked"
		case q.Limit.Value != other.Limit.Value || q.Reserved.Value != other.Reserved.Value:
			what = "bounded"
		default:
			continue
		}
		name := own.ports[0].Name
		for _, port := range own.ports {
			if port.Speed == speed {
				name = port.Name
			}
		}
		s.found.Warnf(PortOdd, at, "queue %d of %s is not %s like that of all %d other ports at %v", q.ID, name, what, others, speed).
			Fixf("check whether the port should differ").Notef(first(other.Range, usual.pfcAt()), "the queue of the others")
	}
}

func sameScheduler(a, b *plan.Scheduler) bool {
	return a.Strict == b.Strict && a.Weight.Value == b.Weight.Value && a.MaxRate.Value == b.MaxRate.Value
}
