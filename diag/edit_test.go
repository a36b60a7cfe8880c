package diag_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// stretch returns the place of a text in another one.
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
		must.Equalf(t, string(diag.Apply("f", []byte(text), []diag.Edit{e})), c.after, "%q by %q gives", c.part, c.with)
		must.Equalf(t, e.Shown([]byte(text)), c.shown, "%q by %q is shown as", c.part, c.with)
	}
	both := []diag.Edit{{Range: stretch(text, "1"), Text: "100"}, {Range: stretch(text, "2"), Text: ""}}
	must.Equalf(t, string(diag.Apply("f", []byte(text), both)), "a {\n  b = 100\n  c = \n}\n", "two edits give")
	must.Equalf(t, string(diag.Apply("g", []byte(text), both)), text, "edits of another file give")
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

func TestNearest(t *testing.T) {
	candidates := []string{"cell_size", "slices", "queues", "xon_offset"}
	for word, want := range map[string]string{
		"cell_sise": "cell_size", "Slice": "slices", "queue": "queues", "buffer": "", "": "", "xon_ofset": "xon_offset",
	} {
		must.Equalf(t, diag.Nearest(word, candidates), want, "Nearest(%q) =", word)
	}
	products := []string{"jericho2", "jericho2c+", "connectx-7"}
	for word, want := range map[string]string{"jericho3": "", "jerico2": "jericho2", "connectx-8": "", "conectx-7": "connectx-7", "jericho": ""} {
		must.Equalf(t, diag.Nearest(word, products), want, "Nearest(%q) =", word)
	}
	chips := []string{"jericho2", "jericho2c+", "trident3", "trident4", "tomahawk3", "spectrum-4"}
	for word, want := range map[string]string{
		"tridnet3": "trident3", "Trident-4": "trident4", "trident4c": "", "jericho2c": "", "jericho2c-plus": "", "tomahawk33": "",
		"tomahak3": "tomahawk3", "spectrum4": "spectrum-4", "tofino2": "", "trident": "",
	} {
		must.Equalf(t, diag.NearestModel(word, chips), want, "NearestModel(%q) =", word)
	}
	words := []string{"mtu", "expected_delay", "tolerable_delay", "fiber", "sonic"}
	for word, want := range map[string]string{"mtuu": "mtu", "fibre": "fiber", "expected_dealy": "expected_delay", "SONIC": "sonic", "xyz": "", "q": "", "expected_latency": ""} {
		must.Equalf(t, diag.Nearest(word, words), want, "Nearest(%q) =", word)
	}
	must.Equalf(t, diag.Nearest("ab", []string{"ac", "aa"}), "aa", "Nearest among equals =")
}
