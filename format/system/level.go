package system

import (
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/plan"
)

// A place is a part of a plan: the fields that are not nil say which.
type place struct {
	sw    *plan.Switch
	port  *plan.Port
	group *plan.PG
	queue *plan.Queue
	pool  *plan.Pool
	class *plan.Class
	n     uint8 // of a DSCP, a traffic class or a priority
}

// line returns the line of the fabric that has the port or the switch of the place.
func (p place) line() diag.Range {
	if p.port != nil {
		return p.port.Range
	}
	return p.sw.Range
}

// A level has the entries of one kind in a plan. Their keys are names, or numbers from 0 to most.
type level struct {
	most int64 // 0: names
	// fixed is set where every plan has all of them.
	fixed bool
	each  func(place) []place
	key   func(place) any
	// add makes the thing with a key in a plan that is being read.
	add func(p place, name string, n uint8) place
}

func levelOf(of format.Level) level {
	number := func(p place) any { return p.n }
	at := func(p place, _ string, n uint8) place { p.n = n; return p }
	switch of {
	case format.DSCPs:
		return level{63, true, upTo(64), number, at}
	case format.TCs, format.Priorities:
		return level{7, true, upTo(8), number, at}
	case format.Paused:
		return level{7, false, paused, number, func(p place, _ string, n uint8) place {
			p.port.QoS.PFC |= 1 << n
			return at(p, "", n)
		}}
	case format.Classes:
		return level{0, false, func(p place) []place {
			return every(p.sw.Classes, func(c *plan.Class) place { return place{sw: p.sw, class: c} })
		}, func(p place) any { return p.class.Name }, func(p place, name string, _ uint8) place {
			return place{sw: p.sw, class: added(&p.sw.Classes, plan.Class{Name: name})}
		}}
	case format.Pools:
		return level{0, false, func(p place) []place {
			return every(p.sw.Pools, func(pool *plan.Pool) place { return place{sw: p.sw, pool: pool} })
		}, func(p place) any { return p.pool.Name }, func(p place, name string, _ uint8) place {
			return place{sw: p.sw, pool: added(&p.sw.Pools, plan.Pool{Name: name, Dynamic: true})}
		}}
	case format.Ports:
		return level{0, false, func(p place) []place {
			return every(p.sw.Ports, func(port *plan.Port) place { return place{sw: p.sw, port: port} })
		}, func(p place) any { return p.port.Name }, func(p place, name string, _ uint8) place {
			return place{sw: p.sw, port: added(&p.sw.Ports, plan.Port{Name: name, Routed: true, QoS: &plan.PortQoS{}})}
		}}
	case format.Groups:
		return level{7, false, ofQoS(func(p place, q *plan.PortQoS) []place {
			return every(q.PGs, func(g *plan.PG) place { return place{sw: p.sw, port: p.port, group: g} })
		}), func(p place) any { return p.group.ID }, func(p place, _ string, n uint8) place {
			p.group = added(&p.port.QoS.PGs, plan.PG{ID: n})
			return p
		}}
	case format.Queues:
		return level{7, false, ofQoS(func(p place, q *plan.PortQoS) []place {
			return every(q.Queues, func(queue *plan.Queue) place { return place{sw: p.sw, port: p.port, queue: queue} })
		}), func(p place) any { return p.queue.ID }, func(p place, _ string, n uint8) place {
			p.queue = added(&p.port.QoS.Queues, plan.Queue{ID: n})
			return p
		}}
	}
	panic("format/system: there is no level " + strconv.Quote(string(of)))
}

func upTo(count uint8) func(place) []place {
	return func(p place) (all []place) {
		for n := range count {
			all = append(all, place{sw: p.sw, n: n})
		}
		return all
	}
}

func paused(p place) (all []place) {
	for n := range uint8(8) {
		if p.port.QoS != nil && p.port.QoS.PFC>>n&1 == 1 {
			all = append(all, place{sw: p.sw, port: p.port, n: n})
		}
	}
	return all
}

func ofQoS(each func(place, *plan.PortQoS) []place) func(place) []place {
	return func(p place) []place {
		if p.port.QoS == nil {
			return nil
		}
		return each(p, p.port.QoS)
	}
}

func every[T any](list []T, of func(*T) place) (all []place) {
	for i := range list {
		all = append(all, of(&list[i]))
	}
	return all
}

func added[T any](list *[]T, v T) *T {
	*list = append(*list, v)
	return &(*list)[len(*list)-1]
}

// places returns all of a level in a switch.
func places(of format.Level, sw *plan.Switch) (all []place) {
	top := place{sw: sw}
	switch {
	case of == "":
		return []place{top}
	case slices.Contains([]format.Level{format.Groups, format.Queues, format.Paused}, of):
		for _, port := range levelOf(format.Ports).each(top) {
			all = append(all, levelOf(of).each(port)...)
		}
		return all
	}
	return levelOf(of).each(top)
}
