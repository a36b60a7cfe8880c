package verify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// Four switches, each joined to each other one, have no circle. With two links failed that have no end
// in common, a ring of four is left, in which shortest paths wait for each other: an error where
// the fabric declares that packets take these, a warning where it declares nothing, and none where
// no packet goes up again.
func TestRoutingOfDeadlocks(t *testing.T) {
	p := &plan.Plan{}
	for i := range 4 {
		p.Switches = append(p.Switches, &plan.Switch{Names: []string{fmt.Sprint("sw-", i)}})
		for j := range i {
			p.Links = append(p.Links, plan.Link{A: plan.LinkEnd{Switch: fmt.Sprint("sw-", i)}, B: plan.LinkEnd{Switch: fmt.Sprint("sw-", j)}})
		}
	}
	for routing, want := range map[string]struct {
		cycles   int
		severity diag.Severity
		text     string
	}{
		"":            {1, diag.Warning, "the fabric declares no routing"},
		shortestPaths: {1, diag.Error, "as the fabric declares (routing = shortest_paths)"},
		valleyFree:    {0, 0, "as the fabric declares (routing = valley_free)"},
	} {
		p.Routing = routing
		r, found, err := checkDeadlock(p, nil)
		if err != nil || !strings.Contains(r.Routing, want.text) || r.Free != (want.cycles == 0) {
			t.Errorf("%q: %+v, %v", routing, r, err)
		}
		cycles := 0
		for _, d := range found {
			if d.Code == DeadlockCycle {
				if cycles++; d.Severity != want.severity {
					t.Errorf("%q: %v %s", routing, d.Severity, d.Message)
				}
			}
		}
		if cycles != want.cycles {
			t.Errorf("%q: %d circles are reported, want %d", routing, cycles, want.cycles)
		}
	}
}
