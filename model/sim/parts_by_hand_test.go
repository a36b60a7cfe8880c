package sim

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// 1,024 windows of 1 us hold 1,024 us; with the next instant they are of 2 us each. Of windows, those count that lie
// wholly between two times.
func TestArrivalBounds(t *testing.T) {
	const us = int64(units.Microsecond)
	log := newArrivalLog()
	for _, c := range []struct{ now, width int64 }{{0, us}, {1023 * us, us}, {1024*us - 1, us}, {1024 * us, 2 * us}, {2048*us - 1, 2 * us}, {2048 * us, 4 * us}} {
		if log.at(c.now, 1).Packets++; log.width != c.width {
			t.Errorf("at %d ps windows of %d ps, want %d", c.now, log.width, c.width)
		}
	}
	// In windows of 4 us: one packet in the first, two in the 256th, one in the 257th, one in the 512th, and one after it.
	r := &Observed{arrivals: log}
	for _, c := range []struct{ from, to, packets int64 }{
		{0, 4096 * us, 6}, {0, 4 * us, 1}, {0, 4*us - 1, 0}, {1, 1020 * us, 0}, {1, 1024 * us, 2}, {1020 * us, 1024 * us, 2}, {1024 * us, 1028 * us, 1}, {1020*us + 1, 2052 * us, 3}, {0, 1 << 60, 6},
	} {
		must.Equalf(t, r.Arrived(1, units.Time(c.from), units.Time(c.to)).Packets, c.packets, "from %d to %d ps came", c.from, c.to)
	}
	must.Equalf(t, r.Arrived(2, 0, 1<<60), Arrivals{}, "in another class:")
	// Of two logs the longer windows count.
	one, two := newArrivalLog(), newArrivalLog()
	*one.at(5*us, 3) = Arrivals{Packets: 1, Bytes: 10, Usual: 1, Latency: 7, Longest: 7}
	*two.at(5*us, 3) = Arrivals{Packets: 2, Bytes: 20, Usual: 1, Latency: 12, Longest: 6}
	two.at(1024*us, 4).Packets++
	one.join(&two)
	if got := (&Observed{arrivals: one}).Arrived(3, units.Time(4*us), units.Time(6*us)); got != (Arrivals{Packets: 3, Bytes: 30, Usual: 2, Latency: 19, Longest: 7}) || one.width != 2*us {
		t.Errorf("%+v in windows of %d ps", got, one.width)
	}
}

// What a class alone saves: a packet of 250 B takes three quanta of 100 B, and 50 B are left. Another class's turn
// takes what the last one saved, and brings a quantum of its own.
func TestDeficitAlone(t *testing.T) {
	d := &dwrr{shares: []shares{{}, {strict: 1 << 5, quantum: [classes]int32{1: 100, 2: 200}}}, kind: []uint8{0, 1}, deficit: make([]int32, 2*classes), turn: []uint8{0, 1}}
	for _, c := range []struct {
		class     uint8
		size      int32
		turn      uint8
		one, left int32 // of class 1, and of class 2
	}{
		{1, 250, 1, 50, 0}, {1, 50, 1, 0, 0}, {1, 60, 1, 40, 0}, {5, 900, 1, 40, 0}, {2, 150, 2, 0, 50}, {2, 251, 2, 0, 199}, {1, 100, 1, 0, 0},
	} { // 50 B and a quantum of 200 B are one too few for 251 B
		if d.alone(1, c.class, c.size); d.turn[1] != c.turn || d.deficit[classes+1] != c.one || d.deficit[classes+2] != c.left {
			t.Errorf("%+v: turn %d, %v", c, d.turn[1], d.deficit[classes:])
		}
	}
	if got := newShares(&Scheduler{Strict: 4, Weights: [classes]uint8{1: 2, 2: 5, 3: 4}}, 1000); got != (shares{4, [classes]int32{1000, 1000, 2500, 2000, 1000, 1000, 1000, 1000}}) {
		t.Errorf("%+v", got)
	}
	if got := newShares(&Scheduler{}, 1000); got.quantum != [classes]int32{1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000} {
		t.Errorf("%+v", got)
	}
}

// Two windows of pauses become one: what began in either, and what was carried into the first.
func TestPauseWindowsJoin(t *testing.T) {
	p := &pausedPort{started: make([]uint32, pauseWindows), carried: make([]uint32, pauseWindows)}
	for w := range p.started {
		p.started[w], p.carried[w] = uint32(w+1), uint32(1000*w)
	}
	p.halve()
	for w := range p.started {
		started, carried := uint32(4*w+3), uint32(2000*w) // 2w + 1 and 2w + 2
		if w >= pauseWindows/2 {
			started, carried = 0, 0
		}
		if p.started[w] != started || p.carried[w] != carried {
			t.Fatalf("window %d: %d and %d, want %d and %d", w, p.started[w], p.carried[w], started, carried)
		}
	}
	(&pausedPort{}).halve()
}

// Each hop has what the path has: a utilization of 1, and the rate of the line.
func TestHPCCStarts(t *testing.T) {
	want := hpccReference{utilization: 1, rate: 7}
	var h hpccState
	if h.start(7, false); h.path != want || h.hop != nil {
		t.Errorf("%+v", h)
	}
	h.start(7, true)
	if len(h.hop) != maxHops || h.hop[0] != want || h.hop[maxHops-1] != want {
		t.Errorf("%+v", h.hop)
	}
	h.updateAt, h.hop[2].stage, h.path.stage = 9, 3, 3
	kept := &h.hop[0]
	if h.start(7, true); h.updateAt != 0 || h.hop[2] != want || h.path != want || kept != &h.hop[0] {
		t.Errorf("%+v", h)
	}
}

// Seconds become picoseconds, the nearest; or nanoseconds, cut.
func TestSeconds(t *testing.T) {
	for _, c := range []struct {
		times   Times
		seconds float64
		want    units.Time
	}{{NS3Times - 1, 1.5e-9, 1500}, {NS3Times - 1, 1.4e-12, 1}, {NS3Times - 1, 1.6e-12, 2}, {NS3Times, 1.5e-9, 1000}, {NS3Times, 2.25, 2_250_000_000_000}, {NS3Times, 0.9e-9, 0}} {
		if got := c.times.Seconds(c.seconds); got != c.want {
			t.Errorf("%v: %v s are %d ps, want %d", c.times, c.seconds, got, c.want)
		}
	}
}

// A matrix of a generator steps its recurrence: x(n) = 1403580 x(n-2) - 810728 x(n-3) modulo 4294967087, and
// x(n) = 527612 x(n-1) - 1370589 x(n-3) modulo 4294944443. 2^e steps are one of the e-th power.
func TestRecurrence(t *testing.T) {
	next1 := func(v vector) vector {
		return vector{v[1], v[2], uint64((1403580*int64(v[1])%mrgModulus1 - 810728*int64(v[0])%mrgModulus1 + mrgModulus1) % mrgModulus1)}
	}
	next2 := func(v vector) vector {
		return vector{v[1], v[2], uint64((527612*int64(v[2])%mrgModulus2 - 1370589*int64(v[0])%mrgModulus2 + mrgModulus2) % mrgModulus2)}
	}
	one, two := mrgMatrices()
	v, w := vector{1, 2, 3}, vector{4, 5, 6}
	for e := range 6 {
		wantV, wantW := v, w
		for range 1 << e {
			wantV, wantW = next1(wantV), next2(wantW)
		}
		a, b := one.power(e, mrgModulus1), two.power(e, mrgModulus2)
		must.Equalf(t, a.apply(&v, mrgModulus1), wantV, "2^%d steps:", e)
		must.Equalf(t, b.apply(&w, mrgModulus2), wantW, "2^%d steps:", e)
		v, w = wantV, wantW
	}
}

// TCP's timer that runs out halves what is under way, sends from the first byte again with a window of one packet, and
// waits twice as long, up to a minute: RFC 5681 section 3.1, RFC 6298 section 5.
func TestTCPTimerByHand(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, 100_000, 0)
	sc.Flows[0].TCP = true
	s := must.Get(newEngine(sc))(t)
	f := &s.flows[0]
	for f.next < 9_000 {
		s.step(never)
	}
	c := f.tcp
	if c.timeout != int64(units.Second) || c.due != int64(units.Second) || f.acked != 0 {
		t.Fatalf("%+v, %d B acknowledged", c, f.acked)
	}
	high := c.high
	s.tcpTimer(0) // it has not run out
	if f.window == 1_000 || s.timeouts != 0 {
		t.Errorf("a window of %d B, %d timeouts", f.window, s.timeouts)
	}
	c.due = s.now
	s.tcpTimer(0)
	if c.threshold != high/2 || c.recover != high || f.window != 1_000 || c.timeout != 2*int64(units.Second) || s.timeouts != 1 || c.due != s.now+2*int64(units.Second) {
		t.Errorf("%+v, a window of %d B, %d timeouts, of %d B", c, f.window, s.timeouts, high)
	}
	c.due, c.timeout, c.high = s.now, 40*int64(units.Second), 3_000
	s.tcpTimer(0)
	if c.threshold != 2_000 || c.timeout != 60*int64(units.Second) { // no less than two packets
		t.Errorf("%+v", c)
	}
	// Round-trip times, RFC 6298 section 2: the first one counts whole and its half, of others an eighth and a quarter.
	own := &tcp{least: 10}
	own.measure(800)
	if own.smoothed != 800 || own.deviation != 400 || own.timeout != 2400 {
		t.Errorf("%+v", own)
	}
	own.measure(1600) // 400 + (800 - 400)/4; 800 + 800/8
	if own.smoothed != 900 || own.deviation != 500 || own.timeout != 2900 {
		t.Errorf("%+v", own)
	}
	own.measure(100) // 500 + (800 - 500)/4; 900 - 800/8
	if own.smoothed != 800 || own.deviation != 575 || own.timeout != 3100 {
		t.Errorf("%+v", own)
	}
	own.least = 5000
	own.measure(800)
	must.Equalf(t, own.timeout, 5000, "%+v:", own)
	// Slow start adds what is acknowledged, a packet at most; beyond the threshold a packet's part of a packet.
	own = &tcp{packet: 1000, threshold: 5000}
	grown := &flow{window: 4000}
	for _, c := range []struct {
		acknowledged int64
		want         uint64
	}{{600, 4600}, {1500, 5600}, {1000, 5778}, {1000, 5951}} { // 1,000,000/5,600 and /5,778
		if own.grow(grown, c.acknowledged); grown.window != c.want {
			t.Errorf("a window of %d B, want %d", grown.window, c.want)
		}
	}
}

// Two hosts send S bytes each at line rate to a third: its queue grows to S and is empty at last, so that 2S - 2K bytes
// leave while more than K wait. Where the chip compares what waits in each of two parts of its buffer, that holds of
// senders whose ports write to one part. Of senders to different parts each part holds half: 2S - 4K leave while more
// than K wait in theirs. A packet more or less at each of the two or four crossings is how the bytes are cut.
func TestMarksByPart(t *testing.T) {
	const size, k, packet = 2_000_000, 300_000, 1000
	marks := func(byPart bool, slices int, parts ...int) int64 {
		b := chipBuffer(len(parts)+1, 10_000_000, 30_000, 4)
		b.Config.Slices = slices
		for port, part := range parts {
			b.Config.Ports[port].Slice = part
		}
		sc := oneSwitch(len(parts)+1, b)
		sc.Transport.Payload, sc.Wire = packet-48, Wire{Data: 48, Ack: 60}
		sc.ECN = []ECN{{Rate: 100 * units.Gbps, KMin: k, KMax: k, PMax: 1, ByPart: byPart}}
		for src := range parts {
			sc.flow(src, len(parts), size*(packet-48)/packet, 0)
		}
		s := must.Get(newEngine(sc))(t)
		for s.step(never) {
		}
		if s.pauses != 0 || s.dropped != 0 {
			t.Fatalf("%d pauses, %d drops", s.pauses, s.dropped)
		}
		for i, left := range s.parts {
			if left != 0 {
				t.Errorf("%d B are left in part %d", left, i%slices)
			}
		}
		return s.marks
	}
	whole, halves := int64((2*size-2*k)/packet), int64((2*size-4*k)/packet)
	for _, c := range []struct {
		name   string
		byPart bool
		slices int
		parts  []int
		want   int64
	}{
		{"by the queue", false, 2, []int{0, 1}, whole},
		{"one part", true, 1, []int{0, 0}, whole},
		{"senders in one of two parts", true, 2, []int{1, 1}, whole},
		{"senders in both parts", true, 2, []int{0, 1}, halves},
	} {
		if got := marks(c.byPart, c.slices, c.parts...); got < c.want-4 || got > c.want+4 {
			t.Errorf("%s: %d marks, want %d", c.name, got, c.want)
		}
	}
}
