package sim

import "github.com/roceplan/roceplan/units"

// RTTCC stands for the RTT-based control of NVIDIA's NICs, which reacts to the round trips of
// probes that hardware answers. NVIDIA publishes neither the rule nor its constants
// (docs.nvidia.com/networking, "RTTCC"), so both are assumed: a target for the round trip and
// a cut by how far and how steeply it is passed. Once per Interval, but not more often
// than once per round trip,
//
//	slope = (1-Gain)*slope + Gain*(rtt - last rtt)
//	rtt <= base RTT + Target:  rate += Additive
//	else:                      rate *= 1 - min(MaxDecrease, Beta*excess/rtt + Steepness*max(0, slope)/rtt)
//
// where excess = rtt - base RTT - Target. The round trips are those of data packets and their
// acknowledgements; a probe's would not contain the acknowledgement's wait in the data's
// class, if probes have one of their own.
type RTTCC struct {
	Target, Interval  units.Time
	Additive          units.BitRate
	Beta, MaxDecrease float64
	Gain, Steepness   float64
}

type rttccState struct {
	updateAt int64 // time of the next update, ps
	lastRTT  int64 // ps; 0: none yet
	slope    float64
}

// rttccControl is RTTCC of a class's queue pairs.
type rttccControl []rttccState

func (k rttccControl) start(_ *engine, i int32, _ *flow) { k[i] = rttccState{} }

func (k rttccControl) acknowledged(s *engine, i int32, f *flow, e echo) {
	k[i].acknowledged(s, f, e.sent)
}

func (d *rttccState) acknowledged(s *engine, f *flow, sent int64) {
	if s.now < d.updateAt {
		return
	}
	c, rtt := &f.law.RTTCC, s.now-sent
	if d.lastRTT > 0 {
		d.slope = (1-c.Gain)*d.slope + c.Gain*float64(rtt-d.lastRTT)
	}
	d.lastRTT = rtt
	d.updateAt = s.now + max(rtt, int64(c.Interval))
	excess := rtt - f.baseRTT - int64(c.Target)
	if excess <= 0 {
		f.rate = min(f.lineRate, f.rate+uint64(c.Additive))
		return
	}
	cut := (c.Beta*float64(excess) + c.Steepness*max(0, d.slope)) / float64(rtt)
	f.rate = max(uint64(f.law.MinRate), scale(f.rate, 1-min(c.MaxDecrease, cut)))
}
