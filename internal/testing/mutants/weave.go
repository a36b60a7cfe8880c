package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
)

// An edit of a file's text: delete of it, and put text in place.
type edit struct {
	at, delete int
	text       string
	kind       int // at one offset: what ends, then what begins, then what replaces
	length     int // of the node: the longer begins first and ends last
	order      int // of mutants of one node: the first is outermost
}

const (
	ends = iota
	begins
	replaces
)

// weave returns a file's text with all of its mutants asleep. Lines stay where they are.
func weave(f *file, all []*mutant) string {
	var edits []edit
	for i, m := range all {
		at, end := f.offset(m.node.Pos()), f.offset(m.node.End())
		edits = append(edits, edit{at, 0, numbered(m.before, m.id), begins, end - at, i}, edit{end, 0, numbered(m.after, m.id), ends, end - at, i})
		if m.op.IsValid() {
			edits = append(edits, edit{f.offset(m.op), m.width, m.instead, replaces, 0, 0})
		}
	}
	stable.Sort(edits, func(a, b edit) int {
		c := cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind))
		if c == 0 && a.kind == ends {
			return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(b.order, a.order))
		}
		return cmp.Or(c, cmp.Compare(b.length, a.length), cmp.Compare(a.order, b.order))
	})
	var out strings.Builder
	name := f.offset(f.tree.Name.End())
	out.Write(f.text[:name])
	out.WriteString(`; import mutantsite "` + f.of.Module.Path + `/internal/testing/mutants/site"`)
	last := name
	for _, e := range edits {
		out.Write(f.text[last:e.at])
		out.WriteString(e.text)
		last = e.at + e.delete
	}
	out.Write(f.text[last:])
	out.WriteString("\nvar _ = mutantsite.On\n")
	return out.String()
}

func numbered(text string, id int) string {
	if strings.Contains(text, "%d") {
		return fmt.Sprintf(text, id)
	}
	return text
}

// overlay writes the woven files below dir and returns the path of the list that the
// compiler reads; control is the file that will say which mutant is alive.
func overlay(root, dir, control string, all []*mutant) (string, error) {
	of := make(map[*file][]*mutant)
	for _, m := range all {
		of[m.file] = append(of[m.file], m)
	}
	replace := make(map[string]string)
	put := func(name, text string) error { // named as in the source, for the compiler's complaints
		at := filepath.Join(dir, name)
		replace[filepath.Join(root, name)] = at
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			return err
		}
		return os.WriteFile(at, []byte(text), 0o666)
	}
	for f, own := range of {
		if err := put(f.name, weave(f, own)); err != nil {
			return "", err
		}
	}
	if err := put(filepath.Join("internal", "testing", "mutants", "site", "control.go"), fmt.Sprintf("package site\n\nconst control = %q\n", control)); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, list, 0o666)
}
