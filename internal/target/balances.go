package target

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
)

// Balances reports whether one of a switch's targets tells it, in its first form, to balance load as the plan
// says: none of the findings that tell what is lost of that comes out. Hashing flows is what a switch does
// that is told nothing.
func Balances(sw *plan.Switch) bool {
	switch sw.LoadBalancing {
	case "", "ecmp":
		return true
	case string(emit.Flowlets), string(emit.Adaptive), string(emit.Spray):
	default:
		return false
	}
	return slices.ContainsFunc(sw.Targets, func(name string) bool {
		t, ok := Find(name)
		if !ok {
			return false
		}
		can := t.Of(emit.Intent(sw.LoadBalancing))
		if can.Support == emit.No {
			return false
		}
		_, found := t.Forms[0].Emit(sw)
		return !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return slices.Contains(can.Codes, d.Code) })
	})
}
