package nvue

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// trimming prints how the switch cuts packets, and which traffic classes of which ports. A cut
// packet has the switch priority of the traffic class of its code point.
func (b *builder) trimming() {
	t := b.s.Trim
	lost := UncutBy(b.s)
	b.list = append(b.list, lost...)
	if t == nil || len(lost) > 0 {
		return
	}
	b.root.word("enabled", "system", "forwarding", "packet-trim", "state")
	b.root.leaf(row.TrimSize, int64(t.Size.Value))
	b.root.leaf(row.TrimPriority, int64(t.TC))
	b.root.leaf(row.TrimDSCP, int64(t.DSCP))
	for _, k := range b.kinds {
		for _, q := range k.QoS().Queues {
			if q.Trims {
				b.each(k, func(port *object) { port.at("packet-trim", "egress-eligibility", "traffic-class", word(q.ID)) })
			}
		}
	}
}

// UncutBy reports the packets that the plan trims and Cumulus Linux does not on this chip, or not
// to this size.
func UncutBy(sw *plan.Switch) (found diag.List) {
	size := row.Of(row.TrimSize)
	least, most := units.Bytes(size.Least), units.Bytes(size.Most)
	switch t := sw.Trim; {
	case t == nil:
	case beforeSpectrum4(sw):
		emit.TrimmingLost(&found, TrimmingLost, sw, "Cumulus Linux trims packets from Spectrum-4 on")
	case t.Size.Value < least || t.Size.Value > most || t.Size.Value%row.TrimStep != 0:
		emit.TrimmingLost(&found, TrimmingLost, sw, fmt.Sprintf("Cumulus Linux trims packets to a size from %v to %v, in steps of %v", least, most, row.TrimStep))
	}
	return found
}
