package sim

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// steady is what a port does between two times.
type steady struct {
	rate   float64 // bit/s sent, with headers
	queue  float64 // mean over time, bytes
	marked float64 // share of data packets
}

// settle runs flows to host 0 and looks at its port from one time to another.
func settle(t *testing.T, sc *Scenario, from, to units.Time) (found steady) {
	t.Helper()
	s := must.Get(newEngine(sc))(t)
	for s.now < int64(from) && s.step(never) {
	}
	const port, class = 1, 3 // the switch's end of host 0's link
	sent, marks, begin := s.ports[port].sent, s.marks, s.now
	for s.now < int64(to) {
		held, since := s.queue(port, class).bytes, s.now
		s.step(never)
		found.queue += float64(held) * float64(s.now-since)
	}
	lasted := float64(s.now - begin)
	found.queue /= lasted
	sent = s.ports[port].sent - sent
	found.rate = float64(sent) * 8e12 / lasted
	found.marked = float64(s.marks-marks) / (float64(sent) / float64(s.transport.payload+int64(s.transport.dataHeader)))
	return found
}

// towards is n hosts that send to host 0 without end.
func towards(n int, rate units.BitRate, apart units.Time) *Scenario {
	sc := leafSpine(1, n+1, 0)
	sc.Congestion.MinRate = units.Mbps
	for i := range n {
		sc.flow(i+1, 0, 10*units.GB, units.Time(i)*apart)
	}
	for i := range sc.Links {
		sc.Links[i].Rate = rate
	}
	return sc
}

// TestFixedPoints checks where congestion controls settle against what theory says of them.
func TestFixedPoints(t *testing.T) {
	var report bytes.Buffer
	report.WriteString(fixedHead)
	// within is how the figure may lie to theory's, two-sided: where theory is known to be off, it
	// must be off to that side and by as much.
	type within struct{ least, most float64 }
	about := func(tolerance float64) within { return within{1 - tolerance, 1 + tolerance} }
	check := func(what string, n int, got, want float64, of within, unit string) {
		fmt.Fprintf(&report, "%-28s %3d %9.3f %9.3f %-5s %+6.1f %%\n", what, n, got, want, unit, 100*(got/want-1))
		if ratio := got / want; ratio < of.least || ratio > of.most {
			t.Errorf("%s, %d flows: %v %s, theory says %v: %.2f of it, want %.2f to %.2f", what, n, got, unit, want, ratio, of.least, of.most)
		}
	}
	for _, n := range []int{1, 2, 8, 39} {
		of := about(0.12)
		switch n {
		case 1: // half, as the report says; six seeds: 0.47 to 0.48
			of = within{0.45, 0.55}
		case 39: // the queue swings by two thirds of its mean; six seeds: 1.29 to 1.32
			of = within{1.25, 1.36}
		}
		got, want := dcqcnMarks(t, n, 2*units.MB)
		check("DCQCN, packets marked", n, 100*got, 100*want, of, "%")
		if n > 1 { // for the closed form is 24 % below the simulator with 39 flows, and 19 % below this
			check("DCQCN, fluid of CoNEXT 2016", n, 100*got, 100*fluidMarks(float64(n)), about(0.12), "%")
		}
	}
	for _, n := range []int{2, 8} {
		sc := towards(n, 100*units.Gbps, 0)
		controls["hpcc"](sc)
		check("HPCC, share of the link", n, settle(t, sc, 2*units.Millisecond, 6*units.Millisecond).rate/1e9, 95, about(0.02), "Gb/s")
	}
	for _, n := range []int{2, 8} {
		got, want := swiftDelay(t, n)
		check("Swift, round trip", n, got, want, about(0.05), "us")
	}
	for _, n := range []int{2, 4, 8, 16} {
		of := map[int]within{2: {1, 1.2}, 4: about(0.05), 8: about(0.05), 16: about(0.1)}[n] // see the report
		got, want := timelyDelay(t, n)
		check("TIMELY patched, round trip", n, got, want, of, "us")
	}
	compareGolden(t, "sim_fixed_points.txt", report.Bytes())
}

// The closed form balances means, so it is right where the marking probability hardly swings: on a
// curve four times as wide, where the queue of 39 flows swings by a sixth of its mean instead of by
// two thirds. With five seeds 8 flows are 2.6 to 5.1 % above it, 39 are 0.1 % below to 4.0 % above.
// That the swing alone makes the difference of 31 % on the narrower curve is what this shows; the
// fluid of CoNEXT 2016, which is near that by its own error, is 18 % above the simulator here.
func TestClosedFormWithoutSwing(t *testing.T) {
	for _, n := range []int{8, 39} {
		if got, want := dcqcnMarks(t, n, 8*units.MB); math.Abs(got/want-1) > 0.06 {
			t.Errorf("%d flows: %.3f %% are marked, the closed form says %.3f %%", n, 100*got, 100*want)
		}
	}
}

// dcqcnMarks returns the share of marked packets with the paper's parameters at 25G on a curve of some
// width, and calc's. Flows start one after the other, as the queue of a start at line rate outlasts
// the test.
func dcqcnMarks(t *testing.T, n int, width units.Bytes) (got, want float64) {
	rate := 25 * units.Gbps
	sc := towards(n, rate, 3*units.Millisecond)
	if n == 1 {
		rate -= 100 * units.Mbps // or nothing would ever wait
		sc.Links[0].Rate = rate
	}
	sc.Wire = Ethernet()
	sc.Transport.Payload, sc.Transport.CNPInterval = 1024, 50*units.Microsecond
	d := paperDCQCN()
	sc.Congestion.Algorithm, sc.Congestion.DCQCN = UseDCQCN, d
	steady := calc.Steady{
		Flows: int64(n), Rate: rate, PacketRate: calc.PacketRate(rate, sc.Transport.Payload), Gap: sc.Transport.CNPInterval,
		Timer: d.IncreaseInterval, Bytes: d.ByteCounter, Threshold: int64(d.FastRecovery), Additive: d.Additive, Hyper: d.Hyper,
		G: 1020, GD: 11, AlphaInterval: d.AlphaInterval, Clamp: d.ClampTarget, DecreaseInterval: d.DecreaseInterval,
	}
	want = float64(steady.FixedPoint()) / float64(units.One)
	sc.ECN = []ECN{{Rate: rate, KMin: 5 * units.KB, KMax: 5*units.KB + width, PMax: min(1, 5*want+0.02)}}
	from := units.Time(100+4*n) * units.Millisecond
	return settle(t, sc, from, from+200*units.Millisecond).marked, want
}

// fluidMarks returns the fixed point of DCQCN's fluid model by Zhu et al., ECN or Delay, CoNEXT 2016,
// for n flows with dcqcnMarks' parameters: the cube root of R_AI N²/(tau C²) · (1/B + N/(T C))²,
// rates in packets of 1,024 B and 82 B of headers.
func fluidMarks(n float64) float64 {
	const packet, tau, timer = 1024 + 82, 50e-6, 55e-6
	const rate, additive, counter = 25e9 / 8 / packet, 40e6 / 8 / packet, 10e6 / packet
	return math.Cbrt(additive * n * n / (tau * rate * rate) * math.Pow(1/counter+n/(timer*rate), 2))
}

// swiftDelay returns the mean round trip, in us, and the delay at which it is its own target: that
// depends on the window, and the window is the delay's share of the link.
func swiftDelay(t *testing.T, n int) (got, want float64) {
	sc := towards(n, 100*units.Gbps, 0)
	controls["swift"](sc)
	c := &sc.Congestion.Swift
	packet := 1000.0 + dataHeaderBytes + timestampBytes
	want = 30
	for range 50 {
		window := 100e9 / 8 * want * 1e-6 / float64(n) / packet
		low, high := 1/math.Sqrt(c.ScalingMax), 1/math.Sqrt(c.ScalingMin)
		share := min(1, max(0, (1/math.Sqrt(window)-low)/(high-low)))
		want = (float64(c.Base) + float64(c.PerHop) + share*float64(c.ScalingRange)) / 1e6
	}
	return roundTrip(settle(t, sc, 5*units.Millisecond, 15*units.Millisecond), packet), want
}

// timelyDelay returns the mean round trip, in us, and that at which the patched law is at rest:
// without a gradient w is 1/2, and (rtt - Low)/Low = Additive / (PatchedBeta · rate).
func timelyDelay(t *testing.T, n int) (got, want float64) {
	sc := towards(n, 10*units.Gbps, 0)
	controls["timely, patched"](sc)
	c := &sc.Congestion.TIMELY
	low := float64(c.Low) / 1e6
	want = low * (1 + float64(c.Additive)/(c.PatchedBeta*10e9/float64(n)))
	found := settle(t, sc, 200*units.Millisecond, 300*units.Millisecond)
	found.queue *= 10 // in time, as at 100G
	return roundTrip(found, 10*(1000.0+dataHeaderBytes+timestampBytes)), want
}

// roundTrip is two links there and two back of 1 us each, a packet sent twice, and the queue,
// at 100 Gb/s.
func roundTrip(s steady, packet float64) float64 { return 4 + (2*packet+s.queue)*8/100e9*1e6 }

const fixedHead = `Where congestion controls settle, and where theory says they do

Long flows to one host. The mean of 200 ms (DCQCN), 4 ms (HPCC), 10 ms (Swift) and 100 ms
(TIMELY) once they have settled; queues as they are, no pause.

DCQCN: 25G, 1,024 B, the parameters of Zhu et al. (SIGCOMM 2015), a CNP each 50 us, Kmin 5 kB,
Kmax 2,005 kB, Pmax above the fixed point; the share of packets marked against calc's closed
form (formula dcqcn-fixed-point), which balances means. Two and eight flows are right within
12 %. A single flow meets a mark every 900 us and saws in between, and the mean over the saw is
half of the balance, which knows no single marks. Of 39 flows only those rise that no mark meets
for 330 us, one in ten: when the probability swings, more do than at its mean, and more are
marked than the balance of means says: it is 24 % below the simulator there. The fixed point of
the fluid model (Zhu et al., CoNEXT 2016), which calc had before, is within 12 % of the simulator
for 2, 8 and 39 flows. Pmax is twice the closed form.
HPCC (Li et al., SIGCOMM 2019): 100G, the share of the link that eta = 95 % asks for.
Swift (Kumar et al., SIGCOMM 2020): 100G, the delay at which the window's target is the delay.
TIMELY, patched (Zhu et al., CoNEXT 2016): 10G, (rtt - Tlow)/Tlow = delta N/(beta C), where
the gradient is zero. Two flows swing so far that they come below Tlow, where the additive
law lifts them; with sixteen an update of 16 kB comes every 200 us, later than the queue moves. TIMELY as it was has no fixed point, by the same
paper.

                           flows simulated    theory
`
