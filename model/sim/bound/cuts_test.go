package bound

import (
	"math"
	"testing"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// As in TestStart: packets of 100 ns, nothing comes back for T = 4.16 us, and a packet takes 2 us. Each
// notification halves a rate, and they come 4 us apart.
func TestWave(t *testing.T) {
	const mega = 1_000_000
	us := func(v float64) units.Time { return units.Time(math.Round(v * 1e6)) }
	var two []sim.Flow
	for range 4 {
		two = append(two, send(0, 4, mega, 0), send(1, 4, mega, 0))
	}
	for _, c := range []struct {
		name        string
		flows       []sim.Flow
		latency, at units.Time
		packets     int
	}{
		// 41 packets each by T, and in the next 4 us, at half of the rate, 20, of which the last need not
		// have gone: 240 packets, 24 us of the link, by 8.16 us. Then they send no more than it carries.
		{"four", []sim.Flow{send(0, 4, mega, 0), send(1, 4, mega, 0), send(2, 4, mega, 0), send(3, 4, mega, 0)}, us(2 + 24 - 8.16), us(8.16), 240},
		// Four queue pairs of a host can be halved twice before their host has less than its line to send:
		// line rate until T + 8 us. 30 packets of each of the eight by then.
		{"two over four pairs", two, us(2 + 24 - 12.16), us(12.16), 240},
		// 10 packets each, handed over in 1 us.
		{"little", []sim.Flow{send(0, 4, 10_000, 0), send(1, 4, 10_000, 0)}, us(2 + 2 - 1), us(1), 20},
	} {
		got := Of(star(5, c.flows...), len(c.flows)).Wave(Cuts{Apart: 4 * units.Microsecond, Kept: 0.5})
		if got.Latency != c.latency || got.At != c.at || got.Bytes != units.Bytes(c.packets*1250) || got.Port != 9 || !got.Last || got.Pairs != len(c.flows) {
			t.Errorf("%s: %+v, want %v with %d packets at %v", c.name, got, c.latency, c.packets, c.at)
		}
	}
	// A NIC that may cut to nothing, or be notified all the time, is bound by what nothing comes back for
	// alone: 41 packets each.
	for _, c := range []Cuts{{Apart: 4 * units.Microsecond}, {Kept: 0.5}} {
		four := []sim.Flow{send(0, 4, mega, 0), send(1, 4, mega, 0), send(2, 4, mega, 0), send(3, 4, mega, 0)}
		if got := Of(star(5, four...), 4).Wave(c); got.Latency != us(2+16.4-4.16) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// A NIC that keeps all of its rate in a decrease sends at line rate as long as it has something: four times
// 1,000 packets, of which the last waits for 3,000.
func TestWaveThatNothingSlows(t *testing.T) {
	var four []sim.Flow
	for i := range 4 {
		four = append(four, send(i, 4, 1_000_000, 0))
	}
	const cables = 2 * units.Microsecond
	if got := Of(star(5, four...), 4).Wave(Cuts{Apart: 4 * units.Microsecond, Kept: 1}); got.Latency != cables+300*units.Microsecond {
		t.Errorf("%+v", got)
	}
}

// With notifications all the time queue pairs may stop when the first comes. One of a host has sent its
// turn of T by then, each of two of another has one more packet at least.
func TestWaveOfCutsWithoutPause(t *testing.T) {
	flows := []sim.Flow{send(0, 4, 1_000_000, 0), send(1, 4, 1_000_000, 0), send(1, 4, 1_000_000, 0)}
	if got := Of(star(5, flows...), 3).Wave(Cuts{Kept: 0.5}); got.Port != 9 {
		t.Errorf("%+v", got)
	}
}

// Eight hosts send over four links to eight others. By their hash some share one; where each packet goes its
// own way nothing is known but of the last link, which has one sender: two more cables, and no wait.
func TestWaveOfOtherWays(t *testing.T) {
	for _, mode := range []balance.Mode{balance.ECMP, balance.Spray} {
		sc := star(8)
		sc.Nodes = append(sc.Nodes, make([]sim.Node, 8)...)
		sc.Nodes = append(sc.Nodes, sim.Switch)
		for i := range 8 {
			sc.Links = append(sc.Links, sim.Link{A: 9 + i, B: 17, Rate: 100 * units.Gbps, Delay: units.Microsecond})
			sc.Flows = append(sc.Flows, send(i, 9+i, 1_000_000, 0))
		}
		for range 4 {
			sc.Links = append(sc.Links, sim.Link{A: 8, B: 17, Rate: 100 * units.Gbps, Delay: units.Microsecond})
		}
		sc.Balancing.Mode = mode
		got := Of(sc, 8).Wave(Cuts{Apart: 4 * units.Microsecond, Kept: 0.5})
		if shared := !got.Last && got.Senders > 1; shared != (mode == balance.ECMP) || !shared && (!got.Last || got.Senders != 1 || got.Port < 0) {
			t.Errorf("%v: %+v", mode, got)
		}
	}
}

// Two hosts send over one link between switches, one from 1 us of cable to 9 us of it, the other from 3 us to 1 us, and the link is 1 us. What
// comes first may keep the link busy for what comes last, so that this goes 1 us to the link and 2 us from there, though no way is shorter
// than 5 us: 100 packets of each are 20 us of the link, handed over in 10 us.
func TestWaveOfUnequalCables(t *testing.T) {
	sc := leaves(1, send(0, 4, 100_000, 0), send(1, 5, 100_000, 0))
	sc.Wire = star(0).Wire
	for i, us := range map[int]units.Time{0: 1, 4: 9, 1: 3, 5: 1, 8: 1} {
		sc.Links[i].Delay = us * units.Microsecond
	}
	if got := Of(sc, 2).Wave(Cuts{}); got.Last || got.Senders != 2 || got.Latency != (3+20-10)*units.Microsecond {
		t.Errorf("%+v", got)
	}
}

// Where another class has another control, nothing is known of its queue pairs; of two NICs the one counts
// that slows down more.
func TestCutsOfClasses(t *testing.T) {
	sc := star(3, send(0, 2, 1000, 0), send(1, 2, 1000, 0))
	sc.Flows[1].Class = 4
	sc.Transport.CNPInterval = 4 * units.Microsecond
	sc.Congestion.Algorithm = sim.UseDCQCN
	sc.Congestion.DCQCN.LeastKept = 0.75
	own := sim.ClassControl{Congestion: sim.Congestion{Algorithm: sim.UseDCQCN, DCQCN: sim.DCQCN{Cut: 0.4}}}
	sc.Classes[4] = &own
	if got, ok := Of(sc, 2).Cuts(); !ok || got != (Cuts{4 * units.Microsecond, 0.6}) {
		t.Errorf("%+v, %v", got, ok)
	}
	own.Algorithm = sim.UseHPCC
	if got, ok := Of(sc, 2).Cuts(); ok {
		t.Errorf("with HPCC beside: %+v", got)
	}
}
