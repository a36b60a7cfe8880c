package fabric

import (
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
)

// watchdogs takes over the plan's PFC watchdogs. They look at queues for all of a run, so they
// are put into a scenario only where a storm gives them something to find.
func (b *builder) watchdogs() {
	b.net.Watchdogs = make([]*sim.Watchdog, len(b.sc.Nodes))
	for _, d := range b.devices {
		w := d.sw.Watchdog
		if w == nil || w.Action == plan.WatchdogAlert {
			continue
		}
		own := &sim.Watchdog{Poll: w.Poll.Value, Detection: w.Detection.Value, Restoration: w.Restoration.Value, Classes: 1 << RDMA}
		own.Detection, own.Restoration = max(own.Detection, own.Poll), max(own.Restoration, own.Poll)
		if w.Action == plan.WatchdogForward {
			own.Action = sim.WatchdogForward
		}
		b.net.Watchdogs[d.node] = own
	}
}
