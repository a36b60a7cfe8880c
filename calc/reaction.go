package calc

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// The constants of a NIC that publishes none: DCQCN as its paper has it.
const (
	paperSource = "assumed: Zhu et al., DCQCN, SIGCOMM 2015, section 5.2 and table 14"
	paperClamp  = "assumed: Zhu et al., DCQCN, SIGCOMM 2015, section 3.1: R_T becomes R_C at each CNP"
	paperCut    = "assumed: Zhu et al., DCQCN, SIGCOMM 2015, section 3.1: R_C falls by alpha/2, alpha begins at 1"
	paperHyper  = "assumed: ten times R_AI, as IEEE 802.1Qau and NVIDIA have it; the paper gives no R_HAI"
	paperLeast  = "assumed: as NVIDIA's NICs; the paper gives none"
)

// The assumed CNP interval of hosts that no nic block names.
const defaultCNPInterval = 50 * units.Microsecond

// paperTimer is between two increases by the timer: the paper's, table 14.
const paperTimer = 55 * units.Microsecond

// reactionOf is DCQCN as a NIC has it: what the fabric says, else what is derived if it asks for
// that, else what the catalogue knows, else the paper's. nic is nil for hosts that no nic block names.
func reactionOf(f *policy.Fabric, nic *policy.NIC, path *plan.Path) plan.Reaction {
	if nic == nil {
		nic = &policy.NIC{}
	}
	card, own := nic.Card, &nic.Reaction
	if card == nil {
		card = &chips.NIC{}
	}
	r := plan.Reaction{
		CNPInterval: constant("cnp_interval", nic.CNPInterval, card, card.CNPInterval, defaultCNPInterval, "assumed: Zhu et al., DCQCN, SIGCOMM 2015, section 3.2 has 50 us", same),
		CNPPerPort:  perPort(nic, card),

		ClampTarget:      constant("clamp_tgt_rate", own.ClampTarget, card, card.ClampTarget, true, paperClamp, flag),
		ClampAfterTimer:  constant("clamp_tgt_rate_after_time_inc", own.ClampAfterTimer, card, card.ClampAfterTimer, true, paperClamp, flag),
		Threshold:        constant("rpg_threshold", own.Threshold, card, card.Threshold, 5, paperSource, counted),
		TimeReset:        constant("rpg_time_reset", own.TimeReset, card, card.TimeReset, paperTimer, paperSource, same),
		ByteReset:        constant("rpg_byte_reset", own.ByteReset, card, card.ByteReset, 10*units.MB, paperSource, same),
		AIRate:           constant("rpg_ai_rate", own.AIRate, card, card.AIRate, 40*units.Mbps, paperSource, same),
		HAIRate:          constant("rpg_hai_rate", own.HAIRate, card, card.HAIRate, 400*units.Mbps, paperHyper, same),
		GD:               constant("rpg_gd", own.GD, card, card.GD, 11, paperCut, counted),
		MinDecFac:        constant("rpg_min_dec_fac", own.MinDecFac, card, card.MinDecFac, units.One/2, paperCut, same),
		MinRate:          constant("rpg_min_rate", own.MinRate, card, card.MinRate, units.Mbps, paperLeast, same),
		G:                constant("dce_tcp_g", own.G, card, card.G, 1020, paperSource, counted), // g = 1/256
		AlphaInterval:    constant("dce_tcp_rtt", own.AlphaInterval, card, card.AlphaInterval, 55*units.Microsecond, paperSource, same),
		DecreaseInterval: constant("rate_reduce_monitor_period", own.DecreaseInterval, card, card.DecreaseInterval, defaultCNPInterval, paperSource, same),
		InitialAlpha:     constant("initial_alpha_value", own.InitialAlpha, card, card.InitialAlpha, 1023, paperCut, counted),
	}
	if first := own.FirstCNPRate; first.Set {
		r.FirstCNPRate = plan.Of(first.Value, given("rate_to_set_on_first_cnp", first, first.Value, ""))
	}
	if derives(f, nic) {
		deriveConstants(nic, path, &r)
	}
	return r
}

// factoryReaction returns the reaction of a NIC with factory constants, except for those that the author gives.
func factoryReaction(f *policy.Fabric, nic *policy.NIC, path *plan.Path) plan.Reaction {
	own := *nic
	own.Reaction.Derived = policy.Opt[bool]{Set: true}
	return reactionOf(f, &own, path)
}

func counted(n int) plan.Count { return plan.Count(n) }
func flag(on bool) plan.Flag   { return plan.Flag(on) }

// constant derives a constant of a NIC: as the author gives it, as the catalogue has it, or
// assumed.
func constant[T any, V fmt.Stringer](name string, own policy.Opt[T], card *chips.NIC, d chips.Datum[T], assumed T, because string, as func(T) V) plan.Derived[V] {
	if own.Set {
		v := as(own.Value)
		return plan.Of(v, given(name, own, v, ""))
	}
	if value, err := d.Get(); err == nil {
		v := as(value)
		return plan.Of(v, known(card.Name, d, v))
	}
	v := as(assumed)
	return decided(name, v, because)
}

// perPort reports whether the interval between CNPs counts for a whole port.
func perPort(nic *policy.NIC, card *chips.NIC) plan.Derived[plan.Flag] {
	word, err := card.CNPScope.Get()
	if nic.CNPPerPort.Set || err != nil {
		v := plan.Flag(nic.CNPPerPort.Value)
		return plan.Of(v, given("cnp_scope is port", nic.CNPPerPort, v, "assumed: Zhu et al., DCQCN, SIGCOMM 2015, section 3.1: CNPs of each flow apart"))
	}
	v := plan.Flag(word == "port")
	return plan.Of(v, known(card.Name, card.CNPScope, v))
}
