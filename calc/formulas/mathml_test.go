package formulas

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// Each document is drawn, well-formed, with every one of its symbols.
func TestMathML(t *testing.T) {
	for _, doc := range Load().Docs() {
		drawn := doc.MathML()
		d := xml.NewDecoder(strings.NewReader(drawn))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v in %s", doc.ID, err, drawn)
			}
		}
		for _, expr := range []hclsyntax.Expression{doc.expression, doc.left, doc.right} {
			if expr == nil {
				continue
			}
			for _, v := range expr.Variables() {
				if !strings.Contains(drawn, symbol(v.RootName())) {
					t.Errorf("%s: the drawing has no %s", doc.ID, v.RootName())
				}
			}
		}
	}
}

// Drawn by hand: what rounds to a multiple, a fraction, a power of ten, an inequality.
func TestMathMLByHand(t *testing.T) {
	book := Load()
	for id, want := range map[string]string{
		"newcomer-guarantee": "<mi>need</mi><mo>≤</mo><mi>share</mi>",
		"stuck-leave": "<mrow><mo>⌊</mo><mfrac><mrow><mi>shared</mi><mo>·</mo><mi>alpha_den</mi></mrow>" +
			"<mrow><mi>alpha_den</mi><mo>+</mo><mi>alpha_num</mi><mo>·</mo><mi>n</mi></mrow></mfrac><mo>⌋</mo></mrow>",
	} {
		doc, ok := book.Find(id)
		if !ok || doc.MathML() != `<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mrow>`+want+"</mrow></math>" {
			t.Errorf("%s: %v", id, doc.MathML())
		}
	}
	fraction := func(over, under string) string {
		return "<mfrac><mrow><mi>" + over + "</mi></mrow>" + under + "</mfrac>"
	}
	parts := "<mrow><mo>⌊</mo><msup><mn>10</mn><mn>18</mn></msup><mo>·</mo><msup>"
	for name, want := range map[string]string{ // kept(n, g) is g/1024 to the n-th, decay(x) is e to the -x billionths
		"kept":   parts + "<mrow><mo>(</mo>" + fraction("b", "<mn>1024</mn>") + "<mo>)</mo></mrow><mrow><mi>a</mi></mrow></msup><mo>⌋</mo></mrow>",
		"decay":  parts + "<mi>e</mi><mrow><mo>−</mo>" + fraction("a", "<msup><mn>10</mn><mn>9</mn></msup>") + "</mrow></msup><mo>⌋</mo></mrow>",
		"ceilto": "<msub><mrow><mo>⌈</mo><mrow><mi>a</mi></mrow><mo>⌉</mo></mrow><mrow><mi>b</mi></mrow></msub>",
		"max":    "<mi>max</mi><mrow><mo>(</mo><mrow><mi>a</mi></mrow><mo>,</mo><mrow><mi>b</mi></mrow><mo>)</mo></mrow>",
	} {
		expr, diags := hclsyntax.ParseExpression([]byte(name+"(a, b)"), "x", hcl.InitialPos)
		if diags.HasErrors() || draw(expr) != want {
			t.Errorf("%s: %v\n%s, want\n%s", name, diags, draw(expr), want)
		}
	}
	for digits, want := range map[string]string{
		"1000000000000": "<msup><mn>10</mn><mn>12</mn></msup>",
		"8000":          "<mn>8000</mn>",
		"80000000":      "<mn>8</mn><mo>·</mo><msup><mn>10</mn><mn>7</mn></msup>",
	} {
		must.Equalf(t, whole(digits), want, "%s:", digits)
	}
}
