package verify

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// lacks says what a file leaves to defaults of its device that nobody publishes, and of which
// group; at is where the group is made lossless. It is empty where nothing is missing, or where
// what is left out is 0.
func (s *Switch) lacks() (what string, at diag.Range) {
	if s.shape.Format.Defaults == "" {
		return "", at
	}
	for i := range s.Plan.Ports {
		port := &s.Plan.Ports[i]
		if port.QoS == nil {
			continue
		}
		for j := range port.QoS.PGs {
			pg := &port.QoS.PGs[j]
			if missing := missingOf(pg); pg.Lossless && missing != nil {
				what = fmt.Sprintf("the file gives priority group %d of %s no %s: %s", pg.ID, port.Name, strings.Join(missing, ", no "), s.shape.Format.Defaults)
				return what, cmp.Or(pg.Range, port.QoS.Range, port.Range)
			}
		}
	}
	return "", at
}

// missingOf are the amounts of a lossless group that no line gives.
func missingOf(pg *plan.PG) (names []string) {
	for _, amount := range []struct {
		name string
		why  *plan.Why
	}{{"headroom", pg.Headroom.Why}, {"threshold", pg.Limit.Why}, {"distance at which it resumes", cmp.Or(pg.XOn.Why, pg.XOnOffset.Why)}, {"reserve", pg.Reserved.Why}} {
		if amount.why == nil {
			names = append(names, amount.name)
		}
	}
	return names
}
