package calc

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A queue that marks early keeps the packets of others from waiting, and takes bandwidth from long
// transfers that meet for a moment; one that marks late does the reverse. A mark costs the time
// that a flow takes to recover from it. So a curve is as wide as the bytes that a flow sends in a
// share of that time; the purpose of the fabric sets the share. A flow is as fast as its host at
// the most, also on a faster port between switches. docs/marking-study.md compares the shares by
// completion times.

// marking holds the parameters of marking for a purpose, by the NICs of a class.
type marking struct {
	// intervals is the number of CNP intervals for which a flow may fill a queue unmarked; three packets at least.
	intervals int64
	// A flow sends the distance between Kmin and Kmax in num/den of the recovery time.
	num, den int64
	// A queue may hold so many transfers of 1 MB unmarked, and width of them fit between Kmin and Kmax;
	// 0: it is by the NIC, as above.
	transfers, width int64
	// pmax is the least that Pmax is.
	pmax units.Ratio
	// slow is set where NICs recover slowly: see slowRecovery.
	slow bool
	// usual bounds Kmax by the usual delay of a queue even where no latency goal is stated.
	usual bool
	// begins is set where a group next to stuck ones needs a queue of Kmin before it is paused, and
	// not one of Kmax.
	begins bool
	// paused is the default of xoff_time.
	paused units.Time
}

// markingOf returns the marking for the purpose of a fabric.
func markingOf(f *policy.Fabric) marking {
	switch {
	case f.Purpose.Value == "requests":
		return marking{intervals: 0, num: 1, den: 8, pmax: 20 * units.Percent, usual: true, paused: units.Millisecond}
	case f.Purpose.Value == "storage":
		return marking{transfers: 3, width: 9, pmax: 5 * units.Percent, begins: true, paused: 5 * units.Millisecond}
	case f.LongTransfers():
		return marking{intervals: 8, num: 4, den: 3, pmax: 5 * units.Percent, begins: true, paused: 5 * units.Millisecond}
	}
	return marking{intervals: 2, num: 1, den: 2, pmax: 20 * units.Percent, paused: units.Millisecond}
}

// slowRecovery is a recovery from a mark that costs a transfer of 1 MB several times its duration. NICs beyond it
// are marked rarely: the curve is as deep as marks still act before a pause, up to deepest transfers of 1 MB, and its
// greatest probability small (docs/marking-study.md, NICs that recover slowly).
const (
	slowRecovery = 750 * units.Microsecond
	deepest      = 24
	rarely       = 2 * units.Percent
)

// marking returns the marking of a class for the purpose, which depends on how soon its NICs recover from a mark.
func (s *shape) marking(class *policy.Class) marking {
	m := markingOf(s.fabric)
	if m.usual || !s.recoversSlowly(class) {
		return m
	}
	if !s.fabric.LongTransfers() { // short messages count too, and marks from the beginning of a queue help them
		m.intervals = 0
	}
	m.slow, m.width, m.pmax, m.begins, m.paused = true, deepest-m.transfers, rarely, true, 10*units.Millisecond
	return m
}

// recoversSlowly reports whether a mark costs the fastest host of a class more than slowRecovery, and no stated delay
// bounds its queues.
func (s *shape) recoversSlowly(class *policy.Class) bool {
	f := s.fabric
	if class.CongestionControl.Value != "dcqcn" || f.Targets.UsualLatency.Set || f.Targets.MaxLatency.Set || f.ExpectedDelay.Set || f.TolerableDelay.Set {
		return false
	}
	slow, known := s.slow[class]
	if !known {
		slow = slices.ContainsFunc(s.kinds, func(k *kind) bool { return s.recovery(class, k).Value > slowRecovery })
		s.slow[class] = slow
	}
	return slow
}

// Recovery is about how long a flow takes to regain what a cut by half took of it: document dcqcn-recovery.
func Recovery(timer units.Time, clamp bool, rate, hyper units.BitRate) units.Time {
	steps := int64(4)
	if clamp {
		steps += int64((rate + 2*hyper - 1) / (2 * hyper))
	}
	return units.Time(capped(product(int64(timer), steps), int64(longestRecovery)))
}

// latest and widest bound curves of NICs that recover slowly where these are not deep, under requests or a stated
// delay: at most 500 us of a flow are queued at Kmax (docs/marking-study.md).
const latest, widest = 125 * units.Microsecond, 375 * units.Microsecond

// longestRecovery is the most that document curve-width takes.
const longestRecovery = 100 * units.Second

// CurveWidth returns the distance between Kmin and Kmax, as the time in which a flow sends it: document curve-width.
func CurveWidth(recovery units.Time, num, den, cut int64) units.Time {
	return min(widest, units.Time(units.FloorMulDiv(int64(recovery), num, den))) / units.Time(cut)
}

// width derives the width of the curve of a class on a kind of port.
func (s *shape) width(class *policy.Class, k *kind) plan.Derived[units.Time] {
	marks, recovery := s.marking(class), s.recovery(class, k)
	if marks.width > 0 {
		return s.transferTime("width of the curve", marks.width, class, k)
	}
	value := CurveWidth(recovery.Value, marks.num, marks.den, s.divisor())
	return plan.Of(value, computed("curve-width", "width of the curve", value, term("recovery", recovery.Why),
		purposeTerm(s.fabric, "num", "parts of the recovery, by the purpose", marks.num), purposeTerm(s.fabric, "den", "of so many parts, by the purpose", marks.den), s.cutTerm()))
}

// recovery derives the recovery time of a flow that has a port of a kind to itself.
func (s *shape) recovery(class *policy.Class, k *kind) plan.Derived[units.Time] {
	r, flow := s.reaction(class), s.senderRate(k)
	clamp := *r.ClampTarget.Why
	clamp.Value = plan.Count(0)
	if r.ClampTarget.Value {
		clamp.Value = plan.Count(1)
	}
	value := Recovery(r.TimeReset.Value, bool(r.ClampTarget.Value), flow.Value, r.HAIRate.Value)
	return plan.Of(value, computed("dcqcn-recovery", "recovery of a flow from a mark", value, term("timer", r.TimeReset.Why),
		term("clamp", &clamp), term("rate", flow.Why), term("rate_hai", r.HAIRate.Why)))
}

// unmarked derives the amount that a queue may hold before marks begin, as a time in which a flow sends it.
func (s *shape) unmarked(class *policy.Class, k *kind) plan.Derived[units.Time] {
	marks, interval := s.marking(class), s.reaction(class).CNPInterval
	if marks.transfers > 0 {
		return s.transferTime("queue that stays unmarked", marks.transfers, class, k)
	}
	value := Unmarked(interval.Value, marks.intervals, s.divisor())
	return plan.Of(value, computed("unmarked-time", "queue that stays unmarked", value, term("interval", interval.Why),
		purposeTerm(s.fabric, "intervals", "intervals between CNPs, by the purpose", marks.intervals), s.cutTerm()))
}

// Unmarked is so many intervals between CNPs: document unmarked-time.
func Unmarked(interval units.Time, intervals, cut int64) units.Time {
	return min(latest, interval*units.Time(intervals)) / units.Time(cut)
}

// TransferTime returns the time in which a flow sends so many transfers of 1 MB: document transfer-time.
func TransferTime(transfers int64, flow units.BitRate, cut int64) units.Time {
	return units.Time(units.FloorMulDiv(transfers*8_000_000, int64(units.Second), int64(flow))) / units.Time(cut)
}

func (s *shape) transferTime(name string, transfers int64, class *policy.Class, k *kind) plan.Derived[units.Time] {
	flow, why := s.senderRate(k), purposeTerm(s.fabric, "transfers", "transfers of 1 MB, by the purpose", transfers)
	if s.marking(class).slow {
		why = term("transfers", decided("transfers of 1 MB", plan.Count(transfers), fmt.Sprintf("the NICs take %v to recover from a mark: docs/marking-study.md", s.recovery(class, k).Value)).Why)
	}
	value := TransferTime(transfers, flow.Value, s.divisor())
	return plan.Of(value, computed("transfer-time", name, value, why, term("flow", flow.Why), s.cutTerm()))
}

// purposeTerm returns a number that the purpose of the fabric decides. Its name says what it counts.
func purposeTerm(f *policy.Fabric, symbol, name string, n int64) plan.Term {
	return term(symbol, given(name, f.Purpose, plan.Count(n), "purpose mixed"))
}

// divisor returns the divisor of curves, at least 1.
func (s *shape) divisor() int64 { return max(1, s.cut) }

func (s *shape) cutTerm() plan.Term {
	return count("cut", int(s.divisor()), "what curves are divided by, so that marks act before a pause")
}

// settles returns the marking probability that a curve has to hold in its lower half: DCQCN's fixed
// point with the most flows, where the fabric states a latency goal or is for requests; else the
// queue may settle at Kmax.
func (s *shape) settles(class *policy.Class, k *kind) plan.Derived[units.Ratio] {
	if s.fabric.Targets.UsualLatency.Set || markingOf(s.fabric).usual {
		return s.fixedPoint(class, k)
	}
	return decided("DCQCN's fixed point", units.Ratio(0), "no usual_latency is stated: the queue of the most flows may stand at Kmax")
}
