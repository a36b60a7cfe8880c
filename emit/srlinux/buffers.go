package srlinux

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// allocations prints for each kind of port what its PFC queues and its queues may hold.
func (b *builder) allocations() {
	paused := b.losslessGroups()
	for _, k := range b.kinds {
		for i := range k.QoS().PGs {
			b.group(k, &k.QoS().PGs[i], paused)
		}
		for i := range k.QoS().Queues {
			q := &k.QoS().Queues[i]
			b.notReserved(k, "a queue", q.Reserved)
			if most := b.queueLimit(k, q); most > 0 {
				k.bursts = true
				b.put(row.BurstSize, most, k.Name, b.s.QueueName(q.ID))
			}
		}
	}
}

// losslessGroups counts the lossless groups of all ports.
func (b *builder) losslessGroups() (n int64) {
	for _, k := range b.kinds {
		for _, pg := range k.QoS().PGs {
			if pg.Lossless {
				n += int64(len(k.Ports))
			}
		}
	}
	return n
}

// group prints what a priority group may hold before it pauses, and its headroom.
func (b *builder) group(k *kind, pg *plan.PG, paused int64) {
	b.notReserved(k, "a priority group", pg.Reserved)
	if !pg.Lossless || !b.pausesGroup(k, pg.ID) {
		if pg.Limit.Value.Dynamic {
			b.list.WarnOncef(DeviceDecides, pg.Limit.Why.RangeOr(k.First().Range), "the threshold of a lossy group, alpha %v, is not written: SR Linux has thresholds for lossless groups only", pg.Limit.Value.Alpha)
		}
		return
	}
	if pg.XOn.Value > 0 || pg.XOnOffset.Value > 0 {
		b.list.WarnOncef(DeviceDecides, pg.XOnOffset.Why.RangeOr(k.First().Range), "XON at %v, or %v below the threshold, is not written: %s decides when a peer may send again", pg.XOn.Value, pg.XOnOffset.Value, b.box.Model)
	}
	headroom := number(b, row.PFCHeadroom, Rounded, pg.Headroom, k.First().Range)
	if most := b.limit(k, pg.Limit, paused, plan.Ingress, pg.Pool, row.PFCBurstSize); most > 0 {
		b.put(row.PFCBurstSize, most, k.Name, pfcName(pg.ID))
	}
	if headroom > 0 { // else it has the device's share of the pool
		b.put(row.PFCHeadroom, headroom, k.Name, pfcName(pg.ID))
	}
}

// pausesGroup reports whether PFC is on for a priority of a group.
func (b *builder) pausesGroup(k *kind, group uint8) bool {
	for p, g := range b.s.Maps.PFCToPG {
		if g == group && k.QoS().PFC>>p&1 == 1 {
			return true
		}
	}
	return false
}

func (b *builder) notReserved(k *kind, of string, v plan.Derived[units.Bytes]) {
	if v.Value > 0 {
		b.list.WarnOncef(DeviceDecides, v.Why.RangeOr(k.First().Range), "the reserve of %s, %v, is not written: SR Linux divides the dedicated buffer itself", of, v.Value)
	}
}

// queueLimit returns the limit of a queue, in bytes. A curve needs a limit (srl_nokia-qos, must of
// queue-management-profile), so a queue without one gets the whole pool.
func (b *builder) queueLimit(k *kind, q *plan.Queue) int64 {
	if l := q.Limit.Value; !l.Dynamic && l.Static == 0 && q.ECN == nil {
		return 0
	}
	return b.limit(k, q.Limit, 1, plan.Egress, q.Pool, row.BurstSize)
}

// limit returns a threshold in bytes. A dynamic one is the limit of each of n that are congested at
// once: α·S/(1+α·n) of a shared buffer S (Choudhury and Hahne 1998, section III). All n together
// never take more than S, so that none of them drops for another.
func (b *builder) limit(k *kind, l plan.Derived[plan.Limit], n int64, side plan.Direction, pool string, leaf format.ID) int64 {
	shared := b.shared(side, pool)
	switch v := l.Value; {
	case !v.Dynamic && v.Static >= plan.NoLimit, !v.Dynamic && v.Static == 0:
		return min(int64(shared), row.Of(leaf).Most)
	case !v.Dynamic:
		return number(b, leaf, Rounded, plan.Derived[units.Bytes]{Value: v.Static, Why: l.Why}, k.First().Range)
	default:
		num, den := v.Alpha.Fraction()
		most := max(1, units.FloorMulDiv(int64(shared), num, den+num*n))
		b.list.WarnOncef(Threshold, l.Why.RangeOr(k.First().Range), "alpha %v is not supported: SR Linux gets the static limit that a group has at this alpha with %d at once in %v, %v", v.Alpha, n, shared, units.Bytes(most))
		return most
	}
}

// shared returns the shared size of a pool: of a plan without sizes, that of the box.
func (b *builder) shared(side plan.Direction, pool string) units.Bytes {
	for _, p := range b.s.Pools {
		if p.Direction == side && p.Name == pool && p.Size.Value > p.Headroom.Value {
			return p.Size.Value - p.Headroom.Value
		}
	}
	return b.box.Shared
}

// reserve prints the pool of headroom: the same per cent of both halves of the chip.
func (b *builder) reserve() {
	headroom, where, none := b.headroom()
	if headroom == 0 && !none {
		return
	}
	percent := units.CeilMulDiv(int64(headroom), 100, int64(b.box.Shared))
	if percent > 100 {
		b.list.Errorf(Threshold, where, "the headroom of all ports is %v, and %s has a buffer of %v", headroom, b.box.Model, b.box.Shared).
			Fixf("shorten cables, or use fewer lossless ports or classes")
		return
	}
	if headroom > 0 {
		b.list.WarnOncef(Rounded, where, "the headroom of all ports, %v, is written as %d %% of the buffer of %s, assumed to be %v", headroom, percent, b.box.Model, b.box.Shared)
	}
	for _, half := range []string{"0", "1"} {
		b.put(row.Reservation, percent, 1, half)
	}
}

// headroom returns the size of the headroom pool: the plan's, or the sum of the groups' own. None is set where the
// fabric says that there is no pool; SR Linux has one where a document says nothing.
func (b *builder) headroom() (sum units.Bytes, where diag.Range, none bool) {
	for _, p := range b.s.Pools {
		if own := p.Headroom; p.Direction == plan.Ingress && (own.Value > 0 || own.Why.IsPinned()) {
			return own.Value, own.Why.RangeOr(b.s.Range), own.Value == 0
		}
	}
	for _, k := range b.kinds {
		for _, pg := range k.QoS().PGs {
			if pg.Lossless && b.pausesGroup(k, pg.ID) {
				sum += pg.Headroom.Value * units.Bytes(len(k.Ports))
			}
		}
	}
	return sum, b.s.Range, false
}

// byFill reports whether a queue marks by what it holds in per cent.
func byFill(q *plan.Queue) bool {
	fill, _ := q.Curve.Points()
	return len(fill) > 0 && !q.Curve.Drops()
}

// curve prints a marking curve, and returns its name.
func (b *builder) curve(k *kind, q *plan.Queue) string {
	at := k.First().Range
	if q.ECN == nil {
		fill, share := q.Curve.Points()
		last := len(fill) - 1
		if last != 1 || share[0] != 0 {
			b.list.WarnOncef(Rounded, q.CurveRange, "a curve of %v is not supported: SR Linux has a straight line from 0%% to a share of marks; it gets that of the first and the last level", q.Curve).
				Fixf("write fill_levels of two levels, the first with 0%%")
		}
		name := fmt.Sprintf("ecn-fill-%d-%d-%d", fill[0], fill[last], share[last])
		b.at(row.ECN)
		b.put(row.SlopeMinFill, fill[0], name, "all", "all", true)
		b.put(row.SlopeMaxFill, fill[last], name, "all", "all", true)
		b.put(row.SlopeProbability, share[last], name, "all", "all", true)
		return name
	}
	percent := number(b, row.SlopeProbability, Rounded, q.ECN.PMax, at)
	low, high := number(b, row.SlopeMin, Rounded, q.ECN.KMin, at), number(b, row.SlopeMax, Rounded, q.ECN.KMax, at)
	name := fmt.Sprintf("ecn-%d-%d-%d", low, high, percent)
	b.at(row.ECN)
	b.put(row.SlopeMin, low, name, "all", "all", true)
	b.put(row.SlopeMax, high, name, "all", "all", true)
	b.put(row.SlopeProbability, percent, name, "all", "all", true)
	return name
}

// scheduling prints a policy for each kind of port: strict queues first, as sequence 0, then by
// weight.
func (b *builder) scheduling() {
	for _, k := range b.kinds {
		for sequence := range 2 {
			for i := range k.QoS().Queues {
				q := &k.QoS().Queues[i]
				name := b.s.QueueName(q.ID)
				if q.Scheduler.Strict != (sequence == 0) || !q.Scheduler.Strict && q.Scheduler.Weight.Value == 0 && q.Scheduler.Weight.Why.IsPinned() {
					continue // a running switch may leave it to the default
				}
				if sequence == 0 {
					b.put(row.SchedulerPriority, "strict", k.Name, 0)
				}
				b.put(row.InputQueue, name, k.Name, sequence, name)
				if peak := b.peak(k, q); peak > 0 {
					b.put(row.InputPeak, peak, k.Name, sequence, name)
				}
				if sequence == 1 {
					b.put(row.InputWeight, max(1, q.Scheduler.Weight.Value), k.Name, sequence, name)
				}
			}
		}
	}
}

// peak returns the cap of a queue in per cent of the port's rate, 0 where it has none.
func (b *builder) peak(k *kind, q *plan.Queue) int64 {
	rate, speed := q.Scheduler.MaxRate, k.First().Speed
	if rate.Value == 0 || speed == 0 {
		return 0
	}
	return number(b, row.InputPeak, Rounded, rate, k.First().Range, format.Unit{Name: row.Of(row.InputPeak).Unit.Name, Is: int64(speed / 100)})
}
