package completion

import "math"

// A Ratio compares the completion times of two settings: below 1 the first is better. Ratio is the geometric
// mean over seeds, and Low to High covers it with a confidence of 95 %, by Student's t of the logarithms.
// With one seed the error is unknown, and both are zero.
type Ratio struct {
	Ratio    float64 `json:"ratio,omitempty"`
	Low      float64 `json:"low,omitempty"`
	High     float64 `json:"high,omitempty"`
	Seeds    int     `json:"seeds"`
	Unusable string  `json:"unusable,omitempty"` // why there is no ratio: a figure that it needs is unusable
}

// Better reports whether the ratio is below 1 beyond what seeds differ.
func (r Ratio) Better() bool { return r.Unusable == "" && r.High > 0 && r.High < 1 }

// Worse reports whether the ratio is above 1 beyond what seeds differ.
func (r Ratio) Worse() bool { return r.Unusable == "" && r.Low > 1 }

// Compare divides the figures of one set by those of another: by the geometric mean of kinds, seed by seed.
// Seeds that only one of them has do not count.
func Compare(one, other Set, kinds ...Kind) Ratio {
	var logs []float64
	for _, seed := range one.Seeds() {
		if other[seed] == nil {
			continue
		}
		sum := 0.0
		for _, k := range kinds {
			a, b := one[seed][k], other[seed][k]
			if a.Unusable != "" {
				return Ratio{Unusable: "compared: " + a.Unusable}
			}
			if b.Unusable != "" {
				return Ratio{Unusable: "compared with: " + b.Unusable}
			}
			sum += math.Log(a.Value / b.Value)
		}
		logs = append(logs, sum/float64(len(kinds)))
	}
	return ratioOf(logs)
}

// ratioOf makes a ratio of its logarithms.
func ratioOf(logs []float64) Ratio {
	n := float64(len(logs))
	if n == 0 {
		return Ratio{Unusable: "no seed was run with both"}
	}
	mean, squares := 0.0, 0.0
	for _, l := range logs {
		mean += l / n
	}
	for _, l := range logs {
		squares += (l - mean) * (l - mean)
	}
	r := Ratio{Ratio: math.Exp(mean), Seeds: len(logs)}
	if n > 1 {
		off := student(len(logs)-1) * math.Sqrt(squares/(n-1)/n)
		r.Low, r.High = math.Exp(mean-off), math.Exp(mean+off)
	}
	return r
}

// student returns the value that Student's t does not exceed in magnitude in 95 % of cases, by degrees of freedom:
// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, column 0.975. Between its rows and beyond
// its last one it is the value of the row before, which is larger.
func student(degrees int) float64 {
	t := [...]float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086}
	return t[min(degrees, len(t))-1]
}
