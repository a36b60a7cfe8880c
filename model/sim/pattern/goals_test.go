package pattern

import (
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
