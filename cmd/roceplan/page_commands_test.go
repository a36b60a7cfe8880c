package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

var (
	// shownCommand is a command in a page: a line of a block, or words between backticks.
	shownCommand = regexp.MustCompile("(?m)(?:^(?:    |\\$ )|`)roceplan ([a-z-][^`\n#|]*)")
	// ranCommand is one in a script of golden/script.
	ranCommand = regexp.MustCompile(`(?m)^(?:exec|exits [0-9]|! exec) roceplan (.+)$`)
	// typedCommand is one in a page that a test follows.
	typedCommand = regexp.MustCompile(`(?m)^\$ roceplan (.+)$`)
	longFlag     = regexp.MustCompile(`(?:^| )--([a-z0-9-]+)`)
)

// Each command that a page shows is one that the program has, with flags that it has, and a test runs it with each of
// these flags. Tutorials, how-tos and questions are run as they are.
func TestCommandsOfPages(t *testing.T) {
	t.Chdir("../..")
	ran := map[string]map[string]bool{ // flags by command
		"lsp": {}, "mcp": {}, // which tests of packages lsp and mcp talk to
		"observe": {"devices": true, "watch": true}, // TestObserveService
	}
	note := func(command string) {
		name, flags := commandAndFlags(command)
		if ran[name] == nil {
			ran[name] = map[string]bool{}
		}
		for _, flag := range flags {
			ran[name][flag] = true
		}
	}
	for _, file := range glob(t, "golden/script/*.txtar") {
		text, err := os.ReadFile(file)
		check(t, err)
		for _, m := range ranCommand.FindAllStringSubmatch(string(text), -1) {
			note(m[1])
		}
	}
	pages := slices.Concat(glob(t, "docs/*.md"), glob(t, "docs/lint/*.md"), glob(t, "examples/*/README.md"), []string{"README.md", "LANGUAGE.md", "CHIPS.md", "site/home.md"})
	for _, folder := range []string{"tutorials", "howto", "questions"} {
		for _, file := range glob(t, filepath.Join("docs", folder, "*.md")) {
			text, err := os.ReadFile(file)
			check(t, err)
			for _, m := range typedCommand.FindAllStringSubmatch(string(text), -1) {
				note(m[1])
			}
			pages = append(pages, file)
		}
	}
	parser := newParser(&commandLine{}, &terminal{}, func(int) {})
	seen := 0
	for _, file := range pages {
		text, err := os.ReadFile(file)
		check(t, err)
		for _, m := range shownCommand.FindAllStringSubmatch(string(text), -1) {
			name, flags := commandAndFlags(m[1])
			node := slices.IndexFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == strings.Fields(name)[0] })
			if node < 0 {
				t.Errorf("%s shows `roceplan %s`: there is no such command", file, m[1])
				continue
			}
			seen++
			for _, flag := range flags {
				if !ran[name][flag] {
					t.Errorf("%s shows `roceplan %s`: no script, tutorial, how-to or question runs %s with --%s", file, m[1], name, flag)
				}
			}
			if ran[name] == nil {
				t.Errorf("%s shows `roceplan %s`: nothing runs %s", file, m[1], name)
			}
		}
	}
	if seen < 200 {
		t.Errorf("%d commands, too few to mean anything", seen)
	}
}

// commandAndFlags returns the words of a command that name it, and its flags without those of all commands.
func commandAndFlags(command string) (name string, flags []string) {
	for _, m := range longFlag.FindAllStringSubmatch(command, -1) {
		flags = append(flags, m[1])
	}
	words := strings.Fields(command)
	words = slices.DeleteFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") })
	if len(words) == 0 {
		return "help", flags
	}
	name = words[0]
	if len(words) > 1 && slices.Contains([]string{"calc", "chips", "platforms", "nics"}, name) {
		name += " " + words[1]
	}
	return name, flags
}
