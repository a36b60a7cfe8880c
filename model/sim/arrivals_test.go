package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// However often windows are joined, nothing is lost, and a window holds what came in it.
func TestArrivalWindows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	log := newArrivalLog()
	var times []int64
	for now := int64(0); len(times) < 5000; now += random.Int64N(int64(3 * units.Microsecond)) {
		times = append(times, now)
		log.at(now, 3).Join(&Arrivals{Packets: 1, Longest: units.Time(now)})
	}
	last := times[len(times)-1]
	if log.width*arrivalWindows <= last || log.width*arrivalWindows/2 > last {
		t.Errorf("windows of %d ps for %d ps", log.width, last)
	}
	r := &Observed{arrivals: log}
	from, to := units.Time(100*log.width-1), units.Time(300*log.width+1) // windows 100 to 299
	var want Arrivals
	for _, at := range times {
		if at/log.width >= 100 && at/log.width < 300 {
			want.Join(&Arrivals{Packets: 1, Longest: units.Time(at)})
		}
	}
	if got := r.Arrived(3, from, to); got != want || want.Packets == 0 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Windows of time tell of a class what they would without another one beside it, which lasts a thousand times as long.
func TestWindowsWithoutAClassBeside(t *testing.T) {
	const us = int64(units.Microsecond)
	o := &observer{beside: 1 << 2, arrivals: newArrivalLog()}
	for class := range o.classes {
		o.classes[class].latency = newHistogram(latencyBits)
	}
	o.arrived(500*us, 3, 1000, 7*us)
	o.arrived(500_000*us, 2, 1000, 9*us)
	r := &Observed{arrivals: o.arrivals}
	if got := r.Arrived(3, 0, 1<<60); got != (Arrivals{Packets: 1, Bytes: 1000, Latency: 7 * units.Microsecond, Longest: 7 * units.Microsecond}) || r.ArrivalWidth() != units.Microsecond {
		t.Errorf("%+v in windows of %v", got, r.ArrivalWidth())
	}
	if got := r.Arrived(2, 0, 1<<60); got.Packets != 0 || o.classes[2].latency.total != 1 || o.lastTold != 500*us || o.last != 500_000*us {
		t.Errorf("beside: %+v, %d packets counted, last at %d and %d ps", got, o.classes[2].latency.total, o.lastTold, o.last)
	}
}

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
		s := must.Get(newEngine(sc))(t)
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
