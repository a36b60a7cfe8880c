package formulas

import (
	"math/big"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// mixedFunction is mixed(bytes, cell, metadata, frame, share, beside): the most cells of
// packets with so many bytes on the wire, if of all of them and `beside` largest ones at
// most a share, in billionths below one, is of 64 B, and the others are of the largest
// size. A packet has 20 B more on the wire, and metadata in its first cell.
func mixedFunction() function.Function {
	parameters := make([]function.Parameter, 6)
	for i := range parameters {
		parameters[i] = numberParameter
	}
	return function.New(&function.Spec{
		Params: parameters,
		Type:   function.StaticReturnType(cty.Number),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			var whole [6]*big.Int
			for i := range whole {
				var err error
				if whole[i], err = wholeArgument(args, i); err != nil {
					return cty.NilVal, err
				}
				if whole[i].Sign() < 0 || !whole[i].IsInt64() {
					return cty.NilVal, function.NewArgErrorf(i, "%s is out of range", whole[i])
				}
			}
			if whole[1].Sign() == 0 || whole[4].Cmp(big.NewInt(1_000_000_000)) >= 0 {
				return cty.NilVal, function.NewArgErrorf(1, "a cell of 0 B, or nothing but small packets")
			}
			return number(mixed(whole[0], whole[1], whole[2], whole[3], whole[4], whole[5])), nil
		},
	})
}

func mixed(bytes, cell, metadata, frame, share, beside *big.Int) *big.Int {
	add := func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }
	mul := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
	small, large := ceilDiv(add(big.NewInt(64), metadata), cell), ceilDiv(add(frame, metadata), cell)
	wire, rest := add(frame, big.NewInt(20)), new(big.Int).Sub(big.NewInt(1_000_000_000), share)
	most := new(big.Int)
	one := big.NewInt(1)
	for left, n := new(big.Int).Set(bytes), new(big.Int); left.Sign() >= 0; left, n = left.Sub(left, wire), add(n, one) {
		smallest := floorDiv(left, big.NewInt(84))
		if allowed := floorDiv(mul(share, add(n, beside)), rest); allowed.Cmp(smallest) < 0 {
			smallest = allowed
		}
		if cells := add(mul(smallest, small), mul(n, large)); cells.Cmp(most) > 0 {
			most = cells
		}
	}
	return most
}
