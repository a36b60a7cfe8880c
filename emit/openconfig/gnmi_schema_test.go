package openconfig

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A node is a place in the tree of the structs: a container, a list with a key, or a
// leaf with the type of its field.
type node struct {
	children map[string]*node
	key      string
	leaf     reflect.Type
}

// structs reads the tree from the path tags of this package's structs.
func structs() *node { return fields(reflect.TypeFor[device]()) }

func fields(t reflect.Type) *node {
	root := &node{children: map[string]*node{}}
	for i := range t.NumField() {
		f := t.Field(i)
		for path := range strings.SplitSeq(f.Tag.Get("path"), "|") {
			at := root
			parts := strings.Split(path, "/")
			for _, part := range parts[:len(parts)-1] {
				if at.children[part] == nil {
					at.children[part] = &node{children: map[string]*node{}}
				}
				at = at.children[part]
			}
			at.children[parts[len(parts)-1]] = child(f.Type)
		}
	}
	return root
}

// child returns the node of a field: a map of structs is a list.
func child(t reflect.Type) *node {
	switch {
	case t.Kind() == reflect.Map:
		out := fields(t.Elem().Elem())
		out.key = keyOf(t.Elem().Elem())
		return out
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
		return fields(t.Elem())
	}
	return &node{leaf: t}
}

// keyOf returns the leaf that both an entry and its config container have.
func keyOf(t reflect.Type) string {
	for i := range t.NumField() {
		if _, name, ok := strings.Cut(t.Field(i).Tag.Get("path"), "|"); ok {
			return name
		}
	}
	panic(t.String() + " has no key")
}

// bare is a name without its module.
func bare(name string) string {
	if _, after, ok := strings.Cut(name, ":"); ok {
		return after
	}
	return name
}

// check checks a value against the tree.
func (n *node) check(at string, v any) error {
	if n.leaf != nil {
		if !fits(n.leaf, v) {
			return fmt.Errorf("%s: %v is no %v", at, v, n.leaf)
		}
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			next := n.children[bare(name)]
			if next == nil {
				return fmt.Errorf("%s has no %q", at, name)
			}
			if err := next.check(at+"/"+bare(name), value); err != nil {
				return err
			}
		}
		return nil
	case []any:
		if n.key == "" {
			return fmt.Errorf("%s is not a list", at)
		}
		entry := &node{children: n.children}
		for _, item := range v {
			if m, ok := item.(map[string]any); !ok || m[n.key] == nil {
				return fmt.Errorf("%s: an entry has no %s", at, n.key)
			}
			if err := entry.check(at, item); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("%s: %v is neither object nor list", at, v)
}

// fits reports whether RFC 7951 writes a leaf of that type so: 64 bits as text, what has
// fewer as a number, enumerations by name.
func fits(t reflect.Type, v any) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Slice:
		items, ok := v.([]any)
		for _, item := range items {
			ok = ok && fits(t.Elem(), item)
		}
		return ok
	case t.Kind() == reflect.Int64 && t.PkgPath() != "":
		word, ok := v.(string)
		for _, e := range enums[t.Name()] {
			if e.Name == bare(word) && (e.DefiningModule == "" || word == e.DefiningModule+":"+e.Name) {
				return ok
			}
		}
		return false
	case t.Kind() == reflect.String:
		_, ok := v.(string)
		return ok
	case t.Kind() == reflect.Bool:
		_, ok := v.(bool)
		return ok
	case t.Kind() == reflect.Uint64:
		word, ok := v.(string)
		_, err := strconv.ParseUint(word, 10, 64)
		return ok && err == nil
	case t.Kind() == reflect.Int32:
		number, ok := v.(json.Number)
		_, err := strconv.ParseInt(number.String(), 10, t.Bits())
		return ok && err == nil
	}
	number, ok := v.(json.Number)
	_, err := strconv.ParseUint(number.String(), 10, t.Bits())
	return ok && err == nil
}
