package proof

import (
	"slices"

	"github.com/roceplan/roceplan/model/mmu"
)

// A kind is accounts of one bound.
type kind struct {
	bound bound
	count int
}

// mostStates bounds the search of worstOrder.
const mostStates = 1 << 14

// worstOrder puts sorted bounds into the order in which accounts that fill one after another leave
// fewest of some free cells: see leaves.
//
// Static bounds go last: the part of the others falls by no more than a cell for each that is gone
// before. Of dynamic ones each leaves a part of what it finds, rounded up to cells, and where the
// parts differ the rounding makes the order matter: one of an alpha of 1 and one of 1/2 in 3 cells
// leave 1 cell if the narrow one comes first, and else 2. The cells that accounts leave do not fall
// when they find more, so the least that some of each kind leave is the rest after the last of
// them, from the least that the others leave. Where the numbers of each are too many for that, the
// narrowest are taken for the next wider ones, which take more.
func worstOrder(list []bound, rule mmu.Admission, free int64) []bound {
	kinds, static := kindsOf(list)
	if rounded(kinds, rule) {
		return list
	}
	for states(kinds) > mostStates {
		if kinds = merged(kinds); rounded(kinds, rule) {
			return slices.Concat(inTurn(kinds), static)
		}
	}
	// fewest[i] is the least that as many of each kind as i says leave, in digits whose base is one
	// more than their count.
	fewest := make([]int64, states(kinds))
	last := make([]int, len(fewest)) // the kind that comes last then
	for i := range fewest {
		fewest[i] = free
		weight := 1
		for k, each := range kinds {
			if i/weight%(each.count+1) > 0 {
				before := fewest[i-weight]
				if left := before - takes(each.bound, rule, before); left <= fewest[i] { // of equal ones the wider
					fewest[i], last[i] = left, k
				}
			}
			weight *= each.count + 1
		}
	}
	order := make([]bound, 0, len(list))
	for i := len(fewest) - 1; i > 0; {
		k, weight := last[i], 1
		for _, each := range kinds[:k] {
			weight *= each.count + 1
		}
		order = append(order, kinds[k].bound)
		i -= weight
	}
	slices.Reverse(order)
	return append(order, static...)
}

// kindsOf counts the dynamic bounds of a sorted list by kind, and has the others apart.
func kindsOf(list []bound) (kinds []kind, static []bound) {
	for i, b := range list {
		switch {
		case !b.dynamic():
			return kinds, list[i:]
		case i > 0 && b == list[i-1]:
			kinds[len(kinds)-1].count++
		default:
			kinds = append(kinds, kind{b, 1})
		}
	}
	return kinds, nil
}

func inTurn(kinds []kind) (list []bound) {
	for _, k := range kinds {
		list = append(list, slices.Repeat([]bound{k.bound}, k.count)...)
	}
	return list
}

// states returns the number of ways to choose accounts of some kinds by their number.
func states(kinds []kind) int {
	n := 1
	for _, k := range kinds {
		n *= min(k.count+1, 2*mostStates)
		n = min(n, 2*mostStates)
	}
	return n
}

// merged takes the narrowest kind for the next one. A bound of two limits counts as its dynamic one.
func merged(kinds []kind) []kind {
	var list []bound
	for i, b := range inTurn(kinds) {
		switch {
		case b.two && b.limit.Dynamic:
			b = bound{limit: b.limit}
		case b.two:
			b = bound{limit: b.port}
		}
		if i < kinds[0].count && len(kinds) > 1 && !kinds[1].bound.two {
			b = kinds[1].bound
		}
		list = append(list, b)
	}
	sortBounds(list)
	merged, _ := kindsOf(list)
	return merged
}

// rounded reports whether the order by width is the worst: where the parts that kinds leave are whole
// ones of what they find, 1/(1 + alpha) with an alpha of 1 and more, except for the first kind's. To
// round a quotient up, divide it by a whole number and round up again is the same as to round once.
func rounded(kinds []kind, rule mmu.Admission) bool {
	return len(kinds) < 2 || rule != mmu.BelowWithCell && !slices.ContainsFunc(kinds[1:], func(k kind) bool { return k.bound.two || k.bound.limit.Alpha < 0 })
}
