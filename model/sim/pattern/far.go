package pattern

import (
	"fmt"

	"github.com/roceplan/roceplan/model/sim/bound"
	"github.com/roceplan/roceplan/units"
)

// Far has the result of a run, or of the worst of several, for a goal that it misses, and the bound that is proved to
// be out of reach: a latency in us, a share of throughput, of packets or of windows of time, a multiple of the
// messages' times alone or of a bound, a number of messages or packets.
type Far struct {
	Goal  string  `json:"goal"`
	Did   float64 `json:"did"`
	Asked float64 `json:"asked"` // at least of throughput and of packets below the usual latency, else at most

	// Bound is the strictest that no setting beats in what is judged of the run, and By its kind; empty: none is
	// proved. A goal that is missed on this side of its bound is not proved to be out of reach.
	Bound float64 `json:"bound,omitempty"`
	By    string  `json:"bound_by,omitempty"`

	// OfNICs is the bound of SlowestCuts, where it is stricter: of the run's NIC constants, and not of others.
	OfNICs float64 `json:"bound_of_nic_constants,omitempty"`
}

// far returns the result of a run for a goal by its name, in the figures by which it is judged; t is the traffic of the
// run. No message is faster than alone, and no block than its bound.
func (s *Scenario) far(o *Outcome, goal string, t *bound.Traffic) Far {
	by, f, g := o.figures(), Far{Goal: goal}, &s.Goals
	switch goal {
	case Throughput:
		f.Did, f.Asked = by.Throughput, float64(g.Throughput)/float64(units.One)
		f.Bound, f.By = 1, LinkCapacity
	case MaxLatency:
		f.Did, f.Asked = by.LatencyMax, float64(g.MaxLatency)/1e6
		f.Bound, f.By = float64(t.Alone())/1e6, EmptyWay
	case PausesPerSecond:
		f.Did, f.Asked = float64(by.WindowsOver)/float64(max(1, by.PauseWindows)), 1-pausesShare
	case UsualLatency:
		f.Did, f.Asked = by.LatencyBelowUsual, usualShare
	case Finish:
		f.Did = float64(o.Unfinished)
	case LosslessDrops:
		f.Did = float64(o.LosslessDrops)
	case LosslessLosses:
		f.Did = float64(o.LosslessLost)
	case MeanSlowdown, SlowdownP99, StepsTime:
		f.Did, f.Asked, f.Bound = o.multiple(goal), g.multiple(goal), 1
		f.By = EmptyWay
		if goal == StepsTime {
			f.By = LeastSteps
		}
	}
	for i := range o.Bounds {
		f.bind(&o.Bounds[i])
	}
	return f
}

// bind takes a bound of what is judged, if it is stricter than what is known.
func (f *Far) bind(b *Bound) {
	switch {
	case b.Goal != f.Goal || !b.Judged || (f.Goal == Throughput) == (b.Value > f.Bound):
	case b.Kind == SlowestCuts:
		f.OfNICs = b.Value
	default:
		f.Bound, f.By = b.Value, b.Kind
	}
}

// Worse reports whether a run that did this is further from the goal than another.
func (f Far) Worse(than Far) bool {
	if f.Goal == Throughput || f.Goal == UsualLatency {
		return f.Did < than.Did
	}
	return f.Did > than.Did
}

// String says it in one line.
func (f Far) String() string {
	say := func(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }
	switch f.Goal {
	case MaxLatency:
		say = func(v float64) string { return fmt.Sprintf("%.1f us", v) }
	case MeanSlowdown, SlowdownP99, StepsTime:
		say = func(v float64) string { return fmt.Sprintf("%.1f times", v) }
	case Finish, LosslessDrops, LosslessLosses:
		say = func(v float64) string { return fmt.Sprintf("%.0f", v) }
	}
	bound := "no bound proved"
	if f.By != "" {
		bound = fmt.Sprintf("bound %s by %s", say(f.Bound), f.By)
	}
	if f.OfNICs > 0 {
		bound += fmt.Sprintf(" (of these NIC constants %s by %s)", say(f.OfNICs), SlowestCuts)
	}
	return fmt.Sprintf("%s: %s, reached %s, asked %s", f.Goal, bound, say(f.Did), say(f.Asked))
}

// room returns the margin of the goal that is closest to being missed, 0 to 1, as a share of the goal; 0 where one is
// missed. A run that is a hair's breadth within a goal is as likely as not to miss it with another seed.
func (g *Goals) room(o *Outcome) float64 {
	if len(o.Missed) > 0 {
		return 0
	}
	by, least := o.figures(), 1.0
	part := func(asked, did, none float64) {
		if asked != none {
			least = min(least, max(0, (did-asked)/(none-asked)))
		}
	}
	if o.Judged {
		part(float64(g.Throughput)/float64(units.One), by.Throughput, 1)
	}
	if !g.OfScenarios {
		part(usualShare, by.LatencyBelowUsual, 1)
	}
	if g.MaxLatency > 0 {
		part(float64(g.MaxLatency)/1e6, by.LatencyMax, 0)
	}
	for _, goal := range []string{MeanSlowdown, SlowdownP99, StepsTime} {
		if asked := g.multiple(goal); asked > 1 && o.multiple(goal) > 0 {
			part(asked, o.multiple(goal), 1)
		}
	}
	part(1-pausesShare, float64(by.WindowsOver)/float64(max(1, by.PauseWindows)), 0)
	return least
}
