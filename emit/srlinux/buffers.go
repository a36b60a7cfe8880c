package srlinux

import (
	"fmt"
	"strconv"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// allocations prints for each kind of port what its PFC queues and its queues may hold.
func (b *builder) allocations() {
	paused := b.losslessGroups()
	for _, k := range b.kinds {
		a := allocation{Name: k.Name}
		for i := range k.QoS().PGs {
			b.group(&a, k, &k.QoS().PGs[i], paused)
		}
		for i := range k.QoS().Queues {
			q := &k.QoS().Queues[i]
			b.notReserved(k, "a queue", q.Reserved)
			if most := b.queueLimit(k, q); most > 0 {
				a.Queues.Queue = append(a.Queues.Queue, burst{b.s.QueueName(q.ID), most})
			}
		}
		if a.Queues.PFC != nil || a.Queues.Queue != nil {
			b.out.QoS.Buffers.Allocations = append(b.out.QoS.Buffers.Allocations, a)
		}
	}
}

// hasBursts reports whether a kind has limits of queues.
func (b *builder) hasBursts(k *kind) bool {
	for _, a := range b.out.QoS.Buffers.Allocations {
		if a.Name == k.Name {
			return len(a.Queues.Queue) > 0
		}
	}
	return false
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
func (b *builder) group(a *allocation, k *kind, pg *plan.PG, paused int64) {
	b.notReserved(k, "a priority group", pg.Reserved)
	if !pg.Lossless || !b.pausesGroup(k, pg.ID) {
		if pg.Limit.Value.Dynamic {
			b.list.WarnOncef(DeviceDecides, pg.Limit.Why.RangeOr(k.First().Range), "the threshold of a group that drops, alpha %v, is not written: SR Linux bounds paused groups alone", pg.Limit.Value.Alpha)
		}
		return
	}
	if pg.XOn.Value > 0 || pg.XOnOffset.Value > 0 {
		b.list.WarnOncef(DeviceDecides, pg.XOnOffset.Why.RangeOr(k.First().Range), "XON at %v, or %v below the threshold, is not written: %s decides when a peer may send again", pg.XOn.Value, pg.XOnOffset.Value, b.box.Model)
	}
	if pg.Headroom.Value > MostHeadroom {
		b.list.Errorf(Threshold, pg.Headroom.Why.RangeOr(k.First().Range), "headroom of %v is more than the %v that SR Linux takes", pg.Headroom.Value, MostHeadroom).Fixf("shorten the cable, or lower the frame, until %v are enough", MostHeadroom)
		return
	}
	most := b.limit(k, pg.Limit, paused, plan.Ingress, pg.Pool)
	a.Queues.PFC = append(a.Queues.PFC, pfcBurst{pfcName(pg.ID), most, int64(pg.Headroom.Value)})
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

// queueLimit is what a queue may hold. A curve needs a limit (srl_nokia-qos, must of
// queue-management-profile), so a queue without one gets the whole pool.
func (b *builder) queueLimit(k *kind, q *plan.Queue) int64 {
	if l := q.Limit.Value; !l.Dynamic && l.Static == 0 && q.ECN == nil {
		return 0
	}
	return b.limit(k, q.Limit, 1, plan.Egress, q.Pool)
}

// limit is a threshold in bytes. A dynamic one is what it lets each of n have that are
// congested at once: α·S/(1+α·n) of a shared buffer S (Choudhury and Hahne 1998, section
// III). All n together never take more than S, so that none of them drops for another.
func (b *builder) limit(k *kind, l plan.Derived[plan.Limit], n int64, side plan.Direction, pool string) int64 {
	shared := b.shared(side, pool)
	switch v := l.Value; {
	case !v.Dynamic && v.Static >= plan.NoLimit, !v.Dynamic && v.Static == 0:
		return int64(min(shared, MostBurst))
	case !v.Dynamic:
		if v.Static > MostBurst {
			b.list.Errorf(Threshold, l.Why.RangeOr(k.First().Range), "a limit of %v is more than the %d B that SR Linux takes", v.Static, int64(MostBurst)).Fixf("give a limit of at most %d B", int64(MostBurst))
		}
		return int64(v.Static)
	default:
		num, den := v.Alpha.Fraction()
		most := max(1, units.FloorMulDiv(int64(shared), num, den+num*n))
		b.list.WarnOncef(Threshold, l.Why.RangeOr(k.First().Range), "alpha %v is not supported: SR Linux gets the static limit that it comes to for %d at once in %v, %v", v.Alpha, n, shared, units.Bytes(most))
		return most
	}
}

// shared is what a pool shares: of a plan without sizes, that of the box.
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
	headroom, where := b.headroom()
	if headroom == 0 {
		return
	}
	percent := units.CeilMulDiv(int64(headroom), 100, int64(b.box.Shared))
	if percent > 100 {
		b.list.Errorf(Threshold, where, "the headroom of all ports is %v, and %s has a buffer of %v", headroom, b.box.Model, b.box.Shared).
			Fixf("shorten cables, or use fewer lossless ports or classes")
		return
	}
	b.list.WarnOncef(Rounded, where, "the headroom of all ports, %v, is written as %d %% of the buffer of %s, assumed to be %v", headroom, percent, b.box.Model, b.box.Shared)
	card := linecard{Slot: 1}
	for _, half := range []string{"0", "1"} {
		c := complex{Name: half}
		c.Input.Reserve = percent
		card.Complex = append(card.Complex, c)
	}
	b.out.QoS.Linecards = []linecard{card}
}

// headroom is what the pool has to hold: the plan's, or the sum of what groups own.
func (b *builder) headroom() (sum units.Bytes, where diag.Range) {
	for _, p := range b.s.Pools {
		if p.Direction == plan.Ingress && p.Headroom.Value > 0 {
			return p.Headroom.Value, p.Headroom.Why.RangeOr(b.s.Range)
		}
	}
	for _, k := range b.kinds {
		for _, pg := range k.QoS().PGs {
			if pg.Lossless && b.pausesGroup(k, pg.ID) {
				sum += pg.Headroom.Value * units.Bytes(len(k.Ports))
			}
		}
	}
	return sum, b.s.Range
}

// curve prints a marking curve once, and returns its name.
func (b *builder) curve(k *kind, q *plan.Queue) string {
	percent := max(1, int64(q.ECN.PMax.Value/units.Percent))
	if units.Ratio(percent)*units.Percent != q.ECN.PMax.Value {
		b.list.WarnOncef(Rounded, q.ECN.PMax.Why.RangeOr(k.First().Range), "a marking probability of %v is not supported: SR Linux takes whole per cent, and gets %d %%", q.ECN.PMax.Value, percent).Fixf("say %d%% in the fabric, so that plan and switch agree", percent)
	}
	low, high := int64(q.ECN.KMin.Value), int64(q.ECN.KMax.Value)
	name := fmt.Sprintf("ecn-%d-%d-%d", low, high, percent)
	for _, have := range b.out.QoS.Buffers.Curves {
		if have.Name == name {
			return name
		}
	}
	c := curve{Name: name}
	c.WRED.Slope = []slope{{"all", "all", true, strconv.FormatInt(low, 10), strconv.FormatInt(high, 10), percent}}
	b.out.QoS.Buffers.Curves = append(b.out.QoS.Buffers.Curves, c)
	b.out.QoS.ECN = &struct{}{}
	return name
}

// scheduling prints a policy for each kind of port: strict queues first, then by weight.
func (b *builder) scheduling() {
	var all []schedulerPolicy
	for _, k := range b.kinds {
		if len(k.QoS().Queues) == 0 {
			continue
		}
		strict, shared := scheduler{Sequence: 0, Priority: "strict"}, scheduler{Sequence: 1}
		for i := range k.QoS().Queues {
			q := &k.QoS().Queues[i]
			in := schedulerInput{ID: b.s.QueueName(q.ID), Queue: b.s.QueueName(q.ID), PeakRate: b.peak(k, q)}
			if q.Scheduler.Strict {
				strict.Input = append(strict.Input, in)
				continue
			}
			in.Weight = max(1, q.Scheduler.Weight.Value)
			shared.Input = append(shared.Input, in)
		}
		p := schedulerPolicy{Name: k.Name}
		for _, s := range []scheduler{strict, shared} {
			if s.Input != nil {
				p.Scheduler = append(p.Scheduler, s)
			}
		}
		all = append(all, p)
	}
	if all != nil {
		b.out.QoS.Schedulers = &schedulers{all}
	}
}

// peak is the cap of a queue in per cent of the port's rate, 0 where it has none.
func (b *builder) peak(k *kind, q *plan.Queue) int64 {
	rate, speed := q.Scheduler.MaxRate, k.First().Speed
	if rate.Value == 0 || speed == 0 {
		return 0
	}
	percent := min(max(1, units.FloorMulDiv(int64(rate.Value), 100, int64(speed))), 100)
	if got := speed / 100 * units.BitRate(percent); got != rate.Value {
		b.list.WarnOncef(Rounded, rate.Why.RangeOr(k.First().Range), "a cap of %v on ports of %v is not supported: SR Linux takes whole per cent, and gets %v", rate.Value, speed, got).Fixf("say %v in the fabric, so that plan and switch agree", got)
	}
	return percent
}
