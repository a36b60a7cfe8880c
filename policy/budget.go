package policy

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// maxEffort bounds what all expressions of one Load may do: a few lines of nested loops ask
// for more than any machine has. The unit is the cheapest thing that evaluation does, to
// look at one element of a value; a round of a loop costs [roundEffort]. Ten
// million take half a second and less than 200 MB; 65,536 cables with five columns take two million, and each loop
// over them one or two.
const (
	maxEffort   = 10_000_000
	roundEffort = 20 // a scope, an evaluation and a new value
	partEffort  = 10 // an evaluation in the same scope: a key or a condition
	splatEffort = 48 // the same behind a lock
	textEffort  = 8  // the number of characters that cost as much as an element
)

// A budget is the effort that is left.
type budget struct{ left int }

// overspent is the value with which a budget panics. Loops of HCL go on after an error; only a
// panic leaves them, and [budget.evaluate] recovers from it.
type overspent struct{}

func (b *budget) spend(effort int) {
	if b.left -= effort; b.left < 0 {
		b.left = -1
		panic(overspent{})
	}
}

// weigh spends the size of a value. It stops in the midst of one that is too large: a list
// that holds another twice, sixty times over, has more elements than can be counted.
func (b *budget) weigh(v cty.Value) {
	b.spend(size(v, b.left, 0))
}

// evaluate gives the value of an expression. affordable is false if the budget has not
// sufficed, and there is no value then.
func (b *budget) evaluate(expr hclsyntax.Expression, ctx *hcl.EvalContext) (v cty.Value, found hcl.Diagnostics, affordable bool) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case overspent:
			v, found, affordable = cty.DynamicVal, nil, false
		case faulty:
			v, found, affordable = cty.DynamicVal, reason.found, true
		default:
			panic(reason)
		}
	}()
	v, found = expr.Value(ctx)
	if b.left < 0 { // what try() has swallowed
		return cty.DynamicVal, nil, false
	}
	b.weigh(v)
	return v, found, true
}

// faulty ends a loop with the faults of its first bad round: the rounds after it would find
// them again, a million times.
type faulty struct{ found hcl.Diagnostics }

// A round is the expression that a loop evaluates for each element.
type round struct {
	hclsyntax.Expression
	budget *budget
	effort int
}

func (r round) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	r.budget.spend(r.effort)
	v, found := r.Expression.Value(ctx)
	if found.HasErrors() {
		panic(faulty{found})
	}
	return v, found
}

// A weighed expression spends the size of its value: one that is made here, or that a
// function, a comparison or a choice looks at in full.
type weighed struct {
	hclsyntax.Expression
	budget    *budget
	converted bool // callers may want a list of it
	texts     bool // callers may want the texts of the numbers in it
}

func (w weighed) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	v, found := w.Expression.Value(ctx)
	number := 0
	if w.texts && v.CanIterateElements() {
		number = textOfNumber
	}
	w.budget.spend(size(v, w.budget.left, number))
	if w.converted && v.IsKnown() && !v.IsNull() && v.Type().IsSetType() {
		w.budget.spend(setWalk * v.LengthInt())
	}
	return w.asList(v), found
}

// longTuple is the length from which on it matters that cty compares each type of a tuple with each
// other before it makes a list of it.
const longTuple = 4096

// asList makes a list of a long tuple whose elements are of one type; other tuples cost
// what the comparison of their types does.
func (w weighed) asList(v cty.Value) cty.Value {
	if !v.Type().IsTupleType() || !v.IsKnown() || v.IsNull() || v.LengthInt() < longTuple {
		return v
	}
	types := v.Type().TupleElementTypes()
	for _, t := range types {
		if !t.Equals(types[0]) || t == cty.DynamicPseudoType {
			if w.converted {
				w.budget.spend(len(types) / 8 * (len(types) / 8))
			}
			return v
		}
	}
	return cty.ListVal(v.AsValueSlice())
}

// metered returns an expression that spends from the budget while it is evaluated. The
// expression itself is left as it is: others ask for its parts.
func (b *budget) metered(expr hclsyntax.Expression) hclsyntax.Expression {
	switch e := expr.(type) {
	case *hclsyntax.ParenthesesExpr:
		c := *e
		c.Expression = b.metered(e.Expression)
		return &c
	case *hclsyntax.RelativeTraversalExpr:
		c := *e
		c.Source = b.metered(e.Source)
		return &c
	case *hclsyntax.FunctionCallExpr:
		c := *e
		c.Args = b.each(e.Args, b.weighed)
		if wantsTexts(e.Name) {
			c.Args = b.each(e.Args, b.asTexts)
		}
		return &c
	case *hclsyntax.ConditionalExpr:
		c := *e
		c.Condition, c.TrueResult, c.FalseResult = b.metered(e.Condition), b.asTexts(e.TrueResult), b.asTexts(e.FalseResult)
		return &c
	case *hclsyntax.BinaryOpExpr:
		c := *e
		c.LHS, c.RHS = b.weighed(e.LHS), b.weighed(e.RHS)
		return &c
	case *hclsyntax.UnaryOpExpr:
		c := *e
		c.Val = b.metered(e.Val)
		return &c
	case *hclsyntax.IndexExpr:
		c := *e
		c.Collection, c.Key = b.metered(e.Collection), b.weighed(e.Key)
		return &c
	case *hclsyntax.TupleConsExpr:
		c := *e
		c.Exprs = b.each(e.Exprs, b.metered)
		return weighed{Expression: &c, budget: b}
	case *hclsyntax.ObjectConsExpr:
		return weighed{Expression: b.object(e), budget: b}
	case *hclsyntax.ForExpr:
		return weighed{Expression: b.loop(e), budget: b}
	case *hclsyntax.SplatExpr:
		c := *e
		c.Source, c.Each = b.metered(e.Source), round{b.metered(e.Each), b, splatEffort}
		return weighed{Expression: &c, budget: b}
	case *hclsyntax.TemplateExpr:
		c := *e
		c.Parts = b.each(e.Parts, b.weighed)
		return weighed{Expression: &c, budget: b}
	case *hclsyntax.TemplateWrapExpr:
		c := *e
		c.Wrapped = b.metered(e.Wrapped)
		return &c
	case *hclsyntax.TemplateJoinExpr:
		c := *e
		c.Tuple = b.metered(e.Tuple)
		return weighed{Expression: &c, budget: b}
	}
	return expr // literals, names and the element of a splat make nothing
}

func (b *budget) weighed(expr hclsyntax.Expression) hclsyntax.Expression {
	switch expr.(type) {
	case *hclsyntax.LiteralValueExpr: // templates ask for them by their type
		return expr
	}
	m := b.metered(expr)
	if w, is := m.(weighed); is {
		m = w.Expression
	}
	return weighed{Expression: m, budget: b, converted: true}
}

// asTexts is weighed, for what makes one type of several: of a list of numbers and one of texts, texts.
func (b *budget) asTexts(expr hclsyntax.Expression) hclsyntax.Expression {
	m := b.weighed(expr)
	if w, is := m.(weighed); is {
		w.texts = true
		return w
	}
	return m
}

func (b *budget) each(exprs []hclsyntax.Expression, meter func(hclsyntax.Expression) hclsyntax.Expression) []hclsyntax.Expression {
	out := make([]hclsyntax.Expression, len(exprs))
	for i, e := range exprs {
		out[i] = meter(e)
	}
	return out
}

func (b *budget) object(e *hclsyntax.ObjectConsExpr) *hclsyntax.ObjectConsExpr {
	c := *e
	c.Items = make([]hclsyntax.ObjectConsItem, len(e.Items))
	for i, item := range e.Items {
		if key, is := item.KeyExpr.(*hclsyntax.ObjectConsKeyExpr); is {
			k := *key
			k.Wrapped = b.metered(key.Wrapped) // a bare word stays one
			item.KeyExpr = &k
		}
		item.ValueExpr = b.metered(item.ValueExpr)
		c.Items[i] = item
	}
	return &c
}

func (b *budget) loop(e *hclsyntax.ForExpr) *hclsyntax.ForExpr {
	c := *e
	c.CollExpr, c.ValExpr = b.metered(e.CollExpr), round{b.metered(e.ValExpr), b, roundEffort}
	if e.KeyExpr != nil {
		c.KeyExpr = round{b.weighed(e.KeyExpr), b, partEffort}
	}
	if e.CondExpr != nil {
		c.CondExpr = round{b.metered(e.CondExpr), b, partEffort}
	}
	return &c
}

// size counts the elements of a value, with what its texts and numbers weigh, no further than to somewhat
// above most. Each number weighs so much more.
func size(v cty.Value, most, number int) int {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() {
		return 1
	}
	switch t := v.Type(); {
	case t == cty.String:
		return 1 + len(v.AsString())/textEffort
	case t == cty.Number:
		exponent := v.AsBigFloat().MantExp(nil)
		return 1 + number + max(exponent, -exponent)/3
	case v.CanIterateElements():
		n := 1 + v.LengthInt()
		for _, e := range v.Elements() {
			if n > most {
				break
			}
			n += size(e, most-n, number)
		}
		return n
	}
	return 1
}
