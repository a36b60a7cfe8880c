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
	sum    sum
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

// upperEnd returns the largest value in a bucket.
func upperEnd(bucket int) int64 {
	shift := max(0, bucket>>(subBits-1)-1)
	return int64(bucket-shift<<(subBits-1)+1)<<shift - 1
}

// add counts a value as often as weight says.
func (h *histogram) add(v, weight int64) {
	h.counts[min(bucketOf(v), len(h.counts)-1)] += weight
	h.total += weight
	h.sum.add(uint64(v), uint64(weight))
	h.max = max(h.max, v)
}

// percentile returns the value that so many percent of the weight are not above; 0 of nothing.
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

func (h *histogram) mean() float64 { return h.sum.float() / float64(max(1, h.total)) }

// join adds the values of another histogram of the same size, if that has any.
func (h *histogram) join(other *histogram) {
	for i, n := range other.counts {
		h.counts[i] += n
	}
	h.total += other.total
	h.sum.join(other.sum)
	h.max = max(h.max, other.max)
}

// sum is of products, exact, so that it does not depend on their order.
type sum struct{ high, low uint64 }

func (s *sum) add(a, b uint64) {
	high, low := bits.Mul64(a, b)
	s.join(sum{high, low})
}

func (s *sum) join(other sum) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, other.low, 0)
	s.high += other.high + carry
}

func (s sum) float() float64 { return float64(s.high)*(1<<64) + float64(s.low) }
