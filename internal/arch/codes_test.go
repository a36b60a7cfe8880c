package arch

import (
	"go/ast"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// Every code of a finding is declared in a file codes.go with a comment that says what
// it means, belongs to one place, and occurs in what users can look at: the golden
// files, or the test data of the readers and of the chip catalogue.
func TestCodesAreDocumentedAndShown(t *testing.T) {
	codes := declaredCodes(t)
	if len(codes) < 10 {
		t.Fatalf("%d codes found, too few to mean anything", len(codes))
	}
	shown := shownCodes(t)
	owner := make(map[string]string)
	for _, c := range codes {
		if path.Base(c.file) != "codes.go" {
			t.Errorf("%s declares the code %q; codes belong into codes.go of the package", c.file, c.value)
		}
		if strings.TrimSpace(c.doc) == "" {
			t.Errorf("%s: the code %q has no comment that says what it means", c.file, c.value)
		}
		if other, taken := owner[c.value]; taken {
			t.Errorf("%s and %s both declare %q", other, c.file, c.value)
		}
		owner[c.value] = c.file
		if !shown[c.value] {
			t.Errorf("%s: no golden file shows %q: add an input that produces it", c.file, c.value)
		}
	}
}

type code struct{ file, value, doc string }

// declaredCodes finds the constants of type diag.Code.
func declaredCodes(t *testing.T) []code {
	var codes []code
	for file, tree := range parseTree(t, ".") {
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || !isCode(spec.Type) || len(spec.Values) == 0 {
				return true
			}
			literal, ok := spec.Values[0].(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			value := must.Get(strconv.Unquote(literal.Value))(t)
			codes = append(codes, code{file, value, spec.Doc.Text()})
			return true
		})
	}
	return codes
}

func isCode(expr ast.Expr) bool {
	switch expr := expr.(type) {
	case *ast.SelectorExpr:
		return expr.Sel.Name == "Code"
	case *ast.Ident:
		return expr.Name == "Code"
	}
	return false
}

// shown matches a code as findings are written: in brackets after the severity, as a
// JSON value, or as what a bad input expects on its line.
var shown = regexp.MustCompile(`(?:error|warning)\[([a-z0-9-]+)\]|"code": "([a-z0-9-]+)"`)

// shownCodes returns the codes in all golden files and all test data.
func shownCodes(t *testing.T) map[string]bool {
	codes := make(map[string]bool)
	must.Do(t, fs.WalkDir(repository, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir() || !strings.HasPrefix(path, "golden/") && !strings.Contains(path, "/testdata/"):
			return nil
		}
		if ext := filepath.Ext(path); ext != ".txtar" && ext != ".txt" && ext != ".hcl" {
			return nil
		}
		text, err := fs.ReadFile(repository, path)
		for _, match := range shown.FindAllSubmatch(text, -1) {
			codes[string(match[1])+string(match[2])] = true
		}
		return err
	}))
	return codes
}
