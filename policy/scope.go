package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/roceplan/roceplan/diag"
)

// A decoder turns expressions into values, in a scope. All decoders of one Load share
// the list of findings and what is already evaluated; [decoder.within] gives one for
// an inner scope.
type decoder struct {
	*session
	ctx      *hcl.EvalContext
	instance string // which instance of a repeated block this is, for messages: "each.key is 3"
}

// session holds the state of one call of Load.
type session struct {
	diags     diag.List
	blocks    hclsyntax.Blocks // of the top level, of all files
	catalogue Catalogue
	root      fs.FS
	texts     []Source // of files that blocks name
	seen      map[hclsyntax.Expression]*evaluated
	patterns  map[string][]string // expanded port patterns, by their text
	budget    budget
	repeated  int  // instances of blocks so far
	exhausted bool // the budget is spent, which is reported once
}

// evaluated holds the results of one expression. One that does not mention each or count has the
// same value in every instance and is evaluated once.
type evaluated struct {
	sound    bool // every name in it exists
	constant bool
	metered  hclsyntax.Expression
	done     bool
	ok       bool
	value    cty.Value
}

func (d *decoder) within(ctx *hcl.EvalContext, instance string) *decoder {
	return &decoder{d.session, ctx, instance}
}

// maxFindings bounds what one Load reports: a repeated block repeats its faults.
const maxFindings = 10_000

// errorf adds an error; in an instance of a repeated block it says which one.
func (d *decoder) errorf(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	if len(d.diags) >= maxFindings {
		return &diag.Diagnostic{}
	}
	message := fmt.Sprintf(format, args...)
	if d.instance != "" {
		message += " (" + d.instance + ")"
	}
	return d.diags.Errorf(code, at, "%s", message)
}

// eval gives the value of an expression. When ok is false, the fault has been reported.
func (d *decoder) eval(expr hclsyntax.Expression) (v cty.Value, ok bool) {
	if literal, ok := expr.(*hclsyntax.LiteralValueExpr); ok {
		return literal.Val, true
	}
	known := d.seen[expr]
	if known == nil {
		sound, constant := d.checkNames(expr)
		known = &evaluated{sound: sound, constant: constant}
		d.seen[expr] = known
	}
	if !known.sound {
		return cty.NilVal, false
	}
	if known.done && known.constant {
		return known.value, known.ok
	}
	if known.metered == nil {
		known.metered = d.budget.metered(expr)
	}
	v, found, affordable := d.budget.evaluate(known.metered, d.ctx)
	if !affordable {
		d.tellEffort(expr.Range())
		return cty.NilVal, false
	}
	ok = !found.HasErrors()
	for _, f := range found {
		d.hclFault(f)
	}
	ok = ok && v.IsWhollyKnown() // a local or variable without a valid value is unknown, and reported
	known.done, known.ok, known.value = true, ok, v
	return v, ok
}

// tellEffort says once where the budget did not suffice. Later expressions of the files stay
// unevaluated.
func (d *decoder) tellEffort(at diag.Range) {
	if d.exhausted {
		return
	}
	d.exhausted = true
	d.errorf(TooLarge, at, "the expressions of the fabric take more than %d steps up to here", maxEffort).
		Fixf("write fewer nested loops and shorter lists; names have ranges, such as leaf-[01..32]")
}

// isNull reports whether an expression says that the attribute is left out. It may only
// be asked after the expression was evaluated.
func (d *decoder) isNull(expr hclsyntax.Expression) bool {
	if literal, ok := expr.(*hclsyntax.LiteralValueExpr); ok {
		return literal.Val.IsNull()
	}
	known := d.seen[expr]
	return known != nil && known.ok && known.value.IsNull()
}

// checkNames looks up every name in an expression, so that one that does not exist is reported with
// the names that do. constant: it mentions neither each nor count.
func (d *decoder) checkNames(expr hclsyntax.Expression) (sound, constant bool) {
	sound, constant = true, true
	for _, t := range expr.Variables() {
		if root := t.RootName(); root == "each" || root == "count" {
			constant = false
		}
		sound = d.checkTraversal(t) && sound
	}
	return sound, constant
}

func (d *decoder) checkTraversal(t hcl.Traversal) bool {
	root := t.RootName()
	value, ok := d.lookup(root)
	if !ok {
		fault := d.errorf(UnknownName, t[0].SourceRange(), "there is nothing called %s here", clip(root))
		switch root {
		case "each":
			fault.Fixf("each exists in a block that has for_each")
		case "count":
			fault.Fixf("count exists in a block that has count")
		default:
			fault.Repaired(d.missing(root))
		}
		return false
	}
	path := root
	for i, step := range t[1:] {
		name, is := stepName(step)
		if !is || value.IsNull() || !value.IsKnown() || !value.Type().IsObjectType() {
			return true
		}
		if !value.Type().HasAttribute(name) {
			at := hcl.RangeBetween(t[0].SourceRange(), t[i+1].SourceRange())
			d.errorf(UnknownName, at, "%s", absence(path, name)).
				Repaired(renamed(name, objectNames(value), absenceFix(path, name)))
			return false
		}
		value, path = value.GetAttr(name), path+"."+name
	}
	return true
}

// absence says that a name is missing in the object at a path.
func absence(path, name string) string {
	name = clip(name)
	switch path {
	case "var":
		return "there is no variable " + name
	case "local", "nic", "switch", "traffic_class", "sizes":
		return "there is no " + path + " " + name
	}
	return path + " has no " + name
}

func absenceFix(path, name string) string {
	name = clip(name)
	switch path {
	case "var":
		return fmt.Sprintf("declare it: variable %q { … }", name)
	case "local":
		return fmt.Sprintf("define it: locals { %s = … }", name)
	case "nic", "switch", "traffic_class", "sizes":
		return fmt.Sprintf("add a block: %s %q { … }", path, name)
	}
	return "it has nothing of that kind"
}

func stepName(step hcl.Traverser) (string, bool) {
	switch s := step.(type) {
	case hcl.TraverseAttr:
		return s.Name, true
	case hcl.TraverseIndex:
		if s.Key.Type() == cty.String && s.Key.IsKnown() && !s.Key.IsNull() {
			return s.Key.AsString(), true
		}
	}
	return "", false
}

func (d *decoder) lookup(root string) (cty.Value, bool) {
	for c := d.ctx; c != nil; c = c.Parent() {
		if v, ok := c.Variables[root]; ok {
			return v, true
		}
	}
	return cty.NilVal, false
}

// missing returns the repair of a word that is no name by itself: the block or the local of that name, with its root.
func (d *decoder) missing(word string) diag.Repair {
	var held []string
	for _, root := range d.roots() {
		if v, ok := d.lookup(root); ok && !v.IsNull() && v.Type().IsObjectType() && v.Type().HasAttribute(word) {
			held = append(held, root+"."+word)
		}
	}
	switch len(held) {
	case 0:
		return renamed(word, d.roots(), "write a text in quotes")
	case 1:
		return diag.Repair{Fix: "did you mean " + held[0] + "?", Meant: held[0]}
	}
	slices.Sort(held)
	return diag.Repair{Fix: "write " + enumerate(held)}
}

func (d *decoder) roots() []string {
	var names []string
	for c := d.ctx; c != nil; c = c.Parent() {
		for name := range c.Variables {
			names = append(names, name)
		}
	}
	return names
}

func objectNames(v cty.Value) []string {
	var names []string
	for name := range v.Type().AttributeTypes() {
		names = append(names, name)
	}
	return names
}

// hclFault adds what HCL found while it evaluated, with a code and, for functions,
// the words of their own errors.
func (d *decoder) hclFault(f *hcl.Diagnostic) {
	at := hcl.Range{}
	if f.Subject != nil {
		at = *f.Subject
	}
	if call, ok := hcl.DiagnosticExtra[hclsyntax.FunctionCallDiagExtra](f); ok && call.FunctionCallError() != nil {
		err := call.FunctionCallError()
		at = callRange(f, err)
		var ours *problem
		if errors.As(err, &ours) {
			d.errorf(ours.code, at, "%s", ours.message).Repaired(ours.repair)
			return
		}
		d.errorf(BadCall, at, "%s(): %s", call.CalledFunctionName(), sentence(err.Error())).Fixf("roceplan help language has each function with its arguments")
		return
	}
	if unknown, ok := hcl.DiagnosticExtra[hclsyntax.FunctionCallUnknownDiagExtra](f); ok {
		name := unknown.CalledFunctionName()
		d.errorf(BadCall, at, "there is no function %s", name).
			Repaired(diag.Rename(name, functionNames(d.ctx), "roceplan help language lists the functions"))
		return
	}
	d.errorf(BadExpression, at, "%s", sentence(f.Detail))
}

// callRange returns the argument that a function refuses, or the call where it does not say.
func callRange(f *hcl.Diagnostic, err error) diag.Range {
	call, ok := f.Expression.(*hclsyntax.FunctionCallExpr)
	if !ok {
		return *f.Subject
	}
	var arg function.ArgError
	if errors.As(err, &arg) && arg.Index < len(call.Args) {
		return call.Args[arg.Index].Range()
	}
	if len(call.Args) == 1 {
		return call.Args[0].Range()
	}
	return call.Range()
}
