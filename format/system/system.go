// Package system prints and reads the configuration of systems that rows describe entirely: see
// [format.System]. A finding names an attribute of a plan for which there is no row. A leaf of a file
// without a row is not modelled.
//
// Codes of findings are the name of the system with "-chip", "-name", "-lost", "-rounded", "-range",
// and those of reading with "-read-json", "-read-large", "-read-twice", "-read-shape" and
// "-read-number".
package system

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/format/tree"
	"github.com/roceplan/roceplan/plan"
)

// Target makes the emitter of a system.
func Target(s format.System) emit.Target {
	return emit.Target{
		Name: s.Name, Title: s.Title,
		Forms: []emit.Form{{Name: emit.Full, File: s.File, Help: s.Help, Load: s.Load, Emit: func(sw *plan.Switch) ([]emit.File, diag.List) {
			doc, found := write(s, sw)
			if found.HasErrors() {
				return nil, found
			}
			return []emit.File{{Path: s.File, Body: emit.NewBody(doc.Text())}}, found
		}}},
		Change: func(from, to *plan.Switch) ([]emit.File, diag.List) {
			old, found := write(s, from)
			if found.HasErrors() {
				return nil, found
			}
			next, found := write(s, to)
			if found.HasErrors() {
				return nil, found
			}
			text := tree.Change(old, next).Text()
			if text == nil {
				return nil, found
			}
			return []emit.File{{Path: s.Name + "-change.json", Body: emit.NewBody(text)}}, found
		},
		Can: capabilities(s),
	}
}

func code(s format.System, of string) diag.Code { return diag.Code(s.Name + "-" + of) }

// A writer prints one switch.
type writer struct {
	of     format.System
	doc    *tree.Tree
	lenses map[format.Attribute]lens
	found  diag.List
}

func write(s format.System, sw *plan.Switch) (*tree.Tree, diag.List) {
	w := &writer{of: s, doc: tree.New(s.Rows, nil), lenses: lenses()}
	if len(s.Chips) > 0 && !slices.Contains(s.Chips, sw.Chip) {
		w.found.Errorf(code(s, "chip"), sw.Range, "%s does not run on the chip %s", s.Title, sw.Chip).Fixf("use one of %v, or set os to what the switch runs", s.Chips)
		return nil, w.found
	}
	for i := range sw.Ports {
		if p := &sw.Ports[i]; !named(s, p.Name) {
			w.found.Errorf(code(s, "name"), p.Range, "%q is not a port of %s", p.Name, s.Title).Fixf("name ports like %s", fmt.Sprintf(s.Port, 1))
		}
	}
	w.below("", place{sw: sw}, nil)
	w.lost(sw)
	return w.doc, w.found
}

func named(s format.System, port string) bool {
	var n int
	_, err := fmt.Sscanf(port, s.Port, &n)
	return err == nil && fmt.Sprintf(s.Port, n) == port
}

// below prints the rows of the entry of a list, or of the top.
func (w *writer) below(path string, p place, keys []any) {
	for i := range w.of.Rows {
		row := &w.of.Rows[i]
		switch {
		case row.Around() != path:
		case row.List != "":
			of := levelOf(row.List)
			for _, each := range of.each(p) {
				below := append(slices.Clone(keys), of.key(each))
				w.doc.At(row, below...)
				w.below(row.Path, each, below)
			}
		case row.Says != "":
			w.leaf(row, p, keys)
		}
	}
}

func (w *writer) leaf(row *format.Row, p place, keys []any) {
	l := w.lenses[row.Says]
	value, why := l.get(p)
	switch v := value.(type) {
	case nil:
	case int64:
		to := format.Voice{List: &w.found, System: w.of.Title, Rounded: code(w.of, "rounded"), Range: code(w.of, "range")}
		w.doc.Put(row, l.write(to, row, v, why.RangeOr(p.line())), keys...)
	case string:
		if word, ok := wordFor(row, v); ok {
			w.doc.Put(row, word, keys...)
		} else {
			w.lose(row.Says, v, why.RangeOr(p.line()))
		}
	default:
		w.doc.Put(row, v, keys...)
	}
}

// wordFor returns the text of a leaf with a meaning; false where it has none.
func wordFor(row *format.Row, means string) (string, bool) {
	if row.Words == nil {
		return means, true
	}
	for _, w := range row.Words {
		if w[1] == means {
			return w[0], true
		}
	}
	return "", false
}

// lost adds a finding for each attribute that the plan has, and that no row has.
func (w *writer) lost(sw *plan.Switch) {
	for attribute, l := range w.lenses {
		if has(w.of, attribute) {
			continue
		}
		for _, p := range places(l.of, sw) {
			switch v, why := l.get(p); v := v.(type) {
			case nil:
			case int64:
				w.lose(attribute, l.show(v), why.RangeOr(p.line()))
			default:
				w.lose(attribute, v, p.line())
			}
		}
	}
	w.found = w.found.Sorted()
}

func (w *writer) lose(of format.Attribute, value any, at diag.Range) {
	if value == true {
		w.found.WarnOncef(code(w.of, "lost"), at, "a %s is not written: %s has no line for it", of, w.of.Title)
		return
	}
	w.found.WarnOncef(code(w.of, "lost"), at, "a %s of %v is not written: %s has no line for it", of, value, w.of.Title)
}

func has(s format.System, attribute format.Attribute) bool {
	return slices.ContainsFunc(s.Rows, func(r format.Row) bool { return r.Says == attribute })
}
