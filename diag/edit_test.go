package diag_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

// stretch is the place of a text in another one.
func stretch(text, part string) diag.Range {
	at := strings.Index(text, part)
	pos := func(byte int) hcl.Pos {
		before := text[:byte]
		return hcl.Pos{Line: 1 + strings.Count(before, "\n"), Column: byte - strings.LastIndex(before, "\n"), Byte: byte}
	}
	return diag.Range{Filename: "f", Start: pos(at), End: pos(at + len(part))}
}

func TestEdits(t *testing.T) {
	const text = "a {\n  b = 1\n  c = 2\n}\n"
	for _, c := range []struct{ part, with, after, shown string }{
		{"1", "10", "a {\n  b = 10\n  c = 2\n}\n", "line 2: b = 10"},
		{"  b = 1\n", "", "a {\n  c = 2\n}\n", "remove line 2"},
		{"  b = 1\n  c = 2\n", "", "a {\n}\n", "remove lines 2 to 3"},
		{"\n  c", "\n  d = 3\n  c", "a {\n  b = 1\n  d = 3\n  c = 2\n}\n", "line 2: b = 1 ⏎ d = 3 ⏎ c = 2"},
	} {
		e := diag.Edit{Range: stretch(text, c.part), Text: c.with}
		if got := string(diag.Apply("f", []byte(text), []diag.Edit{e})); got != c.after {
			t.Errorf("%q by %q gives %q", c.part, c.with, got)
		}
		if got := e.Shown([]byte(text)); got != c.shown {
			t.Errorf("%q by %q is shown as %q, want %q", c.part, c.with, got, c.shown)
		}
	}
	both := []diag.Edit{{Range: stretch(text, "1"), Text: "100"}, {Range: stretch(text, "2"), Text: ""}}
	if got := string(diag.Apply("f", []byte(text), both)); got != "a {\n  b = 100\n  c = \n}\n" {
		t.Errorf("two edits give %q", got)
	}
	if got := string(diag.Apply("g", []byte(text), both)); got != text {
		t.Errorf("edits of another file give %q", got)
	}
}

// What the edit of a finding repairs too is counted below it.
func TestDigestFoldsWhatFollows(t *testing.T) {
	var l diag.List
	l.Errorf("cause", place("a.hcl", 9), "wrong")
	l.Errorf("effect", place("a.hcl", 2), "odd")
	l.Errorf("effect", place("a.hcl", 4), "odd, too")
	l.Errorf("other", place("a.hcl", 5), "wrong, too")
	l[1].Follows, l[2].Follows = true, true
	got := diag.ErrorsFirst(l, 20)
	if len(got.Shown) != 2 || got.Withheld() != "" || len(got.Shown[0].Related) != 1 ||
		got.Shown[0].Related[0].Message != "2 findings that the edit repairs too: effect in lines 2 and 4" {
		t.Errorf("%+v", got)
	}
}
