package emit_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/emit"
)

// TestPercentages: shares keep their order, add up to 100, and none vanishes.
func TestPercentages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Int64Range(0, 100), 1, 8).Draw(t, "weights")
		got := emit.Percentages(weights)
		var sum, before int64
		for i, w := range weights {
			sum, before = sum+got[i], before+w
			if (w == 0) != (got[i] == 0) {
				t.Fatalf("%v became %v", weights, got)
			}
			for j := range weights {
				if weights[i] > weights[j] && got[i] < got[j] {
					t.Fatalf("%v became %v: the order changed", weights, got)
				}
			}
		}
		if want := min(before, 100); sum != want {
			t.Fatalf("%v became %v, in sum %d, want %d", weights, got, sum, want)
		}
	})
}

// Shares that exceed 100 in sum become 100 by largest remainder; none that is there becomes
// nothing, and what that takes is taken from the largest, of equals from the one of less weight.
func TestSharesBeyondAHundred(t *testing.T) {
	for _, c := range []struct{ weights, want []int64 }{
		{[]int64{60, 40}, []int64{60, 40}},
		{[]int64{10, 20}, []int64{10, 20}},
		{[]int64{60, 41}, []int64{59, 41}},         // 59.4 and 40.6
		{[]int64{50, 30, 30}, []int64{46, 27, 27}}, // 45.45 and twice 27.27
		{[]int64{30, 30, 50}, []int64{27, 27, 46}}, // in any order
		{[]int64{60, 60, 60}, []int64{34, 33, 33}}, // of equals the first
		{[]int64{0, 150}, []int64{0, 100}},         // nothing stays nothing
		{[]int64{1, 200}, []int64{1, 99}},          // 0.498 and 99.5
		{[]int64{19, 981}, []int64{2, 98}},         // 1.9 and 98.1
		{[]int64{100, 100, 1}, []int64{50, 49, 1}}, // 49.75 twice and 0.498: 99 of them, and one for the first
		{[]int64{1000, 1, 1, 1, 1, 1, 1, 1}, []int64{93, 1, 1, 1, 1, 1, 1, 1}},
		{[]int64{500, 400, 1, 1, 1, 1, 1, 1}, []int64{50, 44, 1, 1, 1, 1, 1, 1}}, // 55 and 44
		{[]int64{500, 499, 1, 1, 1, 1, 1}, []int64{48, 47, 1, 1, 1, 1, 1}},       // 49 twice
		{[]int64{499, 500, 1, 1, 1, 1, 1}, []int64{47, 48, 1, 1, 1, 1, 1}},
	} {
		if got := emit.Percentages(slices.Clone(c.weights)); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.weights, got, c.want)
		}
	}
}
