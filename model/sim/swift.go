package sim

import (
	"math"

	"github.com/roceplan/roceplan/units"
)

// Swift is Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in
// the Datacenter", SIGCOMM 2020: a window in packets, which may be below one, and a target
// for the delay of an acknowledged packet,
//
//	target = Base + switches*PerHop + a/sqrt(window) + b
//
// whose last two terms fall from ScalingRange at a window of ScalingMin to 0 at ScalingMax,
// so that many flows with small windows may keep a longer queue. Delay below target: the
// window grows by Additive per round trip. Above, at most once per round trip:
//
//	window *= max(1 - Beta*(delay-target)/delay, 1 - MaxDecrease)
//
// A window below one packet is one packet paced over RTT/window. Fabric and endpoint delay
// are not told apart: the hosts here have no delay of their own.
type Swift struct {
	Base, PerHop           units.Time
	ScalingRange           units.Time
	ScalingMin, ScalingMax float64 // packets
	Additive               float64 // packets
	Beta, MaxDecrease      float64
	MinWindow, MaxWindow   float64 // packets
}

type swiftState struct {
	window    float64 // packets
	acked     int64   // sequence number of the last acknowledgement
	decreased int64   // when the window was last cut, ps
}

// newSwiftState starts with what the base RTT carries at line rate.
func newSwiftState(s *engine, f *flow) swiftState {
	c := &f.law.Swift
	d := swiftState{acked: f.acked, window: float64(bytesIn(f.baseRTT, int64(f.lineRate))) / float64(s.transport.payload)}
	d.apply(s, c, f, f.baseRTT)
	return d
}

// swiftControl is Swift of a class's queue pairs.
type swiftControl []swiftState

func (k swiftControl) start(s *engine, i int32, f *flow) { k[i] = newSwiftState(s, f) }

func (k swiftControl) acknowledged(s *engine, i int32, f *flow, e echo) {
	k[i].acknowledged(s, f, e.seq, e.sent)
}

func (d *swiftState) acknowledged(s *engine, f *flow, seq, sent int64) {
	c := &f.law.Swift
	delay := s.now - sent
	packets := float64(max(0, seq-d.acked)) / float64(s.transport.payload)
	d.acked = max(d.acked, seq)
	if target := d.target(c, f); float64(delay) < target {
		d.window += c.Additive * packets / max(1, d.window)
	} else if s.now-d.decreased >= delay {
		d.window *= max(1-c.Beta*(float64(delay)-target)/float64(delay), 1-c.MaxDecrease)
		d.decreased = s.now
	}
	d.apply(s, c, f, delay)
}

func (d *swiftState) target(c *Swift, f *flow) float64 {
	low, high := 1/math.Sqrt(c.ScalingMax), 1/math.Sqrt(c.ScalingMin)
	share := (1/math.Sqrt(d.window) - low) / (high - low)
	scaling := float64(c.ScalingRange) * min(1, max(0, share))
	return float64(c.Base) + float64(f.hops)*float64(c.PerHop) + scaling
}

// apply bounds the window and turns it into the flow's window and pace.
func (d *swiftState) apply(s *engine, c *Swift, f *flow, rtt int64) {
	d.window = min(c.MaxWindow, max(c.MinWindow, d.window))
	f.window = uint64(max(1, d.window) * float64(s.transport.payload))
	f.rate = f.lineRate
	if d.window < 1 {
		bits := float64(s.transport.payload+int64(s.transport.dataHeader)) * 8
		f.rate = min(f.lineRate, max(1, uint64(bits*d.window/(float64(rtt)*1e-12))))
	}
}
