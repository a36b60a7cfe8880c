package formulas

import (
	"math/big"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions returns the functions that expressions may call. All work on whole numbers of any size.
func functions() map[string]function.Function {
	return map[string]function.Function{
		"min":      stdlib.MinFunc,
		"max":      stdlib.MaxFunc,
		"ceildiv":  whole2(ceilDiv),
		"floordiv": whole2(floorDiv),
		"ceilto":   whole2(func(a, step *big.Int) *big.Int { return new(big.Int).Mul(ceilDiv(a, step), step) }),
		"floorto":  whole2(func(a, step *big.Int) *big.Int { return new(big.Int).Mul(floorDiv(a, step), step) }),
		"decay":    ofWhole(1, func(a []*big.Int) (*big.Int, error) { return Decay(a[0]), nil }),
		"kept":     whole2(func(n, g *big.Int) *big.Int { return Kept(g, n) }), // kept(n, g)
		"mixed":    ofWhole(6, checkedMixed),
	}
}

func floorDiv(a, b *big.Int) *big.Int {
	q, m := new(big.Int).DivMod(a, b, new(big.Int))
	_ = m // DivMod is Euclidean: for b > 0 its quotient is the floor
	return q
}

func ceilDiv(a, b *big.Int) *big.Int {
	return new(big.Int).Neg(floorDiv(new(big.Int).Neg(a), b))
}

// ofWhole is a function of n whole numbers.
func ofWhole(n int, f func(args []*big.Int) (*big.Int, error)) function.Function {
	return function.New(&function.Spec{
		Params: slices.Repeat([]function.Parameter{{Name: "number", Type: cty.Number}}, n),
		Type:   function.StaticReturnType(cty.Number),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			numbers := make([]*big.Int, n)
			for i, a := range args {
				var accuracy big.Accuracy
				if numbers[i], accuracy = a.AsBigFloat().Int(nil); accuracy != big.Exact {
					return cty.NilVal, function.NewArgErrorf(i, "%s is not a whole number", a.AsBigFloat().Text('g', 20))
				}
			}
			v, err := f(numbers)
			if err != nil {
				return cty.NilVal, err
			}
			return cty.NumberVal(new(big.Float).SetInt(v)), nil
		},
	})
}

// whole2 is a function of a whole number and a positive one.
func whole2(f func(a, b *big.Int) *big.Int) function.Function {
	return ofWhole(2, func(args []*big.Int) (*big.Int, error) {
		if args[1].Sign() <= 0 {
			return nil, function.NewArgErrorf(1, "%s is not positive", args[1])
		}
		return f(args[0], args[1]), nil
	})
}
