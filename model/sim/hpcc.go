package sim

import "github.com/roceplan/roceplan/units"

// HPCC is Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, as its
// authors' simulator has it (rdma-hw.cc, UpdateRateHp). Each acknowledgement brings the
// INT records of the switches on the way; with the previous ones of the same ports,
//
//	u = tx rate / B + min(queue, previous queue) * line rate / (B * window)
//
// is a hop's utilization, and the largest one enters a moving average U with the weight
// tau/T, tau being the time between the two records and T the base RTT. With
// c = U/TargetUtilization the rate becomes
//
//	reference/c + Additive   if c >= 1 or MaxStage increases have gone before,
//	reference + Additive     else,
//
// where the reference rate itself is replaced only once per round trip. The window
// follows the rate, see [Transport.VariableWindow].
//
// Where a queue pair's packets take several ways, a port's record is compared with the last one of
// that port, however long ago; a new port has nothing to compare, nor does one whose record an
// acknowledgement has overtaken. The authors' simulator knows one way per queue pair.
type HPCC struct {
	TargetUtilization float64
	MaxStage          int
	Additive          units.BitRate

	// FastReact reacts to every acknowledgement, not only once per round trip.
	FastReact bool

	// PerHop keeps U, the reference and the stage for each hop apart; the rate is the
	// smallest of theirs.
	PerHop bool

	// SkipIdle lets fast reaction ignore hops with an empty queue.
	SkipIdle bool

	// UnitScale multiplies the units of bytes and queue length in the INT header.
	UnitScale int
}

type hpccState struct {
	updateAt int64 // sequence number whose acknowledgement ends the round trip
	last     [maxHops]hopRecord
	ports    [maxHops]int32      // that last is of
	others   map[int32]hopRecord // of ports of other ways, the last ones
	path     hpccReference
	hop      []hpccReference // if PerHop
}

// hpccReference is the reference from which the rate is derived.
type hpccReference struct {
	utilization float64 // moving average U
	rate        uint64  // reference
	stage       int
}

// start forgets the acknowledgements so far.
func (h *hpccState) start(lineRate uint64, perHop bool) {
	initial := hpccReference{utilization: 1, rate: lineRate}
	*h = hpccState{path: initial, hop: h.hop}
	if perHop && h.hop == nil {
		h.hop = make([]hpccReference, maxHops)
	}
	for i := range h.hop {
		h.hop[i] = initial
	}
}

// hpccControl is HPCC of a class's queue pairs.
type hpccControl []hpccState

func (k hpccControl) start(_ *engine, i int32, f *flow) { k[i].start(f.lineRate, f.law.HPCC.PerHop) }

func (k hpccControl) acknowledged(s *engine, i int32, f *flow, e echo) {
	k[i].acknowledged(s, f, e.seq, e.telemetry)
}

func (h *hpccState) acknowledged(s *engine, f *flow, seq int64, t *telemetry) {
	roundTrip := seq > h.updateAt
	if !roundTrip && !f.law.HPCC.FastReact {
		return
	}
	if h.updateAt == 0 { // the first records: nothing to compare with
		h.updateAt = f.next
		h.last, h.ports = t.hop, t.port
		return
	}
	if t.hops <= maxHops {
		h.update(s, f, t, roundTrip)
	}
	if roundTrip {
		h.updateAt = max(h.updateAt, f.next)
	}
}

func (h *hpccState) update(s *engine, f *flow, t *telemetry, roundTrip bool) {
	rate, seen := f.lineRate, false
	largest, largestNS := 0.0, uint64(0)
	c := &f.law.HPCC
	for i := range int(t.hops) {
		if c.SkipIdle && !roundTrip && t.hop[i].queueBytes(1) == 0 {
			if c.PerHop {
				rate = min(rate, h.hop[i].rate)
			}
			continue
		}
		if t.port[i] != h.ports[i] && !h.change(i, t) || s.manyWays && t.hop[i].older(h.last[i]) {
			continue
		}
		seen = true
		u, ns := h.utilization(c, f, i, t.hop[i], s.rates[t.rate[i]])
		h.last[i] = t.hop[i]
		if c.PerHop {
			rate = min(rate, h.hop[i].react(s, f, u, ns, roundTrip))
		} else if u > largest {
			largest, largestNS = u, ns
		}
	}
	if !seen {
		return
	}
	if !c.PerHop {
		rate = h.path.react(s, f, largest, largestNS, roundTrip)
	}
	s.changeRate(f, rate)
}

// change goes to the last record of the port that a hop leads over now; false if there is none.
func (h *hpccState) change(i int, t *telemetry) bool {
	if h.others == nil {
		h.others = map[int32]hopRecord{}
	}
	h.others[h.ports[i]] = h.last[i]
	before, known := h.others[t.port[i]]
	h.ports[i], h.last[i] = t.port[i], before
	if !known {
		h.last[i] = t.hop[i]
	}
	return known
}

// utilization returns a hop's u and the time between its two records in ns.
func (h *hpccState) utilization(c *HPCC, f *flow, i int, now hopRecord, rate float64) (u float64, ns uint64) {
	multi, before := uint32(c.UnitScale), h.last[i]
	ns, bytes := now.since(before, multi)
	txRate := float64(bytes*8) / (float64(ns) * 1e-9)
	queue := min(now.queueBytes(multi), before.queueBytes(multi))
	return txRate/rate + float64(queue)*float64(f.lineRate)/rate/float64(f.window), ns
}

// react takes a new u into the average, returns the rate that follows, and makes it the
// new reference if a round trip is over.
func (r *hpccReference) react(s *engine, f *flow, u float64, ns uint64, roundTrip bool) uint64 {
	c := &f.law.HPCC
	base := uint64(f.baseRTT / 1000)
	ns = min(ns, base)
	r.utilization = (r.utilization*float64(base-ns) + u*float64(ns)) / float64(base)
	load := r.utilization / c.TargetUtilization
	rate, stage := r.rate+uint64(c.Additive), r.stage+1
	if load >= 1 || r.stage >= c.MaxStage {
		rate, stage = uint64(float64(r.rate)/load)+uint64(c.Additive), 0
	}
	rate = min(max(rate, uint64(f.law.MinRate)), f.lineRate)
	if roundTrip {
		r.rate, r.stage = rate, stage
	}
	return rate
}

// changeRate also moves the time of the next packet, as if the last one had been sent
// at the new rate.
func (s *engine) changeRate(f *flow, rate uint64) {
	f.nextSend += s.clock.duration(f.lastSize, rate) - s.clock.duration(f.lastSize, f.rate)
	f.rate = rate
	s.wakeEarlier(f.port, &s.nics[s.ports[f.port].nic], f.nextSend)
}
