package sim

import (
	"testing"

	"github.com/roceplan/roceplan/units"
)

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
		s, err := newEngine(sc)
		if err != nil {
			t.Fatal(err)
		}
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
