package goldentest

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// A Table has a heading and parts that take long to make, so that it is recorded part by part.
type Table struct {
	File    string
	Names   []string                                // of the parts, in their order
	Heading func(recorded map[string]string) string // what the parts say together
	Make    func(t *testing.T, name string) string  // a part, from "== NAME: " to the empty line behind it
}

// Run compares the heading with the parts, and finds parts of names that there are not. With hunt it makes every
// part, as a test of its own, and compares it; with update it writes what it would compare.
func (tab Table) Run(t *testing.T, hunt, update bool) (recorded map[string]string) {
	t.Helper()
	heading, recorded := Parts(t, tab.File, update)
	if hunt {
		for _, name := range tab.Names {
			t.Run(name, func(t *testing.T) { tab.part(t, name, recorded, update) })
		}
		return recorded
	}
	if update {
		tab.write(t, recorded)
	} else if want := tab.heading(recorded); heading != want {
		t.Errorf("the heading is\n%s\nthe parts say\n%s\n-update writes it", heading, want)
	}
	for name := range recorded {
		if !slices.Contains(tab.Names, name) {
			t.Errorf("%s has a part of %s, which there is not", tab.File, name)
		}
	}
	return recorded
}

func (tab Table) part(t *testing.T, name string, recorded map[string]string, update bool) {
	t.Helper()
	got := tab.Make(t, name)
	if !update {
		if got != recorded[name] {
			t.Errorf("recorded is\n%s\nthe run says\n%s", recorded[name], got)
		}
		return
	}
	recorded[name] = got
	tab.write(t, recorded)
}

// heading ends with the names of parts that are not recorded.
func (tab Table) heading(recorded map[string]string) string {
	text := tab.Heading(recorded)
	missing := slices.DeleteFunc(slices.Clone(tab.Names), func(name string) bool { return recorded[name] != "" })
	if len(missing) > 0 {
		text += "\nNot recorded yet: " + strings.Join(missing, ", ") + "."
	}
	return text
}

func (tab Table) write(t *testing.T, recorded map[string]string) {
	t.Helper()
	text := tab.heading(recorded) + "\n\n"
	for _, name := range tab.Names {
		text += recorded[name]
	}
	if err := os.WriteFile(tab.File, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
