package policy

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// The library's work for an element of a list. A number costs most where a text is wanted, which is
// written in decimal.
const (
	textEach     = 10 // to take a text into a list of texts, or out of it
	textOfNumber = 40
	concatEach   = 20
	rangeEach    = 20
	setEach      = 60
	setWalk      = 150 // a set is sorted whenever it is read: a function does so several times
	zipEach      = 20
)

// wantsTexts reports whether a function makes texts of a list of numbers.
func wantsTexts(function string) bool {
	return slices.Contains([]string{"distinct", "join", "setproduct", "sort", "toset", "zipmap"}, function)
}

// efforts returns the functions whose work or result is not bounded by the size of their
// arguments, with what they take for known ones. It is spent before they run.
func efforts() map[string]func([]cty.Value) int {
	return map[string]func([]cty.Value) int{
		"concat":     func(a []cty.Value) int { return concatEach * elements(a) },
		"csvdecode":  func(a []cty.Value) int { return 4 * countAny(a[0].AsString(), ",\n") },
		"format":     formatEffort,
		"formatlist": formatListEffort,
		"join":       func(a []cty.Value) int { return elements(a[1:]) * (textEach + len(a[0].AsString())) },
		"jsondecode": func(a []cty.Value) int { return roundEffort * countAny(a[0].AsString(), ",:[{") },
		"range":      func(a []cty.Value) int { return rangeEach * rangeLength(a) },
		"regex":      func(a []cty.Value) int { return len(a[0].AsString()) * (1 + len(a[1].AsString())/64) },
		"replace": func(a []cty.Value) int {
			return strings.Count(a[0].AsString(), a[1].AsString()) * (1 + len(a[2].AsString()))
		},
		"setproduct": func(a []cty.Value) int {
			n := roundEffort * len(a)
			for _, set := range a {
				if n *= set.LengthInt(); n > maxEffort {
					break
				}
			}
			return n
		},
		"yamldecode": func(a []cty.Value) int { return roundEffort * countAny(a[0].AsString(), "\n,:[{*") },
		"sort":       func(a []cty.Value) int { return textEach * a[0].LengthInt() },
		"toset":      func(a []cty.Value) int { return setEach * distinct(a[0]) },
		"zipmap":     func(a []cty.Value) int { return zipEach * elements(a) },
		"split":      func(a []cty.Value) int { return roundEffort * strings.Count(a[1].AsString(), a[0].AsString()) },
	}
}

func elements(lists []cty.Value) (n int) {
	for _, list := range lists {
		if list.CanIterateElements() {
			n += list.LengthInt()
		}
	}
	return n
}

// distinct returns the number of different texts in a list, and of all elements that are no texts.
func distinct(list cty.Value) int {
	if !list.CanIterateElements() {
		return 1
	}
	texts, others := map[string]bool{}, 0
	for _, e := range list.AsValueSlice() {
		if e.Type() == cty.String && !e.IsNull() {
			texts[e.AsString()] = true
		} else {
			others++
		}
	}
	return len(texts) + others
}

// rangeLength returns the number of elements of a range, at most one more, or the most that the library gives.
func rangeLength(a []cty.Value) int {
	const most, bits = 1024, 10
	if len(a) == 0 || slices.ContainsFunc(a, func(n cty.Value) bool { return n.AsBigFloat().IsInf() }) {
		return most
	}
	length := a[min(len(a), 2)-1].AsBigFloat()
	if len(a) > 1 {
		length.Sub(length, a[0].AsBigFloat())
	}
	if len(a) > 2 {
		step := a[2].AsBigFloat()
		if step.Sign() == 0 {
			return most
		}
		length.Quo(length, step)
	}
	if length.MantExp(nil) > bits {
		return most
	}
	n, _ := length.Abs(length).Int64()
	return 1 + int(n)
}

// charged is a function that spends its effort first.
func (b *budget) charged(f function.Function, effort func([]cty.Value) int) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) { // it may take as long as the function
			for _, a := range args {
				if a.IsNull() || !a.IsWhollyKnown() {
					return f.ReturnTypeForValues(args)
				}
			}
			b.spend(effort(args))
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) },
	})
}

// formatEffort returns the most that a pattern can come to: each verb is as wide as the longest
// argument, or as the 999 that a width may be.
func formatEffort(a []cty.Value) int {
	pattern, widest := a[0].AsString(), 999
	verbs := strings.Count(pattern, "%")
	if verbs < 16 { // each is weighed as an argument; the result is a few times that
		return len(pattern)
	}
	for _, arg := range a[1:] {
		widest = max(widest, size(arg, maxEffort, 0))
	}
	return len(pattern) + verbs*widest
}

// formatListEffort returns the length of the texts of all elements, at most: each may hold every
// argument that is no list, and each verb may be as wide as the 999 that a width may be.
func formatListEffort(a []cty.Value) int {
	pattern, elements, widest := a[0].AsString(), 1, 999
	for _, arg := range a[1:] {
		if arg.CanIterateElements() {
			elements = max(elements, arg.LengthInt())
		}
		widest = max(widest, size(arg, maxEffort, 0))
	}
	return elements * (roundEffort + len(pattern) + strings.Count(pattern, "%")*widest)
}

func countAny(text, signs string) int {
	n := 1
	for i := range len(text) {
		if strings.IndexByte(signs, text[i]) >= 0 {
			n++
		}
	}
	return n
}

// distinctFunc is distinct without a comparison of each element with each other.
func distinctFunc() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "list", Type: cty.List(cty.DynamicPseudoType)}},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl: func(args []cty.Value, ret cty.Type) (cty.Value, error) {
			if !args[0].IsWhollyKnown() {
				return cty.UnknownVal(ret), nil
			}
			seen := map[int][]cty.Value{}
			var out []cty.Value
			for _, v := range args[0].AsValueSlice() {
				hash := v.Hash()
				if !holds(seen[hash], v) {
					seen[hash] = append(seen[hash], v)
					out = append(out, v)
				}
			}
			if len(out) == 0 {
				return cty.ListValEmpty(ret.ElementType()), nil
			}
			return cty.ListVal(out), nil
		},
	})
}

func holds(list []cty.Value, v cty.Value) bool {
	return slices.ContainsFunc(list, v.RawEquals)
}

// jsonDecodeFunc is jsondecode for texts that are not nested deeper than its recursion
// can be trusted with.
func jsonDecodeFunc() function.Function {
	refuse := func(args []cty.Value) error {
		if args[0].IsKnown() && nesting(args[0].AsString()) > maxDepth {
			return problemf(TooDeep, "the JSON text nests more than %d brackets", maxDepth)
		}
		return nil
	}
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}},
		Type: func(args []cty.Value) (cty.Type, error) {
			if err := refuse(args); err != nil {
				return cty.NilType, err
			}
			return stdlib.JSONDecodeFunc.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return stdlib.JSONDecodeFunc.Call(args) },
	})
}

// nesting returns the depth of the brackets of a JSON text.
func nesting(text string) int {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
			deepest = max(deepest, depth)
		case c == ']' || c == '}':
			depth--
		}
	}
	return deepest
}
