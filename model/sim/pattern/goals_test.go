package pattern

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/units"
)

var goals = Goals{Throughput: 95 * units.Percent, PausesPerSecond: 5, MaxLatency: 80 * units.Microsecond, UsualLatency: 40 * units.Microsecond}

func TestGoals(t *testing.T) {
	fine := Outcome{Throughput: 0.95, Judged: true, PauseRate: 5, LatencyMax: 80, LatencyP90: 40}
	for _, c := range []struct {
		spoil func(*Outcome)
		want  []string
	}{
		{func(*Outcome) {}, []string{}},
		{func(o *Outcome) { o.Drops = 1 }, []string{LosslessDrops}},
		{func(o *Outcome) { o.Unfinished = 1 }, []string{Finish}},
		{func(o *Outcome) { o.Throughput = 0.949 }, []string{Throughput}},
		{func(o *Outcome) { o.Throughput, o.Judged = 0.5, false }, []string{}},
		{func(o *Outcome) { o.PauseRate = 5.1 }, []string{PausesPerSecond}},
		{func(o *Outcome) { o.LatencyMax = 80.1 }, []string{MaxLatency}},
		{func(o *Outcome) { o.LatencyMax, o.LatencyP90 = 90, 41 }, []string{MaxLatency, UsualLatency}},
	} {
		o := fine
		c.spoil(&o)
		if diff := cmp.Diff(c.want, goals.missed(&o)); diff != "" {
			t.Errorf("%+v:\n%s", o, diff)
		}
	}
}
