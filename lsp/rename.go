package lsp

import (
	"regexp"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
)

type highlight struct {
	Range span `json:"range"`
}

// highlights returns the places of a file where what is under the cursor is named or declared.
func (s *server) highlights(a *analysis, path string, p *at) any {
	out := []highlight{}
	d := a.meant(path, offset(a.texts[path], p.Position))
	if d == nil {
		return out
	}
	for _, at := range append(a.uses(d), d.at) {
		if at.Filename == path {
			out = append(out, highlight{spanOf(a.texts[path], at)})
		}
	}
	return out
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// rename gives what is under the cursor another name, wherever the folder names it. It refuses a name that is
// none, and one with which the fabric has an error that it does not have now: a text may name it too.
func (s *server) rename(a *analysis, path string, p *at) any {
	d := a.meant(path, offset(a.texts[path], p.Position))
	switch {
	case d == nil:
		return failure{invalidParams, "there is nothing here that has a name"}
	case !plainName.MatchString(p.NewName):
		return failure{invalidParams, "a name has letters, digits, '_' and '-', and begins with a letter"}
	}
	edits := a.renaming(d, p.NewName)
	if why := a.broken(edits); why != "" {
		return failure{invalidParams, "with this name " + why}
	}
	return a.workspaceEdit(edits)
}

// renaming returns the edits of the declaration and of all that name it. A switch keeps the ranges of its label.
func (a *analysis) renaming(d *declaration, name string) []diag.Edit {
	put := func(at diag.Range, was, now string) diag.Edit {
		text := string(a.texts[at.Filename][at.Start.Byte:at.End.Byte])
		return diag.Edit{Range: at, Text: strings.Replace(text, was, now, 1)}
	}
	edits := []diag.Edit{put(d.at, bare(d.name), name)}
	for _, at := range a.uses(d) {
		edits = append(edits, put(at, "."+bare(d.name), "."+name))
	}
	return edits
}

// broken returns the first error that the fabric has with edits and does not have now; empty: none.
func (a *analysis) broken(edits []diag.Edit) string {
	in := a.in
	in.Files = nil
	for _, src := range a.in.Files {
		in.Files = append(in.Files, roceplan.Source{Name: src.Name, Text: diag.Apply(src.Name, src.Text, edits)})
	}
	known := map[diag.Kind]bool{}
	for _, d := range a.fabric.Findings() {
		known[d.Kind()] = true
	}
	for _, d := range roceplan.Load(in).Findings() {
		if d.Severity == diag.Error && !known[d.Kind()] {
			return d.Message
		}
	}
	return ""
}
