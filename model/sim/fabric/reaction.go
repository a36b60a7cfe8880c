package fabric

import (
	"strings"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// reaction gives hosts DCQCN as their NIC has it, by the constants that the plan was computed from.
// Assumptions are noted.
func (b *builder) reaction(cc *sim.Congestion) {
	r, whose := &b.plan.Reaction, "hosts that no nic block names"
	if host := b.nic(); host != nil {
		r, whose = &host.Reaction, "nic "+host.Name+" ("+host.Model+")"
	}
	if r.G.Why == nil {
		b.note("hosts send at line rate: the plan does not say how their DCQCN reacts")
		return
	}
	cc.Algorithm, cc.DCQCN, cc.MinRate = sim.UseDCQCN, DCQCN(r), r.MinRate.Value
	b.sc.Transport.CNPInterval, b.sc.Transport.CNPPerPort = r.CNPInterval.Value, bool(r.CNPPerPort.Value)
	if assumed := r.Assumed(); len(assumed) > 0 {
		b.note("assumed of DCQCN at %s: %s", whose, strings.Join(assumed, ", "))
	}
}

// DCQCN returns a NIC's reaction point in the simulator's terms: what NVIDIA's registers count to
// 1024 as shares.
func DCQCN(r *plan.Reaction) sim.DCQCN {
	const whole = 1024
	return sim.DCQCN{
		Gain:             float64(whole-r.G.Value) / whole,
		AlphaInterval:    r.AlphaInterval.Value,
		DecreaseInterval: r.DecreaseInterval.Value,
		IncreaseInterval: r.TimeReset.Value,
		ByteCounter:      r.ByteReset.Value,
		FastRecovery:     int(r.Threshold.Value),
		Additive:         r.AIRate.Value,
		Hyper:            r.HAIRate.Value,
		ClampTarget:      bool(r.ClampTarget.Value),
		InitialAlpha:     float64(r.InitialAlpha.Value) / whole,
		Cut:              whole / float64(int64(1)<<r.GD.Value),
		LeastKept:        float64(r.MinDecFac.Value) / float64(units.One),
		KeepAfterTimer:   !bool(r.ClampAfterTimer.Value),
		FirstRate:        r.FirstCNPRate.Value,
		Repace:           true,
	}
}
