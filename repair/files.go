package repair

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
)

// Files are the parsed parts of each file, in the order of their names.
type files struct {
	names  []string
	bodies map[string]*hclsyntax.Body
}

func parse(texts Texts) files {
	f := files{slices.Sorted(maps.Keys(texts)), map[string]*hclsyntax.Body{}}
	for name, text := range texts {
		file, _ := diag.ParseHCL(text, name)
		f.bodies[name], _ = file.Body.(*hclsyntax.Body)
	}
	return f
}

// parses reports whether a text of a file is HCL.
func (b *builder) parses(text []byte, name string) bool {
	if body, known := b.pieces.Parse(text, name); known {
		return body != nil
	}
	_, found := diag.ParseHCL(text, "")
	return !found.HasErrors()
}

// A place is the attribute and the blocks around a stretch of a file.
type place struct {
	block *hclsyntax.Block // the innermost; nil at the top level
	attr  *hclsyntax.Attribute
	outer *hclsyntax.Block // around block; nil where block is of the top level
}

// at finds the place of a range.
func (f *files) at(r diag.Range) (p place) {
	body := f.bodies[r.Filename]
	for body != nil {
		for _, attr := range body.Attributes {
			if holds(attr.SrcRange, r) {
				p.attr = attr
				return p
			}
		}
		i := slices.IndexFunc(body.Blocks, func(b *hclsyntax.Block) bool { return holds(b.Range(), r) })
		if i < 0 {
			return p
		}
		p.outer, p.block = p.block, body.Blocks[i]
		body = p.block.Body
	}
	return p
}

// holds reports whether a range contains another.
func holds(outer, inner diag.Range) bool {
	return outer.Start.Byte <= inner.Start.Byte && inner.End.Byte <= outer.End.Byte && outer.Filename == inner.Filename
}

// each walks over all blocks, in the order of the files.
func (f *files) each(visit func(*hclsyntax.Block)) {
	var walk func(*hclsyntax.Body)
	walk = func(body *hclsyntax.Body) {
		for _, b := range body.Blocks {
			visit(b)
			walk(b.Body)
		}
	}
	for _, name := range f.names {
		if body := f.bodies[name]; body != nil {
			walk(body)
		}
	}
}

// definition returns the expression of a name such as local.cable or var.cable.
func (f *files) definition(expr hclsyntax.Expression) (found hclsyntax.Expression) {
	name, ok := expr.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(name.Traversal) != 2 {
		return nil
	}
	step, ok := name.Traversal[1].(hcl.TraverseAttr)
	if !ok {
		return nil
	}
	root := name.Traversal.RootName()
	f.each(func(b *hclsyntax.Block) {
		switch {
		case root == "local" && b.Type == "locals" && b.Body.Attributes[step.Name] != nil:
			found = b.Body.Attributes[step.Name].Expr
		case root == "var" && b.Type == "variable" && len(b.Labels) == 1 && b.Labels[0] == step.Name && b.Body.Attributes["default"] != nil:
			found = b.Body.Attributes["default"].Expr
		}
	})
	return found
}
