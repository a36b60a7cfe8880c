package sim

import (
	"math"

	"github.com/roceplan/roceplan/units"
)

// Swift is Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the
// Datacenter", SIGCOMM 2020, sections 3.1 to 3.3. The delay of an acknowledged packet has two
// parts. The endpoint's is the time that the packet waited in the NIC of a host that is slow to
// take it in, and that its acknowledgement waited at the sender (see [Receiver]); the fabric's is
// the rest. Each part has a window of its own, in packets, and the smaller one holds: it may be
// below one. The fabric's target is
//
//	target = Base + switches*PerHop + a/sqrt(window) + b
//
// whose last two terms fall from ScalingRange at a window of ScalingMin to 0 at ScalingMax,
// so that many flows with small windows may keep a longer queue. The endpoint's target is
// Endpoint. Delay below target: the window grows by Additive per round trip. Above, at most
// once per round trip:
//
//	window *= max(1 - Beta*(delay-target)/delay, 1 - MaxDecrease)
//
// A window below one packet is one packet paced over RTT/window.
type Swift struct {
	Base, PerHop           units.Time
	ScalingRange           units.Time
	ScalingMin, ScalingMax float64    // packets
	Endpoint               units.Time // 0: all of the delay is the fabric's
	Additive               float64    // packets
	Beta, MaxDecrease      float64
	MinWindow, MaxWindow   float64 // packets
}

type swiftState struct {
	fabric, endpoint swiftWindow
	acked            int64 // sequence number of the last acknowledgement
}

// swiftWindow is the window that one part of the delay allows.
type swiftWindow struct {
	packets   float64
	decreased int64 // when it was last cut, ps
}

// newSwiftState starts with what the base RTT carries at line rate.
func newSwiftState(s *engine, f *flow) swiftState {
	c := &f.law.Swift
	path := float64(bytesIn(f.baseRTT, int64(f.lineRate))) / float64(s.transport.payload)
	window := swiftWindow{packets: c.within(path)}
	d := swiftState{acked: f.acked, fabric: window, endpoint: window}
	d.apply(s, c, f, f.baseRTT)
	return d
}

// swiftControl is Swift of a class's queue pairs.
type swiftControl []swiftState

func (k swiftControl) start(s *engine, i int32, f *flow) { k[i] = newSwiftState(s, f) }

func (k swiftControl) acknowledged(s *engine, i int32, f *flow, e echo) {
	k[i].acknowledged(s, f, e)
}

func (d *swiftState) acknowledged(s *engine, f *flow, e echo) {
	c := &f.law.Swift
	delay, fabric := s.now-e.sent, s.now-e.sent
	packets := float64(max(0, e.seq-d.acked)) / float64(s.transport.payload)
	d.acked = max(d.acked, e.seq)
	if c.Endpoint > 0 {
		fabric -= e.held
		d.endpoint.update(s, c, packets, e.held, float64(c.Endpoint), delay)
	}
	d.fabric.update(s, c, packets, fabric, c.target(d.fabric.packets, f), delay)
	d.apply(s, c, f, delay)
}

// update grows or cuts a window by one part of a round trip.
func (w *swiftWindow) update(s *engine, c *Swift, packets float64, delay int64, target float64, rtt int64) {
	if float64(delay) < target {
		w.packets += c.Additive * packets / max(1, w.packets)
	} else if s.now-w.decreased >= rtt {
		w.packets *= max(1-c.Beta*(float64(delay)-target)/float64(delay), 1-c.MaxDecrease)
		w.decreased = s.now
	}
	w.packets = c.within(w.packets)
}

// within brings a window between its bounds.
func (c *Swift) within(packets float64) float64 { return min(c.MaxWindow, max(c.MinWindow, packets)) }

// target returns the target delay of the fabric for some window.
func (c *Swift) target(window float64, f *flow) float64 {
	low, high := 1/math.Sqrt(c.ScalingMax), 1/math.Sqrt(c.ScalingMin)
	share := (1/math.Sqrt(window) - low) / (high - low)
	scaling := float64(c.ScalingRange) * min(1, max(0, share))
	return float64(c.Base) + float64(f.hops)*float64(c.PerHop) + scaling
}

// apply turns the smaller window into the flow's window and pace.
func (d *swiftState) apply(s *engine, c *Swift, f *flow, rtt int64) {
	window := d.fabric.packets
	if c.Endpoint > 0 {
		window = min(window, d.endpoint.packets)
	}
	f.window = uint64(max(1, window) * float64(s.transport.payload))
	f.rate = f.lineRate
	if window < 1 {
		bits := float64(s.transport.payload+int64(s.transport.dataHeader)) * 8
		f.rate = min(f.lineRate, max(1, uint64(bits*window/(float64(rtt)*1e-12))))
	}
}
