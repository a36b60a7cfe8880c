package sim

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/units"
)

// Counters are polled at the begin, each period while there is anything to count, and at the end, if that is no poll already; an error ends it.
func TestTimesOfPolls(t *testing.T) {
	polled := func(period units.Time, fails int, edit func(sc *Scenario)) ([]units.Time, *Result, error) {
		var at []units.Time
		sc := oneSwitch(2, chipBuffer(2, 5000, 3000, -1))
		sc.flow(0, 1, 10_000, 2*units.Microsecond)
		sc.Observe = &Observation{Counters: &Counters{Period: period, Polled: func(now units.Time, _ *Counted) error {
			if at = append(at, now); len(at) == fails {
				return errors.New("full")
			}
			return nil
		}}}
		if edit != nil {
			edit(sc)
		}
		r, err := Run(t.Context(), sc)
		return at, r, err
	}
	_, r, err := polled(units.Second, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	end := units.Time(ps(r.Flows[0].StartUS + r.Flows[0].FCTUS))
	for _, period := range []units.Time{end / 2, end/2 + 1, end, end - 1, end + 1} {
		var want []units.Time // the poll that was planned sees the end
		for next := units.Time(0); ; next += period {
			if want = append(want, next); next >= end {
				break
			}
		}
		if at, _, err := polled(period, 0, nil); err != nil || !slices.Equal(at, want) {
			t.Errorf("every %d ps of %d: %v, want %v: %v", period, end, at, want, err)
		}
	}
	// A run that is stopped is polled at its last event: the first packet is in the switch 83,840 ps and a cable after 2 us, the
	// second one 83,840 ps later.
	at, _, err := polled(2*units.Microsecond, 0, func(sc *Scenario) { sc.Stop = 3*units.Microsecond + 100_000 })
	if err != nil || !slices.Equal(at, []units.Time{0, 2_000_000, 3_083_840}) {
		t.Errorf("%v, %v", at, err)
	}
	for fails := 1; fails <= 3; fails++ {
		if at, _, err := polled(units.Microsecond, fails, nil); err == nil || err.Error() != "full" || len(at) != fails {
			t.Errorf("polled at %v, then %v", at, err)
		}
	}
	for want, edit := range map[string]func(sc *Scenario){
		"counters that are polled every ": func(sc *Scenario) { sc.Observe.Counters.Period = units.Nanosecond - 1 },
		"node 2 has no buffer of a chip":  func(sc *Scenario) { sc.Silicon = nil },
	} {
		if _, _, err := polled(units.Microsecond, 0, edit); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, _, err := polled(units.Nanosecond, 0, func(sc *Scenario) { sc.Stop = 3 * units.Nanosecond }); err != nil {
		t.Error(err)
	}
}

// Sums of products are exact, beyond 64 bits too, in any order.
func TestSumsByHand(t *testing.T) {
	var a, b sum
	a.add(1<<63, 2)
	a.add(1<<63, 3)
	b.add(1<<63, 5)
	if a != (sum{2, 1 << 63}) || b != (sum{2, 1 << 63}) {
		t.Errorf("%+v, %+v", a, b)
	}
	a.join(b)
	if a != (sum{5, 0}) || a.float() != 5*0x1p64 {
		t.Errorf("%+v, %v", a, a.float())
	}
	a.add(3, 7)
	if a != (sum{5, 21}) || (sum{0, 21}).float() != 21 {
		t.Errorf("%+v", a)
	}
	h, other := newHistogram(20), newHistogram(20)
	if h.percentile(50) != 0 || h.mean() != 0 {
		t.Error("of nothing")
	}
	one := newHistogram(20)
	if one.add(7, 1); one.mean() != 7 {
		t.Errorf("%v in the mean", one.mean())
	}
	h.add(100, 2)
	other.add(200, 3)
	other.add(50, 1)
	h.join(&other)
	h.join(&histogram{})
	if h.total != 6 || h.max != 200 || h.mean() != 850./6 || h.percentile(16) != 50 || h.percentile(50) != 100 || h.percentile(51) < 200 {
		t.Errorf("%+v", h)
	}
	// Exact up to 127, pairs from 128, fours from 256; values that are too large are of the last bucket, and what is said of
	// that is the largest.
	for v, want := range map[int64]int64{0: 0, 127: 127, 128: 129, 129: 129, 130: 131, 255: 255, 256: 259, 1 << 19: 1<<19 + 1<<13 - 1} {
		h := newHistogram(20)
		h.add(v, 1)
		h.add(1<<20-1, 1)
		if got := h.percentile(50); got != want {
			t.Errorf("of %d it is %d, want %d", v, got, want)
		}
	}
	if n := len(newHistogram(20).counts); n != (20-7)*64+128 {
		t.Errorf("%d buckets", n)
	}
}

// A scenario without hosts has no rate of theirs; else it is that of the first link of the first host.
func TestRateOfHosts(t *testing.T) {
	sc := leafSpine(1, 2, 1)
	sc.Links[0].Rate, sc.Links[1].Rate = 40*units.Gbps, 50*units.Gbps
	if got := sc.hostRate(); got != 40e9 || sc.hostCount() != 2 {
		t.Errorf("%d of %d hosts", got, sc.hostCount())
	}
	sc.Links[0].A, sc.Links[0].B = sc.Links[0].B, sc.Links[0].A
	if got := sc.hostRate(); got != 40e9 {
		t.Errorf("%d", got)
	}
	sc.Links = sc.Links[1:]
	if got := sc.hostRate(); got != 0 {
		t.Errorf("%d", got)
	}
}
