package tune

import "math"

// A model says how completion depends on levels of axes, by those points that ran: a Gaussian process with a kernel
// that adds up over axes (Duvenaud, Nickisch and Rasmussen, "Additive Gaussian Processes", NIPS 2011), as most of
// what a number does it does whatever the others are.
type model struct {
	at      []genome
	weights []float64   // of the kernel at these
	factor  [][]float64 // Cholesky factor of the kernel's matrix
	mean    float64
	scale   float64
}

const (
	reach  = 2.0 // levels over which an axis says something of its neighbours
	noise  = 0.1 // variance of a run among seeds, as a part of that among points
	margin = 1.0 // deviations by which a point may be better than the model expects: what it does not know draws it
)

// kernel returns the similarity of two genomes, 1 at most.
func kernel(a, b genome) float64 {
	sum := 0.0
	for i := range a {
		d := float64(a[i]-b[i]) / reach
		sum += math.Exp(-d * d / 2)
	}
	return sum / float64(len(a))
}

// fit makes a model of values at genomes, at least one.
func fit(at []genome, values []float64) *model {
	m := &model{at: at}
	n := float64(len(values))
	for _, v := range values {
		m.mean += v / n
	}
	for _, v := range values {
		m.scale += (v - m.mean) * (v - m.mean) / n
	}
	m.scale = max(math.Sqrt(m.scale), 1e-6)
	m.factor = cholesky(at)
	normal := make([]float64, len(values))
	for i, v := range values {
		normal[i] = (v - m.mean) / m.scale
	}
	m.weights = backward(m.factor, forward(m.factor, normal))
	return m
}

// cholesky factors the kernel's matrix into a lower triangle and its transpose.
func cholesky(at []genome) [][]float64 {
	l := make([][]float64, len(at))
	for i := range at {
		l[i] = make([]float64, i+1)
		for j := range i + 1 {
			sum := kernel(at[i], at[j])
			if i == j {
				sum += noise
			}
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(sum) // the noise keeps it above zero
			} else {
				l[i][j] = sum / l[j][j]
			}
		}
	}
	return l
}

// forward solves L x = b.
func forward(l [][]float64, b []float64) []float64 {
	x := make([]float64, len(b))
	for i := range b {
		sum := b[i]
		for k := range i {
			sum -= l[i][k] * x[k]
		}
		x[i] = sum / l[i][i]
	}
	return x
}

// backward solves Lᵀ x = b.
func backward(l [][]float64, b []float64) []float64 {
	x := make([]float64, len(b))
	for i := len(b) - 1; i >= 0; i-- {
		sum := b[i]
		for k := i + 1; k < len(b); k++ {
			sum -= l[k][i] * x[k]
		}
		x[i] = sum / l[i][i]
	}
	return x
}

// expect returns the value at a genome, and its standard deviation.
func (m *model) expect(g genome) (value, deviation float64) {
	k := make([]float64, len(m.at))
	for i := range m.at {
		k[i] = kernel(m.at[i], g)
		value += k[i] * m.weights[i]
	}
	variance := 1.0
	for _, v := range forward(m.factor, k) {
		variance -= v * v
	}
	return m.mean + m.scale*value, m.scale * math.Sqrt(max(0, variance))
}

// hope returns the least value that a genome may well have: the lower confidence bound, by which Srinivas, Krause,
// Kakade and Seeger choose the next point ("Gaussian Process Optimization in the Bandit Setting", ICML 2010).
func (m *model) hope(g genome) float64 {
	value, deviation := m.expect(g)
	return value - margin*deviation
}
