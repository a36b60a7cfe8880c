package formulas

import (
	"fmt"
	"html"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// MathML draws the document as presentation MathML: a fraction for a division, brackets for
// what rounds, a power of ten for a number that is one. It is drawn from the expression that
// Eval computes.
func (d *Doc) MathML() string {
	var body string
	switch {
	case d.Inequality():
		body = draw(d.left) + "<mo>≤</mo>" + draw(d.right)
	case d.unknown != nil:
		body = fmt.Sprintf("<mi>max</mi><mo>{</mo>%s<mo>∈</mo><mo>[</mo>%s<mo>,</mo>%s<mo>]</mo><mo>:</mo>%s<mo>≥</mo><mn>0</mn><mo>}</mo>",
			symbol(d.unknown.Symbol), whole(fmt.Sprint(d.unknown.Min)), whole(fmt.Sprint(d.unknown.Max)), draw(d.expression))
	default:
		body = draw(d.expression)
	}
	return `<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mrow>` + body + "</mrow></math>"
}

// draw renders an expression. No other expression can be in a document: functions() and the
// operators of HCL are all that there is.
func draw(expr hclsyntax.Expression) string {
	switch e := expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		number, _ := e.Val.AsBigFloat().Int(nil)
		return whole(number.String())
	case *hclsyntax.ScopeTraversalExpr:
		return symbol(e.Traversal.RootName())
	case *hclsyntax.ParenthesesExpr:
		return fenced("(", draw(e.Expression), ")")
	case *hclsyntax.UnaryOpExpr:
		return "<mo>−</mo>" + draw(e.Val)
	case *hclsyntax.BinaryOpExpr:
		return draw(e.LHS) + "<mo>" + operator(e.Op) + "</mo>" + draw(e.RHS)
	case *hclsyntax.ConditionalExpr:
		return "<mrow><mo>{</mo><mtable columnalign=\"left\">" + branch(draw(e.TrueResult), "<mtext>if&#160;</mtext>"+draw(e.Condition)) +
			branch(draw(e.FalseResult), "<mtext>otherwise</mtext>") + "</mtable></mrow>"
	case *hclsyntax.FunctionCallExpr:
		return call(e)
	}
	panic(fmt.Sprintf("a formula holds a %T", expr))
}

func branch(value, when string) string {
	return "<mtr><mtd>" + value + "</mtd><mtd>" + when + "</mtd></mtr>"
}

func call(e *hclsyntax.FunctionCallExpr) string {
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = "<mrow>" + draw(bare(a)) + "</mrow>"
	}
	switch e.Name {
	case "floordiv":
		return fenced("⌊", "<mfrac>"+args[0]+args[1]+"</mfrac>", "⌋")
	case "ceildiv":
		return fenced("⌈", "<mfrac>"+args[0]+args[1]+"</mfrac>", "⌉")
	case "floorto":
		return "<msub>" + fenced("⌊", args[0], "⌋") + args[1] + "</msub>"
	case "ceilto":
		return "<msub>" + fenced("⌈", args[0], "⌉") + args[1] + "</msub>"
	case "decay":
		return fenced("⌊", whole("1000000000000000000")+"<mo>·</mo><msup><mi>e</mi><mrow><mo>−</mo><mfrac>"+args[0]+whole("1000000000")+"</mfrac></mrow></msup>", "⌋")
	case "kept":
		return fenced("⌊", whole("1000000000000000000")+"<mo>·</mo><msup>"+fenced("(", "<mfrac>"+args[1]+"<mn>1024</mn></mfrac>", ")")+args[0]+"</msup>", "⌋")
	}
	return "<mi>" + html.EscapeString(e.Name) + "</mi>" + fenced("(", strings.Join(args, "<mo>,</mo>"), ")")
}

// bare leaves out parentheses that a fraction or a bracket makes needless.
func bare(expr hclsyntax.Expression) hclsyntax.Expression {
	if p, ok := expr.(*hclsyntax.ParenthesesExpr); ok {
		return p.Expression
	}
	return expr
}

func fenced(opening, inside, closing string) string {
	return "<mrow><mo>" + opening + "</mo>" + inside + "<mo>" + closing + "</mo></mrow>"
}

func symbol(name string) string { return "<mi>" + html.EscapeString(name) + "</mi>" }

// whole writes a number; one with five zeros or more as a product with a power of ten.
func whole(digits string) string {
	mantissa := strings.TrimRight(digits, "0")
	zeros := len(digits) - len(mantissa)
	if zeros < 5 {
		return "<mn>" + digits + "</mn>"
	}
	power := fmt.Sprintf("<msup><mn>10</mn><mn>%d</mn></msup>", zeros)
	if mantissa == "1" {
		return power
	}
	return "<mn>" + mantissa + "</mn><mo>·</mo>" + power
}

func operator(op *hclsyntax.Operation) string {
	switch op {
	case hclsyntax.OpAdd:
		return "+"
	case hclsyntax.OpSubtract:
		return "−"
	case hclsyntax.OpMultiply:
		return "·"
	case hclsyntax.OpEqual:
		return "="
	case hclsyntax.OpNotEqual:
		return "≠"
	case hclsyntax.OpGreaterThan:
		return "&gt;"
	case hclsyntax.OpGreaterThanOrEqual:
		return "≥"
	case hclsyntax.OpLessThan:
		return "&lt;"
	case hclsyntax.OpLessThanOrEqual:
		return "≤"
	}
	panic("a formula holds an operator that has no sign")
}
