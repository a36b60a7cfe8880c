package plantest

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// An Edit makes one value of a plan another one.
type Edit struct {
	// Path says which, from the top: "Switches[0].Ports[1].QoS.PGs[0].Headroom".
	Path string
	// How says what becomes of it: "more", "less", "zero", "double", "other", "opposite", "none",
	// "one less".
	How string
	do  func(root reflect.Value)
}

// Edited is a copy of a plan with the edit made. Reasons are not copied.
func (e *Edit) Edited(p *plan.Plan) *plan.Plan {
	c := cloner{}.clone(reflect.ValueOf(p)).Interface().(*plan.Plan)
	e.do(reflect.ValueOf(c).Elem())
	return c
}

// Edits lists the edits of every value of a plan, in the order of the fields. Amounts in bytes
// change by a cell. Of several switches, and of several ports of a switch, only the first is
// edited, and of the entries of a map one in eight.
func Edits(p *plan.Plan) []Edit {
	return edits(reflect.ValueOf(p).Elem(), "", func(v reflect.Value) reflect.Value { return v })
}

func edits(v reflect.Value, path string, at func(reflect.Value) reflect.Value) (all []Edit) {
	add := func(how string, do func(reflect.Value)) {
		all = append(all, Edit{path, how, func(root reflect.Value) { do(at(root)) }})
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type() == reflect.TypeFor[*plan.Why]() || v.IsNil() {
			return nil
		}
		if !strings.HasSuffix(path, "]") { // a field, not an element
			add("none", func(v reflect.Value) { v.SetZero() })
		}
		return append(all, edits(v.Elem(), path, func(root reflect.Value) reflect.Value { return at(root).Elem() })...)
	case reflect.Struct:
		if t := v.Type(); t == reflect.TypeFor[diag.Range]() || t == reflect.TypeFor[plan.MapPlaces]() || t == reflect.TypeFor[plan.Check]() {
			return nil
		}
		for i := range v.NumField() {
			below := strings.TrimPrefix(path+"."+v.Type().Field(i).Name, ".")
			if v.Type().Field(i).Name == "Value" {
				below = path
			}
			all = append(all, edits(v.Field(i), below, func(root reflect.Value) reflect.Value { return at(root).Field(i) })...)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if likeTheFirst(path, i, v.Kind()) {
				continue
			}
			all = append(all, edits(v.Index(i), fmt.Sprintf("%s[%d]", path, i), func(root reflect.Value) reflect.Value { return at(root).Index(i) })...)
		}
		if v.Kind() == reflect.Slice && v.Len() > 0 {
			add("one less", func(v reflect.Value) { v.Set(v.Slice(0, v.Len()-1)) })
		}
	case reflect.Bool:
		add("opposite", func(v reflect.Value) { v.SetBool(!v.Bool()) })
	case reflect.String:
		add("other", func(v reflect.Value) { v.SetString(v.String() + "x") })
	case reflect.Uint8, reflect.Uint16:
		add("other", func(v reflect.Value) { v.SetUint(v.Uint() ^ 1) })
	case reflect.Int, reflect.Int8, reflect.Int64:
		step := int64(1)
		if v.Type() == reflect.TypeFor[units.Bytes]() {
			step = 254
		}
		add("more", func(v reflect.Value) { v.SetInt(v.Int() + step) })
		if v.Int() != 0 {
			add("less", func(v reflect.Value) { v.SetInt(v.Int() - step) })
			add("double", func(v reflect.Value) { v.SetInt(2 * v.Int()) })
			add("zero", func(v reflect.Value) { v.SetInt(0) })
		}
	}
	return all
}

// likeTheFirst reports whether an element is not edited because an earlier one is.
func likeTheFirst(path string, i int, kind reflect.Kind) bool {
	return i > 0 && (path == "Switches" || strings.HasSuffix(path, ".Ports")) || kind == reflect.Array && i%8 != 3
}

// A cloner copies the targets of pointers and slices, but not reasons. Places that share a target
// have copies that share one.
type cloner map[any]reflect.Value

func (c cloner) clone(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || v.Type() == reflect.TypeFor[*plan.Why]() {
			return v
		}
		if made, ok := c[v.Interface()]; ok {
			return made
		}
		made := reflect.New(v.Type().Elem())
		c[v.Interface()] = made
		made.Elem().Set(c.clone(v.Elem()))
		return made
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		made := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			made.Index(i).Set(c.clone(v.Index(i)))
		}
		return made
	case reflect.Struct:
		made := reflect.New(v.Type()).Elem()
		made.Set(v)
		for i := range v.NumField() {
			if made.Field(i).CanSet() {
				made.Field(i).Set(c.clone(v.Field(i)))
			}
		}
		return made
	}
	return v
}
