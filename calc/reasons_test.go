package calc_test

import (
	"reflect"
	"testing"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Every reason in the plan of every example, of its checks and of its hosts too, has what its
// kind should have, and every formula computes its value.
func TestReasonsAreSound(t *testing.T) {
	book := formulas.Load()
	for _, name := range examples(t) {
		p, _ := example(t, name)
		plantest.SoundPlan(t, book, p)
	}
}

// On a Spectrum the calculator is given the MTU of SONiC's PORT table, 22 B less than the frame
// (Ethernet header, VLAN tag and FCS), and the reasons say so.
func TestPortOverheadIsAReason(t *testing.T) {
	p, _ := example(t, "spectrum4-storage")
	told := 0
	var visit func(w *plan.Why)
	visit = func(w *plan.Why) {
		if w.Name == "MTU in SONiC's PORT table" {
			told++
			if w.Kind != plan.Formula || len(w.Terms) != 2 || w.Terms[0].Why.Value.(units.Bytes)-22 != w.Value.(units.Bytes) {
				t.Errorf("%+v", w)
			}
		}
		for _, term := range w.Terms {
			visit(term.Why)
		}
	}
	for _, why := range whys(reflect.ValueOf(*p.Switches[0])) {
		visit(why)
	}
	if told == 0 {
		t.Error("nothing is said of it")
	}
}
