package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/plain"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// fixFlags ask for edits to be applied.
type fixFlags struct {
	Fix bool `help:"Apply the edits that repair findings and, without findings, those that prove a conditional verdict, one after another; asks before each."`
	Yes bool `help:"With --fix, do not ask, and repair errors alone."`
}

// check refuses what cannot be edited.
func (c fixFlags) check(t *terminal, files []string) error {
	switch {
	case c.Yes && !c.Fix:
		return misusef("--yes goes with --fix")
	case c.Fix && slices.Contains(files, "-"):
		return misusef("--fix edits files, but standard input is not a file")
	case c.Fix && !c.Yes && !t.asks:
		return misusef("--fix asks before each edit, but there is no terminal to ask on: add --yes, or read the edits without --fix")
	}
	return nil
}

// fix applies the first edits that are wanted, and reports whether it did: the others are of a text
// that is no more.
func (c fixFlags) fix(t *terminal, in roceplan.Input, found diag.List, declined map[diag.Kind]bool) (bool, error) {
	for _, d := range found {
		if len(d.Edits) == 0 || d.Severity == diag.Warning && c.Yes || declined[d.Kind()] {
			continue
		}
		texts := textsOf(in)
		if err := t.text(t.tty, texts).Write(t.tty, diag.List{d}); err != nil {
			return false, err
		}
		if !c.Yes && !t.agrees("apply this edit?") {
			declined[d.Kind()] = true
			continue
		}
		return true, applyEdits(t, texts, d.Edits)
	}
	return false, nil
}

// prove applies the first edit that is wanted of those that make a condition of a verdict needless, and reports
// whether it did. Only the author can know what an edit declares, and headroom has a price, so nothing is
// applied without asking.
func (c fixFlags) prove(t *terminal, in roceplan.Input, declined map[string]bool) (bool, error) {
	if c.Yes {
		return false, nil
	}
	offers, err := roceplan.Offers(t, in)
	if err != nil {
		return false, err
	}
	for i := range offers {
		o := &offers[i]
		condition := fmt.Sprintf("%s: conditional: %s: %s", plan.Abbreviate(o.Switches), o.Where, o.Assumes)
		for title, way := range o.Ways() {
			if declined[title+condition] || declined[way.Text] {
				continue
			}
			fmt.Fprintf(t.tty, "%s\n      = %s\n", plain.Line(condition), plain.Line(title+way.String()))
			if t.agrees("make this edit?") {
				return true, applyEdits(t, textsOf(in), way.Edits)
			}
			declined[title+condition], declined[way.Text] = true, true
		}
	}
	return false, nil
}

func textsOf(in roceplan.Input) diag.Sources {
	texts := diag.Sources{}
	for _, src := range in.Files {
		texts[src.Name] = src.Text
	}
	return texts
}

// applyEdits writes the files that edits change.
func applyEdits(t *terminal, texts diag.Sources, edits []diag.Edit) error {
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		after := diag.Apply(name, texts[name], edits)
		if string(after) == string(texts[name]) {
			continue
		}
		if was, _ := policy.Format(policy.Source{Name: name, Text: texts[name]}); string(was) == string(texts[name]) {
			if formatted, faults := policy.Format(policy.Source{Name: name, Text: after}); !faults.HasErrors() {
				after = formatted
			}
		}
		if err := whole.Write(t.disk, name, after); err != nil {
			return err
		}
	}
	return nil
}

// agrees asks, and reports whether the answer is yes.
func (t *terminal) agrees(question string) bool {
	return strings.HasPrefix(strings.ToLower(t.answer(question+" [y/N] ")), "y")
}

// answer asks, and returns the line that a person writes.
func (t *terminal) answer(question string) string {
	fmt.Fprint(t.tty, plain.Line(question))
	var answer []byte
	for sign := make([]byte, 1); ; {
		if n, err := t.in.Read(sign); n == 0 || err != nil || sign[0] == '\n' {
			return strings.TrimSpace(string(answer))
		}
		answer = append(answer, sign[0])
	}
}
