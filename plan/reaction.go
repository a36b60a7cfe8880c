package plan

import (
	"cmp"
	"fmt"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/units"
)

// A Reaction is DCQCN as a NIC has it: the constants of its notification point and of its reaction
// point, by the names and in the arithmetic of NVIDIA's registers, which chips.NIC names. All are
// known: an unpublished one is assumed, and its reason is a Default.
type Reaction struct {
	CNPInterval Derived[units.Time] // least time between two CNPs
	CNPPerPort  Derived[Flag]       // for all flows of a port together, else for each

	ClampTarget      Derived[Flag]
	ClampAfterTimer  Derived[Flag]
	Threshold        Derived[Count]
	TimeReset        Derived[units.Time]
	ByteReset        Derived[units.Bytes] // 0: no counter
	AIRate           Derived[units.BitRate]
	HAIRate          Derived[units.BitRate]
	GD               Derived[Count]
	MinDecFac        Derived[units.Ratio]
	MinRate          Derived[units.BitRate]
	G                Derived[Count] // of 1024
	AlphaInterval    Derived[units.Time]
	DecreaseInterval Derived[units.Time]
	InitialAlpha     Derived[Count] // of 1024

	FirstCNPRate Derived[units.BitRate] // after the first CNP; without a reason: it stays as it is
}

// Flag is a yes or no that has a reason.
type Flag bool

func (f Flag) String() string {
	if f {
		return "yes"
	}
	return "no"
}

// A Register is a constant of the reaction point as the NIC takes it: microseconds, Mb/s,
// bytes, per cent, or a plain number. Exact is false where the number was rounded up.
type Register struct {
	Name  string
	Value int64
	Exact bool
	Why   *Why
}

// Registers returns the constants of the reaction point, sorted by name.
func (r *Reaction) Registers() []Register {
	flag := func(name string, d Derived[Flag]) Register {
		if d.Value {
			return Register{name, 1, true, d.Why}
		}
		return Register{name, 0, true, d.Why}
	}
	all := []Register{
		flag("clamp_tgt_rate", r.ClampTarget), flag("clamp_tgt_rate_after_time_inc", r.ClampAfterTimer),
		register("rpg_threshold", r.Threshold, 1), register("rpg_time_reset", r.TimeReset, units.Microsecond),
		register("rpg_byte_reset", r.ByteReset, 1), register("rpg_ai_rate", r.AIRate, units.Mbps),
		register("rpg_hai_rate", r.HAIRate, units.Mbps), register("rpg_gd", r.GD, 1),
		register("rpg_min_dec_fac", r.MinDecFac, units.Percent), register("rpg_min_rate", r.MinRate, units.Mbps),
		register("dce_tcp_g", r.G, 1), register("dce_tcp_rtt", r.AlphaInterval, units.Microsecond),
		register("rate_reduce_monitor_period", r.DecreaseInterval, units.Microsecond),
		register("initial_alpha_value", r.InitialAlpha, 1),
	}
	if r.FirstCNPRate.Why != nil {
		all = append(all, register("rate_to_set_on_first_cnp", r.FirstCNPRate, units.Mbps))
	}
	stable.Sort(all, func(a, b Register) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Assumed returns the constants that are not published for this NIC, each as NAME VALUE.
func (r *Reaction) Assumed() []string {
	var all []string
	whys := []*Why{r.CNPInterval.Why}
	for _, register := range r.Registers() {
		whys = append(whys, register.Why)
	}
	for _, why := range whys {
		if why.Kind == Default {
			all = append(all, fmt.Sprintf("%s %v", why.Name, why.Value))
		}
	}
	return all
}

func register[T ~int64](name string, d Derived[T], unit T) Register {
	value := units.CeilMulDiv(int64(d.Value), 1, int64(unit))
	return Register{name, value, T(value)*unit == d.Value, d.Why}
}
