package calc

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Threshold is the queue that a port drains within a delay, rounded down to the
// granularity of the chip: documents kmin and kmax.
func Threshold(rate units.BitRate, delay units.Time, step units.Bytes) units.Bytes {
	return rate.FloorBytes(delay).FloorTo(step)
}

// wantsECN reports whether queues of a class mark.
func wantsECN(class *policy.Class) bool { return class.ECN.Value != "off" }

// Curves are the third stage: where the queues of each class mark, by kind of port.
type curves []map[*policy.Class]*plan.ECN

// planCurves gives each marking class its curve on each kind of port.
func planCurves(s *shape, found *findings) curves {
	all := make(curves, len(s.kinds))
	for _, k := range s.kinds {
		all[k.index] = map[*policy.Class]*plan.ECN{}
		for _, class := range s.fabric.Classes {
			if !wantsECN(class) {
				continue
			}
			kmin, okMin := s.kMin(class, k)
			kmax, okMax := s.kMax(class, k)
			if !okMin || !okMax {
				s.reportDelays(class, found)
				continue
			}
			s.reportPMaxStep(class, found)
			s.reportTooFine("kmin", class.KMin, kmin, found)
			s.reportTooFine("kmax", class.KMax, kmax, found)
			all[k.index][class] = &plan.ECN{KMin: kmin, KMax: kmax, PMax: s.pMax(class, k)}
		}
	}
	return all
}

func (s *shape) reportDelays(class *policy.Class, found *findings) {
	f := s.fabric
	missing := "expected_delay"
	if f.ExpectedDelay.Set {
		missing = "tolerable_delay"
	}
	found.list.Errorf(DelayMissing, f.Range, "class %q marks with ECN, and the fabric gives no %s to derive its curve from", class.Name, missing).
		Fixf("add expected_delay and tolerable_delay to the fabric block, or kmin, kmax and pmax to an ecn block of the class").
		Notef(class.Range, "the class")
}

func (s *shape) kMin(class *policy.Class, k *kind) (plan.Derived[units.Bytes], bool) {
	return s.threshold("kmin", class.KMin, k, "expected_delay", ownOr(class.KMinDelay, s.fabric.ExpectedDelay))
}

func (s *shape) kMax(class *policy.Class, k *kind) (plan.Derived[units.Bytes], bool) {
	return s.threshold("kmax", class.KMax, k, "tolerable_delay", ownOr(class.KMaxDelay, s.fabric.TolerableDelay))
}

// ownOr is the class's own time, else the fabric's.
func ownOr(own, fabric policy.Opt[units.Time]) policy.Opt[units.Time] {
	if own.Set {
		return own
	}
	return fabric
}

// threshold is Kmin or Kmax: as given and rounded to the chip's granularity, or what
// the port drains within the delay.
func (s *shape) threshold(id string, own policy.Opt[units.Bytes], k *kind, symbol string, delay policy.Opt[units.Time]) (plan.Derived[units.Bytes], bool) {
	step := s.markingStep()
	if own.Set {
		value := own.Value.FloorTo(step.Value)
		why := computed("whole-cells-down", id, value, term("bytes", given(id, own, own.Value, "")), term("cell", step.Why))
		return plan.Of(value, why), true
	}
	if !delay.Set {
		return plan.Derived[units.Bytes]{}, false
	}
	rate := k.group.Speed
	value := Threshold(rate.Value, delay.Value, step.Value)
	return plan.Of(value, computed(id, id, value,
		term("rate", given("speed", rate, rate.Value, "")),
		term(symbol, given(symbol, delay, delay.Value, "")),
		term("step", step.Why))), true
}

// pMax is as given, or twice DCQCN's fixed point, in either case at a step of the chip:
// what lies between two steps becomes the lower one on the device.
func (s *shape) pMax(class *policy.Class, k *kind) plan.Derived[units.Ratio] {
	steps := s.chip.Marking.Steps
	if class.PMax.Set {
		value := class.PMax.Value
		why := given("pmax", class.PMax, value, "")
		return s.atStep(plan.Of(value, why), stepDown(steps.Or(nil), value))
	}
	fixed := s.fixedPoint(class, k)
	value := PMax(fixed.Value)
	return s.atStep(plan.Of(value, computed("pmax", "pmax", value, term("fixed_point", fixed.Why))), stepUp(steps.Or(nil), value))
}

// atStep takes a probability to a step of the chip, as a step of its own in the reason.
func (s *shape) atStep(p plan.Derived[units.Ratio], step units.Ratio) plan.Derived[units.Ratio] {
	if step == p.Value {
		return p
	}
	steps := datum(s.chip, s.chip.Marking.Steps, plan.Word(fmt.Sprint(s.chip.Marking.Steps.Or(nil))))
	return plan.Of(step, &plan.Why{Kind: plan.Rounding, Name: p.Why.Name, ID: "marking-step", Value: step,
		Terms: []plan.Term{term("probability", p.Why), term("steps", steps)}})
}

// stepUp is the first of ascending steps that is at least p, and stepDown the last that is
// at most p; p itself where there are none.
func stepUp(steps []units.Ratio, p units.Ratio) units.Ratio {
	for _, step := range steps {
		if step >= p {
			return step
		}
	}
	return p
}

func stepDown(steps []units.Ratio, p units.Ratio) units.Ratio {
	for _, step := range slices.Backward(steps) {
		if step <= p {
			return step
		}
	}
	return p
}

// reportPMaxStep says that the device makes another probability of the author's.
func (s *shape) reportPMaxStep(class *policy.Class, found *findings) {
	steps, err := s.chip.Marking.Steps.Get()
	if own := class.PMax; err == nil && own.Set {
		if down := stepDown(steps, own.Value); down != own.Value {
			found.list.Warnf(PMaxStep, own.Range, "%s marks with one of %d probabilities, and %v is none of them: it becomes %v", s.chip.Title, len(steps), own.Value, down).
				Fixf("write %v or %v", down, stepUp(steps, own.Value))
		}
	}
}

// markingStep is what the chip counts thresholds in.
func (s *shape) markingStep() plan.Derived[units.Bytes] {
	return assume(s.chip, s.chip.ECNGranularity, s.cell, same[units.Bytes], "thresholds are counted in cells")
}

// reportTooFine says that a threshold which the author gave became 0 on the chip.
func (s *shape) reportTooFine(id string, own policy.Opt[units.Bytes], got plan.Derived[units.Bytes], found *findings) {
	if step := s.markingStep(); own.Set && got.Value == 0 {
		found.list.Errorf(ECNTooFine, own.Range, "%s %v is less than the %v steps in which %s holds thresholds", id, own.Value, step.Value, s.chip.Title).
			Fixf("give at least %v", step.Value)
	}
}
