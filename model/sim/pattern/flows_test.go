package pattern

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/units"
)

// Arrivals come to the load that the pattern says, within four standard deviations of a
// Poisson number of messages with the sizes of the distribution.
func TestLoad(t *testing.T) {
	hosts := make([]fabric.Host, 64)
	for i := range hosts {
		hosts[i].Rate = 100 * units.Gbps
	}
	windows := map[string]units.Time{"websearch": 15 * units.Millisecond, "hadoop": 900 * units.Microsecond}
	for _, p := range Library() {
		if p.Sizes == nil || p.BurstSenders > 0 {
			continue
		}
		window, sum := windows[p.Sizes.Name], 0.0
		flows := lay(&p, hosts, window, 3)
		if len(flows) > maxFlows*95/100 {
			t.Fatalf("%s: %d flows, so that the time was cut", p.Name, len(flows))
		}
		for _, f := range flows {
			sum += float64(f.Bytes)
		}
		cv := p.Sizes.deviation() / p.Sizes.mean()
		want := 64 * float64(hosts[0].Rate.FloorBytes(window)) * float64(p.Load) / float64(units.One)
		if off := sum/want - 1; math.Abs(off) > 4*math.Sqrt((1+cv*cv)/float64(len(flows))) {
			t.Errorf("%s: %d flows, load is off by %.1f %%", p.Name, len(flows), 100*off)
		}
	}
}

// deviation is the standard deviation of the sizes.
func (s *Sizes) deviation() float64 {
	square := 0.0
	for i := 1; i < len(s.CDF); i++ {
		a, b := float64(s.Bytes[i-1]), float64(s.Bytes[i])
		square += (s.CDF[i] - s.CDF[i-1]) / 100 * (a*a + a*b + b*b) / 3
	}
	return math.Sqrt(square - s.mean()*s.mean())
}

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
