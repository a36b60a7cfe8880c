package policy

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// checkGoals refuses a latency that all packets keep and that is smaller than what nine in ten may take.
func checkGoals(d *decoder, t *Targets) {
	usual, largest := t.UsualLatency, t.MaxLatency
	if usual.Value <= largest.Value {
		return
	}
	message := fmt.Sprintf("usual_latency %s is above max_latency %s", orDefault(usual), orDefault(largest))
	if !largest.Set {
		d.errorf(DelayOrder, usual.Range, "%s", message).Fixf("write at most %q, or give a larger max_latency", largest.Value)
		return
	}
	found := d.errorf(DelayOrder, largest.Range, "%s", message).Fixf("write at least %q, or a smaller usual_latency", usual.Value)
	if usual.Set {
		found.Notef(usual.Range, "usual_latency is here")
	}
}

// orDefault says whether a time is given or a default.
func orDefault(o Opt[units.Time]) string {
	if o.Set {
		return o.Value.String()
	}
	return o.Value.String() + " (the default)"
}
