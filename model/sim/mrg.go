package sim

// streams are ns-3's random numbers (src/core/model/rng-stream.cc): L'Ecuyer's MRG32k3a
// with streams 2^127 numbers apart. The HPCC simulator creates a new random variable for
// each decision, and each takes the next stream's first number; so does this.
type streams struct {
	one, two     vector // state at the start of the current stream
	next1, next2 matrix // to the start of the next stream
}

type (
	vector [3]uint64
	matrix [3]vector
)

const (
	mrgModulus1 = 4294967087
	mrgModulus2 = 4294944443
)

// Transition matrices of the two components: L'Ecuyer, "Good Parameters and
// Implementations for Combined Multiple Recursive Random Number Generators", Operations
// Research 47(1), 1999.
func mrgMatrices() (one, two matrix) {
	one = matrix{{0, 1, 0}, {0, 0, 1}, {mrgModulus1 - 810728, 1403580, 0}}
	two = matrix{{0, 1, 0}, {0, 0, 1}, {mrgModulus2 - 1370589, 0, 527612}}
	return one, two
}

func (a *matrix) times(b *matrix, m uint64) (c matrix) {
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				c[i][j] = (c[i][j] + a[i][k]*b[k][j]%m) % m
			}
		}
	}
	return c
}

func (a *matrix) apply(v *vector, m uint64) (r vector) {
	for i := range 3 {
		r[i] = (a[i][0]*v[0]%m + a[i][1]*v[1]%m + a[i][2]*v[2]%m) % m
	}
	return r
}

// power is a^(2^e).
func (a matrix) power(e int, m uint64) matrix {
	for range e {
		a = a.times(&a, m)
	}
	return a
}

// newStreams starts at a stream of a run. ns-3's seed stays at its default of 1; runs are
// substreams, 2^76 numbers apart.
func newStreams(run uint64, stream int) *streams {
	a, b := mrgMatrices()
	s := &streams{
		one: vector{1, 1, 1}, two: vector{1, 1, 1},
		next1: a.power(127, mrgModulus1), next2: b.power(127, mrgModulus2),
	}
	sub1, sub2 := a.power(76, mrgModulus1), b.power(76, mrgModulus2)
	for range run {
		s.one, s.two = sub1.apply(&s.one, mrgModulus1), sub2.apply(&s.two, mrgModulus2)
	}
	for range stream {
		s.skip()
	}
	return s
}

// skip goes to the next stream.
func (s *streams) skip() {
	s.one = s.next1.apply(&s.one, mrgModulus1)
	s.two = s.next2.apply(&s.two, mrgModulus2)
}

// uniform returns the current stream's first number, in (0, 1); the next call gives the next
// stream's.
func (s *streams) uniform() float64 {
	p1 := (1403580*s.one[1] + (mrgModulus1-810728)*s.one[0]%mrgModulus1) % mrgModulus1
	p2 := (527612*s.two[2] + (mrgModulus2-1370589)*s.two[0]%mrgModulus2) % mrgModulus2
	s.skip()
	if p1 <= p2 {
		p1 += mrgModulus1
	}
	return float64(p1-p2) / (mrgModulus1 + 1)
}
