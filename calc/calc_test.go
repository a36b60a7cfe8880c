package calc_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// compute plans a fabric given as text.
func compute(t *testing.T, text string, dir string) (*plan.Plan, diag.List) {
	t.Helper()
	catalogue := must.Sound(chips.Load())(t)
	opts := policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue}
	if dir != "" {
		opts.Root = os.DirFS(dir)
	}
	fabric, list := policy.Load(opts)
	if list.HasErrors() {
		t.Fatalf("%+v", list)
	}
	return calc.Compute(fabric)
}

func example(t *testing.T, name string) (*plan.Plan, diag.List) {
	t.Helper()
	dir := filepath.Join("..", "examples", name)
	text := must.Get(os.ReadFile(filepath.Join(dir, "fabric.hcl")))(t)
	return compute(t, string(text), dir)
}

func examples(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob("../examples/*/fabric.hcl")
	if err != nil || len(dirs) < 5 {
		t.Fatalf("%d examples, %v", len(dirs), err)
	}
	var names []string
	for _, d := range dirs {
		names = append(names, filepath.Base(filepath.Dir(d)))
	}
	return names
}

// The two results that UCloud's RoCE design prints: 408 cells at 100G over 100 m and
// 98 cells at 25G over 15 m of active optical cable, on Trident3 with cells of 256 B.
func TestUCloudHeadroom(t *testing.T) {
	p, list := example(t, "ucloud-pod")
	if list.HasErrors() {
		t.Fatalf("%+v", list)
	}
	want := map[string]units.Cells{"servers": 98, "uplinks": 408, "tors": 408}
	for _, sw := range p.Switches {
		for _, port := range sw.Ports {
			for _, pg := range port.QoS.PGs {
				if got := pg.Headroom.Value.FloorCells(sw.Cell); pg.Lossless && got != want[port.Group] {
					t.Errorf("%s %s: %v, UCloud prints %v", sw.Names[0], port.Name, got, want[port.Group])
				}
			}
		}
	}
}

// A peer that takes all the time of IEEE 802.3 31B.3.7 needs 449 cells for response
// and cable at 100G over 100 m (394 quanta), and 103 with two frames of 1500 B at 25G
// over 15 m (80 quanta): both are said.
func TestUCloudHeadroomIsBelow8023(t *testing.T) {
	_, list := example(t, "ucloud-pod")
	var text strings.Builder
	for _, d := range list {
		if d.Code == calc.HeadroomBelow8023 {
			text.WriteString(d.Message)
		}
	}
	for _, number := range []string{"408", "449", "98", "103"} {
		if !strings.Contains(text.String(), number) {
			t.Errorf("no warning names %s cells: %s", number, text.String())
		}
	}
}

func TestExamplesKeepAllInequalities(t *testing.T) {
	book := formulas.Load()
	for _, name := range examples(t) {
		p, list := example(t, name)
		if list.HasErrors() {
			t.Errorf("%s: %+v", name, list.Sorted())
		}
		for _, sw := range p.Switches {
			if len(sw.Checks) == 0 {
				t.Errorf("%s: %s has no checks", name, sw.Names[0])
			}
			for _, check := range sw.Checks {
				if doc, ok := book.Find(check.ID); !ok || !doc.Inequality() {
					t.Errorf("inequality %s has no document", check.ID)
				}
				if !check.Holds {
					t.Errorf("%s %s: %s %s fails by %s", name, sw.Names[0], check.ID, check.Where, check.Slack)
				}
			}
		}
	}
}

// Formulas whose document is their name: a sum of all terms, and a search.
var undocumented = map[string]bool{"sum": true, "isolating-alpha": true}

// Every formula in every derivation has a document, its terms are the document's
// inputs, and the document evaluates to the number that was configured.
func TestDerivationsAreTheDocuments(t *testing.T) {
	book := formulas.Load()
	seen := map[*plan.Why]bool{}
	for _, name := range examples(t) {
		p, _ := example(t, name)
		for _, sw := range p.Switches {
			for _, why := range whys(reflect.ValueOf(*sw)) {
				verify(t, book, why, seen)
			}
		}
	}
	if len(seen) < 100 {
		t.Errorf("only %d reasons were seen", len(seen))
	}
}

func verify(t *testing.T, book *formulas.Book, why *plan.Why, seen map[*plan.Why]bool) {
	if why == nil || seen[why] {
		return
	}
	seen[why] = true
	for _, term := range why.Terms {
		verify(t, book, term.Why, seen)
	}
	if why.Kind != plan.Formula || undocumented[why.ID] {
		return
	}
	doc, ok := book.Find(why.ID)
	if !ok {
		t.Errorf("formula %q of %s has no document", why.ID, why.Name)
		return
	}
	inputs := map[string]int64{}
	for _, term := range why.Terms {
		inputs[term.Symbol] = reflect.ValueOf(term.Why.Value).Int()
	}
	got, err := doc.Eval(inputs)
	if err != nil {
		t.Errorf("%s: %v", why.ID, err)
		return
	}
	if want := reflect.ValueOf(why.Value).Int(); got.Int64() != want {
		t.Errorf("%s%v: the document gives %s, the plan has %d", why.ID, inputs, got, want)
	}
}

// whys collects every *plan.Why that hangs below a value.
func whys(v reflect.Value) []*plan.Why {
	var found []*plan.Why
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		if why, ok := v.Interface().(*plan.Why); ok {
			return []*plan.Why{why}
		}
		return whys(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			found = append(found, whys(v.Field(i))...)
		}
	case reflect.Slice:
		for i := range v.Len() {
			found = append(found, whys(v.Index(i))...)
		}
	}
	return found
}
