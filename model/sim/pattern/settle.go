package pattern

import (
	"context"

	"github.com/roceplan/roceplan/units"
)

// settleHops is how many transmissions of packets a run may have had that is made again twice as
// long: some tens of seconds of one core.
const settleHops = 1 << 25

// settle makes a run again, twice as long each time, while its traffic goes on, it has not settled
// and it misses a goal: what was seen then is the start. It stops at [Job.Longest] and where a run
// becomes too large. What is judged is the last run that could be made.
func (j *Job) settle(ctx context.Context, cores int) (Outcome, error) {
	out, err := j.once(ctx, cores)
	for own := *j; err == nil && own.restless(&out); {
		longer := *own.Scenario
		longer.Time *= 2
		own.Scenario = &longer
		var next Outcome
		if next, err = own.once(ctx, cores); err != nil || next.Skipped != "" {
			break
		}
		out = next
	}
	return out, err
}

// restless reports whether a run is worth a longer one.
func (j *Job) restless(o *Outcome) bool {
	return o.Steady != nil && !o.Steady.Settled && len(o.Missed) > 0 && o.Infeasible() == nil &&
		2*j.Scenario.Time <= j.Longest && o.PacketHops <= settleHops
}

// LongestUsual is for how long a run is made at most to see its steady state: ConnectX's timer,
// which brings a flow back after a cut, runs out every 300 us, and adds 5 Mb/s at a time.
const LongestUsual = 32 * units.Millisecond
