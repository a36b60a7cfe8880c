package policy_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/policy"
)

var update = flag.Bool("update", false, "rewrite want.txt of the golden files")

const badInputs = "../golden/diag/language"

// A bad input is a txtar archive: *.hcl are the fabric, *.hclvars files of variables,
// "vars" lines of --var, other files what file() may read. Each expected finding
// stands on the line that it blames, as a comment:
//
//	queue = 9 # want error[out-of-range] "from 0 to 7"
//
// One that blames no line stands in the archive's own comment. want.txt is all of it as
// a person sees it, with the carets.
type badInput struct {
	opts    policy.Options
	sources diag.Sources
	wants   []want
	golden  string
}

type want struct {
	file     string
	line     int
	severity string
	code     string
	message  *regexp.Regexp
}

var wantText = regexp.MustCompile(`want (error|warning)\[([a-z-]+)\] ("(?:[^"\\]|\\.)*")`)

func readBadInput(t *testing.T, archive *txtar.Archive) *badInput {
	in := &badInput{sources: diag.Sources{}}
	root := fstest.MapFS{}
	in.expect(t, "", string(archive.Comment))
	for _, f := range archive.Files {
		src := policy.Source{Name: f.Name, Text: f.Data}
		switch filepath.Ext(f.Name) {
		case ".hcl":
			in.opts.Files = append(in.opts.Files, src)
		case ".hclvars":
			in.opts.VarFiles = append(in.opts.VarFiles, src)
		default:
			in.other(f, root)
			if filepath.Ext(f.Name) == ".dist" {
				in.expect(t, f.Name, string(f.Data))
			}
			continue
		}
		in.sources[f.Name] = f.Data
		in.expect(t, f.Name, string(f.Data))
	}
	in.opts.Root = root
	in.opts.Catalogue = catalogue(t)
	return in
}

func (in *badInput) other(f txtar.File, root fstest.MapFS) {
	switch f.Name {
	case "want.txt":
		in.golden = string(f.Data)
	case "vars":
		in.opts.Vars = map[string]string{}
		for line := range strings.Lines(string(f.Data)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			in.opts.Vars[name] = value
		}
	case "symlink":
		root["link.csv"] = &fstest.MapFile{Data: f.Data, Mode: fs.ModeSymlink}
	default:
		root[f.Name] = &fstest.MapFile{Data: f.Data}
		in.sources[f.Name] = f.Data
	}
}

func (in *badInput) expect(t *testing.T, file, text string) {
	line := 0
	for text := range strings.Lines(text) {
		line++
		for _, m := range wantText.FindAllStringSubmatch(text, -1) {
			pattern, err := strconv.Unquote(m[3])
			if err != nil {
				t.Fatalf("%s:%d: %v", file, line, err)
			}
			at := line
			if file == "" {
				at = 0
			}
			in.wants = append(in.wants, want{file, at, m[1], m[2], regexp.MustCompile(pattern)})
		}
	}
}

func (w want) matches(d diag.Diagnostic) bool {
	return w.file == d.Subject.Filename && w.line == d.Subject.Start.Line &&
		w.severity == d.Severity.String() && w.code == string(d.Code) && w.message.MatchString(d.Message)
}

// Every bad input gives the findings that stand on its lines, none more and none less.
func TestBadInputs(t *testing.T) {
	names, err := filepath.Glob(badInputs + "/*.txtar")
	if err != nil || len(names) < 35 {
		t.Fatalf("%d bad inputs in %s, want at least 35 (%v)", len(names), badInputs, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive := must.Get(txtar.ParseFile(name))(t)
			in := readBadInput(t, archive)
			_, found := policy.Load(in.opts)
			matchAll(t, in.wants, found)
			text := renderWith(in.sources, found)
			if *update {
				writeGolden(t, name, archive, text)
			} else if diff := cmp.Diff(in.golden, text); diff != "" {
				t.Errorf("want.txt differs (-want +got), -update rewrites it:\n%s", diff)
			}
		})
	}
}

func matchAll(t *testing.T, wants []want, found diag.List) {
	if len(wants) == 0 {
		t.Error("the input expects no finding")
	}
	left := append([]want(nil), wants...)
found:
	for _, d := range found {
		for i, w := range left {
			if w.matches(d) {
				left = append(left[:i], left[i+1:]...)
				continue found
			}
		}
		t.Errorf("unexpected %s:%d: %s[%s] %s", d.Subject.Filename, d.Subject.Start.Line, d.Severity, d.Code, d.Message)
	}
	for _, w := range left {
		t.Errorf("missing %s:%d: %s[%s] %q", w.file, w.line, w.severity, w.code, w.message)
	}
}

func renderWith(sources diag.Sources, found diag.List) string {
	var out strings.Builder
	diag.Text{Sources: sources}.Write(&out, found)
	return out.String()
}

func writeGolden(t *testing.T, name string, archive *txtar.Archive, text string) {
	files := archive.Files[:0:0]
	for _, f := range archive.Files {
		if f.Name != "want.txt" {
			files = append(files, f)
		}
	}
	archive.Files = append(files, txtar.File{Name: "want.txt", Data: []byte(text)})
	must.Do(t, os.WriteFile(name, txtar.Format(archive), 0o644))
}

// Every code of codes.go occurs in a bad input.
func TestEveryCodeHasABadInput(t *testing.T) {
	source := must.Get(os.ReadFile("codes.go"))(t)
	names, _ := filepath.Glob(badInputs + "/*.txtar")
	var all strings.Builder
	for _, name := range names {
		text := must.Get(os.ReadFile(name))(t)
		all.Write(text)
	}
	codes := regexp.MustCompile(`diag\.Code = "([a-z0-9-]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(codes) < 40 {
		t.Fatalf("%d codes found in codes.go", len(codes))
	}
	for _, code := range codes {
		if !strings.Contains(all.String(), fmt.Sprintf("want error[%s]", code[1])) && !strings.Contains(all.String(), fmt.Sprintf("want warning[%s]", code[1])) {
			t.Errorf("no bad input expects %s", code[1])
		}
	}
}
