package calc

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// The functions of this file build the reasons of numbers. Each names one authority:
// a line of the user's file, a chip datum, a clause, a formula.

// given returns the reason of a value that the author may set: the line where he did, or
// why roceplan chose the default.
func given[T any](name string, o policy.Opt[T], value fmt.Stringer, byDefault string) *plan.Why {
	why := &plan.Why{Kind: plan.Given, Name: name, Value: value, Range: o.Range}
	if !o.Set {
		why.Kind, why.Source = plan.Default, byDefault
	}
	return why
}

// datum returns the reason of a value from the chip catalogue. d must be known.
func datum[T any](chip *chips.Chip, d chips.Datum[T], value fmt.Stringer) *plan.Why {
	return known(chip.Name, d, value)
}

// known returns the reason of a value from the catalogue, of the chip or NIC of that name.
func known[T any](of string, d chips.Datum[T], value fmt.Stringer) *plan.Why {
	fact := d.Fact()
	note := fact.Confidence.String()
	if fact.Note != "" {
		note += ": " + fact.Note
	}
	return &plan.Why{Kind: plan.Catalogue, Name: d.Name(), Value: value, ID: of,
		Source: fact.Source, Note: note, Range: fact.Range}
}

// standard returns the reason of a constant that a clause or a paper sets.
func standard(name string, value fmt.Stringer, source string) *plan.Why {
	return &plan.Why{Kind: plan.Standard, Name: name, Value: value, Source: source}
}

// chosen returns the reason of a value that roceplan chose where the fabric says nothing.
func chosen(name string, value fmt.Stringer, because string) *plan.Why {
	return &plan.Why{Kind: plan.Default, Name: name, Value: value, Source: because}
}

// decided returns a value that roceplan chose, with the reason.
func decided[T fmt.Stringer](name string, value T, because string) plan.Derived[T] {
	return plan.Of(value, chosen(name, value, because))
}

// computed returns the reason of a formula's result. id names the document in
// calc/formulas, whose symbols the terms carry.
//
//go:noinline
func computed(id, name string, value fmt.Stringer, terms ...plan.Term) *plan.Why {
	return &plan.Why{Kind: plan.Formula, Name: name, ID: id, Value: value, Terms: terms}
}

// rounded returns the reason of a step that no document has; id says which.
func rounded(id, name string, value fmt.Stringer, terms ...plan.Term) *plan.Why {
	return &plan.Why{Kind: plan.Rounding, Name: name, ID: id, Value: value, Terms: terms}
}

//go:noinline
func term(symbol string, why *plan.Why) plan.Term { return plan.Term{Symbol: symbol, Why: why} }

// count returns a term that is a plain number, counted from the description.
func count(symbol string, n int, what string) plan.Term {
	return plan.Term{Symbol: symbol, Why: &plan.Why{Kind: plan.Given, Name: what, Value: plan.Count(n)}}
}

// alphaTerms returns an alpha's numerator and denominator, as formulas without division
// want it.
func alphaTerms(alpha plan.Derived[plan.Limit]) []plan.Term {
	num, den := alpha.Value.Alpha.Fraction()
	part := func(symbol, name string, n int64) plan.Term {
		return term(symbol, rounded("fraction", name, plan.Count(n), term("alpha", alpha.Why)))
	}
	return []plan.Term{part("alpha_num", "numerator of alpha", num), part("alpha_den", "denominator of alpha", den)}
}
