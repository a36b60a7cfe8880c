package sim

import (
	"testing"

	"github.com/roceplan/roceplan/units"
)

// A packet that waits at 1 Mb/s leaves soon after the timer has raised the rate: of the
// 1,048 B that would have taken 8,384 us, 300 us have passed, and the other 8,084 us of it
// take a part of them that is the ratio of the rates. Half-way from 1 Mb/s to a target of
// 10,001 Mb/s is 5,001 Mb/s: 8,084 us / 5,001 are 1.616 us.
func TestRepace(t *testing.T) {
	sc := towards(1, 25*units.Gbps, 0)
	sc.Congestion.Algorithm = UseDCQCN
	sc.Congestion.DCQCN = DCQCN{
		Gain: 1. / 256, AlphaInterval: units.Microsecond, DecreaseInterval: 4 * units.Microsecond,
		IncreaseInterval: 300 * units.Microsecond, FastRecovery: 1, Additive: units.Mbps, Hyper: units.Mbps,
	}
	for _, c := range []struct {
		repace bool
		want   units.Time
	}{{false, 8384 * units.Microsecond}, {true, 301_616_476}} {
		sc.Congestion.DCQCN.Repace = c.repace
		s, err := newEngine(sc)
		if err != nil {
			t.Fatal(err)
		}
		f, d := &s.flows[0], &s.flows[0].law.dcqcn.states[0]
		f.rate, f.nextSend = uint64(units.Mbps), int64(8384*units.Microsecond)
		*d = dcqcnState{active: true, target: uint64(10_001 * units.Mbps), alphaAt: never, decreaseAt: never, increaseAt: int64(300 * units.Microsecond)}
		if look := d.waits(s, f); c.repace && look != int64(300*units.Microsecond) {
			t.Errorf("the host looks again at %d ps, not when the rate rises", look)
		}
		s.now, s.setAt = int64(301*units.Microsecond), int64(301*units.Microsecond)
		if d.waits(s, f); f.nextSend != int64(c.want) {
			t.Errorf("repace %v: the packet leaves at %d ps, want %d", c.repace, f.nextSend, c.want)
		}
	}
}
