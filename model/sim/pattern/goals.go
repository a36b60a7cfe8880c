package pattern

import "github.com/roceplan/roceplan/units"

// Goals are what outcomes are judged by. No packet may be lost whatever they say.
type Goals struct {
	Throughput      units.Ratio // at least, where a pattern fills ports that the fabric can fill
	PausesPerSecond int64       // at most, per port, in the mean over the run
	MaxLatency      units.Time  // of all probes
	UsualLatency    units.Time  // of nine in ten probes
}

// Names of goals. LosslessDrops is the only one that is no matter of taste.
const (
	LosslessDrops   = "zero-lossless-drops"
	Finish          = "all-flows-finish"
	Throughput      = "throughput"
	PausesPerSecond = "pauses-per-second"
	MaxLatency      = "max-latency"
	UsualLatency    = "usual-latency"
)

// missed lists the goals that an outcome misses.
func (g *Goals) missed(o *Outcome) []string {
	list := []string{}
	for _, goal := range []struct {
		name   string
		missed bool
	}{
		{LosslessDrops, o.Drops > 0},
		{Finish, o.Unfinished > 0},
		{Throughput, o.Judged && o.Throughput < float64(g.Throughput)/float64(units.One)},
		{PausesPerSecond, o.PauseRate > float64(g.PausesPerSecond)},
		{MaxLatency, o.LatencyMax > float64(g.MaxLatency)/1e6},
		{UsualLatency, o.LatencyP90 > float64(g.UsualLatency)/1e6},
	} {
		if goal.missed {
			list = append(list, goal.name)
		}
	}
	return list
}
