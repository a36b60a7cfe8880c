package lsp

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/policy"
)

// tokenTypes are the kinds of semantic tokens, in the order of their numbers.
var tokenTypes = []string{"type", "class", "property", "variable", "enumMember", "function"}

const (
	tokenBlock = iota // the type of a block that the language has
	tokenLabel
	tokenAttribute // that its block may have
	tokenReference // nic.cx7
	tokenWord      // strict
	tokenFunction
)

// A token is a part of a line with a meaning.
type token struct {
	at   hcl.Range
	kind int
}

type semanticTokens struct {
	Data []int `json:"data"`
}

// tokens returns the meanings of words in a file: types of blocks, labels, attributes, references,
// words and functions. An unknown name has none, so that a misspelt one looks unlike the others.
func (s *server) tokens(a *analysis, path string, _ *at) any {
	body := a.bodies[path]
	if body == nil {
		return semanticTokens{[]int{}}
	}
	w := &tokenWalk{}
	w.body(body, policy.Schema(), nil)
	stable.Sort(w.all, func(a, b token) int { return cmp.Compare(a.at.Start.Byte, b.at.Start.Byte) })
	out, before, text := semanticTokens{[]int{}}, position{}, a.texts[path]
	for _, t := range w.all {
		r := spanOf(text, t.at)
		if r.Start.Line != r.End.Line {
			continue // a token is of one line
		}
		column := r.Start.Character
		if r.Start.Line == before.Line {
			column -= before.Character
		}
		out.Data = append(out.Data, r.Start.Line-before.Line, column, r.End.Character-r.Start.Character, t.kind, 0)
		before = r.Start
	}
	return out
}

// A tokenWalk gathers tokens.
type tokenWalk struct{ all []token }

func (w *tokenWalk) add(at hcl.Range, kind int) { w.all = append(w.all, token{at, kind}) }

// body gathers those of a body that may have the blocks and attributes; where it is unknown, which those are, they are nil.
func (w *tokenWalk) body(body *hclsyntax.Body, blocks []policy.Block, attributes []policy.Attribute) {
	for _, b := range body.Blocks {
		i := slices.IndexFunc(blocks, func(known policy.Block) bool { return known.Name == b.Type })
		if i < 0 {
			w.body(b.Body, nil, nil)
			continue
		}
		w.add(b.TypeRange, tokenBlock)
		for _, at := range b.LabelRanges {
			w.add(at, tokenLabel)
		}
		w.body(b.Body, blocks[i].Blocks, blocks[i].Attributes)
	}
	for _, attr := range body.Attributes {
		if slices.ContainsFunc(attributes, func(known policy.Attribute) bool { return known.Name == attr.Name }) {
			w.add(attr.NameRange, tokenAttribute)
		}
		_ = hclsyntax.VisitAll(attr.Expr, w.expression)
	}
}

func (w *tokenWalk) expression(n hclsyntax.Node) hcl.Diagnostics {
	switch e := n.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if len(e.Traversal) > 1 {
			w.add(e.SrcRange, tokenReference)
		} else {
			w.add(e.SrcRange, tokenWord)
		}
	case *hclsyntax.FunctionCallExpr:
		w.add(e.NameRange, tokenFunction)
	}
	return nil
}
