package calc

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func place(line int) diag.Range {
	return diag.Range{Filename: "fabric.hcl", Start: hcl.Pos{Line: line}, End: hcl.Pos{Line: line}}
}

// Values that differ in one way print differently, and equal ones alike, wherever they lie.
func TestContentTellsApart(t *testing.T) {
	type pair struct{ A, B *int }
	one, two, again := new(int), new(int), new(int)
	*two = 2
	a, b := &chips.Chip{}, &chips.Chip{}
	types := newTypes()
	seen := map[string]string{}
	for name, v := range map[string]any{
		"an amount": struct{ V fmt.Stringer }{units.Bytes(1)}, "a time": struct{ V fmt.Stringer }{units.Time(1)}, "nothing": struct{ V fmt.Stringer }{},
		"a one": map[string]int{"a": 1}, "a two": map[string]int{"a": 2}, "a and b": map[string]int{"a": 1, "b": 1}, "empty": map[string]int{},
		"yes": struct{ V bool }{true}, "no": struct{ V bool }{},
		"a byte": [3]byte{'a'}, "two texts": []string{"a", "b"}, "one text": []string{"ab"}, "another cut": []string{"", "ab"},
		"two pointers": pair{one, two}, "the same twice": pair{one, one}, "equal ones": pair{one, again}, "one of two": pair{one, nil}, "the other": pair{nil, one},
		"a chip": struct{ C *chips.Chip }{a}, "another chip": struct{ C *chips.Chip }{b},
		"a place":          struct{ R diag.Range }{place(1)},
		"the first of two": struct{ A, B any }{1, nil}, "the second": struct{ A, B any }{nil, 1},
		"in the first map": struct{ A, B map[string]int }{A: map[string]int{"a": 1}}, "in the second": struct{ A, B map[string]int }{B: map[string]int{"a": 1}},
		"many keys":       map[string]int{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1},
		"the first place": struct{ A, B diag.Range }{A: place(1)}, "the second place": struct{ A, B diag.Range }{B: place(1)},
		"less than nothing": struct{ V int }{-1}, "unsigned": struct{ V uint16 }{7},
	} {
		text := string(types.contentOf(v).text)
		if other, known := seen[text]; known {
			t.Errorf("%s prints as %s does", name, other)
		}
		seen[text] = name
		must.Equalf(t, string(types.contentOf(v).text), text, "%s prints in two ways:", name)
	}
	if first, second := types.contentOf(pair{one, two}), types.contentOf(pair{again, two}); string(first.text) != string(second.text) {
		t.Error("where a value lies is content")
	}
	for _, v := range []any{struct{ V float64 }{}, func() {}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T is taken", v)
				}
			}()
			types.contentOf(v)
		}()
	}
}

// Places are listed in their order and are no text; what is added has them after the others,
// which it does not change.
func TestContentOfPlaces(t *testing.T) {
	types := newTypes()
	type said struct {
		R diag.Range
		V int
	}
	before := types.contentOf([]said{{place(1), 7}, {diag.Range{}, 8}, {place(3), 9}})
	if !reflect.DeepEqual(before.places, []diag.Range{place(1), place(3)}) {
		t.Errorf("%v", before.places)
	}
	if moved := types.contentOf([]said{{place(5), 7}, {diag.Range{}, 8}, {place(6), 9}}); string(moved.text) != string(before.text) {
		t.Error("where a place is, is text")
	}
	if fewer := types.contentOf([]said{{place(1), 7}, {place(2), 8}, {place(3), 9}}); string(fewer.text) == string(before.text) {
		t.Error("whether there is a place is no text")
	}
	first, second := before.with(said{place(4), 1}), before.with(said{place(5), 1})
	if !reflect.DeepEqual(first.places, []diag.Range{place(1), place(3), place(4)}) || !reflect.DeepEqual(second.places, []diag.Range{place(1), place(3), place(5)}) || len(before.places) != 2 {
		t.Errorf("%v, %v, %v", before.places, first.places, second.places)
	}
	if string(first.text) != string(types.contentOf(said{place(9), 1}).text) {
		t.Error("the text of what is added is not its alone")
	}
	shared := new(int)
	begun := types.contentOf(struct{ V *int }{shared})
	if known, fresh := begun.with(struct{ V *int }{shared}), begun.with(struct{ V *int }{new(int)}); string(known.text) == string(fresh.text) {
		t.Error("what was there before is not known")
	}
}

// Every place that can be changed where it is, is found, once; where one cannot, that is said.
func TestPlacesIn(t *testing.T) {
	type inner struct{ R diag.Range }
	type list struct {
		Next *list
		R    diag.Range
		N    int
	}
	shared := &inner{place(1)}
	circle := &list{R: place(2)}
	circle.Next = circle
	type hidden struct{ r diag.Range }
	for _, c := range []struct {
		name     string
		value    any
		lines    string
		complete bool
	}{
		{"a pointer", shared, "[1]", true},
		{"twice the same", []*inner{shared, shared}, "[1]", true},
		{"a circle", circle, "[2]", true},
		{"a list", &[]inner{{place(3)}, {}, {place(4)}}, "[3 4]", true},
		{"an array", &[2]inner{{place(3)}, {place(4)}}, "[3 4]", true},
		{"nothing", (*inner)(nil), "[]", true},
		{"an interface", &struct{ V any }{&inner{place(5)}}, "[5]", true},
		{"an interface of nothing", &struct{ V any }{}, "[]", true},
		{"a map of pointers", map[string]*inner{"a": {place(6)}}, "[6]", true},
		{"a map of values", map[string]inner{"a": {place(6)}}, "[]", false},
		{"a value", inner{place(7)}, "[]", false},
		{"a hidden one", &hidden{place(8)}, "[]", false},
		{"no places at all", &struct{ A, B int }{1, 2}, "[]", true},
		{"a chip's", &struct {
			C *chips.Chip
			R diag.Range
		}{&chips.Chip{}, place(9)}, "[9]", true},
		{"a reason", &plan.Why{Value: units.Bytes(1), Range: place(10), Terms: []plan.Term{{Why: &plan.Why{Range: place(11)}}}}, "[10 11]", true},
	} {
		types := newTypes()
		for range 2 { // what is remembered of types changes nothing
			found, complete := types.placesIn(c.value)
			lines := []int{}
			for _, at := range found {
				lines = append(lines, at.Start.Line)
			}
			if fmt.Sprint(lines) != c.lines || complete != c.complete {
				t.Errorf("%s: lines %v, complete %v", c.name, lines, complete)
			}
		}
	}
	types := newTypes()
	found, _ := types.placesIn(shared, circle)
	must.Equalf(t, len(found), 2, "places of two values:")
	found[0].Start.Line = 99
	if shared.R.Start.Line != 99 {
		t.Error("a copy was found")
	}
	for of, want := range map[reflect.Type]bool{
		reflect.TypeFor[diag.Range](): true, reflect.TypeFor[*list](): true, reflect.TypeFor[map[string][]*inner](): true, reflect.TypeFor[any](): true,
		reflect.TypeFor[int](): false, reflect.TypeFor[*chips.Chip](): false, reflect.TypeFor[struct{ A []string }](): false, reflect.TypeFor[[2]hidden](): true,
	} {
		for range 2 {
			must.Equalf(t, types.hasPlaces(of), want, "%v:", of)
		}
	}
}
