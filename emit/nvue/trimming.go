package nvue

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Sizes that Cumulus Linux cuts packets to (5.15 user guide, Packet Trimming).
const (
	trimLeast, trimMost units.Bytes = 256, 1024
	trimStep            units.Bytes = 4
)

// trimming prints how the switch cuts packets, and which traffic classes of which ports. What
// is left of them has a switch priority, which is that of the traffic class of their code point.
func (b *builder) trimming() {
	t := b.s.Trim
	lost := UncutBy(b.s)
	b.list = append(b.list, lost...)
	if t == nil || len(lost) > 0 {
		return
	}
	cut := b.root.at("system", "forwarding", "packet-trim")
	cut.word("enabled", "state")
	cut.count(int64(t.Size.Value), "size")
	cut.count(int64(t.TC), "switch-priority")
	cut.count(int64(t.DSCP), "remark", "dscp")
	for _, k := range b.kinds {
		for _, q := range k.QoS().Queues {
			if q.Trims {
				b.each(k, func(port *object) { port.at("packet-trim", "egress-eligibility", "traffic-class", word(q.ID)) })
			}
		}
	}
}

// UncutBy says which packets a switch is told to cut, and Cumulus Linux does not on its chip, or to
// this size.
func UncutBy(sw *plan.Switch) (found diag.List) {
	switch t := sw.Trim; {
	case t == nil:
	case beforeSpectrum4(sw):
		emit.TrimmingLost(&found, TrimmingLost, sw, "Cumulus Linux cuts packets from Spectrum-4 on")
	case t.Size.Value < trimLeast || t.Size.Value > trimMost || t.Size.Value%trimStep != 0:
		emit.TrimmingLost(&found, TrimmingLost, sw, fmt.Sprintf("Cumulus Linux cuts to %v to %v, in steps of %v", trimLeast, trimMost, trimStep))
	}
	return found
}
