package scenario

import (
	"math"
	"testing"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// A ring on a compiled fabric that leaves out what repeats ends when the whole run does, to 1 %: its steps are alike, but for
// the hosts' turns. It loses nothing and sends less. Two milliseconds of 126 steps are left out in part.
func TestSkipSteady(t *testing.T) {
	for _, control := range []string{"none", "dcqcn", "hpcc"} {
		f, p := compiled(t, control, `
			scenario "ring" {
			  ring_all_reduce {
			    message = "8MB"
			  }
			}`)
		list := jobs(t, p, whole, Traces(nil).All(f)[:1], 100*units.Microsecond)
		list[0].SkipSteady, list[0].Detailed = true, true
		skipped := run(t, list)[0]
		list[0].Prepare = append(list[0].Prepare, func(sc *sim.Scenario, _ int) { sc.SkipSteady = false })
		all := run(t, list)[0]
		if off := math.Abs(skipped.Duration/all.Duration - 1); off > 0.01 || skipped.SkippedUS < all.Duration/10 || skipped.PacketHops >= all.PacketHops {
			t.Errorf("%s: %.1f us, off by %.4f, %.1f us left out of %.1f, %d hops of %d", control, skipped.Duration, off, skipped.SkippedUS, all.Duration, skipped.PacketHops, all.PacketHops)
		}
		if skipped.Unfinished+int(skipped.Drops) > 0 || len(skipped.FlowResults) != len(all.FlowResults) || skipped.Queues == nil || skipped.Steady != nil {
			t.Errorf("%s: %d unfinished, %d dropped, %d results, steady %+v", control, skipped.Unfinished, skipped.Drops, len(skipped.FlowResults), skipped.Steady)
		}
		t.Logf("%s: off by %.5f, %.0f of %.0f us left out", control, skipped.Duration/all.Duration-1, skipped.SkippedUS, all.Duration)
	}
}
