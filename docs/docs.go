// Package docs carries the pages about findings, so that the program can print them.
package docs

import (
	"compress/flate"
	"embed"
	"io"
	"strings"
	"sync"
)

// findings.flate is findings.md, compressed: a quarter of its size in the program. The test that
// writes the one writes the other.
//
//go:embed findings.flate lint/*.md
var pages embed.FS

// heading begins the section of a code in findings.md.
const heading = "\n## "

// Page returns what there is to know of a finding: its own page, or its section of
// findings.md. ok is false for a code that no finding has.
func Page(code string) (text string, ok bool) {
	if own, err := pages.ReadFile("lint/" + code + ".md"); err == nil && code != "README" {
		return string(own), true
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
	own, err := pages.ReadDir("lint")
	if err != nil {
		panic(err) // it is in the program
	}
	for _, page := range own {
		if code := strings.TrimSuffix(page.Name(), ".md"); code != "README" {
			codes = append(codes, code)
		}
	}
	return codes
}

var sections = sync.OnceValue(func() string {
	file, err := pages.Open("findings.flate")
	if err != nil {
		panic(err) // it is in the program
	}
	text, err := io.ReadAll(flate.NewReader(file))
	if err != nil {
		panic(err)
	}
	return string(text)
})
