// Package conweave balances load between leaves so that hosts see no packet out of order: Song et
// al., "Network Load Balancing with In-network Reordering Support for RDMA", SIGCOMM 2023, as
// its simulator has it (conweave-project/conweave-ns3, src/point-to-point/model/
// conweave-routing.cc). It knows each queue pair between hosts of two leaves.
//
// The source's leaf sends a queue pair along one path. The first packet of an epoch asks the
// destination's leaf for a reply. If that comes within the base round trip and ReplySlack,
// the next packet begins a new epoch on the same path. If not, the path is late: the packet at
// hand is its TAIL, and those behind it take another path, one of two drawn at random that
// was not marked by ECN within the last PathPause. No further path is tried until the TAIL has
// been replied to, so that there are two at most; or until the queue pair was silent for
// Expiry.
//
// The destination's leaf holds back what comes on the new path before the TAIL, in a queue
// of its own at the port to the host. It lets it go after the TAIL, or when the TAIL should have
// come by what the packets of the old path took, and FlushSlack; where none of those has
// come, after FirstWait and FlushSlack.
//
// A leaf leaves a path at once whose first link is down, as it knows its own ports. A link further on
// it learns of with the routes (sim.Scenario.Convergence); then a new epoch begins. A TAIL that a link
// has lost is waited for as any that is late.
//
// Two things differ from the simulator: held packets take buffer, as it does in a switch, and a
// queue pair whose new epoch comes while packets are held has these go first. Replies and notices
// go before all else and are not lost to full buffers.
package conweave

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// Config is ConWeave's times and queues, none below 0.
type Config struct {
	ReplySlack units.Time
	PathPause  units.Time
	FlushSlack units.Time
	FirstWait  units.Time
	Expiry     units.Time

	// ReorderQueues is the number of queue pairs whose packets a port can hold; packets that find
	// no queue go on as they come. 0: any number.
	ReorderQueues int
}

// Default returns the settings of the simulator for lossless leaf-spine fabrics of 100 Gb/s
// (run.py). The number of queues is that of a port of Tofino 2, on which the paper built it, less
// one for what is in order.
func Default() Config {
	return Config{
		ReplySlack: 4 * units.Microsecond, PathPause: 16 * units.Microsecond,
		FlushSlack: 16 * units.Microsecond, FirstWait: 200 * units.Microsecond,
		Expiry: 300 * units.Microsecond, ReorderQueues: 127,
	}
}

// Check reports what is out of range.
func (c *Config) Check() error {
	if min(c.ReplySlack, c.PathPause, c.FlushSlack, c.FirstWait, c.Expiry) < 0 || c.ReorderQueues < 0 {
		return fmt.Errorf("ConWeave's times and queues must not be below 0: %+v", *c)
	}
	return nil
}
