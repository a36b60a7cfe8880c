package emit

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/plan"
)

// Write converts a quantity of a plan for the leaf of a row, with findings: see [format.Write]. They are
// at otherwise where the quantity has no place of its own. unit replaces that of the row, where it
// depends on the plan or the box.
func Write[Q format.Quantity](to format.Voice, r *format.Row, d plan.Derived[Q], otherwise diag.Range, unit ...format.Unit) int64 {
	n := r.Number
	if unit != nil {
		n.Unit = unit[0]
	}
	return format.Write(to, n, r.Says, d.Value, d.Why.RangeOr(otherwise))
}
