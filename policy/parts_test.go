package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// A pattern of sixteen verbs and more, of 32 B, is as wide for each as its widest argument, which is
// weighed by textEffort bytes and one, and at least the 999 that a width may be.
func TestFormatEffort(t *testing.T) {
	for _, c := range []struct{ verbs, argument, want int }{{15, 5, 30}, {16, 5, 32 + 16*999}, {16, 998*textEffort - 1, 32 + 16*999}, {16, 2000 * textEffort, 32 + 16*2001}} {
		got := formatEffort([]cty.Value{cty.StringVal(strings.Repeat("%s", c.verbs)), cty.StringVal(strings.Repeat("x", c.argument)), cty.StringVal("y")})
		must.Equalf(t, got, c.want, "%d verbs of %d bytes:", c.verbs, c.argument)
	}
}

// What a switch says of alpha goes before what a class says.
func TestAlphaOf(t *testing.T) {
	one, other := Opt[units.Alpha]{Value: -3, Set: true}, Opt[units.Alpha]{Value: 2, Set: true}
	for _, c := range []struct{ of, class, want Opt[units.Alpha] }{{one, other, one}, {Opt[units.Alpha]{}, other, other}, {one, Opt[units.Alpha]{}, one}, {}} {
		must.Equalf(t, (&Switch{Alpha: c.of}).AlphaOf(&Class{Alpha: c.class}), c.want, "%+v and %+v:", c.of, c.class)
	}
}

// 64 classes have a code point each, and one more those of the rest.
func TestMostClasses(t *testing.T) {
	for n, refused := range map[int]bool{65: false, 66: true} {
		var text strings.Builder
		for i := range n {
			dscp := fmt.Sprintf("[%d]", i)
			if i >= 64 {
				dscp = "rest"
			}
			fmt.Fprintf(&text, "traffic_class \"c%d\" {\n dscp = %s\n queue = 0\n weight = 1\n}\n", i, dscp)
		}
		_, found := Load(Options{Files: []Source{{Name: "f", Text: []byte(text.String() + "fabric \"f\" {}\n")}}})
		told := false
		for _, d := range found {
			told = told || d.Message == fmt.Sprintf("there are %d traffic classes for 64 code points", n)
		}
		if told != refused {
			t.Errorf("%d classes are refused: %t, %d findings", n, told, len(found))
		}
	}
}
