package bound

import (
	"math"
	"testing"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// What begins at once at a port of 100 Gb/s is done one after the other: 1,000 B with headers and gap take 100 ns there.
func TestSlowdownOfWhatBeginsAtOnce(t *testing.T) {
	many := func(n int, bytes units.Bytes, after ...int32) (list []sim.Flow) {
		for i := range n {
			f := send(1+i%3, 0, bytes, 0)
			f.After = after
			list = append(list, f)
		}
		return list
	}
	// Ten packets to one host that each take 200 ns alone are done after 100, 200, … 1,000 ns at the earliest: 0.5, 1, … 5
	// times. The sum is 27.5, of ten.
	ten := many(10, 1000)
	// The order of size and ideal: 1,000 B of 100 ns first, then 10,000 B of 1,000 ns, which is done after 1,100 ns: 1 + 1.1.
	two := []sim.Flow{send(1, 0, 10_000, 0), send(2, 0, 1000, 0)}
	// Two hundred, each alone in 100 ns: one of a hundred may be late, so that the 198th is done after 198 · 100 ns.
	all := many(200, 1000)
	for name, c := range map[string]struct {
		flows     []sim.Flow
		ideal     []units.Time // ns; the last one is that of all further ones
		mean, p99 float64
	}{
		"ten":               {ten, []units.Time{200}, 2.75, 5},
		"two sizes":         {two, []units.Time{1000, 100}, 1.05, 1.1},
		"one of a hundred":  {all, []units.Time{100}, 100.5, 198},
		"not counted":       {ten, []units.Time{0}, 1, 1},
		"what begins later": {append(many(1, 1000), send(2, 0, 1000, 1)), []units.Time{200}, 1, 1},
		"what waits":        {append(many(1, 1000), many(1, 1000, 0)...), []units.Time{100}, 1, 1},
		"one alone":         {many(1, 1000), []units.Time{100}, 1, 1},
	} {
		ideal := make([]units.Time, len(c.flows))
		for i := range ideal {
			ideal[i] = c.ideal[min(i, len(c.ideal)-1)] * units.Nanosecond
		}
		mean, p99 := Of(star(4, c.flows...), len(c.flows)).Slowdown(ideal, 1000)
		if math.Abs(mean-c.mean) > 1e-9 || p99 > c.p99 || p99 < c.p99/1.011 {
			t.Errorf("%s: mean %v, 99 %% %v, want %v, %v", name, mean, p99, c.mean, c.p99)
		}
	}
}

// A host is stuck from 1 us to 10 us: what begins in that time takes until then, and what begins before may be done before.
func TestSlowdownOfWhatIsStuck(t *testing.T) {
	var flows []sim.Flow
	for _, at := range []units.Time{0, 1, 6, 10} {
		flows = append(flows, send(1, 0, 1000, at*units.Microsecond))
	}
	sc := star(4, flows...)
	sc.Storms = []sim.Storm{{Host: 0, From: units.Microsecond, To: 10 * units.Microsecond}}
	ideal := []units.Time{200, 200, 200, 200}
	for i := range ideal {
		ideal[i] *= units.Nanosecond
	}
	// 9 us and 4 us are 45 and 20 times 200 ns.
	if mean, p99 := Of(sc, 4).Slowdown(ideal, 100); math.Abs(mean-(1+45+20+1)/4.0) > 1e-9 || p99 > 45 || p99 < 44.5 {
		t.Errorf("%v, %v", mean, p99)
	}
	sc.Storms[0].Class = 3
	if mean, p99 := Of(sc, 4).Slowdown(ideal, 100); mean != 1 || p99 != 1 {
		t.Errorf("of another class: %v, %v", mean, p99)
	}
}

// The port that more begins at counts: what a host sends to three at once, of which one hears of three others.
func TestSlowdownOfTheFullerPort(t *testing.T) {
	flows := []sim.Flow{send(0, 1, 1000, 0), send(0, 2, 1000, 0), send(0, 3, 1000, 0), send(1, 3, 1000, 0), send(2, 3, 1000, 0), send(2, 3, 1000, 0)}
	ideal := make([]units.Time, len(flows))
	for i := range ideal {
		ideal[i] = 100 * units.Nanosecond
	}
	// Four to host 3 and two others of host 0: (1 + 2 + 3 + 4 + 1 + 2) / 6.
	if mean, p99 := Of(star(4, flows...), len(flows)).Slowdown(ideal, 4); math.Abs(mean-13.0/6) > 1e-9 || p99 > 4 || p99 < 3.95 {
		t.Errorf("%v, %v", mean, p99)
	}
}

// As few as can be are late: by 1,000 ns one of the long ones and both short ones are done, or three short ones.
func TestLate(t *testing.T) {
	for name, c := range map[string]struct {
		jobs []job
		x    float64
		want int
	}{
		"all in time":    {[]job{{400, 1000}, {300, 1000}, {300, 1000}}, 1, 0},
		"a long one":     {[]job{{300, 1000}, {600, 1000}, {300, 1000}}, 1, 1},
		"two long ones":  {[]job{{900, 1000}, {900, 1000}, {300, 1000}, {300, 1100}}, 1, 2},
		"twice the time": {[]job{{900, 1000}, {900, 1000}, {300, 1000}, {300, 1200}}, 2, 1},
		"in order":       {[]job{{100, 100}, {100, 200}, {100, 300}, {500, 800}, {100, 900}}, 1, 0},
		"the largest":    {[]job{{50, 100}, {60, 100}, {20, 120}, {70, 200}, {10, 200}}, 1, 1},
	} {
		if got := late(c.jobs, c.x); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
