package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The README's table of commands names those that the program has.
func TestREADMEHasTheCommands(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	check(t, err)
	_, table, ok := strings.Cut(string(text), "| command | does |\n|---|---|\n")
	if !ok {
		t.Fatal("the README has no table of commands")
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
	if diff := cmp.Diff(has, inTable); diff != "" {
		t.Errorf("commands (-program +README):\n%s", diff)
	}
}
