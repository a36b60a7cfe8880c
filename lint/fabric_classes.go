package lint

import (
	"cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// fabricClassDiffers compares the maps entry by entry.
func fabricClassDiffers(c *comparison) {
	got, want, at := &c.got.Maps, &c.want.Maps, &c.got.Places
	entries(c, "DSCP %d leads to traffic class %d", got.DSCPToTC[:], want.DSCPToTC[:], at.DSCPToTC[:])
	if !c.got.OwnQueues() && !c.want.OwnQueues() { // else it is compared port by port
		entries(c, "traffic class %d leads to queue %d", got.TCToQueue[:], want.TCToQueue[:], at.TCToQueue[:])
	}
	entries(c, "traffic class %d leads to priority group %d", got.TCToPG[:], want.TCToPG[:], at.TCToPG[:])
	entries(c, "a pause of priority %d stops queue %d", got.PFCToQueue[:], want.PFCToQueue[:], at.PFCToQueue[:])
	entries(c, "PFC priority %d is that of priority group %d", got.PFCToPG[:], want.PFCToPG[:], at.PFCToPG[:])
	if is, should := c.got.Tunnel, c.want.Tunnel; !is.Says(should) {
		switch {
		case is == nil:
			c.errorf(FabricClassDiffers, c.got.Range, "no tunnel sends packets back, but in the fabric %s does", should.Name)
		case should == nil:
			c.errorf(FabricClassDiffers, is.Range, "the tunnel %s changes classes of packets, but the fabric has no such tunnel", is.Name)
		default:
			c.errorf(FabricClassDiffers, is.Range, "the tunnel %s does not change classes of packets as in the fabric: %s", is.Name, is.Differs(should))
		}
	}
	fabricMarking(c)
}

// fabricMarking compares the rules of untrusted ports.
func fabricMarking(c *comparison) {
	is, should := c.got.Marking, c.want.Marking
	if is == nil || should == nil {
		if is != should {
			c.errorf(FabricClassDiffers, c.got.Range, "only one of file and fabric has rules for untrusted ports")
		}
		return
	}
	got, want := is.Classes(), should.Classes()
	for dscp := range got {
		if got[dscp] != want[dscp] {
			c.errorf(FabricClassDiffers, first(is.Range, c.got.Range), "DSCP %d leads to traffic class %d on untrusted ports, but in the fabric to %d", dscp, got[dscp], want[dscp])
			return
		}
	}
	if is.Default != should.Default {
		c.errorf(FabricClassDiffers, first(is.Range, c.got.Range), "packets that no rule admits leave with DSCP %d, but in the fabric with %d", is.Default, should.Default)
	}
}

// fabricClassifier compares how a port classifies that does so by itself, or should.
func fabricClassifier(c *comparison, port *plan.Port, got, want *plan.PortQoS) {
	if got.DSCPToTC == nil && want.DSCPToTC == nil {
		return // the maps of the switch are compared
	}
	is, should := c.got.ClassifiedBy(got), c.want.ClassifiedBy(want)
	for dscp := range is {
		if is[dscp] != should[dscp] {
			c.errorf(FabricClassDiffers, first(got.Range, port.Range), "DSCP %d leads to traffic class %d on %s, but in the fabric to %d", dscp, is[dscp], port.Name, should[dscp])
			return
		}
	}
}

// fabricQueueMap compares by which queues packets leave a port, where some ports have maps of their own.
func fabricQueueMap(c *comparison, port *plan.Port, got, want *plan.PortQoS) {
	if got.TCToQueue == nil && want.TCToQueue == nil && c.got.Maps.TCToQueue == c.want.Maps.TCToQueue {
		return
	}
	if !c.got.OwnQueues() && !c.want.OwnQueues() {
		return // the maps of the switch are compared
	}
	is, should := c.got.QueuesOf(got), c.want.QueuesOf(want)
	for tc := range is {
		if is[tc] != should[tc] {
			c.errorf(FabricClassDiffers, first(c.got.QueueAt(got, uint8(tc)), got.Range, port.Range), "traffic class %d leads to queue %d on %s, but in the fabric to %d", tc, is[tc], port.Name, should[tc])
		}
	}
}

// fabricRewriting compares the code points with which packets leave a port: a rule that writes the
// same value changes nothing.
func fabricRewriting(c *comparison, port *plan.Port, got, want *plan.PortQoS) {
	for dscp, tc := range c.want.Maps.DSCPToTC {
		is, should := got.Rewrite.Of(tc, uint8(dscp)), want.Rewrite.Of(tc, uint8(dscp))
		if is != should {
			c.errorf(FabricClassDiffers, first(got.RewriteRange[tc&7], got.Range, port.Range), "packets with DSCP %d leave %s with DSCP %d, but in the fabric with %d", dscp, port.Name, is, should)
			return
		}
	}
}

func entries(c *comparison, what string, got, want []uint8, at []diag.Range) {
	for i := range got {
		if got[i] != want[i] {
			d := c.errorf(FabricClassDiffers, first(at[i], c.got.Range), what+", but in the fabric to %d", i, got[i], want[i])
			if len(got) == 64 {
				d.Notef(first(c.got.Places.TCToQueue[got[i]&7], c.got.Range), "that class")
			}
		}
	}
}

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

// fabricBalancingDiffers compares how packets choose among equal paths.
func fabricBalancingDiffers(c *comparison) {
	if got, want := cmp.Or(c.got.LoadBalancing, "ecmp"), cmp.Or(c.want.LoadBalancing, "ecmp"); got != want {
		c.errorf(FabricBalancingDiffers, c.got.LoadBalancingAt, "packets choose among equal paths by %q, but the fabric and its NICs use %q", got, want)
	}
}
