package formulas

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// document is a formula of the given expression, of the inputs a to f.
func document(t *testing.T, expression string) *Doc {
	t.Helper()
	docs, diags := parse("test.hcl", []byte("formula \"x\" {\n  title = \"t\"\n  unit = \"u\"\n  expression = "+expression+"\n}\n"))
	if diags.HasErrors() || len(docs) != 1 {
		t.Fatal(diags)
	}
	return docs[0]
}

// Each function on the numbers around its steps, worked out by hand.
func TestFunctionsByHand(t *testing.T) {
	const big63 = 1<<62 + 1
	for _, c := range []struct {
		expression string
		a, b       int64
		want       string
	}{
		{"ceildiv(a, b)", 12, 4, "3"}, {"ceildiv(a, b)", 13, 4, "4"}, {"ceildiv(a, b)", -13, 4, "-3"},
		{"floordiv(a, b)", 11, 4, "2"}, {"floordiv(a, b)", 12, 4, "3"}, {"floordiv(a, b)", -13, 4, "-4"}, {"floordiv(a, b)", 7, 1, "7"},
		{"ceilto(a, b)", 13, 4, "16"}, {"ceilto(a, b)", 12, 4, "12"}, {"floorto(a, b)", 15, 4, "12"},
		{"min(a, b)", 3, 4, "3"}, {"max(a, b)", 3, 4, "4"},
		// (2⁶²+1)² = 2¹²⁴ + 2⁶³ + 1, more digits than 64 bits hold.
		{"floordiv(a * b, 1)", big63, big63, new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 124), new(big.Int).SetUint64(1<<63+1)).String()},
		// (512/1024)² = 1/4; kept has the exponent first.
		{"kept(a, b)", 2, 512, "250000000000000000"},
		{"decay(a)", 0, 0, "1000000000000000000"},
		// 1/e = 0.367879441171442321595… (OEIS A068985)
		{"decay(a)", 1_000_000_000, 0, "367879441171442321"},
		{"decay(a)", 1 << 62, 0, "0"},
	} {
		got, err := document(t, c.expression).Eval(map[string]int64{"a": c.a, "b": c.b})
		if err != nil || got.String() != c.want {
			t.Errorf("%s of %d and %d: %v, %v; want %s", c.expression, c.a, c.b, got, err, c.want)
		}
	}
}

// What cannot be computed says which argument is at fault.
func TestFaultsOfExpressions(t *testing.T) {
	for expression, want := range map[string]struct{ at, says string }{
		"floordiv(a / 2, b)":               {"a / 2", "0.5 is not a whole number"},
		"floordiv(b, a / 2)":               {"a / 2", "0.5 is not a whole number"},
		"floordiv(b, a - 1)":               {"a - 1", "0 is not positive"},
		"ceildiv(a, 0 - a)":                {"0 - a", "-1 is not positive"},
		"kept(a, b - 7)":                   {"b - 7", "0 is not positive"},
		"decay(a / 3)":                     {"a / 3", "0.33333333333333333333 is not a whole number"},
		"mixed(0 - a, b, b, b, 0, 0)":      {"0 - a", "-1 is out of range"},
		"mixed(b, b, b, b, 0, a / 4)":      {"a / 4", "0.25 is not a whole number"},
		"mixed(b, b, b, b, 0, big * 2)":    {"big * 2", "18446744073709551614 is out of range"},
		"mixed(b, a - 1, b, b, 0, 0)":      {"a - 1", "a cell of 0 B"},
		"mixed(b, b, b, b, 1000000000, 0)": {"1000000000", "nothing but small packets"},
		"a / b":                            {"", "the expression gives 0.14285714285714285714, not a whole number: it has to say how it rounds"},
		"a < b":                            {"", "the expression gives a bool, not a number"},
		"a / (b + 1)":                      {"", "the expression gives 0.125, not a whole number: it has to say how it rounds"},
		"a + c":                            {"c", `There is no variable named "c".`},
	} {
		doc := document(t, expression)
		_, err := doc.Eval(map[string]int64{"a": 1, "b": 7, "big": 1<<63 - 1})
		if err == nil || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%s: %v, want %s", expression, err, want.says)
			continue
		}
		var diags hcl.Diagnostics
		if want.at == "" {
			continue
		}
		const before = len("formula \"x\" {\n  title = \"t\"\n  unit = \"u\"\n  expression = ")
		if !errors.As(err, &diags) || diags[0].Subject.Start.Byte != before+strings.Index(expression, want.at) {
			t.Errorf("%s: the fault is not at %s: %v", expression, want.at, diags)
		}
	}
	if v, err := document(t, "mixed(a, b, 0, b, 999999999, 0)").Eval(map[string]int64{"a": 1, "b": 7}); err != nil || v.Sign() != 0 {
		t.Errorf("almost nothing but small packets: %v, %v", v, err)
	}
}

// What fits into bytes on the wire, by hand: a packet of 64 B takes 84 B of them, one of
// 1500 B 1520 B.
func TestMixedByHand(t *testing.T) {
	const half, quarter = 500_000_000, 250_000_000
	for _, c := range []struct {
		bytes, cell, metadata, share, beside, want int64
		why                                        string
	}{
		{4560, 64, 0, 0, 0, 72, "three large packets to the byte, of 24 cells each"},
		{4559, 64, 0, 0, 0, 48, "a byte less, two"},
		{840, 64, 0, half, 1000, 10, "ten small packets of a cell, though more were allowed"},
		{839, 64, 0, half, 1000, 9, "a byte less, nine"},
		{840, 64, 1, half, 1000, 20, "metadata makes 65 B, two cells, of each"},
		{84, 63, 0, half, 2, 2, "64 B are two cells of 63"},
		{840, 64, 0, quarter, 3, 1, "one of four may be small, beside three large"},
		{840, 64, 0, quarter, 2, 0, "none beside two"},
		{3040, 256, 0, half, 1000, 36, "36 small packets: two large ones are 12 cells, one and 18 small ones 24"},
		{0, 64, 0, half, 9, 0, "nothing"},
	} {
		var args []*big.Int
		for _, v := range []int64{c.bytes, c.cell, c.metadata, 1500, c.share, c.beside} {
			args = append(args, big.NewInt(v))
		}
		if got, err := checkedMixed(args); err != nil || got.Int64() != c.want {
			t.Errorf("%v of %+v: %v, %v", got, c, err, c.why)
		}
	}
}

// The exact powers: of (1023/1024)^n the one of 4096 is that of every larger n.
func TestKeptIsCapped(t *testing.T) {
	for n, want := range map[int64]int64{
		4095: 18297746700248584, // 1023⁴⁰⁹⁵·10¹⁸ / 1024⁴⁰⁹⁵, rounded down
		4096: 18279877806986622,
		4097: 18279877806986622,
	} {
		if got := Kept(big.NewInt(1023), big.NewInt(n)); got.Int64() != want {
			t.Errorf("%d: %v, want %d", n, got, want)
		}
	}
	if got := Kept(big.NewInt(1024), big.NewInt(7)); got.Int64() != 1_000_000_000_000_000_000 {
		t.Errorf("all of it: %v", got)
	}
}

// The largest x with 3x ≤ 22 is 7, but no more than the range has, and no fault is lost.
func TestUnknown(t *testing.T) {
	const text = `formula "x" {
  title = "t"
  unit = "B"
  unknown "x" {
    min = MIN
    max = MAX
  }
  expression = floordiv(a * 2 - 6 * x, d)
}`
	for _, c := range []struct {
		min, max  string
		a, d      int64
		want      int64
		expecting string
	}{
		{"2", "100", 22, 2, 7, ""}, {"2", "100", 21, 2, 7, ""}, {"2", "100", 20, 2, 6, ""}, {"2", "5", 22, 2, 5, ""}, {"8", "100", 22, 2, 8, ""},
		{"2", "100", 22, 0, 2, "0 is not positive"},
	} {
		docs, diags := parse("test.hcl", []byte(strings.NewReplacer("MIN", c.min, "MAX", c.max).Replace(text)))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		got, err := docs[0].Eval(map[string]int64{"a": c.a, "d": c.d})
		if got.Int64() != c.want || (err == nil) != (c.expecting == "") || err != nil && !strings.Contains(err.Error(), c.expecting) {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
		must.Equal(t, docs[0].Expression, "the largest x from "+c.min+" to "+c.max+" at which this is not negative: floordiv(a * 2 - 6 * x, d)")
	}
	for at, want := range map[int64]int64{0: 3, 3: 3, 4: 4, 9: 9, 10: 10, 11: 10} {
		must.Equalf(t, Largest(3, 10, func(v int64) bool { return v <= at }), want, "the largest of 3 to 10 up to %d:", at)
	}
}

// Both sides of an inequality, their texts, and a fault in each.
func TestSides(t *testing.T) {
	docs, diags := parse("test.hcl", []byte(`inequality "x" {
  title = "t"
  unit  = "B"
  left  = 2 * a
  right = b + 1
}`))
	if diags.HasErrors() || docs[0].Left != "2 * a" || docs[0].Right != "b + 1" {
		t.Fatalf("%v %+v", diags, docs)
	}
	left, right, err := docs[0].Sides(map[string]int64{"a": 3, "b": 8})
	if err != nil || left.Int64() != 6 || right.Int64() != 9 {
		t.Errorf("%v ≤ %v, %v", left, right, err)
	}
	for _, inputs := range []map[string]int64{{"a": 1}, {"b": 1}, {}} {
		if _, _, err := docs[0].Sides(inputs); err == nil {
			t.Errorf("both sides of %v have a value", inputs)
		}
	}
	if _, _, err := docs[0].Sides(map[string]int64{"b": 1}); !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("the first fault is that of the left side: %v", err)
	}
}

// A text that is no book, and one that lacks what a document needs.
func TestFaultsOfDocuments(t *testing.T) {
	for text, want := range map[string]string{
		`formula "x" {`:              "Unclosed configuration block",
		`formula "x" { unit = "B" }`: `The argument "title" is required`,
		"formula \"x\" {\ntitle = \"t\"\nunit = \"B\"\nexpression = 1\nsource {}\n}": `The argument "document" is required`,
	} {
		if docs, diags := parse("test.hcl", []byte(text)); !strings.Contains(diags.Error(), want) {
			t.Errorf("%q: %v, %v", text, docs, diags)
		}
	}
	if doc, ok := Load().Find("newcomer"); ok || doc != nil {
		t.Errorf("the beginning of a name finds %v", doc)
	}
}

// How numbers, a sign, a condition and superfluous parentheses are drawn.
func TestDrawing(t *testing.T) {
	for expression, want := range map[string]string{
		"1200":               "<mn>1200</mn>",
		"1200000":            "<mn>12</mn><mo>·</mo><msup><mn>10</mn><mn>5</mn></msup>",
		"120000":             "<mn>120000</mn>",
		"100000":             "<msup><mn>10</mn><mn>5</mn></msup>",
		"-a":                 "<mo>−</mo><mi>a</mi>",
		"(a)":                "<mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow>",
		"min((a), b)":        "<mi>min</mi><mrow><mo>(</mo><mrow><mi>a</mi></mrow><mo>,</mo><mrow><mi>b</mi></mrow><mo>)</mo></mrow>",
		"ceilto((a + 1), b)": "<msub><mrow><mo>⌈</mo><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mo>⌉</mo></mrow><mrow><mi>b</mi></mrow></msub>",
		"a >= b ? 1 : 2": `<mrow><mo>{</mo><mtable columnalign="left"><mtr><mtd><mn>1</mn></mtd><mtd><mtext>if&#160;</mtext><mi>a</mi><mo>≥</mo><mi>b</mi></mtd></mtr>` +
			`<mtr><mtd><mn>2</mn></mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>`,
	} {
		must.Equalf(t, draw(document(t, expression).expression), want, "%s:", expression)
	}
}

// What is less than one part is none: e^-41 is 1.6 parts of 10^18, e^-42 is 0.6, and powers beyond
// are no longer computed, however large.
func TestDecayEnds(t *testing.T) {
	huge, _ := new(big.Int).SetString("1000000000000000000000000000000", 10)
	for _, c := range []struct {
		x    *big.Int
		want int64
	}{{big.NewInt(41_000_000_000), 1}, {big.NewInt(42_000_000_000), 0}, {big.NewInt(43_000_000_000), 0}, {huge, 0}} {
		before := c.x.String()
		if got := Decay(c.x); got.Cmp(big.NewInt(c.want)) != 0 || c.x.String() != before {
			t.Errorf("%s: %v, want %d", before, got, c.want)
		}
	}
	n := big.NewInt(5000)
	if got := Kept(big.NewInt(1023), n); got.Cmp(Kept(big.NewInt(1023), big.NewInt(4096))) != 0 || n.Int64() != 5000 {
		t.Errorf("%v", got)
	}
}

// The standard library's exponential and power, to the 15 digits of a float64.
func TestDecayAndKept(t *testing.T) {
	close := func(what string, got *big.Int, want float64) {
		t.Helper()
		f, _ := new(big.Float).SetInt(got).Float64()
		if math.Abs(f/Whole-want) > 1e-15 {
			t.Errorf("%s: %v, want %v", what, f/Whole, want)
		}
	}
	for _, x := range []int64{0, 1, 1000, 500_000_000, 1_000_000_000, 2_300_000_000, 20_000_000_000, 41_999_999_999, 43_000_000_000} {
		close("decay", Decay(big.NewInt(x)), math.Exp(-float64(x)/1e9))
	}
	for _, g := range []int64{0, 1, 512, 1019, 1023, 1024} {
		for _, n := range []int64{0, 1, 4, 50, 4096, 5000} {
			close("kept", Kept(big.NewInt(g), big.NewInt(n)), math.Pow(float64(g)/1024, float64(min(n, 4096))))
		}
	}
}
