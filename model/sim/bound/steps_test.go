package bound

import (
	"testing"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// Cables take 2 us and 1,000 B take 80 ns on a link, 100 ns with headers and gap.
func TestSteps(t *testing.T) {
	after := func(f sim.Flow, before ...int32) sim.Flow {
		f.After = before
		return f
	}
	// Four hosts reduce 8,000 B in a ring: six times 2,000 B, each when the one before has come.
	var ring []sim.Flow
	for i := range 4 {
		ring = append(ring, sim.Flow{Src: i, Dst: (i + 1) % 4, Bytes: 2000, Repeat: 6, Each: []int32{int32((i + 3) % 4)}})
	}
	// In a tree 1 and 3 send to 2, and 2 to 0; and back. The row is of four messages of 8,000 B.
	tree := []sim.Flow{send(1, 2, 8000, 0), send(3, 2, 8000, 0), after(send(2, 0, 8000, 0), 0, 1), after(send(0, 2, 8000, 0), 2), after(send(2, 3, 8000, 0), 3), after(send(2, 1, 8000, 0), 3)}
	// Of 8 MB the port of host 2 takes three messages in and three out: 3 · 800 us; the row is 4 · 642 us.
	large := append([]sim.Flow(nil), tree...)
	for i := range large {
		large[i].Bytes = 8_000_000
	}
	// Five messages of 10 KB go to host 3, ten packets each: 5 us on the wire.
	var together []sim.Flow
	for range 5 {
		together = append(together, send(0, 3, 10_000, units.Microsecond))
	}
	for name, c := range map[string]struct {
		flows []sim.Flow
		least units.Time
		port  int
	}{
		"ring":       {ring, 6 * 2160 * units.Nanosecond, -1},
		"tree":       {tree, 4 * 2640 * units.Nanosecond, -1},
		"large tree": {large, 4 * 642 * units.Microsecond, -1},
		"together":   {together, 5 * units.Microsecond, 0},
		// A train of 100 waits for nothing but itself: 80 ns each behind the first, which takes 2.08 us; 100 ns with headers.
		"train": {[]sim.Flow{{Src: 0, Dst: 1, Bytes: 1000, Repeat: 100, Ahead: 99}}, 2*units.Microsecond + 8*units.Microsecond, -1},
	} {
		if got := Of(star(4, c.flows...), len(c.flows)).Steps(0); got.Least != c.least || got.Port != c.port {
			t.Errorf("%s: %+v, want %v, %d", name, got, c.least, c.port)
		}
	}
}

// Hosts take 300 ns to send and 500 ns to receive, and nothing for what stays with them: a message of 1,000 B, work, and
// another message are 2 · (2 us + 80 ns + 800 ns).
func TestStepsOfHosts(t *testing.T) {
	sc := star(3, send(0, 1, 1000, 0), sim.Flow{Src: 1, Dst: 1, Bytes: 1000, After: []int32{0}}, sim.Flow{Src: 1, Dst: 2, Bytes: 1000, After: []int32{1}})
	sc.Transport.Host.Post, sc.Transport.Host.Deliver = 300*units.Nanosecond, 500*units.Nanosecond
	if got := Of(sc, 3).Steps(0); got.Least != 5760*units.Nanosecond {
		t.Errorf("%+v", got)
	}
}
