package sim

import "github.com/roceplan/roceplan/units"

// RTTTemplate is the congestion control by round trips of probes that NVIDIA publishes as the
// example of its DOCA SDK's programmable congestion control (rtt_template.c and
// rtt_template_algo_params.h). It is a rule to begin from, not what NICs run from the factory.
// With each round trip, of a [probe],
//
//	a NACK came since, and rtt >= MaxDelay:  rate *= 1 - 5*Cut
//	a CNP came since, or rtt >= MaxDelay:    rate *= 1 - 2*Cut
//	rtt > BaseRTT:                           rate *= 1 - Cut
//	else:                                    rate += Additive
//
// BaseRTT is the same on all paths. The example's other branches are left out: cuts that are twice as
// deep where the port of the sender is busy, and growth by what the receiver counts; both are
// off unless it is compiled with them.
type RTTTemplate struct {
	BaseRTT, MaxDelay units.Time
	Additive          units.BitRate
	Cut               float64 // 0 to 1/5
}

type rttTemplateState struct {
	probes         probe
	nacked, marked bool // since the last round trip
}

// rttTemplateControl is RTTTemplate of a class's queue pairs.
type rttTemplateControl []rttTemplateState

func (k rttTemplateControl) start(_ *engine, i int32, _ *flow) {
	k[i] = rttTemplateState{probes: probe{number: k[i].probes.number}}
}

func (k rttTemplateControl) acknowledged(_ *engine, i int32, _ *flow, e echo) {
	k[i].nacked = k[i].nacked || e.nack
	k[i].marked = k[i].marked || e.marked
}

func (k rttTemplateControl) probe(i int32) *probe { return &k[i].probes }

func (k rttTemplateControl) measured(_ *engine, i int32, f *flow, rtt int64) {
	k[i].measured(f, rtt)
}

func (d *rttTemplateState) measured(f *flow, rtt int64) {
	c := &f.law.RTTTemplate
	late := rtt >= int64(c.MaxDelay)
	times := 0.0
	switch {
	case d.nacked && late:
		times, d.nacked = 5, false
	case d.marked || late:
		times, d.marked = 2, false
	case rtt > int64(c.BaseRTT):
		times = 1
	default:
		f.rate = min(f.lineRate, f.rate+uint64(c.Additive))
		return
	}
	f.rate = max(uint64(f.law.MinRate), scale(f.rate, 1-times*c.Cut))
}
