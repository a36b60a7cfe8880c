package read

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// What leaves of a document are read as, by kind and at the bounds that are asked for.
func TestDocumentLeaves(t *testing.T) {
	codes := DocumentCodes{JSON: "json", TooLarge: "large", Duplicate: "twice", Shape: "shape", Number: "number"}
	d, root := ParseDocument("f", []byte(`{"m:a": "m:x", "n": "5", "i": 5, "big": 9, "neg": -3, "yes": true, "no": false, "may": "maybe", "list": [{"name": "p", "v": 1}, {"name": "p"}, {"v": 2}, 7, {"name": "q"}], "obj": {}}`), codes)
	if root == nil || len(d.Found) > 0 {
		t.Fatal(d.Found)
	}
	last := func() diag.Code { return d.Found[len(d.Found)-1].Code }
	if d.Text(root.Get("a")) != "m:x" || d.Word(root.Get("a")) != "x" || !root.Get("a").Used || d.Text(nil) != "" || len(d.Found) > 0 {
		t.Errorf("texts: %v", d.Found)
	}
	if d.Text(root.Get("i")) != "" || last() != "shape" {
		t.Errorf("a number as a text: %v", d.Found)
	}
	for _, c := range []struct {
		name      string
		low, high int64
		want      int64
		ok        bool
		code      diag.Code
	}{
		{"n", 5, 5, 5, true, ""}, {"i", 0, 9, 5, true, ""}, {"i", 6, 9, 0, false, "number"}, {"i", 0, 4, 0, false, "number"}, {"neg", -3, 0, -3, true, ""}, {"neg", -2, 0, 0, false, "number"},
		{"a", 0, 9, 0, false, "number"}, {"obj", 0, 9, 0, false, "shape"}, {"gone", 0, 9, 0, false, ""},
	} {
		before := len(d.Found)
		n, ok := d.Number(root.Get(c.name), c.low, c.high)
		if n != c.want || ok != c.ok || (len(d.Found) > before) != (c.code != "") || c.code != "" && last() != c.code {
			t.Errorf("%s from %d to %d: %d, %v, %v", c.name, c.low, c.high, n, ok, d.Found[before:])
		}
	}
	before := len(d.Found)
	if !d.Yes(root.Get("yes")) || d.Yes(root.Get("no")) || d.Yes(nil) || len(d.Found) > before {
		t.Errorf("true and false: %v", d.Found[before:])
	}
	if d.Yes(root.Get("may")) || last() != "shape" {
		t.Errorf("maybe: %v", d.Found[before:])
	}
	d.Found = nil
	var keys []string
	name := func(n *posjson.Node) *posjson.Node { return n.Get("name") }
	d.Entries(root.Get("list"), "name", name, func(key, _ *posjson.Node) { keys = append(keys, key.Text) })
	if !slices.Equal(keys, []string{"p", "q"}) || len(d.Found) != 3 || d.Found[0].Code != "twice" || d.Found[1].Code != "shape" || d.Found[2].Code != "shape" {
		t.Errorf("%v, %v", keys, d.Found)
	}
	d.Entries(nil, "name", name, nil)
	if d.Entries(root.Get("obj"), "name", name, nil); len(d.Found) != 4 || last() != "shape" {
		t.Errorf("an object for a list: %v", d.Found)
	}
	for range 1100 {
		d.Errorf("x", diag.Range{}, "again")
	}
	must.Equalf(t, len(d.Found), 1000, "findings:")
}

// Every leaf is accounted for once: by what was noted of it, or as Sort says, which learns the
// members that lead to it and the entry of the list that it is in.
func TestDocumentLedger(t *testing.T) {
	d, root := ParseDocument("f", []byte(`{"if": [{"name": "p1", "q": [{"name": "x", "w": 5}], "m": 1}], "n": {}, "d": {"a": [1, 2]}}`), DocumentCodes{})
	d.Doubt(root.Get("d"), "why", Scope{PGs: 1})
	d.Doubt(nil, "why", Scope{})
	d.Pass(root.Get("if").Items[0].Get("m"), "rule")
	d.Pass(nil, "rule")
	l := d.Ledger(root, Accounting{Outer: 2, Sort: func(n *posjson.Node, words []string, entry string) Statement {
		return Statement{Sort: Modelled, Why: entry}
	}})
	var got []string
	for _, s := range l.Statements {
		got = append(got, fmt.Sprintf("%s=%d%s%s", s.Text, s.Sort, s.Rule, s.Why))
	}
	m, n, u := int(Modelled), int(Neutral), int(Unmodelled)
	want := []string{
		fmt.Sprintf("if name p1=%dp1", m), fmt.Sprintf("if q name x=%dp1", m), fmt.Sprintf("if q w 5=%dp1", m), fmt.Sprintf("if m 1=%drule", n),
		fmt.Sprintf("n=%d", m), fmt.Sprintf("d a 1=%dwhy", u), fmt.Sprintf("d a 2=%dwhy", u),
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
	for outer, entry := range map[int]string{1: "p1", 2: "x"} { // the words down to q are two
		l := d.Ledger(root, Accounting{Outer: outer + 1, Sort: func(_ *posjson.Node, words []string, entry string) Statement {
			return Statement{Why: strings.Join(words, " ") + " of " + entry}
		}})
		must.Equalf(t, l.Statements[2].Why, "if q w of "+entry, "outer %d:", outer+1)
	}
	for text, want := range map[string]string{strings.Repeat("x", 80): strings.Repeat("x", 80), strings.Repeat("x", 81): "…" + strings.Repeat("x", 77), "a" + strings.Repeat("ü", 40): "…" + strings.Repeat("ü", 38)} {
		must.Equalf(t, ending(text), want, "%q ends in", text)
	}
}

// A path rule covers what stands below its paths.
func TestPathRules(t *testing.T) {
	rules := PathRules{{NeutralRule{ID: "a"}, []string{"x y", "z"}}, {NeutralRule{ID: "b"}, []string{"x"}}}
	for path, want := range map[string]string{"x y": "a", "x y 1": "a", "z": "a", "z 1 2": "a", "x": "b", "x z": "b", "y": "", "": ""} {
		if id, ok := rules.Of(strings.Fields(path)); id != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", path, id, ok)
		}
	}
	if got := rules.Rules(); len(got) != 2 || got[0].ID != "a" || got[1].ID != "b" {
		t.Errorf("%v", got)
	}
}

// A ledger is counted by sorts, and lists what is not modelled.
func TestLedger(t *testing.T) {
	l := Ledger{Statements: []Statement{{Text: "a"}, {Text: "b", Sort: Modelled}, {Text: "c", Sort: Neutral}, {Text: "d"}, {Text: "e", Sort: Modelled}, {Text: "f", Sort: Modelled}}}
	for sort, want := range map[Sort]int{Unmodelled: 2, Modelled: 3, Neutral: 1} {
		if got := l.Count(sort); got != want {
			t.Errorf("%d statements are %v, want %d", got, sort, want)
		}
	}
	if un := l.Unmodelled(); len(un) != 2 || un[0].Text != "a" || un[1].Text != "d" {
		t.Errorf("not modelled are %v", un)
	}
	must.Equalf(t, fmt.Sprint(Unmodelled, Modelled, Neutral), "not modelled modelled neutral", "sorts are called")
}

// A text is recognized by the beginning of a line, which may be all of it.
func TestByLine(t *testing.T) {
	is := ByLine([]string{"ab", "x y"})
	for text, want := range map[string]bool{"ab": true, "abc\n": true, "\nx y": true, "a": false, "": false, " ab": false, "x\ny": false, "b\na\nab\n": true} {
		if (is([]byte(text)) != nil) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// What a file gives says so, with its place, also where the text is not JSON.
func TestFrom(t *testing.T) {
	at := diag.Range{Filename: "f"}
	if got := From(5*units.Byte, "headroom", at); got.Value != 5 || got.Why.Kind != plan.ReadBack || got.Why.Name != "headroom" || got.Why.Range != at || got.Why.Value.String() != "5B" {
		t.Errorf("%+v", got)
	}
	d := PlainDocument("f", []byte("a\nbc"), DocumentCodes{})
	n := &posjson.Node{Start: 2, End: 4}
	d.Doubt(n, "why", Scope{})
	if r := d.At(n); r.Filename != "f" || r.Start.Line != 2 || r.End.Column != 3 {
		t.Errorf("%v", r)
	}
}
