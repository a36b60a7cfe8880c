package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// A test whose expectation is made of what it got cannot fail.
func TestNoExpectationIsTheResult(t *testing.T) {
	files := 0
	err := fs.WalkDir(repository, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		text, err := fs.ReadFile(repository, path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, at := range selfFulfilled(tree) {
			// A tutorial's text is written again by -update alone, after the test has failed.
			must.Equalf(t, path, "cmd/roceplan/tutorials_test.go", "%s: the expectation is taken from the result:", set.Position(at))
		}
		return nil
	})
	must.Do(t, err)
	if files < 100 {
		t.Errorf("%d test files, too few to mean anything", files)
	}
}

func TestSelfFulfilledExpectationsAreFound(t *testing.T) {
	for text, want := range map[string]int{
		"want.Cells = got.Cells":                    1,
		"c.want.Cells = got.Cells":                  1,
		"want := result{XOff: 1, Cells: got.Cells}": 1,
		"want = got":                                1,
		"want, got = 1, 2":                          0,
		"if want == got { n++ }":                    0,
		"want := expected(got.Input)":               0, // computed, by other means
	} {
		tree := must.Get(parser.ParseFile(token.NewFileSet(), "x.go", "package x\nfunc f() {\n"+text+"\n}", 0))(t)
		must.Equalf(t, len(selfFulfilled(tree)), want, "%s: found:", text)
	}
}

// selfFulfilled finds assignments to want, or to a field of it, of got or a field of it, as
// it is or in a literal.
func selfFulfilled(tree *ast.File) (at []token.Pos) {
	ast.Inspect(tree, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || !isOf(a.Lhs[0], "want") {
			return true
		}
		for _, e := range a.Rhs {
			if isOf(e, "got") || literalOf(e, "got") {
				at = append(at, a.Pos())
			}
		}
		return true
	})
	return at
}

// isOf reports whether an expression is a name, a field of it, or a field of that name.
func isOf(e ast.Expr, name string) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == name
	case *ast.SelectorExpr:
		return e.Sel.Name == name || isOf(e.X, name)
	case *ast.IndexExpr:
		return isOf(e.X, name)
	}
	return false
}

func literalOf(e ast.Expr, name string) bool {
	literal, ok := e.(*ast.CompositeLit)
	if !ok {
		return false
	}
	for _, value := range literal.Elts {
		if pair, ok := value.(*ast.KeyValueExpr); ok && isOf(pair.Value, name) {
			return true
		}
	}
	return false
}
