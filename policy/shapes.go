package policy

import (
	"crypto/sha256"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
)

// A template is all devices whose written content is equal. Links can make them differ again: then
// it becomes several shapes.
type template struct {
	*switchDecl        // the declaration of the device that comes first by name
	first       string // that device
	devices     []device
}

// A merger joins declarations of equal content as they come. The result does not depend on their
// order: templates are sorted by their first device, whose declaration is used for all; the content
// of the others is freed. Content is kept as a hash: that of 10,000 unlike switches would fill
// memory.
type merger map[[sha256.Size]byte]*template

func (m merger) add(s *switchDecl) {
	if len(s.Names) == 0 {
		return
	}
	first, key := slices.MinFunc(s.Names, natural.Compare), sha256.Sum256(content(s))
	t := m[key]
	switch {
	case t == nil:
		t = &template{switchDecl: s, first: first}
		m[key] = t
	case natural.Compare(first, t.first) < 0:
		t.forget()
		t.switchDecl, t.first = s, first
	}
	for _, name := range s.Names {
		t.devices = append(t.devices, device{name: name, refs: s.refs})
	}
	if t.switchDecl != s {
		s.forget()
	}
}

// forget frees the content of a declaration that another replaces.
func (s *switchDecl) forget() { s.Switch, s.groups = nil, nil }

func (m merger) templates() []*template {
	return stable.Sorted(maps.Values(m), func(a, b *template) int { return natural.Compare(a.first, b.first) })
}

// content prints what a declaration says, without names and places.
func content(s *switchDecl) []byte {
	out := appendContent(nil, reflect.ValueOf(*s.Switch))
	for _, g := range s.groups {
		out = appendContent(out, reflect.ValueOf(*g))
	}
	return out
}

// besideContent are the fields of a Switch that two of equal content may differ in,
// and those that follow from others; its groups are printed by themselves.
var besideContent = []string{"Names", "Label", "Groups", "Box", "Places"}

// appendContent prints a value so that different values print differently. A chip, a NIC or a class
// is printed by its name.
func appendContent(out []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer:
		return appendPointer(out, v)
	case reflect.Struct:
		out = append(out, '{')
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Type != rangeType && !slices.Contains(besideContent, f.Name) {
				out = append(appendContent(out, v.Field(i)), ' ')
			}
		}
		return append(out, '}')
	case reflect.Slice, reflect.Array:
		out = append(strconv.AppendInt(append(out, '['), int64(v.Len()), 10), ' ')
		for i := range v.Len() {
			out = append(appendContent(out, v.Index(i)), ' ')
		}
		return append(out, ']')
	case reflect.Map:
		keys := v.MapKeys()
		stable.Sort(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			out = appendContent(appendText(out, k.String()), v.MapIndex(k))
		}
		return append(out, '.')
	case reflect.Interface: // the value of a pin
		return appendContent(appendText(out, v.Elem().Type().String()), v.Elem())
	case reflect.String:
		return appendText(out, v.String())
	case reflect.Bool:
		return strconv.AppendBool(out, v.Bool())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		return strconv.AppendUint(out, v.Uint(), 10)
	}
	return strconv.AppendInt(out, v.Int(), 10)
}

// appendText appends a text after its length, so that no two lists of texts are alike.
func appendText(out []byte, s string) []byte {
	return append(append(strconv.AppendInt(out, int64(len(s)), 10), ':'), s...)
}

var rangeType = reflect.TypeFor[diag.Range]()

func appendPointer(out []byte, v reflect.Value) []byte {
	if v.IsNil() {
		return append(out, '-')
	}
	switch v.Type() {
	case reflect.TypeFor[*chips.Chip](), reflect.TypeFor[*NIC](), reflect.TypeFor[*Class]():
		return appendText(out, v.Elem().FieldByName("Name").String())
	}
	return appendContent(out, v.Elem())
}
