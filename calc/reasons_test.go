package calc_test

import (
	"testing"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/internal/plantest"
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
