package main

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

type jsonOverview struct {
	Diagnostics diag.List      `json:"diagnostics"`
	Quantities  []jsonQuantity `json:"quantities"`
}

type jsonQuantity struct {
	Name  string `json:"name"`
	Class string `json:"class,omitempty"`
	Value string `json:"value"`
	// Why is the derivation of a number; an inequality has two sides.
	Why []jsonWhy `json:"why,omitempty"`
}

type jsonWhy struct {
	Symbol     string    `json:"symbol,omitempty"`
	Name       string    `json:"name,omitempty"`
	Value      string    `json:"value"`
	Number     *int64    `json:"number,omitempty"` // in the base unit
	Unit       string    `json:"unit,omitempty"`   // base unit of number
	Kind       string    `json:"kind"`
	ID         string    `json:"id,omitempty"`
	Title      string    `json:"title,omitempty"`
	Expression string    `json:"expression,omitempty"`
	Source     string    `json:"source,omitempty"`
	Sources    []string  `json:"sources,omitempty"`
	Note       string    `json:"note,omitempty"`
	Flag       string    `json:"flag,omitempty"` // of the command line, in the place of file and line
	File       string    `json:"file,omitempty"`
	Line       int       `json:"line,omitempty"`
	Terms      []jsonWhy `json:"terms,omitempty"`
}

func (e explanation) overviewJSON(found diag.List, all []quantity) jsonOverview {
	out := jsonOverview{nonNil(found), []jsonQuantity{}}
	for _, q := range all {
		out.Quantities = append(out.Quantities, jsonQuantity{Name: q.names[0], Class: q.class, Value: q.value})
	}
	return out
}

func (e explanation) json(found diag.List, place string, all []quantity) jsonOverview {
	out := jsonOverview{nonNil(found), []jsonQuantity{}}
	for _, q := range all {
		j := jsonQuantity{Name: place + "." + q.names[0], Class: q.class, Value: q.value}
		for _, root := range q.roots {
			j.Why = append(j.Why, e.why(root))
		}
		out.Quantities = append(out.Quantities, j)
	}
	return out
}

func (e explanation) why(term plan.Term) jsonWhy {
	w := term.Why
	out := jsonWhy{Symbol: term.Symbol, Name: w.Name, Value: valueText(w), Kind: w.Kind.String(), ID: w.ID,
		Source: w.Source, Note: w.Note, File: w.Range.Filename, Line: w.Range.Start.Line}
	if out.Flag = e.asked.flagAt(w.Range); out.Flag != "" {
		out.File, out.Line = "", 0
	}
	if number, unit, ok := baseUnits(w.Value); ok {
		out.Number, out.Unit = &number, unit
	}
	if w.Kind == plan.Formula {
		f := e.formula(w)
		out.Title, out.Expression, out.Sources = f.title, f.expression, f.sources
	}
	for _, child := range w.Terms {
		out.Terms = append(out.Terms, e.why(child))
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

// nonNil makes an empty list an empty array of JSON rather than null.
func nonNil(found diag.List) diag.List {
	if found == nil {
		return diag.List{}
	}
	return found
}
