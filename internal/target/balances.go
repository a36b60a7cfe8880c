package target

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
)

// Balances reports whether one of a switch's targets, in its first form, configures the load
// balancing of the plan: without a finding that part of it is lost. A switch without configuration
// hashes flows.
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
