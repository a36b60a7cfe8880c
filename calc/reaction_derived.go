package calc

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// The constants of DCQCN's paper (Zhu et al., SIGCOMM 2015) are for 40 Gb/s and a CNP each 50 us.
// Here they are brought to the speed of a port and to the CNPs of a NIC; docs/dcqcn.md,
// "Constants by speed", has the reasons and what they do.

// leastDecrease is the shortest period of decreases that the NICs take: every CNP is obeyed.
const leastDecrease = units.Microsecond

const (
	derivedClamp    = "Zhu et al., DCQCN, SIGCOMM 2015, section 3.1: R_T becomes R_C at each CNP"
	derivedDecrease = "Zhu et al., DCQCN, SIGCOMM 2015, section 3.1: R_C is cut at each CNP, whose interval bounds the cuts; 1 us is the least that registers take"
)

// AlphaInterval is after which alpha is renewed: document dcqcn-alpha-interval.
func AlphaInterval(cnps units.Time) units.Time {
	return units.Time(units.CeilMulDiv(int64(cnps), 11, 10*int64(units.Microsecond))) * units.Microsecond
}

// TimeReset is between two increases by the timer: document dcqcn-time-reset.
func TimeReset(alpha units.Time) units.Time { return max(paperTimer, alpha) }

// AIRate is the additive increase of a port: document dcqcn-ai-rate.
func AIRate(rate units.BitRate) units.BitRate {
	return max(units.Mbps, rate/1000/units.Mbps*units.Mbps)
}

// HAIRate is the hyper increase: document dcqcn-hai-rate.
func HAIRate(additive units.BitRate) units.BitRate { return 10 * additive }

// deriveConstants replaces those constants of a reaction that the nic block does not give. Rates stay the
// model's for a NIC that no port leads to.
func deriveConstants(nic *policy.NIC, r *plan.Reaction) {
	own := &nic.Reaction
	derived(&r.ClampTarget, own.ClampTarget, standard("clamp_tgt_rate", plan.Flag(true), derivedClamp), true)
	derived(&r.DecreaseInterval, own.DecreaseInterval, standard("rate_reduce_monitor_period", leastDecrease, derivedDecrease), leastDecrease)

	alpha := AlphaInterval(r.CNPInterval.Value)
	derived(&r.AlphaInterval, own.AlphaInterval, computed("dcqcn-alpha-interval", "dce_tcp_rtt", alpha, term("interval", r.CNPInterval.Why)), alpha)
	timer := TimeReset(r.AlphaInterval.Value)
	derived(&r.TimeReset, own.TimeReset, computed("dcqcn-time-reset", "rpg_time_reset", timer, term("alpha_interval", r.AlphaInterval.Why)), timer)

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
