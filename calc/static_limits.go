package calc

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// staticLimits reports whether a system of the switch has limits in bytes alone: SR Linux (srl_nokia-qos, maximum-burst-size).
func (s *shape) staticLimits() bool { return slices.Contains(s.sw.Targets.Value, "srlinux") }

// StaticRoom returns how far a queue fills when n senders fill m queues and the first PG reaches its part of the limit that it
// has in all slices with so many groups at once: document static-room.
func StaticRoom(shared units.Bytes, alpha units.Alpha, n, m, groups int64) units.Bytes {
	num, den := alpha.Fraction()
	return units.Bytes(units.FloorMulDiv(int64(shared), n*num, m*(den+num*groups)))
}

// staticRoom derives how far the queues of a pattern fill before the static limits of groups pause its senders.
func (b *budget) staticRoom(p pattern, alpha plan.Derived[plan.Limit]) plan.Derived[units.Bytes] {
	groups := b.losslessGroups()
	room := StaticRoom(b.slice.Value, alpha.Value.Alpha, p.from, p.to, int64(groups))
	return plan.Of(room, computed("static-room", "queue when static limits pause", room, append(alphaTerms(alpha), term("shared", b.slice.Why),
		count("from", int(p.from), p.what), count("to", int(p.to), "ports they send to"), count("groups", groups, "lossless groups of the switch"))...))
}

// fixLimits makes derived thresholds static for such a system. A group gets what it has at its alpha with all lossless
// groups of the switch at once, so that none of them drops for another; a queue what it has alone. An alpha of the
// author's remains, and the system's writer says what becomes of it.
func (s *shape) fixLimits(sw *plan.Switch) {
	if !s.staticLimits() {
		return
	}
	done := map[*plan.PortQoS]bool{}
	for i := range sw.Ports {
		qos := sw.Ports[i].QoS
		if qos == nil || done[qos] {
			continue
		}
		done[qos] = true
		for i := range qos.PGs {
			s.fixLimit(&qos.PGs[i].Limit, sw, qos.PGs[i].Pool, s.losslessGroups(), "lossless groups of the switch, all at once")
		}
		for i := range qos.Queues {
			s.fixLimit(&qos.Queues[i].Limit, sw, qos.Queues[i].Pool, 1, "a queue alone")
		}
	}
}

func (s *shape) fixLimit(limit *plan.Derived[plan.Limit], sw *plan.Switch, pool string, n int, which string) {
	i := slices.IndexFunc(sw.Pools, func(p plan.Pool) bool { return p.Name == pool })
	if why := limit.Why; !limit.Value.Dynamic || why.IsPinned() || why == nil || why.Kind == plan.Given || i < 0 {
		return
	}
	size, headroom := sw.Pools[i].Size, sw.Pools[i].Headroom
	if size.Value <= headroom.Value {
		return // a finding says that the buffer is too small
	}
	terms := []plan.Term{term("shared", size.Why), count("n", n, which), term("cell", s.cellWhy)}
	shared := size.Value - headroom.Value
	if headroom.Value > 0 {
		terms[0] = term("shared", computed("less", "pool without headroom", shared, term("whole", size.Why), term("part", headroom.Why)))
	}
	static := PGShare(shared, limit.Value.Alpha, int64(n), s.cell)
	*limit = plan.Of(plan.Limit{Static: static}, computed("pg-share", "static limit", static, append(terms, alphaTerms(*limit)...)...))
}
