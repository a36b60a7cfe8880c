// Package docs carries the pages about findings, so that the program can print them.
package docs

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/internal/packed"
)

// findings.flate is findings.md, compressed. The test that writes the one writes the other.
//
//go:embed findings.flate
var findingsFile string

// lintFile holds the pages of lint, compressed together, by their codes. TestLintFile writes it.
//
//go:embed lint.bin
var lintFile string

var sections = sync.OnceValue(func() string { return packed.Text(findingsFile) })

// lint are the pages of lint, by code.
var lint = sync.OnceValue(func() map[string]string { return maps.Collect(packed.Files(lintFile)) })

// heading begins the section of a code in findings.md.
const heading = "\n## "

// Page returns what there is to know of a finding: its own page, or its section of
// findings.md. ok is false for a code that no finding has.
func Page(code string) (text string, ok bool) {
	if own, is := lint()[code]; is {
		return own, true
	}
	all := sections()
	_, rest, ok := strings.Cut(all, heading+code+"\n")
	if !ok {
		return "", false
	}
	section, _, _ := strings.Cut(rest, heading)
	section, _, _ = strings.Cut(section, "\n# ") // of the next package
	return "# " + code + "\n" + strings.TrimRight(section, "\n") + "\n", true
}

// IsRule reports whether a code is of a rule of lint: only those have a page of their own.
func IsRule(code string) bool {
	_, is := lint()[code]
	return is
}

// Codes lists the codes that have a page.
func Codes() (codes []string) {
	for line := range strings.Lines(sections()) {
		if code, is := strings.CutPrefix(line, strings.TrimPrefix(heading, "\n")); is {
			codes = append(codes, strings.TrimSpace(code))
		}
	}
	return append(codes, slices.Sorted(maps.Keys(lint()))...)
}
