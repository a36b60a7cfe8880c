package sim

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// A frame of 1,058 B payload and 48 B headers takes five cells of the experiment's switch.
const (
	experimentFrame = 1106
	experimentCells = 5
	experimentKmax  = 1400
	experimentPPS   = 2_227_007
	experimentPMax  = 0.01
)

// polling is a way to read the queue: each period, with a weight of 2^-shift. Period 0 is the
// queue as it is.
type polling struct {
	period units.Time
	shift  int
}

// surge is what became of the runs of one setting: how many pass Kmax, and the longest queue
// in cells.
type surge struct {
	passed  int
	longest int64
}

// firstSurge is longer than the queue takes to pass Kmax from any Kmin, and shorter than the
// host takes to be back at its rate after a cut.
const firstSurge = 700 * units.Microsecond

// TestPolledMarking repeats UCloud's experiment: one flow from a 25G host into a port that
// is shaped to 2,227,007 packets a second, with Kmin 1 and Kmin 800. Only if the switch
// polls its queues does it tell the two apart.
func TestPolledMarking(t *testing.T) {
	settings := []polling{{}}
	for _, us := range []units.Time{5, 10, 20, 30, 40, 50, 60, 75, 100, 150, 200} {
		for shift := range 6 {
			if late := us << shift; late >= 75 && late <= 320 {
				settings = append(settings, polling{us * units.Microsecond, shift})
			}
		}
	}
	var report bytes.Buffer
	report.WriteString(pollingHead)
	const runs = 100
	reproducing := []polling{{}}
	for i, pair := range surges(t, settings, runs, int64(firstSurge)) {
		low, high, verdict := pair[0], pair[1], ""
		if settings[i].period > 0 && 20*low.passed <= runs && 5*high.passed >= 4*runs {
			verdict = "  reproduced"
			reproducing = append(reproducing, settings[i])
		}
		fmt.Fprintf(&report, "%s%s\n", line(settings[i], low, high), verdict)
	}
	fmt.Fprintf(&report, pollingLater, 20)
	for i, pair := range surges(t, reproducing, 20, never) {
		fmt.Fprintf(&report, "%s\n", line(reproducing[i], pair[0], pair[1]))
		if most := max(pair[0].longest, pair[1].longest); i == 0 && most > experimentKmax+50 {
			t.Errorf("%d cells with marks from the queue as it is", most)
		}
	}
	if len(reproducing) == 1 {
		t.Error("no period and weight reproduces the experiment")
	}
	compareGolden(t, "sim_polling.txt", report.Bytes())
}

func line(p polling, low, high surge) string {
	us := func(t units.Time) int64 { return int64(t / units.Microsecond) }
	return fmt.Sprintf("%6d us %7.3f %7d us %8d %8d %8d %8d", us(p.period), p.weight(), us(p.period<<p.shift), low.passed, low.longest, high.passed, high.longest)
}

func (p polling) weight() float64 { return 1 / float64(int(1)<<p.shift) }

// surges runs all settings with Kmin 1 and 800, side by side.
func surges(t *testing.T, settings []polling, runs int, until int64) [][2]surge {
	found := make([][2]surge, len(settings))
	var wait sync.WaitGroup
	tokens := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, p := range settings {
		for k, kmin := range []units.Cells{1, 800} {
			wait.Go(func() {
				tokens <- struct{}{}
				found[i][k] = runSurges(t, experiment(kmin, p), runs, until)
				<-tokens
			})
		}
	}
	wait.Wait()
	return found
}

func runSurges(t *testing.T, sc *Scenario, runs int, until int64) (found surge) {
	for sc.Seed = 1; sc.Seed <= uint64(runs); sc.Seed++ {
		s, err := newEngine(sc)
		if err != nil {
			t.Error(err)
			return
		}
		for s.now < until && s.step(never) {
		}
		if s.longest() > experimentKmax {
			found.passed++
		}
		found.longest = max(found.longest, s.longest())
	}
	return found
}

// longest returns the longest queue so far in cells.
func (s *engine) longest() int64 { return int64(s.peakQueue) / experimentFrame * experimentCells }

func experiment(kmin units.Cells, p polling) *Scenario {
	sc := leafSpine(1, 2, 0)
	sc.Transport.Payload = experimentFrame - dataHeaderBytes
	sc.Transport.CNPInterval = 50 * units.Microsecond
	sc.Links[0].Rate = 25 * units.Gbps
	sc.Links[1].Rate = experimentPPS * experimentFrame * 8
	bytes := func(n units.Cells) units.Bytes { return units.Bytes(n) * experimentFrame / experimentCells }
	sc.ECN = []ECN{{
		Rate: sc.Links[1].Rate, KMin: bytes(kmin), KMax: bytes(experimentKmax), PMax: experimentPMax,
		PollPeriod: p.period, Weight: p.weight(),
	}}
	sc.Congestion = Congestion{Algorithm: UseDCQCN, MinRate: units.Mbps, DCQCN: paperDCQCN()}
	sc.flow(0, 1, 20*units.MB, 0)
	return sc
}

// paperDCQCN has the parameters of Zhu et al., SIGCOMM 2015, figure 14, and the 4 us of the
// HPCC simulator between two looks for a notification.
func paperDCQCN() DCQCN {
	return DCQCN{
		Gain: 1.0 / 256, AlphaInterval: 55 * units.Microsecond, DecreaseInterval: 4 * units.Microsecond,
		IncreaseInterval: 55 * units.Microsecond, ByteCounter: 10 * units.MB, FastRecovery: 5, Additive: 40 * units.Mbps, Hyper: 200 * units.Mbps,
	}
}

// Marks fall at random, so no reading of the queue makes it certain that one falls while it
// climbs from 800 to 1400 cells. How often none does in time is known: packets leave at
// 2.227 M/s, each is marked with p = 1 % · (q - 800)/600, and a mark counts if it falls early
// enough to act before 1400. From "in time at the last instant" to "12 us before" that is
// 10.7 to 13.9 %.
func TestNoMarkInTime(t *testing.T) {
	const runs = 1000
	climb := (25e9/8/experimentFrame - experimentPPS) * experimentCells // cells/s
	none := func(loop float64) float64 {
		until := experimentKmax - 800 - climb*loop
		return math.Exp(-experimentPPS / climb * experimentPMax * until * until / 2 / (experimentKmax - 800))
	}
	passed := runSurges(t, experiment(800, polling{}), runs, int64(firstSurge)).passed
	t.Logf("%d of %d runs pass, theory says %.1f to %.1f %%", passed, runs, 100*none(0), 100*none(12e-6))
	low, high := runs*none(0), runs*none(12e-6)
	if deviation := 3 * math.Sqrt(high); float64(passed) < low-deviation || float64(passed) > high+deviation {
		t.Errorf("%d of %d runs pass, expected were %.0f to %.0f", passed, runs, low, high)
	}
}

func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := "../../golden/" + name
	if *diagtest.Update {
		must.Do(t, os.WriteFile(path, got, 0o644))
		return
	}
	want := must.Get(os.ReadFile(path))(t)
	must.NoDiffIn(t, cmp.Diff(string(want), string(got)), "%s (-golden +got); -update rewrites it:", name)
}

const pollingLater = `
The whole 20 MB, %d runs each: what passes later does so after a recovery that met no mark.

`

const pollingHead = `Marking by a polled and averaged queue: UCloud's experiment

One flow starts at 25 Gb/s into a port shaped to 2,227,007 packets/s. 5 cells per packet,
Kmax 1400 cells, Pmax 1 %, DCQCN with the paper's parameters, a CNP each 50 us at most, marks
as packets leave, 1 us of cable per hop. UCloud reports that with Kmin 1 the queue never
passes 1400 cells and with Kmin 800 it does, on a switch whose software polls the queue and
averages: average += weight * (length - average). The weight is a power of two as in Dell's
manuals of Broadcom switches (OS9, wred weight: 2^-N); the period is published nowhere.

The queue climbs by 2.99 cells/us until the first cut takes effect: Kmin 800 leaves 201 us
until Kmax, Kmin 1 leaves 468 us. Marks fall at random, so in neither case is it certain that
one falls in time. With the queue as it is, no mark falls before 1400 cells with a chance of
exp(-447 * 1 % / 2) = 11 % from 800 and exp(-1043 * 1 % / 2) = 0.5 % from 1: no constants of
NIC or switch make that zero. But above Kmax every packet is marked, so the queue then
passes by what arrives until the host has reacted, 35 cells and 12 us; an alarm that polls
sees little of that. That is the difference: by a round trip, or by hundreds of cells.

Averaging is late by about period/weight. Reproduced is where at most 5 of 100 runs pass with
Kmin 1 and at least 80 with Kmin 800: period/weight of 160 to 200 us, be it 50 us and 1/4 or
10 us and 1/16. Shorter ones spare Kmin 800, longer ones break Kmin 1 as well, and a period
alone (weight 1) spreads the delay too evenly to tell the two apart.

As the flow starts, 100 runs each; period/weight; runs beyond 1400 cells and the longest queue
                                     Kmin 1            Kmin 800
   period  weight      late   beyond  longest   beyond  longest
`

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
	must.Do(t, err)
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
		must.Equalf(t, h.percentile(50), want, "of %d it is", v)
	}
	must.Equalf(t, len(newHistogram(20).counts), (20-7)*64+128, "buckets:")
}

// A scenario without hosts has no rate of theirs; else it is that of the first link of the first host.
func TestRateOfHosts(t *testing.T) {
	sc := leafSpine(1, 2, 1)
	sc.Links[0].Rate, sc.Links[1].Rate = 40*units.Gbps, 50*units.Gbps
	if got := sc.hostRate(); got != 40e9 || sc.hostCount() != 2 {
		t.Errorf("%d of %d hosts", got, sc.hostCount())
	}
	sc.Links[0].A, sc.Links[0].B = sc.Links[0].B, sc.Links[0].A
	must.Equal(t, sc.hostRate(), 40e9)
	sc.Links = sc.Links[1:]
	must.Equal(t, sc.hostRate(), 0)
}
