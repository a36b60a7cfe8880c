package openconfig

import (
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// entries walks a list and gives each entry with its key, which stands in the entry or
// in its config container.
func (d *document) entries(n *node, key string, visit func(name string, entry *node)) {
	if n == nil {
		return
	}
	if n.kind != '[' {
		d.report(Shape, d.at(n), "a list is wanted here")
		return
	}
	seen := map[string]bool{}
	for _, entry := range n.items {
		k := entry.get(key)
		if k == nil {
			k = entry.get("config", key)
		}
		if k == nil || entry.kind != '{' || k.kind == '{' || k.kind == '[' {
			d.report(Shape, d.at(entry), "an entry with the key %s is wanted here", key)
			continue
		}
		if seen[k.text] {
			d.report(Duplicate, d.at(k), "the entry %q stands twice in its list", clip(k.text))
			continue
		}
		seen[k.text] = true
		visit(k.text, entry)
	}
}

// word reads a text, without the module of an identity; empty where there is none.
func (d *document) word(n *node) string {
	if n == nil {
		return ""
	}
	if n.kind != '"' {
		d.report(Shape, d.at(n), "a text is wanted here")
		return ""
	}
	if _, bare, ok := strings.Cut(n.text, ":"); ok {
		return bare
	}
	return n.text
}

// name reads a reference as it stands.
func (d *document) name(n *node) string {
	if n == nil || n.kind != '"' {
		d.word(n) // for the finding
		return ""
	}
	return n.text
}

// number reads a number, which RFC 7951 writes as text where it has 64 bits.
func (d *document) number(n *node, low, high int64) (int64, bool) {
	if n == nil {
		return 0, false
	}
	if n.kind == '{' || n.kind == '[' {
		d.report(Shape, d.at(n), "a number is wanted here")
		return 0, false
	}
	v, err := strconv.ParseInt(n.text, 10, 64)
	if err != nil || v < low || v > high {
		d.report(Number, d.at(n), "%q is not a number from %d to %d", clip(n.text), low, high)
		return 0, false
	}
	return v, true
}

// numbers reads a leaf-list, ascending.
func (d *document) numbers(n *node, low, high int64) (out []uint8) {
	if n == nil {
		return nil
	}
	if n.kind != '[' {
		d.report(Shape, d.at(n), "a list of numbers is wanted here")
		return nil
	}
	for _, item := range n.items {
		if v, ok := d.number(item, low, high); ok {
			out = append(out, uint8(v))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (d *document) yes(n *node) bool { return n != nil && n.text == "true" }

// from is a value that a leaf gives.
func from[T interface{ String() string }](v T, name string, at diag.Range) plan.Derived[T] {
	return plan.Of(v, &plan.Why{Kind: plan.ReadBack, Name: name, Value: v, Range: at})
}
