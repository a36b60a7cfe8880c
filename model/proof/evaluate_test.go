package proof

import (
	"math/big"
	"strings"
	"testing"
)

// Expressions up to the bounds of what is evaluated, and one beyond each: 200 levels, of which the whole is one, and
// 65,536 bytes.
func TestBoundsOfExpressions(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("(", n) + "7" + strings.Repeat(")", n) }
	power := func(n uint) string { return new(big.Int).Lsh(big.NewInt(1), n).String() }
	for _, c := range []struct{ text, want, fault string }{
		{nested(199), "7", ""}, {nested(200), "", "more than 200 levels"}, {strings.Repeat("-", 198) + "7", "7", ""}, {strings.Repeat("-", 199) + "7", "-7", ""}, {strings.Repeat("-", 200) + "7", "", "more than 200 levels"},
		{"7" + strings.Repeat(" ", 1<<16-1), "7", ""}, {"7" + strings.Repeat(" ", 1<<16), "", "the expression has 65537 bytes, at most 65536 are evaluated"},
		{strings.Repeat("(1) + ", 300) + "1", "301", ""}, {strings.Repeat("-1 + ", 300) + "1", "-299", ""}, // levels end
		{"2 + 3 * -(4 - x)", "-1", ""}, {"x - 1 - 1", "1", ""}, {"max(x, 5) * x", "15", ""}, {"X", "", `there is no term "X"`}, {"x x", "", `"x" is left over`}, {"1x", "", `"1x" is not a number`},
		{"9", "9", ""}, {"90 - 09", "81", ""}, {"A", "5", ""}, {"a_1Z * 2", "14", ""}, {" ( 1+1 ) ", "2", ""}, {"1 + 2 - 3 + 4", "4", ""}, {"2 * 3 * 4", "24", ""}, {"- -7", "7", ""}, {"min(4, 3, 5) - max(2)", "1", ""},
		{power(4095) + " * 1", power(4095), ""}, {power(4096) + " * 1", "", "a product has more than 4096 bits"}, {power(4000) + "*" + power(95), power(4095), ""},
		{"(1", "", "in \"(1\": ')' is missing at byte 2"}, {"1 2", "", `in "1 2": "2" is left over`}, {"1 + ", "", "is missing at byte 4"}, {"floor(7, 0)", "", "floor: division by 0"}, {"min()", "", "is missing at byte 4"}, {"max(1 2)", "", "')' is missing at byte 6"},
		{"root(1)", "", `there is no function "root"`}, {"floor(1)", "", "floor takes 2 arguments, not 1"}, {"floor(1, 2", "", "')' is missing"}, {"", "", "is missing at byte 0"},
	} {
		e := evaluator{terms: map[string]*big.Int{"x": big.NewInt(3), "A": big.NewInt(5), "a_1Z": big.NewInt(7)}, memo: map[string]*big.Int{}}
		got, err := e.evaluate(c.text)
		switch {
		case c.fault == "" && (err != nil || got.String() != c.want):
			t.Errorf("%.30q is %v, %v; want %s", c.text, got, err, c.want)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%.30q: %.80v, want %q", c.text, err, c.fault)
		}
		if got := e.terms["x"]; got.Int64() != 3 {
			t.Errorf("%.30q changes x to %v", c.text, got)
		}
	}
}
