package sim

import "github.com/roceplan/roceplan/units"

// TIMELY is Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter",
// SIGCOMM 2015, as the HPCC simulator has it (rdma-hw.cc, UpdateRateTimely): once per
// round trip,
//
//	diff     = (1-Gain)*diff + Gain*(rtt - last rtt)
//	gradient = diff / MinRTT
//	rtt < Low or gradient <= 0:  rate += Additive, after five times in a row Hyper
//	rtt > High:                  rate *= 1 - Beta*(1 - High/rtt)
//	else:                        rate *= max(0, 1 - Beta*gradient)
//
// Patched replaces the two middle cases by the law of Zhu et al., "ECN or Delay: Lessons
// Learnt from Analysis of DCQCN and TIMELY", CoNEXT 2016, which has a fixed point:
//
//	w    = 2*gradient + 1/2, between 0 and 1
//	rate = Additive*(1-w) + rate*(1 - PatchedBeta*w*(rtt - Low)/Low)
//
// Listing is the rule as TIMELY's authors published it
// (people.eecs.berkeley.edu/~radhika/timely-code-snippet.cc, which erpc-io/eRPC,
// src/cc/timely.h, names as its origin). It differs in three ways:
//
//   - A step counts by the time since the step before: Additive and Beta are multiplied by
//     that time / MinRTT, one at most.
//   - Hyper steps come after five round trips in a row that were shorter than the one before,
//     and only where the gradient decides.
//   - No update leaves less than half of the rate.
//
// The paper measures a segment that is sent at line rate, from its begin to its
// acknowledgement and without the time of its own bytes. Here packets are paced evenly, and
// the round trip is that of the segment's last packet.
type TIMELY struct {
	Gain, Beta        float64
	Low, High, MinRTT units.Time
	Additive, Hyper   units.BitRate

	// Segment updates the rate each time so many bytes are acknowledged, as the paper
	// does with 16 to 64 kB. 0: once per round trip, as the HPCC simulator does.
	Segment units.Bytes

	Listing     bool
	Patched     bool
	PatchedBeta float64 // 0.008 in the paper
}

type timelyState struct {
	updateAt int64 // sequence number beyond which an acknowledgement updates the rate
	lastRTT  int64 // ps
	diff     float64
	raised   int   // increases in a row; with Listing: round trips in a row that were shorter
	lastAt   int64 // when lastRTT was measured, ps
}

const timelyHyperAfter = 5 // section 4.3 of the paper

// timelyControl is TIMELY of a class's queue pairs.
type timelyControl []timelyState

func (k timelyControl) start(_ *engine, i int32, _ *flow) { k[i] = timelyState{} }

func (k timelyControl) acknowledged(s *engine, i int32, f *flow, e echo) {
	k[i].acknowledged(s, f, e.seq, e.sent)
}

func (t *timelyState) acknowledged(s *engine, f *flow, seq, sent int64) {
	if seq <= t.updateAt {
		return
	}
	rtt := s.now - sent
	if t.updateAt != 0 {
		t.update(s, f, rtt)
	}
	next := f.next
	if segment := int64(f.law.TIMELY.Segment); segment > 0 {
		next = seq + segment - 1
	}
	if next > t.updateAt {
		t.updateAt, t.lastRTT, t.lastAt = next, rtt, s.now
	}
}

func (t *timelyState) update(s *engine, f *flow, rtt int64) {
	c := &f.law.TIMELY
	t.diff = (1-c.Gain)*t.diff + c.Gain*float64(rtt-t.lastRTT)
	gradient := t.diff / float64(c.MinRTT)
	if c.Listing {
		t.updateAsListed(s, f, rtt, gradient)
		return
	}
	switch {
	case rtt < int64(c.Low):
		t.raise(c, f)
	case rtt > int64(c.High):
		t.lower(s, f, 1-c.Beta*(1-float64(c.High)/float64(rtt)))
	case c.Patched:
		w := min(1, max(0, 2*gradient+0.5))
		excess := float64(rtt-int64(c.Low)) / float64(c.Low)
		rate := float64(c.Additive)*(1-w) + float64(f.rate)*(1-c.PatchedBeta*w*excess)
		f.rate = min(f.lineRate, max(uint64(f.law.MinRate), uint64(rate)))
	case gradient <= 0:
		t.raise(c, f)
	default:
		t.lower(s, f, max(0, 1-c.Beta*gradient))
	}
}

// updateAsListed follows the authors' rule.
func (t *timelyState) updateAsListed(s *engine, f *flow, rtt int64, gradient float64) {
	c := &f.law.TIMELY
	if t.raised++; rtt >= t.lastRTT {
		t.raised = 0
	}
	share := min(1, float64(s.now-t.lastAt)/float64(c.MinRTT))
	step, rate := share*float64(c.Additive), float64(f.rate)
	switch {
	case rtt < int64(c.Low):
		rate += step
	case rtt > int64(c.High):
		rate *= 1 - share*c.Beta*(1-float64(c.High)/float64(rtt))
	case gradient > 0:
		rate *= 1 - share*c.Beta*gradient
	case t.raised >= timelyHyperAfter:
		rate += share * float64(c.Hyper)
	default:
		rate += step
	}
	f.rate = min(f.lineRate, max(uint64(f.law.MinRate), f.rate/2, uint64(max(0, rate))))
}

func (t *timelyState) raise(c *TIMELY, f *flow) {
	step := c.Additive
	if t.raised >= timelyHyperAfter {
		step = c.Hyper
	}
	f.rate = min(f.rate+uint64(step), f.lineRate)
	t.raised++
}

func (t *timelyState) lower(s *engine, f *flow, by float64) {
	f.rate = max(uint64(f.law.MinRate), scale(f.rate, by))
	t.raised = 0
}
