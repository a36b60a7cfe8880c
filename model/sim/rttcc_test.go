package sim

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// The rule step by step, at 100 Gb/s with a base RTT of 10 us and a target of 20 us above it.
func TestRTTCC(t *testing.T) {
	const us = 1_000_000
	l := &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: units.Gbps, RTTCC: RTTCC{
		Target: 20 * us, Additive: units.Gbps, Beta: 0.8, MaxDecrease: 0.5, Gain: 0.5, Steepness: 0.5,
	}}}}
	f := &flow{law: l, rate: 60e9, lineRate: 62e9}
	d := &rttccState{baseRTT: 10 * us}
	for i, c := range []struct {
		rtt  int64 // us
		want uint64
	}{
		{10, 61e9},            // below the target
		{30, 62e9},            // at the target, slope 10 us
		{30, 62e9},            // line rate, slope 5 us
		{40, 43_787_500_000},  // 10 us beyond 30, slope 7.5 us: 1 - (8 + 3.75)/40 = 0.70625
		{300, 21_893_750_000}, // no more than half
		{35, 19_391_607_142},  // 5 us beyond, and falling: 1 - 4/35
	} {
		d.measured(f, c.rtt*us)
		must.Equalf(t, f.rate, c.want, "step %d: rate", i)
	}
}

// The rule of NVIDIA's example at 100 Gb/s, a tenth for each cut, 5 Gb/s for each step.
func TestRTTTemplate(t *testing.T) {
	const us = 1_000_000
	l := &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: units.Gbps, RTTTemplate: RTTTemplate{
		BaseRTT: 13 * us, MaxDelay: 150 * us, Additive: 5 * units.Gbps, Cut: 0.1,
	}}}}
	f := &flow{law: l, rate: 100e9, lineRate: 100e9}
	k := make(rttTemplateControl, 1)
	for i, c := range []struct {
		rtt  int64 // us
		e    echo
		want uint64
	}{
		{13, echo{}, 100e9},               // at the base, and at the line's rate
		{14, echo{}, 90e9},                // beyond
		{149, echo{}, 81e9},               // however far
		{150, echo{}, 64_800_000_000},     // two cuts
		{10, echo{marked: true}, 51.84e9}, // a CNP counts more than a short round trip
		{10, echo{}, 56.84e9},             // and once
		{20, echo{nack: true}, 51.156e9},  // a NACK counts only beside a long round trip
		{200, echo{}, 25.578e9},           // and is kept until then
		{200, echo{}, 20_462_400_000},
	} {
		k.acknowledged(nil, 0, f, c.e)
		k.measured(nil, 0, f, c.rtt*us)
		if !near(f.rate, float64(c.want)) {
			t.Errorf("step %d: rate %d, want %d", i, f.rate, c.want)
		}
	}
	f.rate = 1e9
	if k.measured(nil, 0, f, 200*us); f.rate != 1e9 {
		t.Errorf("%d is below the least rate", f.rate)
	}
}

// A listener is a control that keeps what it gets.
type listener struct {
	probes  []probe
	trips   []int64
	waited  []int64
	started int
}

func (k *listener) start(*engine, int32, *flow) { k.started++ }
func (k *listener) acknowledged(_ *engine, _ int32, _ *flow, e echo) {
	k.waited = append(k.waited, e.held)
}
func (k *listener) probe(i int32) *probe                            { return &k.probes[i] }
func (k *listener) measured(_ *engine, _ int32, _ *flow, rtt int64) { k.trips = append(k.trips, rtt) }

// listen lets a control of probes be a listener.
func listen(t *testing.T, sc *Scenario) (*engine, *listener) {
	t.Helper()
	sc.Congestion.MinRate = units.Gbps
	s := must.Get(newEngine(sc))(t)
	k := &listener{probes: make([]probe, len(s.flows))}
	for _, l := range s.laws {
		if l.control = k; l.Algorithm == UseRTTCC {
			l.prober = k
		}
	}
	return s, k
}

// A probe leaves behind the first data packet, waits for that at the switch's port, and meets no packet on its way back: four
// times the delay of a link, three times its own time and once that of a data packet. The next one leaves behind the data
// packet that is sent when the answer has come. Of a message of 20 us at line rate, packets of 83.84 ns and round trips of
// 4.19 us, 4 or 5 probes are sent.
func TestProbes(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	controls["rttcc"](sc)
	sc.flow(1, 0, 250*units.KB, 0)
	s, k := listen(t, sc)
	for s.step(never) {
	}
	audit(t, s)
	delay, own, data := int64(sc.Links[0].Delay), int64(probeBytes*80), int64(1048*80)
	if len(k.trips) < 4 || len(k.trips) > 5 || k.probes[0].number != uint32(len(k.trips)) {
		t.Fatalf("%d round trips of %d probes", len(k.trips), k.probes[0].number)
	}
	if want := 4*delay + 3*own + data; k.trips[0] != want {
		t.Errorf("the first takes %d ps, want %d", k.trips[0], want)
	}
	if want := s.probeTime(&s.flows[0]); want != 4*delay+4*own {
		t.Errorf("on an empty path %d ps, want %d", want, 4*delay+4*own)
	}
}

// A probe that is lost is given up after 300 us, and the next one after 600: a link that loses all.
func TestLostProbes(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	controls["rttcc"](sc)
	sc.Transport.AckTimeout, sc.Transport.Retries = 10*units.Microsecond, 1_000
	sc.Links[0].ErrorRate = 1
	sc.flow(1, 0, units.KB, 0)
	s, k := listen(t, sc)
	for _, c := range []struct {
		us   int64
		want uint32
	}{{299, 1}, {320, 2}, {899, 2}, {930, 3}} {
		for s.now < c.us*1_000_000 && s.step(c.us*1_000_000) {
		}
		must.Equalf(t, k.probes[0].number, c.want, "after %d us: probes:", c.us)
	}
}

// The delay of a slow host is apart from the rest, and the NIC answers probes meanwhile: at 10 Gb/s it takes in a
// packet of 1,056 B, with Swift's timestamp, in 844.8 ns, and the n-th of ten that follow at line rate waits for all before.
func TestWaitingInASlowHost(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	controls["swift"](sc)
	sc.Congestion.Swift.Endpoint = 20 * units.Microsecond
	sc.Receivers = []Receiver{{Host: 0, Rate: 10 * units.Gbps, Buffer: units.MB, XOFF: 900_000, XON: 0, Classes: 1 << 3}}
	sc.flow(1, 0, 10*units.KB, 0)
	s, k := listen(t, sc)
	for s.step(never) {
	}
	const taking, sending = 844_800, 84_480
	for i, got := range k.waited {
		if want := int64(i+1)*taking - int64(i)*sending; got != want {
			t.Errorf("packet %d waits %d ps, want %d", i, got, want)
		}
	}
	must.Equalf(t, len(k.waited), 10, "acknowledgements:")

	sc = leafSpine(1, 2, 0)
	controls["rttcc"](sc)
	sc.Receivers = []Receiver{{Host: 0, Rate: 10 * units.Gbps, Buffer: units.MB, XOFF: 900_000, XON: 0, Classes: 1 << 3}}
	sc.flow(1, 0, 250*units.KB, 0)
	s, k = listen(t, sc)
	for s.step(never) {
	}
	for i, rtt := range k.trips {
		if rtt > 5_000_000 {
			t.Errorf("probe %d takes %d ps at a slow host", i, rtt)
		}
	}
}

// A slow host cuts the endpoint's window alone: at 25 of 100 Gb/s its queue is held near the endpoint's target, and the
// fabric's window, whose delay is that of an empty fabric, is never cut: it grows by a packet in a round trip. With one target
// for both, 23 us for a path over one switch, the fabric's window is cut.
func TestSwiftAtASlowHost(t *testing.T) {
	for _, endpoint := range []units.Time{0, 50 * units.Microsecond} {
		sc := leafSpine(1, 2, 0)
		controls["swift"](sc)
		sc.Congestion.Swift.Endpoint = endpoint
		sc.Receivers = []Receiver{{Host: 0, Rate: 25 * units.Gbps, Buffer: 4 * units.MB, XOFF: 3_900_000, XON: 0, Classes: 1 << 3}}
		sc.flow(1, 0, 40*units.MB, 0)
		s := must.Get(newEngine(sc))(t)
		for s.now < 5_000_000_000 && s.step(never) {
		}
		d := &s.laws[3].control.(swiftControl)[0]
		rtt := float64(s.flows[0].next-s.flows[0].acked) / 1000 * 1056 * 8 / 25e9 * 1e6
		if endpoint == 0 {
			if d.fabric.decreased == 0 || rtt > 35 {
				t.Errorf("one target: the fabric's window was cut last after %d ps, %.1f us are under way", d.fabric.decreased, rtt)
			}
		} else if d.fabric.decreased != 0 || d.endpoint.decreased == 0 || rtt < 45 || rtt > 60 {
			t.Errorf("two targets: windows were cut last after %d and %d ps, %.1f us are under way", d.fabric.decreased, d.endpoint.decreased, rtt)
		}
	}
}

// Controls by probes keep a port busy and its queue short once flows share it for long. RTTCC cuts as soon as the
// target is passed, so that its mean is below the target. The template adds 5 Gb/s for each flow in a round trip, however
// many flows there are: of two, a tenth of the port, the queue stays near BaseRTT less the 4.1 us of an empty path, 13
// us; of eight, four tenths of the port, it stays below MaxDelay, 150 us, from which on cuts are twice as deep.
func TestProbesSettle(t *testing.T) {
	for _, c := range []struct {
		control string
		flows   int
		most    float64 // us of queue
	}{{"rttcc", 2, 20}, {"rttcc", 8, 20}, {"rtt template", 2, 2 * (13 - 4.1)}, {"rtt template", 8, 150}} {
		sc := towards(c.flows, 100*units.Gbps, units.Millisecond)
		controls[c.control](sc)
		found := settle(t, sc, 30*units.Millisecond, 50*units.Millisecond)
		if us := found.queue * 8 / 100e9 * 1e6; us < 1 || us > c.most || found.rate < 90e9 {
			t.Errorf("%s, %d flows: a queue of %.1f us, want 1 to %.1f, at %.1f Gb/s", c.control, c.flows, us, c.most, found.rate/1e9)
		}
	}
}
