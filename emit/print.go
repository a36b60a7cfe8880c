package emit

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/plan"
)

// Print makes the file of a form. compose works out what all forms of a system print, nil where its
// findings have errors; text prints it.
func Print[T any](s *plan.Switch, path string, compose func(*plan.Switch) (*T, diag.List), text func(*T) []byte) ([]File, diag.List) {
	doc, list := compose(s)
	if doc == nil {
		return nil, list
	}
	return []File{{Path: path, Body: NewBody(text(doc))}}, list
}

// PrintChange makes the file that changes one configuration of a switch into another. Where nothing is
// different, text prints nothing and there is no file.
func PrintChange[T any](from, to *plan.Switch, path string, compose func(*plan.Switch) (*T, diag.List), text func(old, next *T) []byte) ([]File, diag.List) {
	old, list := compose(from)
	if old == nil {
		return nil, list
	}
	next, list := compose(to)
	if next == nil {
		return nil, list
	}
	body := text(old, next)
	if len(body) == 0 {
		return nil, list
	}
	return []File{{Path: path, Body: NewBody(body)}}, list
}

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
