package sim

import (
	"math"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

const microsecond = 1_000_000 // ps

// near reports whether a rate that floating point computed and cut is the one by hand.
func near(rate uint64, want float64) bool { return math.Abs(float64(rate)-want) <= 1 }

// TIMELY with a smoothing of one half, at 60 of 100 Gb/s: an acknowledgement of what was sent
// when the last update was made, or before, says nothing.
func TestTIMELYByHand(t *testing.T) {
	s, l := &engine{timekeeper: timekeeper{now: 10_000 * microsecond}}, &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: units.Gbps, TIMELY: TIMELY{
		Gain: 0.5, Beta: 0.8, Low: 50 * microsecond, High: 500 * microsecond, MinRTT: 20 * microsecond, Additive: units.Gbps, Hyper: 5 * units.Gbps,
	}}}}
	f := &flow{law: l, rate: 60e9, lineRate: 100e9}
	d := &timelyState{}
	for i, c := range []struct {
		seq, next, rtt int64
		rate           uint64 // before, if not the last one
		want           float64
	}{
		{1000, 2000, 40, 0, 60e9},        // the first one: nothing to compare with
		{2000, 2500, 10, 0, 60e9},        // sent before that
		{2001, 4000, 40, 0, 61e9},        // below Low
		{4001, 6000, 60, 0, 36.6e9},      // diff 10, gradient 0.5: 0.6 of it
		{6001, 8000, 50, 0, 37.6e9},      // diff 0, at Low
		{8001, 10000, 500, 0, 1e9},       // at High: diff 225, nothing would be left
		{10001, 12000, 1000, 50e9, 30e9}, // above: 1 - 0.8*(1 - 500/1000)
		{12001, 14000, 40, 0, 31e9},      // up, five times slowly
		{14001, 16000, 40, 0, 32e9},      //
		{16001, 18000, 49, 0, 33e9},      //
		{18001, 20000, 40, 0, 34e9},      //
		{20001, 22000, 40, 0, 35e9},      //
		{22001, 24000, 40, 0, 40e9},      // the sixth in a row
		{24001, 26000, 40, 98e9, 100e9},  // no more than the line
		{26001, 28000, 1000, 0, 60e9},    // down
		{28001, 30000, 40, 0, 61e9},      // slowly again
		{30001, 30000, 400, 50e9, 1e9},   // diff 60.234375 of much before, and lastRTT 40: 0
		{30002, 32000, 400, 50e9, 1e9},   // the same last round trip, for nothing was sent since
	} {
		if c.rate != 0 {
			f.rate = c.rate
		}
		f.next = c.next
		d.acknowledged(s, f, c.seq, s.now-c.rtt*microsecond)
		if !near(f.rate, c.want) {
			t.Errorf("step %d: %d, want %.0f", i, f.rate, c.want)
		}
	}
	if d.lastRTT != 400*microsecond || d.updateAt != 32000 {
		t.Errorf("%+v", *d)
	}

	// Updates by bytes: the next one is that of a segment further.
	l.TIMELY.Segment = 16_000
	d, f.rate, f.next = &timelyState{}, 60e9, 5
	for _, c := range []struct {
		seq  int64
		want float64
	}{{1000, 60e9}, {16_999, 60e9}, {17_000, 61e9}, {32_999, 61e9}, {33_000, 62e9}} {
		d.acknowledged(s, f, c.seq, s.now-40*microsecond)
		if !near(f.rate, c.want) {
			t.Errorf("segments, %d: %d, want %.0f", c.seq, f.rate, c.want)
		}
	}

	// The patched law at 100 us, twice Low: additive·(1-w) + rate·(1 - 0.008·w).
	l.TIMELY.Patched, l.TIMELY.PatchedBeta = true, 0.008
	for last, want := range map[int64]float64{
		100: 0.5e9 + 60e9*(1-0.004),  // gradient 0, w 1/2
		96:  0.3e9 + 60e9*(1-0.0056), // gradient 0.1, w 0.7
		80:  60e9 * (1 - 0.008),      // gradient 0.5, w at most 1
		140: 61e9,                    // gradient -1, w at least 0
	} {
		d, f.rate = &timelyState{updateAt: 1, lastRTT: last * microsecond}, 60e9
		d.acknowledged(s, f, 2, s.now-100*microsecond)
		if !near(f.rate, want) {
			t.Errorf("patched after %d us: %d, want %.0f", last, f.rate, want)
		}
	}
	d, f.rate = &timelyState{updateAt: 1, lastRTT: 75 * microsecond}, 60e9 // half of Low above it
	if d.acknowledged(s, f, 2, s.now-75*microsecond); !near(f.rate, 0.5e9+60e9*(1-0.002)) {
		t.Errorf("patched at 75 us: %d", f.rate)
	}
	for rate, want := range map[uint64]float64{99_999_999_000: 100e9, 500_000_000: 1e9} { // bounds of the patched law
		d, f.rate = &timelyState{updateAt: 1, lastRTT: 140 * microsecond}, rate
		if l.TIMELY.Additive = units.Gbps; rate < 1e9 {
			l.TIMELY.Additive = 0
		}
		d.acknowledged(s, f, 2, s.now-100*microsecond)
		if !near(f.rate, want) {
			t.Errorf("patched from %d: %d, want %.0f", rate, f.rate, want)
		}
	}
}

// TIMELY as its authors list it, by hand: MinRTT 20 us, Low 50 us, High 500 us, beta 0.8, steps of 1 and 5 Gb/s, and a gain of
// a half. A step counts by the time since the one before.
func TestTIMELYAsListed(t *testing.T) {
	s, l := &engine{}, &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: units.Gbps, TIMELY: TIMELY{
		Gain: 0.5, Beta: 0.8, Low: 50 * microsecond, High: 500 * microsecond, MinRTT: 20 * microsecond,
		Additive: units.Gbps, Hyper: 5 * units.Gbps, Segment: 1000, Listing: true,
	}}}}
	f, d := &flow{law: l, rate: 60e9, lineRate: 100e9}, &timelyState{}
	for i, c := range []struct {
		after, rtt int64 // us
		rate, want float64
	}{
		{100, 40, 0, 60e9},     // the first is kept
		{20, 40, 0, 61e9},      // below Low, a whole step
		{5, 40, 0, 61.25e9},    // a quarter of the time, a quarter of the step
		{60, 40, 0, 62.25e9},   // never more than one
		{20, 60, 40e9, 24e9},   // diff 10, gradient 1/2: 1 - 0.8/2
		{10, 60, 40e9, 36e9},   // diff 5, gradient 1/4, half of the time: 1 - 0.8/8
		{20, 55, 40e9, 41e9},   // diff 0: one step; the first that is shorter
		{20, 54, 40e9, 41e9},   // diff -1/2: the second
		{20, 53, 40e9, 41e9},   // the third
		{20, 52, 40e9, 41e9},   // the fourth
		{20, 51, 40e9, 45e9},   // the fifth in a row: a hyper step
		{20, 51, 40e9, 41e9},   // as long as the one before: the count begins again
		{20, 500, 40e9, 20e9},  // gradient far above one: half at most
		{20, 1000, 40e9, 24e9}, // beyond High: 1 - 0.8/2
		{10, 1000, 40e9, 32e9}, // half of the time: 1 - 0.8/4
		{20, 40, 99.5e9, 100e9},
		{20, 9000, 1.1e9, 1e9}, // the least rate
	} {
		s.now += c.after * microsecond
		if c.rate > 0 {
			f.rate = uint64(c.rate)
		}
		d.acknowledged(s, f, int64(i+1)*1000, s.now-c.rtt*microsecond)
		if !near(f.rate, c.want) {
			t.Errorf("step %d: %d, want %.0f", i, f.rate, c.want)
		}
	}
}

// The first CNP brings rate and target to what NVIDIA's rate_to_set_on_first_cnp says, if that is lower and not below the
// least rate; the first decrease comes later, and a second CNP does not do so again.
func TestRateAfterTheFirstCNP(t *testing.T) {
	for _, c := range []struct{ first, before, want uint64 }{
		{0, 100e9, 100e9}, {40e9, 100e9, 40e9}, {40e9, 30e9, 30e9}, {1e6, 100e9, 1e9},
	} {
		s, l := &engine{timekeeper: timekeeper{now: 100 * microsecond}}, &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: units.Gbps, DCQCN: DCQCN{
			Gain: 1. / 256, AlphaInterval: 55 * microsecond, DecreaseInterval: 50 * microsecond, IncreaseInterval: 55 * microsecond, FastRecovery: 5, FirstRate: units.BitRate(c.first),
		}}}}
		l.dcqcn = &dcqcnControl{decay: newDecay(1. / 256)}
		f, d := &flow{law: l, rate: c.before, lineRate: 100e9}, &dcqcnState{}
		if d.congestion(s, f, s.now); f.rate != c.want || d.target != c.want {
			t.Errorf("%+v: rate %d, target %d", c, f.rate, d.target)
		}
		f.rate = 90e9
		if d.congestion(s, f, s.now); f.rate != 90e9 {
			t.Errorf("%+v: a second CNP leaves %d", c, f.rate)
		}
	}
}

// Swift by hand: a target of 12 us for windows of 100 packets and more, 32 us for a quarter of
// one and less, and 12 + 20·(1 - 1/10)/(2 - 1/10) us for one.
func TestSwiftByHand(t *testing.T) {
	s, l := &engine{hosts: hosts{transport: transport{payload: 1000, wire: wire{dataHeader: 48}}}}, &law{ClassControl: ClassControl{Congestion: Congestion{Swift: Swift{
		Base: 10 * microsecond, PerHop: microsecond, ScalingRange: 20 * microsecond, ScalingMin: 0.25, ScalingMax: 100,
		Additive: 1, Beta: 0.8, MaxDecrease: 0.5, MinWindow: 0.01, MaxWindow: 150,
	}}}}
	f := &flow{law: l, lineRate: 100e9, baseRTT: 8 * microsecond, hops: 2}
	d := newSwiftState(s, f)
	if d.fabric.packets != 100 || f.window != 100_000 || f.rate != 100e9 { // 8 us at 100 Gb/s
		t.Errorf("it starts with %+v, %d B, %d", d, f.window, f.rate)
	}
	for window, want := range map[float64]float64{400: 12, 100: 12, 1: 12 + 20*0.9/1.9, 0.25: 32, 0.01: 32} {
		if got := l.Swift.target(window, f); math.Abs(got-want*microsecond) > 1 {
			t.Errorf("the target of %v packets: %.0f ps, want %v us", window, got, want)
		}
	}
	for i, c := range []struct {
		at, delay float64 // us
		seq       int64
		want      float64
	}{
		{11, 11, 2000, 100.02},     // two packets of a hundred
		{12, 12, 2000, 100.02},     // at the target nothing is cut, but counts as a cut
		{35, 24, 1000, 100.02},     // too early for another: 23 us
		{36, 24, 1000, 60.012},     // 1 - 0.8·12/24
		{155.9, 120, 2000, 60.012}, // too early
		{156, 120, 2000, 30.006},   // no more than half
		{157, 1, 1500, 30.006},     // what came before is no packet
		{158, 1, 5000, 30.006 + 3/30.006},
		{159, 1, 100_005_000, 150}, // the largest
	} {
		s.now = int64(c.at * microsecond)
		d.acknowledged(s, f, echo{seq: c.seq, sent: s.now - int64(c.delay*microsecond)})
		if math.Abs(d.fabric.packets-c.want) > 1e-9 || f.window != uint64(d.fabric.packets*1000) || f.rate != 100e9 {
			t.Errorf("step %d: %v packets, %d B, want %v", i, d.fabric.packets, f.window, c.want)
		}
	}
	// Below one packet, one of 1048 B is paced over the round trip by the window.
	for _, c := range []struct {
		window float64
		rtt    int64
		want   float64
		bytes  uint64
	}{
		{0.5, 40, 8384 * 0.5 / 40e-6, 1000}, {1, 40, 100e9, 1000}, {0.999, 40, 8384 * 0.999 / 40e-6, 1000},
		{1e-9, 40, 8384 * 0.01 / 40e-6, 1000}, {1.5, 40, 100e9, 1500}, {0.01, 1e13, 1, 1000},
	} {
		d := swiftState{fabric: swiftWindow{packets: l.Swift.within(c.window)}}
		d.apply(s, &l.Swift, f, c.rtt*microsecond)
		if !near(f.rate, c.want) || f.window != c.bytes {
			t.Errorf("%v packets: %d bit/s, %d B; want %.0f, %d", c.window, f.rate, f.window, c.want, c.bytes)
		}
	}
	d = swiftState{fabric: swiftWindow{packets: 0.5}} // growth below one packet is not faster
	s.now = 200 * microsecond
	d.acknowledged(s, f, echo{seq: 1000, sent: 199 * microsecond})
	must.Equalf(t, d.fabric.packets, 1.5, "one packet more of half:")
	f.lineRate = 50e6 // slower than the pace
	d = swiftState{fabric: swiftWindow{packets: 0.5}}
	if d.apply(s, &l.Swift, f, 40*microsecond); f.rate != 50e6 {
		t.Errorf("the line: %d", f.rate)
	}
}

// DCTCP with packets of 1000 B and a gain of a quarter. A round trip of ten packets has a batch of
// eleven.
func TestDCTCPByHand(t *testing.T) {
	s := &engine{hosts: hosts{transport: transport{payload: 1000}}}
	l := &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: units.Gbps, DCTCP: DCTCP{Gain: 0.25, Additive: units.Gbps}}}}
	f, d := &flow{law: l, rate: 60e9, lineRate: 61e9}, &dctcpState{}
	const second = 0.75 + 0.25*2/11.0 // alpha after two marks of eleven
	const third = 0.75*second + 0.25*2/11.0
	for i, c := range []struct {
		seq, next int64
		marked    bool
		want      float64
	}{
		{1000, 10_000, true, 30e9},    // alpha is 1
		{10_000, 19_000, true, 30e9},  // the same round trip, and cut already
		{10_001, 20_001, false, 31e9}, // the next one
		{15_000, 20_001, true, 31e9 * (1 - second/2)},
		{20_001, 20_001, false, 31e9 * (1 - second/2)},                // the last of it
		{20_002, 30_002, true, 31e9 * (1 - second/2) * (1 - third/2)}, // one more mark: 2 of 11
		{30_003, 40_003, false, 31e9*(1-second/2)*(1-third/2) + 1e9},
	} {
		f.next = c.next
		d.acknowledged(s, f, c.seq, c.marked)
		if math.Abs(float64(f.rate)-c.want) > 4 {
			t.Errorf("step %d: %d, want %.0f", i, f.rate, c.want)
		}
	}
	f.rate, d = 60_500_000_000, &dctcpState{updateAt: 1, alpha: 1, marked: 50, batch: 4}
	f.next = 3000
	d.acknowledged(s, f, 2, false) // no more marks than packets
	if d.alpha != 1 || f.rate != 61e9 || d.batch != 3 || d.marked != 0 {
		t.Errorf("%+v, %d", *d, f.rate)
	}
	f.rate, d = 1_500_000_000, &dctcpState{updateAt: 9, alpha: 1}
	if d.acknowledged(s, f, 2, true); f.rate != 1e9 {
		t.Errorf("the least rate: %d", f.rate)
	}
}

// DCQCN's timers by hand: alpha every 55 us, a decrease every 50 us from a nanosecond after the
// first notification, an increase every 300 us from the last decrease.
func TestDCQCNByHand(t *testing.T) {
	const us = microsecond
	s := &engine{timekeeper: timekeeper{setAt: never}}
	l := &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: units.Gbps, DCQCN: DCQCN{
		Gain: 0.25, AlphaInterval: 55 * us, DecreaseInterval: 50 * us, IncreaseInterval: 300 * us, FastRecovery: 2, Additive: units.Gbps, Hyper: 5 * units.Gbps,
	}}}}
	l.dcqcn = &dcqcnControl{decay: newDecay(0.25)}
	f, d := &flow{law: l, rate: 80e9, lineRate: 90e9}, &dcqcnState{}
	at := func(now float64, want float64) {
		t.Helper()
		s.now = int64(now * us)
		if d.catchUp(s, f); math.Abs(float64(f.rate)-want) > 4 {
			t.Errorf("at %v us: %d, want %.0f", now, f.rate, want)
		}
	}
	at(1, 80e9) // nothing has come
	d.congestion(s, f, 0)
	if d.increaseAt != never { // before the first decrease nothing is increased, by bytes neither
		t.Errorf("%+v", *d)
	}
	at(51, 80e9)
	at(51.001, 40e9) // half of it
	at(351, 40e9)
	at(351.001, 60e9) // half-way back
	at(651.001, 70e9)
	at(951.001, 75.5e9)   // towards 81
	at(1251.001, 80.75e9) // towards 86
	at(1300.999, 80.75e9)
	if d.stage != 4 || d.decreaseAt != 1_301_001_000 || d.increaseAt != 1_551_001_000 {
		t.Errorf("%+v", *d)
	}
	// alpha has aged at 56, 111, …: 23 times up to 1266; the 24th, at 1321, is one with a notification.
	s.now = 1_300_999_000
	d.congestion(s, f, s.now)
	if want := math.Pow(0.75, 23); math.Abs(d.alpha-want) > 1e-12 {
		t.Errorf("alpha %v, want %v", d.alpha, want)
	}
	cut := 80.75e9 * (1 - math.Pow(0.75, 23)/2)
	at(1301.001, cut)
	if d.target != 80_750_000_000 || d.stage != 0 { // the rate had been increased
		t.Errorf("%+v", *d)
	}
	at(1600.999, cut)
	at(1601.001, (cut+80.75e9)/2)
	if want := math.Pow(0.75, 23); math.Abs(d.alpha-want) > 1e-12 {
		t.Errorf("alpha %v, want %v", d.alpha, want)
	}
	// Times of alpha, 1321 + 5·55 = 1596: the first with a notification, then five without.
	s.now = 1_601_001_000
	d.congestion(s, f, s.now)
	if want := (math.Pow(0.75, 24) + 0.25) * math.Pow(0.75, 5); math.Abs(d.alpha-want) > 1e-12 {
		t.Errorf("alpha %v, want %v", d.alpha, want)
	}
}

// How the target, what is kept, and the stages of a decrease and an increase depend on what NICs
// can be told.
func TestDCQCNSteps(t *testing.T) {
	s := &engine{timekeeper: timekeeper{setAt: never}}
	base := DCQCN{Gain: 0.25, AlphaInterval: 55, DecreaseInterval: 50, IncreaseInterval: 300, FastRecovery: 2, Additive: 10, Hyper: 100}
	for name, c := range map[string]struct {
		change       func(c *DCQCN, d *dcqcnState)
		rate, target uint64
	}{
		"neither was increased": {func(*DCQCN, *dcqcnState) {}, 500, 2000},
		"by the timer":          {func(_ *DCQCN, d *dcqcnState) { d.stage = 1 }, 500, 1000},
		"by bytes":              {func(_ *DCQCN, d *dcqcnState) { d.byteStage = 1 }, 500, 1000},
		"kept after the timer":  {func(c *DCQCN, d *dcqcnState) { d.stage, c.KeepAfterTimer = 1, true }, 500, 2000},
		"kept, but by bytes":    {func(c *DCQCN, d *dcqcnState) { d.byteStage, c.KeepAfterTimer = 1, true }, 500, 1000},
		"clamped":               {func(c *DCQCN, _ *dcqcnState) { c.ClampTarget = true }, 500, 1000},
		"a quarter":             {func(c *DCQCN, _ *dcqcnState) { c.Cut = 0.25 }, 750, 2000},
		"six tenths at least":   {func(c *DCQCN, _ *dcqcnState) { c.LeastKept = 0.6 }, 600, 2000},
		"the least rate":        {func(_ *DCQCN, d *dcqcnState) { d.alpha = 2 }, 7, 2000},
		"of an older alpha":     {func(_ *DCQCN, d *dcqcnState) { d.alphaAt = 40 }, 625, 2000}, // three quarters of 1
		"of one that is next":   {func(_ *DCQCN, d *dcqcnState) { d.alphaAt = 41 }, 500, 2000},
	} {
		l := &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: 7, DCQCN: base}}, dcqcn: &dcqcnControl{decay: newDecay(base.Gain)}}
		l.DCQCN.ByteCounter = 1000
		d, f := &dcqcnState{alpha: 1, target: 2000, decreaseAt: 40, alphaAt: 1000}, &flow{law: l, rate: 1000}
		c.change(&l.DCQCN, d)
		d.decrease(s, f)
		if f.rate != c.rate || d.target != c.target || d.stage+d.byteStage != 0 || d.bytesLeft != 1000 || d.increaseAt != 340 || d.decreaseAt != 90 {
			t.Errorf("%s: %d towards %d, want %d and %d: %+v", name, f.rate, d.target, c.rate, c.target, *d)
		}
	}
	for _, c := range []struct {
		counter          units.Bytes
		stage, byteStage int32
		want             uint64 // target
	}{
		{0, 1, 9, 2000}, {0, 2, 9, 2010}, {0, 3, 0, 2100}, // the timer alone
		{1, 1, 1, 2000}, {1, 2, 0, 2010}, {1, 0, 2, 2010}, {1, 3, 2, 2010}, {1, 2, 3, 2010}, {1, 3, 3, 2100},
	} {
		k := base
		k.ByteCounter = c.counter
		d, f := &dcqcnState{target: 2000, stage: c.stage, byteStage: c.byteStage}, &flow{rate: 1000, lineRate: 5000}
		d.increase(&k, f)
		if d.target != c.want || f.rate != (1000+c.want)/2 {
			t.Errorf("%+v: %d towards %d", c, f.rate, d.target)
		}
		d, f = &dcqcnState{target: 2000, stage: c.stage, byteStage: c.byteStage}, &flow{rate: 1000, lineRate: 2005}
		if d.increase(&k, f); d.target != min(c.want, 2005) {
			t.Errorf("%+v: beyond the line: %d", c, d.target)
		}
	}
	// Bytes count from the first decrease on, each counter once.
	l := &law{ClassControl: ClassControl{Congestion: Congestion{DCQCN: base}}}
	l.DCQCN.ByteCounter = 1000
	for _, at := range []int64{0, never} {
		d, f := &dcqcnState{increaseAt: at, bytesLeft: 10}, &flow{law: l}
		if d.sent(s, f, 100); d.byteStage != 0 || d.bytesLeft != 10 {
			t.Errorf("before any decrease: %+v", *d)
		}
	}
	d, f := &dcqcnState{increaseAt: 1 << 40, decreaseAt: 1 << 40, bytesLeft: 1000, target: 2000}, &flow{law: l, rate: 1000, lineRate: 5000}
	for _, c := range []struct {
		bytes, left int64
		stage       int32
	}{{999, 1, 0}, {1, 1000, 1}, {2500, 500, 3}, {500, 1000, 4}} {
		if d.sent(s, f, c.bytes); d.bytesLeft != c.left || d.byteStage != c.stage {
			t.Errorf("%d B: %+v", c.bytes, *d)
		}
	}
	for initial, want := range map[float64]float64{0: 1, 0.25: 0.25} {
		must.Equalf(t, (&DCQCN{InitialAlpha: initial}).initialAlpha(), want, "alpha begins at")
	}
	for _, n := range []int64{0, 1, 63, 64, 100} {
		if decay := newDecay(0.25); math.Abs(decay.pow(n)-math.Pow(0.75, float64(n))) > 1e-15 {
			t.Errorf("%v of %d", decay.pow(n), n)
		}
	}
}

// The HPCC simulator's header by hand: nanoseconds, units of 128 B sent, units of 80 B queued.
func TestHopRecords(t *testing.T) {
	a := newHopRecord(5_000_999, 1279, 799, 1) // 5000 ns, 9 units, 9 units
	b := newHopRecord(7_000_000, 1280, 800, 1)
	if ns, bytes := b.since(a, 1); ns != 2000 || bytes != 128 || a.queueBytes(1) != 720 || b.queueBytes(1) != 800 {
		t.Errorf("%d ns, %d B, queues of %d and %d B", ns, bytes, a.queueBytes(1), b.queueBytes(1))
	}
	if b.older(a) || !a.older(b) || a.older(a) {
		t.Error("the wrong one is older")
	}
	if c := newHopRecord(5_000_999+(1<<23-1)*1000, 0, 0, 1); c.older(a) || !newHopRecord(5_000_999+(1<<23)*1000, 0, 0, 1).older(a) {
		t.Error("half of the clock")
	}
	// Counters turn over: after 2²⁴ ns, 2²⁰ units of 256 B and 2¹⁷ of 160 B.
	late := newHopRecord((1<<24+3)*1000, (1<<20+5)*256, 7*160, 2)
	early := newHopRecord((1<<24-1)*1000, (1<<20-1)*256, 0, 2)
	if ns, bytes := late.since(early, 2); ns != 4 || bytes != 6*256 || late.queueBytes(2) != 1120 {
		t.Errorf("%d ns, %d B, a queue of %d B", ns, bytes, late.queueBytes(2))
	}
}

// HPCC's law by hand: a base round trip of 10 us, a target of 0.95, three stages.
func TestHPCCByHand(t *testing.T) {
	s := &engine{}
	l := &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: units.Gbps, HPCC: HPCC{TargetUtilization: 0.95, MaxStage: 3, Additive: units.Gbps, UnitScale: 1}}}}
	f := &flow{law: l, lineRate: 100e9, baseRTT: 10_000_000, window: 125_000}
	for _, c := range []struct {
		before    hpccReference
		u         float64
		ns        uint64
		roundTrip bool
		average   float64
		want      float64
		stage     int
	}{
		{hpccReference{1, 50e9, 0}, 0.5, 4000, true, 0.8, 51e9, 1}, // (6·1 + 4·0.5)/10
		{hpccReference{1, 50e9, 0}, 0.5, 4000, false, 0.8, 51e9, 0},
		{hpccReference{1, 50e9, 2}, 0.5, 4000, true, 0.8, 51e9, 3},
		{hpccReference{1, 50e9, 3}, 0.5, 4000, true, 0.8, 50e9/(0.8/0.95) + 1e9, 0}, // enough stages
		{hpccReference{1, 50e9, 0}, 1.9, 10_000, true, 1.9, 25e9 + 1e9, 0},
		{hpccReference{1, 50e9, 0}, 1.9, 90_000, true, 1.9, 25e9 + 1e9, 0}, // no older than a round trip
		{hpccReference{1, 50e9, 0}, 0.95, 10_000, true, 0.95, 51e9, 0},     // load of one
		{hpccReference{1, 50e9, 0}, 950, 10_000, true, 950, 1.05e9, 0},
		{hpccReference{1, 50e9, 0}, 9500, 10_000, true, 9500, 1.005e9, 0},
		{hpccReference{1, 99.5e9, 0}, 0.5, 4000, true, 0.8, 100e9, 1}, // the line
	} {
		r := c.before
		got := r.react(s, f, c.u, c.ns, c.roundTrip)
		reference, stage := c.before.rate, c.before.stage
		if c.roundTrip {
			reference, stage = got, c.stage
		}
		if !near(got, c.want) || math.Abs(r.utilization-c.average) > 1e-12 || r.rate != reference || r.stage != stage {
			t.Errorf("%+v: rate %d, %+v", c, got, r)
		}
	}
	l.MinRate = 2 * units.Gbps
	r := hpccReference{1, 50e9, 0}
	must.Equalf(t, r.react(s, f, 9500, 10_000, true), 2e9, "the least rate:")

	// 125,000 B of 128 in 20 us are 50 Gb/s of 100; the smaller queue of 8 and 16 kB, at the line's
	// share, is 8000/125,000 of the window.
	h := &hpccState{}
	h.last[2] = newHopRecord(0, 0, 8000, 1)
	u, ns := h.utilization(&l.HPCC, f, 2, newHopRecord(20_480_000, 128_000, 16_000, 1), 200e9)
	if want := 50e9/200e9 + 8000*0.5/125_000; ns != 20_480 || math.Abs(u-want) > 1e-12 {
		t.Errorf("%v in %d ns, want %v", u, ns, want)
	}
}

// The HPCC simulator's pool by hand: 100,000 B, of which a port of 1 us at 100 Gb/s takes two
// delays of 12,500 B and a reserve of 1000 B.
func TestHPCCPoolByHand(t *testing.T) {
	c := &HPCCBuffer{Size: 100_000, Reserve: 1000, ResumeOffset: 3000, AlphaShift: 3, HeadroomDelays: 2}
	for rate, shift := range map[int64]uint8{50e9: 3, 100e9: 3, 200e9: 2, 400e9: 1, 800e9: 0, 1600e9: 0} {
		b, p := newHPCCPool(c), &port{delay: microsecond}
		headroom := b.addPort(p, rate, c, 100e9)
		if want := uint32(2 * rate / 8e6); p.shift != shift || headroom != want || b.size != 100_000-want-1000 {
			t.Errorf("%d: shift %d, headroom %d of %d", rate, p.shift, headroom, b.size)
		}
	}
	pool := func() hpccPool { return hpccPool{size: 8000, reserve: 1000, resumeOffset: 300} }
	for i, c := range []struct {
		u             usage
		shared, size  uint32
		limit         uint32 // of headroom
		admitted      bool
		then          usage
		thenShared    uint32
		paused, quiet bool // afterwards; whether passes says so before
	}{
		{usage{}, 0, 1000, 500, true, usage{1000, 0}, 0, false, true}, // the reserve
		{usage{}, 0, 1001, 500, true, usage{1001, 0}, 1, false, true},
		{usage{500, 0}, 0, 700, 500, true, usage{1200, 0}, 200, false, true},
		{usage{1500, 0}, 500, 100, 500, true, usage{1600, 0}, 600, false, true},   // 1/4 of 7500 is 1875
		{usage{2400, 0}, 1400, 200, 500, true, usage{2600, 0}, 1600, true, false}, // now a quarter of 6400
		{usage{2600, 0}, 1600, 0, 500, true, usage{2600, 0}, 1600, true, false},
		{usage{2600, 0}, 1600, 100, 500, true, usage{2600, 100}, 1600, true, false}, // headroom
		{usage{2600, 400}, 1600, 100, 500, true, usage{2600, 500}, 1600, true, false},
		{usage{2600, 401}, 1600, 100, 500, false, usage{2600, 401}, 1600, true, false},
		{usage{900, 10}, 0, 100, 500, true, usage{1000, 10}, 0, true, false}, // the reserve first
	} {
		b, u := pool(), c.u
		b.shared = c.shared
		quiet := b.passes(2, &u, c.size)
		admitted := b.admit(2, &u, c.limit, c.size)
		if admitted != c.admitted || u != c.then || b.shared != c.thenShared || b.shouldPause(2, &u) != c.paused || quiet != c.quiet {
			t.Errorf("%d: admitted %v, %+v, %d shared, pauses %v, passes %v", i, admitted, u, b.shared, b.shouldPause(2, &u), quiet)
		}
		if admitted && c.u.headroom == 0 && c.then.headroom == 0 { // back to what was
			if b.release(&u, c.size); u != c.u || b.shared != c.shared {
				t.Errorf("%d: released to %+v, %d shared", i, u, b.shared)
			}
		}
	}
	b, u := pool(), usage{2600, 400}
	b.shared = 1600
	if b.release(&u, 500); u != (usage{2500, 0}) || b.shared != 1500 { // headroom goes first
		t.Errorf("%+v, %d shared", u, b.shared)
	}
	// Resumed 300 B below the quarter of what is left, or with nothing shared.
	for _, c := range []struct {
		u      usage
		shared uint32
		want   bool
	}{
		{usage{2000, 0}, 2800, true}, {usage{2001, 0}, 2800, false}, {usage{2000, 0}, 2804, false}, {usage{2000, 1}, 2800, false},
		{usage{1000, 0}, 8000, true}, {usage{1001, 0}, 8000, false},
	} {
		b.shared = c.shared
		must.Equalf(t, b.shouldResume(2, &c.u), c.want, "%+v with %d shared:", c.u, c.shared)
	}
}
