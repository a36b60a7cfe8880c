package chips

import (
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/units"
)

type (
	attribute  = *hclsyntax.Attribute
	expression = hclsyntax.Expression
)

// literal evaluates an expression in which nothing can be referred to. It reports
// and returns false where there is no whole, known value.
func (r *reader) literal(e expression) (cty.Value, bool) {
	value, diags := e.Value(nil)
	if diags.HasErrors() {
		r.fromHCL(diags)
		return cty.NilVal, false
	}
	if value.IsNull() || !value.IsWhollyKnown() {
		r.errorf(BadValue, e.Range(), "the value is null").Fixf("leave out what is unknown: a datum that is absent is unknown")
		return cty.NilVal, false
	}
	return value, true
}

// str reads a text; what describes the expected value: "a text".
func (r *reader) str(e expression, what string) (string, bool) {
	value, ok := r.literal(e)
	if !ok {
		return "", false
	}
	if value.Type() != cty.String {
		r.errorf(BadValue, e.Range(), "%s is a %s, %s is expected", spelling(value), value.Type().FriendlyName(), what).Fixf("write %s", what)
		return "", false
	}
	return value.AsString(), true
}

// scalar reads a quantity: a text with a unit.
func scalar[T any](r *reader, e expression, name string, parse func(string) (T, error)) (T, bool) {
	var none T
	value, ok := r.literal(e)
	if !ok {
		return none, false
	}
	if value.Type() != cty.String {
		_, err := parse("")
		found := r.errorf(BadValue, e.Range(), "%s is a %s, %s is expected", spelling(value), value.Type().FriendlyName(), name).Fixf("write %s", name)
		if wrong := (*units.ParseError)(nil); errors.As(err, &wrong) {
			found.Fixf("write it as a text with its unit, like %q", wrong.Example)
		}
		return none, false
	}
	parsed, err := parse(value.AsString())
	if wrong := (*units.ParseError)(nil); errors.As(err, &wrong) {
		r.errorf(BadValue, e.Range(), "%q is not %s: %s", wrong.Text, wrong.Kind, wrong.Problem).Fixf("write it like %q", wrong.Example)
		return none, false
	}
	return parsed, true
}

// list reads quantities, which have to ascend strictly where order is wanted.
func list[T interface{ ~int64 | ~int8 }](r *reader, e expression, name string, inOrder bool, parse func(string) (T, error)) ([]T, bool) {
	elements, diags := hcl.ExprList(e)
	if diags.HasErrors() {
		r.errorf(BadValue, e.Range(), "%s is expected, in brackets", name).Fixf("write %s in brackets", name)
		return nil, false
	}
	if len(elements) == 0 {
		r.errorf(BadValue, e.Range(), "the list is empty").Fixf("leave out what is unknown")
		return nil, false
	}
	var all []T
	good := true
	for _, element := range elements {
		v, ok := scalar(r, element.(expression), "an element of "+name, parse)
		if ok && inOrder && len(all) > 0 && v <= all[len(all)-1] {
			r.errorf(NotAscending, element.Range(), "the elements of the list do not ascend here").Fixf("sort the list and name each value once")
			ok = false
		}
		good = good && ok
		if ok {
			all = append(all, v)
		}
	}
	return all, good
}

// oneOf reads a text that must be one of a few.
func oneOf[T ~string](r *reader, e expression, name string, words []T) (T, bool) {
	text, ok := r.str(e, name)
	if !ok || slices.Contains(words, T(text)) {
		return T(text), ok
	}
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	r.errorf(BadValue, e.Range(), "%q is not %s", text, name).Fixf("one of %s", strings.Join(all, ", "))
	return "", false
}

// maxCount bounds whole numbers: ports, queues and slices are fewer.
const maxCount = 1 << 16

func wholeNumber(r *reader, e expression) (int, bool) {
	value, ok := r.literal(e)
	if !ok {
		return 0, false
	}
	if value.Type() != cty.Number {
		r.errorf(BadValue, e.Range(), "%s is a %s, a whole number is expected", spelling(value), value.Type().FriendlyName()).Fixf("write a whole number from 1 to %d", maxCount)
		return 0, false
	}
	n, accuracy := value.AsBigFloat().Int64()
	if accuracy != 0 || n < 1 || n > maxCount {
		r.errorf(BadValue, e.Range(), "%s is not a whole number from 1 to %d", spelling(value), maxCount).Fixf("write a whole number from 1 to %d", maxCount)
		return 0, false
	}
	return int(n), true
}

// wholeNumbers reads a list of cells.
func wholeNumbers(r *reader, e expression) ([]units.Cells, bool) {
	elements, diags := hcl.ExprList(e)
	if diags.HasErrors() || len(elements) == 0 {
		r.errorf(BadValue, e.Range(), "a list of whole numbers is expected, in brackets").Fixf("write whole numbers in brackets, such as [0, 1]")
		return nil, false
	}
	var all []units.Cells
	for _, element := range elements {
		n, ok := wholeNumber(r, element.(expression))
		if !ok {
			return nil, false
		}
		all = append(all, units.Cells(n))
	}
	return all, true
}

func truth(r *reader, e expression) (bool, bool) {
	value, ok := r.literal(e)
	if !ok {
		return false, false
	}
	if value.Type() != cty.Bool {
		r.errorf(BadValue, e.Range(), "%s is a %s, true or false is expected", spelling(value), value.Type().FriendlyName()).Fixf("write true or false")
		return false, false
	}
	return value.True(), true
}

// texts reads a list of texts.
func (r *reader) texts(e expression, what string) []string {
	elements, diags := hcl.ExprList(e)
	if diags.HasErrors() {
		r.errorf(BadValue, e.Range(), "a list of %s is expected, in brackets", what).Fixf("write %s in brackets", what)
		return nil
	}
	var all []string
	for _, element := range elements {
		if text, ok := r.str(element.(expression), "a text"); ok {
			all = append(all, text)
		}
	}
	return all
}

// spelling shows a value in a message.
func spelling(v cty.Value) string {
	switch v.Type() {
	case cty.String:
		return `"` + v.AsString() + `"`
	case cty.Number:
		n := v.AsBigFloat()
		if exponent := n.MantExp(nil); exponent > 128 || exponent < -128 {
			return "the number" // printing it would take all its digits
		}
		return n.Text('g', 20)
	case cty.Bool:
		if v.True() {
			return "true"
		}
		return "false"
	}
	return "the value"
}
