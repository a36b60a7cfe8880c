package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A mutant is one change of one place.
type mutant struct {
	id   int // from 1, of those that are woven
	file *file
	node ast.Node
	in   string // the function
	what string // the change, as the report has it

	before  string // put before node, with %d for the id
	after   string
	op      token.Pos // of an operator that instead replaces; none: 0
	width   int
	instead string
}

// where names the place without its line, which every change above it moves.
func (m *mutant) where() string {
	return fmt.Sprintf("%s %s: %s: %s", m.file.name, m.in, m.source(), m.what)
}

func (m *mutant) source() string {
	text := []rune(m.file.source(m.node))
	if len(text) > 90 {
		return string(text[:90]) + "…"
	}
	return string(text)
}

// A finder collects the mutants of one file.
type finder struct {
	*file
	in    string
	found []*mutant
	stack []ast.Node // the nodes around the one that is looked at
}

// mutants lists every mutant of a file, in the order of the text.
func (f *file) mutants() []*mutant {
	v := &finder{file: f}
	for _, d := range f.tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			v.in = fn.Name.Name
			if fn.Recv != nil {
				v.in = strings.Trim(f.source(fn.Recv.List[0].Type), "*") + "." + v.in
			}
			ast.Inspect(fn.Body, v.visit)
		}
	}
	return v.found
}

func (v *finder) visit(n ast.Node) bool {
	if n == nil {
		v.stack = v.stack[:len(v.stack)-1]
		return true
	}
	if e, ok := n.(ast.Expr); ok {
		if v.isUnseen(e) || v.constant(e) {
			return false
		}
	}
	switch n := n.(type) {
	case *ast.GenDecl: // constants and types stay
		if n.Tok == token.CONST || n.Tok == token.TYPE {
			return false
		}
	case *ast.ArrayType, *ast.StructType, *ast.FuncType, *ast.InterfaceType, *ast.MapType:
		return false
	case *ast.BinaryExpr:
		v.binary(n)
	case *ast.CallExpr:
		v.call(n)
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			v.result(e)
		}
	case *ast.IfStmt:
		v.condition(n.Cond, !v.isAssertion(n), true)
	case *ast.ForStmt:
		if n.Cond != nil {
			v.condition(n.Cond, true, false)
		}
	case *ast.BlockStmt:
		v.statements(n.List)
	case *ast.CaseClause:
		v.statements(n.Body)
	}
	v.stack = append(v.stack, n)
	return true
}

func (v *finder) add(m mutant) {
	m.file, m.in = v.file, v.in
	v.found = append(v.found, &m)
}

// wrap puts a call of package site around a node.
func (v *finder) wrap(n ast.Node, function, what string) {
	v.add(mutant{node: n, what: what, before: "mutantsite." + function + "(%d, ", after: ")"})
}

// constant changes literals and named constants by one where they are used, also within
// a constant expression. It reports whether e is a constant.
func (v *finder) constant(e ast.Expr) bool {
	tv, ok := v.of.info.Types[e]
	if !ok || tv.Value == nil {
		return false
	}
	switch e.(type) {
	case *ast.BinaryExpr, *ast.ParenExpr, *ast.CallExpr:
		return false // the constants are in it
	}
	if tv.Value.Kind() != constant.Int || !v.maybeOther(e) || v.isUnit(e) {
		return true
	}
	name, ok := v.spell(tv.Type, e.Pos())
	basic, isBasic := tv.Type.Underlying().(*types.Basic)
	if !ok || !isBasic || basic.Info()&types.IsInteger == 0 {
		return true
	}
	v.wrap(e, "Up["+name+"]", "one more")
	if basic.Info()&types.IsUnsigned == 0 || constant.Sign(tv.Value) > 0 {
		v.wrap(e, "Down["+name+"]", "one less")
	}
	return true
}

// isUnit reports whether a constant is one of package units: a nanosecond is one.
func (v *finder) isUnit(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	o := v.of.info.Uses[s.Sel]
	return o != nil && o.Pkg() != nil && o.Pkg().Name() == "units"
}

// maybeOther reports whether a constant may be replaced where it stands: keys of literals
// must stay constants, shift counts and capacities change nothing that a test could see.
func (v *finder) maybeOther(e ast.Expr) bool {
	if len(v.stack) == 0 {
		return true
	}
	switch p := v.stack[len(v.stack)-1].(type) {
	case *ast.KeyValueExpr:
		return p.Value == e
	case *ast.CaseClause:
		return false
	case *ast.BinaryExpr:
		return p.Op != token.SHL && p.Op != token.SHR
	case *ast.AssignStmt:
		return p.Tok != token.SHL_ASSIGN && p.Tok != token.SHR_ASSIGN
	case *ast.CallExpr:
		if v.of.info.Types[p.Fun].IsBuiltin() {
			name, _ := p.Fun.(*ast.Ident)
			return name != nil && (name.Name == "min" || name.Name == "max")
		}
	case *ast.UnaryExpr:
		return false
	}
	return true
}

var comparisons = map[token.Token][2]string{
	token.LSS: {"Less", "<="}, token.LEQ: {"LessEqual", "<"}, token.GTR: {"Greater", ">="}, token.GEQ: {"GreaterEqual", ">"},
}

var sums = map[token.Token][2]string{
	token.ADD: {"Add", "-"}, token.SUB: {"Sub", "+"}, token.MUL: {"Mul", "/"}, token.QUO: {"Div", "*"},
}

func (v *finder) binary(n *ast.BinaryExpr) {
	info := v.of.info
	if info.Types[n].Value != nil {
		return
	}
	replaced := func(function, by, between, after string) {
		v.add(mutant{node: n, what: n.Op.String() + " is " + by, before: "mutantsite." + function + "(%d, ", after: after + ")",
			op: n.OpPos, width: len(n.Op.String()), instead: between})
	}
	operand := info.Types[n.X].Type
	if basic, ok := operand.(*types.Basic); ok && basic.Info()&types.IsUntyped != 0 {
		operand = info.Types[n.Y].Type
	}
	switch {
	case n.Op == token.EQL || n.Op == token.NEQ:
		if plainBool(info.Types[n].Type) {
			v.add(mutant{node: n, what: n.Op.String() + " is its opposite", before: "((", after: ") != mutantsite.On(%d))"})
		}
	case n.Op == token.LAND && plainBool(info.Types[n].Type):
		replaced("And", "||", ", func() bool { return (", ") }")
	case n.Op == token.LOR && plainBool(info.Types[n].Type):
		replaced("Or", "&&", ", func() bool { return (", ") }")
	default:
		name, ok := v.spell(operand, n.Pos())
		basic, isBasic := operand.Underlying().(*types.Basic)
		if !ok || !isBasic {
			return
		}
		if c, ok := comparisons[n.Op]; ok && plainBool(info.Types[n].Type) {
			replaced(c[0]+"["+name+"]", c[1], ",", "")
		}
		if s, ok := sums[n.Op]; ok && basic.Info()&types.IsNumeric != 0 && basic.Info()&types.IsComplex == 0 {
			replaced(s[0]+"["+name+"]", s[1], ",", "")
		}
	}
}

// call swaps the two arguments of a function, and min and max.
func (v *finder) call(n *ast.CallExpr) {
	if len(n.Args) != 2 || n.Ellipsis.IsValid() {
		return
	}
	info := v.of.info
	if tv := info.Types[n.Fun]; tv.IsBuiltin() {
		name, ok := n.Fun.(*ast.Ident)
		spelled, can := v.spell(info.Types[n].Type, n.Pos())
		other := map[string]string{"min": "max", "max": "min"}
		if ok && can && other[name.Name] != "" && info.Types[n].Value == nil {
			v.add(mutant{node: n, what: name.Name + " is " + other[name.Name],
				before: "mutantsite." + strings.ToUpper(name.Name[:1]) + name.Name[1:] + "[" + spelled + "](%d, ", after: "",
				op: n.Pos(), width: v.offset(n.Lparen) + 1 - v.offset(n.Pos()), instead: ""})
		}
		return
	} else if tv.IsType() {
		return
	}
	signature, ok := info.Types[n.Fun].Type.(*types.Signature)
	if !ok || signature.Variadic() || signature.Params().Len() != 2 {
		return
	}
	first := signature.Params().At(0).Type()
	if !types.Identical(first, signature.Params().At(1).Type()) || types.IsInterface(first) {
		return
	}
	if name, ok := v.spell(first, n.Pos()); ok && v.source(n.Args[0]) != v.source(n.Args[1]) {
		v.add(mutant{node: arguments{n}, what: "arguments swapped", before: "mutantsite.Swap[" + name + "](%d, ", after: ")"})
	}
}

// arguments are the arguments of a call, as a node of its own.
type arguments struct{ call *ast.CallExpr }

func (a arguments) Pos() token.Pos { return a.call.Args[0].Pos() }
func (a arguments) End() token.Pos { return a.call.Args[len(a.call.Args)-1].End() }

// result returns nothing, or the opposite.
func (v *finder) result(e ast.Expr) {
	tv := v.of.info.Types[e]
	switch {
	case tv.IsNil() || tv.Type == nil:
	case plainBool(tv.Type):
		v.add(mutant{node: e, what: "the opposite is returned", before: "((", after: ") != mutantsite.On(%d))"})
	case tv.Value == nil:
		if _, multiple := tv.Type.(*types.Tuple); multiple {
			return
		}
		switch literal := ast.Unparen(e).(type) {
		case *ast.FuncLit:
			return
		case *ast.CompositeLit:
			if _, isStruct := tv.Type.Underlying().(*types.Struct); isStruct && len(literal.Elts) == 0 {
				return // that is nothing already
			}
		}
		v.wrap(e, "Zero", "nothing is returned")
	}
}

// isUnseen reports whether all changes within an expression are the same program by
// construction, or one that is tried already: a capacity, what a panic says, and what an assertion
// compares, which either goes on to be false or always holds.
func (v *finder) isUnseen(e ast.Expr) bool {
	if len(v.stack) == 0 {
		return false
	}
	switch p := v.stack[len(v.stack)-1].(type) {
	case *ast.CallExpr:
		return slices.Contains(v.capacities(p), e)
	case *ast.IfStmt:
		return p.Cond == e && v.isAssertion(p)
	}
	return false
}

// capacities returns the arguments of a call that no caller can observe: room that is made beforehand, and
// the text of a panic.
func (v *finder) capacities(call *ast.CallExpr) []ast.Expr {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		switch {
		case !v.of.info.Types[fun].IsBuiltin() || len(call.Args) == 0:
		case fun.Name == "panic":
			return call.Args
		case fun.Name == "make":
			if _, isMap := v.of.info.Types[call.Args[0]].Type.Underlying().(*types.Map); isMap {
				return call.Args[1:]
			}
			return call.Args[min(2, len(call.Args)):]
		}
	case *ast.SelectorExpr:
		if o := v.of.info.Uses[fun.Sel]; o != nil && o.Pkg() != nil && o.Name() == "Grow" && slices.Contains([]string{"slices", "strings", "bytes"}, o.Pkg().Path()) {
			return call.Args[len(call.Args)-1:]
		}
	}
	return nil
}

// onlyGrows reports whether all that a statement does is to make room.
func (v *finder) onlyGrows(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	_, isSelector := call.Fun.(*ast.SelectorExpr)
	return isSelector && len(v.capacities(call)) > 0
}

// isAssertion reports whether all that an if does is panic. While what it asserts is true,
// one that never holds is the same program.
func (v *finder) isAssertion(n *ast.IfStmt) bool {
	if n.Else != nil || len(n.Body.List) != 1 {
		return false
	}
	statement, _ := n.Body.List[0].(*ast.ExprStmt)
	if statement == nil {
		return false
	}
	call, _ := statement.X.(*ast.CallExpr)
	return call != nil && v.of.info.Types[call.Fun].IsBuiltin() && v.source(call.Fun) == "panic"
}

// condition is made never to hold, and always.
func (v *finder) condition(e ast.Expr, never, always bool) {
	if !plainBool(v.of.info.Types[e].Type) {
		return
	}
	if never {
		v.add(mutant{node: e, what: "never holds", before: "(!mutantsite.On(%d) && (", after: "))"})
	}
	if always {
		v.add(mutant{node: e, what: "always holds", before: "(mutantsite.On(%d) || (", after: "))"})
	}
}

// statements are left out.
func (v *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch n := s.(type) {
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok && v.source(call.Fun) == "panic" || v.onlyGrows(n.X) {
				continue
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE || blank(n.Lhs) || len(n.Rhs) == 1 && v.onlyGrows(n.Rhs[0]) && v.source(n.Rhs[0].(*ast.CallExpr).Args[0]) == v.source(n.Lhs[0]) {
				continue
			}
		case *ast.IncDecStmt:
		case *ast.BranchStmt:
			if n.Tok != token.BREAK && n.Tok != token.CONTINUE {
				continue
			}
		default:
			continue
		}
		v.add(mutant{node: s, what: "left out", before: "if !mutantsite.On(%d) { ", after: " }"})
	}
}

func blank(all []ast.Expr) bool {
	for _, e := range all {
		if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}

func plainBool(t types.Type) bool {
	return t == types.Typ[types.Bool] || t == types.Typ[types.UntypedBool]
}

// spell returns the notation of a type at a place, if it has one.
func (v *finder) spell(t types.Type, at token.Pos) (string, bool) {
	visible := func(name string) types.Object {
		_, o := v.of.pkg.Scope().Innermost(at).LookupParent(name, at)
		return o
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Name(), t.Info()&types.IsUntyped == 0 && visible(t.Name()) == types.Universe.Lookup(t.Name())
	case *types.Named:
		name := t.Obj()
		if t.TypeArgs().Len() > 0 {
			return "", false
		}
		if name.Pkg() == nil || name.Pkg() == v.of.pkg {
			return name.Name(), visible(name.Name()) == name
		}
		for _, spec := range v.tree.Imports {
			used, _ := v.of.info.Implicits[spec].(*types.PkgName)
			if spec.Name != nil {
				used, _ = v.of.info.Defs[spec.Name].(*types.PkgName)
			}
			if used != nil && used.Imported() == name.Pkg() && name.Exported() && visible(used.Name()) == used {
				return used.Name() + "." + name.Name(), true
			}
		}
	}
	return "", false
}
