package nvue

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
)

// trees returns the files that every change is made to: of all shapes that the examples are
// compiled to, and of what people write beside.
func trees(t *testing.T) (all []*readtest.Tree) {
	files, err := filepath.Glob("../../golden/*/*/nvue.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files")
	}
	var texts [][]byte
	for _, file := range append(files, "testdata/everything.yaml", "testdata/roce.yaml") {
		text := must.Get(os.ReadFile(file))(t)
		if bytes.HasPrefix(text, []byte("#")) {
			_, text, _ = bytes.Cut(text, []byte("\n")) // a comment with the device
		}
		if slices.ContainsFunc(texts, func(have []byte) bool { return bytes.Equal(have, text) }) {
			continue
		}
		texts = append(texts, text)
		tree := must.Get(readtest.ParseTree(text))(t)
		all = append(all, tree)
	}
	return all
}

// Every change of every leaf shows: in the plan, by a finding, or in the ledger.
func TestEveryLeafIsAccountedFor(t *testing.T) {
	report := readtest.Report{}
	for _, tree := range trees(t) {
		old := readFile("nvue.yaml", tree.Text())
		for e := range tree.Edits() {
			around := around(e.Text, e.After.From)
			if e.What == "rename" && e.Path == "set interface *" && strings.Contains(around, "xbond") {
				continue // a bond is what has members, whatever its name
			}
			o := readtest.Compare(old, readFile("nvue.yaml", e.Text), e.Before, e.After)
			if o.Shows == "" {
				t.Errorf("%s of %s shows nowhere, line %d:\n%s", e.What, e.Path, e.After.From, around)
			}
			report.Add(e.What, e.Path, o)
		}
		for _, leaf := range tree.Leaves() {
			if leaf.Words[0] == "header" {
				continue
			}
			text := append(tree.Text(), "- unset: "+nested(leaf.Words[1:])+"\n"...)
			o := readtest.Compare(old, readFile("nvue.yaml", text), leaf.At, readtest.Lines{})
			path := strings.Join(leaf.Words[1:], " ")
			if o.Shows == "" {
				t.Errorf("nv unset %s shows nowhere", path)
			}
			report.Add("unset", "", o)
		}
	}
	diagtest.Golden(t, "../../golden/ledger/nvue.txt", report.String())
}

// nested is a path as a mapping.
func nested(words []string) string {
	return "{'" + strings.Join(words, "': {'") + "': {}" + strings.Repeat("}", len(words))
}

// around returns the lines about a place.
func around(text []byte, line int) string {
	lines := strings.SplitAfter(string(text), "\n")
	line = max(min(line, len(lines)), 1)
	return strings.Join(lines[max(line-3, 0):min(line+1, len(lines))], "")
}

// The same configuration as commands is the same switch, with the same accounts.
func TestCommandsSayTheSame(t *testing.T) {
	for _, tree := range trees(t) {
		var script strings.Builder
		for _, leaf := range tree.Leaves() {
			if leaf.Words[0] != "header" {
				script.WriteString("nv " + strings.TrimSpace(strings.Join(leaf.Words, " ")+" "+leaf.Value) + "\n")
			}
		}
		want, got := readFile("nvue.yaml", tree.Text()), readFile("nvue.yaml", []byte(script.String()))
		want.Switch.Platform = "" // it is in the header, which no command sets
		if !readtest.Same(want.Switch, got.Switch) {
			t.Errorf("these commands are another switch:\n%s", script.String())
		}
		if w, g := touched(want.Ledger), touched(got.Ledger); w != g {
			t.Errorf("the YAML leaves this\n%s\nthe commands this\n%s", w, g)
		}
	}
}
