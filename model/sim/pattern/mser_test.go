package pattern

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A series that begins elsewhere and then stays where it is, with noise.
func stepped(n, warmUp int, from, to, noise float64) []float64 {
	random := rand.New(rand.NewPCG(1, 2))
	out := make([]float64, n)
	for i := range out {
		out[i] = to + noise*random.NormFloat64()
		if i < warmUp {
			out[i] += from - to
		}
	}
	return out
}

func TestWarmUp(t *testing.T) {
	decay := stepped(200, 0, 0, 100, 1)
	ramp := make([]float64, 200)
	for i := range decay {
		decay[i] -= 90 * math.Exp(-float64(i)/10) // below the noise after 10 ln 90 = 45
		ramp[i] = float64(i)
	}
	flat := stepped(100, 0, 0, 100, 0)
	late := stepped(100, 60, 99.5, 100, 0) // half a per cent, which no goal knows
	for _, c := range []struct {
		name        string
		series      []float64
		least, most int
		settled     bool
	}{
		{"step", stepped(200, 40, 20, 100, 1), 40, 40, true},
		{"step down", stepped(200, 40, 500, 100, 1), 40, 40, true},
		{"decay", decay, 20, 60, true},
		{"flat", flat, 0, 0, true},
		{"half a per cent", late, 0, 0, true},
		{"ramp", ramp, 101, 200, false},
		{"late step", stepped(200, 120, 20, 100, 1), 120, 125, false},
		{"short", flat[:leastBatch-1], 0, 0, false},
	} {
		warmUp, settled := mser(c.series)
		if warmUp < c.least || warmUp > c.most || settled != c.settled {
			t.Errorf("%s: %d, settled %v; want %d to %d, %v", c.name, warmUp, settled, c.least, c.most, c.settled)
		}
	}
}

// The sums from behind are the formula of the paper.
func TestWarmUpIsTheFormula(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		series := stepped(10+random.IntN(60), random.IntN(40), 100*random.Float64(), 100, 20)
		n, mean := len(series), 0.0
		for _, y := range series {
			mean += y / float64(n)
		}
		best, want := math.Inf(1), 0
		for d := 0; n-d >= n/4; d++ {
			m, squares := 0.0, 0.0
			for _, y := range series[d:] {
				m += y / float64(n-d)
			}
			for _, y := range series[d:] {
				squares += (y-m)*(y-m) + mean*mean/10_000 // to one per cent
			}
			if e := squares / float64((n-d)*(n-d)); e < best {
				best, want = e, d
			}
		}
		if got, _ := mser(series); got != want {
			t.Fatalf("%d, want %d: %v", got, want, series)
		}
	}
}
