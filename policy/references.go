package policy

import (
	"reflect"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// A reference is the value of an expression such as nic.cx5: it names a block, which
// might not be decoded yet.
type reference struct{ block, name string }

var referenceType = cty.Capsule("reference", reflect.TypeFor[reference]())

// namespace returns the object behind nic, switch or traffic_class in expressions.
func namespace(block string, names []string) cty.Value {
	refs := map[string]cty.Value{}
	for _, n := range names {
		refs[n] = cty.CapsuleVal(referenceType, &reference{block, n})
	}
	return cty.ObjectVal(refs)
}

// referenceTo returns a reference to a block of one of the given types.
//
//go:noinline
func referenceTo(words string, blocks ...string) kind[reference] {
	return kind[reference]{words, func(d *decoder, attr string, expr hclsyntax.Expression) (reference, bool) {
		v, ok := d.eval(expr)
		if !ok || v.IsNull() {
			return reference{}, false
		}
		if v.Type() == referenceType {
			ref := *v.EncapsulatedValue().(*reference)
			for _, b := range blocks {
				if ref.block == b {
					return ref, true
				}
			}
		}
		p := wrongType(v, words, blocks[0]+".NAME")
		if v.Type() == cty.String {
			for _, b := range blocks {
				if named, ok := d.lookup(b); ok && named.Type().IsObjectType() && named.Type().HasAttribute(v.AsString()) {
					p.fixf("write %s.%s, without quotes", b, v.AsString()).meant(b + "." + v.AsString())
				}
			}
		}
		d.report(attr, expr, p)
		return reference{}, false
	}}
}
