package pattern

import "github.com/roceplan/roceplan/units"

// Goals are the limits by which outcomes are judged. A lost packet is always a miss.
type Goals struct {
	Throughput units.Ratio // at least, where a pattern fills ports that the fabric can fill

	// PausesPerSecond is at most, at each port, in 99 % of the time. For that a run is divided
	// into 129 to 256 equal windows, or fewer of 1 us if it is shorter than 129 us. A window
	// meets the goal if no more pauses were in force in it than PausesPerSecond times its
	// length, rounded down: with 5 per second, in windows below 200 ms, that is none.
	PausesPerSecond int64

	MaxLatency units.Time // of all packets; 0: it is no goal
	// UsualLatency is the latency that at least 90 % of a run's packets must stay below. UCloud's
	// words for its goal are "in 90 % of scenarios": OfScenarios says that it is meant so, and then
	// a run that misses it is not a miss by itself. See [UsualShare].
	UsualLatency units.Time
	OfScenarios  bool
	// LongTransfers says that the fabric is for these, and that its author states no usual latency: scenarios are
	// not judged by it together.
	LongTransfers bool

	// Slowdown is the most that messages may take in the mean, as a multiple of what each takes alone, and SlowdownP99
	// what 99 % of them may take; Steps is the most that a block whose messages wait for one another may take, as a
	// multiple of its bound. 0: it is no goal. See [Completion].
	Slowdown, SlowdownP99, Steps float64
}

// Shares of time and of packets of which the goals speak.
const (
	pausesShare = 0.99
	usualShare  = 0.90
)

// UsualShare returns the number of scenarios all of whose runs stay below the usual latency, where
// that is a goal of scenarios together, and the number of those that were judged by it.
func UsualShare(outcomes []Outcome) (met, judged int) {
	runs := map[string]bool{}
	for i := range outcomes {
		if o := &outcomes[i]; o.Skipped == "" && o.UsualOfScenarios {
			before, seen := runs[o.Pattern]
			runs[o.Pattern] = (before || !seen) && o.figures().LatencyBelowUsual >= usualShare
		}
	}
	for _, ok := range runs {
		if judged++; ok {
			met++
		}
	}
	return met, judged
}

// UsualMet reports whether so many scenarios are enough.
func UsualMet(met, judged int) bool { return float64(met) >= usualShare*float64(judged) }

// Names of goals. LosslessDrops, LosslessLosses and Finish are those that are no matter of taste.
const (
	LosslessDrops   = "zero-lossless-drops"
	NotRun          = "run" // a scenario that the fabric or the call names cannot run
	Finish          = "all-flows-finish"
	Throughput      = "throughput"
	PausesPerSecond = "pauses-per-second"
	MaxLatency      = "max-latency"
	UsualLatency    = "usual-latency"
	LosslessLosses  = "zero-lossless-losses"
	MeanSlowdown    = "slowdown"
	SlowdownP99     = "slowdown-p99"
	StepsTime       = "steps"
)

// missed lists the goals that an outcome misses.
func (g *Goals) missed(o *Outcome) []string {
	list, by := []string{}, o.figures()
	for _, goal := range []struct {
		name   string
		missed bool
	}{
		{LosslessDrops, o.LosslessDrops > 0},
		{LosslessLosses, o.LosslessLost > 0},
		{Finish, o.Unfinished > 0},
		{Throughput, o.Judged && by.Throughput < float64(g.Throughput)/float64(units.One)},
		{PausesPerSecond, float64(by.WindowsOver) > (1-pausesShare)*float64(by.PauseWindows)},
		{MaxLatency, above(float64(g.MaxLatency)/1e6, by.LatencyMax)},
		{UsualLatency, by.LatencyBelowUsual < usualShare && !g.OfScenarios},
		{MeanSlowdown, above(g.Slowdown, o.multiple(MeanSlowdown))},
		{SlowdownP99, above(g.SlowdownP99, o.multiple(SlowdownP99))},
		{StepsTime, above(g.Steps, o.multiple(StepsTime))},
	} {
		if goal.missed {
			list = append(list, goal.name)
		}
	}
	return list
}

// above reports whether a multiple is above what a goal asks; 0 asks for nothing.
func above(goal, did float64) bool { return goal > 0 && did > goal }

// multiple returns the result of a run for a goal that is a multiple; 0 where it has none.
func (o *Outcome) multiple(goal string) float64 {
	c := o.Completion
	switch {
	case c == nil:
		return 0
	case goal == MeanSlowdown:
		return c.SlowdownMean
	case goal == SlowdownP99:
		return c.Spread.SlowdownP99
	}
	if b := c.most(); b != nil {
		return b.Steps
	}
	return 0
}

// multiple returns the limit of the goal of that name.
func (g *Goals) multiple(goal string) float64 {
	switch goal {
	case MeanSlowdown:
		return g.Slowdown
	case SlowdownP99:
		return g.SlowdownP99
	}
	return g.Steps
}
