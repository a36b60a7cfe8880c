package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// mistakesFile holds typical mistakes. Each file of the archive begins with what is replaced
// in the example, after "< ", and by what, after "> "; behind an empty line stands all that
// the program prints then.
const mistakesFile = "golden/mistakes.txtar"

// A mistake of a person is told in one finding that a screen of twenty lines holds.
func TestMistakes(t *testing.T) {
	t.Chdir("../..")
	archive, err := txtar.ParseFile(mistakesFile)
	check(t, err)
	fabric, err := os.ReadFile(filepath.Join(examples, "ucloud-pod", "fabric.hcl"))
	check(t, err)
	if len(archive.Files) < 30 {
		t.Errorf("%d mistakes, 30 are expected", len(archive.Files))
	}
	for i := range archive.Files {
		f := &archive.Files[i]
		edit, want, _ := strings.Cut(string(f.Data), "\n\n")
		before, after := sides(edit)
		if !bytes.Contains(fabric, []byte(before)) {
			t.Errorf("%s: the example has no %q", f.Name, before)
			continue
		}
		text := strings.Replace(string(fabric), before, after, 1)
		var stdout, stderr strings.Builder
		code := run([]string{"check", "-"}, strings.NewReader(text), &stdout, &stderr, func(string) string { return "" })
		screen := stdout.String() + stderr.String()
		if n := strings.Count(screen, "\n"); code != exitFindings || n > 20 {
			t.Errorf("%s: exit code %d, %d lines", f.Name, code, n)
		}
		if n := strings.Count(screen, ": error["); n != 1 {
			t.Errorf("%s: %d errors, want one\n%s", f.Name, n, screen)
		}
		if screen != want && !*update {
			t.Errorf("%s prints\n%s\nwant\n%s", f.Name, screen, want)
		}
		f.Data = fmt.Appendf(nil, "%s\n\n%s", edit, screen)
	}
	if *update {
		check(t, os.WriteFile(mistakesFile, txtar.Format(archive), 0o666))
	}
}

// sides returns the lines of an edit that go, and those that come.
func sides(edit string) (before, after string) {
	var old, now []string
	for line := range strings.Lines(edit) {
		line = strings.TrimSuffix(line, "\n")
		if text, is := strings.CutPrefix(line, "< "); is {
			old = append(old, text)
		} else if text, is := strings.CutPrefix(line, "> "); is {
			now = append(now, text)
		}
	}
	return strings.Join(old, "\n"), strings.Join(now, "\n")
}
