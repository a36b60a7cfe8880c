package hpcc

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// LINK_DOWN takes down the link between two switches so many us after the first 2 s. A flow
// over it goes on over the other spine at once, and go-back-N sends what was lost again; a flow
// over the other spine does not notice.
func TestLinkDown(t *testing.T) {
	archive := must.Get(txtar.ParseFile("../../../golden/diag/hpcc/linkdown_differs.txtar"))(t)
	in := readArchive(t, archive)
	if in.Scenario == nil || len(in.Scenario.Outages) != 1 || in.Scenario.Outages[0].Down != 2*units.Second+20*units.Microsecond {
		t.Fatalf("%+v: %v", in.Scenario, in.Found)
	}
	run := func(link int) *sim.Result {
		sc := *in.Scenario
		if sc.Outages = nil; link >= 0 {
			sc.Outages = []sim.Outage{{Link: link, Down: in.Scenario.Outages[0].Down}}
		}
		r, err := sim.Run(t.Context(), &sc)
		if err != nil || len(r.Flows) != 1 {
			t.Fatal(err, r)
		}
		return r
	}
	whole := run(-1)
	noticed := 0
	for _, link := range []int{2, 3} { // from the sender's leaf to either spine
		r := run(link)
		late := r.Flows[0].FCTUS - whole.Flows[0].FCTUS
		if lost := r.LostOnWire + r.Flushed; lost == 0 {
			must.Equalf(t, late, 0, "link %d: us late although nothing was lost:", link)
			continue
		}
		// What was on the wire is lost, and what follows it until the NACK is back, a round trip.
		if noticed++; late <= 0 || late > 30 || r.Unrouted != 0 {
			t.Errorf("link %d: %v us late, %d packets without a way", link, late, r.Unrouted)
		}
	}
	if noticed != 1 {
		t.Errorf("the flow notices %d of two outages", noticed)
	}
}
