package formulas

import (
	"math/big"
	"slices"
)

// Whole is the unit of [Decay] and [Kept]: they count in parts of it.
const Whole = 1_000_000_000_000_000_000

// Decay returns e^(-x/10^9) in parts of 10^18 for x ≥ 0, rounded down twice: for whole powers
// of 1/e and for the rest, a Taylor series with alternating terms, the last of them below one
// part. It is exact to 50 parts.
func Decay(x *big.Int) *big.Int {
	const inverseE = 367_879_441_171_442_321 // 10^18/e
	whole := big.NewInt(Whole)
	steps, rest := new(big.Int).QuoRem(x, big.NewInt(1_000_000_000), new(big.Int))
	sum, term := new(big.Int).Set(whole), new(big.Int).Set(whole)
	for k := int64(1); term.Sign() != 0; k++ {
		term.Mul(term, rest).Quo(term, big.NewInt(1_000_000_000*k))
		if k%2 == 1 {
			sum.Sub(sum, term)
		} else {
			sum.Add(sum, term)
		}
	}
	for one := big.NewInt(1); steps.Sign() > 0 && sum.Sign() > 0; steps.Sub(steps, one) {
		sum.Mul(sum, big.NewInt(inverseE)).Quo(sum, whole)
	}
	return sum
}

// Kept returns (g/1024)^n in parts of 10^18, rounded down, for g from 0 to 1024. Beyond
// n = 4096 it is that of 4096.
func Kept(g, n *big.Int) *big.Int {
	power := slices.MinFunc([]*big.Int{n, big.NewInt(4096)}, (*big.Int).Cmp)
	v := new(big.Int).Exp(g, power, nil)
	return v.Mul(v, big.NewInt(Whole)).Rsh(v, uint(10*power.Int64()))
}
