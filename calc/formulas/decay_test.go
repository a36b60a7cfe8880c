package formulas

import (
	"math"
	"math/big"
	"testing"
)

// What is less than one part is none: e^-41 is 1.6 parts of 10^18, e^-42 is 0.6, and powers beyond
// are no longer computed, however large.
func TestDecayEnds(t *testing.T) {
	huge, _ := new(big.Int).SetString("1000000000000000000000000000000", 10)
	for _, c := range []struct {
		x    *big.Int
		want int64
	}{{big.NewInt(41_000_000_000), 1}, {big.NewInt(42_000_000_000), 0}, {big.NewInt(43_000_000_000), 0}, {huge, 0}} {
		before := c.x.String()
		if got := Decay(c.x); got.Cmp(big.NewInt(c.want)) != 0 || c.x.String() != before {
			t.Errorf("%s: %v, want %d", before, got, c.want)
		}
	}
	n := big.NewInt(5000)
	if got := Kept(big.NewInt(1023), n); got.Cmp(Kept(big.NewInt(1023), big.NewInt(4096))) != 0 || n.Int64() != 5000 {
		t.Errorf("%v", got)
	}
}

// The standard library's exponential and power, to the 15 digits of a float64.
func TestDecayAndKept(t *testing.T) {
	close := func(what string, got *big.Int, want float64) {
		t.Helper()
		f, _ := new(big.Float).SetInt(got).Float64()
		if math.Abs(f/Whole-want) > 1e-15 {
			t.Errorf("%s: %v, want %v", what, f/Whole, want)
		}
	}
	for _, x := range []int64{0, 1, 1000, 500_000_000, 1_000_000_000, 2_300_000_000, 20_000_000_000, 41_999_999_999, 43_000_000_000} {
		close("decay", Decay(big.NewInt(x)), math.Exp(-float64(x)/1e9))
	}
	for _, g := range []int64{0, 1, 512, 1019, 1023, 1024} {
		for _, n := range []int64{0, 1, 4, 50, 4096, 5000} {
			close("kept", Kept(big.NewInt(g), big.NewInt(n)), math.Pow(float64(g)/1024, float64(min(n, 4096))))
		}
	}
}
