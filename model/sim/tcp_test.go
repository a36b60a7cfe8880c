package sim

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// overTCP makes all flows of a scenario connections of TCP.
func overTCP(sc *Scenario) *Scenario {
	sc.ECN = nil
	for i := range sc.Flows {
		sc.Flows[i].TCP = true
	}
	return sc
}

// lossyBuffers gives each switch a chip's buffer in which the PGs of some classes drop instead
// of pausing.
func lossyBuffers(sc *Scenario, shared units.Bytes, which uint8) {
	chipBuffers(sc, shared.FloorCells(4))
	for _, b := range sc.Silicon {
		for port := 0; b != nil && port < len(b.Config.Ports); port++ {
			for class := range b.Config.Ports[port].PGs {
				if pg := &b.Config.Ports[port].PGs[class]; which>>class&1 != 0 {
					*pg = mmu.PG{ReservedCells: pg.ReservedCells, Limit: pg.Limit}
				}
			}
		}
	}
}

// Slow start doubles the window each round trip: of 80 packets 10 go at once, then 20, then 40,
// then the last 10 (RFC 6928 and RFC 5681; packets of 1,000 B, so that the initial window is
// ten of them).
func TestSlowStart(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	for i := range sc.Links {
		sc.Links[i].Delay = 50 * units.Microsecond // the window never fills the path
	}
	sc.flow(0, 1, 80_000, 0)
	s := must.Get(newEngine(overTCP(sc)))(t)
	rounds, sent, last := []int64{0}, int64(0), int64(0)
	for s.step(never) {
		if s.flows[0].next == sent {
			continue
		}
		if s.now-last > int64(100*units.Microsecond) {
			rounds = append(rounds, 0)
		}
		rounds[len(rounds)-1] += (s.flows[0].next - sent) / 1000
		sent, last = s.flows[0].next, s.now
	}
	must.NoDiffIn(t, cmp.Diff([]int64{10, 20, 40, 10}, rounds), "packets by round trip:")
}

// lossAt runs one connection that loses the n-th packet, once.
func lossAt(t *testing.T, packets int64, n int64) *engine {
	t.Helper()
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, units.Bytes(packets)*1000, 0)
	s := must.Get(newEngine(overTCP(sc)))(t)
	const host = 2 // its port
	s.configs[host].loss = math.MaxUint64
	for s.step(never) {
		s.ports[host].trouble = 0
		if s.lost == 0 && s.inbound[0].expected == (n-1)*1000 {
			s.ports[host].trouble = faulty
		}
	}
	audit(t, s)
	if s.lost != 1 || s.finished != 1 {
		t.Fatalf("%d packets lost, %d flows finished", s.lost, s.finished)
	}
	return s
}

// The loss of a packet with three behind it is recovered without the timer, and it alone is
// sent again; that of the last packet waits for the timer, which has its least value then.
func TestRetransmission(t *testing.T) {
	const packets = 60
	s := lossAt(t, packets, 5)
	if want := int64(2*(packets+1) - 1); s.timeouts != 0 || s.created != want { // all but the lost one are acknowledged
		t.Errorf("in the midst: %d timeouts, %d packets and acknowledgements, want %d", s.timeouts, s.created, want)
	}
	s = lossAt(t, 5, 5)
	if took := s.messages[0].finished; s.timeouts != 1 || took < int64(200*units.Millisecond) || took > int64(201*units.Millisecond) {
		t.Errorf("at the end: %d timeouts, %d ps", s.timeouts, took)
	}
}

// Whatever is lost, all messages come at last, in buffers that drop and on links that do.
func TestTCPRecovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := leafSpine(2, 3, 2)
		sc.Links[rapid.IntRange(0, len(sc.Links)-1).Draw(t, "link")].ErrorRate = rapid.Float64Range(0, 0.2).Draw(t, "errors")
		patterns[rapid.SampledFrom([]string{"incast", "mixed sizes"}).Draw(t, "pattern")](sc, 100*units.KB)
		if rapid.Bool().Draw(t, "lossy") {
			lossyBuffers(sc, units.Bytes(rapid.IntRange(2, 400).Draw(t, "kilobytes"))*units.KB, 0xff)
		}
		sc.TCP = TCP{LeastTimeout: units.Millisecond, FirstTimeout: units.Millisecond}
		drain(t, overTCP(sc), true)
	})
}

// Connections that share a port which drops fill it.
func TestTCPFillsALossyPort(t *testing.T) {
	sc := leafSpine(1, 5, 0)
	for src := 1; src < 5; src++ {
		sc.flow(src, 0, units.GB, 0)
	}
	lossyBuffers(sc, 400*units.KB, 0xff) // the path holds 50 kB
	sc.TCP.LeastTimeout = 5 * units.Millisecond
	s := must.Get(newEngine(overTCP(sc)))(t)
	const time = 20 * units.Millisecond
	for s.step(int64(time)) {
	}
	audit(t, s)
	total := int64(0)
	for i := range s.flows {
		total += s.inbound[i].expected
	}
	if full := int64(250_000_000) * 1000 / 1048; total < full*9/10 || s.dropped == 0 || s.pauses != 0 {
		t.Errorf("%d B came, of %d; %d drops, %d pauses", total, full, s.dropped, s.pauses)
	}
}

// connection is one of TCP over a path whose host's port is busy, with 100 packets of 1,000 B posted.
func connection(t *testing.T, payload units.Bytes, own TCP) (*engine, *flow) {
	t.Helper()
	s := posting(t, func(sc *Scenario) {
		sc.Transport.Payload, sc.TCP = payload, own
		sc.Flows[0].TCP = true
	}, 100*payload)
	s.post(0)
	return s, &s.flows[0]
}

// The initial window of RFC 6928, section 2: min(10 packets, max(2 packets, 14,600 B)). Timers are Linux's unless they are said.
func TestTCPBegins(t *testing.T) {
	for payload, window := range map[units.Bytes]uint64{1000: 10_000, 1460: 14_600, 4096: 14_600, 7300: 14_600, 7301: 14_602, 9000: 18_000} {
		_, f := connection(t, payload, TCP{})
		want := tcp{
			packet: int64(payload), threshold: never, recover: none, resume: none, timed: none, due: never, lookAt: never,
			least: 200_000_000_000, timeout: 1_000_000_000_000,
		}
		if f.window != window || *f.tcp != want {
			t.Errorf("%d B: a window of %d B, want %d; %+v", payload, f.window, window, f.tcp)
		}
	}
	if _, f := connection(t, 1000, TCP{LeastTimeout: 5, FirstTimeout: 7}); f.tcp.least != 5 || f.tcp.timeout != 7 {
		t.Errorf("%+v", f.tcp)
	}
}

// What a sender does with an acknowledgement: RFC 5681, section 3.1, RFC 6582, section 3.2, RFC 6298, sections 2, 3 and 5.
// Bytes up to 2,000 are acknowledged, up to 9,000 sent; the window is 5,000 B.
func TestTCPAcknowledged(t *testing.T) {
	type state struct {
		tcp
		window uint64
		acked  int64
		next   int64
	}
	quiet := tcp{packet: 1000, threshold: 20_000, high: 9000, recover: none, resume: none, timed: none, timeout: 50, least: 10, due: 540, lookAt: 540}
	for _, c := range []struct {
		name   string
		seq    int64
		before func(c *tcp, f *flow)
		want   func(s *state)
	}{
		{"a packet in slow start", 3000, nil, func(s *state) { s.window, s.acked, s.due = 6000, 3000, 550 }},
		{"two packets grow it by one", 4000, nil, func(s *state) { s.window, s.acked, s.due = 6000, 4000, 550 }},
		{"a part of a packet", 2100, nil, func(s *state) { s.window, s.acked, s.due = 5100, 2100, 550 }},
		{"above the threshold", 3000, func(c *tcp, _ *flow) { c.threshold = 5000 }, func(s *state) { s.threshold, s.window, s.acked, s.due = 5000, 5200, 3000, 550 }},
		{"a byte below it", 3000, func(c *tcp, _ *flow) { c.threshold = 5001 }, func(s *state) { s.threshold, s.window, s.acked, s.due = 5001, 6000, 3000, 550 }},
		{"a large window grows by a byte", 3000, func(c *tcp, f *flow) { c.threshold, f.window = 5000, 2_000_000 }, func(s *state) { s.threshold, s.window, s.acked, s.due = 5000, 2_000_001, 3000, 550 }},
		{"all is acknowledged", 9000, nil, func(s *state) { s.window, s.acked, s.due = 6000, 9000, never }},
		{"duplicates end", 3000, func(c *tcp, _ *flow) { c.duplicate = 2 }, func(s *state) { s.window, s.acked, s.due = 6000, 3000, 550 }},
		{"the timed byte", 3000, func(c *tcp, _ *flow) { c.timed, c.timedAt = 2999, 420 }, func(s *state) {
			s.window, s.acked, s.smoothed, s.deviation, s.timeout, s.due = 6000, 3000, 80, 40, 240, 740
			s.timedAt = 420
		}},
		{"not the timed byte", 3000, func(c *tcp, _ *flow) { c.timed, c.timedAt = 3000, 420 }, func(s *state) {
			s.window, s.acked, s.due, s.timed, s.timedAt = 6000, 3000, 550, 3000, 420
		}},
		{"after a packet was sent again", 3000, func(c *tcp, f *flow) { c.resume, f.next = 9000, 2000 }, func(s *state) { s.window, s.acked, s.due, s.next = 6000, 3000, 550, 9000 }},
		{"beyond where it was", 8000, func(c *tcp, f *flow) { c.resume, f.next = 7000, 2000 }, func(s *state) { s.window, s.acked, s.due, s.next = 6000, 8000, 550, 8000 }},
		{"beyond what is sent again", 5000, func(_ *tcp, f *flow) { f.next = 3000 }, func(s *state) { s.window, s.acked, s.due, s.next = 6000, 5000, 550, 5000 }},
		{"up to what is sent again", 3000, func(_ *tcp, f *flow) { f.next = 3000 }, func(s *state) { s.window, s.acked, s.due, s.next = 6000, 3000, 550, 3000 }},
		{"recovered", 9000, func(c *tcp, _ *flow) { c.recovery, c.recover, c.threshold, c.high = true, 9000, 20_000, 12_000 }, func(s *state) {
			s.window, s.acked, s.due, s.recover, s.next, s.high = 4000, 9000, 550, 9000, 9000, 12_000 // 3,000 B under way
		}},
		{"recovered to the threshold", 9000, func(c *tcp, _ *flow) { c.recovery, c.recover, c.threshold, c.high = true, 9000, 2500, 12_000 }, func(s *state) {
			s.window, s.acked, s.due, s.recover, s.threshold, s.high = 2500, 9000, 550, 9000, 2500, 12_000
		}},
		{"recovered with nothing under way", 9000, func(c *tcp, _ *flow) { c.recovery, c.recover = true, 9000 }, func(s *state) { s.window, s.acked, s.due, s.recover = 2000, 9000, never, 9000 }},
		{"a byte is lacking", 8999, func(c *tcp, _ *flow) { c.recovery, c.recover, c.timed = true, 9000, 9500 }, func(s *state) {
			s.window, s.acked, s.due, s.recover, s.recovery, s.resume, s.next = 1000, 8999, 550, 9000, true, 9000, 8999
		}},
		{"partly, by a packet", 3000, func(c *tcp, _ *flow) { c.recovery, c.recover = true, 9000 }, func(s *state) {
			s.window, s.acked, s.due, s.recover, s.recovery, s.resume, s.next = 5000, 3000, 550, 9000, true, 9000, 3000
		}},
	} {
		s, f := connection(t, 1000, TCP{})
		s.now, f.acked, f.next, f.window = 500, 2000, 9000, 5000
		*f.tcp = quiet
		if c.before != nil {
			c.before(f.tcp, f)
		}
		want := state{quiet, 5000, 2000, 9000}
		c.want(&want)
		s.receiveTCP(0, f, c.seq)
		must.Equalf(t, (state{*f.tcp, f.window, f.acked, f.next}), want, "%s:", c.name)
	}
	s, f := connection(t, 1000, TCP{})
	*f.tcp, f.acked, f.next = quiet, 99_000, 100_000
	f.tcp.high = 100_000
	if s.receiveTCP(0, f, 99_999); s.finished != 0 {
		t.Error("it is over")
	}
	if s.receiveTCP(0, f, 100_000); s.finished != 1 {
		t.Error("it is not over")
	}
	if s.receiveTCP(0, f, 100_000); f.tcp.duplicate != 0 { // with nothing under way it says nothing
		t.Errorf("%+v", f.tcp)
	}
}

// Three duplicates halve the window and send the missing packet again: RFC 6582, section 3.2. Those of what was lost before
// do not, and each further one lets a packet more be under way.
func TestTCPDuplicates(t *testing.T) {
	s, f := connection(t, 1000, TCP{})
	c := f.tcp
	s.now, f.acked, f.next, f.window, c.high, c.timed = 500, 2000, 12_000, 10_000, 12_000, 7000
	for range 2 {
		if s.receiveTCP(0, f, 2000); f.window != 10_000 || c.recovery || f.next != 12_000 {
			t.Errorf("%+v", c)
		}
	}
	// What is older was overtaken on its way, and is no duplicate: RFC 5681 section 2, (e).
	if s.receiveTCP(0, f, 1999); c.duplicate != 2 || c.recovery {
		t.Errorf("an older acknowledgement counts: %+v", c)
	}
	s.receiveTCP(0, f, 2000)
	if f.window != 8000 || c.threshold != 5000 || !c.recovery || c.recover != 12_000 || f.next != 2000 || c.resume != 12_000 || c.timed != none || c.duplicate != 3 {
		t.Errorf("a window of %d B, next %d: %+v", f.window, f.next, c)
	}
	if s.receiveTCP(0, f, 2000); f.window != 9000 || c.threshold != 5000 || f.next != 2000 || c.resume != 12_000 {
		t.Errorf("a window of %d B: %+v", f.window, c)
	}
	for recover, again := range map[int64]bool{none: true, 1999: true, 2000: false, 3000: false} {
		s, f := connection(t, 1000, TCP{})
		c := f.tcp
		f.acked, f.next, f.window, c.high, c.recover, c.duplicate = 2000, 5000, 10_000, 5000, recover, 2
		if s.receiveTCP(0, f, 2000); c.recovery != again || again && (c.threshold != 2000 || f.window != 5000) { // no less than two packets
			t.Errorf("recovered up to %d: %+v", recover, c)
		}
	}
}

// A packet that is sent is timed if it is new and none is, and sets the timer if that is not set; after one that is sent again
// the sender goes on where it was.
func TestTCPSends(t *testing.T) {
	for _, c := range []struct{ timed, next, high, want int64 }{{none, 5000, 5000, 5000}, {none, 4000, 5000, none}, {3000, 5000, 5000, 3000}, {none, 6000, 5000, 6000}} {
		s, f := connection(t, 1000, TCP{})
		f.tcp.timed, f.next, f.tcp.high = c.timed, c.next, c.high
		if f.tcp.sending(s, 0, f); f.tcp.timed != c.want || c.want == c.next && f.tcp.timedAt != 500 || f.tcp.due != 500+1_000_000_000_000 {
			t.Errorf("%+v: %+v", c, f.tcp)
		}
		s.now = 700
		if f.tcp.sending(s, 0, f); f.tcp.due != 500+1_000_000_000_000 {
			t.Errorf("%+v", f.tcp)
		}
	}
	s, f := connection(t, 1000, TCP{})
	c := f.tcp
	f.next, c.high = 6000, 5000
	if c.sent(s, 0, f); c.high != 6000 || f.next != 6000 {
		t.Errorf("%+v", c)
	}
	f.next, c.resume = 3000, 5000
	if c.sent(s, 0, f); c.high != 6000 || f.next != 5000 || c.resume != none {
		t.Errorf("%+v, next %d", c, f.next)
	}
	c.resume, f.acked, f.next = 4000, 2000, 5000
	if c.again(s, 0, f); c.resume != 4000 || f.next != 2000 {
		t.Errorf("%+v, next %d", c, f.next)
	}
}

// The timer looks again only if it runs out later than planned; RFC 6298, section 5.
func TestTCPLooks(t *testing.T) {
	looks := func(s *engine) (at []int64) {
		for len(s.agenda.tasks) > 0 {
			if e := s.agenda.tasks.pop(); e.id&(1<<taskBits-1) == taskTCP {
				at = append(at, e.at)
			}
		}
		return at
	}
	s, f := connection(t, 1000, TCP{LeastTimeout: 50, FirstTimeout: 50})
	c := f.tcp
	looks(s)
	c.start(s, 0) // at 500
	s.now = 520
	c.start(s, 0)
	if at := looks(s); len(at) != 1 || at[0] != 550 || c.due != 570 || c.lookAt != 550 {
		t.Errorf("looks at %v: %+v", at, c)
	}
	s.now = 550
	if s.tcpTimer(0); s.timeouts != 0 || c.lookAt != 570 {
		t.Errorf("%+v", c)
	}
	if at := looks(s); len(at) != 1 || at[0] != 570 {
		t.Errorf("looks at %v", at)
	}
	s.now, c.due, c.lookAt = 560, 570, 570 // a task from before
	if s.tcpTimer(0); s.timeouts != 0 || c.lookAt != 570 || len(looks(s)) != 0 {
		t.Errorf("%+v", c)
	}
	s.now, f.next, c.high, c.resume, c.timed, c.recovery, c.duplicate = 570, 6000, 6000, 7, 8, true, 2
	n := &s.nics[0]
	n.waitsUntil = 9
	if s.tcpTimer(0); s.timeouts != 1 || c.timeout != 100 || c.due != 670 || c.lookAt != 670 || f.next != 0 || f.window != 1000 || c.threshold != 3000 || c.recovery || c.duplicate != 0 || c.resume != none || c.timed != none || n.waitsUntil != 0 {
		t.Errorf("%+v, next %d, a window of %d B", c, f.next, f.window)
	}
	if at := looks(s); len(at) != 1 || at[0] != 670 {
		t.Errorf("looks at %v", at)
	}
	for timeout, want := range map[int64]int64{30_000_000_000_000: 60_000_000_000_000, 30_000_000_000_001: 60_000_000_000_000, 29_999_999_999_999: 59_999_999_999_998} {
		c.timeout, s.now = timeout, c.due
		if s.tcpTimer(0); c.timeout != want {
			t.Errorf("%d ps become %d", timeout, c.timeout)
		}
	}
}
