package plain_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/plain"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// quiet reports whether a terminal obeys nothing in a text: ISO 6429 and the bidirectional controls
// of Unicode, UAX #9 section 2.
func quiet(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r < 0x20 && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0 || strings.ContainsRune("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029", r)
	})
}

func TestText(t *testing.T) {
	for _, c := range [][2]string{
		{"leaf-1 \u00e4 \u4e2d\n\tx", "leaf-1 \u00e4 \u4e2d\n\tx"},
		{"\x1b[2J", `\u001b[2J`},
		{"a\rb", `a\rb`},
		{"\x7f\u009b31m", `\u007f\u009b31m`},
		{"\xff\xc3", `\xff\xc3`},
		{"a\u202eb", `a\u202eb`},
		{"\ufffd", "\ufffd"}, // the character itself is valid
	} {
		must.Equalf(t, plain.Text(c[0]), c[1], "%q is shown as", c[0])
	}
	must.Equalf(t, plain.Line("a\nb"), `a\nb`, "a line is")
}

// Whatever the text is and however it is cut, a terminal obeys nothing of it, and text that it does
// not obey stays as it is.
func TestAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }), rapid.String()).Draw(t, "text")
		got := plain.Text(text)
		if !quiet(got) || quiet(text) && got != text {
			t.Fatalf("%q is shown as %q", text, got)
		}
		if line := plain.Line(text); !quiet(line) || strings.Contains(line, "\n") {
			t.Fatalf("%q is the line %q", text, line)
		}
		var out bytes.Buffer
		w := &plain.Writer{To: &out}
		for rest := []byte(text); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			if wrote, err := w.Write(rest[:n]); wrote != n || err != nil {
				t.Fatal(wrote, err)
			}
			rest = rest[n:]
		}
		if err := w.End(); err != nil || out.String() != got {
			t.Fatalf("in pieces %q is shown as %q, want %q", text, out.String(), got)
		}
		if markdown := plain.Markdown(text); strings.ContainsAny(markdown, "\n<>") || !quiet(markdown) {
			t.Fatalf("%q is %q in Markdown", text, markdown)
		}
		if code := plain.Code(text); text != "" && (strings.Count(code, "`") != 2 || strings.Contains(code, "\n")) {
			t.Fatalf("%q is the code %q", text, code)
		}
	})
}

func TestExact(t *testing.T) {
	var out bytes.Buffer
	if _, err := io.WriteString(&plain.Writer{To: &out, Exact: true}, "\x1b\r\n"); err != nil || out.String() != "\x1b\r\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// Nothing of a name leaves its cell, links, mentions or becomes HTML.
func TestMarkdown(t *testing.T) {
	for _, c := range [][2]string{
		{"leaf-1", "leaf-1"},
		{"x\n\n@everyone", `x\\n\\n@&#8203;everyone`},
		{"a|b", `a\|b`},
		{"<img src=x>", "&lt;img src=x&gt;"},
		{"[a](http://b)", `[a\](http&#58;//b)`},
		{"[a][b]", `[a\][b]`},
		{"tor-[01..16]", "tor-[01..16]"},
		{"# head", `\# head`},
		{"&lt;", "&amp;lt;"},
		{"\x1b[1m", `\\u001b[1m`},
	} {
		must.Equalf(t, plain.Markdown(c[0]), c[1], "%q is", c[0])
	}
	must.Equalf(t, plain.Code("a`|\n"), "`a'\\|\\n`", "code is")
}
