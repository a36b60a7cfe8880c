package policy

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
)

// A block is the description of one block type whose content fills a B: what it may
// hold, where that goes, and a line of documentation each. Decoding and the printed
// reference both follow it, so that neither can say what the other does not know.
type block[B any] struct {
	name   string   // "port_group"
	labels []string // the meaning of its labels; empty: it has none
	doc    string
	fields []field[B]
	nested []nested[B]
	// example shows the block in use. The examples of all blocks are one fabric.
	example string
	// like is the path in the reference of a block with the same attributes; empty: the reference lists them here.
	like string

	made atomic.Pointer[table]
}

// A field is one attribute of a block that fills a B. The type keeps tables right; what handles fields does not need
// it, and is there once in the program, not once for each block type.
type field[B any] struct{ *anyField }

type anyField struct {
	attributeDoc
	set    func(*decoder, any, hclsyntax.Expression) bool // nil: the code that opens the block reads it
	absent func(any, diag.Range)                          // nil: nothing to note
}

// attributeDoc is the documentation of a field, whatever it fills.
type attributeDoc struct {
	name     string
	kind     string // in words, with an example: `length, "100m"`
	fallback string // the default, in words; empty: none
	doc      string
	required bool
}

// nested is a block type inside another.
type nested[B any] struct{ *anyNested }

type anyNested struct {
	knownBlock
	docs section
	set  func(*decoder, any, *hclsyntax.Block)
}

// opt returns the attribute that fills an Opt; left out, it holds none. It is not inlined, because the
// tables call it 200 times: the program would be larger by 400 kB.
//
//go:noinline
func opt[B, T any](name string, k kind[T], to func(*B) *Opt[T], doc string) field[B] {
	return field[B]{k.field(name, doc, func(b any) any { return to(b.(*B)) })}
}

// field returns the attribute that fills the Opt that to finds in what a block fills.
//
//go:noinline
func (k kind[T]) field(name, doc string, to func(any) any) *anyField {
	return &anyField{
		attributeDoc: attributeDoc{name: name, kind: k.name, doc: doc},

		set:    func(d *decoder, b any, expr hclsyntax.Expression) bool { return k.fill(d, name, expr, to(b).(*Opt[T])) },
		absent: func(b any, at diag.Range) { to(b).(*Opt[T]).Range = at },
	}
}

// fill decodes an expression into an Opt and reports whether it could.
//
//go:noinline
func (k *kind[T]) fill(d *decoder, name string, expr hclsyntax.Expression, into *Opt[T]) bool {
	v, ok := k.decode(d, name, expr)
	if ok {
		*into = Opt[T]{v, true, expr.Range()}
	}
	return ok
}

// optDefault returns an attribute with a value that holds where it is left out.
//
//go:noinline
func optDefault[B, T any](name string, k kind[T], to func(*B) *Opt[T], value T, doc string) field[B] {
	return field[B]{k.fieldDefault(name, doc, func(b any) any { return to(b.(*B)) }, value)}
}

//go:noinline
func (k kind[T]) fieldDefault(name, doc string, to func(any) any, value T) *anyField {
	f := k.field(name, doc, to)
	f.fallback = fmt.Sprint(value)
	f.absent = func(b any, at diag.Range) { *to(b).(*Opt[T]) = Opt[T]{Value: value, Range: at} }
	return f
}

// custom is an attribute that a function of its own reads; nil: the code that opens the block does.
//
//go:noinline
func custom[B any](name, kind, doc string, set func(*decoder, *B, hclsyntax.Expression) bool) field[B] {
	f := field[B]{&anyField{attributeDoc: attributeDoc{name: name, kind: kind, doc: doc}}}
	if set != nil {
		f.set = func(d *decoder, b any, expr hclsyntax.Expression) bool { return set(d, b.(*B), expr) }
	}
	return f
}

// must marks an attribute that must not be left out.
//
//go:noinline
func (f field[B]) must() field[B] { f.required = true; return f }

// otherwise words a default that other values decide.
//
//go:noinline
func (f field[B]) otherwise(words string) field[B] { f.fallback = words; return f }

// plain takes the marks of Markdown out of words of the reference.
func plain(words string) string { return strings.ReplaceAll(words, "`", "") }

// missing reports whether the attribute was left out of the block at a place, rather than
// given and wrong.
//
//go:noinline
func (o Opt[T]) missing(at diag.Range) bool { return !o.Set && o.Range == at }

// inner returns a nested block; decode gets the block after its labels were checked.
//
//go:noinline
func inner[B, I any](of *block[I], once bool, decode func(*decoder, *B, *hclsyntax.Block)) nested[B] {
	return nested[B]{of.table().inside(once, func(d *decoder, b any, inside *hclsyntax.Block) { decode(d, b.(*B), inside) })}
}

// single returns a nested block that may be there once, and makes what it fills.
//
//go:noinline
func single[B, I any](of *block[I], at func(*B) **I) nested[B] {
	return inner(of, true, func(d *decoder, b *B, inside *hclsyntax.Block) {
		*at(b) = new(I)
		of.decode(d, inside.Body, inside.TypeRange, *at(b))
	})
}

//go:noinline
func (t *table) inside(once bool, decode func(*decoder, any, *hclsyntax.Block)) *anyNested {
	return &anyNested{knownBlock{t.name, t.labels, once}, t.section(), decode}
}

// A table is a block without the type that it fills.
type table struct {
	name, doc, example, like string
	labels                   []string
	fields                   []*anyField
	nested                   []*anyNested
	known                    known
}

// table returns the attributes and blocks, which are made at the first call.
//
//go:noinline
func (k *block[B]) table() *table {
	t := k.made.Load()
	if t == nil {
		t = newTable(k.name, k.doc, k.example, k.like, k.labels)
		for i := range k.fields {
			t.field(k.fields[i].anyField)
		}
		for i := range k.nested {
			t.nest(k.nested[i].anyNested)
		}
		k.made.Store(t)
	}
	return t
}

//go:noinline
func newTable(name, doc, example, like string, labels []string) *table {
	return &table{name: name, doc: doc, example: example, like: like, labels: labels, known: known{block: name}}
}

//go:noinline
func (t *table) field(f *anyField) {
	t.fields, t.known.attributes = append(t.fields, f), append(t.known.attributes, f.name)
}

//go:noinline
func (t *table) nest(n *anyNested) {
	t.nested, t.known.blocks = append(t.nested, n), append(t.known.blocks, n.knownBlock)
}

// decode fills b from a body. at is the block's label or name, where a missing attribute is reported.
func (k *block[B]) decode(d *decoder, body *hclsyntax.Body, at diag.Range, b *B) {
	k.table().decode(d, body, at, b)
}

func (t *table) decode(d *decoder, body *hclsyntax.Body, at diag.Range, b any) {
	for _, f := range t.fields {
		attr := body.Attributes[f.name]
		if f.set == nil || attr != nil && f.set(d, b, attr.Expr) {
			continue
		}
		if where := d.without(attr, at, t.name, &f.attributeDoc); f.absent != nil {
			f.absent(b, where)
		}
	}
	d.refuseUnknownAttributes(body, &t.known)
	d.eachBlock(body, &t.known, func(i int, inside *hclsyntax.Block) { t.nested[i].set(d, b, inside) })
}

// without returns the place of an attribute without a value: the block, or a wrong value, which has
// been reported; see [Opt.missing]. It reports the absence if the block needs the attribute.
func (d *decoder) without(attr *hclsyntax.Attribute, at diag.Range, block string, f *attributeDoc) diag.Range {
	if attr != nil && !d.isNull(attr.Expr) {
		return attr.Expr.Range()
	}
	if f.required {
		d.errorf(AttributeMissing, at, "%s needs %s (%s)", block, f.name, plain(f.doc)).
			Fixf("add %s = …: %s", f.name, plain(f.kind))
	}
	return at
}

// known are the names in a block type.
type known struct {
	block      string
	attributes []string
	blocks     []knownBlock
}

type knownBlock struct {
	name   string
	labels []string
	once   bool
}

func (d *decoder) refuseUnknownAttributes(body *hclsyntax.Body, k *known) {
	for name, attr := range body.Attributes {
		if !slices.Contains(k.attributes, name) {
			d.errorf(UnknownAttribute, attr.NameRange, "%s has no attribute %s", k.block, name).Repaired(k.repair(name))
		}
	}
}

// repair suggests what was meant by a name that the block does not know.
func (k *known) repair(name string) diag.Repair {
	names := slices.Clone(k.attributes)
	for _, n := range k.blocks {
		if n.name == name {
			return diag.Repair{Fix: fmt.Sprintf("%s is a block: write %s { … } without =", name, name)}
		}
		names = append(names, n.name)
	}
	if slices.Contains(k.attributes, name) {
		return diag.Repair{Fix: fmt.Sprintf("%s is an attribute: write %s = …", name, name)}
	}
	return renamed(name, names, "remove it; roceplan help language lists what there is")
}

// eachBlock hands each nested block to set, with the index of its type.
func (d *decoder) eachBlock(body *hclsyntax.Body, k *known, set func(int, *hclsyntax.Block)) {
	first := map[string]*hclsyntax.Block{}
	for _, inside := range body.Blocks {
		i := slices.IndexFunc(k.blocks, func(n knownBlock) bool { return n.name == inside.Type })
		if i < 0 {
			d.errorf(UnknownBlock, inside.TypeRange, "%s holds no block %s", k.block, inside.Type).Repaired(k.repair(inside.Type))
			continue
		}
		n := &k.blocks[i]
		if !checkLabels(d, inside, n.labels) {
			continue
		}
		if before := first[n.name]; before != nil && n.once {
			d.errorf(DuplicateBlock, inside.DefRange(), "there are two %s blocks, %s has at most one", n.name, k.block).
				Fixf("merge them").Notef(before.DefRange(), "the first is here")
			continue
		}
		first[n.name] = inside
		set(i, inside)
	}
}

// checkLabels demands as many labels as the block type has.
func checkLabels(d *decoder, b *hclsyntax.Block, want []string) bool {
	if len(b.Labels) == len(want) {
		return true
	}
	words := "no label"
	if len(want) > 0 {
		words = fmt.Sprintf("one label (%s)", want[0])
	}
	d.errorf(BlockLabel, b.DefRange(), "a %s block takes %s, and this one has %d", b.Type, words, len(b.Labels)).Fixf("%s", labelFix(b.Type, want))
	return false
}

func labelFix(name string, want []string) string {
	if len(want) == 0 {
		return fmt.Sprintf("write %s { … }", name)
	}
	return fmt.Sprintf("write %s %q { … }", name, want[0])
}

// labelRange returns the place of a block's label, or of its name where it has none.
func labelRange(b *hclsyntax.Block) hcl.Range {
	if len(b.LabelRanges) > 0 {
		return b.LabelRanges[0]
	}
	return b.TypeRange
}
