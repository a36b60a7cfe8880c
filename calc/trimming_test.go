package calc_test

import (
	"reflect"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
)

// What is told of trimmed packets is what the documents say of the terms that are told with it; no example has any.
func TestTrimmingIsTheDocuments(t *testing.T) {
	catalogue, _ := chips.Load()
	book, found := formulas.Load(), map[string]bool{}
	for _, name := range []string{"trimmed-lost", "trimmed_by_weight"} {
		archive := must.Get(txtar.ParseFile("../golden/diag/numbers/" + name + ".txtar"))(t)
		_, p := plantest.Text(t, catalogue, string(archive.Files[0].Data))
		for _, why := range whys(reflect.ValueOf(*p.Switches[0])) {
			seen := map[*plan.Why]bool{}
			verify(t, book, why, seen)
			for why := range seen {
				found[why.ID] = true
			}
		}
	}
	if !found["trimmed-rate"] || !found["weighted-share"] {
		t.Errorf("verified: %v", found)
	}
}
