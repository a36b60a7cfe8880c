package calc

import (
	"context"
	"reflect"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// A Memo plans fabrics that differ little, as an editor has them after each keystroke: a shape
// whose inputs say what they said before is not computed again. What only moved within its file
// is moved in the plan. The zero Memo is ready to use, by one goroutine at a time; a nil one
// remembers nothing.
type Memo struct {
	// Brief leaves out what would repair a buffer that does not suffice: looking for it takes longer than
	// the plan.
	Brief bool

	types  types
	common string // what all shapes start from; another one makes all of them worthless
	shapes map[string]*remembered
}

// A remembered is what came of a shape.
type remembered struct {
	shapePlan
	places []diag.Range // of the inputs, in their order
	first  []int        // by place: the first that was equal when the shape was computed
	slots  []slot       // where the plan and its findings name a place
	fixed  bool         // some place cannot be told from the inputs: nothing can be moved
}

// A slot is a place in what was computed, and which place of the inputs it is.
type slot struct {
	at   *diag.Range
	from int
}

// Compute plans as [Compute] does, with equal results. Plans that came of the Memo before
// change and must not be used any more. The error is that of the context, and there is no plan
// then; what was computed until then is kept.
func (m *Memo) Compute(ctx context.Context, f *policy.Fabric) (*plan.Plan, diag.List, error) {
	if m == nil {
		return compute(ctx, f, advised)
	}
	if m.shapes == nil {
		m.types, m.shapes = newTypes(), map[string]*remembered{}
	}
	used := map[string]*remembered{}
	var all *content
	var said int // where the places begin that the fabric says; a path may name those of chips
	p, list, err := compute(ctx, f, func(in inputs) shapePlan {
		if all == nil {
			path := m.types.contentOf(in.path)
			said, all = len(path.places), path
			all.add(reflect.ValueOf(in.fabric))
			if common := string(all.text); common != m.common {
				m.common = common
				clear(m.shapes)
			}
		}
		own := all.with(in.sw)
		key := string(own.text)
		known := m.shapes[key]
		if known == nil || !known.move(own.places) {
			known = m.remember(planSwitch(in, m.Brief), own.places, said)
			m.shapes[key] = known
		}
		used[key] = known
		return known.shapePlan
	})
	if err == nil {
		m.shapes = used
	}
	return p, list, err
}

func (m *Memo) remember(s shapePlan, places []diag.Range, said int) *remembered {
	r := &remembered{shapePlan: s, places: slices.Clone(places), first: make([]int, len(places))}
	index, files := map[diag.Range]int{}, map[string]bool{}
	for i, at := range places {
		if _, seen := index[at]; !seen {
			index[at] = i
		}
		r.first[i] = index[at]
		files[at.Filename] = files[at.Filename] || i >= said
	}
	found, complete := m.types.placesIn(r.sw, r.list)
	r.fixed = !complete
	for _, at := range found {
		if !files[at.Filename] {
			continue // the catalogue's, which does not move
		}
		from, known := index[*at]
		r.fixed = r.fixed || !known
		r.slots = append(r.slots, slot{at, from})
	}
	return r
}

// move brings what was computed to where its inputs are now. It reports false, and changes
// nothing, where that cannot be said for certain.
func (r *remembered) move(places []diag.Range) bool {
	if slices.Equal(r.places, places) {
		return true
	}
	if r.fixed || len(places) != len(r.places) {
		return false
	}
	for i, at := range places {
		if at != places[r.first[i]] {
			return false // what was one place is two now
		}
	}
	r.places = slices.Clone(places)
	for _, s := range r.slots {
		*s.at = places[s.from]
	}
	return true
}
