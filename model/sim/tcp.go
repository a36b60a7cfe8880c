package sim

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// TCP is the transport of flows that are not RDMA: NewReno (RFC 6582) with the congestion
// control of RFC 5681, the initial window of RFC 6928 and the timer of RFC 6298. It is the
// simplest TCP that recovers from several losses in a window without a timeout, and that
// needs nothing of the receiver but what each has: it keeps what comes out of order, and
// acknowledges each packet with the first byte that it lacks.
//
//   - Slow start: the window grows by what is acknowledged, a packet per acknowledgement at
//     the most. Above the threshold it grows by a packet per window.
//   - The third duplicate acknowledgement halves the window and sends the packet that is
//     lacking again; each acknowledgement until all is there that had been sent then does so
//     for the next one that is lacking.
//   - The timer sends all again from the first packet not acknowledged on, from a window of
//     one packet; it doubles each time.
//
// It takes no notice of ECN: its packets are not ECN-capable, so a curve does not mark them,
// and none drops them either. Headers are as large as RoCE's, from which TCP's differ by a
// few bytes.
type TCP struct {
	// LeastTimeout and FirstTimeout bound the timer and are its value before the first
	// measurement. 0: Linux's, 200 ms and 1 s (include/net/tcp.h: TCP_RTO_MIN,
	// TCP_TIMEOUT_INIT). RFC 6298 asks for 1 s for both.
	LeastTimeout, FirstTimeout units.Time
}

// tcp is the sender's half of a connection. Its window is [flow.window], in bytes.
type tcp struct {
	packet    int64 // payload
	threshold int64 // of slow start
	high      int64 // first byte never sent
	recover   int64 // the highest byte sent at the last loss: RFC 6582 section 3.2
	resume    int64 // where to go on after the packet that is sent again; or none
	duplicate int
	recovery  bool

	smoothed, deviation int64 // of the round-trip time, ps; 0: not measured
	timeout, least      int64 // ps
	timed               int64 // the byte whose acknowledgement is timed; or none
	timedAt             int64

	due    int64 // when the timer runs out, or never; ps
	lookAt int64 // when the next task looks whether it has, or never; ps
}

// buildTCP makes a connection of a queue pair.
func (s *builder) buildTCP(c *TCP, f *flow) {
	packet := s.transport.payload
	t := &tcp{packet: packet, threshold: never, recover: none, resume: none, timed: none, due: never, lookAt: never}
	t.least, t.timeout = int64(c.LeastTimeout), int64(c.FirstTimeout)
	if t.least == 0 {
		t.least = int64(200 * units.Millisecond)
	}
	if t.timeout == 0 {
		t.timeout = int64(units.Second)
	}
	f.tcp = t
	f.window = uint64(min(10*packet, max(2*packet, 14600))) // RFC 6928
}

// sending notes that the queue pair sends the packet at f.next.
func (t *tcp) sending(s *engine, i int32, f *flow) {
	if t.timed == none && f.next >= t.high {
		t.timed, t.timedAt = f.next, s.now
	}
	if t.due == never {
		t.start(s, i)
	}
}

// sent goes on where it was before a packet that was sent again.
func (t *tcp) sent(s *engine, i int32, f *flow) {
	if t.high = max(t.high, f.next); t.resume != none {
		s.sendFrom(i, f, t.resume)
		t.resume = none
	}
}

// again lets the first packet that is not acknowledged be the next one.
func (t *tcp) again(s *engine, i int32, f *flow) {
	if t.resume == none {
		t.resume = f.next
	}
	t.timed = none // RFC 6298 section 3: no measurement by what was sent twice
	s.sendFrom(i, f, f.acked)
}

func (t *tcp) start(s *engine, i int32) {
	if t.due = s.now + t.timeout; t.due < t.lookAt {
		t.lookAt = t.due
		s.plan(taskTCP, i, t.due)
	}
}

// receiveTCP takes an acknowledgement of all bytes before seq.
func (s *engine) receiveTCP(i int32, f *flow, seq int64) {
	t := f.tcp
	switch {
	case seq > f.acked:
		t.acknowledged(s, i, f, seq)
	case seq == f.acked && t.high > f.acked: // RFC 5681 section 2: an older one is no duplicate
		t.lacking(s, i, f)
	}
}

func (t *tcp) acknowledged(s *engine, i int32, f *flow, seq int64) {
	if t.timed != none && seq > t.timed {
		t.measure(s.now - t.timedAt)
		t.timed = none
	}
	bytes := seq - f.acked
	f.acked, t.duplicate = seq, 0
	if t.resume != none {
		s.sendFrom(i, f, max(t.resume, seq))
		t.resume = none
	} else if f.next < seq {
		s.sendFrom(i, f, seq)
	}
	t.due = never
	if t.high > seq {
		t.start(s, i)
	}
	switch flight := t.high - seq; {
	case !t.recovery:
		t.grow(f, bytes)
	case seq >= t.recover:
		t.recovery = false
		f.window = uint64(min(t.threshold, max(flight, t.packet)+t.packet))
	default: // a partial acknowledgement
		f.window = uint64(max(int64(f.window)-bytes, 0) + t.packet)
		t.again(s, i, f)
	}
	if f.acked >= f.completeEnd {
		s.complete(f)
	}
}

// grow is slow start and congestion avoidance: RFC 5681 section 3.1.
func (t *tcp) grow(f *flow, bytes int64) {
	if int64(f.window) < t.threshold {
		f.window += uint64(min(bytes, t.packet))
	} else {
		f.window += uint64(max(1, t.packet*t.packet/int64(f.window)))
	}
}

// lacking takes a duplicate acknowledgement: RFC 6582 section 3.2.
func (t *tcp) lacking(s *engine, i int32, f *flow) {
	switch t.duplicate++; {
	case t.recovery:
		f.window += uint64(t.packet)
	case t.duplicate == 3 && f.acked > t.recover:
		t.halve(f)
		f.window = uint64(t.threshold + 3*t.packet)
		t.recovery = true
		t.again(s, i, f)
	}
}

func (t *tcp) halve(f *flow) {
	t.threshold = max((t.high-f.acked)/2, 2*t.packet)
	t.recover = t.high
}

// measure is RFC 6298 section 2.
func (t *tcp) measure(rtt int64) {
	if t.smoothed == 0 {
		t.smoothed, t.deviation = rtt, rtt/2
	} else {
		t.deviation += (max(t.smoothed-rtt, rtt-t.smoothed) - t.deviation) / 4
		t.smoothed += (rtt - t.smoothed) / 8
	}
	t.timeout = max(t.least, t.smoothed+4*t.deviation)
}

// tcpTimer looks whether a connection's timer has run out.
func (s *engine) tcpTimer(i int32) {
	f := &s.flows[i]
	t := f.tcp
	if s.now >= t.lookAt {
		t.lookAt = never
	}
	if t.due > s.now {
		if t.due < t.lookAt {
			t.lookAt = t.due
			s.plan(taskTCP, i, t.due)
		}
		return
	}
	t.halve(f)
	f.window = uint64(t.packet)
	t.recovery, t.duplicate, t.resume, t.timed = false, 0, none, none
	t.timeout = min(2*t.timeout, int64(60*units.Second))
	s.timeouts++
	s.sendFrom(i, f, f.acked)
	t.start(s, i)
	p := &s.ports[f.port]
	s.nics[p.nic].waitsUntil = 0
	s.kick(f.port, p)
}

func (c *TCP) check() error {
	if c.LeastTimeout < 0 || c.FirstTimeout < 0 {
		return fmt.Errorf("TCP's timeouts of %d and %d ps are below 0", c.LeastTimeout, c.FirstTimeout)
	}
	return nil
}
