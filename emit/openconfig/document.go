package openconfig

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
)

// RFC 7951 writes a schema's structs as objects: names carry the module where it changes
// (section 4), integers of 64 bits are strings (6.1), identities carry the module that defines
// them (6.8). ygot does the same, and tests check this against it; it is not linked because it
// brings gRPC with it, which no user of this package needs.

// An enumerated value knows its name in YANG, with the module of an identity.
type enumerated interface{ yang() string }

// object writes a struct.
func object(v reflect.Value) map[string]any {
	out := map[string]any{}
	for i := range v.NumField() {
		written := field(v.Field(i))
		if written == nil {
			continue
		}
		tag := v.Type().Field(i).Tag
		modules := strings.Split(tag.Get("module"), "/")
		for path := range strings.SplitSeq(tag.Get("path"), "|") {
			names := strings.Split(path, "/")
			if modules[0] != "" {
				names[0] = modules[0] + ":" + names[0]
			}
			put(out, names, written)
		}
	}
	return out
}

// put hangs a value below objects, which it makes where they are missing.
func put(into map[string]any, names []string, value any) {
	for _, name := range names[:len(names)-1] {
		below, ok := into[name].(map[string]any)
		if !ok {
			below = map[string]any{}
			into[name] = below
		}
		into = below
	}
	into[names[len(names)-1]] = value
}

// field writes a field, nil where it is not set.
func field(v reflect.Value) any {
	if e, ok := v.Interface().(enumerated); ok {
		if v.IsZero() {
			return nil
		}
		return e.yang()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		if v.Elem().Kind() == reflect.Struct {
			return object(v.Elem())
		}
		return leaf(v.Elem())
	case reflect.Map:
		return list(v)
	case reflect.Slice:
		return leaves(v)
	}
	panic(fmt.Sprintf("openconfig schema: a field is a %s", v.Type()))
}

func leaf(v reflect.Value) any {
	if v.Kind() == reflect.Uint64 {
		return strconv.FormatUint(v.Uint(), 10)
	}
	return v.Interface()
}

// leaves writes a leaf-list; an empty one is none.
func leaves(v reflect.Value) any {
	var all []any
	for i := range v.Len() {
		all = append(all, leaf(v.Index(i)))
	}
	if all == nil {
		return nil
	}
	return all
}

// list writes a list in the order of the keys' texts; an empty one is none.
func list(v reflect.Value) any {
	keys := v.MapKeys()
	text := func(key reflect.Value) string { return fmt.Sprint(key.Interface()) } // IPV4 is 1, and IPV6 2
	stable.Sort(keys, func(a, b reflect.Value) int { return cmp.Compare(text(a), text(b)) })
	var all []any
	for _, key := range keys {
		all = append(all, object(v.MapIndex(key).Elem()))
	}
	if all == nil {
		return nil
	}
	return all
}

// document writes the root.
func document(root *device) map[string]any { return object(reflect.ValueOf(root).Elem()) }

// indented is a document as text.
func indented(doc map[string]any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		panic("openconfig schema: " + err.Error())
	}
	return out.Bytes()
}
