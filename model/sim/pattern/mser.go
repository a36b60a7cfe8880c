package pattern

// The warm-up of a series is found by MSER-5: of all points where the series might be cut, the
// one after which the standard error of the mean is least. With Y the means of batches of five
// values, and Y(d) those after the first d of them, it is the d that makes
//
//	sum over i > d of (Y_i - mean of Y(d))²  /  (n - d)²
//
// least. A minimum in the second half says that the series is too short to have settled; it is
// looked for in the first three quarters (assumed), for the end of a series is calm by chance.
//
// K. P. White Jr., "An effective truncation heuristic for bias reduction in simulation output",
// Simulation 69(6), 1997; batches of five: K. P. White Jr., M. J. Cobb, S. C. Spratt, "A
// comparison of five steady-state truncation heuristics for simulation", Winter Simulation
// Conference 2000.
const (
	mserBatch  = 5
	leastBatch = 10 // assumed: fewer batches say nothing of a standard error

	// resolution is the precision of a value, as a share of the mean: goals are whole per cents.
	// Its error is added to the squares, or a port that is full in all windows but one would settle
	// after that one. This is not of the papers.
	resolution = 0.01
)

// mser returns the number of batches at the beginning that are warm-up, and whether the series settles.
func mser(batches []float64) (warmUp int, settled bool) {
	n := len(batches)
	if n < leastBatch {
		return 0, false
	}
	mean := 0.0
	for _, y := range batches {
		mean += y / float64(n)
	}
	floor := resolution * mean * resolution * mean
	best, sum, squares := 0.0, 0.0, 0.0
	for d := n - 1; d >= 0; d-- {
		y := batches[d] - mean // near to zero, so that the difference below is exact enough
		left := float64(n - d)
		sum, squares = sum+y, squares+y*y
		error := (max(0, squares-sum*sum/left) + left*floor) / (left * left)
		if n-d < n/4 {
			continue // less than a wave of a control's makes the error small by chance
		}
		if n-d == n/4 || error <= best {
			best, warmUp = error, d
		}
	}
	return warmUp, 2*warmUp <= n
}
