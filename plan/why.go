package plan

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
)

// Derived is a value together with the reason for it.
type Derived[T any] struct {
	Value T
	Why   *Why
}

// Of pairs a value with its reason.
//
//go:noinline
func Of[T any](value T, why *Why) Derived[T] { return Derived[T]{value, why} }

// Kind is the sort of authority that a value rests on.
type Kind uint8

const (
	Given     Kind = iota // a line of the user's file
	Default               // roceplan's own choice where the file is silent
	Catalogue             // a datum of the chip catalogue
	Standard              // a clause of a standard or a constant of a paper
	Formula               // a documented formula with terms
	Rounding              // a step of rounding, to cells or to the chip's granularity
	ReadBack              // a line of a configuration file that was read
	Pinned                // a line of a pinned block; the term is what would be derived
)

func (k Kind) String() string {
	return [...]string{"given", "default", "catalogue", "standard", "formula", "rounding", "read", "pinned"}[k]
}

// A Why is the reason of one number: a tree whose inner nodes are formulas and
// rounding steps, and whose leaves are lines of files, chip data and clauses. The
// value at a node is kept as it was computed and printed only when asked for.
type Why struct {
	Kind   Kind
	Name   string       // the quantity: "headroom"
	Value  fmt.Stringer // the result
	ID     string       // formula id, or datum name, or what kind of rounding
	Source string       // document and locator; empty for Given
	Note   string       // confidence, disagreement, assumption; may be empty
	Range  diag.Range   // line of the file; zero where there is none
	Terms  []Term       // the inputs, in the order of the formula
}

// IsPinned reports whether a line of the fabric gives the value itself.
func (w *Why) IsPinned() bool { return w != nil && w.Kind == Pinned }

// RangeOr returns the line that a value comes from; where there is none, that of what the value
// belongs to.
func (w *Why) RangeOr(otherwise diag.Range) diag.Range {
	if w != nil && w.Range.Filename != "" {
		return w.Range
	}
	return otherwise
}

// A Term is one input of a formula under the symbol that the formula gives it.
type Term struct {
	Symbol string
	Why    *Why
}

// Count is a plain number as the value of a Why.
type Count int64

func (c Count) String() string { return fmt.Sprint(int64(c)) }

// Word is a plain text as the value of a Why.
type Word string

func (w Word) String() string { return string(w) }
