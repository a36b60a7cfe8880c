package formulas

import (
	"math/big"
	"slices"

	"github.com/zclconf/go-cty/cty/function"
)

// checkedMixed is mixed(bytes, cell, metadata, frame, share, extra) of numbers that it takes.
func checkedMixed(args []*big.Int) (*big.Int, error) {
	for i, v := range args {
		if v.Sign() < 0 || !v.IsInt64() {
			return nil, function.NewArgErrorf(i, "%s is out of range", v)
		}
	}
	if args[1].Sign() == 0 {
		return nil, function.NewArgErrorf(1, "a cell of 0 B")
	}
	if args[4].Cmp(big.NewInt(1_000_000_000)) >= 0 {
		return nil, function.NewArgErrorf(4, "nothing but small packets")
	}
	return mixed(args[0], args[1], args[2], args[3], args[4], args[5]), nil
}

// mixed returns the most cells of packets with so many bytes on the wire. At most a share, in billionths
// below one, of all packets and `extra` largest ones is of 64 B; the others are of the largest
// size. A packet has 20 B more on the wire, and metadata in its first cell.
func mixed(bytes, cell, metadata, frame, share, extra *big.Int) *big.Int {
	add := func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }
	mul := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
	small, large := ceilDiv(add(big.NewInt(64), metadata), cell), ceilDiv(add(frame, metadata), cell)
	wire, rest := add(frame, big.NewInt(20)), new(big.Int).Sub(big.NewInt(1_000_000_000), share)
	most := new(big.Int)
	one := big.NewInt(1)
	for left, n := new(big.Int).Set(bytes), new(big.Int); left.Sign() >= 0; left, n = left.Sub(left, wire), add(n, one) {
		fit, allowed := floorDiv(left, big.NewInt(84)), floorDiv(mul(share, add(n, extra)), rest)
		smallest := slices.MinFunc([]*big.Int{fit, allowed}, (*big.Int).Cmp)
		cells := add(mul(smallest, small), mul(n, large))
		most = slices.MaxFunc([]*big.Int{most, cells}, (*big.Int).Cmp)
	}
	return most
}
