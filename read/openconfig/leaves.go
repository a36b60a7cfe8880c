package openconfig

import (
	"slices"

	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/openconfig"
	"github.com/roceplan/roceplan/internal/posjson"
)

// leaf returns the value of a row below the entry of the list around it; nil where there is none.
//
//go:noinline
func leaf(id format.ID, around *posjson.Node) *posjson.Node {
	return around.Get(row.Of(id).Names()...)
}

// number reads the number of a row, in its own unit.
func (r *reader) number(id format.ID, around *posjson.Node) (int64, bool) {
	return r.NumberOf(row.Of(id), around)
}

// each walks the list of a row and gives each entry with its key, which is in the entry or in its
// config container.
func (r *reader) each(id format.ID, around *posjson.Node, visit func(name string, entry *posjson.Node)) {
	key := row.Of(id).Keys()[0]
	keyOf := func(entry *posjson.Node) *posjson.Node {
		if k := entry.Get(key); k != nil {
			return k
		}
		return entry.Get("config", key)
	}
	r.Entries(leaf(id, around), key, keyOf, func(k, entry *posjson.Node) {
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

// numbers reads the leaf-list of a row, ascending.
func (r *reader) numbers(id format.ID, around *posjson.Node) (out []uint8) {
	n := leaf(id, around)
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
		v, ok := r.Number(item, row.Of(id).Least, row.Of(id).Most)
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
