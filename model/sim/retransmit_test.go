package sim

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// With a timer, every message arrives over lossy links, whatever is lost: data, the last
// packet of a message, an acknowledgement; without one, some never do.
func TestTimeoutRecovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := leafSpine(2, 2, 2)
		// 7, InfiniBand's most, are too few for one message in 600,000: a request and its answer cross eight links, of which each
		// loses 2 %, and 0.15 to the eighth is 2.6e-7.
		sc.Transport.AckTimeout, sc.Transport.Retries = 100*units.Microsecond, 1000
		sc.Transport.NackInterval = 10 * units.Microsecond
		sc.Transport.DirectPlacement = rapid.Bool().Draw(t, "direct placement")
		sc.Balancing.Mode = rapid.SampledFrom([]balance.Mode{balance.ECMP, balance.Spray}).Draw(t, "balancing")
		sc.Seed = rapid.Uint64().Draw(t, "seed")
		sc.Transport.Service = rapid.SampledFrom([]Service{RC, DC}).Draw(t, "service")
		sc.Transport.Host.Targets = rapid.IntRange(0, 2).Draw(t, "targets")
		sc.Transport.Host.Busy = 3 * units.Microsecond
		for i := range sc.Links {
			sc.Links[i].ErrorRate = 0.02
		}
		scenario(sc, "all-to-all", "none", 40*units.KB)
		for i := range sc.Flows {
			sc.Flows[i].QueuePair = rapid.IntRange(0, 1).Draw(t, "queue pair")
			if i > 0 && rapid.Bool().Draw(t, "waits") {
				sc.Flows[i].After = []int32{rapid.Int32Range(0, int32(i)-1).Draw(t, "after")}
			}
		}
		s := must.Get(newEngine(sc))(t)
		for s.steps(math.MaxInt64, 1000) {
			audit(t, s)
		}
		audit(t, s)
		checkMessages(t, sc, s)
	})
}

// A lost last packet is noticed by nobody but the timer: it is sent again when nothing has been
// heard for the timeout, to the picosecond.
func TestLastPacketLost(t *testing.T) {
	const timeout = 50 * units.Microsecond
	sc := leafSpine(1, 2, 0)
	sc.Transport.AckTimeout, sc.Transport.Retries = timeout, 1
	sc.flow(0, 1, 3000, 0)
	s := must.Get(newEngine(sc))(t)
	for s.step(never) {
		// Port 2 is host 1's.
		s.ports[2].trouble = 0
		if s.lost == 0 && s.inbound[0].expected == 2000 {
			s.ports[2].trouble = faulty
		}
		s.configs[2].loss = math.MaxUint64
	}
	const data, ack, cables = 1048 * 80, 60 * 80, 4_000_000
	heard := 3*data + 2*ack + cables // of the second packet
	want := int64(heard + int(timeout) + 2*data + 2*ack + cables)
	if got := s.messages[0].finished; got != want || s.lost != 1 || s.timeouts != 1 {
		t.Errorf("finished at %d ps, want %d; %d lost, %d timeouts", got, want, s.lost, s.timeouts)
	}
}

// A loss goes back to the start of its chunk, but not behind the message that it is in: what came
// before has been delivered. Chunks of 4,000 B begin within a first message, and between its last
// byte and the packet that the second one begins with; whichever packet is lost, both arrive.
func TestBackToZeroStaysInMessage(t *testing.T) {
	for _, first := range []units.Bytes{3990, 4000, 5500, 8000} {
		for lost := range int64(20) {
			sc := leafSpine(1, 2, 0)
			sc.Transport.Payload, sc.Transport.NackInterval = 1024, 10*units.Microsecond
			sc.Transport.BackToZero, sc.Transport.Chunk = true, 4000
			sc.Stop = units.Millisecond
			sc.flow(0, 1, first, 0)
			sc.flow(0, 1, 40_000, 0)
			sc.Flows[0].QueuePair, sc.Flows[1].QueuePair = 1, 1
			s := must.Get(newEngine(sc))(t)
			f := &s.inbound[0]
			s.configs[2].loss = math.MaxUint64 // port 2 is host 1's
			for s.step(int64(sc.Stop)) {
				s.ports[2].trouble = 0
				if s.lost == 0 && f.expected >= lost*s.transport.payload {
					s.ports[2].trouble = faulty
				}
				if f.expected < f.passed || f.expected < s.flows[0].acked {
					t.Fatalf("%d B, packet %d lost: expects byte %d again, of which %d are delivered and %d acknowledged", first, lost, f.expected, f.passed, s.flows[0].acked)
				}
			}
			if s.lost != 1 || s.messages[0].delivered == 0 || s.messages[1].delivered == 0 {
				t.Errorf("%d B, packet %d lost: delivered at %d and %d ps, %d packets lost", first, lost, s.messages[0].delivered, s.messages[1].delivered, s.lost)
			}
		}
	}
}

// A queue pair whose packets never arrive fails after its retries, with all its messages, and
// those that wait for them never start.
func TestRetriesExhausted(t *testing.T) {
	sc := leafSpine(1, 3, 0)
	sc.Transport.AckTimeout, sc.Transport.Retries = 50*units.Microsecond, 3
	sc.Links[1].ErrorRate = 1
	sc.flow(0, 1, 5000, 0)
	sc.flow(0, 1, 5000, 0)
	sc.flow(0, 1, 5000, units.Millisecond)
	for i := range sc.Flows {
		sc.Flows[i].QueuePair = 1
	}
	sc.flow(0, 2, 5000, 0)
	sc.Flows[3].After = []int32{0}
	sc.flow(0, 2, 5000, 0)
	s := must.Get(newEngine(sc))(t)
	for s.step(never) {
	}
	audit(t, s)
	if s.failed != 3 || s.timeouts != 3 || s.finished != 1 || !s.messages[2].failed {
		t.Errorf("%d failed, %d timeouts, %d finished", s.failed, s.timeouts, s.finished)
	}
	must.Equalf(t, s.lost, 4*10, "packets lost:")
}

// A pause stops the acknowledgements of a host if it is of the class that they travel in, and
// no others.
func TestAckClass(t *testing.T) {
	for _, c := range []struct {
		name         string
		acks         AckPath
		class        uint8 // of acknowledgements
		data, paused uint8
		want         bool // messages complete
	}{
		{"with paused data", AcksWithData, 0, 3, 3, false},
		{"with data of another class", AcksWithData, 0, 4, 3, true},
		{"apart", AcksApart, 6, 3, 3, true},
		{"apart, in the paused class", AcksApart, 6, 3, 6, false},
		{"held by nothing", AcksHeldBy, 0, 3, 3, true},
	} {
		sc := scenario(leafSpine(1, 3, 0), "incast", "none", units.MB)
		sc.Transport.Acks, sc.Transport.AckClass = c.acks, c.class
		for i := range sc.Flows {
			sc.Flows[i].Class = c.data
		}
		s := must.Get(newEngine(sc))(t)
		s.ports[0].paused = 1 << c.paused // of host 0, which receives
		for s.step(int64(units.Millisecond)) {
			audit(t, s)
		}
		if got := s.finished == len(sc.Flows); got != c.want {
			t.Errorf("%s: %d of %d messages completed", c.name, s.finished, len(sc.Flows))
		}
		if queued := s.queue(1, c.class).bytes; c.want && queued != 0 {
			t.Errorf("%s: %d B left", c.name, queued)
		}
	}
}

// Acknowledgements apart are in the queues of their class at switches too.
func TestAcksApart(t *testing.T) {
	sc := scenario(leafSpine(1, 3, 0), "incast", "none", units.MB)
	sc.Transport.Acks, sc.Transport.AckClass = AcksApart, 6
	s := must.Get(newEngine(sc))(t)
	for s.step(int64(units.Millisecond)) {
		for i := range s.packets {
			if pk := &s.packets[i]; pk.kind == ackPacket && pk.size > 0 && pk.label.class() != 6 {
				t.Fatalf("an acknowledgement in class %d", pk.label.class())
			}
		}
	}
}
