package pattern

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/units"
)

var goals = Goals{Throughput: 95 * units.Percent, PausesPerSecond: 5, MaxLatency: 80 * units.Microsecond, UsualLatency: 40 * units.Microsecond}

func TestGoals(t *testing.T) {
	fine := Outcome{Throughput: 0.95, Judged: true, PauseWindows: 200, WindowsOver: 2, LatencyMax: 80, LatencyBelowUsual: 0.9}
	for _, c := range []struct {
		spoil func(*Outcome)
		want  []string
	}{
		{func(*Outcome) {}, []string{}},
		{func(o *Outcome) { o.Drops, o.LosslessDrops = 1, 1 }, []string{LosslessDrops}},
		{func(o *Outcome) { o.Unfinished = 1 }, []string{Finish}},
		{func(o *Outcome) { o.Throughput = 0.949 }, []string{Throughput}},
		{func(o *Outcome) { o.Throughput, o.Judged = 0.5, false }, []string{}},
		{func(o *Outcome) { o.WindowsOver = 3 }, []string{PausesPerSecond}},
		{func(o *Outcome) { o.Drops = 7 }, []string{}}, // of TCP
		{func(o *Outcome) { o.PauseWindows, o.WindowsOver = 99, 1 }, []string{PausesPerSecond}},
		{func(o *Outcome) { o.LatencyMax = 80.1 }, []string{MaxLatency}},
		{func(o *Outcome) { o.LatencyMax, o.LatencyBelowUsual = 90, 0.899 }, []string{MaxLatency, UsualLatency}},
	} {
		o := fine
		c.spoil(&o)
		if diff := cmp.Diff(c.want, goals.missed(&o)); diff != "" {
			t.Errorf("%+v:\n%s", o, diff)
		}
	}
}

// The usual latency of scenarios together: a scenario meets it if each of its runs does, those
// that did not run or have a goal of their own do not count.
func TestUsualShare(t *testing.T) {
	run := func(name string, below float64) Outcome {
		return Outcome{Pattern: name, LatencyBelowUsual: below, UsualOfScenarios: true}
	}
	outcomes := []Outcome{run("a", 1), run("a", 0.9), run("b", 0.95), run("b", 0.5), run("b", 1), run("c", 0.9)}
	skipped := run("d", 0)
	skipped.Skipped = "needs more"
	outcomes = append(outcomes, skipped, Outcome{Pattern: "e", LatencyBelowUsual: 0.1})
	if met, judged := UsualShare(outcomes); met != 2 || judged != 3 {
		t.Errorf("%d of %d scenarios meet it, want 2 of 3: a and c of a, b and c", met, judged)
	}
	if !UsualMet(9, 10) || UsualMet(8, 10) || !UsualMet(0, 0) {
		t.Error("nine of ten are expected")
	}
	together := Goals{UsualLatency: 1, MaxLatency: 1 << 60, OfScenarios: true}
	alone := together
	alone.OfScenarios = false
	slow := &Outcome{LatencyBelowUsual: 0.5}
	if len(together.missed(slow)) != 0 || len(alone.missed(slow)) != 1 {
		t.Errorf("missed %v together, %v alone", together.missed(slow), alone.missed(slow))
	}
}

// Samples of a distribution have its mean, also where it jumps.
func TestSizes(t *testing.T) {
	for _, s := range []*Sizes{
		{Bytes: []int64{1000, 3000}, CDF: []float64{0, 100}},
		{Bytes: []int64{100, 200, 200, 5000, 9000}, CDF: []float64{0, 20, 60, 97.5, 100}},
		{Bytes: []int64{100, 500, 700, 1000}, CDF: []float64{0, 0, 50, 100}},
	} {
		sum, n := 0.0, 100_000
		for i := range n {
			sum += float64(s.at(100 * (float64(i) + 0.5) / float64(n)))
		}
		if mean := sum / float64(n); math.Abs(mean/s.mean()-1) > 0.001 {
			t.Errorf("%v: mean of the samples is %v, of the distribution %v", s.CDF, mean, s.mean())
		}
	}
}
