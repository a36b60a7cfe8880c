package plantest

import (
	"reflect"
	"testing"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/plan"
)

// Sound checks a derivation: each kind of reason has what belongs to it and nothing else, and
// each formula's document gives its value.
func Sound(t testing.TB, book *formulas.Book, why *plan.Why) {
	t.Helper()
	var has struct{ id, source, note, terms bool }
	has.id, has.source, has.note, has.terms = why.ID != "", why.Source != "", why.Note != "", len(why.Terms) > 0
	sound := why.Name != "" && why.Value != nil
	switch why.Kind {
	case plan.Given: // a line of the user's, if it is known
		sound = sound && !has.id && !has.source && !has.note && !has.terms
	case plan.Default: // with the reason of the choice
		sound = sound && !has.id && has.source != has.note && !has.terms
	case plan.Catalogue:
		sound = sound && has.id && has.source && has.note && why.Range.Filename != "" && !has.terms
	case plan.Standard:
		sound = sound && !has.id && has.source && !has.terms
	case plan.Formula:
		sound = sound && has.terms && computes(t, book, why)
	case plan.Rounding:
		_, documented := book.Find(why.ID)
		sound = sound && has.id && !documented && has.terms
	default:
		sound = false
	}
	if !sound {
		t.Errorf("%s is not what a reason of kind %v should be: %+v", why.Name, why.Kind, *why)
	}
	for _, term := range why.Terms {
		Sound(t, book, term.Why)
	}
}

// computes reports whether the document of a formula gives the value for the terms.
func computes(t testing.TB, book *formulas.Book, why *plan.Why) bool {
	t.Helper()
	doc, ok := book.Find(why.ID)
	if !ok || doc.Inequality() || len(doc.Inputs) != len(why.Terms) {
		return false
	}
	inputs := make(map[string]int64)
	for _, term := range why.Terms {
		inputs[term.Symbol] = reflect.ValueOf(term.Why.Value).Int()
	}
	want, err := doc.Eval(inputs)
	if err != nil || !want.IsInt64() || want.Int64() != reflect.ValueOf(why.Value).Int() {
		t.Errorf("%s%v: the document gives %v, %v, the derivation %v", why.ID, inputs, want, err, why.Value)
	}
	return true
}
