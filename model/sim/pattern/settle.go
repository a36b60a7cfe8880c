package pattern

import (
	"context"
	"math"
	"slices"

	"github.com/roceplan/roceplan/units"
)

// settleHops is the largest number of packet transmissions of a run that is made again twice as
// long: some ten seconds of one core.
const settleHops = 1 << 24

// settle makes one run, divided among so many cores if it is large. It is made again, twice as long
// each time, while its traffic goes on, it misses a goal that a longer run may meet, and it has not
// settled: only its start was seen. Rates that rise for long look settled in a short run; so of
// traffic that fills ports a run twice as long must agree, to what figures are known to. That stops
// at [Job.Longest] and where a run becomes too large. The last run that could be made is judged.
func (j *Job) settle(ctx context.Context, cores int, one Runner) (Outcome, error) {
	out, err := one(ctx, j, cores)
	before := -1.0 // throughput of a run half as long
	for own := *j; err == nil && own.restless(&out, before); {
		longer := *own.Scenario
		longer.Time *= 2
		own.Scenario = &longer
		before = out.figures().Throughput
		var next Outcome
		if next, err = one(ctx, &own, cores); err != nil || next.Skipped != "" {
			break
		}
		out = next
	}
	return out, err
}

// restless reports whether a run is worth a longer one.
func (j *Job) restless(o *Outcome, before float64) bool {
	if o.Steady == nil || !slices.ContainsFunc(o.Missed, ofTime) || o.Infeasible() != nil || 2*j.Scenario.Time > j.Longest || o.PacketHops > settleHops {
		return false
	}
	now := o.figures().Throughput
	return !o.Steady.Settled || now > 0 && math.Abs(now-before) > resolution*now
}

// ofTime reports whether a goal is a share of the time or of the packets of a run, so that a longer one may meet it.
func ofTime(goal string) bool {
	return goal == Throughput || goal == PausesPerSecond || goal == UsualLatency
}

// LongestUsual is for how long a run is made at most to see its steady state: ConnectX's timer,
// which brings a flow back after a cut, runs out every 300 us, and adds 5 Mb/s at a time.
const LongestUsual = 32 * units.Millisecond
