package calc_test

import (
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/units"
)

// The figures are `pfcwd start_default` by hand: 200 ms for every 32 ports that have PFC or
// part of them, and no poll above a second (sonic-utilities, pfcwd/main.py).
func TestWatchdogByPorts(t *testing.T) {
	const ms = units.Millisecond
	for _, tt := range []struct {
		ports       int64
		timer, poll units.Time
	}{
		{0, 200 * ms, 100 * ms}, {1, 200 * ms, 100 * ms}, {32, 200 * ms, 100 * ms}, {33, 400 * ms, 200 * ms},
		{320, 2000 * ms, 1000 * ms}, {448, 2800 * ms, 1000 * ms}, {449, 3000 * ms, 1000 * ms}, {512, 3200 * ms, 1000 * ms},
		{800, 5000 * ms, 1000 * ms}, {1024, 5000 * ms, 1000 * ms},
	} {
		if got := calc.WatchdogTime(200*ms, tt.ports, 5000*ms); got != tt.timer {
			t.Errorf("%d ports: timers of %v, want %v", tt.ports, got, tt.timer)
		}
		if got := calc.WatchdogTime(100*ms, tt.ports, 1000*ms); got != tt.poll {
			t.Errorf("%d ports: a poll of %v, want %v", tt.ports, got, tt.poll)
		}
	}
}
