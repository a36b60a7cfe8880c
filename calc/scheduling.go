package calc

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// cnpWire is a CNP with preamble and gap: see document cnp-rate.
const cnpWire = 98

// CNPRate returns the rate of CNPs that may leave through one port: document cnp-rate.
func CNPRate(sources int64, interval units.Time, packetRate int64) units.BitRate {
	byInterval := ceilDiv(product(sources, cnpWire, 8, int64(units.Second)), product(int64(interval)))
	return units.BitRate(min(capped(byInterval, 1<<62), packetRate*cnpWire*8))
}

// StrictShare returns the most that strict queues may take so that the others reach their goal:
// document strict-share.
func StrictShare(rate units.BitRate, throughput units.Ratio) units.BitRate {
	return units.BitRate((units.One - min(throughput, units.One)).FloorOf(int64(rate)))
}

// WeightedShare returns the rate of a weighted queue while all weighted ones send: document weighted-share.
func WeightedShare(rate units.BitRate, weight, all int64) units.BitRate {
	return units.BitRate(units.FloorMulDiv(int64(rate), min(weight, all), all))
}

// CNPHopDelay returns the longest wait of a CNP in one switch: document cnp-hop-delay.
func CNPHopDelay(rate units.BitRate, frame units.Bytes) units.Time {
	return units.Microsecond + rate.CeilTime(frame+20)
}

// Schedulers say how each class shares a port, by kind of port.
type schedulers []map[*policy.Class]plan.Scheduler

// planSchedulers gives each class its scheduler. A strict queue always gets a cap: as
// given, or its part of what the weighted queues can spare.
func planSchedulers(s *shape) schedulers {
	strict := 0
	for _, class := range s.classes {
		if class.Strict.Value {
			strict++
		}
	}
	all := make(schedulers, len(s.kinds))
	for _, k := range s.kinds {
		all[k.index] = map[*policy.Class]plan.Scheduler{}
		for _, class := range s.classes {
			all[k.index][class] = s.scheduler(class, k, strict)
		}
	}
	return all
}

// scheduler returns the scheduler of one class; strict is the number of strict classes of the port.
func (s *shape) scheduler(class *policy.Class, k *kind, strict int) plan.Scheduler {
	scheduler := plan.Scheduler{Strict: class.Strict.Value}
	switch {
	case class.MaxRate.Set:
		scheduler.MaxRate = plan.Of(class.MaxRate.Value, given("max_rate", class.MaxRate, class.MaxRate.Value, ""))
	case class.Strict.Value:
		scheduler.MaxRate = s.derivedCap(k, strict)
	}
	if !class.Strict.Value {
		scheduler.Weight = plan.Of(class.Weight.Value, given("weight", class.Weight, plan.Count(class.Weight.Value), "one part"))
	}
	return scheduler
}

func (s *shape) derivedCap(k *kind, strict int) plan.Derived[units.BitRate] {
	whole := s.strictShare(k)
	value := whole.Value / units.BitRate(strict)
	return plan.Of(value, computed("equal-parts", "cap of a strict queue", value,
		term("whole", whole.Why), count("parts", strict, "strict classes")))
}

func (s *shape) strictShare(k *kind) plan.Derived[units.BitRate] {
	rate, goal := k.group.Speed, s.fabric.Targets.Throughput
	value := StrictShare(rate.Value, goal.Value)
	return plan.Of(value, computed("strict-share", "what strict queues may take", value,
		term("rate", given("speed", rate, rate.Value, "")),
		term("throughput", given("target throughput", goal, goal.Value, "UCloud, RoCE network design: at least 95 %"))))
}

// schedulingInequalities hold the caps of a kind of port between the CNPs that must pass
// and the weighted queues that must not starve, and CNPs against their delay.
func (p *ports) schedulingInequalities(k *kind) []inequality {
	var list []inequality
	var sum units.BitRate
	var caps []plan.Term
	for _, class := range p.classes {
		scheduler := p.schedulers[k.index][class]
		if !scheduler.Strict {
			continue
		}
		sum += scheduler.MaxRate.Value
		caps = append(caps, term(class.Name, scheduler.MaxRate.Why))
		if class.CNP {
			list = append(list, p.cnpCapLower(class, k, scheduler))
			if p.fabric.ExpectedDelay.Set {
				list = append(list, p.cnpDelay(class, k))
			}
		}
	}
	if caps == nil {
		return nil
	}
	left := plan.Of(sum, computed("sum", "caps of all strict queues", sum, caps...))
	return append(list, p.starvation(k, left))
}

// starvation checks what strict queues may take against what they must leave.
func (s *shape) starvation(k *kind, caps plan.Derived[units.BitRate]) inequality {
	share, at := s.strictShare(k), s.strictAt(k).Range
	return atMost("starvation", k.group.Name, caps, share, at, func(list *diag.List) {
		list.Errorf(StrictCap, at, "strict queues may take %v of a %v port, and must take at most %v to leave the weighted queues their %v (%s on %s)",
			caps.Value, k.group.Speed.Value, share.Value, s.fabric.Targets.Throughput.Value, k.group.Name, s.sw.Label).
			Fixf("lower max_rate to at most %v, or lower the throughput target", share.Value)
	})
}

// strictAt returns the place to blame when strict queues take too much: the first cap given.
func (s *shape) strictAt(k *kind) policy.Opt[units.BitRate] {
	for _, class := range s.classes {
		if class.Strict.Value && class.MaxRate.Set {
			return class.MaxRate
		}
	}
	return policy.Opt[units.BitRate]{Range: k.group.Range}
}

// cnpCapLower checks the cap against all CNPs that may leave through one port: those of
// every queue pair of the classes whose hosts send them.
func (s *shape) cnpCapLower(class *policy.Class, k *kind, scheduler plan.Scheduler) inequality {
	var rate units.BitRate
	var terms []plan.Term
	for _, sender := range s.classes {
		if sender.CongestionControl.Value != "dcqcn" {
			continue
		}
		sources, interval, packets := s.cnpSources(sender, s.queuePairs(sender)), s.reaction(sender).CNPInterval, s.packetRate(sender, k)
		part := CNPRate(int64(sources.Value), interval.Value, int64(packets.Value))
		rate += part
		terms = append(terms, term(sender.Name, computed("cnp-rate", "CNPs of class "+sender.Name, part,
			term("sources", sources.Why), term("interval", interval.Why), term("packet_rate", packets.Why))))
	}
	at := class.Range
	if class.MaxRate.Set {
		at = class.MaxRate.Range
	}
	left := plan.Of(rate, computed("sum", "CNPs through one port", rate, terms...))
	return atMost("cnp-cap-lower", where(class, k), left, scheduler.MaxRate, at, func(list *diag.List) {
		list.Errorf(StrictCap, at, "class %q carries up to %v of CNPs through one %v port, and is capped at %v", class.Name, rate, k.group.Speed.Value, scheduler.MaxRate.Value).
			Fixf("raise max_rate to at least %v, use fewer queue pairs, or a longer cnp_interval", rate)
	})
}

// hopsOfCNP is the longest path of a CNP in a pod: ToR, aggregation, ToR.
const hopsOfCNP = 3

func (s *shape) cnpDelay(class *policy.Class, k *kind) inequality {
	rate := k.group.Speed
	hop := CNPHopDelay(rate.Value, s.fabric.MTU.Value)
	path := hop * hopsOfCNP
	hopWhy := computed("cnp-hop-delay", "wait in one switch", hop,
		term("rate", given("speed", rate, rate.Value, "")), term("frame", given("mtu", s.fabric.MTU, s.fabric.MTU.Value, "")))
	left := plan.Of(path, computed("product", "wait on the longest path", path, term("value", hopWhy), count("times", hopsOfCNP, "switches on the longest path of a pod")))
	expected := s.fabric.ExpectedDelay
	right := plan.Of(expected.Value, given("expected_delay", expected, expected.Value, ""))
	return atMost("cnp-delay", where(class, k), left, right, expected.Range, func(list *diag.List) {
		list.Errorf(CNPLate, expected.Range, "a CNP may wait %v over %d switches of %v with frames of %v, longer than the expected delay %v",
			path, hopsOfCNP, rate.Value, s.fabric.MTU.Value, expected.Value).Fixf("raise expected_delay, or lower mtu")
	})
}
