package explain

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Derivation is a quantity with its reasons, for a machine.
type Derivation struct {
	Name  string `json:"name"`
	Class string `json:"class,omitempty"`
	Value string `json:"value"`
	// Why is the derivation of a number; an inequality has two sides.
	Why []Reason `json:"why,omitempty"`
}

// A Reason is a value with what it rests on.
type Reason struct {
	Symbol     string   `json:"symbol,omitempty"`
	Name       string   `json:"name,omitempty"`
	Value      string   `json:"value"`
	Number     *int64   `json:"number,omitempty"` // in the base unit
	Unit       string   `json:"unit,omitempty"`   // base unit of number
	Kind       string   `json:"kind"`
	ID         string   `json:"id,omitempty"`
	Title      string   `json:"title,omitempty"`
	Expression string   `json:"expression,omitempty"`
	Source     string   `json:"source,omitempty"`
	Sources    []string `json:"sources,omitempty"`
	Note       string   `json:"note,omitempty"`
	Flag       string   `json:"flag,omitempty"` // of the command line, in the place of file and line
	File       string   `json:"file,omitempty"`
	Line       int      `json:"line,omitempty"`
	Comment    string   `json:"comment,omitempty"` // above a given value, or above the block without a name that it is in
	Terms      []Reason `json:"terms,omitempty"`
}

// Overview lists quantities with their values and without their reasons.
func Overview(all []Quantity) []Derivation {
	out := []Derivation{}
	for _, q := range all {
		out = append(out, Derivation{Name: q.Names[0], Class: q.Class, Value: q.Value})
	}
	return out
}

// Derivations lists quantities of a place with their reasons.
func (e Explanation) Derivations(place string, all []Quantity) []Derivation {
	out := []Derivation{}
	for _, q := range all {
		d := Derivation{Name: place + "." + q.Names[0], Class: q.Class, Value: q.Value}
		for _, root := range q.Roots {
			d.Why = append(d.Why, e.reason(root))
		}
		out = append(out, d)
	}
	return out
}

func (e Explanation) reason(term plan.Term) Reason {
	w := term.Why
	out := Reason{Symbol: term.Symbol, Name: w.Name, Value: valueText(w), Kind: w.Kind.String(), ID: w.ID,
		Source: w.Source, Note: w.Note, File: w.Range.Filename, Line: w.Range.Start.Line}
	if out.Flag = e.named(w.Range); out.Flag != "" {
		out.File, out.Line = "", 0
	}
	if w.Kind == plan.Given {
		out.Comment = e.remark(w.Range)
	}
	if number, unit, ok := baseUnits(w.Value); ok {
		out.Number, out.Unit = &number, unit
	}
	if w.Kind == plan.Formula {
		f := e.formula(w)
		out.Title, out.Expression, out.Sources = f.title, f.expression, f.sources
	}
	for _, child := range w.Terms {
		out.Terms = append(out.Terms, e.reason(child))
	}
	return out
}

// baseUnits gives a quantity as the integer that it is.
func baseUnits(v fmt.Stringer) (number int64, unit string, ok bool) {
	switch v := v.(type) {
	case units.Bytes:
		return int64(v), "B", true
	case units.Cells:
		return int64(v), "cells", true
	case units.BitRate:
		return int64(v), "bps", true
	case units.Time:
		return int64(v), "ps", true
	case units.Length:
		return int64(v), "mm", true
	case units.Ratio:
		return int64(v), "ppb", true
	case units.Alpha:
		return int64(v), "log2", true
	case plan.Count:
		return int64(v), "", true
	}
	return 0, "", false
}

// Number gives a quantity as an integer in its base unit: bytes, cells, bits per second,
// picoseconds, millimetres, billionths; ok is false for what is no such quantity.
func Number(v fmt.Stringer) (number int64, ok bool) {
	number, _, ok = baseUnits(v)
	return number, ok
}
