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
	sound(t, book, why, map[*plan.Why]bool{})
}

// SoundPlan checks all derivations that hang below a plan.
func SoundPlan(t testing.TB, book *formulas.Book, p *plan.Plan) {
	t.Helper()
	checked, seen := map[*plan.Why]bool{}, map[uintptr]bool{}
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || seen[v.Pointer()] {
				return
			}
			seen[v.Pointer()] = true
			if why, ok := v.Interface().(*plan.Why); ok {
				sound(t, book, why, checked)
				return
			}
			visit(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					visit(v.Field(i))
				}
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				visit(v.Index(i))
			}
		}
	}
	visit(reflect.ValueOf(p))
	if len(checked) < 20 {
		t.Errorf("only %d reasons", len(checked))
	}
}

// searched are formulas whose result is searched for: no document computes it.
const searched = "isolating-alpha"

func sound(t testing.TB, book *formulas.Book, why *plan.Why, checked map[*plan.Why]bool) {
	t.Helper()
	if checked[why] {
		return
	}
	checked[why] = true
	var has struct{ id, source, note, terms bool }
	has.id, has.source, has.note, has.terms = why.ID != "", why.Source != "", why.Note != "", len(why.Terms) > 0
	ok := why.Name != "" && why.Value != nil
	switch why.Kind {
	case plan.Given: // a line of the user's, if it is known
		ok = ok && !has.id && !has.source && !has.note && !has.terms
	case plan.Default: // with the reason of the choice
		ok = ok && !has.id && has.source != has.note && !has.terms
	case plan.Catalogue:
		ok = ok && has.id && has.source && has.note && why.Range.Filename != "" && !has.terms
	case plan.Standard:
		ok = ok && !has.id && has.source
	case plan.Formula:
		ok = ok && has.terms && (why.ID == searched || computes(t, book, why))
	case plan.Rounding:
		_, documented := book.Find(why.ID)
		ok = ok && has.id && !documented && has.terms
	default:
		ok = false
	}
	if !ok {
		t.Errorf("%s is not what a reason of kind %v should be: %+v", why.Name, why.Kind, *why)
	}
	for _, term := range why.Terms {
		sound(t, book, term.Why, checked)
	}
}

// computes reports whether the document of a formula gives the value for the terms.
func computes(t testing.TB, book *formulas.Book, why *plan.Why) bool {
	t.Helper()
	if why.ID == "sum" { // whatever it is of
		sum := int64(0)
		for _, term := range why.Terms {
			sum += reflect.ValueOf(term.Why.Value).Int()
		}
		return sum == reflect.ValueOf(why.Value).Int()
	}
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
