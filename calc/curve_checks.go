package calc

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// curveInequalities returns the inequalities that a curve has to keep on a kind of port, whatever
// the buffer around it.
func (s *shape) curveInequalities(class *policy.Class, k *kind, curve *plan.ECN) []inequality {
	at := func(o policy.Opt[units.Bytes], delay policy.Opt[units.Time]) diag.Range {
		switch {
		case o.Set:
			return o.Range
		case delay.Set:
			return delay.Range
		}
		return k.group.Range
	}
	rate := k.group.Speed.Value
	own := k.group.CurveOf(class)
	all := []inequality{
		s.bytesAtMost("kmin-below-kmax", ECNAboveDelay, class.Name, k, curve.KMin, curve.KMax, at(own.KMin, own.KMinDelay), "Kmin is above Kmax", "lower kmin, or raise tolerable_delay"),
	}
	targets := &s.fabric.Targets
	if s.fabric.ExpectedDelay.Set || targets.UsualLatency.Set {
		all = append(all, s.bytesAtMost("kmin-expected", ECNAboveDelay, class.Name, k, curve.KMin, s.bdp("usual", rate, s.usual()), at(own.KMin, own.KMinDelay), "Kmin is above what the port drains within the usual delay of a queue", "lower kmin"))
	}
	if s.fabric.TolerableDelay.Set || targets.MaxLatency.Set {
		all = append(all, s.bytesAtMost("kmax-tolerable", ECNAboveDelay, class.Name, k, curve.KMax, s.bdp("tolerable", rate, s.tolerable()), at(own.KMax, own.KMaxDelay), "Kmax is above what the port drains within the greatest delay of a queue", "lower kmax"))
	}
	if class.CongestionControl.Value == "dcqcn" {
		all = append(all, s.pMaxBounded(class, k, curve), s.halvedInTime(class, k))
		if targets.UsualLatency.Set {
			all = append(all, s.fixedPointBelowPMax(class, k, curve), s.usualKept(class, k, curve))
		}
	}
	return all
}

// bdp derives the amount that a port drains within a delay. Where the chip checks the threshold
// against each part of a queue, all parts together may be so long.
func (s *shape) bdp(name string, rate units.BitRate, delay plan.Derived[units.Time]) plan.Derived[units.Bytes] {
	parts := s.markingParts()
	value := KMax(rate, delay.Value, int64(parts.Value), 1)
	return plan.Of(value, computed("kmax", name+" bandwidth-delay product", value,
		term("rate", &plan.Why{Kind: plan.Given, Name: "speed", Value: rate}), term("delay", delay.Why), term("parts", parts.Why), count("step", 1, "in bytes")))
}

// pMaxAt returns the place to blame for a wrong Pmax.
func pMaxAt(class *policy.Class, k *kind) diag.Range {
	if own := k.group.CurveOf(class).PMax; own.Set {
		return own.Range
	}
	return class.Range
}

func (s *shape) fixedPointBelowPMax(class *policy.Class, k *kind, curve *plan.ECN) inequality {
	flows := s.flows(class, k)
	fixed, at := s.fixedPoint(class, k), pMaxAt(class, k)
	return atMost("fixed-point-below-pmax", where(class, k), fixed, curve.PMax, at, func(list *diag.List) {
		list.Warnf(FixedPointAbovePMax, at, "DCQCN settles at a marking probability of %v with %v flows at %v, above Pmax %v: the queue stays at Kmax",
			fixed.Value, flows.Value, k.group.Speed.Value, curve.PMax.Value).
			Fixf("raise pmax to %v, or use fewer queue pairs per port", PMax(fixed.Value, 0, 0))
	})
}

// pMaxBounded fails when pmax is above the probability at which more marks bring no more CNPs.
func (s *shape) pMaxBounded(class *policy.Class, k *kind, curve *plan.ECN) inequality {
	bound, at := s.pMaxBound(class, k), pMaxAt(class, k)
	whole := PMaxUseful(bound.Value)
	right := s.atStep(plan.Of(whole, computed("pmax-useful", "largest useful pmax", whole, term("bound", bound.Why))),
		stepUp(s.chip.Marking.Steps.Or(nil), whole))
	useful := right.Value
	return atMost("pmax-bounded", where(class, k), curve.PMax, right, at, func(list *diag.List) {
		list.Warnf(PMaxUseless, at, "Pmax %v is above %v, and beyond that marks bring no more CNPs at %v with %v flows (%s on %s)",
			curve.PMax.Value, bound.Value, k.group.Speed.Value, s.flows(class, k).Value, where(class, k), s.sw.Label).
			Fixf("lower pmax to %v, or declare a shorter cnp_interval if the NICs have one", useful)
	})
}
