package sim

import "github.com/roceplan/roceplan/units"

// RTTCC models the RTT-based control of NVIDIA's NICs, which reacts to the round trips of probes
// that hardware answers (see [probe]). NVIDIA publishes neither the rule of its firmware nor the
// constants (docs.nvidia.com/networking, "RTTCC"), so both are assumed: a target for the round trip
// and a cut by how far and how steeply it is passed. [RTTTemplate] is its published algorithm. With
// each probe, one per Interval and per round trip at most,
//
//	slope = (1-Gain)*slope + Gain*(rtt - last rtt)
//	rtt <= base RTT + Target:  rate += Additive
//	else:                      rate *= 1 - min(MaxDecrease, Beta*excess/rtt + Steepness*max(0, slope)/rtt)
//
// where the base RTT is that of a probe on an empty path, and excess = rtt - base RTT - Target.
type RTTCC struct {
	Target, Interval  units.Time
	Additive          units.BitRate
	Beta, MaxDecrease float64
	Gain, Steepness   float64
}

type rttccState struct {
	probes  probe
	baseRTT int64 // ps
	lastRTT int64 // ps; 0: none yet
	slope   float64
}

// rttccControl is RTTCC of a class's queue pairs.
type rttccControl []rttccState

func (k rttccControl) start(s *engine, i int32, f *flow) {
	k[i] = rttccState{probes: probe{number: k[i].probes.number}, baseRTT: s.probeTime(f)}
}

func (k rttccControl) acknowledged(*engine, int32, *flow, echo) {}

func (k rttccControl) probe(i int32) *probe { return &k[i].probes }

func (k rttccControl) measured(s *engine, i int32, f *flow, rtt int64) {
	k[i].probes.nextAt = k[i].probes.sentAt + int64(f.law.RTTCC.Interval)
	k[i].measured(f, rtt)
}

func (d *rttccState) measured(f *flow, rtt int64) {
	c := &f.law.RTTCC
	if d.lastRTT > 0 {
		d.slope = (1-c.Gain)*d.slope + c.Gain*float64(rtt-d.lastRTT)
	}
	d.lastRTT = rtt
	excess := rtt - d.baseRTT - int64(c.Target)
	if excess <= 0 {
		f.rate = min(f.lineRate, f.rate+uint64(c.Additive))
		return
	}
	cut := (c.Beta*float64(excess) + c.Steepness*max(0, d.slope)) / float64(rtt)
	f.rate = max(uint64(f.law.MinRate), scale(f.rate, 1-min(c.MaxDecrease, cut)))
}
