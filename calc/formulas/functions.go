package formulas

import (
	"math/big"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions are what expressions may call. All work on whole numbers of any size.
func functions() map[string]function.Function {
	return map[string]function.Function{
		"min":      stdlib.MinFunc,
		"max":      stdlib.MaxFunc,
		"ceildiv":  whole2(ceilDiv),
		"floordiv": whole2(floorDiv),
		"ceilto":   whole2(func(a, step *big.Int) *big.Int { return new(big.Int).Mul(ceilDiv(a, step), step) }),
		"floorto":  whole2(func(a, step *big.Int) *big.Int { return new(big.Int).Mul(floorDiv(a, step), step) }),
		"decay":    whole1(Decay),
		"kept":     whole2(func(n, g *big.Int) *big.Int { return Kept(g, n) }), // kept(n, g),
		"mixed":    mixedFunction(),
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

var numberParameter = function.Parameter{Name: "number", Type: cty.Number}

func whole1(f func(a *big.Int) *big.Int) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{numberParameter},
		Type:   function.StaticReturnType(cty.Number),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			a, err := wholeArgument(args, 0)
			if err != nil {
				return cty.NilVal, err
			}
			return number(f(a)), nil
		},
	})
}

func whole2(f func(a, b *big.Int) *big.Int) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{numberParameter, numberParameter},
		Type:   function.StaticReturnType(cty.Number),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			a, err := wholeArgument(args, 0)
			if err != nil {
				return cty.NilVal, err
			}
			b, err := wholeArgument(args, 1)
			if err != nil {
				return cty.NilVal, err
			}
			if b.Sign() <= 0 {
				return cty.NilVal, function.NewArgErrorf(1, "%s is not positive", b)
			}
			return number(f(a, b)), nil
		},
	})
}

func wholeArgument(args []cty.Value, i int) (*big.Int, error) {
	whole, accuracy := args[i].AsBigFloat().Int(nil)
	if accuracy != big.Exact {
		return nil, function.NewArgErrorf(i, "%s is not a whole number", args[i].AsBigFloat().Text('g', 20))
	}
	return whole, nil
}

func number(v *big.Int) cty.Value {
	return cty.NumberVal(new(big.Float).SetPrec(uint(max(v.BitLen(), 64))).SetInt(v))
}
