package lsp

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
)

var startOfFile = hcl.InitialPos

// A declaration is a block that others name, or a variable or local.
type declaration struct {
	kind, name string // "nic", "cx7": nic.cx7
	at         diag.Range
}

// declared lists all that can be named, in the order of files and lines.
func (a *analysis) declared() (out []declaration) {
	for _, path := range slices.Sorted(maps.Keys(a.bodies)) {
		for _, b := range a.bodies[path].Blocks {
			switch {
			case b.Type == "locals":
				for _, attr := range b.Body.Attributes {
					out = append(out, declaration{"local", attr.Name, attr.NameRange})
				}
			case len(b.Labels) > 0:
				kind := b.Type
				if kind == "variable" {
					kind = "var"
				}
				out = append(out, declaration{kind, b.Labels[0], b.LabelRanges[0]})
			}
		}
	}
	stable.Sort(out, func(a, b declaration) int {
		return diag.CompareRanges(a.at, b.at)
	})
	return out
}

// named finds what a name such as nic.cx7 or var.cable means. A switch answers to its label
// without ranges, too.
func (a *analysis) named(text string) *declaration {
	parts := strings.SplitN(text, ".", 3)
	if len(parts) < 2 {
		return nil
	}
	for _, d := range a.declared() {
		if d.kind == parts[0] && (d.name == parts[1] || bare(d.name) == parts[1]) {
			return &d
		}
	}
	return nil
}

var ranges = regexp.MustCompile(`-?\[[^\]]*\]`)

// bare returns a label without its ranges: "leaf" of "leaf-[01..32]".
func bare(label string) string { return ranges.ReplaceAllString(label, "") }

// definition leads from a name to the block that it means.
func (s *server) definition(a *analysis, path string, p *at) any {
	text := a.texts[path]
	name := word(text, offset(text, p.Position))
	d := a.named(name)
	if d == nil {
		return nil
	}
	return location{uriOf(d.at.Filename), spanOf(a.texts[d.at.Filename], d.at)}
}

// references lists where a block is named: of the name under the cursor, or of the block whose
// label it is in.
func (s *server) references(a *analysis, path string, p *at) any {
	d := a.meant(path, offset(a.texts[path], p.Position))
	if d == nil {
		return nil
	}
	out := []location{}
	for _, at := range a.uses(d) {
		out = append(out, location{uriOf(at.Filename), spanOf(a.texts[at.Filename], at)})
	}
	return out
}

// meant returns the declaration to which the name at a byte of a file refers, or which is there.
func (a *analysis) meant(path string, at int) *declaration {
	for _, have := range a.declared() {
		if r := have.at; r.Filename == path && r.Start.Byte <= at && at <= r.End.Byte {
			return &have
		}
	}
	name := word(a.texts[path], at)
	return a.named(name)
}

// uses returns the places where something is named, in the order of files.
func (a *analysis) uses(d *declaration) (out []diag.Range) {
	for _, file := range slices.Sorted(maps.Keys(a.bodies)) {
		_ = hclsyntax.VisitAll(a.bodies[file], func(n hclsyntax.Node) hcl.Diagnostics {
			e, ok := n.(*hclsyntax.ScopeTraversalExpr)
			if !ok || len(e.Traversal) < 2 || e.Traversal.RootName() != d.kind {
				return nil
			}
			if step, ok := e.Traversal[1].(hcl.TraverseAttr); ok && (step.Name == d.name || step.Name == bare(d.name)) {
				out = append(out, e.SrcRange)
			}
			return nil
		})
	}
	return out
}
