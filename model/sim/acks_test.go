package sim

import (
	"testing"

	"github.com/roceplan/roceplan/units"
)

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
		s, err := newEngine(sc)
		if err != nil {
			t.Fatal(err)
		}
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
	s, err := newEngine(sc)
	if err != nil {
		t.Fatal(err)
	}
	for s.step(int64(units.Millisecond)) {
		for i := range s.packets {
			if pk := &s.packets[i]; pk.kind == ackPacket && pk.size > 0 && pk.label.class() != 6 {
				t.Fatalf("an acknowledgement in class %d", pk.label.class())
			}
		}
	}
}
