package tune

import (
	"math"
	"math/rand/v2"
	"testing"
)

// With one value y at a genome the kernel's matrix is 1 + noise, and normal values are zero: the model expects y
// everywhere. Of two values ±1 whose genomes differ so far on the one axis that the kernel is nothing, the value at
// the first is y/(1+noise), with the variance 1 − 1/(1+noise).
func TestModelByHand(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }
	if v, _ := fit([]genome{{3}}, []float64{0.7}).expect(genome{90}); !near(v, 0.7) {
		t.Errorf("%v", v)
	}
	m := fit([]genome{{0}, {100}}, []float64{1, -1})
	v, d := m.expect(genome{0})
	if want := 1 / (1 + noise); !near(v, want) || !near(d, math.Sqrt(1-want)) || !near(m.hope(genome{0}), v-margin*d) {
		t.Errorf("%v, %v, want %v", v, d, want)
	}
	if v, d := m.expect(genome{50}); !near(v, 0) || !near(d, 1) {
		t.Errorf("%v, %v", v, d)
	}
}

// What adds up over axes is known from points that are elsewhere: of 60 drawn ones of six axes, the model finds the
// order of others.
func TestModelAddsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	draw := func() (g genome) {
		for range 6 {
			g = append(g, r.IntN(7))
		}
		return g
	}
	truth := func(g genome) float64 { return math.Abs(float64(g[0]-5)) + 0.5*float64(g[1]) - 0.3*float64(g[2]) }
	var at []genome
	var values []float64
	for range 60 {
		g := draw()
		at, values = append(at, g), append(values, truth(g))
	}
	m, right := fit(at, values), 0
	for range 200 {
		a, b := draw(), draw()
		va, _ := m.expect(a)
		vb, _ := m.expect(b)
		if (va < vb) == (truth(a) < truth(b)) {
			right++
		}
	}
	if right < 180 {
		t.Errorf("%d of 200 are in order", right)
	}
}
