package sim

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/units"
)

// Bounds of the error of completion times that docs/sim-results.md states for runs that skip what is steady:
// their mean, and that of a single message.
const skipMean, skipSingle = 0.05, 0.10

// skipping is a pattern of long messages of 4 KiB packets: an incast's are shorter, since they share a port.
func skipping(sc *Scenario, pattern, control string, size units.Bytes) *Scenario {
	sc.Transport.Payload = 4096
	if pattern == "incast" {
		size = size * 4 / units.Bytes(sc.hostCount())
	}
	return scenario(sc, pattern, control, size)
}

// skipErrors returns the errors of the completion times of a run that skips, of those of the whole run.
func skipErrors(t testing.TB, whole, skipped *Result) (mean, worst float64) {
	t.Helper()
	if len(whole.Flows) != len(skipped.Flows) || skipped.UnfinishedFlows > 0 {
		t.Fatalf("%d messages ended, %d of a run that skips", len(whole.Flows), len(skipped.Flows))
	}
	for i := range whole.Flows {
		a, b := &whole.Flows[i], &skipped.Flows[i]
		if a.Bytes != b.Bytes || a.StartUS != b.StartUS {
			t.Errorf("message %d: %d B from %v us on, of a run that skips %d B from %v us on", i, a.Bytes, a.StartUS, b.Bytes, b.StartUS)
		}
		e := b.FCTUS/a.FCTUS - 1
		mean += e / float64(len(whole.Flows))
		worst = max(worst, math.Abs(e))
	}
	return math.Abs(mean), worst
}

// Steady time is left out: all messages end with all their bytes, no packet is lost of those that were sent, and the
// error stays within the bound that is stated, for each control.
func TestSkipSteady(t *testing.T) {
	skipped := 0
	for _, pattern := range []string{"permutation", "incast"} {
		for _, control := range slices.Sorted(maps.Keys(controls)) {
			sc := skipping(leafSpine(2, 4, 2), pattern, control, 20*units.MB)
			whole := mustRun(t, sc)
			sc.SkipSteady = true
			r := mustRun(t, sc)
			mean, worst := skipErrors(t, whole, r)
			if mean > skipMean || worst > skipSingle {
				t.Errorf("%s, %s: completion times are off by %.3f in the mean, by %.3f at most", pattern, control, mean, worst)
			}
			if l := r.Packets; l.Created != l.Delivered || l.Left != 0 || l.Buffered != 0 || r.Drops > 0 {
				t.Errorf("%s, %s: %+v, %d dropped", pattern, control, l, r.Drops)
			}
			if r.SkippedUS > 0 {
				skipped++
				if r.PacketHops >= whole.PacketHops {
					t.Errorf("%s, %s: %v us skipped, but as many packets sent", pattern, control, r.SkippedUS)
				}
			}
		}
	}
	if skipped < len(controls) {
		t.Errorf("%d of %d runs skipped something", skipped, 2*len(controls))
	}
}

// A ring whose steps repeat is left out but for its beginning and its end: all steps are alike, so the
// error is that of a step, of thousands.
func TestSkipTrains(t *testing.T) {
	const n, steps = 16, 4000
	sc := ringOf(leafSpine(4, 4, 4), n, 64*units.KB, true)
	for i := range sc.Flows {
		sc.Flows[i].Repeat = steps
	}
	sc.ECN = nil
	whole := mustRun(t, sc)
	sc.SkipSteady = true
	r := mustRun(t, sc)
	mean, worst := skipErrors(t, whole, r)
	if mean > 0.001 || worst > 0.001 || r.PacketHops > whole.PacketHops/4 {
		t.Errorf("steps are off by %v in the mean, %v at most, with %d of %d packet-hops", mean, worst, r.PacketHops, whole.PacketHops)
	}
}

// What begins while others are skipped begins at its time, and waits for what it waits for.
func TestSkipKeepsTimes(t *testing.T) {
	sc := leafSpine(1, 4, 0)
	sc.flow(0, 1, 50*units.MB, 0)
	sc.flow(2, 3, units.MB, 3*units.Millisecond)
	sc.flow(3, 2, units.MB, 0)
	sc.Flows[2].After, sc.Flows[2].Delay = []int32{0}, 100*us
	whole := mustRun(t, sc)
	sc.SkipSteady = true
	r := mustRun(t, sc)
	if r.SkippedUS < 2000 {
		t.Errorf("%v us skipped of a lone message of 4 ms", r.SkippedUS)
	}
	for i, f := range r.Flows {
		if want := whole.Flows[i]; math.Abs(f.StartUS-want.StartUS) > 1 || math.Abs(f.FCTUS-want.FCTUS) > 1 {
			t.Errorf("message %d: %+v, of the whole run %+v", i, f, want)
		}
	}
}

// Where something else than messages has a time of its own, nothing is skipped.
func TestNothingToSkip(t *testing.T) {
	for name, change := range map[string]func(*Scenario){
		"observed": func(sc *Scenario) { sc.Observe = &Observation{Buffers: true} },
		"outage":   func(sc *Scenario) { sc.Outages = []Outage{{Link: 0, Down: units.Second}} },
		"TCP":      func(sc *Scenario) { sc.Flows[0].TCP = true },
	} {
		sc := leafSpine(1, 2, 0)
		sc.flow(0, 1, 10*units.MB, 0)
		sc.SkipSteady, sc.Stop = true, 2*units.Second
		if change(sc); sc.skippable() {
			t.Errorf("%s: may be skipped", name)
		}
	}
}

// Who takes on what others send, chunk by chunk, and is not ready yet, will wait for every chunk: none are left out before.
func TestSkipLateMember(t *testing.T) {
	sc := leafSpine(1, 4, 0)
	for i, after := range [][]int32{nil, {0}, {1}} {
		sc.flow(i, i+1, 64*units.KB, 0)
		sc.Flows[i].Repeat, sc.Flows[i].Each, sc.Flows[i].Ahead = 800, after, -1
	}
	sc.Flows[0].Ahead = 7
	sc.Flows[1].Start = 2 * units.Millisecond
	whole := mustRun(t, sc)
	sc.SkipSteady = true
	r := mustRun(t, sc)
	if mean, worst := skipErrors(t, whole, r); mean > 0.01 || worst > 0.01 || r.SkippedUS < 1000 {
		t.Errorf("chunks are off by %v in the mean, %v at most, %v us left out", mean, worst, r.SkippedUS)
	}
}

// Two rings side by side, one of small steps and one of large: each is left out by as many of its own steps as fit.
func TestSkipRingsOfTwoPaces(t *testing.T) {
	const n = 8
	sc := ringOf(leafSpine(4, 4, 4), n, 64*units.KB, true)
	for i := range n {
		sc.Flows[i].Repeat = 800
		sc.flow(n+i, n+(i+1)%n, 300*units.KB, 0)
		f := &sc.Flows[n+i]
		f.Repeat, f.Each, f.SrcPort = 200, []int32{int32(n + (i+n-1)%n)}, 20000
	}
	sc.ECN = nil
	whole := mustRun(t, sc)
	sc.SkipSteady = true
	r := mustRun(t, sc)
	if mean, worst := skipErrors(t, whole, r); mean > 0.01 || worst > 0.01 || r.SkippedUS < 1000 {
		t.Errorf("steps are off by %v in the mean, %v at most, %v us left out", mean, worst, r.SkippedUS)
	}
}
