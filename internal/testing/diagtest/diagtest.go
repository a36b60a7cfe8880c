// Package diagtest runs golden bad inputs. A bad input is a txtar archive whose files
// hold the faults. Each expected finding stands on the line that it blames, as a
// comment, so that a reader of the file sees fault and finding together; the text is a
// regular expression for message and fix:
//
//	queue = 9 # want error[out-of-range] "from 0 to 7"
//
// One that blames no line stands in the archive's own comment. The file want.txt is
// all of it as a person sees it, with the carets; -update rewrites it.
package diagtest

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/diag"
)

const wantFile = "want.txt"

// Update reports whether golden files are rewritten rather than compared.
var Update = flag.Bool("update", false, "rewrite golden files")

// A Finder runs what is under test on the files of an archive.
type Finder func(t *testing.T, archive *txtar.Archive) diag.List

// Run gives every archive of a folder to find, and demands the findings that stand on
// its lines, none more and none less. At least `least` archives must be there.
func Run(t *testing.T, folder string, least int, find Finder) {
	names, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(names) < least {
		t.Fatalf("%d bad inputs in %s, want at least %d (%v)", len(names), folder, least, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			found := find(t, archive)
			match(t, expected(t, archive), found)
			compare(t, name, archive, render(t, archive, found))
		})
	}
}

// A want is one expected finding. Line 0 of file "" blames no line.
type want struct {
	file     string
	line     int
	severity string
	code     string
	text     *regexp.Regexp
}

func (w want) matches(d diag.Diagnostic) bool {
	return w.file == d.Subject.Filename && w.line == d.Subject.Start.Line &&
		w.severity == d.Severity.String() && w.code == string(d.Code) && w.text.MatchString(d.Message+"; "+d.Fix)
}

var wantText = regexp.MustCompile("(error|warning)\\[([a-z0-9-]+)\\] (\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)") // in JSON the backquotes

func expected(t *testing.T, archive *txtar.Archive) []want {
	wants := wantsIn(t, "", archive.Comment)
	for _, f := range archive.Files {
		if f.Name != wantFile {
			wants = append(wants, wantsIn(t, f.Name, f.Data)...)
		}
	}
	if len(wants) == 0 {
		t.Error("the input expects no finding")
	}
	return wants
}

func wantsIn(t *testing.T, file string, text []byte) []want {
	var wants []want
	line := 0
	for text := range strings.Lines(string(text)) {
		line++
		_, text, _ = strings.Cut(text, "want ")
		for _, m := range wantText.FindAllStringSubmatch(text, -1) {
			pattern, err := strconv.Unquote(m[3])
			if err != nil {
				t.Fatalf("%s:%d: %v", file, line, err)
			}
			w := want{file, line, m[1], m[2], regexp.MustCompile(pattern)}
			if file == "" {
				w.line = 0
			}
			wants = append(wants, w)
		}
	}
	return wants
}

// match pairs findings with expectations and reports what is left on either side.
func match(t *testing.T, wants []want, found diag.List) {
	left := append([]want(nil), wants...)
found:
	for _, d := range found {
		for i, w := range left {
			if w.matches(d) {
				left = append(left[:i], left[i+1:]...)
				continue found
			}
		}
		t.Errorf("unexpected %s:%d: %s[%s]: %s", d.Subject.Filename, d.Subject.Start.Line, d.Severity, d.Code, d.Message)
	}
	for _, w := range left {
		t.Errorf("missing %s:%d: %s[%s] %q", w.file, w.line, w.severity, w.code, w.text)
	}
}

func render(t *testing.T, archive *txtar.Archive, found diag.List) string {
	sources := diag.Sources{}
	for _, f := range archive.Files {
		sources[f.Name] = f.Data
	}
	var text strings.Builder
	if err := (diag.Text{Sources: sources}).Write(&text, found); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func compare(t *testing.T, name string, archive *txtar.Archive, text string) {
	at := -1
	for i, f := range archive.Files {
		if f.Name == wantFile {
			at = i
		}
	}
	if at < 0 {
		archive.Files = append(archive.Files, txtar.File{Name: wantFile})
		at = len(archive.Files) - 1
	}
	if *Update {
		archive.Files[at].Data = []byte(text)
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(archive.Files[at].Data), text); diff != "" {
		t.Errorf("%s differs (-want +got), -update rewrites it:\n%s", wantFile, diff)
	}
}
