package posjson

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
)

func dialect() *Dialect {
	return &Dialect{
		MaxSize: 1 << 20, MaxDepth: 32, MaxNodes: 1000,
		Invalid: "invalid", TooLarge: "large", TooDeep: "deep", Duplicate: "duplicate", InvalidUTF8: "utf8",
	}
}

func TestPlaces(t *testing.T) {
	// é has two bytes and one column; the mark of the byte order has three bytes and none.
	src := "\ufeff{\"é\": [1, \"a\\nb\"],\n \"k\": {\"x\": true}}"
	var found diag.List
	f, root := dialect().Parse("f", []byte(src), &found)
	if len(found) > 0 {
		t.Fatal(found)
	}
	for _, test := range []struct {
		n              *Node
		text           string
		line, from, to int
		written        string
	}{
		{&root.Get("é").Items[0], "1", 1, 8, 9, "1"},
		{&root.Get("é").Items[1], "a\nb", 1, 11, 17, `"a\nb"`},
		{root.Get("k", "x"), "true", 2, 13, 17, "true"},
	} {
		at := f.At(test.n)
		if test.n.Text != test.text || at.Start.Line != test.line || at.Start.Column != test.from || at.End.Column != test.to {
			t.Errorf("%q stands at %v, want %q at %d:%d-%d", test.n.Text, at, test.text, test.line, test.from, test.to)
		}
		must.Equalf(t, src[at.Start.Byte:at.End.Byte], test.written, "%q is written", test.written)
	}
	if at := f.KeyAt(&root.Members[1]); at.Start.Line != 2 || at.Start.Column != 2 || at.End.Column != 5 {
		t.Errorf("the second key stands at %v", at)
	}
	if root.Get("k", "y", "z") != nil || (*Node)(nil).Get("a") != nil || root.Get("é", "x") != nil {
		t.Error("what is not there is found")
	}
}

func TestFaults(t *testing.T) {
	for _, test := range []struct {
		src    string
		code   diag.Code
		column int
	}{
		{`{"a": 1, "a": 2}`, "duplicate", 10},
		{`{"a": 1} x`, "invalid", 10},
		{`{"a" 1}`, "invalid", 6},
		{`[1 2]`, "invalid", 4},
		{`["a`, "invalid", 2},
		{`[01]`, "invalid", 2},
		{"[\"\xff\"]", "utf8", 2},
		{strings.Repeat("[", 33), "deep", 33},
		{"[" + strings.Repeat("1,", 1000) + "1]", "large", 2000},
		{strings.Repeat(" ", 1<<20+1), "large", 1},
		{"", "invalid", 1},
	} {
		var found diag.List
		dialect().Parse("f", []byte(test.src), &found)
		if len(found) != 1 || found[0].Code != test.code || found[0].Subject.Start.Column != test.column {
			t.Errorf("%.20s: %v, want %s at column %d", test.src, found, test.code, test.column)
		}
	}
	var found diag.List
	if _, root := dialect().Parse("f", []byte(`{"a": 1, "b": 3, "a": 2}`), &found); root.Get("a").Text != "2" || len(root.Members) != 2 {
		t.Error("the last value of a key does not count")
	}
}

// FuzzParse: what encoding/json accepts has the same value here, and what it refuses is
// refused.
func FuzzParse(f *testing.F) {
	for _, src := range []string{`{"a": [1, null, "x\u00e9", {}], "b": -1.5e3}`, `[[], "\"", true]`, "{}", ` "é" `, `{"a":1,"a":2}`} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		var found diag.List
		_, root := dialect().Parse("f", []byte(src), &found)
		if !json.Valid([]byte(src)) {
			if !found.HasErrors() && !strings.HasPrefix(src, "\ufeff") {
				t.Fatalf("%q is accepted", src)
			}
			return
		}
		if found.HasErrors() {
			for _, d := range found {
				if d.Code == "invalid" {
					t.Fatalf("%q is refused: %v", src, found)
				}
			}
			return
		}
		var want any
		dec := json.NewDecoder(strings.NewReader(src))
		dec.UseNumber()
		must.Do(t, dec.Decode(&want))
		if diff := cmp.Diff(want, valueOf(root)); diff != "" {
			t.Fatalf("%q: (-encoding/json +posjson)\n%s", src, diff)
		}
	})
}

func valueOf(n *Node) any {
	switch {
	case n.Kind == Object:
		m := map[string]any{}
		for i := range n.Members {
			m[n.Members[i].Key] = valueOf(&n.Members[i].Value)
		}
		return m
	case n.Kind == Array:
		list := []any{}
		for i := range n.Items {
			list = append(list, valueOf(&n.Items[i]))
		}
		return list
	case n.Kind == Text:
		return n.Text
	case n.Text == "null":
		return nil
	case n.Text == "true", n.Text == "false":
		return n.Text == "true"
	}
	return json.Number(n.Text)
}
