package calc

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// TrimmedRate returns the rate of trimmed packets if so many senders, at least one, have their
// packets cut at line rate: document trimmed-rate.
func TrimmedRate(senders int64, rate units.BitRate, size, packet units.Bytes) units.BitRate {
	if packet <= size {
		return 0
	}
	most := ceilDiv(product(senders, int64(rate), int64(size+packetGap)), product(int64(packet+packetGap)))
	balance := ceilDiv(product(senders-1, int64(rate), int64(size+packetGap)), product(int64(packet-size)))
	return units.BitRate(capped(balance, capped(most, 1<<62)))
}

// planTrim returns the trimming of the switch; nil where no class is trimmed.
func planTrim(f *policy.Fabric) *plan.Trim {
	for _, class := range f.Classes {
		if t := class.Trimming; t != nil && t.Class != nil {
			return &plan.Trim{
				Size: plan.Of(t.Size.Value, given("trimming size", t.Size, t.Size.Value, "")),
				DSCP: t.DSCP.Value, TC: t.Class.TrafficClass.Value, Queue: t.Class.Queue.Value, Range: t.Range,
			}
		}
	}
	return nil
}

// trimmingInequalities check, for each class that is trimmed, that what is left of packets passes.
func (p *ports) trimmingInequalities(k *kind) []inequality {
	var list []inequality
	for _, class := range p.classes {
		if class.Trimming != nil && class.Trimming.Class != nil {
			list = append(list, p.trimmedFits(class, k))
		}
	}
	return list
}

// trimmedFits checks the queue of trimmed packets against the worst fan-in at line rate: the excess
// is lost, as if nothing had been trimmed.
func (p *ports) trimmedFits(class *policy.Class, k *kind) inequality {
	t, rate, senders, mtu := class.Trimming, k.group.Speed, p.trimmedSenders(k), p.roceMTU(class)
	packet := RoCEPacket(mtu.Value)
	value := TrimmedRate(int64(senders.Value), rate.Value, t.Size.Value, packet)
	left := plan.Of(value, computed("trimmed-rate", "rate of what is left of packets", value,
		term("senders", senders.Why), term("rate", given("speed", rate, rate.Value, "")), term("size", given("trimming size", t.Size, t.Size.Value, "")),
		term("packet", computed("roce-packet", "packet", packet, term("roce_mtu", mtu.Why)))))
	right := p.served(t.Class, k)
	return atMost("trimmed-fits", where(class, k), left, right, t.Range, func(list *diag.List) {
		list.Warnf(TrimmedLost, t.Range, "when %v senders at %v are trimmed, %v of cut packets of %s arrive, and the queue of %s passes %v: the rest is dropped without notice to the receiver (%s on %s)",
			senders.Value, rate.Value, units.BitRate(units.CeilMulDiv(int64(left.Value), 1, int64(units.Mbps)))*units.Mbps, class.Name, t.Class.Name, right.Value, k.group.Name, p.sw.Label).
			Fixf("cut to a smaller size, raise max_rate or the weight of %s, or declare a smaller fan_in", t.Class.Name)
	})
}

// trimmedSenders derives the number of senders that may send to one port: the declared fan-in, or
// all other ports.
func (p *ports) trimmedSenders(k *kind) plan.Derived[plan.Count] {
	if k.group.FanIn.Set {
		return p.fanIn(k)
	}
	ports := 0
	for _, other := range p.kinds {
		ports += len(other.ports)
	}
	n := plan.Count(max(1, ports-1))
	return plan.Of(n, &plan.Why{Kind: plan.Given, Name: "fan-in: all other ports", Value: n, Range: k.group.Range})
}

// served derives the rate of a queue while all others that are not strict have something to send.
func (p *ports) served(class *policy.Class, k *kind) plan.Derived[units.BitRate] {
	scheduler := p.schedulers[k.index][class]
	if scheduler.Strict {
		return scheduler.MaxRate
	}
	rate, all := k.group.Speed, weights(p.classes)
	value := WeightedShare(rate.Value, int64(scheduler.Weight.Value), all)
	if limit := scheduler.MaxRate; limit.Value > 0 && limit.Value < value {
		return limit
	}
	return plan.Of(value, computed("weighted-share", "share of the port by weight", value,
		term("rate", given("speed", rate, rate.Value, "")), term("weight", scheduler.Weight.Why), count("all_weight", int(all), "DWRR weights of all classes")))
}
