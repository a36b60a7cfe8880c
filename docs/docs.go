// Package docs carries the pages about findings, so that the program can print them.
package docs

import (
	"compress/flate"
	_ "embed"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
)

// findings.flate is findings.md, compressed: a quarter of its size in the program. The test that
// writes the one writes the other.
//
//go:embed findings.flate
var findingsFile string

// lintFile holds the pages of lint, compressed together: each begins with a byte of 0, its name and the end
// of a line. TestLintFile writes it.
//
//go:embed lint.bin
var lintFile string

// unpacked is the text of a file.
func unpacked(file string) string {
	text, err := io.ReadAll(flate.NewReader(strings.NewReader(file)))
	if err != nil {
		panic(err) // it is in the program
	}
	return string(text)
}

var sections = sync.OnceValue(func() string { return unpacked(findingsFile) })

// lint are the pages of lint, by code.
var lint = sync.OnceValue(func() map[string]string {
	pages := map[string]string{}
	for page := range strings.SplitSeq(unpacked(lintFile)[1:], "\x00") {
		code, own, _ := strings.Cut(page, "\n")
		pages[code] = own
	}
	return pages
})

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

// Codes lists the codes that have a page.
func Codes() (codes []string) {
	for line := range strings.Lines(sections()) {
		if code, is := strings.CutPrefix(line, strings.TrimPrefix(heading, "\n")); is {
			codes = append(codes, strings.TrimSpace(code))
		}
	}
	return append(codes, slices.Sorted(maps.Keys(lint()))...)
}
