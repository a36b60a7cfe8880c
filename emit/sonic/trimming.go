package sonic

import (
	"fmt"

	"github.com/roceplan/roceplan/emit"
)

// trimSizes are what is left of packets at chips of which it is published: sonic-mgmt
// tests/packet_trimming/packet_trimming_config.py has one size for Tomahawk 5, and tries the
// bounds of the others that it runs on, which are Spectrum-4 and 5.
var trimSizes = map[string]Span{
	"tomahawk5": {Min: 206, Max: 206},
	"spectrum1": {}, "spectrum2": {}, "spectrum3": {}, // Cumulus Linux 5.15 user guide: from Spectrum-4 on
	"spectrum4": {Min: 256, Max: 4084}, "spectrum5": {Min: 256, Max: 4084},
}

// checkTrimming decides whether packets are cut, and says where they are not, or may not be.
func (e *emitter) checkTrimming() {
	t := e.sw.Trim
	if t == nil {
		return
	}
	sizes, known := trimSizes[e.sw.Chip]
	switch size := int64(t.Size.Value); {
	case !known && e.sw.Chip != "":
		e.trims = true
		e.found.Warnf(TrimmingLost, t.Range, "whether %s cuts packets under SONiC is not published: SWITCH_TRIMMING_CAPABLE in STATE_DB says so, and without it packets without room are dropped", e.sw.Chip).
			Fixf("look for it on the switch: sonic-db-cli STATE_DB hget 'SWITCH_CAPABILITY|switch' SWITCH_TRIMMING_CAPABLE")
	case known && sizes.Max == 0:
		emit.TrimmingLost(&e.found, TrimmingLost, e.sw, "Spectrum cuts packets from Spectrum-4 on")
	case known && sizes.Min == sizes.Max && size != sizes.Min:
		emit.TrimmingLost(&e.found, TrimmingLost, e.sw, fmt.Sprintf("%s cuts to %d B alone", e.sw.Chip, sizes.Min))
	case known && !sizes.Holds(size):
		emit.TrimmingLost(&e.found, TrimmingLost, e.sw, fmt.Sprintf("%s cuts to %d to %d B", e.sw.Chip, sizes.Min, sizes.Max))
	default:
		e.trims = true
	}
}

// writeTrimming prints SWITCH_TRIMMING, if packets are cut anywhere.
func (e *emitter) writeTrimming() {
	if !e.trims {
		return
	}
	t := e.sw.Trim
	e.w.startTable(TableTrimming)
	e.w.startRow(GlobalTrimming)
	e.w.number("dscp_value", int64(t.DSCP))
	e.w.number("queue_index", int64(t.Queue))
	e.w.number("size", int64(t.Size.Value))
}
