package calc

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// The constants of a NIC's DCQCN where the fabric gives none and the NIC can be set: constants with which
// a flow that was slowed is back at its rate after some round trips, not after a millisecond as from the
// factory. docs/marking-study.md shows what each one does.

// leastDecrease is the shortest period of decreases that the NICs take: every CNP is obeyed.
const leastDecrease = units.Microsecond

// deepestCut is the least part of its rate that a cut leaves a flow. All flows begin at line rate with alpha
// at its largest, so the first CNP takes N flows close to a fair share, where cuts by half take log2 N CNPs.
const (
	deepestCut = 10 * units.Percent
	wholeAlpha = plan.Count(10) // rpg_gd with which a cut is by alpha
	fastSteps  = plan.Count(5)  // increases towards the target before the target itself rises
)

const (
	derivedDecrease  = "Zhu et al., DCQCN, SIGCOMM 2015, section 3.1: R_C is cut at each CNP, whose interval bounds the cuts; 1 us is the least that registers take"
	derivedCut       = "NVIDIA DOCA, DCQCN CC Parameters: rpg_gd 10 cuts by alpha, rpg_min_dec_fac bounds a cut; docs/marking-study.md: the first CNP brings an incast of ten near its share"
	derivedThreshold = "Zhu et al., DCQCN, SIGCOMM 2015, section 3.1: F = 5, so that flows which are still marked do not raise their target"
	derivedTarget    = "docs/marking-study.md: the rate before a cut stays the target, so that one mark costs a long transfer a few round trips"
)

// increase is the additive increase as a part of the port: one in a hundred.
const increase = 100

// TimeReset is between two increases by the timer: document dcqcn-time-reset.
func TimeReset(base, interval units.Time) units.Time {
	return units.Time(units.CeilMulDiv(int64(base+interval), 1, int64(units.Microsecond))) * units.Microsecond
}

// AlphaInterval is after which alpha is renewed: document dcqcn-alpha-interval.
func AlphaInterval(cnps units.Time) units.Time {
	return units.Time(units.CeilMulDiv(int64(cnps), 11, 10*int64(units.Microsecond))) * units.Microsecond
}

// AIRate returns the additive increase of a flow to a port: document dcqcn-ai-rate.
func AIRate(rate units.BitRate) units.BitRate {
	return max(units.Mbps, rate/increase/units.Mbps*units.Mbps)
}

// HAIRate returns the hyper increase: document dcqcn-hai-rate.
func HAIRate(additive units.BitRate) units.BitRate { return 10 * additive }

// derives reports whether the constants that a nic block leaves out are derived: where it says so,
// or where it says nothing, the NIC can be configured, ports lead to it, and a class runs DCQCN.
func derives(f *policy.Fabric, nic *policy.NIC) bool {
	if own := nic.Reaction.Derived; own.Set {
		return own.Value
	}
	return tunable(nic) && nic.Slowest.Set && slices.ContainsFunc(f.Classes, func(c *policy.Class) bool { return c.CongestionControl.Value == "dcqcn" })
}

// tunable reports whether the catalogue knows how the constants of a NIC are set.
func tunable(nic *policy.NIC) bool {
	if nic.Card == nil {
		return false
	}
	_, unknown := nic.Card.Settings.Get()
	return unknown == nil
}

// deriveConstants replaces those constants of a reaction that the nic block does not give. Rates stay the
// model's for a NIC that no port leads to.
func deriveConstants(nic *policy.NIC, path *plan.Path, r *plan.Reaction) {
	own := &nic.Reaction
	derived(&r.DecreaseInterval, own.DecreaseInterval, standard("rate_reduce_monitor_period", leastDecrease, derivedDecrease), leastDecrease)
	derived(&r.GD, own.GD, standard("rpg_gd", wholeAlpha, derivedCut), wholeAlpha)
	derived(&r.MinDecFac, own.MinDecFac, standard("rpg_min_dec_fac", deepestCut, derivedCut), deepestCut)
	derived(&r.ClampTarget, own.ClampTarget, standard("clamp_tgt_rate", plan.Flag(false), derivedTarget), plan.Flag(false))

	derived(&r.Threshold, own.Threshold, standard("rpg_threshold", fastSteps, derivedThreshold), fastSteps)
	alpha := AlphaInterval(r.CNPInterval.Value)
	derived(&r.AlphaInterval, own.AlphaInterval, computed("dcqcn-alpha-interval", "dce_tcp_rtt", alpha, term("interval", r.CNPInterval.Why)), alpha)
	timer := TimeReset(path.Base.Value, r.CNPInterval.Value)
	derived(&r.TimeReset, own.TimeReset, computed("dcqcn-time-reset", "rpg_time_reset", timer, term("base", path.Base.Why), term("interval", r.CNPInterval.Why)), timer)

	if !nic.Slowest.Set {
		return
	}
	additive := AIRate(nic.Slowest.Value)
	derived(&r.AIRate, own.AIRate, computed("dcqcn-ai-rate", "rpg_ai_rate", additive, term("rate", given("speed", nic.Slowest, nic.Slowest.Value, ""))), additive)
	hyper := HAIRate(r.AIRate.Value)
	derived(&r.HAIRate, own.HAIRate, computed("dcqcn-hai-rate", "rpg_hai_rate", hyper, term("rate_ai", r.AIRate.Why)), hyper)
}

// derived sets a constant unless the block gives it.
func derived[V fmt.Stringer, T any](to *plan.Derived[V], own policy.Opt[T], why *plan.Why, value V) {
	if !own.Set {
		*to = plan.Of(value, why)
	}
}
