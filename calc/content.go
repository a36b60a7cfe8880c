package calc

import (
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
)

// A content holds values, printed so that different values print differently, and separately the
// places in files that they came from. Whether there is a place is content.
type content struct {
	*types
	text   []byte
	places []diag.Range
	seen   map[pointer]int // a shared target is printed once
}

type pointer struct {
	at uintptr
	of reflect.Type
}

// types remembers of types whether values of them have places, and numbers what is the
// catalogue's: that never changes, so its address says all.
type types struct {
	placed    map[reflect.Type]bool
	catalogue map[any]int
}

func newTypes() types {
	return types{placed: map[reflect.Type]bool{}, catalogue: map[any]int{}}
}

var (
	placeType = reflect.TypeFor[diag.Range]()
	chipsPath = reflect.TypeFor[chips.Chip]().PkgPath()
)

func (t *types) contentOf(value any) *content {
	c := &content{types: t, seen: map[pointer]int{}}
	c.add(reflect.ValueOf(value))
	return c
}

// with returns the content of a further value. Its text is that value's alone.
func (c *content) with(value any) *content {
	more := &content{types: c.types, places: slices.Clip(c.places), seen: maps.Clone(c.seen)}
	more.add(reflect.ValueOf(value))
	return more
}

func (c *content) add(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		c.addPointer(v)
	case reflect.Interface:
		if v.IsNil() {
			c.mark("-")
			return
		}
		c.addText(v.Elem().Type().String())
		c.add(v.Elem())
	case reflect.Struct:
		if v.Type() == placeType {
			c.addPlace(v)
			return
		}
		for i := range v.NumField() {
			c.add(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		c.addNumber(uint64(v.Len()))
		for i := range v.Len() {
			c.add(v.Index(i))
		}
	case reflect.Map:
		if v.Type().Key().Kind() != reflect.String { // [reflect.Value.String] says the same of all others
			panic(fmt.Sprintf("calc: a %v is no input of a plan", v.Type()))
		}
		keys := v.MapKeys()
		stable.Sort(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		c.addNumber(uint64(len(keys)))
		for _, k := range keys {
			c.addText(k.String())
			c.add(v.MapIndex(k))
		}
	case reflect.String:
		c.addText(v.String())
	case reflect.Bool:
		c.text = strconv.AppendBool(c.text, v.Bool())
	default:
		if v.CanInt() {
			c.addNumber(uint64(v.Int()))
			return
		}
		if !v.CanUint() {
			panic(fmt.Sprintf("calc: a %v is no input of a plan", v.Type()))
		}
		c.addNumber(v.Uint())
	}
}

func (c *content) addPointer(v reflect.Value) {
	if v.IsNil() {
		c.mark("-")
		return
	}
	if v.Type().Elem().PkgPath() == chipsPath {
		datum := v.Interface()
		if _, known := c.catalogue[datum]; !known {
			c.catalogue[datum] = len(c.catalogue)
		}
		c.mark("c")
		c.addNumber(uint64(c.catalogue[datum]))
		return
	}
	at := pointer{v.Pointer(), v.Type()}
	if before, seen := c.seen[at]; seen {
		c.mark("s")
		c.addNumber(uint64(before))
		return
	}
	c.seen[at] = len(c.seen)
	c.mark("p")
	c.add(v.Elem())
}

func (c *content) addPlace(v reflect.Value) {
	if v.IsZero() {
		c.mark("-")
		return
	}
	c.mark("@")
	c.places = append(c.places, v.Interface().(diag.Range))
}

func (c *content) mark(kind string) { c.text = append(c.text, kind...) }

func (c *content) addNumber(n uint64) { c.text = binary.BigEndian.AppendUint64(c.text, n) }

func (c *content) addText(s string) {
	c.addNumber(uint64(len(s)))
	c.text = append(c.text, s...)
}

// placesIn finds all places that can be reached from values, but those of the catalogue. It
// reports false where there are some that cannot be changed where they are.
func (t *types) placesIn(values ...any) (found []*diag.Range, complete bool) {
	complete = true
	seen := map[pointer]bool{}
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		if !t.hasPlaces(v.Type()) {
			return
		}
		switch v.Kind() {
		case reflect.Pointer:
			at := pointer{v.Pointer(), v.Type()}
			if !v.IsNil() && !seen[at] {
				seen[at] = true
				visit(v.Elem())
			}
		case reflect.Struct:
			if v.Type() != placeType {
				for i := range v.NumField() {
					visit(v.Field(i))
				}
			} else if !v.CanAddr() || !v.Addr().CanInterface() {
				complete = false
			} else if !v.IsZero() {
				found = append(found, v.Addr().Interface().(*diag.Range))
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				visit(v.Index(i))
			}
		case reflect.Map:
			for _, elem := range v.Seq2() {
				visit(elem)
			}
		case reflect.Interface:
			if !v.IsNil() {
				visit(v.Elem())
			}
		}
	}
	for _, value := range values {
		visit(reflect.ValueOf(value))
	}
	return found, complete
}

// hasPlaces reports whether a place may be reached from a value of a type.
func (t *types) hasPlaces(of reflect.Type) bool {
	if has, known := t.placed[of]; known {
		return has
	}
	if of.PkgPath() == chipsPath {
		return false
	}
	t.placed[of] = true // a type that leads to itself is looked into
	has := of == placeType
	switch of.Kind() {
	case reflect.Interface:
		has = true // it may hold a place
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		has = t.hasPlaces(of.Elem())
	case reflect.Struct:
		for i := range of.NumField() {
			has = has || t.hasPlaces(of.Field(i).Type)
		}
	}
	t.placed[of] = has
	return has
}
