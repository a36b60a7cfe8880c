package openconfig

import (
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
)

// entries walks a list and gives each entry with its key, which stands in the entry or
// in its config container.
func (r *reader) entries(n *posjson.Node, key string, visit func(name string, entry *posjson.Node)) {
	if n == nil {
		return
	}
	if n.Kind != posjson.Array {
		r.Errorf(Shape, r.At(n), "a list is wanted here")
		return
	}
	seen := map[string]bool{}
	for i := range n.Items {
		entry := &n.Items[i]
		k, again := entry.Get(key), entry.Get("config", key)
		if k == nil {
			k, again = again, nil
		}
		if k == nil || entry.Kind != posjson.Object || k.Kind == posjson.Object || k.Kind == posjson.Array {
			r.Errorf(Shape, r.At(entry), "an entry with the key %s is wanted here", key)
			continue
		}
		if seen[k.Text] {
			r.Errorf(Duplicate, r.At(k), "the entry %q stands twice in its list", posjson.Clip(k.Text))
			continue
		}
		seen[k.Text] = true
		k.Used = true
		if again != nil {
			r.pass(k, ruleKey)
			r.pass(again, ruleKey)
			if again.Kind != k.Kind || again.Text != k.Text {
				r.Errorf(Shape, r.At(again), "the entry %q calls itself something else here", posjson.Clip(k.Text))
			}
		}
		visit(k.Text, entry)
	}
}

// word reads a text, without the module of an identity; empty where there is none.
func (d *document) word(n *posjson.Node) string {
	if n == nil {
		return ""
	}
	if n.Used = true; n.Kind != posjson.Text {
		d.Errorf(Shape, d.At(n), "a text is wanted here")
		return ""
	}
	if _, bare, ok := strings.Cut(n.Text, ":"); ok {
		return bare
	}
	return n.Text
}

// name reads a reference as it stands.
func (d *document) name(n *posjson.Node) string {
	if n == nil || n.Kind != posjson.Text {
		d.word(n) // for the finding
		return ""
	}
	n.Used = true
	return n.Text
}

// number reads a number, which RFC 7951 writes as text where it has 64 bits.
func (d *document) number(n *posjson.Node, low, high int64) (int64, bool) {
	if n == nil {
		return 0, false
	}
	if n.Used = true; n.Kind == posjson.Object || n.Kind == posjson.Array {
		d.Errorf(Shape, d.At(n), "a number is wanted here")
		return 0, false
	}
	v, err := strconv.ParseInt(n.Text, 10, 64)
	if err != nil || v < low || v > high {
		d.Errorf(Number, d.At(n), "%q is not a number from %d to %d", posjson.Clip(n.Text), low, high)
		return 0, false
	}
	return v, true
}

// numbers reads a leaf-list, ascending.
func (d *document) numbers(n *posjson.Node, low, high int64) (out []uint8) {
	if n == nil {
		return nil
	}
	if n.Kind != posjson.Array {
		d.Errorf(Shape, d.At(n), "a list of numbers is wanted here")
		return nil
	}
	n.Used = true
	for i := range n.Items {
		item := &n.Items[i]
		v, ok := d.number(item, low, high)
		switch {
		case ok && slices.Contains(out, uint8(v)):
			d.Errorf(Duplicate, d.At(item), "%d stands twice in one list", v)
		case ok:
			out = append(out, uint8(v))
		}
	}
	slices.Sort(out)
	return out
}

// yes reads a leaf that is true or false, false where it is not there.
func (d *document) yes(n *posjson.Node) bool {
	if n == nil {
		return false
	}
	if n.Used = true; n.Text != "true" && n.Text != "false" {
		d.Errorf(Shape, d.At(n), "true or false is wanted here")
	}
	return n.Text == "true"
}

// from is a value that a leaf gives.
func from[T interface{ String() string }](v T, name string, at diag.Range) plan.Derived[T] {
	return plan.Of(v, &plan.Why{Kind: plan.ReadBack, Name: name, Value: v, Range: at})
}
