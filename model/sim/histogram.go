package sim

import "math/bits"

// subBits makes a histogram's buckets exact below 2^subBits, and above it 2^(subBits-1)
// for each doubling.
const subBits = 7

// histogram counts values of 0 and more in buckets whose width grows with the value, as
// HdrHistogram does (Tene, "HdrHistogram: A High Dynamic Range Histogram"). Its size is
// fixed. A percentile is the upper end of a bucket, or the maximum: never below the value at
// that rank, and less than 1/64 = 1.6 % above it. Sum and maximum are exact.
type histogram struct {
	counts []int64
	total  int64
	sum    float64
	max    int64
}

// newHistogram takes values below 2^width; larger ones count as the largest.
func newHistogram(width int) histogram {
	return histogram{counts: make([]int64, bucketOf(1<<width-1)+1)}
}

func bucketOf(v int64) int {
	shift := max(0, bits.Len64(uint64(v))-subBits)
	return shift<<(subBits-1) + int(v>>shift)
}

// upperEnd is the largest value in a bucket.
func upperEnd(bucket int) int64 {
	shift := max(0, bucket>>(subBits-1)-1)
	return int64(bucket-shift<<(subBits-1)+1)<<shift - 1
}

// add counts a value as often as weight says.
func (h *histogram) add(v, weight int64) {
	h.counts[min(bucketOf(v), len(h.counts)-1)] += weight
	h.total += weight
	h.sum += float64(v) * float64(weight)
	h.max = max(h.max, v)
}

// percentile is the value that so many percent of the weight are not above; 0 of nothing.
func (h *histogram) percentile(percent float64) int64 {
	rank, below := float64(h.total)*percent/100, int64(0)
	for bucket, n := range h.counts {
		below += n
		if n > 0 && float64(below) >= rank && bucket < len(h.counts)-1 {
			return min(upperEnd(bucket), h.max)
		}
	}
	return h.max
}

func (h *histogram) mean() float64 { return h.sum / float64(max(1, h.total)) }
