package stable_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/stable"
)

// TestSort compares with the standard library: pairs with few first halves, sorted by
// these, keep their order.
func TestSort(t *testing.T) {
	type pair struct{ key, place int }
	byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	rapid.Check(t, func(t *rapid.T) {
		var list []pair
		for place, key := range rapid.SliceOf(rapid.IntRange(0, 3)).Draw(t, "keys") {
			list = append(list, pair{key, place})
		}
		want := slices.SortedStableFunc(slices.Values(list), byKey)
		if got := stable.Sorted(slices.Values(list), byKey); !slices.Equal(got, want) {
			t.Errorf("Sorted: %v instead of %v", got, want)
		}
		if stable.Sort(list, byKey); !slices.Equal(list, want) {
			t.Errorf("Sort: %v instead of %v", list, want)
		}
	})
}
