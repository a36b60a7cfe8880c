package policy

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// The names of ports: letters, digits, '/', '.', '_' and '-', at most 64, and Junos' channel behind a cage.
// LANGUAGE.md says what else may be a word: a release, a way to group destinations.
func TestWordsThatAreAdmitted(t *testing.T) {
	for _, c := range []struct {
		admits         func(string) *problem
		taken, refused []string
	}{
		{safePort, []string{"a", "z", "A", "Z", "0", "9", "az/AZ.09_-", "et-0/0/1:3", "et-0/0/1:31", strings.Repeat("a", 64)},
			[]string{"", "/a", ":1", "a`", "a{", "a@", "a[", "a:", "a:x", "a:123", "a b", "a,b", "a\"", "a\nb", strings.Repeat("a", 65)}},
		{isGrouping, []string{"BGP field-set", "vtep", "prefix length 0", "prefix length 32"},
			[]string{"", "BGP", "24", "prefix length", "prefix length ", "prefix length -1", "prefix length 33", "prefix length 024", "prefix length +4", "prefix length x", "vtep 24"}},
		{isRelease, []string{"201601", "201612", "202505"}, []string{"201512", "202500", "202513", "2025", "20250", "2025051", "master", ""}},
	} {
		for i, texts := range [][]string{c.taken, c.refused} {
			for _, text := range texts {
				if p := c.admits(text); (p == nil) != (i == 0) {
					t.Errorf("%q: %v", text, p)
				}
			}
		}
	}
}

// A pool of headroom is shared 64:1 at most, or holds at most 8192 groups, as LANGUAGE.md has it.
func TestSharing(t *testing.T) {
	for value, want := range map[string]string{
		`"1:1"`: "1:1", `"2:1"`: "2:1", `"64:1"`: "64:1", `" 2:1 "`: "2:1", `"1 groups"`: "1 groups", `"8192 groups"`: "8192 groups",
		`"0:1"`: "", `"65:1"`: "", `"-1:1"`: "", `"2:2"`: "", `":1"`: "", `"0 groups"`: "", `"8193 groups"`: "", `"groups"`: "", `"12"`: "", "2": "",
	} {
		f, found := Load(Options{Files: []Source{{Name: "f", Text: []byte("fabric \"f\" {\n headroom_sharing = " + value + "\n}\n")}}})
		refused := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == OutOfRange || d.Code == WrongType })
		if refused != (want == "") || !refused && f.HeadroomSharing.Value.String() != want {
			t.Errorf("%s is %v, refused: %t", value, f.HeadroomSharing.Value, refused)
		}
	}
}

// What a port group says of a class goes before what it says of all, and that before what the class says.
func TestCurvesAndQueuesOfGroups(t *testing.T) {
	one, other := &Class{Name: "one"}, &Class{Name: "other"}
	g := &PortGroup{Curves: []PortCurve{{Curve: Curve{KMin: Opt[units.Bytes]{Value: 1}}}, {Class: one, Curve: Curve{KMin: Opt[units.Bytes]{Value: 2}}}}}
	if g.CurveOf(one) != &g.Curves[1].Curve || g.CurveOf(other) != &g.Curves[0].Curve {
		t.Error("the curve of a class is not its own, or that of another not the one of all")
	}
	g.Curves = g.Curves[1:]
	if g.CurveOf(one) != &g.Curves[0].Curve || g.CurveOf(other) == &g.Curves[0].Curve {
		t.Error("a class has the curve of another")
	}
	g.Queues = []PortQueue{{Class: one, Of: other}}
	if g.QueueOf(one) != other || g.QueueOf(other) != other || (&PortGroup{}).QueueOf(one) != one {
		t.Error("a class leaves from another queue than the block says")
	}
}

// A text weighs one, and one more for each eight characters; a number one, and a third of its exponent; a list one, and
// for each element one more beside what that weighs.
func TestSizeOfValues(t *testing.T) {
	text := func(n int) cty.Value { return cty.StringVal(strings.Repeat("x", n)) }
	for _, c := range []struct {
		v    cty.Value
		want int
	}{
		{cty.NullVal(cty.String), 1}, {cty.UnknownVal(cty.String), 1}, {cty.True, 1}, {text(0), 1}, {text(7), 1}, {text(8), 2}, {text(16), 3},
		{cty.NumberIntVal(0), 1}, {cty.NumberIntVal(3), 1}, {cty.NumberIntVal(4), 2}, {cty.NumberIntVal(32), 3}, {cty.NumberFloatVal(1.0 / 16), 2}, // 1/16 is ½ of 2⁻³
		{cty.EmptyTupleVal, 1}, {cty.TupleVal([]cty.Value{cty.True}), 3}, {cty.TupleVal([]cty.Value{cty.True, text(8)}), 6}, {cty.ObjectVal(map[string]cty.Value{"a": cty.True}), 3},
	} {
		must.Equalf(t, size(c.v, 1000, 0), c.want, "%#v weighs", c.v)
	}
	must.Equalf(t, size(cty.TupleVal([]cty.Value{cty.NumberIntVal(4), text(0)}), 1000, 30), 3+2+30+1, "with its number as text it weighs")
}

// A range has as many numbers as it says, at most one more.
func TestLengthOfRanges(t *testing.T) {
	for _, c := range []struct {
		args []float64
		want int
	}{{nil, 1024}, {[]float64{math.Inf(1), math.Inf(1)}, 1024}, {[]float64{1e300, 1e-300}, 1024}, {[]float64{1023}, 1024}, {[]float64{0}, 1}, {[]float64{8}, 9}, {[]float64{-8}, 9}, {[]float64{2, 5}, 4}, {[]float64{5, 2}, 4}, {[]float64{0, 9, 3}, 4}, {[]float64{9, 0, -2}, 5}, {[]float64{5000}, 1024}, {[]float64{0, 1, 0}, 1024}, {[]float64{0, 0, 0}, 1024}} {
		var args []cty.Value
		for _, n := range c.args {
			args = append(args, cty.NumberFloatVal(n))
		}
		if got := rangeLength(args); got != c.want {
			t.Errorf("range%v has %d numbers, want %d", c.args, got, c.want)
		}
	}
}

// A JSON text is as deep as its brackets that are open at once, those in quotes left out; a YAML one half as deep as what
// stands before its words.
func TestDepthOfTexts(t *testing.T) {
	for text, want := range map[string]int{"": 0, "1": 0, "[]": 1, "{}": 1, "[{}]": 2, "[][]": 1, "[[][]]": 2, `"["`: 0, `["\"[["]`: 1, `"\\"[`: 1, `{"a":[1]}`: 2, "[[": 2} {
		must.Equalf(t, nesting(text), want, "%q nests", text)
	}
	for text, want := range map[string]int{"": 0, "a": 0, " a": 1, "  a": 1, "   a": 2, "a\n    b\n c": 2, "- a": 1, "- - a": 2, "? a": 1} {
		must.Equalf(t, indented(text), want, "%q is indented", text)
	}
}

// 4 MiB of YAML are read, and 262,144 values of it; numbers have at most 40 characters.
func TestBoundsOfYAML(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"4 MiB", "a #" + strings.Repeat("x", 4<<20-3), ""}, {"a byte more", "a #" + strings.Repeat("x", 4<<20-2), "has 4194305 bytes, at most 4194304"},
		{"values", "[" + strings.Repeat("0,", 1<<18-2) + "0]", ""}, {"a value more", "[" + strings.Repeat("0,", 1<<18-1) + "0]", "more than 262144 values"},
		{"250 brackets", strings.Repeat("[", 250) + strings.Repeat("]", 250), ""}, {"251", strings.Repeat("[", 251) + strings.Repeat("]", 251), "nests more than 250 levels"},
		{"40 digits", strings.Repeat("9", 40), ""}, {"41", strings.Repeat("9", 41), "a number of at most 40"}, {"41 of a whole number", "!!int " + strings.Repeat("0", 40) + "1", "a whole number of at most 40"},
		{"a fraction of 40", "0." + strings.Repeat("9", 38), ""}, {"of 41", "0." + strings.Repeat("9", 39), "a number of at most 40"},
		{"a remark", "# nothing\n", ""}, {"blanks", " \n\r\n  # nothing", ""}, {"an empty document", "---\n", ""},
	} {
		if _, err := decodeYAML(c.text); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	// Numbers of base 16 and 8, and truth in each spelling of the core schema.
	v, err := decodeYAML("[0x10, 0o17, -3, 1e3, True, FALSE]")
	want := cty.TupleVal([]cty.Value{cty.NumberIntVal(16), cty.NumberIntVal(15), cty.NumberIntVal(-3), cty.NumberIntVal(1000), cty.True, cty.False})
	if err != nil || !v.RawEquals(want) {
		t.Errorf("%#v, %v", v, err)
	}
}

// A place is in the block whose first byte is not behind it, and whose end is.
func TestBlockAround(t *testing.T) {
	of := func(from, to int) hcl.Range {
		return hcl.Range{Filename: "f", Start: hcl.Pos{Byte: from}, End: hcl.Pos{Byte: to}}
	}
	m := blockMap{"f": {of(2, 5), of(5, 9), of(12, 14)}}
	for byte, want := range map[int]hcl.Range{0: {}, 1: {}, 2: of(2, 5), 4: of(2, 5), 5: of(5, 9), 8: of(5, 9), 9: {}, 11: {}, 12: of(12, 14), 13: of(12, 14), 14: {}} {
		must.Equalf(t, m.around(of(byte, byte)), want, "byte %d is in", byte)
	}
	must.Equalf(t, m.around(hcl.Range{Filename: "g", Start: hcl.Pos{Byte: 3}}), hcl.Range{}, "a place of another file is in")
}

// Shapes are told apart by what they print: each kind of value by marks of its own.
func TestContent(t *testing.T) {
	type inner struct{ A int }
	for _, c := range []struct {
		v    any
		want string
	}{
		{struct{ A, B int }{1, -2}, "{1 -2 }"}, {struct{ A inner }{inner{3}}, "{{3 } }"}, {struct {
			Names []string
			A     hcl.Range
			B     bool
		}{B: true}, "{true }"}, {[]string{"a", "bc"}, "[2 1:a 2:bc ]"}, {[]uint8{255}, "[1 255 ]"}, {[]string{}, "[0 ]"},
		{map[string]int{"b": 2, "a": 1}, "1:a11:b2."}, {(*inner)(nil), "-"}, {&inner{4}, "{4 }"}, {&Class{Name: "rdma"}, "4:rdma"}, {&NIC{Name: "cx"}, "2:cx"}, {uint64(1 << 63), "9223372036854775808"},
	} {
		must.Equalf(t, string(appendContent(nil, reflect.ValueOf(c.v))), c.want, "%+v:", c.v)
	}
}

// What stands in brackets of a name, and what it stands for; 65,536 names are the most.
func TestExpandPart(t *testing.T) {
	for part, want := range map[string]string{
		"7": "7", "07": "07", "left": "left", "1..3": "1 2 3", "3..3": "3", "8..11": "8 9 10 11", "08..11": "08 09 10 11", "0..2": "0 1 2", "00..02": "00 01 02", "0..8/4": "0 4 8", "0..7/4": "0 4", "1..9/3": "1 4 7",
		"a..d": "a b c d", "A..C": "A B C", "a..e/2": "a c e", "3..1": "", "d..a": "", "a..D": "", "a..3": "", "1..x": "", "1..3/0": "", "1..3/x": "", "..3": "", "1..": "", "": "", "1234567890..1234567891": "",
	} {
		got, p := expandPart("x", part)
		if (p == nil) != (want != "") || p == nil && !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q stands for %v, %v; want %s", part, got, p, want)
		}
	}
	for part, want := range map[string]int{"0..65535": 65536, "1..65536": 65536, "0..131070/2": 65536, "0..65536": 0, "0..131072/2": 0} {
		if got, p := expandPart("x", part); len(got) != want || (p == nil) != (want > 0) {
			t.Errorf("%q stands for %d names, want %d", part, len(got), want)
		}
	}
}

func TestEnumerate(t *testing.T) {
	for words, want := range map[string]string{"": "nothing", "a": "a", "a b": "a or b", "a b c": "a, b or c"} {
		must.Equalf(t, enumerate(strings.Fields(words)), want, "%s:", words)
	}
}
