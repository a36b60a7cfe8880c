package policy

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
)

// A template is all devices whose written content is equal. Links can tell them apart
// once more: then it becomes several shapes.
type template struct {
	*switchDecl        // the declaration of the device that comes first by name
	first       string // that device
	devices     []device
}

// mergeEqual joins declarations of equal content. The result does not depend on their
// order: templates are sorted by their first device, whose declaration stands for all.
func mergeEqual(decls []*switchDecl) []*template {
	byContent := map[string]*template{}
	for _, s := range decls {
		if len(s.Names) == 0 {
			continue
		}
		first, key := slices.MinFunc(s.Names, natural), content(s)
		t := byContent[key]
		if t == nil {
			t = &template{switchDecl: s, first: first}
			byContent[key] = t
		}
		if natural(first, t.first) < 0 {
			t.switchDecl, t.first = s, first
		}
		for _, name := range s.Names {
			t.devices = append(t.devices, device{name: name, refs: s.refs})
		}
	}
	templates := slices.Collect(maps.Values(byContent))
	slices.SortFunc(templates, func(a, b *template) int { return natural(a.first, b.first) })
	return templates
}

// content prints what a declaration says, without names and places.
func content(s *switchDecl) string {
	var out strings.Builder
	write(&out, reflect.ValueOf(*s.Switch))
	for _, g := range s.groups {
		write(&out, reflect.ValueOf(*g))
	}
	return out.String()
}

var rangeType = reflect.TypeFor[diag.Range]()

// write prints a value so that different values print differently. What is defined
// elsewhere, a chip, a NIC, a class, is printed by its name.
func write(out *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		switch p := v; {
		case p.IsNil():
			out.WriteString("-")
		case p.Type() == reflect.TypeFor[*chips.Chip](), p.Type() == reflect.TypeFor[*NIC](), p.Type() == reflect.TypeFor[*Class]():
			fmt.Fprintf(out, "%q", p.Elem().FieldByName("Name").String())
		default:
			write(out, p.Elem())
		}
	case reflect.Struct:
		out.WriteByte('{')
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if v.Field(i).Type() != rangeType && name != "Names" && name != "Label" && name != "Groups" {
				write(out, v.Field(i))
				out.WriteByte(' ')
			}
		}
		out.WriteByte('}')
	case reflect.Slice:
		fmt.Fprintf(out, "[%d ", v.Len())
		for i := range v.Len() {
			write(out, v.Index(i))
			out.WriteByte(' ')
		}
		out.WriteByte(']')
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			fmt.Fprintf(out, "%q:", k.String())
			write(out, v.MapIndex(k))
		}
	case reflect.String:
		fmt.Fprintf(out, "%q", v.String())
	case reflect.Bool:
		fmt.Fprint(out, v.Bool())
	default:
		if v.CanInt() {
			fmt.Fprint(out, v.Int())
		} else {
			fmt.Fprint(out, v.Uint())
		}
	}
}
