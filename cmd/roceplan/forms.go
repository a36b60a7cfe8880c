package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/plan"
)

// formNames lists the forms of all targets, each once: the values of --form.
func formNames() []string {
	var names []string
	for _, t := range target.All() {
		for _, f := range t.Forms {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// formHelp tells the forms beyond the first of each target.
func formHelp() string {
	var out strings.Builder
	for _, t := range target.All() {
		for _, f := range t.Forms[1:] {
			fmt.Fprintf(&out, "    %-12s %s, %s: %s\n", f.Name, t.Title, f.File, f.Help)
		}
	}
	return out.String()
}

// formsOf returns what a switch gets of a target: the forms that are wanted, or the
// first where none of them is the target's.
func formsOf(name string, wanted []string) (out []emit.Form) {
	t, ok := target.Find(name)
	if !ok {
		panic("nothing writes the target " + name + ", which the language knows")
	}
	for _, f := range t.Forms {
		if slices.Contains(wanted, f.Name) {
			out = append(out, f)
		}
	}
	if out == nil {
		out = t.Forms[:1]
	}
	return out
}

// checkForms refuses a form that no switch of the plan would get.
func checkForms(p *plan.Plan, wanted []string) error {
	for _, name := range wanted {
		used := false
		for _, sw := range p.Switches {
			for _, of := range sw.Targets {
				used = used || slices.ContainsFunc(formsOf(of, wanted), func(f emit.Form) bool { return f.Name == name })
			}
		}
		if !used {
			return misusef("no switch of this fabric has a target with the form %s", name)
		}
	}
	return nil
}

// emitAll prints a shape in all forms of one target. What several forms find is said
// once.
func emitAll(sw *plan.Switch, forms []emit.Form) (files []emit.File, found diag.List) {
	for _, f := range forms {
		more, told := f.Emit(sw)
		files = append(files, more...)
		for _, d := range told {
			if !slices.ContainsFunc(found, func(have diag.Diagnostic) bool {
				return have.Code == d.Code && have.Subject == d.Subject && have.Message == d.Message
			}) {
				found = append(found, d)
			}
		}
	}
	return files, found
}
