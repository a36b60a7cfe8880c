package nvue

import (
	"slices"

	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// The settings of `nv set qos roce mode lossless` (Cumulus Linux 5.14, RDMA over Converged
// Ethernet, Default RoCE Configuration): DSCP n becomes switch priority n/8; priority 3 goes to
// traffic class 3 with PFC, 6 to 6, all else to 0; 6 is strict, 0 and 3 share 50 to 50; marking
// between 150000 and 1500000 bytes with probability 100.
const (
	rocePriority = 3
	roceCNP      = 6
	roceMin      = units.Bytes(150_000)
	roceMax      = units.Bytes(1_500_000)
	roceShare    = 50
	roceCable    = 100 // metres, by default
)

// isRoCE reports whether the plan is RoCE mode with no difference but those that RoCE mode
// lets one set: the length of cables, the threshold of the lossless group and, where the fabric
// states the shares of RoCE's pools, the marking of ports.
func (b *builder) isRoCE() bool {
	if b.s.Paused() != 1<<rocePriority || b.s.Marking != nil || !b.isRoCEShares() {
		return false
	}
	m := &b.s.Maps
	for dscp, tc := range m.DSCPToTC {
		if int(tc) != dscp/8 {
			return false
		}
	}
	for tc, queue := range m.TCToQueue {
		want := uint8(0)
		if tc == rocePriority || tc == roceCNP {
			want = uint8(tc)
		}
		if queue != want {
			return false
		}
	}
	for _, k := range b.kinds {
		if k.First().Cable != b.kinds[0].First().Cable || !b.isRoCEPort(k.QoS()) {
			return false
		}
	}
	return true // a priority is lossless, so there is a kind of port
}

// isRoCEShares reports whether the shares of pools that the fabric states, if any, are those of RoCE's pools,
// which have one share on both sides.
func (b *builder) isRoCEShares() bool {
	lossy, lossless := b.roceShareOf(0), b.roceShareOf(1)
	return len(b.shares) == 0 || len(b.shares) == 3 && lossy > 0 && lossless > 0 && b.shares[row.Pool("egress", 0)].Percent == lossy
}

// roceShareOf is the stated share of a numbered pool.
func (b *builder) roceShareOf(id int64) int64 { return b.shares[row.Pool("ingress", id)].Percent }

func (b *builder) isRoCEPort(q *plan.PortQoS) bool {
	if q.PFC != 1<<rocePriority || q.Trust != plan.TrustDSCP {
		return false
	}
	for _, queue := range q.Queues {
		s := queue.Scheduler
		switch queue.ID {
		case roceCNP:
			if !s.Strict || queue.ECN != nil {
				return false
			}
		case 0, rocePriority:
			if s.Strict || s.Weight.Value != roceShare {
				return false
			}
		default:
			return false
		}
		if s.MaxRate.Value != 0 {
			return false
		}
	}
	marks := slices.ContainsFunc(q.Queues, func(q plan.Queue) bool { return q.ECN != nil })
	return (b.marksAsRoCE(q) || marks && len(b.shares) > 0) && !slices.ContainsFunc(q.PGs, func(g plan.PG) bool { return g.Lossless && !g.Limit.Value.Dynamic })
}

// marksAsRoCE reports whether RoCE mode marks as the queues do.
func (b *builder) marksAsRoCE(q *plan.PortQoS) bool {
	return !slices.ContainsFunc(q.Queues, func(q plan.Queue) bool { return q.ID != roceCNP && !b.isRoCECurve(q.ECN) })
}

// isRoCECurve compares within a cell, since a chip counts in cells.
func (b *builder) isRoCECurve(e *plan.ECN) bool {
	near := func(have, want units.Bytes) bool { return want-have < b.s.Cell && have-want < b.s.Cell }
	return e != nil && near(e.KMin.Value, roceMin) && near(e.KMax.Value, roceMax) && e.PMax.Value == units.One
}

// roce switches to RoCE mode and says what differs.
func (b *builder) roce() {
	b.root.word("lossless", "qos", "roce", "mode")
	for id, pool := range []string{"default-lossy", "roce-lossless"} {
		if share := b.roceShareOf(int64(id)); share > 0 {
			b.root.at("qos", "traffic-pool", pool).count(share, "memory-percent")
		}
	}
	k := b.kinds[0]
	if metres := b.metres(k); metres != row.Of(row.RoCECable).Absent {
		b.root.leaf(row.RoCECable, metres)
	}
	for _, k := range b.kinds {
		if !b.marksAsRoCE(k.QoS()) {
			b.curves(k)
		}
	}
	for _, g := range k.QoS().PGs {
		if g.Lossless && g.Limit.Value.Alpha != 0 {
			b.alpha(b.root.at("qos", "advance-buffer-config", "default-global", "ingress-lossless-buffer"), g.Limit, k.First().Range)
		}
	}
	b.list.WarnOnceAtf(DeviceDecides, b.s.Range, "RoCE mode sets headroom, pools and the thresholds of queues itself: compare them with `nv show qos roce`")
}

// metres is the length of a kind's cables, rounded up.
func (b *builder) metres(k *emit.Kind) int64 {
	if k.First().Cable == 0 {
		return row.Of(row.Cable).Least
	}
	return write(b, row.Cable, Rounded, plan.Derived[units.Length]{Value: k.First().Cable}, k.First().Range)
}
