package calc

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// KMinPackets is the number of full packets of queue below which marking costs throughput: docs/marking-study.md.
const KMinPackets = 3

// KMin returns the threshold at which marking begins: the bytes that a flow sends in the time that a queue
// may stay unmarked, three packets at least, or less where the port drains no more in the delay: document
// kmin.
func KMin(packet units.Bytes, rate, flow units.BitRate, unmarked, delay units.Time, parts int64, step units.Bytes) units.Bytes {
	return min(max((KMinPackets*packet).CeilTo(step), flow.FloorBytes(unmarked).FloorTo(step)), KMax(rate, delay, parts, step))
}

// CurveEnd is Kmax what a flow sends in the width above Kmin, or what the port drains in the delay of a queue:
// document curve-end.
func CurveEnd(kmin units.Bytes, rate, flow units.BitRate, width, delay units.Time, parts int64, step units.Bytes) units.Bytes {
	wide := kmin + KMax(flow, width, 1, step)
	return max(kmin, min(wide, KMax(rate, delay, parts, step)))
}

// HalfDelay returns the delay of a queue at Kmin where only its greatest delay is stated: document half-delay.
func HalfDelay(delay units.Time) units.Time { return delay / 2 }

// KMax returns the queue that a port drains within a delay, where the chip checks the threshold
// against so many parts of the queue: document kmax.
func KMax(rate units.BitRate, delay units.Time, parts int64, step units.Bytes) units.Bytes {
	return (rate.FloorBytes(delay) / units.Bytes(parts)).FloorTo(step)
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
		for _, class := range s.classes {
			if !wantsECN(class) {
				continue
			}
			found, pinned := found, k.pinsCurve(class)
			if pinned {
				found = &findings{trial: true} // the derived value is not used
			}
			if s.delaySpent(class, k, found) && !pinned {
				continue
			}
			kmin, kmax := s.kMin(class, k), s.kMax(class, k)
			own := k.group.CurveOf(class)
			s.reportPMaxStep(own, found)
			s.reportTooFine("kmin", own.KMin, own.KMinDelay, k, kmin, found)
			s.reportTooFine("kmax", own.KMax, own.KMaxDelay, k, kmax, found)
			curve := &plan.ECN{KMin: kmin, KMax: kmax, PMax: s.pMax(class, k)}
			k.pinCurve(class, curve)
			all[k.index][class] = curve
		}
	}
	return all
}

// usual derives the delay that a queue may usually have: its part of the latency goal of the path,
// and no more than the fabric's expected_delay.
func (s *shape) usual() plan.Derived[units.Time] {
	return lesser("expected_delay", s.path.Usual, s.fabric.Targets.UsualLatency.Set, s.fabric.ExpectedDelay)
}

func (s *shape) tolerable() plan.Derived[units.Time] {
	return lesser("tolerable_delay", s.path.Tolerable, s.fabric.Targets.MaxLatency.Set, s.fabric.TolerableDelay)
}

// lesser returns the part of the path, or what the author says of a queue where that is less, or
// where he sets no goal for the path.
func lesser(name string, part plan.Derived[units.Time], goal bool, own policy.Opt[units.Time]) plan.Derived[units.Time] {
	if own.Set && (!goal || own.Value < part.Value) {
		return plan.Of(own.Value, given(name, own, own.Value, ""))
	}
	return part
}

// unbounded is the allowed delay of a queue where no latency goal is stated: more than the deepest derived curve
// takes at 25 Gb/s, 24 MB in 7.7 ms.
const unbounded = 10 * units.Millisecond

// begins derives the delay of a queue at Kmin: its usual part of the path where the author states a goal
// or a delay, half of the delay at Kmax where he states that alone; else completion alone counts.
func (s *shape) begins() plan.Derived[units.Time] {
	if s.fabric.Targets.UsualLatency.Set || s.fabric.ExpectedDelay.Set {
		return s.usual()
	}
	if s.fabric.Targets.MaxLatency.Set || s.fabric.TolerableDelay.Set {
		most := s.tolerable()
		value := HalfDelay(most.Value)
		return plan.Of(value, computed("half-delay", "latency of a queue at Kmin", value, term("delay", most.Why)))
	}
	return decided("latency of a queue", unbounded, "no usual_latency and no expected_delay is stated")
}

// complete derives the delay of a queue at Kmax where the author gives no curve: its usual part of
// the path, so that the steady state, in the lower half of the curve, keeps it by far.
func (s *shape) complete() plan.Derived[units.Time] {
	targets := &s.fabric.Targets
	most := decided("latency of a queue", unbounded, "no latency goal is stated")
	if targets.MaxLatency.Set || s.fabric.TolerableDelay.Set {
		most = s.tolerable()
	}
	if stated := targets.UsualLatency.Set || markingOf(s.fabric).usual; stated && s.path.Usual.Value < most.Value {
		return s.path.Usual
	}
	return most
}

// delaySpent reports whether the latency goal leaves no room for one packet in a queue whose curve
// is derived.
func (s *shape) delaySpent(class *policy.Class, k *kind, found *findings) bool {
	if own := k.group.CurveOf(class); own.KMin.Set || own.KMinDelay.Set || !s.fabric.Targets.UsualLatency.Set {
		return false
	}
	packet, usual := s.packet(class), s.path.Usual
	if k.group.Speed.Value.FloorBytes(usual.Value) >= packet.Value {
		return false
	}
	goal, at := s.fabric.Targets.UsualLatency, s.fabric.Range
	if goal.Set {
		at = goal.Range
	}
	found.list.Errorf(DelaySpent, at, "class %q marks with ECN: the path without queues takes %v of a usual_latency of %v, and its queues (%v) have %v each, less than a packet of %v takes at %v",
		class.Name, s.path.Base.Value, goal.Value, s.path.Hops.Value, usual.Value, packet.Value, k.group.Speed.Value).
		Fixf("raise usual_latency in targets, or give kmin, kmax and pmax in an ecn block of the class").
		Notef(class.Range, "the class")
	return true
}

// packet returns a full RoCE packet as a queue holds it.
func (s *shape) packet(class *policy.Class) plan.Derived[units.Bytes] {
	mtu := s.roceMTU(class)
	value := RoCEPacket(mtu.Value)
	return plan.Of(value, computed("roce-packet", "full RoCE packet", value, term("roce_mtu", mtu.Why)))
}

func (s *shape) kMin(class *policy.Class, k *kind) plan.Derived[units.Bytes] {
	curve := k.group.CurveOf(class)
	if own, ok := s.given("kmin", curve.KMin, curve.KMinDelay, k); ok {
		return own
	}
	rate, flow, packet, unmarked, delay, parts, step := k.group.Speed, s.senderRate(k), s.packet(class), s.unmarked(class, k), s.begins(), s.markingParts(), s.markingStep()
	value := KMin(packet.Value, rate.Value, flow.Value, unmarked.Value, delay.Value, int64(parts.Value), step.Value)
	return plan.Of(value, computed("kmin", "kmin", value,
		term("packet", packet.Why), term("rate", given("speed", rate, rate.Value, "")), term("flow", flow.Why),
		term("unmarked", unmarked.Why), term("delay", delay.Why), term("parts", parts.Why), term("step", step.Why)))
}

func (s *shape) kMax(class *policy.Class, k *kind) plan.Derived[units.Bytes] {
	curve := k.group.CurveOf(class)
	if own, ok := s.given("kmax", curve.KMax, curve.KMaxDelay, k); ok {
		return own
	}
	kmin, rate, flow, width, delay, parts, step := s.kMin(class, k), k.group.Speed, s.senderRate(k), s.width(class, k), s.complete(), s.markingParts(), s.markingStep()
	value := CurveEnd(kmin.Value, rate.Value, flow.Value, width.Value, delay.Value, int64(parts.Value), step.Value)
	return plan.Of(value, computed("curve-end", "kmax", value, term("kmin", kmin.Why),
		term("rate", given("speed", rate, rate.Value, "")), term("flow", flow.Why), term("width", width.Why), term("delay", delay.Why), term("parts", parts.Why), term("step", step.Why)))
}

// given is a threshold of the author's, in bytes or as a time, rounded to the chip's
// granularity.
func (s *shape) given(id string, own policy.Opt[units.Bytes], delay policy.Opt[units.Time], k *kind) (plan.Derived[units.Bytes], bool) {
	rate, step := k.group.Speed, s.markingStep()
	switch {
	case own.Set && s.fabric.Running.Value:
		return plan.Of(own.Value, given(id, own, own.Value, "")), true
	case own.Set:
		value := own.Value.FloorTo(step.Value)
		return plan.Of(value, computed("whole-cells-down", id, value, term("bytes", given(id, own, own.Value, "")), term("cell", step.Why))), true
	case delay.Set:
		value := KMax(rate.Value, delay.Value, 1, step.Value)
		return plan.Of(value, computed("kmax", id, value,
			term("rate", given("speed", rate, rate.Value, "")), term("delay", given(id, delay, delay.Value, "")),
			count("parts", 1, "as the author says"), term("step", step.Why))), true
	}
	return plan.Derived[units.Bytes]{}, false
}

// markingParts derives the number of lengths of a queue that the chip compares with the threshold,
// each by itself: two where the chip keeps one in each part of the buffer that serves the port, so
// that marking begins between K and 2K.
func (s *shape) markingParts() plan.Derived[plan.Count] {
	state := s.chip.Marking.State
	if word, err := state.Get(); err == nil {
		n := plan.Count(1)
		if word == "part" {
			n = 2
		}
		return plan.Of(n, datum(s.chip, state, n))
	}
	return decided(state.Name(), plan.Count(1), "assumed: one length for each queue")
}

// pMax is as given, or by document pmax, in either case at a step of the chip: the device rounds a
// value between two steps down.
func (s *shape) pMax(class *policy.Class, k *kind) plan.Derived[units.Ratio] {
	steps := s.chip.Marking.Steps
	if own := k.group.CurveOf(class).PMax; own.Set {
		value := own.Value
		why := given("pmax", own, value, "")
		if s.fabric.Running.Value {
			return plan.Of(value, why)
		}
		return s.atStep(plan.Of(value, why), stepDown(steps.Or(nil), value))
	}
	fixed, bound := s.settles(class, k), s.pMaxBound(class, k)
	least := s.marking(class).pmax
	value := PMax(fixed.Value, bound.Value, least)
	return s.atStep(plan.Of(value, computed("pmax", "pmax", value, term("fixed_point", fixed.Why), term("bound", bound.Why), term("least", given("least Pmax, by the purpose", s.fabric.Purpose, least, "purpose mixed")))), stepUp(steps.Or(nil), value))
}

// atStep takes a probability to a step of the chip, as a step of its own in the reason.
func (s *shape) atStep(p plan.Derived[units.Ratio], step units.Ratio) plan.Derived[units.Ratio] {
	if step == p.Value {
		return p
	}
	steps := datum(s.chip, s.chip.Marking.Steps, plan.Word(fmt.Sprint(s.chip.Marking.Steps.Or(nil))))
	return plan.Of(step, rounded("marking-step", p.Why.Name, step, term("probability", p.Why), term("steps", steps)))
}

// stepUp returns the first of ascending steps that is at least p, and stepDown the last that is
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
func (s *shape) reportPMaxStep(curve *policy.Curve, found *findings) {
	steps, err := s.chip.Marking.Steps.Get()
	if own := curve.PMax; err == nil && own.Set && !s.fabric.Running.Value {
		if down := stepDown(steps, own.Value); down != own.Value {
			fix := fmt.Sprintf("write %v or %v", down, stepUp(steps, own.Value))
			if down == 0 {
				fix = fmt.Sprintf("write %v; with 0%% no packet is marked below Kmax", stepUp(steps, own.Value))
			}
			found.list.Warnf(PMaxStep, own.Range, "%s has %d marking probabilities, and %v is not one of them: it becomes %v", s.chip.Title, len(steps), own.Value, down).Fixf("%s", fix)
		}
	}
}

// markingStep derives the granularity of the chip's marking thresholds.
func (s *shape) markingStep() plan.Derived[units.Bytes] {
	return assume(s.chip, s.chip.ECNGranularity, s.cell, same[units.Bytes], "thresholds are counted in cells")
}

// reportTooFine says that a threshold which the author gave became 0 on the chip.
func (s *shape) reportTooFine(id string, own policy.Opt[units.Bytes], delay policy.Opt[units.Time], k *kind, got plan.Derived[units.Bytes], found *findings) {
	step, rate := s.markingStep().Value, k.group.Speed.Value
	switch {
	case got.Value > 0:
	case own.Set:
		found.list.Errorf(ECNTooFine, own.Range, "%s %v is less than the %v steps in which %s holds thresholds", id, own.Value, step, s.chip.Title).
			Fixf("give at least %v", step)
	case delay.Set:
		found.list.Errorf(ECNTooFine, delay.Range, "%s %v is %v at %v, less than the %v steps in which %s holds thresholds", id, delay.Value, rate.FloorBytes(delay.Value), rate, step, s.chip.Title).
			Fixf("give at least %v", rate.CeilTime(step))
	}
}
