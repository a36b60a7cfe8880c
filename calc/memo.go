package calc

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// A Memo plans fabrics that differ little, as an editor has them after each keystroke: a shape
// whose inputs say what they said before is not computed again. A place that only moved within its
// file is moved in the plan. The zero Memo is ready to use, by one goroutine at a time; a nil one
// remembers nothing.
type Memo struct {
	// Brief leaves out what would repair a buffer that does not suffice: looking for it takes longer than
	// the plan.
	Brief bool

	types  types
	common string // the common input of all shapes; another one invalidates all of them
	shapes map[string]*remembered
}

// A remembered holds the results of a shape.
type remembered struct {
	shapePlan
	places []diag.Range // of the inputs, in their order
	first  []int        // by place: the first that was equal when the shape was computed
	slots  []slot       // where the plan and its findings name a place
	fixed  bool         // some place does not follow from the inputs: nothing can be moved
}

// A slot is a place in what was computed, and which place of the inputs it is.
type slot struct {
	at   *diag.Range
	from int
}

// Compute plans as [Compute] does, with equal results. Plans that came of the Memo before change
// and must not be used any more. It returns the error of the context, without a plan, but keeps the
// shapes that were computed until then.
func (m *Memo) Compute(ctx context.Context, f *policy.Fabric) (*plan.Plan, diag.List, error) {
	return m.ComputeUntil(ctx, f, nil)
}

// errEnough ends planning when the findings of a shape say all that is asked.
var errEnough = errors.New("no more is asked")

// ComputeUntil is Compute unless the findings of some shape are enough. There is no plan then, only the findings of that
// shape. A nil function says that all are wanted.
func (m *Memo) ComputeUntil(ctx context.Context, f *policy.Fabric, enough func(diag.List) bool) (*plan.Plan, diag.List, error) {
	if m == nil {
		return compute(ctx, f, allAdvised)
	}
	if m.shapes == nil {
		m.types, m.shapes = newTypes(), map[string]*remembered{}
	}
	var last diag.List
	p, list, err := compute(ctx, f, func(ctx context.Context, all []inputs) (shapes []shapePlan, err error) {
		shapes, last, err = m.planAll(ctx, all, enough)
		return shapes, err
	})
	if errors.Is(err, errEnough) {
		return nil, last, nil
	}
	return p, list, err
}

// planAll plans shapes that are not remembered. With errEnough it returns the findings that are.
func (m *Memo) planAll(ctx context.Context, all []inputs, enough func(diag.List) bool) ([]shapePlan, diag.List, error) {
	if len(all) == 0 {
		return nil, nil, ctx.Err()
	}
	fabric := m.types.contentOf(all[0].path)
	said := len(fabric.places) // where the places begin that the fabric says; a path may name those of chips
	fabric.add(reflect.ValueOf(all[0].fabric))
	common := string(fabric.text)
	before := m.shapes
	if common != m.common {
		before = nil
	}
	keys, places := make([]string, len(all)), make([][]diag.Range, len(all))
	used, fresh := map[string]*remembered{}, []int{}
	for i, in := range all {
		own := fabric.with(in.sw)
		keys[i], places[i] = string(own.text), own.places
		known := before[keys[i]]
		switch {
		case known == nil || !known.move(own.places):
			fresh = append(fresh, i)
		case enough != nil && enough(known.list):
			return nil, known.list, errEnough
		default:
			used[keys[i]] = known
		}
	}
	planned := make([]*shapePlan, len(all))
	last, err := planEach(ctx, all, fresh, planned, m.Brief, enough)
	if errors.Is(err, errEnough) {
		return nil, last, err
	}
	shapes := make([]shapePlan, len(all))
	for i, key := range keys {
		if planned[i] != nil {
			used[key] = m.remember(*planned[i], places[i], said)
		}
		if known := used[key]; known != nil { // else the context has ended
			shapes[i] = known.shapePlan
		}
	}
	if err != nil {
		for key, known := range before {
			if used[key] == nil {
				used[key] = known
			}
		}
	}
	m.common, m.shapes = common, used
	return shapes, nil, err
}

// planEach plans some of all shapes on all cores. With errEnough it returns the findings that are.
func planEach(ctx context.Context, all []inputs, some []int, planned []*shapePlan, brief bool, enough func(diag.List) bool) (last diag.List, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var once sync.Once
	err = parallel.Each(ctx, parallel.Few, len(some), func(k int) error {
		shape := planSwitch(all[some[k]], brief)
		planned[some[k]] = &shape
		if enough != nil && enough(shape.list) {
			once.Do(func() {
				last = shape.list
				stop(errEnough)
			})
		}
		return nil
	})
	if errors.Is(context.Cause(ctx), errEnough) {
		err = errEnough
	}
	return last, err
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
			return false // one place has become two
		}
	}
	r.places = slices.Clone(places)
	for _, s := range r.slots {
		*s.at = places[s.from]
	}
	return true
}
