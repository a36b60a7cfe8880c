package nvue

import (
	"math/bits"
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
// lets one set: the length of cables and the threshold of the lossless group. Where the fabric states
// the shares of RoCE's pools, these are also code points, the lossless priority, weights, rates and marking
// (Cumulus Linux 5.14, RDMA over Converged Ethernet, Change RoCE Configuration).
func (b *builder) isRoCE() bool {
	paused := b.s.Paused()
	if bits.OnesCount8(paused) != 1 || b.s.Marking != nil || emit.Rewritings(b.s) != nil || !b.isRoCEShares() || b.s.Maps.TCToQueue[bits.TrailingZeros8(paused)] != rocePriority {
		return false
	}
	if m := &b.s.Maps; len(b.shares) == 0 && (m.DSCPToTC != roceCodes() || m.TCToQueue != roceQueues()) {
		return false
	}
	for _, k := range b.kinds {
		q := k.QoS()
		if q.PFC != paused || k.First().Cable != b.kinds[0].First().Cable || !b.isRoCEPort(q) || len(b.shares) == 0 && !(b.marksAsRoCE(q) && sharesAsRoCE(q)) {
			return false
		}
	}
	return true // a priority is lossless, so there is a kind of port
}

// roceCodes and roceQueues are the maps of RoCE mode.
func roceCodes() (to [64]uint8) {
	for dscp := range to {
		to[dscp] = uint8(dscp / 8)
	}
	return to
}

func roceQueues() (to [8]uint8) {
	to[rocePriority], to[roceCNP] = rocePriority, roceCNP
	return to
}

// isRoCEShares reports whether the shares of pools that the fabric states, if any, are those of RoCE's pools,
// which have one share on both sides.
func (b *builder) isRoCEShares() bool {
	lossy, lossless := b.roceShareOf(0), b.roceShareOf(1)
	return len(b.shares) == 0 || len(b.shares) == 3 && lossy > 0 && lossless > 0 && b.shares[row.Pool("egress", 0)].Percent == lossy
}

// roceShareOf returns the stated share of a numbered pool.
func (b *builder) roceShareOf(id int64) int64 { return b.shares[row.Pool("ingress", id)].Percent }

// isRoCEPort reports whether a port has queues of RoCE mode alone.
func (b *builder) isRoCEPort(q *plan.PortQoS) bool {
	if q.Trust != plan.TrustDSCP {
		return false
	}
	for _, queue := range q.Queues {
		isCNP := queue.ID == roceCNP
		if !isCNP && queue.ID != 0 && queue.ID != rocePriority || queue.Scheduler.Strict != isCNP || isCNP && queue.ECN != nil {
			return false
		}
	}
	return !slices.ContainsFunc(q.PGs, func(g plan.PG) bool { return g.Lossless && !g.Limit.Value.Dynamic })
}

// sharesAsRoCE reports whether the queues are those of RoCE mode, with its weights and no greatest rate.
func sharesAsRoCE(q *plan.PortQoS) bool {
	return len(q.Queues) == 3 && !slices.ContainsFunc(q.Queues, func(q plan.Queue) bool {
		return q.Scheduler.MaxRate.Value != 0 || q.ID != roceCNP && q.Scheduler.Weight.Value != roceShare
	})
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
	for dscp, tc := range b.s.Maps.DSCPToTC {
		if tc != roceCodes()[dscp] {
			b.root.count(int64(tc), "qos", "mapping", "default-global", "dscp", word(dscp), "switch-priority")
		}
	}
	for tc, queue := range b.s.Maps.TCToQueue {
		if queue != roceQueues()[tc] {
			b.root.count(int64(queue), "qos", "egress-queue-mapping", "default-global", "switch-priority", word(tc), "traffic-class")
		}
	}
	if paused := bits.TrailingZeros8(b.s.Paused()); paused != rocePriority {
		b.root.at("qos", "pfc", "default-global", "switch-priority", word(paused))
	}
	for _, k := range b.kinds {
		if !b.marksAsRoCE(k.QoS()) {
			b.curves(k, 0, rocePriority)
		}
		if !sharesAsRoCE(k.QoS()) {
			b.schedule(k)
		}
	}
	for _, g := range k.QoS().PGs {
		if g.Lossless && g.Limit.Value.Alpha != 0 {
			b.alpha(b.root.at("qos", "advance-buffer-config", "default-global", "ingress-lossless-buffer"), g.Limit, k.First().Range)
		}
	}
	b.list.WarnOnceAtf(DeviceDecides, b.s.Range, "RoCE mode sets headroom, pools and the thresholds of queues itself: compare them with `nv show qos roce`")
}

// metres returns the length of a kind's cables, rounded up.
func (b *builder) metres(k *emit.Kind) int64 {
	if k.First().Cable == 0 {
		return row.Of(row.Cable).Least
	}
	return write(b, row.Cable, Rounded, plan.Derived[units.Length]{Value: k.First().Cable}, k.First().Range)
}
