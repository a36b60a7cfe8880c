package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// Go does not say whether a variable is read before or after a function of the same return
// statement has changed it ("Order of evaluation" of its specification). So no statement
// returns a variable, or a field of one, beside a call that is handed its address, nor a field
// beside one that has a function literal which names the variable.
func TestReturnsDoNotDependOnOrder(t *testing.T) {
	for path, tree := range parseTree(t, ".") {
		ast.Inspect(tree, func(n ast.Node) bool {
			if r, ok := n.(*ast.ReturnStmt); ok && dependsOnOrder(r.Results) {
				t.Errorf("%s: what is returned beside %s may be what that makes of it, or what it was before", path, called(r.Results))
			}
			return true
		})
	}
	for text, want := range map[string]bool{
		"return v, f(&v)": true, "return v.a, f(func() { g(v) })": true, "return v, f(v)": false, "return &v, f(&v)": false, "return f(&v), nil": false,
	} {
		file := must.Get(parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+text+"\n}", 0))(t)
		returned := file.Decls[0].(*ast.FuncDecl).Body.List[0].(*ast.ReturnStmt)
		must.Equalf(t, dependsOnOrder(returned.Results), want, "%s:", text)
	}
}

func dependsOnOrder(results []ast.Expr) bool {
	for i, e := range results {
		field, isField := e.(*ast.SelectorExpr)
		if isField {
			e = field.X
		}
		v, ok := e.(*ast.Ident)
		for k, other := range results {
			if ok && k != i && changes(other, v.Name, isField) {
				return true
			}
		}
	}
	return false
}

// changes reports whether a call in an expression may change a variable of that name, or a
// field of it.
func changes(e ast.Expr, name string, isField bool) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		for _, arg := range call.Args {
			address, ok := arg.(*ast.UnaryExpr)
			if ok && address.Op == token.AND {
				v, ok := address.X.(*ast.Ident)
				found = found || ok && v.Name == name
			}
			if literal, ok := arg.(*ast.FuncLit); ok && isField {
				ast.Inspect(literal, func(n ast.Node) bool {
					v, ok := n.(*ast.Ident)
					found = found || ok && v.Name == name
					return true
				})
			}
		}
		return true
	})
	return found
}

// called names the functions that are called in expressions.
func called(all []ast.Expr) string {
	var names []string
	for _, e := range all {
		if call, ok := e.(*ast.CallExpr); ok {
			switch f := call.Fun.(type) {
			case *ast.Ident:
				names = append(names, f.Name)
			case *ast.SelectorExpr:
				names = append(names, f.Sel.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}
