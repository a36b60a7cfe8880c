package policy

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// named carries nothing: a locals block has names of the author's choice.
type named struct{}

var localsBlock = &block[named]{
	example: localsExample, name: "locals", doc: "Names for values, read as `local.NAME`. They may use each other, in any order. May be repeated."}

// localSet evaluates locals in the order of their dependence.
type localSet struct {
	d      *decoder
	attrs  map[string]*hclsyntax.Attribute
	values map[string]cty.Value
	sizes  map[string]int
	open   []string // names under evaluation, outermost first
}

// locals gives the object local. One that is wrong is unknown in it, so that its users
// stay silent.
func (d *decoder) locals(blocks []*hclsyntax.Block) cty.Value {
	set := &localSet{d: d, attrs: map[string]*hclsyntax.Attribute{}, values: map[string]cty.Value{}, sizes: map[string]int{}}
	for _, b := range blocks {
		for _, inside := range b.Body.Blocks {
			d.errorf(UnknownBlock, inside.TypeRange, "locals holds no blocks").Fixf("write NAME = VALUE lines")
		}
		for _, name := range slices.Sorted(maps.Keys(b.Body.Attributes)) {
			attr := b.Body.Attributes[name]
			if before := set.attrs[name]; before != nil {
				d.errorf(DuplicateName, attr.NameRange, "there are two locals %s", name).Fixf("rename one").Notef(before.NameRange, "the first is here")
				continue
			}
			set.attrs[name] = attr
		}
	}
	names := map[string]cty.Value{}
	for name := range set.attrs {
		names[name] = cty.DynamicVal
	}
	ctx := d.ctx.NewChild()
	ctx.Variables = map[string]cty.Value{"local": cty.ObjectVal(names)}
	checker := d.within(ctx, "")
	for _, name := range slices.Sorted(maps.Keys(set.attrs)) {
		expr := set.attrs[name].Expr
		sound, _ := checker.checkNames(expr)
		d.seen[expr] = &evaluated{sound: sound, constant: true}
	}
	for _, name := range slices.Sorted(maps.Keys(set.attrs)) {
		set.evaluate(name)
	}
	return cty.ObjectVal(set.values)
}

func (s *localSet) evaluate(name string) {
	if _, done := s.values[name]; done {
		return
	}
	attr := s.attrs[name]
	if i := slices.Index(s.open, name); i >= 0 {
		s.d.errorf(LocalsCycle, attr.NameRange, "local.%s depends on itself: %s", name, cycle(s.open[i:])).
			Fixf("break the circle with a literal value")
		s.values[name] = cty.DynamicVal
		return
	}
	s.open = append(s.open, name)
	needs, load := map[string]cty.Value{}, 0
	for _, t := range attr.Expr.Variables() {
		if t.RootName() != "local" || len(t) < 2 {
			continue
		}
		if other, ok := stepName(t[1]); ok && s.attrs[other] != nil {
			s.evaluate(other)
			needs[other] = s.values[other]
			load += s.sizes[other]
		}
	}
	s.open = s.open[:len(s.open)-1]
	if _, done := s.values[name]; !done { // a cycle has told it
		s.values[name] = s.value(attr, needs, load)
		s.sizes[name] = size(s.values[name])
	}
}

// value evaluates one local, whose dependencies are known and together of size load:
// what it can grow to is bounded by that.
func (s *localSet) value(attr *hclsyntax.Attribute, needs map[string]cty.Value, load int) cty.Value {
	if load > maxValueSize {
		s.d.errorf(TooLarge, attr.Expr.Range(), "local.%s is built from more than %d characters and elements", attr.Name, maxValueSize)
		return cty.DynamicVal
	}
	ctx := s.d.ctx.NewChild()
	ctx.Variables = map[string]cty.Value{"local": cty.ObjectVal(needs)}
	v, ok := s.d.within(ctx, "").eval(attr.Expr)
	if !ok {
		return cty.DynamicVal
	}
	if size(v) > maxValueSize {
		s.d.errorf(TooLarge, attr.Expr.Range(), "local.%s has more than %d characters and elements", attr.Name, maxValueSize)
		return cty.DynamicVal
	}
	return v
}

func cycle(names []string) string {
	text := ""
	for _, n := range names {
		text += n + " → "
	}
	return text + names[0]
}

// size counts the characters, digits and elements of a value.
func size(v cty.Value) int {
	if v.IsNull() || !v.IsKnown() {
		return 1
	}
	switch t := v.Type(); {
	case t == cty.String:
		return 1 + len(v.AsString())
	case t == cty.Number:
		exponent := v.AsBigFloat().MantExp(nil)
		return 1 + max(exponent, -exponent)/3
	case v.CanIterateElements():
		n := 1
		for _, e := range v.Elements() {
			n += size(e)
		}
		return n
	}
	return 1
}

const localsExample = `
locals {
  rack_metres = 3
  rack_cable  = "${local.rack_metres}m"
}
`
