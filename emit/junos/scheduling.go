package junos

import (
	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// scheduling prints a scheduler for each class of each kind of port, and the map that
// binds them.
func (b *builder) scheduling() {
	for _, k := range b.kinds {
		if len(k.QoS().Queues) == 0 {
			continue
		}
		shares := b.shares(k)
		mapping, all := b.cos.at("scheduler-maps", k.Name), b.cos.at("schedulers")
		for i := range k.QoS().Queues {
			q := &k.QoS().Queues[i]
			for _, c := range b.s.Classes {
				if c.Queue == q.ID {
					name := k.Name + "-" + c.Name
					for all.find(name) != nil { // ports "a" with a class "b-c", and ports "a-b" with a class "c"
						name += "-2"
					}
					mapping.say("forwarding-class", c.Name, "scheduler", name)
					b.scheduler(all.at(name), name, k, q, shares[q.ID])
				}
			}
		}
	}
}

// shares returns the transmit rates of the queues with weights, in per cent that do not sum to
// more than 100.
func (b *builder) shares(k *emit.Kind) map[uint8]int64 {
	var weights []int64
	sum := int64(0)
	for _, q := range k.QoS().Queues {
		weights = append(weights, q.Scheduler.Weight.Value)
		sum += q.Scheduler.Weight.Value
	}
	shares := make(map[uint8]int64)
	for i, share := range emit.Percentages(weights) {
		q := &k.QoS().Queues[i]
		if shares[q.ID] = share; sum > 100 && share*sum != weights[i]*100 {
			b.list.WarnOncef(Rounded, q.Scheduler.Weight.Why.RangeOr(k.First().Range), "weights sum to %d; Junos takes per cent of the rate, and queue %d gets %d", sum, q.ID, share).Fixf("write weights that add up to 100")
		}
	}
	return shares
}

func (b *builder) scheduler(section *statement, name string, k *emit.Kind, q *plan.Queue, share int64) {
	if share > 0 {
		section.put(row.TransmitRate, share)
	}
	if rate := q.Scheduler.MaxRate; rate.Value > 0 {
		section.say("shaping-rate", rateOf(rate.Value))
	}
	if q.Scheduler.Strict {
		section.say("priority", "strict-high")
	} else {
		section.say("priority", "low")
	}
	if q.ECN != nil || q.Curve != "" {
		section.say("drop-profile-map", "loss-priority", "any", "protocol", "any", "drop-profile", name)
		if !q.Curve.Drops() {
			section.say("explicit-congestion-notification")
		}
		b.curve(name, k, q)
	}
	if q.Reserved.Value > 0 {
		b.list.WarnOncef(DeviceDecides, q.Reserved.Why.RangeOr(k.First().Range), "the reserve of a queue, %v, is not written: Junos divides the dedicated buffer itself", q.Reserved.Value)
	}
	// The thresholds of lossless queues are those of their partition:
	// buffer-dynamic-threshold is refused for them.
	if b.queueIsLossless(q.ID) {
		return
	}
	if alpha, ok := b.threshold(k, q.Limit); ok {
		section.put(row.Threshold, row.Of(row.Threshold).Of(int64(alpha)))
	}
}

// rateOf writes bits per second with the largest suffix that keeps it whole.
func rateOf(rate units.BitRate) string {
	for _, unit := range []struct {
		rate   units.BitRate
		suffix string
	}{{units.Gbps, "g"}, {units.Mbps, "m"}, {units.Kbps, "k"}} {
		if rate%unit.rate == 0 {
			return number(rate/unit.rate) + unit.suffix
		}
	}
	return number(rate)
}

// curve prints a marking curve. Fill levels are per cent of what the queue may hold; that
// this is the most that its dynamic threshold lets it have alone is assumed, since Juniper
// does not say it.
func (b *builder) curve(name string, k *emit.Kind, q *plan.Queue) {
	if q.Curve != "" {
		fill, share := q.Curve.Points()
		b.levels(name, fill, share)
		return
	}
	most := b.mostQueued(q)
	low := int64(q.ECN.KMin.Value) * 100 / int64(most)
	high := int64(q.ECN.KMax.Value) * 100 / int64(most)
	low, high = min(low, 99), min(max(high, low+1), 100)
	b.list.WarnOncef(Rounded, q.ECN.KMin.Why.RangeOr(k.First().Range),
		"marking of queue %d from %v to %v is written as %d to %d %% of what the queue may hold, assumed to be %v: %v to %v",
		q.ID, q.ECN.KMin.Value, q.ECN.KMax.Value, low, high, most, most*units.Bytes(low)/100, most*units.Bytes(high)/100)
	pmax := write(b, row.DropProbability, Rounded, Rounded, q.ECN.PMax, k.First().Range)
	b.levels(name, []int64{low, high}, []int64{0, pmax})
}

// levels prints the points of a drop profile, in per cent.
func (b *builder) levels(name string, fill, share []int64) {
	section := b.cos.at("drop-profiles", name, "interpolate")
	section.each(numbers(fill), row.Of(row.FillLevel).Name())
	section.each(numbers(share), row.Of(row.DropProbability).Name())
}

// mostQueued returns the most that a queue may hold alone: α·pool/(1+α), the share of its partition
// that a dynamic threshold leaves one queue (TechPost as in platform.go, peak buffer of one
// congested queue).
func (b *builder) mostQueued(q *plan.Queue) units.Bytes {
	share, alpha := b.split100.Lossy, row.DefaultAlpha(true, false)
	if b.queueIsLossless(q.ID) {
		share, alpha = b.split100.Lossless, row.DefaultAlpha(true, true)
	}
	if q.Limit.Value.Dynamic {
		alpha = q.Limit.Value.Alpha
	}
	num, den := alpha.Fraction()
	pool := int64(b.box.Shared) * share / 100
	return units.Bytes(max(1, units.FloorMulDiv(pool, num, num+den)))
}
