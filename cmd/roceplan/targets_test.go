package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// Between these lines docs/targets.md has what `roceplan targets --markdown` prints.
const (
	matrixBegins = "<!-- roceplan targets --markdown -->\n"
	matrixEnds   = "<!-- end -->\n"
)

// The matrix of docs/targets.md is the one that the tests of the emitters hold true.
func TestTargetsPageHasTheMatrix(t *testing.T) {
	const path = "../../docs/targets.md"
	text, err := os.ReadFile(path)
	check(t, err)
	before, rest, begins := strings.Cut(string(text), matrixBegins)
	have, after, ends := strings.Cut(rest, matrixEnds)
	if !begins || !ends {
		t.Fatalf("docs/targets.md has no place for the matrix between %q and %q", matrixBegins, matrixEnds)
	}
	want := matrixMarkdown(target.All())
	if have == want {
		return
	}
	if *update {
		check(t, os.WriteFile(path, []byte(before+matrixBegins+want+matrixEnds+after), 0o644))
		return
	}
	t.Errorf("docs/targets.md is not up to date, go test ./cmd/roceplan -run TargetsPage -update writes it:\n%s", udiff.Unified("docs/targets.md", "roceplan targets --markdown", have, want))
}

// Every target that the language knows has an emitter.
func TestEveryTargetIsWritten(t *testing.T) {
	list := regexp.MustCompile("a list of ((?:`[a-z]+`(?:, )?)+)").FindStringSubmatch(policy.Reference())
	if list == nil {
		t.Fatal("the reference of the language lists no targets")
	}
	for name := range strings.SplitSeq(list[1], ", ") {
		if _, ok := target.Find(strings.Trim(name, "`")); !ok {
			t.Errorf("the language knows the target %s, and nothing writes it", name)
		}
	}
}

// Names of forms say which target is meant, so except for the whole configuration no two
// targets share one; and no two forms write the same file.
func TestFormsAreTold(t *testing.T) {
	names, files := map[string]string{}, map[string]string{}
	for _, of := range target.All() {
		for i, f := range of.Forms {
			if (i == 0) != (f.Name == emit.Full) {
				t.Errorf("%s: form %d is called %s; the first, and no other, is %s", of.Name, i, f.Name, emit.Full)
			}
			if other := names[f.Name]; other != "" && i > 0 {
				t.Errorf("%s and %s both have a form %s", other, of.Name, f.Name)
			}
			if other := files[f.File]; other != "" {
				t.Errorf("%s and %s both write %s", other, of.Name, f.File)
			}
			names[f.Name], files[f.File] = of.Name, of.Name
		}
	}
}

// Every example is tried on every target, in every form: it compiles, or is refused for
// a reason. golden/targets.txt shows which, a line for each shape of switch.
func TestEveryExampleOnEveryTarget(t *testing.T) {
	const path = "../../golden/targets.txt"
	var got bytes.Buffer
	for _, name := range fabrics(t, "../../examples") {
		p := examplePlan(t, filepath.Join("../../examples", name))
		for _, sw := range p.Switches {
			for _, of := range target.All() {
				got.WriteString(name + ", " + plan.Abbreviate(sw.Names) + " on " + of.Name + ": " + tried(t, sw, of) + "\n")
			}
		}
	}
	if *update {
		check(t, os.WriteFile(path, got.Bytes(), 0o644))
	}
	want, err := os.ReadFile(path)
	check(t, err)
	if !bytes.Equal(want, got.Bytes()) {
		t.Errorf("%s", udiff.Unified(path, "tried", string(want), got.String()))
	}
}

// examplePlan computes the fabric of a folder.
func examplePlan(t *testing.T, folder string) *plan.Plan {
	catalogue, _ := chips.Load()
	_, p := plantest.Folder(t, catalogue, folder)
	return p
}

// tried says what becomes of a shape on a target: what compile warns of, or the errors.
// Forms with the same result as the first one are not named.
func tried(t *testing.T, sw *plan.Switch, of emit.Target) string {
	var all string
	as := *sw
	switch of.Name {
	case "openconfig": // whose profile is that of the operating system
	case "nvue":
		as.OS = "cumulus"
	default:
		as.OS = of.Name
	}
	var first string
	for i, f := range of.Forms {
		files, found := f.Emit(&as)
		if found.HasErrors() != (files == nil) {
			t.Errorf("%s on %s: files and errors at once, or neither", plan.Abbreviate(sw.Names), of.Name)
		}
		switch fares := outcome(found); {
		case i == 0:
			first, all = fares, fares
		case fares != first:
			all += "\n  as " + f.Name + " it " + fares
		}
	}
	return all
}

// outcome names the codes of warnings, or tells the errors, each code once.
func outcome(found diag.List) string {
	severity, out := diag.Warning, "compiles"
	if found.HasErrors() {
		severity, out = diag.Error, "is refused"
	}
	seen := map[diag.Code]bool{}
	for _, d := range found {
		if d.Severity != severity || seen[d.Code] {
			continue
		}
		seen[d.Code] = true
		if severity == diag.Error {
			out += "\n  " + string(d.Code) + ": " + d.Message
		} else if len(seen) == 1 {
			out += ", told " + string(d.Code)
		} else {
			out += ", " + string(d.Code)
		}
	}
	return out
}
