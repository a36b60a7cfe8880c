package lint

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// fabricWatchdogDiffers compares timers and action.
func fabricWatchdogDiffers(c *comparison) {
	got, want := c.got.Watchdog, c.want.Watchdog
	switch {
	case got == nil && want == nil:
	case got == nil:
		c.errorf(FabricWatchdogDiffers, c.got.Range, "there is no PFC watchdog, but in the fabric it acts after %v", want.Detection.Value)
	case want == nil:
		c.errorf(FabricWatchdogDiffers, at(got.Detection, c.got.Range), "there is a PFC watchdog, but the fabric has none")
	default:
		c.timer(got.Detection, want.Detection, "acts after %v, but in the fabric after %v")
		c.timer(got.Restoration, want.Restoration, "restores after %v, but in the fabric after %v")
		c.timer(c.polls(got.Poll), c.polls(want.Poll), "polls every %v, but in the fabric every %v")
		if got.Action != want.Action {
			c.errorf(FabricWatchdogDiffers, first(got.Range, at(got.Detection, c.got.Range)), "the action of the PFC watchdog is %q, but in the fabric %q", got.Action, want.Action)
		}
	}
}

// polls is how often a watchdog polls. SONiC does so every 100 ms where the file does not say
// (sonic-swss orchagent/orchdaemon.cpp, PFC_WD_POLL_MSECS).
func (c *comparison) polls(given plan.Derived[units.Time]) plan.Derived[units.Time] {
	if given.Why == nil && given.Value == 0 && c.want.OS == "sonic" {
		given.Value = 100 * units.Millisecond
	}
	return given
}

func (c *comparison) timer(got, want plan.Derived[units.Time], what string) {
	if got.Value != want.Value {
		c.errorf(FabricWatchdogDiffers, at(got, c.got.Range), "the PFC watchdog "+what, got.Value, want.Value)
	}
}
