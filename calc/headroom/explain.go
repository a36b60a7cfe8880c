package headroom

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
)

// The functions below build the nodes of a derivation. A caller that keeps the line
// of the user's file replaces the Given leaves' Range.

func given(name string, v fmt.Stringer) *plan.Why {
	return &plan.Why{Kind: plan.Given, Name: name, Value: v}
}

func standard(name string, v fmt.Stringer, source string) *plan.Why {
	return &plan.Why{Kind: plan.Standard, Name: name, Value: v, Source: source}
}

// datum returns the node of a chip's constant, which must be known.
func datum[T fmt.Stringer](d chips.Datum[T]) *plan.Why {
	v, err := d.Get()
	if err != nil {
		panic(err) // the method was bound to a chip that lacks its constant
	}
	f := d.Fact()
	note := f.Confidence.String()
	if f.Note != "" {
		note += "; " + f.Note
	}
	return &plan.Why{Kind: plan.Catalogue, Name: d.Name(), Value: v, ID: d.Name(), Source: f.Source, Note: note, Range: f.Range}
}

// formula returns the node of a documented formula: its sources are in the document.
func formula(id, name string, v fmt.Stringer, terms ...plan.Term) *plan.Why {
	return &plan.Why{Kind: plan.Formula, Name: name, Value: v, ID: id, Terms: terms}
}

func rounded(how, name string, v fmt.Stringer, of *plan.Why) *plan.Why {
	return &plan.Why{Kind: plan.Rounding, Name: name, Value: v, ID: how, Terms: []plan.Term{{Symbol: of.Name, Why: of}}}
}

func term(symbol string, why *plan.Why) plan.Term { return plan.Term{Symbol: symbol, Why: why} }
