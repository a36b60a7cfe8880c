package arch

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// onWalk is a file of a walk and what is to be found in it.
var onWalk = regexp.MustCompile("`([a-z0-9_/]+\\.go)`, `([A-Za-z.]+)`")

// Whoever follows a number by the page finds each name in the file that the page says.
func TestWalksNameWhatExists(t *testing.T) {
	page := readPage(t)
	walks, _, _ := strings.Cut(page[strings.Index(page, "## Three walks"):], "## Dependencies")
	steps := onWalk.FindAllStringSubmatch(walks, -1)
	for _, step := range steps {
		text, err := os.ReadFile(path.Join("../..", step[1]))
		if err != nil {
			t.Errorf("a walk leads to %s, which does not exist", step[1])
			continue
		}
		if !declares(string(text), step[2]) {
			t.Errorf("a walk leads to %s in %s, which does not declare it", step[2], step[1])
		}
	}
	if len(steps) < 15 {
		t.Errorf("%d steps were found: too few to test anything", len(steps))
	}
}

// declares reports whether a file has a function, method or type of a name.
func declares(text, name string) bool {
	return regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type )` + regexp.QuoteMeta(name) + `\b`).MatchString(text)
}

func TestDeclarationsAreFound(t *testing.T) {
	text := "package p\n\n// called f\nfunc (r *T) f(x int) {}\n\ntype T struct{}\n\nfunc g[K any]() {}\n"
	for _, name := range []string{"f", "T", "g"} {
		if !declares(text, name) {
			t.Errorf("%s is not found", name)
		}
	}
	if declares(text, "called") || declares(text, "x") || declares(text, "p") {
		t.Error("what is no declaration is found")
	}
}

// Each folder of the top level and below internal has its row, and each module that go.mod
// requires has its reason.
func TestPageIsWhole(t *testing.T) {
	page := readPage(t)
	rows := strings.Join(slices.DeleteFunc(strings.Split(page, "\n"), func(line string) bool { return !strings.HasPrefix(line, "| ") }), "\n")
	elsewhere := []string{"docs", "examples", "golden", "internal", "out", "dist"} // the README has them; the last two are built
	for _, above := range []string{"", "internal"} {
		all := must.Get(os.ReadDir(path.Join("../..", above)))(t)
		for _, d := range all {
			name := path.Join(above, d.Name())
			if d.IsDir() && !strings.HasPrefix(d.Name(), ".") && !slices.Contains(elsewhere, name) && !strings.Contains(rows, "`"+name) {
				t.Errorf("%s has no row in ARCHITECTURE.md", name)
			}
		}
	}
	for _, module := range required(t) {
		if !strings.Contains(rows, "`"+module+"`") {
			t.Errorf("go.mod requires %s, and ARCHITECTURE.md does not say why", module)
		}
	}
	for _, named := range regexp.MustCompile("`([a-z.]+\\.[a-z]+/[a-z0-9./-]+)`").FindAllStringSubmatch(rows, -1) {
		if !slices.Contains(required(t), named[1]) {
			t.Errorf("ARCHITECTURE.md gives a reason for %s, which go.mod does not require", named[1])
		}
	}
}

// required returns the modules that go.mod requires itself.
func required(t *testing.T) (modules []string) {
	text := must.Get(os.ReadFile("../../go.mod"))(t)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); strings.HasPrefix(line, "\t") && len(f) == 2 {
			modules = append(modules, f[0])
		}
	}
	if len(modules) < 10 {
		t.Fatalf("%d modules are required, which cannot be all", len(modules))
	}
	return modules
}

func readPage(t *testing.T) string {
	text := must.Get(os.ReadFile("../../ARCHITECTURE.md"))(t)
	return string(text)
}
