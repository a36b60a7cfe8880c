package sonic

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
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
	e.found = append(e.found, UncutBy(e.sw)...)
	if t := e.sw.Trim; t != nil {
		sizes, known := trimSizes[e.sw.Chip]
		e.trims = !known || sizes.Holds(int64(t.Size.Value))
	}
}

// UncutBy says which packets a switch is told to cut, and its chip does not, or may not.
func UncutBy(sw *plan.Switch) (found diag.List) {
	t := sw.Trim
	if t == nil || sw.Chip == "" {
		return nil
	}
	sizes, known := trimSizes[sw.Chip]
	switch {
	case !known:
		found.Warnf(TrimmingLost, t.Range, "whether %s cuts packets under SONiC is not published: SWITCH_TRIMMING_CAPABLE in STATE_DB says so, and without it packets without room are dropped", sw.Chip).
			Fixf("look for it on the switch: sonic-db-cli STATE_DB hget 'SWITCH_CAPABILITY|switch' SWITCH_TRIMMING_CAPABLE")
	case sizes.Holds(int64(t.Size.Value)):
	case sizes.Max == 0:
		emit.TrimmingLost(&found, TrimmingLost, sw, "Spectrum cuts packets from Spectrum-4 on")
	case sizes.Min == sizes.Max:
		emit.TrimmingLost(&found, TrimmingLost, sw, fmt.Sprintf("%s cuts to %d B alone", sw.Chip, sizes.Min))
	default:
		emit.TrimmingLost(&found, TrimmingLost, sw, fmt.Sprintf("%s cuts to %d to %d B", sw.Chip, sizes.Min, sizes.Max))
	}
	return found
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
