package arch

import (
	"go/ast"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Every code of a finding is declared in a file codes.go with a comment that says what
// it means, belongs to one place, and occurs in what users can look at: the golden
// files, or the test data of the readers and of the chip catalogue.
func TestCodesAreDocumentedAndShown(t *testing.T) {
	codes := declaredCodes(t)
	if len(codes) < 10 {
		t.Fatalf("%d codes found, too few to mean anything", len(codes))
	}
	shown := shownText(t)
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
		if !occurs(shown, c.value) {
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
			value, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
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

// occurs tells whether a code stands in the text as findings are written: in brackets
// after the severity, as a JSON value, or as what a bad input expects on its line.
func occurs(text, code string) bool {
	quoted := regexp.QuoteMeta(code)
	return regexp.MustCompile(`\[` + quoted + `\]|"code": "` + quoted + `"|(ERROR|WARNING|error|warning) ` + quoted + `\b`).MatchString(text)
}

// shownText is all golden files and all test data.
func shownText(t *testing.T) string {
	var all strings.Builder
	err := fs.WalkDir(repository, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasPrefix(path, "golden/") && !strings.Contains(path, "/testdata/") {
			return nil
		}
		switch ext := path[strings.LastIndexByte(path, '.')+1:]; ext {
		case "txtar", "txt", "hcl":
			text, err := fs.ReadFile(repository, path)
			all.Write(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
