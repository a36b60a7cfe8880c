package pattern

import "github.com/roceplan/roceplan/units"

// Far is how far a run, or the worst of several, is from a goal: a latency in us, a share of throughput, of
// packets or of windows of time, a number of messages or packets.
type Far struct {
	Goal  string  `json:"goal"`
	Did   float64 `json:"did"`
	Asked float64 `json:"asked"` // at least of throughput and of packets below the usual latency, else at most
}

// Far is what a run did of a goal by its name, in the figures that it is judged by.
func (g *Goals) Far(o *Outcome, goal string) Far {
	by, f := o.figures(), Far{Goal: goal}
	switch goal {
	case Throughput:
		f.Did, f.Asked = by.Throughput, float64(g.Throughput)/float64(units.One)
	case MaxLatency:
		f.Did, f.Asked = by.LatencyMax, float64(g.MaxLatency)/1e6
	case PausesPerSecond:
		f.Did, f.Asked = float64(by.WindowsOver)/float64(max(1, by.PauseWindows)), 1-pausesShare
	case UsualLatency:
		f.Did, f.Asked = by.LatencyBelowUsual, usualShare
	case Finish:
		f.Did = float64(o.Unfinished)
	case LosslessDrops:
		f.Did = float64(o.LosslessDrops)
	}
	return f
}

// Worse reports whether a run that did this is further from the goal than another.
func (f Far) Worse(than Far) bool {
	if f.Goal == Throughput || f.Goal == UsualLatency {
		return f.Did < than.Did
	}
	return f.Did > than.Did
}
