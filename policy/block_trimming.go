package policy

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// Trimming describes how packets of a class are cut that find no buffer.
type Trimming struct {
	Range diag.Range
	Size  Opt[units.Bytes] // the size of a trimmed packet
	DSCP  Opt[uint8]       // of what is left
	Class *Class           // that has the code point, and its queue
}

// Assumed: the smallest is an Ethernet frame (IEEE 802.3, 64 B), the largest RDMA's largest MTU,
// beyond which a RoCE packet has little to lose. Targets accept a smaller range, which they state:
// SONiC by chip (sonic-trimming.yang: 32 bits), Cumulus Linux 256 to 1024 in fours.
const (
	leastTrimmed units.Bytes = 64
	mostTrimmed  units.Bytes = 4096
)

var trimmingBlock = &block[Trimming]{
	name: "trimming", doc: "A switch cuts packets of this lossy class instead of dropping them. It sends the rest by the queue of the class that has `dscp`, and the receiver asks for the lost part. " +
		"All trimmed classes of a fabric have the same size and code point.",
	fields: []field[Trimming]{
		opt("size", between(bytesKind(), leastTrimmed, mostTrimmed), func(t *Trimming) *Opt[units.Bytes] { return &t.Size }, "bytes that are left of a packet, from its first byte").must(),
		opt("dscp", whole[uint8](0, 63), func(t *Trimming) *Opt[uint8] { return &t.DSCP }, "code point of the trimmed packet").must(),
	},
}

// checkTrimming finds the class of what is left of packets, and refuses what no switch can do.
func checkTrimming(d *decoder, classes []*Class) {
	var first *Class
	for _, c := range classes {
		t := c.Trimming
		if t == nil || !t.DSCP.Set {
			continue
		}
		if c.PFC.Set {
			d.errorf(TrimmingClass, t.Range, "%s is lossless: its packets are paused instead of dropped, so there is nothing to trim", c.Name).
				Fixf("remove trimming, or pfc and set recovery = selective").Notef(c.PFC.Range, "PFC is here")
			continue
		}
		at := slices.IndexFunc(classes, func(o *Class) bool { return slices.Contains(o.DSCPs.Value, t.DSCP.Value) })
		switch {
		case at < 0:
			d.errorf(TrimmingClass, t.DSCP.Range, "DSCP %d belongs to no class, so trimmed packets have no queue", t.DSCP.Value).Fixf("add it to the dscp of a lossy class with a strict queue")
			continue
		case classes[at].PFC.Set:
			d.errorf(TrimmingClass, t.DSCP.Range, "DSCP %d is of %s, which is lossless: a switch cannot pause what it cuts itself", t.DSCP.Value, classes[at].Name).Fixf("choose the code point of a lossy class")
			continue
		case classes[at].Queue.Value == c.Queue.Value:
			d.errorf(TrimmingClass, t.DSCP.Range, "DSCP %d belongs to %s, and trimmed packets would return to its queue %d, which is full", t.DSCP.Value, classes[at].Name, c.Queue.Value).Fixf("choose the code point of a class with another queue")
			continue
		}
		t.Class = classes[at]
		if !t.Size.Set {
			continue
		}
		if first == nil {
			first = c
		}
		if other := first.Trimming; other.Size.Value != t.Size.Value || other.DSCP.Value != t.DSCP.Value {
			d.errorf(TrimmingDiffers, t.Range, "packets of %s are cut to %v with DSCP %d, and those of %s to %v with DSCP %d: switches have one size and one code point", c.Name, t.Size.Value, t.DSCP.Value, first.Name, other.Size.Value, other.DSCP.Value).
				Fixf("give both the same").Notef(other.Range, "the other one")
		}
	}
}
