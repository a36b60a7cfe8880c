package observe

import (
	"testing"
	"time"

	"github.com/roceplan/roceplan/units"
)

// What passes between two readings that are not of one time: 1 Gb/s is 125,000 B in a
// millisecond, and 25 Gb/s 3.125 B in a nanosecond, of which the fourth has begun.
func TestPassed(t *testing.T) {
	for _, c := range []struct {
		rate units.BitRate
		gap  time.Duration
		want uint64
	}{{units.Gbps, time.Millisecond, 125_000}, {25 * units.Gbps, time.Nanosecond, 4}, {10 * units.Gbps, time.Second, 1_250_000_000}, {400 * units.Gbps, 0, 0}} {
		if got := passed(c.rate, c.gap); got != c.want {
			t.Errorf("%v for %v: %d B, want %d", c.rate, c.gap, got, c.want)
		}
	}
}
