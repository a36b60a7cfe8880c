package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// Code points by name: RFC 2474 (class selectors, multiples of 8), 2597 (assured forwarding, 8 times
// the class and twice the drop precedence), 3246 (46) and 5865 (44).
func TestCodePoints(t *testing.T) {
	for word, want := range map[string]int{
		"0": 0, "63": 63, "64": -1, "255": -1, "256": -1, "-1": -1, "default": 0, "ef": 46, "va": 44, "cs0": 0, "cs1": 8, "cs7": 56, "cs8": -1, "cs": -1, "cs10": -1, "xs1": -1,
		"af11": 10, "af13": 14, "af21": 18, "af31": 26, "af41": 34, "af43": 38, "af10": -1, "af14": -1, "af01": -1, "af51": -1, "af1": -1, "af111": -1, "ax11": -1, "": -1,
	} {
		if got, ok := CodePoint(word); ok != (want >= 0) || ok && int(got) != want {
			t.Errorf("%q is %d, %v; want %d", word, got, ok, want)
		}
	}
}

// Lines with their words, what they take back, and where they stand, columns in characters and
// bytes as they are.
func TestLinesByHand(t *testing.T) {
	const text = "hostname a\n  no shutdown \r\n\tdefault mtu 9\n! remark\n\nno\n ü b\n \u00a0"
	want := []string{
		"1 [hostname a] 0 indent 0, 1-11, bytes 0-10", "2 [shutdown] 1 indent 2, 3-14, bytes 13-24", "3 [mtu 9] 2 indent 1, 2-15, bytes 28-41", "4 [] 0 indent 0, 1-9, bytes 42-50",
		"5 [] 0 indent 0, 1-1, bytes 51-51", "6 [] 1 indent 0, 1-3, bytes 52-54", "7 [ü b] 0 indent 1, 2-5, bytes 56-60", "8 [] 0 indent 1, 2-3, bytes 62-64",
	}
	var got []string
	Lines("f", text, func(n int, l Line) bool {
		got = append(got, fmt.Sprintf("%d %v %d indent %d, %d-%d, bytes %d-%d", n, l.Words, l.Undo, l.Indent, l.At.Start.Column, l.At.End.Column, l.At.Start.Byte, l.At.End.Byte))
		if l.At.Start.Line != n || l.At.Filename != "f" || text[l.At.Start.Byte:l.At.End.Byte] != l.Src {
			t.Errorf("line %d: %q at %v", n, l.Src, l.At)
		}
		return true
	})
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
	seen := 0
	Lines("f", text, func(int, Line) bool { seen++; return seen < 3 })
	must.Equalf(t, seen, 3, "lines after the third said stop:")
	for n, want := range map[int]int{longest: 1, longest + 1: 0} { // words of a line of n bytes
		Lines("f", strings.Repeat("x", n), func(_ int, l Line) bool {
			must.Equalf(t, len(l.Words), want, "%d bytes: words:", n)
			return true
		})
	}
}

// A word is found where it stands by itself.
func TestWord(t *testing.T) {
	Lines("f", "   ü ab abc ab\n", func(_ int, l Line) bool {
		for word, want := range map[string][2]int{"ab": {6, 8}, "abc": {9, 12}, "ü": {4, 5}, "b": {4, 15}, "": {4, 15}, "gone": {4, 15}} {
			if at := l.Word(word); at.Start.Column != want[0] || at.End.Column != want[1] {
				t.Errorf("%q at %d-%d, want %v", word, at.Start.Column, at.End.Column, want)
			}
		}
		if at := l.Word("abc"); l.Src[at.Start.Byte-l.At.Start.Byte:at.End.Byte-l.At.Start.Byte] != "abc" {
			t.Errorf("bytes %d to %d", at.Start.Byte, at.End.Byte)
		}
		return true
	})
}

// Texts of messages have 80 bytes at most, end in an ellipsis where they were cut, and are UTF-8.
func TestClip(t *testing.T) {
	whole := strings.Repeat("x", 80)
	for from, want := range map[string]string{
		"": "", "a": "a", whole: whole, whole + "y": strings.Repeat("x", 77) + "…", "a\xff": "a�", strings.Repeat("ü", 41): strings.Repeat("ü", 38) + "…",
	} {
		if got := Clip(from); got != want || len(got) > 80 {
			t.Errorf("%q is %q, want %q", from, got, want)
		}
	}
	for src, want := range map[string]string{"a b": "a b", "a  b": "a b", "a\tb": "a b", whole: whole} {
		must.Equalf(t, (Line{Src: src}).Text(), want, "%q is", src)
	}
}

func TestBeginnings(t *testing.T) {
	l := Line{Words: []string{"a", "b", "c"}}
	for _, c := range []struct {
		prefix []string
		rest   []string
		ok     bool
	}{{nil, l.Words, true}, {[]string{"a"}, []string{"b", "c"}, true}, {[]string{"a", "b", "c"}, nil, true}, {[]string{"a", "b", "c", "d"}, nil, false}, {[]string{"a", "c"}, nil, false}, {[]string{"b"}, nil, false}} {
		rest, ok := l.After(c.prefix...)
		if ok != c.ok || !slices.Equal(rest, c.rest) || Begins(l.Words, c.prefix...) != c.ok {
			t.Errorf("after %q: %q, %v", c.prefix, rest, ok)
		}
	}
}

// What patterns cover: words in place, one of several, any one, and more only where they say so. A
// pattern with "no" is for lines that take something back; others are for those too.
func TestTable(t *testing.T) {
	table := NewTable([]Rule{
		{ID: "one", Mode: "global|port", Patterns: []string{"a|b x|y", "c * z"}}, {ID: "more", Mode: "global", Patterns: []string{"d …", "no e", "no f …"}}, {ID: "later", Mode: "global", Patterns: []string{"a x", "e"}}, {ID: "named", Mode: "global"},
	})
	for _, c := range []struct{ mode, line, want string }{
		{"global", "a x", "one"}, {"global", "b y", "one"}, {"port", "a y", "one"}, {"queue", "a x", ""}, {"global", "a z", ""}, {"global", "a", ""}, {"global", "a x 1", ""}, {"global", "no a x", "one"},
		{"global", "c 1 z", "one"}, {"global", "c z", ""}, {"global", "c 1 y", ""}, {"global", "d", "more"}, {"global", "d 1 2 3", "more"}, {"port", "d", ""}, {"global", "no e", "more"}, {"global", "default e", "more"}, {"global", "e", "later"},
		{"global", "no e 1", ""}, {"global", "f 1", ""}, {"global", "no f 1 2", "more"}, {"global", "", ""},
	} {
		must.Equalf(t, table.Find(c.mode, newLine("f", c.line, 1, 0)), c.want, "%q in %s:", c.line, c.mode)
	}
	all := Neutral([]Rule{{ID: "a", Mode: "m", Patterns: []string{"x", "y"}, Reason: "r", Evidence: "e"}, {ID: "b", Mode: "n"}})
	if len(all) != 2 || all[0].ID != "a" || all[0].Pattern != "m: x; y" || all[0].Reason != "r" || all[0].Evidence != "e" || all[1].Pattern != "n" {
		t.Errorf("%+v", all)
	}
}

// A word that stands twice: the last is where its line ends.
func TestLast(t *testing.T) {
	Lines("f", "  a\n  ü 3 x 3 \n", func(number int, l Line) bool {
		if at := l.Last("3"); number == 2 && (at.Start.Line != 2 || at.Start.Column != 9 || at.End.Column != 10 || at.Start.Byte != 13 || at.End.Byte != 14) {
			t.Errorf("3 is at %v, offset %d", at, at.Start.Byte) // two blanks, ü of two bytes, and " 3 x " behind a line of four bytes
		}
		return true
	})
}
