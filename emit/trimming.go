package emit

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// TrimmingLost says that a switch drops packets that the plan cuts, and why. Nothing lossless
// depends on it.
func TrimmingLost(list *diag.List, code diag.Code, s *plan.Switch, why string) {
	if s.Trim != nil {
		list.Warnf(code, s.Trim.Range, "packets without room are dropped, not cut to %v: %s", s.Trim.Size.Value, why).
			Fixf("remove trimming, or configure it outside this file")
	}
}
