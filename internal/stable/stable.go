// Package stable sorts lists and keeps elements that compare equal in their order.
//
// The sorts of package slices are compiled anew for each type of element, six thousand
// bytes of code each time; this one is compiled once, for a few per cent of time where a
// list is long.
package stable

import (
	"iter"
	"slices"
	"sort"
)

// Sort puts a list in the order of compare.
//
//go:noinline
func Sort[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}

// Sorted collects values into a list in the order of compare.
//
//go:noinline
func Sorted[T any](values iter.Seq[T], compare func(a, b T) int) []T {
	list := slices.Collect(values)
	Sort(list, compare)
	return list
}

// Delete removes the elements that drop names. It has half the code of slices.DeleteFunc, which is compiled anew for each type
// too.
//
//go:noinline
func Delete[T any](list []T, drop func(T) bool) []T {
	kept := 0
	for i := range list {
		if drop(list[i]) {
			continue
		}
		if kept != i {
			list[kept] = list[i]
		}
		kept++
	}
	clear(list[kept:])
	return list[:kept]
}
