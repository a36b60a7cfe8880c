package calc

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A shape's inputs are other ones to a Memo when anything in them changes, in whatever field: those
// of today and those to come. Of an example of all types, in which all slices and pointers lead to
// something, each value is changed in turn.
func TestContentHasAllFields(t *testing.T) {
	var of struct {
		Fabric policy.Fabric
		Switch policy.Switch
		Path   plan.Path
	}
	(&walk{fills: true, open: map[reflect.Type]bool{}}).visit("", reflect.ValueOf(&of).Elem())
	in := struct {
		Fabric *policy.Fabric
		Switch *policy.Switch
		Path   *plan.Path
	}{commonOf(&of.Fabric), alone(&of.Switch), &of.Path}
	w := &walk{open: map[reflect.Type]bool{}}
	w.visit("", reflect.ValueOf(&in).Elem())

	types := newTypes()
	printed := func() string {
		c := types.contentOf(in)
		return fmt.Sprintf("%q %v", c.text, c.places)
	}
	before := printed()
	for _, leaf := range w.leaves {
		saved := reflect.New(leaf.value.Type()).Elem()
		saved.Set(leaf.value)
		change(leaf.value)
		if printed() == before {
			t.Errorf("%s is not in the content", leaf.name)
		}
		leaf.value.Set(saved)
	}
	if printed() != before {
		t.Error("the content is not what it was")
	}
	if len(w.leaves) < 500 {
		t.Errorf("%d values", len(w.leaves))
	}
}

// What two texts lead to is another content than what one leads to, and keys that are no texts are
// not told apart.
func TestContentOfMaps(t *testing.T) {
	types := newTypes()
	a, b := types.contentOf(map[string]int{"a": 1, "b": 2}), types.contentOf(map[string]int{"a": 1, "c": 2})
	if string(a.text) == string(b.text) {
		t.Error("keys do not count")
	}
	defer func() {
		if recover() == nil {
			t.Error("a map by numbers is taken")
		}
	}()
	types.contentOf(map[int]int{1: 1})
}

// A walk goes through a value, fills what is empty or lists what can be changed.
type walk struct {
	fills  bool
	open   map[reflect.Type]bool // what leads to itself is left empty within
	leaves []leaf
}

type leaf struct {
	name  string
	value reflect.Value
}

func (w *walk) visit(name string, v reflect.Value) {
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem() // fields without a capital can be set, too
	switch v.Kind() {
	case reflect.Pointer:
		w.pointer(name, v)
	case reflect.Struct:
		for i := range v.NumField() {
			w.visit(name+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		if w.fills && v.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			w.visit(fmt.Sprintf("%s[%d]", name, i), v.Index(i))
		}
	default:
		if w.fills && v.Kind() == reflect.Interface {
			v.Set(reflect.ValueOf(units.Bytes(1)))
		}
		w.leaves = append(w.leaves, leaf{name, v})
	}
}

func (w *walk) pointer(name string, v reflect.Value) {
	own := v.Type().Elem()
	if w.open[own] || v.IsNil() && !w.fills {
		return
	}
	if w.fills {
		v.Set(reflect.New(own))
	}
	if own.PkgPath() == chipsPath { // the address says all
		w.leaves = append(w.leaves, leaf{name, v})
		return
	}
	w.open[own] = true
	w.visit(name, v.Elem())
	delete(w.open, own)
}

// change makes a value another one.
func change(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Interface:
		v.Set(reflect.ValueOf(units.Bytes(2)))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem())
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	default:
		if v.CanInt() {
			v.SetInt(v.Int() + 1)
		} else {
			v.SetUint(v.Uint() + 1)
		}
	}
}
