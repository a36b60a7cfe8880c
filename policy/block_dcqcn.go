package policy

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// A Reaction is the part of a nic block about the reaction point of DCQCN. A constant that it
// leaves out has the card's factory setting, or follows from the speed of its ports where the block
// asks for that.
type Reaction struct {
	Derived          Opt[bool] // attributes that are left out follow from Slowest and the CNP interval
	ClampTarget      Opt[bool]
	ClampAfterTimer  Opt[bool]
	Threshold        Opt[int]
	TimeReset        Opt[units.Time]
	ByteReset        Opt[units.Bytes]
	AIRate           Opt[units.BitRate]
	HAIRate          Opt[units.BitRate]
	GD               Opt[int]
	MinDecFac        Opt[units.Ratio]
	MinRate          Opt[units.BitRate]
	G                Opt[int]
	AlphaInterval    Opt[units.Time]
	DecreaseInterval Opt[units.Time]
	InitialAlpha     Opt[int]
	FirstCNPRate     Opt[units.BitRate] // not set: the first CNP lets the rate be
}

// dcqcnBlock has the names of NVIDIA's registers, as chips.NIC has.
var dcqcnBlock = &block[Reaction]{
	name: "dcqcn", doc: "Constants of the NIC's reaction point that differ from the factory's (`roceplan nics show MODEL`). " +
		"The compiler, `sim`, `tune` and the script of the hosts use the same constants. Alpha counts to 1024. Every `dce_tcp_rtt`, " +
		"alpha keeps `dce_tcp_g` parts of 1024, and gains the rest if a CNP came. At most once in `rate_reduce_monitor_period`, a CNP cuts the rate by " +
		"alpha / 2^`rpg_gd`. After that, every `rpg_time_reset` and every `rpg_byte_reset`, the rate goes half-way to the target. The target rises by `rpg_ai_rate` " +
		"from increase number `rpg_threshold` + 1 on, and by `rpg_hai_rate` once both timer and counter have passed it.",
	fields: []field[Reaction]{
		opt("constants", either("derived", "model"), func(r *Reaction) *Opt[bool] { return &r.Derived },
			"source of the other constants. `model`: the factory. `derived`: roceplan chooses `rpg_time_reset`, `dce_tcp_rtt`, "+
				"`rpg_ai_rate`, `rpg_hai_rate`, `rpg_threshold`, `rpg_gd`, `rpg_min_dec_fac`, `rate_reduce_monitor_period` and `clamp_tgt_rate` by the path, `cnp_interval` "+
				"and the slowest port of these NICs").otherwise("`derived` where the NIC's constants can be set (`dcqcn_settings` in `roceplan nics show MODEL`) and a class runs DCQCN, else `model`"),
		opt("clamp_tgt_rate", boolKind(), func(r *Reaction) *Opt[bool] { return &r.ClampTarget }, "the target becomes the current rate at every decrease").otherwise("the model's"),
		opt("clamp_tgt_rate_after_time_inc", boolKind(), func(r *Reaction) *Opt[bool] { return &r.ClampAfterTimer },
			"the target becomes the current rate at a decrease after the timer has increased the rate. Without both attributes, a flow that slowed down from line rate goes half-way back in one step").otherwise("the model's"),
		opt("rpg_threshold", whole(1, 31), func(r *Reaction) *Opt[int] { return &r.Threshold }, "increases towards the target before the target itself rises").otherwise("the model's"),
		opt("rpg_time_reset", registerTime(), func(r *Reaction) *Opt[units.Time] { return &r.TimeReset }, "time between increases by the timer").otherwise("the model's"),
		opt("rpg_byte_reset", between(bytesKind(), 0, 2*units.GB), func(r *Reaction) *Opt[units.Bytes] { return &r.ByteReset }, "bytes between increases by the counter; `0B`: none").otherwise("the model's"),
		opt("rpg_ai_rate", rateKind(), func(r *Reaction) *Opt[units.BitRate] { return &r.AIRate }, "additive increase of the target").otherwise("the model's"),
		opt("rpg_hai_rate", rateKind(), func(r *Reaction) *Opt[units.BitRate] { return &r.HAIRate }, "hyper increase of the target").otherwise("the model's"),
		opt("rpg_gd", whole(10, 15), func(r *Reaction) *Opt[int] { return &r.GD }, "log2 of the divisor of alpha in a decrease: 11 halves the rate at the largest alpha").otherwise("the model's"),
		opt("rpg_min_dec_fac", shareKind(), func(r *Reaction) *Opt[units.Ratio] { return &r.MinDecFac }, "least part of the rate that a decrease leaves").otherwise("the model's"),
		opt("rpg_min_rate", rateKind(), func(r *Reaction) *Opt[units.BitRate] { return &r.MinRate }, "least rate").otherwise("the model's"),
		opt("dce_tcp_g", whole(1, 1023), func(r *Reaction) *Opt[int] { return &r.G }, "parts of 1024 that alpha keeps").otherwise("the model's"),
		opt("dce_tcp_rtt", registerTime(), func(r *Reaction) *Opt[units.Time] { return &r.AlphaInterval }, "time between updates of alpha").otherwise("the model's"),
		opt("rate_reduce_monitor_period", registerTime(), func(r *Reaction) *Opt[units.Time] { return &r.DecreaseInterval }, "least time between decreases").otherwise("the model's"),
		opt("initial_alpha_value", whole(1, 1023), func(r *Reaction) *Opt[int] { return &r.InitialAlpha }, "alpha at the first CNP, of 1024").otherwise("the model's"),
		opt("rate_to_set_on_first_cnp", rateKind(), func(r *Reaction) *Opt[units.BitRate] { return &r.FirstCNPRate },
			"rate and target after the first CNP of a flow; NVIDIA says at most 85 % of line rate").otherwise("no change of the rate, the default of NVIDIA's NICs"),
	},
}

// registerTime returns the kind of times that NICs count in microseconds.
func registerTime() kind[units.Time] {
	return between(timeKind(), units.Microsecond, longestRegister)
}

const longestRegister = 131071 * units.Microsecond

// checkDerived demands that alpha's time, which `derived` makes a tenth longer than the time between two CNPs, fits its register.
func (n *nicDecl) checkDerived(d *decoder) {
	const longest = longestRegister * 10 / 11 / units.Microsecond
	r := &n.Reaction
	if r.Derived.Value && !r.AlphaInterval.Set && n.CNPInterval.Value > longest*units.Microsecond {
		d.errorf(OutOfRange, n.CNPInterval.Range, "cnp_interval: constants = derived sets dce_tcp_rtt to 1.1 times %v, and its register holds at most %v", n.CNPInterval.Value, longestRegister).
			Fixf("write at most %dus, or give dce_tcp_rtt in the block dcqcn", longest)
	}
}

// card returns the catalogue's entry of a model, nil where it has none of that name.
func (n *nicDecl) card(d *decoder) *chips.NIC {
	if n.Card = d.nicModel(n.Model); n.Card == nil {
		return &chips.NIC{}
	}
	n.Model.Value = n.Card.Name
	return n.Card
}
