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
	example: localsExample, name: "locals", doc: "Names for values: `local.NAME`. They may use each other, in any order. May be repeated."}

// localSet evaluates locals in the order of their dependence.
type localSet struct {
	d      *decoder
	attrs  map[string]*hclsyntax.Attribute
	values map[string]cty.Value
	open   []string       // names under evaluation, outermost first
	at     map[string]int // where in open each name is
}

// locals gives the object local. One that is wrong is unknown in it, so that its users
// stay silent.
func (d *decoder) locals(blocks []*hclsyntax.Block) cty.Value {
	set := &localSet{d: d, attrs: map[string]*hclsyntax.Attribute{}, values: map[string]cty.Value{}, at: map[string]int{}}
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
	if i, circular := s.at[name]; circular {
		s.d.errorf(LocalsCycle, attr.NameRange, "local.%s depends on itself: %s", name, cycle(s.open[i:])).
			Fixf("break the circle with a literal value")
		s.values[name] = cty.DynamicVal
		return
	}
	s.at[name] = len(s.open)
	s.open = append(s.open, name)
	needs := map[string]cty.Value{}
	for _, t := range attr.Expr.Variables() {
		if t.RootName() != "local" || len(t) < 2 {
			continue
		}
		if other, ok := stepName(t[1]); ok && s.attrs[other] != nil {
			s.evaluate(other)
			needs[other] = s.values[other]
		}
	}
	s.open = s.open[:len(s.open)-1]
	delete(s.at, name)
	if _, done := s.values[name]; !done { // a cycle has been reported
		s.values[name] = s.value(attr, needs)
	}
}

// value evaluates one local, whose dependencies are known.
func (s *localSet) value(attr *hclsyntax.Attribute, needs map[string]cty.Value) cty.Value {
	ctx := s.d.ctx.NewChild()
	ctx.Variables = map[string]cty.Value{"local": cty.ObjectVal(needs)}
	if v, ok := s.d.within(ctx, "").eval(attr.Expr); ok {
		return v
	}
	return cty.DynamicVal
}

func cycle(names []string) string {
	text := ""
	for _, n := range names {
		text += n + " → "
	}
	return text + names[0]
}

const localsExample = `
locals {
  rack_metres = 3
  rack_cable  = "${local.rack_metres}m"
}
`
