package lint_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/diagtest"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/eos"
	"github.com/roceplan/roceplan/read/sonic"
)

const (
	badInputs = "../golden/diag/lint"
	pages     = "../docs/lint"
)

// A comment at the end of a line holds the finding that is expected there. Neither JSON
// nor EOS has such comments, so it is blanked out before the file is read.
var expectation = regexp.MustCompile(`// want .*`)

func blanked(text []byte) []byte {
	return expectation.ReplaceAllFunc(text, func(m []byte) []byte { return bytes.Repeat([]byte{' '}, len(m)) })
}

// read is a file of an archive as a switch.
func read(t *testing.T, f txtar.File) *plan.Switch {
	t.Helper()
	var sw *plan.Switch
	var found diag.List
	if strings.HasSuffix(f.Name, ".json") {
		sw, found = sonic.Read(f.Name, blanked(f.Data))
	} else {
		sw, found = eos.Read(f.Name, blanked(f.Data))
	}
	if found.HasErrors() && !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return strings.HasSuffix(string(d.Code), "without-lossless") || strings.HasSuffix(string(d.Code), "without-pfc") }) {
		t.Fatalf("%s cannot be read: %v", f.Name, found)
	}
	return sw
}

// chipOf is the chip that an archive's comment names: "chip: th5".
func chipOf(archive *txtar.Archive) *chips.Chip {
	_, name, ok := strings.Cut(string(archive.Comment), "chip: ")
	if !ok {
		return nil
	}
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find(strings.Fields(name)[0])
	return chip
}

// Each archive holds a switch that breaks one rule, which its name says, and none else.
func TestRules(t *testing.T) {
	diagtest.Run(t, badInputs, 33, func(t *testing.T, archive *txtar.Archive) diag.List {
		chip := chipOf(archive)
		var found diag.List
		for _, f := range archive.Files {
			if f.Name != "want.txt" {
				found = append(found, lint.Switch(read(t, f), chip)...)
			}
		}
		want := diag.Code(strings.TrimSuffix(filepath.Base(t.Name()), ".txtar"))
		for _, d := range found {
			if d.Code != want {
				t.Errorf("beside %s there is %s: %s", want, d.Code, d.Message)
			}
		}
		return found
	})
}

var declared = regexp.MustCompile(`diag\.Code = "([a-z0-9-]+)"`)

// A rule is a code, a file that is called like it, a page and an input that shows it.
func TestRulesArePagesAndFiles(t *testing.T) {
	text, err := os.ReadFile("codes.go")
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, m := range declared.FindAllSubmatch(text, -1) {
		code := string(m[1])
		codes = append(codes, code)
		for _, path := range []string{strings.ReplaceAll(code, "-", "_") + ".go", filepath.Join(pages, code+".md"), filepath.Join(badInputs, code+".txtar")} {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %v", code, err)
			}
		}
		page, _ := os.ReadFile(filepath.Join(pages, code+".md"))
		for _, part := range []string{"# " + code + "\n", "\n## Why it matters\n", "\n## Example\n", "\n## What to change\n", "\n## Source\n"} {
			if !strings.Contains(string(page), part) {
				t.Errorf("%s.md has no part %q", code, strings.TrimSpace(part))
			}
		}
	}
	if len(codes) < 30 {
		t.Fatalf("%d rules, too few to mean anything", len(codes))
	}
	orphans(t, codes, filepath.Join(pages, "*.md"), "README.md", "readers.md")
	orphans(t, codes, filepath.Join(badInputs, "*.txtar"))
}

// orphans finds pages and inputs without a rule.
func orphans(t *testing.T, codes []string, pattern string, others ...string) {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if !slices.Contains(codes, strings.TrimSuffix(name, filepath.Ext(name))) && !slices.Contains(others, name) {
			t.Errorf("%s belongs to no rule", path)
		}
	}
}
