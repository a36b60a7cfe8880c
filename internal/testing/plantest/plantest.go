// Package plantest compiles fabrics for tests. Only tests import it.
package plantest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// Text compiles the text of a fabric. An error in it ends the test.
func Text(t testing.TB, catalogue *chips.Catalogue, text string) (*policy.Fabric, *plan.Plan) {
	t.Helper()
	return must(t, policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue})
}

// Folder compiles the *.hcl files of a folder, such as one of examples/. An error in them ends
// the test.
func Folder(t testing.TB, catalogue *chips.Catalogue, folder string) (*policy.Fabric, *plan.Plan) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.hcl"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %v, %v", folder, paths, err)
	}
	o := policy.Options{Root: os.DirFS(folder), Catalogue: catalogue}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		o.Files = append(o.Files, policy.Source{Name: path, Text: text})
	}
	return must(t, o)
}

func must(t testing.TB, o policy.Options) (*policy.Fabric, *plan.Plan) {
	t.Helper()
	f, p, found := Compile(o)
	if found.HasErrors() {
		t.Fatal(found)
	}
	return f, p
}

// Compile compiles a fabric that may be wrong. Where it cannot be understood, the plan is empty.
func Compile(o policy.Options) (*policy.Fabric, *plan.Plan, diag.List) {
	f, found := policy.Load(o)
	if found.HasErrors() {
		return f, &plan.Plan{}, found
	}
	p, more := calc.Compute(f)
	return f, p, append(found, more...)
}
