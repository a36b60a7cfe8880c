package calc

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// SettledQueue returns the length at which the queue settles, with a marking probability in the lower
// part of a curve: document settled-queue.
func SettledQueue(kmin, kmax units.Bytes, fixedPoint, pmax units.Ratio) units.Bytes {
	above := product(int64(kmax-kmin), int64(min(fixedPoint, pmax)))
	return kmin + units.Bytes(capped(ceilDiv(above, product(int64(max(1, pmax)))), 1<<60))
}

// HalvingTime returns the time in which a flow halves its rate if all its packets are marked, once
// alpha has settled: document halving-time.
func HalvingTime(gap, alphaInterval units.Time, g, gd int64) units.Time {
	kept := formulas.Kept(product(g), product(max(1, int64(gap/alphaInterval))))
	lost := product(formulas.Whole)
	lost.Sub(lost, kept)
	// alpha settles at (1-g)/(1-g^n), and a cut is alpha 1024/2^gd: ln 2 of them halve the rate.
	num := product(int64(gap), 693_147_181, 1<<gd)
	num.Mul(num, lost)
	den := product(1_000_000_000, 1024-g)
	return units.Time(capped(ceilDiv(num, den.Mul(den, product(formulas.Whole))), 1<<62))
}

// usualKept holds the queue of as many flows as the buffers are checked against to the usual delay.
func (s *shape) usualKept(class *policy.Class, k *kind, curve *plan.ECN) inequality {
	flows := s.flows(class, k)
	fixed, at := s.fixedPoint(class, k), pMaxAt(class, k)
	value := SettledQueue(curve.KMin.Value, curve.KMax.Value, fixed.Value, curve.PMax.Value)
	left := plan.Of(value, computed("settled-queue", "queue in the steady state", value,
		term("kmin", curve.KMin.Why), term("kmax", curve.KMax.Why), term("fixed_point", fixed.Why), term("pmax", curve.PMax.Why)))
	right := s.bdp("usual", k.group.Speed.Value, s.path.Usual)
	return atMost("usual-delay-kept", where(class, k), left, right, at, func(list *diag.List) {
		list.Warnf(CurveOneEnd, at, "with %v flows at %v the queue settles at %v, and the usual latency of the path allows %v. A lone flow settles at a marking probability of %v and keeps its rate if marks begin at %v or more, and these flows settle at %v: the curve suits one of the two cases only (%s on %s)",
			flows.Value, k.group.Speed.Value, left.Value, right.Value, s.loneFixedPoint(class, k), (KMinPackets*s.packet(class).Value).CeilTo(s.markingStep().Value), fixed.Value, where(class, k), s.sw.Label).
			Fixf("%s", s.bothEnds(class, k, curve, fixed.Value, right.Value))
	})
}

// bothEnds says which curve would serve a lone flow and the most flows of a port alike.
func (s *shape) bothEnds(class *policy.Class, k *kind, curve *plan.ECN, fixed units.Ratio, usual units.Bytes) string {
	const fewer = "declare a smaller fan_in, or use fewer queue pairs per port"
	low, high, pmax := curve.KMin.Value, curve.KMax.Value, curve.PMax.Value
	if low >= usual {
		return fmt.Sprintf("no pmax and no kmax does: lower kmin below %v, or raise usual_latency", usual)
	}
	room := product(int64(usual - low))
	most := low + units.Bytes(capped(room.Mul(room, product(int64(max(1, pmax)))).Quo(room, product(int64(max(1, min(fixed, pmax))))), int64(high)))
	options := []string{fmt.Sprintf("lower kmax to at most %v", most.FloorTo(s.markingStep().Value))}
	useful := PMaxUseful(s.pMaxBound(class, k).Value)
	needed := wholePercents(units.Ratio(capped(ceilDiv(product(int64(fixed), int64(high-low)), product(int64(usual-low))), 1<<40)))
	if needed <= useful {
		options = append(options, fmt.Sprintf("raise pmax to at least %v", needed))
	} else {
		options = append(options, fmt.Sprintf("no pmax up to %v, above which marks bring no more CNPs, is enough with this kmax", useful))
	}
	return strings.Join(append(options, fewer), ", or ")
}

// loneFixedPoint returns the marking probability at which a single flow settles.
func (s *shape) loneFixedPoint(class *policy.Class, k *kind) units.Ratio {
	steady := s.steady(class, k)
	steady.Flows, steady.Gap = 1, s.reaction(class).CNPInterval.Value
	return s.solved(steady)
}

// halvedInTime checks the time in which CNPs halve a flow against the greatest delay of a queue:
// of two senders at line rate the one too many fills the queue for so long.
func (s *shape) halvedInTime(class *policy.Class, k *kind) inequality {
	r, gap := s.reaction(class), s.cnpGap(class, s.flows(class, k))
	spaced := gap
	if r.DecreaseInterval.Value > gap.Value {
		spaced = r.DecreaseInterval
	}
	value := HalvingTime(spaced.Value, r.AlphaInterval.Value, int64(r.G.Value), int64(r.GD.Value))
	left := plan.Of(value, computed("halving-time", "time in which marks halve a flow", value,
		term("gap", spaced.Why), term("alpha_interval", r.AlphaInterval.Why), term("g", r.G.Why), term("gd", r.GD.Why)))
	at := class.Range
	if nic := s.nicOf(class); nic != nil {
		at = nic.Range
		if nic.CNPInterval.Set {
			at = nic.CNPInterval.Range
		}
	}
	return atMost("halved-in-time", where(class, k), left, s.greatest(), at, func(list *diag.List) {
		if r.CNPPerPort.Value {
			list.Warnf(CNPsOfPort, at, "the NIC sends one CNP every %v for all flows of its port: each of %v flows takes %v to halve its rate if all its packets are marked, and the latency goal allows a queue %v", r.CNPInterval.Value, s.flows(class, k).Value, left.Value, s.greatest().Value).
				Fixf("write cnp_scope = flow if the NIC can, or a shorter cnp_interval")
			return
		}
		list.Warnf(CNPsBehindAlpha, at, "with a CNP every %v, alpha decays between two CNPs: a marked flow takes %v to halve its rate, and the latency goal allows a queue %v", spaced.Value, left.Value, s.greatest().Value).
			Fixf("shorten cnp_interval, or let alpha last longer: dcqcn { dce_tcp_rtt = %q }", spaced.Value)
	})
}

// greatest derives the greatest delay of all queues of a path together.
func (s *shape) greatest() plan.Derived[units.Time] {
	value := s.path.Tolerable.Value * units.Time(s.path.Hops.Value)
	return plan.Of(value, computed("product", "greatest delay of the queues of a path", value, term("value", s.path.Tolerable.Why), term("times", s.path.Hops.Why)))
}
