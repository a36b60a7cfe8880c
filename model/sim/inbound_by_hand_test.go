package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/roceplan/roceplan/units"
)

// Go-back-N's receiver, of a queue pair that expects byte 3,000 of a message that ends at 5,500, in packets of 1,000 B: what it
// answers, and what it expects then.
func TestGoBackNReceives(t *testing.T) {
	for _, c := range []struct {
		name      string
		transport transport
		f         inbound
		now, seq  int64
		kind      packetKind
		answer    bool
		expected  int64
		late      int64 // counted out of order
	}{
		{"the expected one", transport{ackInterval: 1}, inbound{expected: 3000}, 0, 3000, ackPacket, true, 4000, 0},
		{"the last one", transport{ackInterval: 1}, inbound{expected: 5000}, 0, 5000, ackPacket, true, 5500, 0},
		{"beyond the interval", transport{ackInterval: 4000}, inbound{expected: 3000}, 0, 3000, ackPacket, true, 4000, 0},
		{"not beyond it", transport{ackInterval: 4001}, inbound{expected: 3000}, 0, 3000, ackPacket, false, 4000, 0},
		{"at a chunk's end", transport{ackInterval: 1 << 40, chunk: 2000}, inbound{expected: 3000}, 0, 3000, ackPacket, true, 4000, 0},
		{"within a chunk", transport{ackInterval: 1 << 40, chunk: 3000}, inbound{expected: 3000}, 0, 3000, ackPacket, false, 4000, 0},
		{"a chunk of a byte", transport{ackInterval: 1 << 40, chunk: 1}, inbound{expected: 3000}, 0, 3000, ackPacket, true, 4000, 0},
		{"once more", transport{ackInterval: 1}, inbound{expected: 3000}, 0, 2000, ackPacket, false, 3000, 0},
		{"once more, with a timer", transport{ackInterval: 1, ackTimeout: 1}, inbound{expected: 3000}, 0, 2000, ackPacket, true, 3000, 0},
		{"a later one", transport{nackInterval: 50}, inbound{expected: 3000}, 7, 4000, nackPacket, true, 3000, 1},
		{"the next byte", transport{nackInterval: 50}, inbound{expected: 3000}, 7, 3001, nackPacket, true, 3000, 1},
		{"again too soon", transport{nackInterval: 50}, inbound{expected: 3000, lastNack: 3000, nackAfter: 57}, 56, 4000, 0, false, 3000, 1},
		{"again in time", transport{nackInterval: 50}, inbound{expected: 3000, lastNack: 3000, nackAfter: 57}, 57, 4000, nackPacket, true, 3000, 1},
		{"of another one", transport{nackInterval: 50}, inbound{expected: 3000, lastNack: 2000, nackAfter: 57}, 7, 4000, nackPacket, true, 3000, 1},
		{"back to zero", transport{nackInterval: 50, backToZero: true, chunk: 2000}, inbound{expected: 3000}, 7, 4000, nackPacket, true, 2000, 1},
		{"back to the message", transport{nackInterval: 50, backToZero: true, chunk: 4000}, inbound{expected: 3000, passed: 1500}, 7, 4000, nackPacket, true, 2000, 1},
		{"back to a chunk in it", transport{nackInterval: 50, backToZero: true, chunk: 2500}, inbound{expected: 3000, passed: 1500}, 7, 4000, nackPacket, true, 2500, 1},
		{"TCP's", transport{}, inbound{expected: 3000, tcp: true}, 7, 3000, ackPacket, true, 4000, 0},
		{"TCP's later", transport{}, inbound{expected: 3000, tcp: true}, 7, 4000, ackPacket, true, 3000, 1},
		{"TCP's once more", transport{}, inbound{expected: 3000, tcp: true, placed: []uint64{7}}, 7, 2000, ackPacket, true, 3000, 0},
		{"placed", transport{directPlacement: true}, inbound{expected: 3000}, 7, 3000, ackPacket, true, 4000, 0},
		{"placed later", transport{directPlacement: true}, inbound{expected: 3000}, 7, 4000, ackPacket, true, 3000, 1},
		{"placed before others", transport{directPlacement: true}, inbound{expected: 3000, placed: []uint64{1 << 4}}, 7, 3000, ackPacket, true, 5000, 0},
		{"placed once more", transport{directPlacement: true}, inbound{expected: 3000, placed: []uint64{7}}, 7, 2000, ackPacket, false, 3000, 0},
		{"once more, with a timer", transport{directPlacement: true, ackTimeout: 1}, inbound{expected: 3000, placed: []uint64{7}}, 7, 2000, ackPacket, true, 3000, 0},
	} {
		s := &engine{timekeeper: timekeeper{now: c.now}}
		s.transport, s.transport.payload = c.transport, 1000
		f := c.f
		f.receiveEnd = 5500
		kind, answer := s.checkSequence(&f, c.seq)
		if kind != c.kind || answer != c.answer || f.expected != c.expected || s.outOfOrder != c.late {
			t.Errorf("%s: answers %v with %v, expects %d; want %v, %v, %d; %d out of order", c.name, answer, kind, f.expected, c.answer, c.kind, c.expected, s.outOfOrder)
		}
		if nackAfter, lastNack := c.now+50, c.f.expected; c.kind == nackPacket && (f.nackAfter != nackAfter || f.lastNack != lastNack) {
			t.Errorf("%s: no second one before %d for %d, want %d for %d", c.name, f.nackAfter, f.lastNack, nackAfter, lastNack)
		}
	}
}

// Packets that are placed in any order are known, once each, and what is known of them does not become longer than what is
// under way: here up to 5,000 packets.
func TestPlacesByOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, far := range []int64{1, 60, 64, 5000} {
		f, before, known := inbound{}, int64(0), map[int64]bool{}
		for range 60_000 {
			packet := before + random.Int64N(far)
			if f.has(packet) != known[packet] {
				t.Fatalf("packet %d of %d is known: %v", packet, before, f.has(packet))
			}
			if known[packet] {
				continue
			}
			f.put(packet, before)
			for known[packet] = true; known[before]; before++ {
				delete(known, before-far)
			}
			for _, at := range []int64{0, before - 1, before, packet, packet + 1, before + far} {
				if at >= 0 && f.has(at) != (at < before || known[at]) {
					t.Fatalf("up to %d, packet %d is known: %v", before, at, f.has(at))
				}
			}
		}
		if words := int64(len(f.placed)); words > 2*(far/64+2)+130 || before < 5000 {
			t.Errorf("%d words for %d packets under way, after %d", words, far, before)
		}
	}
}

// Messages on a queue pair end one after the other where their last bytes are; a packet behind a message that has not come is
// kept for when it has.
func TestPlacedMessages(t *testing.T) {
	s := &engine{timekeeper: timekeeper{now: 100, skipped: 1000}}
	s.transport, s.host = transport{payload: 1000, directPlacement: true}, hostTimes{deliver: 7, memory: 2}
	s.messages = []message{{bytes: 1500, end: 1500}, {bytes: 1000, begin: 2000, end: 3000}, {bytes: 300, begin: 3000, end: 3300}}
	s.inbound = []inbound{{last: none, receiving: none, receiveEnd: never}}
	f := &s.inbound[0]
	for i := range int32(3) {
		s.expect(0, i)
	}
	if f.receiving != 0 || f.receiveEnd != 1500 || f.last != 2 || f.bytes != 3300 || s.messages[0].nextThere != 1 || s.messages[1].nextThere != 2 || s.messages[2].nextThere != none {
		t.Fatalf("%+v, %+v", f, s.messages)
	}
	step := func(now, seq, expected, passed int64, receiving int32, end int64) {
		t.Helper()
		s.now = now
		s.goOnBehind(f)
		s.placeData(f, seq)
		if f.expected != expected || f.passed != passed || f.receiving != receiving || f.receiveEnd != end {
			t.Errorf("after %d: %+v", seq, f)
		}
	}
	step(100, 2000, 0, 0, 0, 1500)
	step(200, 0, 1000, 0, 0, 1500)
	step(300, 1000, 3000, 3000, 2, 3300) // both are there
	if s.messages[0].delivered != 300+1000+2*500+7 || s.messages[1].delivered != 300+1000+2*1000+7 || s.messages[2].delivered != 0 {
		t.Errorf("%+v", s.messages)
	}
	step(400, 3000, 3300, 3300, none, never)
	if s.messages[2].delivered != 400+1000+2*300+7 || s.messages[2].came != 1 || s.placeData(f, 3000) {
		t.Errorf("%+v", s.messages[2])
	}
	// One that is posted later is behind; nothing is expected of it before its first packet comes.
	s.messages = append(s.messages, message{bytes: 10, begin: 4000, end: 4010})
	s.expect(0, 3)
	if f.receiving != 3 || f.receiveEnd != 4010 || f.expected != 3300 || f.bytes != 4010 {
		t.Errorf("%+v", f)
	}
	step(500, 4000, 4010, 4010, none, never)
	if s.goOnBehind(f); f.expected != 4010 { // nothing is behind it
		t.Errorf("%+v", f)
	}
}

// The times of a train follow one another by whole packets, as far as they are posted.
func TestPlacedTrains(t *testing.T) {
	s := &engine{timekeeper: timekeeper{now: 5}}
	s.transport = transport{payload: 1000, ackInterval: 1}
	s.messages = []message{{bytes: 1500, end: 7500, train: train{repeat: 4}}}
	s.inbound = []inbound{{last: none, receiving: none, receiveEnd: never}}
	f, m := &s.inbound[0], &s.messages[0]
	come := func(expected, end int64) {
		t.Helper()
		for range 2 {
			s.goOnBehind(f)
			s.checkSequence(f, f.expected)
		}
		if f.expected != expected || f.expected != f.receiveEnd {
			t.Fatalf("%+v", f)
		}
		if s.deliver(f); f.receiveEnd != end || (f.receiving == none) != (end == never) || f.passed != expected {
			t.Errorf("%+v", f)
		}
	}
	s.expect(0, 0)
	s.expect(0, 0)
	come(1500, 3500)
	come(3500, never) // no more are posted
	s.expect(0, 0)
	if m.posted != 3 || m.came != 2 || f.receiving != 0 || f.receiveEnd != 5500 {
		t.Errorf("%+v, %+v", m, f)
	}
	s.expect(0, 0)
	come(5500, 7500)
	come(7500, never)
	if m.came != 4 || !m.last(m.came) || m.last(3) {
		t.Errorf("%+v", m)
	}
}

// receiving is a host that has posted a message of 10,000 B to another, which has heard nothing yet.
func receiving(t *testing.T, edit func(sc *Scenario)) *engine {
	t.Helper()
	sc := leafSpine(1, 3, 0)
	sc.Transport.AckClass = 5
	sc.flow(0, 1, 10_000, 0)
	if edit != nil {
		edit(sc)
	}
	s := laid(t, sc)
	for s.flows[0].last == none {
		s.step(never)
	}
	return s
}

// comes lets a data packet come in at the receiver, whose port sends meanwhile, and returns what it became.
func comes(s *engine, seq int64, l label) (packetID, *packet) {
	const host = 2 // its port
	s.room(packetsPerEvent)
	id := s.take()
	pk := &s.packets[id]
	*pk = packet{flow: 0, kind: dataPacket, label: l, seq: uint32(seq), size: 1048}
	s.ports[host].busyUntil = s.now + 1000
	s.receiveData(host, &s.ports[host], id, pk)
	return id, pk
}

// An acknowledgement is the packet that it answers, with what is expected, in the class of its path, with the mark.
func TestAnswersByHand(t *testing.T) {
	for _, c := range []struct {
		name  string
		acks  AckPath
		label label
		queue uint8 // whose pause stops it at the host
		want  label
	}{
		{"held by the class of acknowledgements", AcksHeldBy, 3, 5, 3}, {"with data", AcksWithData, 3, 3, 3}, {"apart", AcksApart, 3, 5, 5}, {"apart, marked", AcksApart, 3 | ce, 5, 5 | ce}, {"with data, marked", AcksWithData, 3 | ce, 3, 3 | ce},
	} {
		s := receiving(t, func(sc *Scenario) { sc.Transport.Acks = c.acks })
		n, created := s.ports[2].nic, s.created
		id, pk := comes(s, 0, c.label)
		if want := (packet{flow: 0, route: s.inbound[0].ackRoute, kind: ackPacket, label: c.want, seq: 1000, size: 60}); *pk != want || s.created != created+1 {
			t.Errorf("%s: %+v, want %+v", c.name, *pk, want)
		}
		if list := s.acksOf(n, c.queue); list.head != id || s.nics[n].acking != 1<<c.queue {
			t.Errorf("%s: held by %b", c.name, s.nics[n].acking)
		}
		if !s.ports[2].txPending {
			t.Errorf("%s: nobody wakes the host", c.name)
		}
		if _, pk := comes(s, 5000, c.label); pk.kind != nackPacket || pk.seq != 1000 {
			t.Errorf("%s: %+v", c.name, *pk)
		}
		free := len(s.free)
		if comes(s, 0, c.label); len(s.free) != free || s.created != created+2 { // without a timer there is no answer
			t.Errorf("%s: answered again, %d created", c.name, s.created-created)
		}
	}
	// TCP's are of their data's class; one that sends again selectively hears of the packet itself.
	s := receiving(t, func(sc *Scenario) { sc.Flows[0].TCP, sc.Transport.Acks = true, AcksApart })
	if _, pk := comes(s, 3000, 3); pk.label != 3 || pk.seq != 0 || pk.kind != ackPacket {
		t.Errorf("TCP's: %+v", *pk)
	}
	selective := func(sc *Scenario) {
		sc.Transport.Selective, sc.Transport.DirectPlacement, sc.Transport.AckTimeout = true, true, units.Millisecond
	}
	s = receiving(t, selective)
	if _, pk := comes(s, 3000, 3); pk.seq != 3000 {
		t.Errorf("selective: %+v", *pk)
	}
	s = receiving(t, func(sc *Scenario) { selective(sc); sc.Flows[0].TCP = true })
	if _, pk := comes(s, 3000, 3); pk.seq != 0 {
		t.Errorf("TCP's beside selective ones: %+v", *pk)
	}
}

// A mark is told once in an interval; where a packet tells it, whether there is an acknowledgement or not.
func TestMarksThatAreHeard(t *testing.T) {
	for _, packets := range []bool{false, true} {
		s := receiving(t, func(sc *Scenario) {
			sc.Congestion = Congestion{Algorithm: UseDCQCN, MinRate: 1, DCQCN: paperDCQCN()}
			sc.Transport.CNPPackets, sc.Transport.CNPClass = packets, 6
			sc.Transport.AckInterval = 5000 // the first packets get no answer
		})
		s.counts = &counting{Counted: Counted{Ports: make([]CountedPort, len(s.ports))}}
		free := len(s.free)
		comes(s, 0, 3|ce)
		n := &s.nics[s.ports[2].nic]
		waiting := 0
		if packets {
			waiting = 1
		}
		if (n.cnps.head != 0) != packets || s.cnps != int64(waiting) || len(s.free) != free-waiting || s.ports[2].txPending != packets {
			t.Errorf("packets %v: %d told, %d of %d free, to be sent: %v", packets, s.cnps, len(s.free), free, s.ports[2].txPending)
		}
		comes(s, 1000, 3)
		if c := &s.counts.Ports[2]; c.MarkedReceived != 1 || s.counts.Ports[0].MarkedReceived != 0 {
			t.Errorf("%+v", c)
		}
	}
}

// Latency is counted from when a packet was ready, with what the hosts take.
func TestLatencyOfArrivals(t *testing.T) {
	s := receiving(t, func(sc *Scenario) {
		sc.Observe = &Observation{}
		sc.Transport.Host.Post, sc.Transport.Host.Deliver = 300, 20
	})
	s.room(packetsPerEvent)
	s.now = 5000
	s.ready[s.free[len(s.free)-1]] = 1000
	comes(s, 0, 3)
	if a := s.seen.arrivals.at(5000, 3); *a != (Arrivals{Packets: 1, Bytes: 1000, Latency: 4320, Longest: 4320}) {
		t.Errorf("%+v", a)
	}
}
