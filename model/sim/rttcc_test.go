package sim

import (
	"testing"

	"github.com/roceplan/roceplan/units"
)

// The rule step by step, at 100 Gb/s with a base RTT of 10 us and a target of 20 us above it.
func TestRTTCC(t *testing.T) {
	const us = 1_000_000
	s, l := &engine{}, &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: units.Gbps, RTTCC: RTTCC{
		Target: 20 * us, Interval: 15 * us, Additive: units.Gbps,
		Beta: 0.8, MaxDecrease: 0.5, Gain: 0.5, Steepness: 0.5,
	}}}}
	f := &flow{law: l, rate: 60e9, lineRate: 62e9, baseRTT: 10 * us}
	d := &rttccState{}
	for i, c := range []struct {
		at, rtt int64 // us
		want    uint64
	}{
		{0, 10, 61e9},              // below the target
		{14, 12, 61e9},             // too early: the interval is longer than the round trip
		{15, 30, 62e9},             // at the target, slope 10 us
		{45, 30, 62e9},             // line rate, slope 5 us
		{75, 40, 43_787_500_000},   // 10 us beyond 30, slope 7.5 us: 1 - (8 + 3.75)/40 = 0.70625
		{114, 300, 43_787_500_000}, // too early: a round trip has not passed
		{115, 300, 21_893_750_000}, // no more than half
		{415, 35, 19_391_607_142},  // 5 us beyond, and falling: 1 - 4/35
	} {
		s.now = c.at * us
		d.acknowledged(s, f, (c.at-c.rtt)*us)
		if f.rate != c.want {
			t.Errorf("step %d: rate %d, want %d", i, f.rate, c.want)
		}
	}
}
