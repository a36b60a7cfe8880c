package policy

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// A kind is a type of attribute values: its words for the reference, and the conversion of an
// expression.
type kind[T any] struct {
	name   string
	decode func(d *decoder, attr string, expr hclsyntax.Expression) (T, bool)
}

// A problem is why a value does not fit, before it has a place.
type problem struct {
	code    diag.Code
	message string
	repair  diag.Repair
}

func (p *problem) Error() string { return p.message }

func problemf(code diag.Code, format string, args ...any) *problem {
	return &problem{code: code, message: fmt.Sprintf(format, args...)}
}

func (p *problem) fixf(format string, args ...any) *problem {
	p.repair.Fix = fmt.Sprintf(format, args...)
	return p
}

// meant adds the value that the text most likely means; empty where that is open.
func (p *problem) meant(value string) *problem {
	p.repair.Meant = value
	return p
}

func (d *decoder) report(attr string, expr hclsyntax.Expression, p *problem) {
	d.errorf(p.code, expr.Range(), "%s: %s", attr, p.message).Repaired(p.repair)
}

// scalar returns a kind made of a function on one value that is known and not null.
//
//go:noinline
func scalar[T any](name string, from func(cty.Value) (T, *problem)) kind[T] {
	return kind[T]{name, func(d *decoder, attr string, expr hclsyntax.Expression) (none T, ok bool) {
		v, ok := d.eval(expr)
		if !ok || v.IsNull() {
			return none, false
		}
		t, p := from(v)
		if p != nil {
			d.report(attr, expr, p)
			return none, false
		}
		return t, true
	}}
}

// where adds a condition to a kind.
func (k kind[T]) where(check func(T) *problem) kind[T] {
	decode := k.decode
	k.decode = func(d *decoder, attr string, expr hclsyntax.Expression) (none T, ok bool) {
		t, ok := decode(d, attr, expr)
		if !ok {
			return none, false
		}
		if p := check(t); p != nil {
			d.report(attr, expr, p)
			return none, false
		}
		return t, true
	}
	return k
}

// between bounds a quantity, both ends included.
//
//go:noinline
func between[T ~int64](k kind[T], low, high T) kind[T] {
	k.name = fmt.Sprintf("%s; %v to %v", k.name, low, high)
	return k.where(func(t T) *problem {
		if t < low || t > high {
			return problemf(OutOfRange, "%v is outside %v to %v", t, low, high).fixf("write a value from %v to %v", low, high)
		}
		return nil
	})
}

// quantity returns a text with a unit.
//
//go:noinline
func quantity[T any](what, example string, read func(string) (T, error)) kind[T] {
	return scalar(fmt.Sprintf("%s, `%q`", what, example), func(v cty.Value) (t T, p *problem) {
		if p = notQuantity(v, what, example); p != nil {
			return t, p
		}
		t, err := read(v.AsString())
		if err != nil {
			var none T
			return none, badQuantity(err, what, example)
		}
		return t, nil
	})
}

// notQuantity returns what is wrong with a value that is no text with a unit.
func notQuantity(v cty.Value, what, example string) *problem {
	switch {
	case v.Type() == cty.Number:
		return problemf(UnitMissing, "%s has no unit, %s is expected", number(v), what).
			fixf("write it with its unit, such as %q", withUnit(number(v), unitOf(example)))
	case v.Type() != cty.String:
		return wrongType(v, what+" in quotes", example)
	}
	return nil
}

// badQuantity returns what is wrong with a text.
func badQuantity(err error, what, example string) *problem {
	var bad *units.ParseError
	switch {
	case !errors.As(err, &bad):
		return problemf(BadQuantity, "%v", err)
	case bad.NoUnit:
		return problemf(UnitMissing, "%q has no unit, %s is expected", clip(bad.Text), what).fixf("write it with its unit, such as %q", withUnit(strings.TrimSpace(bad.Text), unitOf(example)))
	default:
		return problemf(BadQuantity, "%q is not %s: %s", clip(bad.Text), what, bad.Problem).fixf("write it like %q", bad.Example).meant(bad.Meant)
	}
}

func unitOf(example string) string { return strings.TrimLeft(example, "0123456789.") }

// withUnit returns a bare number with the unit that it most likely has. A share below one is written in
// per cent: 0.05 is "5%".
func withUnit(bare, unit string) string {
	share, ok := new(big.Rat).SetString(bare)
	if unit != "%" || !ok || share.Sign() <= 0 || share.Cmp(big.NewRat(1, 1)) >= 0 {
		return bare + unit
	}
	text := share.Mul(share, big.NewRat(100, 1)).FloatString(7)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + unit
}

// The quantities of the language.
func bytesKind() kind[units.Bytes] { return quantity("an amount of bytes", "9216B", units.ParseBytes) }
func rateKind() kind[units.BitRate] {
	return quantity("a data rate", "400Gbps", units.ParseBitRate).where(positive)
}
func timeKind() kind[units.Time]     { return quantity("a time", "1.5us", units.ParseTime) }
func lengthKind() kind[units.Length] { return quantity("a length", "100m", units.ParseLength) }
func shareKind() kind[units.Ratio] {
	return between(quantity("a share", "5%", units.ParseRatio), 0, units.One)
}

func positive(r units.BitRate) *problem {
	if r == 0 {
		return problemf(OutOfRange, "0 is not a rate").fixf("leave it out, or write a rate above zero")
	}
	return nil
}

// A Multiple is a number in thousandths, 1 or more.
type Multiple int64

// once is the multiple of what is no more.
const once Multiple = 1000

func (m Multiple) String() string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%d.%03d", m/once, m%once), "0"), ".")
}

// multipleKind returns a number from 1 on, with at most three decimals.
func multipleKind() kind[Multiple] {
	const most = 1_000_000
	return scalar(fmt.Sprintf("a number, 1 to %d", most), func(v cty.Value) (Multiple, *problem) {
		if v.Type() != cty.Number {
			return 0, wrongType(v, "a number", "10")
		}
		half := cty.NumberIntVal(1).Divide(cty.NumberIntVal(2))
		n, _ := v.Multiply(cty.NumberIntVal(int64(once))).Add(half).AsBigFloat().Int64() // a decimal is no binary fraction
		if n < int64(once) || n > most*int64(once) {
			return 0, problemf(OutOfRange, "%s is not a number from 1 to %d", number(v), most).fixf("write how many times as long it may take, such as 10")
		}
		return Multiple(n), nil
	})
}

// alphaKind returns a power of two, written as an arithmetic share or in quotes.
//
//go:noinline
func alphaKind() kind[units.Alpha] {
	return scalar("a power of two, `1/8` or `\"1/8\"`; 1/1024 to 1024", func(v cty.Value) (units.Alpha, *problem) {
		text := ""
		switch v.Type() {
		case cty.String:
			text = v.AsString()
		case cty.Number:
			// A mantissa of one bit is a power of two; MantExp counts from one half.
			n := v.AsBigFloat()
			if exponent := n.MantExp(nil) - 1; n.Sign() > 0 && n.MinPrec() == 1 && exponent >= -10 && exponent <= 10 {
				return units.Alpha(exponent), nil
			}
			text = number(v)
		default:
			return 0, wrongType(v, "an alpha", "1/8")
		}
		a, err := units.ParseAlpha(text)
		if err != nil {
			return 0, problemf(BadQuantity, "%s is not a power of two from 1/1024 to 1024", clip(text)).fixf("write it like 1/8")
		}
		return a, nil
	})
}

// whole returns an integer without unit, both ends included.
func whole[T ~int64 | ~int | ~uint8 | ~uint16](low, high T) kind[T] {
	return scalar(fmt.Sprintf("a whole number, %d to %d", low, high), func(v cty.Value) (T, *problem) {
		if v.Type() != cty.Number {
			p := wrongType(v, "a whole number", fmt.Sprint(high))
			if v.Type() == cty.String {
				p.fixf("write the number without quotes, or tonumber(…)")
			}
			return 0, p
		}
		n, accuracy := v.AsBigFloat().Int64()
		if accuracy != big.Exact || !v.AsBigFloat().IsInt() || n < int64(low) || n > int64(high) {
			return 0, problemf(OutOfRange, "%s is not a whole number from %d to %d", number(v), low, high).
				fixf("write a number from %d to %d", low, high)
		}
		return T(n), nil
	})
}

//go:noinline
func boolKind() kind[bool] {
	return scalar("`true` or `false`", func(v cty.Value) (bool, *problem) {
		if v.Type() != cty.Bool {
			return false, wrongType(v, "true or false", "true")
		}
		return v.True(), nil
	})
}

func textKind(what, example string) kind[string] {
	return scalar(fmt.Sprintf("%s, `%q`", what, example), func(v cty.Value) (string, *problem) {
		if v.Type() != cty.String {
			return "", wrongType(v, what+" in quotes", fmt.Sprintf("%q", example))
		}
		return v.AsString(), nil
	})
}

// oneOf returns a word of a closed list, bare or in quotes.
func oneOf(words ...string) kind[string] {
	return oneOfBut(func(string) *problem { return nil }, words...)
}

// systemOf returns a system of a closed list. One that is read and not written is no mistake of spelling.
func systemOf(names ...string) kind[string] {
	return oneOfBut(func(word string) *problem {
		if low := strings.ToLower(word); low != "nxos" && low != "nx-os" {
			return nil
		}
		return problemf(UnknownValue, "NX-OS is read, and not written").
			fixf("judge its files with `roceplan verify` and --chip; `roceplan import` makes a fabric of them for a system that compile writes")
	}, names...)
}

// oneOfBut is oneOf with problems of its own for words that are not in the list; nil: the usual one.
func oneOfBut(own func(word string) *problem, words ...string) kind[string] {
	none := func(word, format string) *problem {
		if p := own(word); p != nil {
			return p
		}
		p := problemf(UnknownValue, format+" is none of %s", clip(word), strings.Join(words, ", "))
		p.repair = diag.Rename(word, words, "write one of them")
		return p
	}
	k := scalar("`"+strings.Join(words, "`, `")+"`", func(v cty.Value) (string, *problem) {
		if v.Type() != cty.String {
			return "", wrongType(v, "one of "+strings.Join(words, ", "), words[0])
		}
		for _, w := range words {
			if v.AsString() == w {
				return w, nil
			}
		}
		return "", none(v.AsString(), "%q")
	})
	decode := k.decode
	k.decode = func(d *decoder, attr string, expr hclsyntax.Expression) (string, bool) {
		if word, unknown := d.unknownWord(expr); unknown {
			d.report(attr, expr, none(word, "%s"))
			return "", false
		}
		return decode(d, attr, expr)
	}
	return k
}

// unknownWord returns a bare word that nothing is called by.
func (d *decoder) unknownWord(expr hclsyntax.Expression) (string, bool) {
	name, ok := expr.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(name.Traversal) > 1 {
		return "", false
	}
	_, known := d.lookup(name.Traversal.RootName())
	return name.Traversal.RootName(), !known
}

// either reads a word as one of two booleans.
func either(yes, no string) kind[bool] {
	words := oneOf(yes, no)
	return kind[bool]{words.name, func(d *decoder, attr string, expr hclsyntax.Expression) (bool, bool) {
		w, ok := words.decode(d, attr, expr)
		return w == yes, ok
	}}
}

// listOf returns a list, each element of a kind. Elements that are in brackets are blamed one by one.
//
//go:noinline
func listOf[T any](name string, of kind[T]) kind[[]T] {
	return kind[[]T]{name, func(d *decoder, attr string, expr hclsyntax.Expression) ([]T, bool) {
		elements, ok := d.elements(attr, expr, name)
		if !ok {
			return nil, false
		}
		list := make([]T, 0, len(elements))
		for _, e := range elements {
			t, fine := of.decode(d, attr, e)
			if !fine && d.isNull(e) {
				d.errorf(OutOfRange, e.Range(), "%s: null is not an element of a list", attr).Fixf("leave it out")
			}
			if ok = ok && fine; fine {
				list = append(list, t)
			}
		}
		return list, ok
	}}
}

// elements takes a list apart: into the expressions between the brackets, or, where a
// value came from elsewhere, into literals at the place of the whole.
func (d *decoder) elements(attr string, expr hclsyntax.Expression, want string) ([]hclsyntax.Expression, bool) {
	if tuple, ok := expr.(*hclsyntax.TupleConsExpr); ok {
		return tuple.Exprs, true
	}
	v, ok := d.eval(expr)
	if !ok || v.IsNull() {
		return nil, false
	}
	if t := v.Type(); !t.IsTupleType() && !t.IsListType() && !t.IsSetType() {
		d.report(attr, expr, wrongType(v, want, ""))
		return nil, false
	}
	var out []hclsyntax.Expression
	for _, e := range v.AsValueSlice() {
		out = append(out, &hclsyntax.LiteralValueExpr{Val: e, SrcRange: expr.Range()})
	}
	return out, true
}

func wrongType(v cty.Value, want, example string) *problem {
	p := problemf(WrongType, "this is %s, %s is expected", describe(v), want).fixf("write %s", want)
	if example != "" {
		p.fixf("write it like %s", example)
	}
	return p
}

// describe says what a value is, and shows it where it is short.
func describe(v cty.Value) string {
	t := v.Type()
	switch {
	case v.IsNull():
		return "null"
	case t == cty.String:
		return fmt.Sprintf("the text %q", clip(v.AsString()))
	case t == cty.Number:
		return "the number " + number(v)
	case t == cty.Bool:
		return map[bool]string{true: "true", false: "false"}[v.True()]
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		return fmt.Sprintf("a list of %d", v.LengthInt())
	case t.IsObjectType() || t.IsMapType():
		return "an object"
	case t.IsCapsuleType():
		return "a reference to a " + v.EncapsulatedValue().(*reference).block
	}
	return t.FriendlyName()
}

// number prints a number as short as it is.
func number(v cty.Value) string { return clip(v.AsBigFloat().Text('g', 12)) }

// clip keeps a text that is quoted in a message to the length of a line.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "…"
	}
	return s
}

// sentence strips the final full stop, and takes one line.
func sentence(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSuffix(line, ".")
}
