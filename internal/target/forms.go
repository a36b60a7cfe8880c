package target

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
)

// FormNames lists the forms of all targets, each once.
func FormNames() []string {
	var names []string
	for _, t := range All() {
		for _, f := range t.Forms {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// Files lists the file of each target's whole form.
func Files() []string {
	var names []string
	for _, t := range All() {
		names = append(names, t.Forms[0].File)
	}
	return names
}

// Forms returns what a switch gets of a target: the forms that are wanted, or the
// first where none of them is the target's.
func Forms(name string, wanted []string) (out []emit.Form) {
	t, ok := Find(name)
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

// Render prints a shape in all forms of one target. A finding of several forms is reported once.
func Render(sw *plan.Switch, forms []emit.Form) (files []emit.File, found diag.List) {
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

// Whole reports whether a file holds the whole configuration of a switch, for the target
// that it returns.
func Whole(f emit.File) (name string, whole bool) {
	for _, t := range All() {
		if t.Forms[0].File == f.Path {
			return t.Name, true
		}
	}
	return "", false
}
