package sonic

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// sizes are bounds of what is left of a packet; both 0: the chip cuts none.
type sizes struct{ least, most units.Bytes }

func (s sizes) hold(t *plan.Trim) bool { return s.least <= t.Size.Value && t.Size.Value <= s.most }

// trimSizes are the sizes of chips for which they are published: sonic-mgmt
// tests/packet_trimming/packet_trimming_config.py has one size for Tomahawk 5, and tries the
// bounds of the others that it runs on, which are Spectrum-4 and 5.
var trimSizes = map[string]sizes{
	"tomahawk5": {206, 206},
	"spectrum1": {}, "spectrum2": {}, "spectrum3": {}, // Cumulus Linux 5.15 user guide: from Spectrum-4 on
	"spectrum4": {256, 4084}, "spectrum5": {256, 4084},
}

// checkTrimming decides whether packets are cut, and says where they are not, or may not be.
func (e *emitter) checkTrimming() {
	e.found = append(e.found, UncutBy(e.sw)...)
	if t := e.sw.Trim; t != nil {
		sizes, known := trimSizes[e.sw.Chip]
		e.trims = !known || sizes.hold(t)
	}
}

// UncutBy reports the packets that the plan trims and the chip does not, or may not.
func UncutBy(sw *plan.Switch) (found diag.List) {
	t := sw.Trim
	if t == nil || sw.Chip == "" {
		return nil
	}
	sizes, known := trimSizes[sw.Chip]
	switch {
	case !known:
		found.Warnf(TrimmingLost, t.Range, "it is not published whether %s trims packets under SONiC: SWITCH_TRIMMING_CAPABLE in STATE_DB shows it, and where it is missing the switch drops packets for which it has no room", sw.Chip).
			Fixf("check it on the switch: sonic-db-cli STATE_DB hget 'SWITCH_CAPABILITY|switch' SWITCH_TRIMMING_CAPABLE")
	case sizes.hold(t):
	case sizes.most == 0:
		emit.TrimmingLost(&found, TrimmingLost, sw, "Spectrum trims packets from Spectrum-4 on")
	case sizes.least == sizes.most:
		emit.TrimmingLost(&found, TrimmingLost, sw, fmt.Sprintf("%s trims packets to %d B only", sw.Chip, sizes.least))
	default:
		emit.TrimmingLost(&found, TrimmingLost, sw, fmt.Sprintf("%s trims packets to a size from %d to %d B", sw.Chip, sizes.least, sizes.most))
	}
	return found
}

// writeTrimming prints SWITCH_TRIMMING, if packets are cut anywhere.
func (e *emitter) writeTrimming() {
	if !e.trims {
		return
	}
	t := e.sw.Trim
	e.w.startTable(schema.TableTrimming)
	e.w.startRow(schema.GlobalTrimming)
	e.w.put(schema.TrimDSCP, int64(t.DSCP))
	e.w.put(schema.TrimQueue, int64(t.Queue))
	e.w.put(schema.TrimSize, int64(t.Size.Value))
}
