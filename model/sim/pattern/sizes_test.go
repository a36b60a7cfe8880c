package pattern

import (
	"math"
	"testing"
)

// Samples of a distribution have its mean, also where it jumps.
func TestSizes(t *testing.T) {
	for _, s := range []*Sizes{
		{Bytes: []int64{1000, 3000}, CDF: []float64{0, 100}},
		{Bytes: []int64{100, 200, 200, 5000, 9000}, CDF: []float64{0, 20, 60, 97.5, 100}},
		{Bytes: []int64{100, 500, 700, 1000}, CDF: []float64{0, 0, 50, 100}},
	} {
		sum, n := 0.0, 100_000
		for i := range n {
			sum += float64(s.at(100 * (float64(i) + 0.5) / float64(n)))
		}
		if mean := sum / float64(n); math.Abs(mean/s.mean()-1) > 0.001 {
			t.Errorf("%v: mean of the samples is %v, of the distribution %v", s.CDF, mean, s.mean())
		}
	}
}
