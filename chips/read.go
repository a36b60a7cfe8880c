package chips

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/diag"
)

// chip reads
//
//	chip "tomahawk5" {
//	  title   = "Broadcom Tomahawk 5"
//	  vendor  = "Broadcom"
//	  family  = "xgs"
//	  aliases = ["th5"]
//	  cell_size { … }
//	}
//
// A chip with `extends = "NAME"` starts from that chip of roceplan's own catalogue
// and needs to say only what differs.
func (r *reader) chip(block *hclsyntax.Block) {
	name, ok := r.label(block)
	if !ok {
		return
	}
	c := &Chip{Name: name, Range: block.LabelRanges[0]}
	required := []string{"title", "vendor", "family"}
	if a := block.Body.Attributes["extends"]; a != nil {
		required = nil
		r.extends(c, a)
	}
	r.attributes(block, map[string]func(attribute){
		"extends": func(attribute) {},
		"title":   func(a attribute) { c.Title = r.nonEmpty(a) },
		"vendor":  func(a attribute) { c.Vendor = r.nonEmpty(a) },
		"family": func(a attribute) {
			if f, ok := family.read(r, a.Expr); ok {
				c.Family = f
			}
		},
		"aliases": func(a attribute) { c.Aliases = r.texts(a.Expr, "names") },
	}, required...)
	r.fill(chipRows(c), c.Name, block.Body.Blocks)
	r.agree(c)
	r.register(c, block)
}

// extends copies a chip of the layers below.
func (r *reader) extends(c *Chip, a attribute) {
	name, ok := r.str(a.Expr, "the name of a chip")
	if !ok {
		return
	}
	var base *Chip
	if r.base != nil {
		base, _ = r.base.Find(name)
	}
	if base == nil {
		d := r.errorf(Undefined, a.Expr.Range(), "roceplan's own catalogue has no chip %q to extend", name)
		if r.base != nil {
			d.Fixf("one of %s", strings.Join(r.base.Names(), ", "))
		}
		return
	}
	own, at := c.Name, c.Range
	*c = *base
	c.Name, c.Range, c.Aliases = own, at, nil
	if own == base.Name {
		c.Aliases = slices.Clone(base.Aliases)
	}
}

// fill reads blocks, each a datum of some rows.
func (r *reader) fill(rows []*dataRow, owner string, blocks hclsyntax.Blocks) {
	holders := make(map[string]holder, len(rows))
	for _, row := range rows {
		row.holder.declare(owner, row.name)
		holders[row.name] = row.holder
	}
	first := map[string]*hclsyntax.Block{}
	for _, block := range blocks {
		h, ok := holders[block.Type]
		if !ok {
			r.unknown("datum", block.Type, block.TypeRange, keys(holders))
			continue
		}
		if before := first[block.Type]; before != nil {
			r.errorf(Duplicate, block.TypeRange, "%s is given already", block.Type).Fixf("remove one of the two").Notef(before.TypeRange, "here")
			continue
		}
		first[block.Type] = block
		r.datum(h, block)
	}
}

// datum reads
//
//	cell_size {
//	  value      = "254B"
//	  confidence = "measured"
//	  source     = source.sonic-mgmt-th5   # or a text
//	  note       = "…"
//	}
func (r *reader) datum(h holder, block *hclsyntax.Block) {
	for i, label := range block.Labels {
		r.errorf(UnknownName, block.LabelRanges[i], "a datum has no label, %q is one", label).Fixf("write the datum without its label")
	}
	fact := &Fact{Range: block.TypeRange}
	r.attributes(block, map[string]func(attribute){
		"value":      func(a attribute) {},
		"confidence": func(a attribute) { fact.Confidence = r.confidence(a) },
		"source":     func(a attribute) { fact.Source = r.sourceOf(a) },
		"note":       func(a attribute) { fact.Note = r.nonEmpty(a) },
	}, "value", "confidence", "source")
	r.noBlocks(block)
	if a := block.Body.Attributes["value"]; a != nil {
		h.read(r, a, fact)
		fact.written = written(a.Expr)
	}
}

// written returns the text of a value where it is one: "82MiB" rather than 85983232B.
func written(e expression) string {
	if v, diags := e.Value(nil); !diags.HasErrors() && v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
		return v.AsString()
	}
	return ""
}

func (r *reader) confidence(a attribute) Confidence {
	all := []Confidence{Assumed, Inferred, Published, Measured}
	words := make([]string, len(all))
	for i, c := range all {
		words[i] = c.String()
	}
	word, ok := oneOf(r, a.Expr, "a confidence", words)
	if !ok {
		return Assumed
	}
	return all[slices.Index(words, word)]
}

// sourceOf reads a text, or a reference to a source block, or a list of both.
func (r *reader) sourceOf(a attribute) string {
	if elements, diags := hcl.ExprList(a.Expr); !diags.HasErrors() {
		texts := make([]string, len(elements))
		for i, e := range elements {
			texts[i] = r.oneSource(a, e.(expression))
		}
		return strings.Join(texts, "; ")
	}
	return r.oneSource(a, a.Expr)
}

func (r *reader) oneSource(a attribute, e expression) string {
	path, diags := hcl.AbsTraversalForExpr(e)
	if diags.HasErrors() {
		return r.nonEmpty(&hclsyntax.Attribute{Name: a.Name, Expr: e})
	}
	var name string
	if len(path) == 2 && path.RootName() == "source" {
		if step, ok := path[1].(hcl.TraverseAttr); ok {
			name = step.Name
		}
	}
	d := r.sources[name]
	if d == nil {
		var known []string
		for name := range r.sources {
			known = append(known, "source."+name)
		}
		r.errorf(Undefined, e.Range(), "there is no such source").
			Repaired(diag.Rename("source."+name, known, "write the document as a text, or define source \"…\" { document = \"…\" }"))
		return ""
	}
	return d.text
}

// register puts a chip into the catalogue under its names.
func (r *reader) register(c *Chip, block *hclsyntax.Block) {
	if read, taken := r.catalogue.chips[c.Name]; taken {
		if r.here[c.Name] {
			r.errorf(Duplicate, c.Range, "the chip %q is defined already", c.Name).Fixf("give one of the two another name").Notef(read().Range, "here")
			return
		}
		if block.Body.Attributes["extends"] == nil {
			r.found.Warnf(Replaced, c.Range, "this chip takes the place of roceplan's own %q with all its data", c.Name).
				Fixf("say extends = %q to change only the data that are given here", c.Name)
		}
		r.forget(c.Name)
	}
	r.here[c.Name] = true
	r.catalogue.chips[c.Name] = func() *Chip { return c }
	r.claim(c, c.Name, c.Range)
	for i, alias := range c.Aliases {
		r.claim(c, alias, aliasRange(block, i))
	}
}

// forget removes the names of a chip that is replaced.
func (r *reader) forget(name string) {
	maps.DeleteFunc(r.catalogue.byName, func(_, canonical string) bool { return canonical == name })
}

var usual = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9+.()-]{0,39}$`) })

// claim takes a name for a chip, unless another has it.
func (r *reader) claim(c *Chip, name string, at hcl.Range) {
	if !usual().MatchString(name) {
		r.errorf(BadValue, at, "%q is not a name of a chip", name).Fixf("write it in letters, digits and + - . ( ), at most 40 of them")
		return
	}
	key := strings.ToLower(name)
	if owner, taken := r.catalogue.byName[key]; taken {
		r.errorf(Duplicate, at, "%q is a name of %s already", name, owner).Fixf("leave %q out of the aliases of one of the two", name).Notef(r.catalogue.chips[owner]().Range, "here")
		return
	}
	r.catalogue.byName[key] = c.Name
}

// aliasRange returns the place of the i-th alias, or of the chip where aliases are inherited.
func aliasRange(block *hclsyntax.Block, i int) hcl.Range {
	if a := block.Body.Attributes["aliases"]; a != nil {
		if elements, diags := hcl.ExprList(a.Expr); !diags.HasErrors() && i < len(elements) {
			return elements[i].Range()
		}
	}
	return block.LabelRanges[0]
}

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }

func keys[V any](m map[string]V) []string { return slices.Collect(maps.Keys(m)) }
