// Package repair finds the smallest edit of a fabric's text after which a finding is gone and none is
// new. It knows what people mistype; whether an edit helps, only compiling the text says, which the
// caller does for it.
package repair

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
)

// Texts are the files of a fabric by their names.
type Texts map[string][]byte

// A Check says all that is found of a fabric with other texts. It may end with a part of that which is enough.
type Check func(texts Texts, enough func(diag.List) bool) (diag.List, error)

// Limits of what is tried: an error is worth more tries than a warning.
const (
	mostOfError, mostOfWarning = 80, 12
	mostErrors, mostWarnings   = 6, 4 // findings for which edits are looked for
)

// Find gives findings the edits that repair them, and puts root causes first: a finding that the edit of
// another one repairs comes behind it, and says so.
//
// An edit is offered if the finding is gone with it and no finding is new. Where the text had errors,
// warnings are not new: they could not be found before. Of several edits the one that leaves fewest
// errors is taken, then the one that changes least.
func Find(texts Texts, found diag.List, check Check) (diag.List, error) {
	f := newFinder(texts, found, check)
	if err := f.repairAll(); err != nil {
		return nil, err
	}
	return f.ordered(), nil
}

// A finder looks for the edits of one fabric.
type finder struct {
	texts  Texts
	files  files
	check  Check
	found  diag.List
	before tally
	codes  map[diag.Code]bool // of before

	roots []root
}

func newFinder(texts Texts, found diag.List, check Check) *finder {
	f := &finder{texts: texts, check: check, found: slices.Clone(found), files: parse(texts), before: tallyOf(found), codes: map[diag.Code]bool{}}
	for _, d := range found {
		f.codes[d.Code] = true
	}
	return f
}

// A root is a finding with its edit.
type root struct {
	finding int
	trial
}

// A trial is the result of an edit.
type trial struct {
	edits  []diag.Edit
	cost   int
	gone   []bool // by finding
	errors int    // that are left
	fresh  int    // warnings that were not found before
}

// dearer is the number of additional slips that an edit may take to leave fewer warnings.
const dearer = 6

// better reports whether a trial leaves fewer errors than another one of no higher cost, or fewer
// warnings for little more.
func (t *trial) better(other *trial) bool {
	if other == nil || t.errors != other.errors {
		return other == nil || t.errors < other.errors
	}
	return t.fresh < other.fresh && t.cost <= other.cost+dearer
}

// repairAll looks for edits of the findings that no edit repairs yet, the likeliest causes first.
func (f *finder) repairAll() error {
	errors, warnings := 0, 0
	for _, i := range f.likeliest() {
		if f.repaired(i) {
			continue
		}
		most := mostOfError
		if f.found[i].Severity == diag.Warning {
			if warnings++; f.found.HasErrors() || warnings > mostWarnings {
				return nil // they are about a text that will change
			}
			most = mostOfWarning
		} else if errors++; errors > mostErrors {
			continue
		}
		best, err := f.repair(i, most)
		if err != nil {
			return err
		}
		if best != nil {
			f.roots = append(f.roots, root{i, *best})
		}
	}
	return nil
}

// likeliest orders findings: errors first, of these misspelt words, then values, then blocks, then remarks.
func (f *finder) likeliest() []int {
	order := make([]int, len(f.found))
	for i := range order {
		order[i] = i
	}
	rank := func(i int) int {
		d := &f.found[i]
		switch {
		case d.Code == diag.Syntax:
			return 0
		case d.Meant != "" || d.Code == "block-label" || d.Code == "unknown-block":
			return 1
		case f.files.at(d.Subject).attr != nil || len(d.Related) > 0:
			return 2
		case d.Fix != "":
			return 3
		}
		return 4 // the effect of a value on a system
	}
	stable.Sort(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.found[a].Severity, f.found[b].Severity), cmp.Compare(rank(a), rank(b)))
	})
	return order
}

// repaired reports whether an edit that was found repairs a finding too.
func (f *finder) repaired(i int) bool {
	return slices.ContainsFunc(f.roots, func(r root) bool { return r.gone[i] })
}

// repair tries edits of one finding, the smallest first; nil where none helps.
func (f *finder) repair(i, most int) (best *trial, err error) {
	for n, c := range f.candidates(f.found[i]) {
		if n == most || best != nil && best.errors == 0 && c.cost > best.cost+dearer {
			break
		}
		t, err := f.try(i, c)
		if err != nil {
			return nil, err
		}
		if t != nil && t.better(best) {
			if best = t; t.errors == 0 && t.fresh == 0 {
				break
			}
		}
	}
	return best, nil
}

// try checks the text with edits; nil where the finding is still there or another one is new.
func (f *finder) try(i int, c candidate) (*trial, error) {
	kind, left := f.found[i].Kind(), 0
	t, err := f.outcome(c, kind.Code, func(now tally) bool { left = now[kind]; return left >= f.before[kind] })
	if t == nil || left == 0 {
		return t, err
	}
	for j := range f.found { // of those of one kind that are left it is not known which: they are not said to be gone
		t.gone[j] = t.gone[j] && (j == i || f.found[j].Kind() != kind)
	}
	return t, err
}

// outcome checks the text with edits of a finding with a code; nil where a finding is new, or another reason refutes the
// edits. More findings never make up for what refutes.
func (f *finder) outcome(c candidate, code diag.Code, refutes func(tally) bool) (*trial, error) {
	after := Texts{}
	for name, text := range f.texts {
		after[name] = diag.Apply(name, text, c.edits)
	}
	refuted := func(now tally) bool { return f.hasNew(now, code) || refutes(now) }
	list, err := f.check(after, func(some diag.List) bool { return refuted(tallyOf(some.Sorted())) })
	if err != nil {
		return nil, err
	}
	t := trial{edits: c.edits, cost: c.cost, gone: make([]bool, len(f.found))}
	now := tallyOf(list)
	if refuted(now) {
		return nil, nil
	}
	for kind, n := range now {
		if kind.Severity == diag.Error {
			t.errors += n
		} else {
			t.fresh += max(0, n-f.before[kind])
		}
	}
	for j, d := range f.found {
		t.gone[j] = now[d.Kind()] < f.before[d.Kind()]
	}
	return &t, nil
}

// hasNew reports whether there are findings that were not there before. A warning of a target is
// not new where there were warnings of its code before; for edits of no finding, where there were
// as many.
func (f *finder) hasNew(now tally, code diag.Code) bool {
	errors, more := f.found.HasErrors(), map[diag.Code]int{}
	for kind, n := range f.before {
		more[kind.Code] -= n
	}
	for kind, n := range now {
		more[kind.Code] += n
	}
	for kind, n := range now {
		if n > f.before[kind] && (kind.Severity == diag.Error || !errors && (kind.Code == code || code == "" && more[kind.Code] > 0 || !f.codes[kind.Code])) {
			return true
		}
	}
	return false
}

// ordered returns the findings with their edits, each root before what follows from it; roots whose edit
// leaves fewest errors first.
func (f *finder) ordered() diag.List {
	stable.Sort(f.roots, func(a, b root) int {
		x, y := f.found[a.finding], f.found[b.finding]
		return cmp.Or(cmp.Compare(x.Severity, y.Severity), cmp.Compare(a.errors, b.errors), diag.CompareRanges(x.Subject, y.Subject))
	})
	out, told := make(diag.List, 0, len(f.found)), make([]bool, len(f.found))
	for _, r := range f.roots {
		if told[r.finding] {
			continue
		}
		told[r.finding] = true
		d := f.where(f.found[r.finding], r.edits)
		d.Edits = r.edits
		out = append(out, d)
		for j := range f.found {
			if r.gone[j] && !told[j] && f.found[j].Severity == d.Severity {
				told[j] = true
				f.found[j].Follows = true
				out = append(out, f.found[j])
			}
		}
	}
	for _, j := range f.likeliest() {
		if !told[j] {
			out = append(out, f.found[j])
		}
	}
	return out
}

// where returns the finding at the place that its edits repair: of two that do not fit, the other one may
// be at fault, and of a name its definition.
func (f *finder) where(d diag.Diagnostic, edits []diag.Edit) diag.Diagnostic {
	if touches(edits, d.Subject) {
		return d
	}
	for i, n := range d.Related {
		if touches(edits, n.Range) {
			d.Related = slices.Clone(d.Related)
			d.Related[i] = diag.Note{Range: d.Subject, Message: "it does not fit this"}
			d.Subject = n.Range
			return d
		}
	}
	if p := f.files.at(d.Subject); p.attr != nil {
		if def := f.files.definition(p.attr.Expr); def != nil && touches(edits, def.Range()) {
			d.Related = append(slices.Clone(d.Related), diag.Note{Range: d.Subject, Message: "it is used here"})
			d.Subject = def.Range()
			return d
		}
	}
	if at := edits[0].Range; at.Start.Byte < at.End.Byte {
		if d.Subject.Filename != "" {
			d.Related = append(slices.Clone(d.Related), diag.Note{Range: d.Subject, Message: "it shows here"})
		}
		d.Subject = at
	}
	return d
}

// touches reports whether an edit is in the lines of a range.
func touches(edits []diag.Edit, r diag.Range) bool {
	return slices.ContainsFunc(edits, func(e diag.Edit) bool {
		last := e.Range.End.Line
		if last > e.Range.Start.Line && e.Range.End.Column == 1 { // of whole lines
			last--
		}
		return e.Range.Filename == r.Filename && e.Range.Start.Line <= r.End.Line && r.Start.Line <= last
	})
}

// A tally counts findings of a kind: an edit moves lines and changes figures.
type tally map[diag.Kind]int

func tallyOf(list diag.List) tally {
	t := tally{}
	for _, d := range list {
		t[d.Kind()]++
	}
	return t
}
