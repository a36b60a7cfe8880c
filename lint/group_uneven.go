package lint

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// groupUneven compares what lossless PGs of one number have on all ports, whatever their
// speed and cable: 59 of the 61 headroom tables that ship with SONiC give all of them one
// threshold and one xon offset. The other two are for Jericho, which counts time.
func groupUneven(s *subject) {
	if s.chip != nil && s.chip.Family == chips.DNX {
		return
	}
	common := map[uint8]unevenPG{}
	for _, k := range s.kinds {
		for i := range k.qos.PGs {
			pg := &k.qos.PGs[i]
			if !pg.Lossless || s.computed(pg) {
				continue
			}
			now := unevenPG{k, pg}
			was, known := common[pg.ID]
			if !known {
				common[pg.ID] = now
				continue
			}
			if len(was.kind.ports) < len(now.kind.ports) { // the rarer one is the odd one
				common[pg.ID], was, now = now, now, was
			}
			if was.pg.Pool == now.pg.Pool {
				s.uneven(now, was)
			}
		}
	}
}

// An unevenPG is a PG of ports that are told the same.
type unevenPG struct {
	kind kind
	pg   *plan.PG
}

func (s *subject) uneven(odd, usual unevenPG) {
	a, b := odd.pg, usual.pg
	if a.Limit.Why != nil && b.Limit.Why != nil && a.Limit.Value != b.Limit.Value {
		s.unevenIn("a threshold", odd, usual, fmt.Sprint(a.Limit.Value), fmt.Sprint(b.Limit.Value), at(a.Limit), at(b.Limit))
	}
	// On chips with an xon level, that and the reserve go by speed, cable and frame; NVUE calls
	// it a threshold.
	if s.sw.OS == "cumulus" || a.XOn.Value != 0 || b.XOn.Value != 0 || odd.kind.ports[0].MTU != usual.kind.ports[0].MTU {
		return
	}
	if a.XOnOffset.Why != nil && b.XOnOffset.Why != nil && a.XOnOffset.Value != b.XOnOffset.Value {
		s.unevenIn("an xon offset", odd, usual, a.XOnOffset.Value.String(), b.XOnOffset.Value.String(), at(a.XOnOffset), at(b.XOnOffset))
	}
	apart := func(pg *plan.PG) bool { return pg.Reserved.Why != nil && pg.Reserved.Value < pg.Headroom.Value } // the headroom is not in it
	if apart(a) && apart(b) && a.Reserved.Value != b.Reserved.Value {
		s.unevenIn("a reserve", odd, usual, a.Reserved.Value.String(), b.Reserved.Value.String(), at(a.Reserved), at(b.Reserved))
	}
}

func (s *subject) unevenIn(what string, odd, usual unevenPG, own, other string, oddAt, usualAt diag.Range) {
	s.found.Warnf(GroupUneven, first(oddAt, odd.kind.ports[0].Range), "priority group %d of %v has %s of %s, and that of %v one of %s: ports that fill the same pool are paused at different levels", odd.pg.ID, odd.kind, what, own, usual.kind, other).
		Fixf("give the priority group the same on all ports").Notef(first(usualAt, usual.kind.ports[0].Range), "the other one")
}
