package lint

import (
	"github.com/roceplan/roceplan/plan"
)

// fabricPFCDiffers compares what ports are configured with.
func fabricPFCDiffers(c *comparison, port *plan.Port, got, want *plan.PortQoS) {
	at := first(got.Range, port.Range)
	if got.PFC != want.PFC {
		c.errorf(FabricPFCDiffers, at, "%s has PFC for %s, but in the fabric for %s", port.Name, Priorities(got.PFC), Priorities(want.PFC))
	}
	if got.Trust != want.Trust {
		c.errorf(FabricPFCDiffers, at, "%s does not treat the DSCPs of its peer as in the fabric", port.Name)
	}
	if got.Watchdog && want.Watchdog && got.PFC == want.PFC && got.Watched() != want.Watched() {
		c.errorf(FabricPFCDiffers, at, "the PFC watchdog of %s watches %s, but in the fabric %s", port.Name, Priorities(got.Watched()), Priorities(want.Watched()))
	}
	if got.Watchdog != want.Watchdog {
		c.errorf(FabricPFCDiffers, at, "the PFC watchdog watches %s in only one of file and fabric", port.Name)
	}
}
