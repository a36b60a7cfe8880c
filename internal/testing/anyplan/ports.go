package anyplan

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// ports draws one to three port groups with one to three ports each.
func (d drawer) ports(s *plan.Switch) {
	limits := d.limits()
	for g := range d.int(1, 3, "groups") {
		if !d.OneBuffer {
			limits = d.limits()
		}
		qos := d.qos(s, limits)
		for range d.int(1, 3, "ports") {
			i := len(s.Ports)
			s.Ports = append(s.Ports, plan.Port{
				Name: d.PortName(i), Group: fmt.Sprintf("group%d", g), Speed: 400 * units.Gbps,
				Cable: 100 * units.Metre, Medium: "fiber", MTU: s.MTU.Value, QoS: qos, Range: place(4),
			})
		}
	}
}

// limits are the thresholds of the eight groups and the eight queues.
type limits struct{ pg, queue [8]plan.Limit }

func (d drawer) limits() (l limits) {
	if d.NoBuffer {
		return l
	}
	for i := range 8 {
		l.pg[i], l.queue[i] = d.limit(), d.limit()
	}
	return l
}

func (d drawer) limit() plan.Limit {
	if d.Unbounded && d.bool("unbounded") {
		return plan.Limit{Static: poolCells * d.Cell}
	}
	if !d.Dynamic && d.bool("static") {
		return plan.Limit{Static: units.Bytes(d.int(1, 200000, "static limit")) * d.Cell}
	}
	return plan.Limit{Dynamic: true, Alpha: units.Alpha(d.int(int(d.MinAlpha), int(d.MaxAlpha), "alpha"))}
}

func (d drawer) qos(s *plan.Switch, l limits) *plan.PortQoS {
	q := &plan.PortQoS{Trust: plan.Trust(d.int(0, 1, "trust"))}
	lossless := d.bool("lossless port")
	groups := map[uint8]bool{}
	for pg := range uint8(8) {
		for _, c := range s.Classes {
			if c.PG == pg && (lossless || !c.Lossless) && !groups[pg] {
				groups[pg] = true
				q.PGs = append(q.PGs, d.pg(pg, c.Lossless, l.pg[pg]))
			}
			if c.PG == pg && c.Lossless && lossless {
				q.PFC |= 1 << c.PFC
			}
		}
	}
	q.Watchdog = s.Watchdog != nil && q.PFC != 0
	absent := uint8(d.int(0, 15, "absent queue")) // mostly none
	lowest := uint8(d.int(0, 8, "lowest strict queue"))
	for id := range uint8(8) {
		for _, c := range s.Classes {
			if c.Queue == id && (id != absent || c.Lossless) {
				q.Queues = append(q.Queues, d.queue(id, lowest, l.queue[id]))
				break
			}
		}
	}
	return q
}

func (d drawer) pg(id uint8, lossless bool, l plan.Limit) plan.PG {
	g := plan.PG{ID: id, Lossless: lossless}
	if d.NoBuffer {
		return g
	}
	g.Pool, g.Limit, g.Reserved = "ingress_pool", derived(l), d.bytes(100, "pg reserve")
	if lossless {
		g.XOn, g.XOnOffset, g.Headroom = d.bytes(100, "xon"), d.bytes(100, "xon offset"), d.bytes(2000, "headroom")
	}
	return g
}

// queue draws one that is strict at random, or from the lowest strict one on.
func (d drawer) queue(id, lowest uint8, l plan.Limit) plan.Queue {
	q := plan.Queue{ID: id}
	if !d.NoBuffer {
		q.Pool, q.Limit, q.Reserved = "egress_pool", derived(l), d.bytes(100, "queue reserve")
	}
	if q.Scheduler.Strict = d.bool("strict") && !d.StrictAbove || d.StrictAbove && id >= lowest; !q.Scheduler.Strict {
		q.Scheduler.Weight = derived(int64(d.int(1, 100, "weight")))
	}
	if d.bool("capped") {
		q.Scheduler.MaxRate = derived(units.BitRate(d.int(1, 400_000_000, "rate")) * units.Kbps)
	}
	if d.bool("ecn") {
		low := units.Bytes(d.int(1, 20000, "kmin")) * d.Cell
		q.ECN = &plan.ECN{
			KMin: derived(low),
			KMax: derived(low + units.Bytes(d.int(0, 20000, "kmax"))*d.Cell),
			PMax: derived(units.Ratio(d.int(1, 100, "pmax")) * units.Percent),
		}
	}
	return q
}
