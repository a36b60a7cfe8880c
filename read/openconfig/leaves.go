package openconfig

import (
	"slices"

	"github.com/roceplan/roceplan/internal/posjson"
)

// entries walks a list and gives each entry with its key, which stands in the entry or
// in its config container.
func (r *reader) entries(n *posjson.Node, key string, visit func(name string, entry *posjson.Node)) {
	keyOf := func(entry *posjson.Node) *posjson.Node {
		if k := entry.Get(key); k != nil {
			return k
		}
		return entry.Get("config", key)
	}
	r.Entries(n, key, keyOf, func(k, entry *posjson.Node) {
		if again := entry.Get("config", key); again != nil && again != k {
			r.Pass(k, ruleKey)
			r.Pass(again, ruleKey)
			if again.Kind != k.Kind || again.Text != k.Text {
				r.Errorf(Shape, r.At(again), "the entry %q calls itself something else here", posjson.Clip(k.Text)).Fixf("give the entry the same name in its key and in its config")
			}
		}
		visit(k.Text, entry)
	})
}

// numbers reads a leaf-list, ascending.
func (r *reader) numbers(n *posjson.Node, low, high int64) (out []uint8) {
	if n == nil {
		return nil
	}
	if n.Kind != posjson.Array {
		r.Errorf(Shape, r.At(n), "this must be a list of numbers").Fixf("write numbers in brackets")
		return nil
	}
	n.Used = true
	for i := range n.Items {
		item := &n.Items[i]
		v, ok := r.Number(item, low, high)
		switch {
		case ok && slices.Contains(out, uint8(v)):
			r.Errorf(Duplicate, r.At(item), "%d occurs twice in one list", v).Fixf("remove one of the two")
		case ok:
			out = append(out, uint8(v))
		}
	}
	slices.Sort(out)
	return out
}
