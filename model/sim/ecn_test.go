package sim

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/units"
)

// The average that is caught up at each change of the queue is the one of a loop that
// polls it period after period.
func TestPolledAverage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := leafSpine(1, 2, 0)
		period := units.Time(rapid.IntRange(1, 5000).Draw(t, "period")) * units.Nanosecond
		weight := rapid.Float64Range(0, 1).Draw(t, "weight")
		sc.ECN = []ECN{{Rate: 100 * units.Gbps, KMin: 1 << 30, KMax: 1 << 30, PollPeriod: period, Weight: weight}}
		s, err := newEngine(sc)
		if err != nil {
			t.Fatal(err)
		}
		s.room(64)
		const port, class = 1, 3
		want, polled := 0.0, int64(0)
		for range rapid.IntRange(1, 30).Draw(t, "changes") {
			s.now += rapid.Int64Range(0, 20_000_000).Draw(t, "pause")
			for ; polled < s.now/int64(period); polled++ {
				want += weight * (float64(s.queue(port, class).bytes) - want)
			}
			if p := &s.ports[port]; p.waiting != 0 && rapid.Bool().Draw(t, "leave") {
				s.put(s.dequeue(port, p, class))
			} else if len(s.free) > 0 {
				id := s.take()
				s.packets[id] = packet{size: 1048}
				s.enqueue(port, p, class, id)
			}
			if got := s.average(port, class).value; math.Abs(got-want) > 1e-6*(1+want) {
				t.Fatalf("average %v, by polling %v", got, want)
			}
		}
	})
}
