package sim

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Percentiles are those of the sorted values, at most 1/64 above.
func TestHistogramAgainstSortedValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const width = 40
		value := rapid.OneOf(rapid.Int64Range(0, 300), rapid.Int64Range(0, 1<<20), rapid.Int64Range(0, 1<<width-1))
		values := rapid.SliceOfN(value, 1, 200).Draw(t, "values")
		h := newHistogram(width)
		for _, v := range values {
			h.add(v, 1)
		}
		slices.Sort(values)
		for _, percent := range []float64{0, 1, 50, 90, 99, 99.9, 100} {
			rank := max(1, int(math.Ceil(float64(len(values))*percent/100)))
			want, got := values[rank-1], h.percentile(percent)
			if got < want || float64(got) > float64(want)*(1+1./64) {
				t.Fatalf("%v %%: %d, want %d to %.0f", percent, got, want, float64(want)*(1+1./64))
			}
		}
	})
}

// Weights count like repetitions.
func TestHistogramWeights(t *testing.T) {
	h := newHistogram(32)
	h.add(10, 89)
	h.add(100, 10)
	h.add(5000, 1)
	for percent, want := range map[float64]int64{89: 10, 89.1: 100, 99: 100, 99.1: 5000, 100: 5000} {
		if got := h.percentile(percent); got != want {
			t.Errorf("%v %%: %d, want %d", percent, got, want)
		}
	}
	if got, want := h.mean(), (890.+1000+5000)/100; got != want {
		t.Errorf("mean %v, want %v", got, want)
	}
}
