package emit

import "github.com/roceplan/roceplan/internal/stable"

// Percentages scales weights that exceed 100 in sum to 100 by largest remainder,
// with at least 1 for every weight above 0. Others stay as they are.
func Percentages(weights []int64) []int64 {
	var sum int64
	for _, w := range weights {
		sum += w
	}
	if sum <= 100 {
		return weights
	}
	out := make([]int64, len(weights))
	left := int64(100)
	var byRemainder []int // of those that got a whole per cent
	for i, w := range weights {
		if out[i] = w * 100 / sum; out[i] > 0 {
			byRemainder = append(byRemainder, i)
		} else if w > 0 {
			out[i] = 1
		}
		left -= out[i]
	}
	stable.Sort(byRemainder, func(i, j int) int { return int(weights[j]*100%sum - weights[i]*100%sum) })
	for k := int64(0); k < left; k++ {
		out[byRemainder[k]]++
	}
	for ; left < 0; left++ { // for the ones that had to be at least 1
		out[smallestOfLargest(weights, out)]--
	}
	return out
}

// smallestOfLargest returns the index of the least weight among those with the largest share, so that
// taking from it keeps the order.
func smallestOfLargest(weights, shares []int64) (at int) {
	for i, s := range shares {
		if s > shares[at] || s == shares[at] && weights[i] < weights[at] {
			at = i
		}
	}
	return at
}
