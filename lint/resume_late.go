package lint

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
)

// mostOffset is how many largest frames a PG may have to drain before it resumes. In the
// tables that ship with SONiC it is one and a half at most (13,824 B, Teralynx 10), and two in
// OpenBCM's defaults. Jericho's are larger: it counts time.
const mostOffset = 4

// resumeLate warns of PGs that keep their senders paused long after there is room.
func resumeLate(s *subject) {
	if s.chip != nil && s.chip.Family == chips.DNX {
		return
	}
	for _, k := range s.kinds {
		frame := k.ports[0].MTU
		for i := range k.qos.PGs {
			pg := &k.qos.PGs[i]
			if pg.Lossless && frame != 0 && pg.XOn.Value == 0 && pg.XOnOffset.Why != nil && pg.XOnOffset.Value > mostOffset*frame && !s.levelled(pg) && !s.resumesEmpty(pg) {
				s.found.Warnf(ResumeLate, at(pg.XOnOffset, k.ports[0].Range), "priority group %d of %v resumes when %v have drained, more than %d frames of %v: its senders stay stopped although it could take their packets", pg.ID, k, pg.XOnOffset.Value, mostOffset, frame).
					Fixf("resume after about two frames")
			}
		}
	}
}

// levelled reports whether an offset is a level within the reserve, as NVUE has it.
func (s *subject) levelled(pg *plan.PG) bool {
	return s.sw.OS == "cumulus" && pg.XOnOffset.Value <= pg.Reserved.Value
}
