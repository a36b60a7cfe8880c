package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// The table of commands in docs/using.md names those that the program has.
func TestUsingHasTheCommands(t *testing.T) {
	text, err := os.ReadFile("../../docs/using.md")
	check(t, err)
	_, table, ok := strings.Cut(string(text), "| command | does |\n|---|---|\n")
	if !ok {
		t.Fatal("docs/using.md has no table of commands")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	inTable := map[string]bool{}
	for row := range strings.Lines(table) {
		for _, name := range regexp.MustCompile("`([a-z][a-z-]*)[^`]*`").FindAllStringSubmatch(strings.Split(row, " | ")[0], -1) {
			inTable[name[1]] = true
		}
	}
	parser := newParser(&commandLine{}, &terminal{}, func(int) {})
	has := map[string]bool{}
	for _, node := range parser.Model.Children {
		if !node.Hidden {
			has[node.Name] = true
		}
	}
	must.NoDiffIn(t, cmp.Diff(has, inTable), "commands (-program +docs/using.md):")
}

// What the README shows of the program is what it prints, and a reader has a page in five minutes.
func TestREADME(t *testing.T) {
	t.Chdir("../..")
	root, err := os.Getwd()
	check(t, err)
	text, err := os.ReadFile("README.md")
	check(t, err)
	if n := len(strings.Fields(string(text))); n > 700 {
		t.Errorf("README.md has %d words, 700 are enough", n)
	}
	fabric, err := os.ReadFile("examples/ucloud-pod/fabric.hcl")
	check(t, err)
	dir := t.TempDir()
	t.Chdir(dir)
	check(t, os.WriteFile("right.hcl", fabric, 0o666))
	check(t, os.WriteFile("fabric.hcl", []byte(strings.Replace(string(fabric), `"15m"`, `"15"`, 1)), 0o666))
	for _, shown := range []struct {
		mark string
		args []string
	}{
		{"<!-- roceplan compile examples/ucloud-pod -->\n", []string{"compile", "right.hcl", "-o", "out"}},
		{"<!-- roceplan check, with cable = \"15\" -->\n", []string{"check", "fabric.hcl"}},
	} {
		_, block, ok := strings.Cut(string(text), shown.mark+"```\n")
		block, _, closed := strings.Cut(block, "```")
		if !ok || !closed {
			t.Fatalf("README.md has nothing behind %q", shown.mark)
		}
		var stdout, stderr strings.Builder
		run(shown.args, strings.NewReader(""), &stdout, &stderr, func(string) string { return "" })
		printed := stdout.String() + stderr.String()
		if *update {
			text = []byte(strings.Replace(string(text), block, now(printed, block), 1))
			check(t, os.WriteFile(filepath.Join(root, "README.md"), text, 0o666))
		} else if !strings.Contains(printed, block) {
			t.Errorf("%v prints\n%s\nand README.md shows\n%s", shown.args, printed, block)
		}
	}
}

// now are as many lines of what is printed as a block has, from its first line on.
func now(printed, block string) string {
	first, _, _ := strings.Cut(block, "\n")
	from := strings.Index(printed, first+"\n")
	if from < 0 {
		return block
	}
	lines := strings.SplitAfter(printed[from:], "\n")
	return strings.Join(lines[:min(len(lines), strings.Count(block, "\n"))], "")
}
