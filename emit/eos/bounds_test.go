package eos

import (
	"testing"

	row "github.com/roceplan/roceplan/format/eos"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// EOS takes timers in seconds with two decimals, the polling interval with three
// (aristanetworks/avd schema priority_flow_control @32666f05).
func TestSecondsAsEOSPrintsThem(t *testing.T) {
	for _, c := range []struct {
		t        units.Time
		decimals int
		want     string
	}{
		{10 * units.Millisecond, 2, "0.01"},
		{200 * units.Millisecond, 2, "0.20"},
		{1050 * units.Millisecond, 2, "1.05"},
		{60 * units.Second, 2, "60.00"},
		{5 * units.Millisecond, 3, "0.005"},
		{1234 * units.Millisecond, 3, "1.234"},
		{30 * units.Second, 3, "30.000"},
	} {
		must.Equalf(t, seconds(c.t, c.decimals), c.want, "%v with %d decimals is", c.t, c.decimals)
	}
}

// What EOS takes in larger steps than the plan: which way it is rounded.
func TestStepsOfEOS(t *testing.T) {
	for rate, want := range map[units.BitRate]int64{1: 1, 1000: 1, 1001: 2, units.Gbps: 1_000_000} { // up: a shaper must not take what a class was promised
		if got := row.Of(row.Rate).Fit(int64(rate)); got != want {
			t.Errorf("%d b/s is %d kb/s, want %d", rate, got, want)
		}
	}
	const step = 10 * units.Millisecond
	for from, want := range map[units.Time]units.Time{1: step, step: step, step + 1: 2 * step, 2*step - 1: 2 * step} {
		s := leaf()
		s.Watchdog = &plan.Watchdog{Detection: given(from), Restoration: given(from), Poll: given(5 * units.Millisecond), Action: plan.WatchdogDrop}
		if v, list := compose(s); list.HasErrors() || v.Watchdog.Timeout != seconds(want, 2) || v.Watchdog.Recovery != seconds(want, 2) {
			t.Errorf("%v: want %v, %v", from, want, list)
		}
	}
}

// The last value that EOS takes, and the first that it refuses.
func TestBoundsOfEOS(t *testing.T) {
	watchdog := func(detect, restore, poll units.Time) func(*plan.Switch) {
		return func(s *plan.Switch) {
			s.Watchdog = &plan.Watchdog{Detection: given(detect), Restoration: given(restore), Poll: given(poll), Action: plan.WatchdogDrop}
		}
	}
	mtu := func(frame units.Bytes) func(*plan.Switch) {
		return func(s *plan.Switch) {
			for i := range s.Ports {
				s.Ports[i].MTU = frame
			}
		}
	}
	const ms = units.Millisecond
	for name, c := range map[string]struct {
		change  func(*plan.Switch)
		refused bool
	}{
		"the longest timers":             {watchdog(60*units.Second, 60*units.Second, 30*units.Second), false},
		"a longer detection":             {watchdog(60*units.Second+1, 60*units.Second, 30*units.Second), true},
		"a longer restoration":           {watchdog(60*units.Second, 60*units.Second+1, 30*units.Second), true},
		"the shortest timers":            {watchdog(10*ms, 10*ms, 5*ms), false},
		"detection left to EOS":          {watchdog(0, 10*ms, 5*ms), false},
		"a shorter polling interval":     {watchdog(100*ms, 100*ms, 5*ms-1), true},
		"polling at half of detection":   {watchdog(200*ms, 400*ms, 100*ms), false},
		"polling at half of restoration": {watchdog(400*ms, 200*ms, 100*ms), false},
		"polling above half":             {watchdog(200*ms, 400*ms, 101*ms), true},
		"the largest packet":             {mtu(9214 + 18), false}, // EOS user manual: mtu 68 to 9214, a frame has 18 B more
		"a larger packet":                {mtu(9214 + 19), true},
		"the smallest packet":            {mtu(68 + 18), false},
		"a smaller packet":               {mtu(68 + 17), true},
		"no known frame":                 {mtu(0), false},
	} {
		s := leaf()
		c.change(s)
		if _, list := Emit(s); list.HasErrors() != c.refused {
			t.Errorf("%s: refused is %v, want %v: %v", name, list.HasErrors(), c.refused, list)
		}
	}
}
